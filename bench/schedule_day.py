"""A simulated day: 64 players, double elimination, 8 tables, and all that goes wrong in a hall.

Matches are planned for 25 minutes and take between 11 and 60, 28 in the middle. One player in ten never comes: the
table waits ten minutes for the first match and the player is out. Everything begins an hour late, which is known when
it should have begun; a table is lost at noon, two hours after the planned start, and its match begins anew elsewhere.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field, replace
from heapq import heappop, heappush

from tournaments.engine.formats import get_format
from tournaments.engine.scheduling import (
    Fixtures,
    Hall,
    Match,
    Plan,
    State,
    Table,
    Window,
    calls,
    estimate_length,
    estimate_spread,
    expected_end,
    plan,
    shift,
)
from tournaments.engine.snapshot import Entry, Pairing, Result, ResultKind, Snapshot

MINUTE = 60
PLAYERS, TABLES = 64, 8
PLANNED, REST, GRACE = 25 * MINUTE, 5 * MINUTE, 10 * MINUTE
LATE, NOON = 60 * MINUTE, 120 * MINUTE
LOOK = 10 * MINUTE
"""How often predictions are written down."""


@dataclass
class Day:
    """The hall from the planned start, second 0, to the last match. `learns`: lengths are learned from the day."""

    seed: int
    learns: bool = True
    now: int = 0
    facts: dict[str, Match] = field(default_factory=dict)
    played: list[int] = field(default_factory=list)
    predicted: list[tuple[int, str, int]] = field(default_factory=list)
    """When it was said, of which match, and the start that was said."""

    def __post_init__(self) -> None:
        self.rng = random.Random(f"day {self.seed}")
        self.chosen = get_format("double_elimination")
        entries = tuple(Entry(number, number) for number in range(1, PLAYERS + 1))
        self.stage = Snapshot(entries, options=self.chosen.Options(grand_final="single"))
        self.absent = {str(entry.id) for entry in entries if self.rng.random() < 0.1}
        self.missed: set[str] = set()
        self.hall = Hall(tables=tuple(Table(key=str(n), order=n) for n in range(1, TABLES + 1)), rest=REST)
        self.opens = 0
        self.coming: list[tuple[int, str, str]] = [(0, "late", ""), (LATE, "open", ""), (NOON, "lost", "5")]
        self.coming += [(time, "look", "") for time in range(0, 24 * 60 * MINUTE, LOOK)]
        self.coming.sort()
        self._publish()

    def _publish(self) -> None:
        """Pairings that are decided now; whoever is known to be away loses at once."""
        while planned := self.chosen.pair(self.stage):
            made = []
            for pairing in (Pairing(r.number, p.number, p.a, p.b, bye=p.bye) for r in planned for p in r.pairings):
                a, b = str(pairing.a) in self.missed, str(pairing.b) in self.missed
                if a or b:
                    made.append(replace(pairing, result=_walkover(a=not a, b=not b)))
                else:
                    made.append(pairing)
            self.stage = replace(self.stage, pairings=(*self.stage.pairings, *made))

    def matches(self) -> tuple[Match, ...]:
        """What the planner is told now."""
        running = [self.now - m.start for m in self.facts.values() if m.state is State.PLAYING and m.start is not None]
        length = PLANNED
        if self.learns:
            length = estimate_length(planned=PLANNED, played=self.played, running=running)
        found = []
        for match in Fixtures(stage="de", length=length).of(self.chosen, self.stage):
            fact = self.facts.get(match.key)
            if fact is None:
                found.append(match if match.state is State.OVER else replace(match, earliest=self.opens))
            elif fact.state is State.PLAYING and fact.start is not None and self.learns:
                end = expected_end(start=fact.start, now=self.now, planned=PLANNED, played=self.played)
                found.append(replace(fact, end=end))
            else:
                found.append(fact)
        return tuple(found)

    def plan(self) -> Plan:
        spread = estimate_spread(planned=PLANNED, played=self.played) if self.learns else 0
        return plan(matches=self.matches(), hall=replace(self.hall, spread=spread), now=self.now)

    def run(self) -> int:
        """Play the day; when the last match ended."""
        while self.coming and not self.chosen.is_over(self.stage):
            self.now, what, which = heappop(self.coming)
            if what == "late":
                self.hall = shift(matches=(), hall=self.hall, by=LATE, since=0).hall
                self.opens = LATE
            elif what == "lost":
                self._lose(which)
            elif what == "end":
                self._end(which)
            elif what == "look":
                self.predicted += [(self.now, p.match, p.start) for p in self.plan().assignments if _waits(p.state)]
            if what != "look" and self.now >= self.opens:
                self._call()
        return max(match.end or 0 for match in self.facts.values())

    def _call(self) -> None:
        known = {match.key: match for match in self.matches()}
        for call in calls(matches=known.values(), hall=self.hall, now=self.now):
            match = known[call.match]
            self.facts[call.match] = replace(match, state=State.PLAYING, start=self.now, table=call.table)
            missing = self.absent & set(match.players)
            took = GRACE if missing else self.length_of(call.match)
            heappush(self.coming, (self.now + took, "end", call.match))

    def length_of(self, key: str) -> int:
        """The same for a match whatever happens around it."""
        drawn = random.Random(f"{self.seed} {key}").lognormvariate(3.33, 0.28)
        return int(min(60.0, max(11.0, drawn)) * MINUTE)

    def _end(self, key: str) -> None:
        match = self.facts.get(key)
        if match is None or match.state is not State.PLAYING or match.start is None:
            return
        if self.now - match.start not in (GRACE, self.length_of(key)):
            return  # it began anew at another table since
        missing = self.absent & set(match.players)
        a, b = (player not in self.absent for player in match.players)
        if missing:
            self.missed |= missing
            result = _walkover(a=a, b=b)
        else:
            self.played.append(self.now - match.start)
            wins = random.Random(f"{self.seed} {key} winner").random() < 0.5
            result = Result(ResultKind.SCORE, (3, 1) if wins else (1, 3), "a" if wins else "b")
        self.facts[key] = replace(match, state=State.OVER, end=self.now)
        heappush(self.coming, (self.now + REST, "rested", key))
        number, place = match.order
        self.stage = replace(
            self.stage,
            pairings=tuple(
                replace(p, result=result) if (p.round, p.number) == (number, place) else p for p in self.stage.pairings
            ),
        )
        self._publish()

    def _lose(self, table: str) -> None:
        tables = tuple(replace(t, out_of_use=t.out_of_use or t.key == table) for t in self.hall.tables)
        self.hall = replace(self.hall, tables=tables)
        for key, match in list(self.facts.items()):
            if match.table == table and match.state is State.PLAYING:
                del self.facts[key]

    def known_before(self) -> Plan:
        """The plan of one who knew all of this day before: lengths, who meets whom, who is away, the lost table."""
        played = [m for m in self.facts.values() if m.state is State.OVER and not self.absent & set(m.players)]
        matches = tuple(
            Match(
                key=m.key, length=self.length_of(m.key), players=m.players, feeds=m.feeds, earliest=LATE, order=m.order
            )
            for m in played
        )
        tables = tuple(
            replace(t, out_of_use=False, hours=(Window(0, NOON),) if t.out_of_use else ()) for t in self.hall.tables
        )
        return plan(matches=matches, hall=replace(self.hall, tables=tables), now=0)

    def errors(self) -> list[tuple[int, int, int]]:
        """When something was said, how far ahead it was, and by how much it was wrong, in seconds."""
        began = {match.key: match.start for match in self.facts.values()}
        return [
            (at, actual - at, abs(actual - said))
            for at, key, said in self.predicted
            if (actual := began.get(key)) is not None and actual > at
        ]


def _waits(state: State) -> bool:
    return state is State.WAITING


def _walkover(*, a: bool, b: bool) -> Result:
    """Who came wins; nobody if nobody did."""
    if not a and not b:
        return Result(ResultKind.DOUBLE_NO_SHOW, (0, 0), None)
    return Result(ResultKind.WALKOVER, (3, 0) if a else (0, 3), "a" if a else "b")
