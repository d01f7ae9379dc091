"""What the planner is told of an event, as engine facts: every match that is or will be, tables, hours and breaks."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta

from django.db.models import Max, Q

from matches.actions import FORFEIT, SCORE, TIME
from tournaments.engine import scheduling as plan
from tournaments.engine import snapshot as engine
from tournaments.engine.formats import get_format
from tournaments.engine.formats.base import Feed
from tournaments.engine.snapshot import EntryStatus
from tournaments.models import Entry, Event, Pairing, Slot, Stage, Tournament
from tournaments.models.tournament import Seating, State
from tournaments.queries.snapshots import options_of, take_snapshot

Place = tuple[int, int, int]
"""Stage id, round and number of a match."""

_WHOLE = (SCORE, TIME)
"""Kinds of results that tell how long a match takes."""

_AT_THE_TABLE = (*_WHOLE, FORFEIT)
"""Kinds of results after which the two had sat down, and have a right to rest."""

_DECIDED = (
    Q(held_since__isnull=False) | Q(fixed_at__isnull=False) | Q(fixed_table__isnull=False) | Q(wanted_at__isnull=False)
)
"""Slots of which people, or a search for a better plan, have said something."""

_SETTLED = timedelta(minutes=5)
"""Who was called so long ago and not missed since plays: most tables are played at without a word to the desk."""

_SETTLED_SILENT = timedelta(minutes=15)
"""As long as that where a call is to be answered and was not by both."""


@dataclass(frozen=True, slots=True)
class Sides:
    """Who meets in a match as far as everybody may know, by entry id, and which places feed it."""

    a: int | None = None
    b: int | None = None
    from_a: Feed | None = None
    from_b: Feed | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanFacts:
    """Everything a plan is made from. Times are whole seconds since 1970.

    Keys of people are ids of players, keys of tables their numbers, keys of tournaments their ids, all as text.
    `places` and `sides` have every match; `pairings` those that are published, by id. `told` are those whose table
    people were told, `timed` those whose start.
    """

    matches: tuple[plan.Match, ...]
    hall: plan.Hall
    now: int
    places: Mapping[str, Place]
    sides: Mapping[str, Sides]
    pairings: Mapping[str, int]
    told: frozenset[str]
    timed: frozenset[str]

    def for_calls(self) -> tuple[plan.Match, ...]:
        """The matches as calls see them: for a person waits what is not published, and what was told a table that is
        out of use now.
        """
        out = {table.key for table in self.hall.tables if table.out_of_use}

        def waits(match: plan.Match) -> bool:
            is_moved = match.key in self.told and match.table in out
            return match.state is plan.State.WAITING and (match.key not in self.pairings or is_moved)

        return tuple(replace(match, held=True) if waits(match) else match for match in self.matches)


def seconds(instant: datetime) -> int:
    """An instant on the planner's axis, the second begun."""
    return int(instant.timestamp())


def instant(second: int) -> datetime:
    """A second of the planner's axis."""
    return datetime.fromtimestamp(second, UTC)


def plan_facts(*, event_id: int, now: datetime) -> PlanFacts:
    """What an event is planned from now. A handful of queries for the event and six for each of its tournaments.

    Planned are tournaments that run, and those that do not yet but have a start. What ended within the rest players
    have a right to is there too.
    """
    event = Event.objects.get(pk=event_id)
    ended = now - timedelta(minutes=event.rest_minutes)
    planned = Q(state=State.RUNNING) | Q(state=State.FINISHED, finished_at__gt=ended)
    planned |= Q(state__in=(State.ROSTER, State.CHECK_IN), starts_at__isnull=False)
    tournaments = list(event.tournaments.filter(planned).order_by("pk"))
    found = [_Told(tournament, now) for tournament in tournaments]
    return PlanFacts(
        matches=tuple(match for each in found for match in each.matches),
        hall=_hall(event, found),
        now=seconds(now),
        places={key: place for each in found for key, place in each.places.items()},
        sides={key: sides for each in found for key, sides in each.sides.items()},
        pairings={key: row.pk for each in found for key, row in each.rows.items()},
        told=frozenset(key for each in found for key in each.told),
        timed=frozenset(key for each in found for key in each.timed),
    )


@dataclass(frozen=True, slots=True)
class _Row:
    """A published pairing, with what tells how far it is. `since` is from when its two have its table."""

    pk: int
    a: int
    b: int
    table: int | None
    sits: bool
    kind: str
    is_over: bool
    since: datetime | None
    began_at: datetime | None
    decided_at: datetime | None
    plays_after: timedelta


@dataclass(slots=True)
class _Told:
    """One tournament as the planner is told of it."""

    tournament: Tournament
    now: datetime
    matches: list[plan.Match] = field(default_factory=list)
    places: dict[str, Place] = field(default_factory=dict)
    sides: dict[str, Sides] = field(default_factory=dict)
    rows: dict[str, _Row] = field(default_factory=dict)
    told: set[str] = field(default_factory=set)
    timed: set[str] = field(default_factory=set)
    spread: int = 0

    def __post_init__(self) -> None:
        stage = Stage.objects.filter(tournament=self.tournament.pk).order_by("-number").first()
        if stage is None:
            return  # the tournament was removed meanwhile
        stage.tournament = self.tournament
        chosen = get_format(stage.format)
        snapshot = self._snapshot(stage)
        if len(snapshot.entries) < chosen.least_entries:
            return
        self._read(stage)
        lengths = [
            seconds(row.decided_at) - seconds(row.since)
            for row in self.rows.values()
            if row.kind in _WHOLE and row.decided_at is not None and row.since is not None
        ]
        planned = self.tournament.match_minutes * 60
        running = [
            seconds(self.now) - seconds(row.since)
            for row in self.rows.values()
            if row.sits and row.since is not None and row.since <= self.now
        ]
        length = plan.estimate_length(planned=planned, played=lengths, running=running)
        self.spread = plan.estimate_spread(planned=planned, played=lengths)
        fixtures = plan.Fixtures(
            stage=str(stage.pk),
            length=length,
            tournament=str(self.tournament.pk),
            person=self._person(),
            by_rounds=self.tournament.seating == Seating.ROUNDS,
        )
        self._sides(stage, snapshot)
        slots = {(slot.round, slot.number): slot for slot in Slot.objects.filter(_DECIDED, stage=stage)}
        times = dict(stage.round_times.values_list("number", "starts_at"))
        fixed = Entry.objects.filter(tournament=self.tournament.pk, fixed_table__isnull=False)
        seats = {entry: table for entry, table in fixed.values_list("pk", "fixed_table") if table is not None}
        for match in fixtures.of(chosen, snapshot):
            number, place = match.order[-2:]
            row = self.rows.get(match.key)
            if match.state is plan.State.OVER and row is None:
                continue  # it is decided and nobody plays it: one side has left
            self.places[match.key] = (stage.pk, number, place)
            slot = slots.get((number, place))
            if match.state is plan.State.OVER or (row is not None and row.is_over):
                self.matches.append(_over(match, row))
            elif row is not None and row.sits:
                self.matches.append(self._sitting(match, row, lengths))
            else:
                self.matches.append(self._waiting(match, row, slot, times.get(number), seats))

    def _snapshot(self, stage: Stage) -> engine.Snapshot:
        """The stage; before the start with everybody who has a place, in no order that says anything of lots."""
        if not self.tournament.is_open_roster:
            return take_snapshot(stage=stage)
        entries = self.tournament.entries.filter(status=EntryStatus.ACTIVE).order_by("pk").values_list("pk", flat=True)
        return engine.Snapshot(
            entries=tuple(engine.Entry(pk, seed) for seed, pk in enumerate(entries, start=1)),
            options=options_of(format_key=stage.format, stored=stage.options),
            seed="plan",
        )

    def _person(self) -> Callable[[int], str | None]:
        """Who an entry is, in every tournament alike. Before the start nobody knows who meets whom."""
        if self.tournament.is_open_roster:
            return lambda entry: f"{self.tournament.pk}/{entry}"
        people = {
            entry: str(player)
            for entry, player in Entry.objects.filter(tournament=self.tournament.pk).values_list("pk", "player")
        }
        return people.get

    def _read(self, stage: Stage) -> None:
        """The published pairings with two sides, and when each could begin."""
        free: dict[int, datetime] = {}
        stored = (
            Pairing.objects.filter(round__stage=stage, round__published_at__isnull=False, b__isnull=False)
            .annotate(used=Max("table_use__number"))
            .order_by("round__number", "number")
            .values_list(
                *("pk", "round__number", "number", "a_id", "b_id", "table", "used", "match__kind", "match__is_void"),
                *("match__decided_at", "called_at", "due_at", "round__published_at", "round__clock__started_at"),
                *("began_at", "here_a_at", "here_b_at", "coming_a_at", "coming_b_at"),
            )
        )
        for pk, number, place, a, b, table, used, kind, is_void, decided, *at in stored:
            called, due, published, clock, began, here_a, here_b, *answers = at
            if began is None and here_a is not None and here_b is not None:
                began = max(here_a, here_b)
            known = [each for each in (called or due or published, clock, free.get(a), free.get(b)) if each is not None]
            since = max([*known, *([began] if began is not None else [])], default=None)
            if since is not None and decided is not None and since > decided:
                since = decided
            is_silent = called is not None and None in answers and self.tournament.call_minutes is not None
            plays_after = _SETTLED_SILENT if is_silent else _SETTLED
            key, is_over = plan.key_of(str(stage.pk), number, place), bool(kind) or bool(is_void)
            self.rows[key] = _Row(
                pk, a, b, table, used is not None, kind or "", is_over, since, began, decided, plays_after
            )
            if decided is not None:
                free[a] = max(decided, free.get(a, decided))
                free[b] = max(decided, free.get(b, decided))

    def _sides(self, stage: Stage, snapshot: engine.Snapshot) -> None:
        """Who meets whom as far as it is published, and what feeds what in a bracket."""
        chosen = get_format(stage.format)
        if chosen.has_bracket:
            is_out = bool(snapshot.pairings)
            for column in chosen.bracket(snapshot):
                for match in column.matches:
                    key = plan.key_of(str(stage.pk), match.round, match.number)
                    a, b = (match.a.entry, match.b.entry) if is_out else (None, None)
                    self.sides[key] = Sides(a, b, match.from_a, match.from_b)
        for key, row in self.rows.items():
            known = self.sides.get(key, Sides())
            self.sides[key] = replace(known, a=row.a, b=row.b)

    def _sitting(self, match: plan.Match, row: _Row, lengths: list[int]) -> plan.Match:
        """A match that has a table: called to it, or played at it."""
        self.told.add(match.key)
        self.timed.add(match.key)
        start = seconds(row.since or self.now)
        now = seconds(self.now)
        plays = row.began_at is not None or start + row.plays_after.seconds <= now
        if not plays:
            return replace(match, state=plan.State.CALLED, table=str(row.table), start=start)
        length = self.tournament.match_minutes * 60
        end = plan.expected_end(start=start, now=now, planned=length, played=lengths)
        return replace(match, state=plan.State.PLAYING, table=str(row.table), start=start, end=end)

    def _waiting(
        self,
        match: plan.Match,
        row: _Row | None,
        slot: Slot | None,
        round_at: datetime | None,
        seats: Mapping[int, int],
    ) -> plan.Match:
        """A match without a table, with what was promised of it."""
        table = None if row is None else row.table
        sides = self.sides.get(match.key, Sides())
        if table is not None or (slot is not None and slot.fixed_table is not None):
            self.told.add(match.key)
        if slot is not None and slot.fixed_table is not None:
            table = slot.fixed_table
        if table is None:
            table = next((seats[side] for side in (sides.a, sides.b) if side is not None and side in seats), None)
        start = None if slot is None or slot.fixed_at is None else seconds(slot.fixed_at)
        not_before = [each for each in (self.tournament.starts_at, round_at) if each is not None]
        if start is not None or (round_at is not None and self.tournament.seating == Seating.ROUNDS):
            self.timed.add(match.key)
        return replace(
            match,
            table=None if table is None else str(table),
            start=start,
            earliest=seconds(max(not_before)) if not_before else None,
            held=slot is not None and slot.held_since is not None,
            wanted=None if slot is None or slot.wanted_at is None else seconds(slot.wanted_at),
        )


def _over(match: plan.Match, row: _Row | None) -> plan.Match:
    """A match that is decided. One that was not played took no time, every other a second at least."""
    over = replace(match, state=plan.State.OVER)
    if row is None or row.decided_at is None:
        return over
    end = seconds(row.decided_at)
    start = end
    if row.kind in _AT_THE_TABLE:
        start = min(end - 1, seconds(row.since or row.decided_at))
    return replace(over, table=None if row.table is None else str(row.table), start=start, end=end)


def _hall(event: Event, found: Iterable[_Told]) -> plan.Hall:
    told = list(found)
    firsts = {str(each.tournament.pk): each.tournament.first_table for each in told}
    standing = dict(event.tables.values_list("number", "out_since"))
    numbers = set(standing) or _as_many_as_needed(told)
    numbers |= {row.table for each in told for row in each.rows.values() if row.sits and row.table is not None}
    names: defaultdict[int, set[str]] = defaultdict(set)
    for tournament, first in firsts.items():
        for number in numbers:
            if number >= first:
                names[number].add(tournament)
    shown = set(event.tables.exclude(purpose="").values_list("number", flat=True))
    return plan.Hall(
        tables=tuple(
            plan.Table(
                key=str(number),
                order=number,
                tags=frozenset({"shown"}) if number in shown else frozenset(),
                tournaments=frozenset() if names[number] == set(firsts) else frozenset(names[number] or {"none"}),
                out_of_use=standing.get(number) is not None or (bool(standing) and number not in standing),
            )
            for number in sorted(numbers)
        ),
        hours=tuple(plan.Window(seconds(row.opens_at), seconds(row.closes_at)) for row in event.openings.all()),
        breaks=tuple(
            plan.Break(
                key=str(row.pk),
                start=seconds(row.starts_at),
                end=seconds(row.ends_at),
                tournaments=frozenset() if row.tournament_id is None else frozenset({str(row.tournament_id)}),
            )
            for row in event.breaks.all()
        ),
        rest=event.rest_minutes * 60,
        spread=max((each.spread for each in told), default=0),
    )


def _as_many_as_needed(told: Iterable[_Told]) -> set[int]:
    """Numbers for an event without tables: from the first of each tournament up, as many as can play at once, and
    those that were promised.
    """
    found: set[int] = set()
    for each in told:
        first = each.tournament.first_table
        people = {player for match in each.matches for player in match.players}
        widest = max(len(people) // 2, 1)
        found |= set(range(first, first + widest))
        found |= {int(m.table) for m in each.matches if m.table is not None and m.state is plan.State.WAITING}
    return found
