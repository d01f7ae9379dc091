"""Random days in a hall: what happens there in any order, and what is true of the plan after each of it."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from itertools import combinations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tournaments.engine.formats import get_format
from tournaments.engine.formats.base import Format
from tournaments.engine.scheduling import (
    Assignment,
    Break,
    Fixtures,
    Hall,
    Match,
    Person,
    Plan,
    Referee,
    State,
    Table,
    Window,
    calls,
    clashes,
    plan,
    shift,
)
from tournaments.engine.snapshot import Entry, Pairing, Result, ResultKind, Snapshot

MINUTE = 60
FORMATS = ("double_elimination", "single_elimination", "round_robin", "swiss")


@dataclass
class Stage:
    """A tournament of the day; entry 3 is player p3 in all of them."""

    key: str
    chosen: Format
    snapshot: Snapshot
    length: int

    def publish(self) -> None:
        """All that can be paired now."""
        while planned := self.chosen.pair(self.snapshot):
            made = (Pairing(r.number, p.number, p.a, p.b, bye=p.bye) for r in planned for p in r.pairings)
            self.snapshot = replace(self.snapshot, pairings=(*self.snapshot.pairings, *made))

    def matches(self) -> tuple[Match, ...]:
        fixtures = Fixtures(stage=self.key, length=self.length, tournament=self.key, person=lambda entry: f"p{entry}")
        return fixtures.of(self.chosen, self.snapshot)

    def put(self, pairing: Pairing, result: Result | None) -> set[str]:
        """A result, or none again: keys of matches that are gone with it."""
        gone = self.chosen.dependents(self.snapshot, pairing) if pairing.result else ()
        left = tuple(p for p in self.snapshot.pairings if p != pairing and p not in gone)
        self.snapshot = replace(self.snapshot, pairings=(*left, replace(pairing, result=result)))
        self.publish()
        return {f"{self.key}/{p.round}/{p.number}" for p in gone}


@dataclass
class Day:
    """A hall, and what happens in it. `facts` are what is known of a match beyond its stage."""

    rng: random.Random
    stages: list[Stage] = field(default_factory=list)
    facts: dict[str, dict[str, object]] = field(default_factory=dict)
    now: int = 0
    hall: Hall = field(init=False)

    def __post_init__(self) -> None:
        rng = self.rng
        for number in range(rng.randint(1, 3)):
            chosen = get_format(rng.choice(FORMATS))
            entries = tuple(Entry(i, i) for i in range(1, rng.randint(4, 9)))
            options = chosen.Options(rounds=3) if chosen.key == "swiss" else chosen.Options()
            stage = Stage(f"t{number}", chosen, Snapshot(entries, options=options), rng.randint(2, 6) * 5 * MINUTE)
            stage.publish()
            self.stages.append(stage)
        tables = [
            Table(key=f"{number}", order=number, hours=(Window(0, 600 * MINUTE),) if rng.random() < 0.2 else ())
            for number in rng.sample(range(1, 20), rng.randint(1, 4))
        ]
        tables[0] = replace(tables[0], hours=())
        if len(tables) > 2:
            tables[1] = replace(tables[1], tags=frozenset({"stream"}), tournaments=frozenset({"t0", "t1"}))
        people = (
            Person(key="p1", rest=20 * MINUTE),
            Person(key="p2", rest=0),
            Person(key="p3", hours=(Window(30 * MINUTE, 10_000 * MINUTE),)),
        )
        self.hall = Hall(
            tables=tuple(tables),
            people=people,
            referees=(Referee(key="ref"), Referee(key="p4", tables=frozenset({tables[0].key}))),
            hours=(Window(0, 700 * MINUTE), Window(800 * MINUTE, 10_000 * MINUTE)),
            breaks=(Break(key="lunch", start=120 * MINUTE, end=150 * MINUTE),),
            rest=rng.choice((0, 5, 10)) * MINUTE,
            turnover=rng.choice((0, 2)) * MINUTE,
        )

    def matches(self) -> tuple[Match, ...]:
        found = []
        for match in (match for stage in self.stages for match in stage.matches()):
            asks: dict[str, object] = {}
            if len(self.hall.tables) > 2 and match.key.endswith("/1") and match.tournament == "t0":
                asks["tags"] = frozenset({"stream"})
            if match.key.endswith("/2") and match.tournament == "t1":
                asks["needs_referee"] = True
            found.append(replace(match, **{**asks, **self.facts.get(match.key, {})}))  # type: ignore[arg-type]
        return tuple(found)

    def plan(self) -> Plan:
        return plan(matches=self.matches(), hall=self.hall, now=self.now)

    def those(self, state: State) -> list[Match]:
        return [match for match in self.matches() if match.state is state and len(match.players) == 2]

    def pairing(self, match: Match) -> tuple[Stage, Pairing]:
        stage = next(stage for stage in self.stages if stage.key == match.tournament)
        found = {(p.round, p.number): p for p in stage.snapshot.pairings}
        return stage, found[match.order[0], match.order[1]]

    # What can happen.

    def tick(self) -> None:
        self.now += self.rng.randint(1, 25) * MINUTE

    def call(self) -> None:
        for call in calls(matches=self.matches(), hall=self.hall, now=self.now):
            self.facts[call.match] = {
                "state": State.CALLED,
                "table": call.table,
                "start": self.now,
                "referee": call.referee,
            }

    def begin(self) -> None:
        for match in self.those(State.CALLED):
            if self.rng.random() < 0.7:
                self.facts[match.key] |= {"state": State.PLAYING, "start": self.now}

    def finish(self) -> None:
        for match in self.those(State.PLAYING):
            if self.now > (match.start or 0) and self.rng.random() < 0.5:
                self.facts[match.key] |= {"state": State.OVER, "end": self.now}
                stage, pairing = self.pairing(match)
                stage.put(pairing, Result(ResultKind.SCORE, (3, 1), "a"))

    def walk_over(self) -> None:
        for match in self.those(State.WAITING)[:1] + self.those(State.CALLED)[:1]:
            stage, pairing = self.pairing(match)
            self.facts.pop(match.key, None)
            stage.put(pairing, Result(ResultKind.WALKOVER, (0, 3), "b"))

    def correct(self) -> None:
        if over := self.those(State.OVER):
            match = self.rng.choice(over)
            stage, pairing = self.pairing(match)
            for key in {match.key, *stage.put(pairing, None)}:
                self.facts.pop(key, None)

    def promise(self) -> None:
        """What is planned is told to people: the plan is what it was."""
        before = self.plan()
        known = [place for place in before.assignments if place.state is State.WAITING and len(place.players) == 2]
        found = [place for place in known if not place.note]
        for place in self.rng.sample(found, min(len(found), 3)):
            self.facts[place.match] = {"table": place.table, "start": place.start, "referee": place.referee}
        assert self.plan().assignments == before.assignments

    def lose_or_mend_a_table(self) -> None:
        table = self.rng.choice(self.hall.tables)
        changed = replace(table, out_of_use=not table.out_of_use)
        self.hall = replace(self.hall, tables=tuple(changed if t is table else t for t in self.hall.tables))

    def hold_or_release(self) -> None:
        if waiting := self.those(State.WAITING):
            key = self.rng.choice(waiting).key
            self.facts[key] = {**self.facts.get(key, {}), "held": not self.facts.get(key, {}).get("held", False)}

    def run_late(self) -> None:
        moved = shift(matches=self.matches(), hall=self.hall, by=15 * MINUTE, since=self.now)
        for match in moved.matches:
            if match.state is State.WAITING and match.start is not None:
                self.facts[match.key]["start"] = match.start
        self.hall = moved.hall

    def happens(self) -> Callable[[], None]:
        often = (self.tick, self.tick, self.call, self.call, self.begin, self.finish, self.finish)
        seldom = (self.walk_over, self.correct, self.promise, self.lose_or_mend_a_table, self.hold_or_release)
        return self.rng.choice((*often, *seldom, self.run_late))


# What is true.


def overlap(a: Assignment, b: Assignment, pause: int = 0) -> bool:
    return a.start < b.end + pause and b.start < a.end + pause


def nobody_is_twice_anywhere(day: Day, found: Plan) -> None:
    """Written out anew: the planner's own check is not asked."""
    rests = {person.key: person.rest for person in day.hall.people if person.rest is not None}
    taking = [place for place in found.assignments if place.end > place.start]
    for a, b in combinations(taking, 2):
        if State.WAITING not in (a.state, b.state):
            continue
        assert not (a.table == b.table and overlap(a, b, day.hall.turnover)), (a, b)
        assert not (a.referee is not None and a.referee in (b.referee, *b.players) and overlap(a, b)), (a, b)
        assert not (b.referee is not None and b.referee in a.players and overlap(a, b)), (a, b)
        for player in set(a.players) & set(b.players):
            assert not overlap(a, b, rests.get(player, day.hall.rest)), (a, b)


def nothing_comes_before_what_feeds_it(matches: dict[str, Match], found: Plan) -> None:
    for place in found.assignments:
        if place.state is State.WAITING:
            for feed in matches[place.match].feeds:
                assert matches[feed].state is State.OVER or found[feed].end <= place.start


def promises_are_kept(day: Day, matches: dict[str, Match], found: Plan) -> None:
    out = {table.key for table in day.hall.tables if table.out_of_use}
    for place in found.assignments:
        match = matches[place.match]
        if place.state is State.WAITING and match.start is not None:
            assert place.start >= match.start
            assert (place.table == match.table) or (match.table in out and place.note == "moved")
            assert place.note or place.start == match.start
        elif place.state is not State.WAITING:
            assert (place.table, place.start, place.note) == (match.table, match.start, "")


def free_moments(day: Day, found: Plan) -> Iterator[int]:
    """Now, and whenever a table, player or referee is free again or hours begin."""
    pauses = {0, day.hall.rest, day.hall.turnover, 20 * MINUTE}
    moments = {day.now, *(place.end + pause for place in found.assignments for pause in pauses)}
    moments |= {window.start for hours in (day.hall.hours, *(p.hours for p in day.hall.people)) for window in hours}
    moments |= {each.end for each in day.hall.breaks}
    yield from sorted(moment for moment in moments if moment >= day.now)


def inside(windows: tuple[Window, ...], start: int, end: int) -> bool:
    return not windows or any(w.start <= start and end <= w.end for w in windows)


def could_begin(day: Day, matches: dict[str, Match], found: Plan, match: Match, table: Table, at: int) -> bool:
    """Whether a match could have begun at a table at a moment, by what had begun until then and by promises."""
    end = at + match.length
    rests = {person.key: person.rest for person in day.hall.people if person.rest is not None}
    hours = {person.key: person.hours for person in day.hall.people}
    due = max([day.hall.rest, *rests.values()]) if len(match.players) < 2 else 0
    fed = all(
        found[feed].end + due <= at if feed in found else matches[feed].state is State.OVER for feed in match.feeds
    )
    if not fed or table.out_of_use or not match.tags <= table.tags:
        return False
    if table.tournaments and match.tournament not in table.tournaments:
        return False
    if not all(inside(windows, at, end) for windows in (day.hall.hours, table.hours)):
        return False
    if any(each.start < end and at < each.end for each in day.hall.breaks):
        return False
    for other in found.assignments:
        if other.match == match.key or other.end == other.start:
            continue
        promised = matches[other.match].start is not None and other.state is State.WAITING
        until = end if promised else at + 1
        pause = day.hall.turnover
        if other.table == table.key and other.start < until + pause * promised and at < other.end + pause:
            return False
        if promised and matches[other.match].table == table.key:
            return False  # it may have been kept for it until it turned out to be late
        for player in set(match.players) & {*other.players, other.referee}:
            rest = rests.get(player, day.hall.rest)
            if promised or (other.start < until and at < other.end + rest):
                return False
    return all(inside(hours.get(player, ()), at, end) for player in match.players)


def nothing_playable_waits(day: Day, matches: dict[str, Match], found: Plan) -> None:
    """Matches with promises, and those that need a referee, may wait for more than a table."""
    for place in found.assignments:
        match = matches[place.match]
        if place.state is not State.WAITING or match.start is not None or match.needs_referee or match.table:
            continue
        for moment in free_moments(day, found):
            if moment < place.start:
                idle = [t.key for t in day.hall.tables if could_begin(day, matches, found, match, t, moment)]
                assert idle == [], (place, moment)


def everything_has_a_place_or_a_reason(matches: dict[str, Match], found: Plan) -> None:
    without_times = {m.key for m in matches.values() if m.state is State.OVER and m.start is None}
    placed = [place.match for place in found.assignments]
    misfits = [misfit.match for misfit in found.misfits]
    assert sorted(placed + misfits) == sorted(matches.keys() - without_times)


def check(day: Day) -> None:
    found = day.plan()
    told = day.matches()
    matches = {match.key: match for match in told}
    everything_has_a_place_or_a_reason(matches, found)
    nobody_is_twice_anywhere(day, found)
    nothing_comes_before_what_feeds_it(matches, found)
    assert clashes(matches=told, hall=day.hall, places=found.assignments) == ()
    promises_are_kept(day, matches, found)
    nothing_playable_waits(day, matches, found)
    assert found.bound.end <= found.end
    mixed = replace(day.hall, tables=day.hall.tables[::-1], referees=day.hall.referees[::-1])
    assert plan(matches=day.rng.sample(told, len(told)), hall=mixed, now=day.now) == found
    called = calls(matches=told, hall=day.hall, now=day.now)
    now = [p for p in found.assignments if p.state is State.WAITING and p.start == day.now and len(p.players) == 2]
    assert [(call.match, call.table, call.referee) for call in called] == [(p.match, p.table, p.referee) for p in now]


def live_through(seed: int) -> None:
    day = Day(random.Random(seed))
    check(day)
    for _ in range(25):
        day.happens()()
        check(day)


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 1_000_000))
@example(1)
@example(61)
def test_a_day_in_which_anything_happens(seed: int) -> None:
    live_through(seed)


@pytest.mark.long
def test_many_days_in_which_anything_happens() -> None:
    for seed in range(400):
        live_through(seed)
