"""What everybody may see: the events, and of each tournament what is published. A draft is never in it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from functools import cache, cached_property

from django.db import connection
from django.db.models import Count, FilteredRelation, Max, Min, Prefetch, Q, QuerySet

from players.engine import fold_name
from tournaments.engine import snapshot as engine
from tournaments.engine.formats import get_format
from tournaments.engine.formats.base import Format, Note
from tournaments.engine.snapshot import EntryStatus
from tournaments.models import Entry, Event, Slot, Stage, StageChange, Tournament
from tournaments.models.tournament import OPEN_ROSTER, State
from tournaments.queries.rounds import PairingRow, RoundRow, published_rounds
from tournaments.queries.schedule import rounded
from tournaments.queries.snapshots import take_snapshot
from tournaments.queries.stages import (
    BracketColumn,
    SeatRow,
    StandingRow,
    StandingsTable,
    bracket_columns,
    seats_by_name,
    standings_table,
)

EVENT_FACTS = ("name", "place", "zone", "starts_on", "ends_on")
"""What of an event stands on the pages of its tournaments."""

_PLAYS = Q(tournaments__entries__status=EntryStatus.ACTIVE) | Q(tournaments__entries__seed__isnull=False)


@dataclass(frozen=True, slots=True)
class Calendar:
    """All events: those that are on today at their place or are being played, those to come, those that are over.

    Days are those of the venue. An event is over when its last day is, or when its hall has closed for good.
    """

    now: tuple[Event, ...]
    coming: tuple[Event, ...]
    past: tuple[Event, ...]


def calendar(*, now: datetime) -> Calendar:
    """Every event with its `players`, `tournament_count` and `running`, nearest first. One query."""
    found = Event.objects.annotate(
        players=Count("tournaments__entries", filter=_PLAYS, distinct=True),
        tournament_count=Count("tournaments", distinct=True),
        running=Count("tournaments", filter=Q(tournaments__state=State.RUNNING), distinct=True),
        opens_at=Min("openings__opens_at"),
        closes_at=Max("openings__closes_at"),
    ).order_by("starts_on", "pk")
    on: list[Event] = []
    coming: list[Event] = []
    past: list[Event] = []
    for event in found:
        first, end = _span(event, opens_at=event.opens_at, closes_at=event.closes_at)
        if event.running or first <= now < end:
            on.append(event)
        elif now < first:
            coming.append(event)
        else:
            past.append(event)
    return Calendar(tuple(on), tuple(coming), tuple(reversed(past)))


def _span(event: Event, *, opens_at: datetime | None, closes_at: datetime | None) -> tuple[datetime, datetime]:
    """From when until when an event is on: from its first day, until the hall closes for the last time.

    Where nobody said when it does, or said it of earlier days only, until the end of the last day.
    """
    zone = event.tzinfo
    first, end = _midnight(event.starts_on, zone), _midnight(event.ends_on + timedelta(days=1), zone)
    if opens_at is not None:
        first = min(first, _midnight(opens_at.astimezone(zone).date(), zone))
    if closes_at is not None and closes_at.astimezone(zone).date() >= event.ends_on:
        end = closes_at
    return first, end


def _midnight(day: date, zone: tzinfo) -> datetime:
    """When a day begins at a place, as an instant; where the clocks skip midnight, when they do."""
    return datetime.combine(day, time.min, tzinfo=zone).astimezone(UTC)


def event_stages(*, event: Event) -> list[PublicStage]:
    """The tournaments of an event in the order they were made, each with its `players`. Three queries at first."""
    unread = StageChange.objects.filter(read_at__isnull=True)
    stages = Stage.objects.select_related("tournament__event").order_by("number")
    tournaments = (
        event.tournaments.annotate(players=Count("entries", filter=Q(entries__status=EntryStatus.ACTIVE)))
        .prefetch_related(Prefetch("stages", stages.prefetch_related(Prefetch("changes", unread, to_attr="unread"))))
        .order_by("pk")
    )
    return [PublicStage(list(tournament.stages.all())[-1], tournament=tournament) for tournament in tournaments]


def public_stage(*, tournament: Tournament) -> PublicStage:
    """The stage of a tournament that is played, or was last."""
    return PublicStage(_last(tournament.stages.all())[0], tournament=tournament)


def public_stage_of(*, tournament_id: int) -> PublicStage | None:
    """The same where the tournament is not read yet; None where there is none."""
    stage = _last(Stage.objects.filter(tournament=tournament_id).select_related("tournament__event")).first()
    return None if stage is None else PublicStage(stage, tournament=stage.tournament)


def _last(stages: QuerySet[Stage]) -> QuerySet[Stage]:
    unread = Prefetch("changes", StageChange.objects.filter(read_at__isnull=True), to_attr="unread")
    return stages.prefetch_related(unread).order_by("-number")


@dataclass(frozen=True, slots=True)
class Glance:
    """What of a tournament says whether its public pages have changed. `event` are the facts of its event."""

    version: str
    format: Format
    state: str
    registration: bool
    registration_opens_at: datetime | None
    registration_closes_at: datetime | None
    event: tuple[object, ...]

    @property
    def is_open_roster(self) -> bool:
        return self.state in OPEN_ROSTER


def glance_at(*, tournament_id: int) -> Glance | None:
    """One statement, so that the version and what it leaves uncounted are of one moment; None for no tournament.

    A hall asks for this again and again, mostly to be told that nothing has changed.
    """
    with connection.cursor() as cursor:
        cursor.execute(_glance_statement(), [tournament_id])
        rows = cursor.fetchall()
    if not rows:
        return None
    number, version, format_key, state, registration, opens_at, closes_at, *event, _unread = rows[0]
    unread = sum(1 for row in rows if row[0] == number and row[-1] is not None)
    return Glance(
        version=f"{version}.{unread}",
        format=get_format(format_key),
        state=state,
        registration=registration,
        registration_opens_at=_instant(opens_at),
        registration_closes_at=_instant(closes_at),
        event=tuple(event),
    )


@cache
def _glance_statement() -> str:
    """The query as text, with a place for the tournament: to put it together costs three times as much as to ask it.

    A row a change that is not worked in yet.
    """
    asked = (
        Stage.objects.annotate(unread=FilteredRelation("changes", condition=Q(changes__read_at__isnull=True)))
        .filter(tournament_id=0)
        .order_by("-number")
        .values_list(
            *("number", "version", "format", "tournament__state", "tournament__registration"),
            *("tournament__registration_opens_at", "tournament__registration_closes_at"),
            *(f"tournament__event__{name}" for name in EVENT_FACTS),
            "unread__pk",
        )
    )
    text: str = asked.query.sql_with_params()[0]
    return text


def _instant(stored: datetime | None) -> datetime | None:
    """An instant as the database gives it to whoever asks without models: SQLite does not say that it is UTC."""
    return stored if stored is None or stored.tzinfo else stored.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Found:
    """Somebody who was looked for: their row in the standings and where they sit now, where there is such a thing."""

    entry: Entry
    row: StandingRow | None
    seat: SeatRow | None


class PublicStage:
    """One stage as everybody may see it. Each fact is read once, when it is first asked for.

    Ask for `version` before anything else: what is read after it is as new as it or newer.
    """

    def __init__(self, stage: Stage, *, tournament: Tournament) -> None:
        stage.tournament = tournament
        self.stage = stage
        self.tournament = tournament
        self.event = tournament.event
        self._unread: list[StageChange] = getattr(stage, "unread", [])

    @property
    def version(self) -> str:
        """As `stage_version` has it."""
        return f"{self.stage.version}.{len(self._unread)}"

    @property
    def uncounted(self) -> int:
        """Results that were entered, corrected or taken back and are not in the standings yet."""
        return sum(1 for change in self._unread if change.what == "result")

    @property
    def format(self) -> Format:
        return get_format(self.stage.format)

    @cached_property
    def roster(self) -> list[Entry]:
        """Everybody who would play, by name, as long as the roster is open."""
        entries = self.tournament.entries.filter(status=EntryStatus.ACTIVE)
        return sorted(entries, key=lambda entry: (entry.display_name.casefold(), entry.pk))

    @cached_property
    def table(self) -> StandingsTable:
        return standings_table(stage=self.stage)

    @cached_property
    def snapshot(self) -> engine.Snapshot:
        return take_snapshot(stage=self.stage)

    @cached_property
    def rounds(self) -> list[RoundRow]:
        """Published rounds in order, each with its pairings."""
        return published_rounds(stage=self.stage, known=self.table.names)

    @cached_property
    def bracket(self) -> tuple[BracketColumn, ...]:
        return bracket_columns(stage=self.stage)

    @cached_property
    def planned(self) -> int:
        return self.format.rounds_planned(self.snapshot)

    @cached_property
    def is_over(self) -> bool:
        """Whether everything that was planned is played."""
        return self.format.is_over(self.snapshot)

    @cached_property
    def ends_at(self) -> datetime | None:
        """When the last match is expected to end, rounded; None where it is not being played or some have no time."""
        if self.tournament.state != State.RUNNING:
            return None
        slots = Slot.objects.filter(stage=self.stage, dropped_at=None)
        is_open = ~Q(state="over")
        told = slots.aggregate(
            end=Max("ends_at"),
            open=Count("pk", filter=is_open),
            without=Count("pk", filter=is_open & Q(starts_at=None)),
        )
        return rounded(told["end"]) if told["open"] and not told["without"] and told["end"] is not None else None

    def name_of(self, number: int) -> Note:
        """The name of a round as a note."""
        return self.format.name_of(self.snapshot, number)

    @cached_property
    def current(self) -> RoundRow | None:
        """The earliest round that waits for a result; None when none does."""
        return next((round_ for round_ in self.rounds if open_matches(round_)), None)

    @property
    def shown_round(self) -> RoundRow | None:
        """The round somebody wants to see who asks for none: the one that is played, else the last."""
        return self.current or (self.rounds[-1] if self.rounds else None)

    @cached_property
    def to_play(self) -> list[PairingRow]:
        """Matches that can be played now: of the current round, or of all where rounds overlap, as in a bracket."""
        overlap = self.format.has_bracket or (self.current is not None and self.current.is_play_off)
        rounds = self.rounds if overlap else [self.current] if self.current else []
        return [pairing for round_ in rounds for pairing in open_matches(round_)]

    @cached_property
    def entries(self) -> dict[int, Entry]:
        """Everybody who plays or played, by id: whom notes may speak of."""
        sides = (side for round_ in self.rounds for p in round_.pairings for side in (p.a, p.b))
        return self.table.names | {side.pk: side for side in sides if side is not None}

    def round(self, number: int) -> RoundRow | None:
        """A published round by its number."""
        return next((round_ for round_ in self.rounds if round_.number == number), None)

    def find(self, text: str) -> list[Found]:
        """Whoever has `text` in their name, in any letter case, in the order of the standings."""
        wanted = fold_name(text)
        if not wanted:
            return []
        if self.tournament.is_open_roster:
            return [Found(entry, None, None) for entry in self.roster if wanted in fold_name(entry.display_name)]
        seats = {seat.entry.pk: seat for seat in seats_by_name(round_=self.current)} if self.current else {}
        return [
            Found(row.entry, row, seats.get(row.entry.pk))
            for row in self.table.rows
            if wanted in fold_name(row.entry.display_name)
        ]


def open_matches(round_: RoundRow) -> list[PairingRow]:
    """Pairings of a round that wait for a result."""
    return [pairing for pairing in round_.pairings if pairing.match is not None and pairing.match.is_open]


def matches_of(rounds: Iterable[RoundRow]) -> list[PairingRow]:
    """Pairings with two sides."""
    return [pairing for round_ in rounds for pairing in round_.pairings if pairing.b_id is not None]


def ended_at(round_: RoundRow) -> datetime | None:
    """When the last result of a round came in; None while one is missing, and for a round of byes alone."""
    return None if open_matches(round_) else round_.told_at
