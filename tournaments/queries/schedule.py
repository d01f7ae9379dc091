"""Who plays where and when, as everybody may see it: the rows of the plan, breaks and hours of the hall."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from django.db.models import Count, Max, Q

from players.engine import fold_name
from tournaments.engine import snapshot as engine
from tournaments.engine.formats import get_format
from tournaments.engine.notes import Note
from tournaments.engine.snapshot import EntryStatus
from tournaments.models import Break, Entry, Event, HallPlan, Opening, Pairing, Round, Slot, Stage, Table, Tournament
from tournaments.queries.rounds import MatchRow
from tournaments.queries.snapshots import options_of, take_snapshot
from tournaments.queries.stages import round_names

_STEP = timedelta(minutes=5)


def rounded(instant: datetime) -> datetime:
    """A time that is only expected, to five minutes: nobody can know it better."""
    half = _STEP / 2
    past = timedelta(seconds=instant.timestamp() % _STEP.total_seconds())
    return instant - past if past < half else instant - past + _STEP


@dataclass(frozen=True, slots=True)
class Origin:
    """The match a side comes of: its number in the bracket; its round, `on`, by its name; its place there.

    Its winner, or its `loser`.
    """

    number: int | None
    on: int
    round: Note
    place: int
    loser: bool


@dataclass(frozen=True, slots=True)
class Side:
    """One side of a match: the player, or where they come from, or neither as long as nobody knows."""

    entry: Entry | None = None
    origin: Origin | None = None


@dataclass(frozen=True, slots=True)
class ScheduleRow:
    """One match of the plan. Everything is as `Slot` has it, but what nobody may see is not there.

    `name` is the name of its round, `label` its number in a bracket. `starts_at` and `ends_at` are rounded where they
    are only expected (not `is_sure`). `result` is there once the match is over.
    """

    pk: int
    tournament: Tournament
    stage: int
    round: int
    number: int
    name: Note
    label: int | None
    a: Side
    b: Side
    state: str
    table: int | None
    has_place: bool
    starts_at: datetime | None
    ends_at: datetime | None
    has_time: bool
    note: str
    why: str
    is_held: bool
    sequence: int
    changed_at: datetime
    is_dropped: bool
    result: MatchRow | None

    @property
    def is_over(self) -> bool:
        return self.state == "over"

    @property
    def is_now(self) -> bool:
        """Whether its players are at their table, or called to it."""
        return self.state in ("called", "playing")

    @property
    def is_sure(self) -> bool:
        """Whether readers may count on its time: one that was told and cannot be kept is only expected."""
        return self.has_time and self.note != "late"

    @property
    def is_open_on_both_sides(self) -> bool:
        """Whether there is nothing to say yet of who plays."""
        return self.a == self.b == Side()

    @property
    def sides(self) -> tuple[Side, Side]:
        return self.a, self.b

    def has(self, entry: int) -> bool:
        """Whether this entry plays in it."""
        return any(side.entry is not None and side.entry.pk == entry for side in self.sides)

    def is_of(self, text: str) -> bool:
        """Whether somebody in it has this in their name as everybody may see it; `text` is folded."""
        return any(side.entry is not None and text in fold_name(side.entry.display_name) for side in self.sides)


@dataclass(frozen=True, slots=True)
class Glimpse:
    """What says whether a schedule has changed: the versions of its stages, and what is shown besides their slots.

    `tournament` is None for that of the whole event. `ends_at` is when the last match ended or is expected to, rounded
    as long as `is_open`; `without` counts matches that have no time.
    """

    event: Event
    tournament: Tournament | None
    tournaments: tuple[Tournament, ...]
    version: str
    number: str
    facts: tuple[object, ...]
    ends_at: datetime | None
    is_open: bool
    without: int
    planned_at: datetime | None
    asked: int


def glimpse(*, event_id: int | None = None, tournament_id: int | None = None) -> Glimpse | None:
    """Of an event, or of one tournament in it; None where there is none. Five statements."""
    tournament = None
    if tournament_id is not None:
        tournament = Tournament.objects.select_related("event").filter(pk=tournament_id).first()
        event = None if tournament is None else tournament.event
    else:
        event = Event.objects.filter(pk=event_id or 0).first()
    if event is None:
        return None
    tournaments = [tournament] if tournament is not None else list(event.tournaments.order_by("pk"))
    unread = Count("changes", filter=Q(changes__read_at__isnull=True))
    stages = list(
        Stage.objects.filter(tournament__in=tournaments)
        .annotate(unread=unread)
        .order_by("pk")
        .values_list("pk", "version", "unread")
    )
    plan = HallPlan.objects.filter(event=event).values_list("asked", "made", "made_at").first() or (0, 0, None)
    slots = Slot.objects.filter(stage__tournament__in=tournaments, dropped_at__isnull=True)
    is_open = ~Q(state="over")
    told = slots.aggregate(
        end=Max("ends_at"), open=Count("pk", filter=is_open), without=Count("pk", filter=is_open & Q(starts_at=None))
    )
    end = told["end"]
    if end is not None and told["open"]:
        end = rounded(end)
    return Glimpse(
        event=event,
        tournament=tournament,
        tournaments=tuple(tournaments),
        version="-".join(f"{pk}.{version}.{count}" for pk, version, count in stages) or "0",
        number=f"{plan[1]}.{sum(version for _pk, version, _count in stages)}",
        facts=(plan[0], plan[1], end, told["without"], *((each.pk, each.name) for each in tournaments)),
        ends_at=end,
        is_open=bool(told["open"]),
        without=told["without"],
        planned_at=plan[2],
        asked=plan[0],
    )


@dataclass(frozen=True, slots=True)
class Schedule:
    """Matches by time, those without a time last; breaks and hours of the hall by time."""

    rows: tuple[ScheduleRow, ...]
    breaks: tuple[Break, ...]
    openings: tuple[Opening, ...]


def schedule_of(
    *, event: Event, tournaments: Collection[Tournament], table: int | None = None, name: str = ""
) -> Schedule:
    """What is planned for some tournaments of an event, at one table, or for whom `name` is part of their name."""
    text = fold_name(name)
    rows = [
        row
        for row in rows_of(tournaments=tournaments)
        if not row.is_dropped and (table is None or row.table == table) and (not text or row.is_of(text))
    ]
    ids = {each.pk for each in tournaments}
    breaks = Break.objects.filter(event=event).select_related("tournament").order_by("starts_at", "pk")
    return Schedule(
        rows=tuple(rows),
        breaks=tuple(each for each in breaks if each.tournament_id is None or each.tournament_id in ids),
        openings=tuple(Opening.objects.filter(event=event).order_by("opens_at")),
    )


def rows_of(*, tournaments: Collection[Tournament], entry: int | None = None) -> list[ScheduleRow]:
    """Every match of the plan by time, those that are dropped too; of one entry alone where one is given.

    Four statements whatever the number of matches, and for each stage two for the names of its rounds.
    """
    found = Slot.objects.filter(stage__tournament__in=tournaments).order_by("stage", "round", "number")
    if entry is not None:
        found = found.filter(Q(a=entry) | Q(b=entry))
    slots = list(found)
    if not slots:
        return []
    by_id = {each.pk: each for each in tournaments}
    stages = {each.pk: each for each in Stage.objects.filter(pk__in={slot.stage_id for slot in slots})}
    drafts = set(Round.objects.filter(stage__in=stages, published_at=None).values_list("stage", "number"))
    shown = [_without_draft(slot) if (slot.stage_id, slot.round) in drafts else slot for slot in slots]
    known = Entry.objects.filter(tournament__in=tournaments)
    if entry is not None:
        known = known.filter(pk__in={side for slot in shown for side in (slot.a_id, slot.b_id) if side is not None})
    entries = {each.pk: each for each in known}
    courses = {}
    for stage in stages.values():
        stage.tournament = by_id[stage.tournament_id]
        numbers = {slot.round for slot in slots if slot.stage_id == stage.pk}
        origins = {
            from_[0] for slot in slots if slot.stage_id == stage.pk for from_ in (slot.from_a, slot.from_b) if from_
        }
        courses[stage.pk] = _course(stage, numbers | origins)
    results = _results(stages)
    rows = [
        _row(slot, stages[slot.stage_id].tournament, courses[slot.stage_id], entries, results)
        for slot in shown
        if entry is None or entry in (slot.a_id, slot.b_id)
    ]
    return sorted(rows, key=_by_time)


def _without_draft(slot: Slot) -> Slot:
    """The slot of a round that is not published: who is in it is nobody's business yet."""
    slot.a_id = slot.b_id = None
    return slot


def _by_time(row: ScheduleRow) -> tuple[object, ...]:
    start = row.starts_at
    return (start is None, start or datetime.min.replace(tzinfo=UTC), row.tournament.pk, row.round, row.number)


@dataclass(frozen=True, slots=True)
class _Course:
    """What the rounds of a stage are called, and how the matches of its bracket are numbered."""

    names: dict[int, Note]
    numbers: dict[tuple[int, int], int]


def _course(stage: Stage, rounds: Collection[int]) -> _Course:
    """Rounds that are not there any more, since the field has grown or shrunk, go by their number."""
    chosen = get_format(stage.format)
    if not chosen.has_bracket:
        return _Course(round_names(stage=stage, numbers=rounds), {})
    snapshot = _snapshot(stage)
    columns = chosen.bracket(snapshot) if len(snapshot.entries) >= chosen.least_entries else ()
    there = {column.number for column in columns}.union(pairing.round for pairing in snapshot.play_offs)
    places = [(match.round, match.number) for column in columns for match in column.matches]
    return _Course(
        names={
            number: chosen.name_of(snapshot, number) if number in there else Note.of("round", n=number)
            for number in rounds
        },
        numbers={place: number for number, place in enumerate(places, start=1)},
    )


def _snapshot(stage: Stage) -> engine.Snapshot:
    """The stage; before the start with everybody who has a place, as it is planned."""
    if not stage.tournament.is_open_roster:
        return take_snapshot(stage=stage)
    entries = stage.tournament.entries.filter(status=EntryStatus.ACTIVE).order_by("pk").values_list("pk", flat=True)
    return engine.Snapshot(
        entries=tuple(engine.Entry(pk, seed) for seed, pk in enumerate(entries, start=1)),
        options=options_of(format_key=stage.format, stored=stage.options),
        seed="plan",
    )


_Place = tuple[int, int, int]


def _results(stages: Collection[int]) -> dict[_Place, MatchRow]:
    stored = Pairing.objects.filter(round__stage__in=stages, round__published_at__isnull=False).exclude(
        Q(match=None) | Q(match__kind="")
    )
    places = ("round__stage", "round__number", "number")
    found = {}
    for stage, round_, number, *match in stored.values_list(*places, *(f"match__{name}" for name in MatchRow._fields)):
        found[stage, round_, number] = MatchRow._make(match)
    return found


def _row(
    slot: Slot,
    tournament: Tournament,
    course: _Course,
    entries: dict[int, Entry],
    results: dict[_Place, MatchRow],
) -> ScheduleRow:
    start, end = slot.starts_at, slot.ends_at
    if not slot.has_time or slot.note == "late":
        start = None if start is None else rounded(start)
        end = None if end is None else rounded(end)
    return ScheduleRow(
        pk=slot.pk,
        tournament=tournament,
        stage=slot.stage_id,
        round=slot.round,
        number=slot.number,
        name=course.names[slot.round],
        label=course.numbers.get((slot.round, slot.number)),
        a=_side(slot.a_id, slot.from_a, course, entries),
        b=_side(slot.b_id, slot.from_b, course, entries),
        state=slot.state,
        table=slot.table,
        has_place=slot.has_place,
        starts_at=start,
        ends_at=end,
        has_time=slot.has_time,
        note=slot.note,
        why=slot.why,
        is_held=slot.held_since is not None,
        sequence=slot.sequence,
        changed_at=slot.changed_at,
        is_dropped=slot.dropped_at is not None,
        result=results.get((slot.stage_id, slot.round, slot.number)),
    )


def _side(pk: int | None, from_: list[Any] | None, course: _Course, entries: dict[int, Entry]) -> Side:
    if pk is not None:
        return Side(entry=entries.get(pk))
    if from_ is None:
        return Side()
    round_, place, outcome = from_
    return Side(
        origin=Origin(course.numbers.get((round_, place)), round_, course.names[round_], place, outcome == "loser")
    )


def tables_in(*, event: Event, tournaments: Collection[Tournament]) -> list[int]:
    """Every number of a table somebody may look for: those that stand, and those the plan has."""
    planned = Slot.objects.filter(stage__tournament__in=tournaments, table__isnull=False, dropped_at=None)
    numbers = {number for number in planned.values_list("table", flat=True).distinct() if number is not None}
    return sorted(numbers.union(event.tables.values_list("number", flat=True)))


def where_tables_are(*, event: Event) -> dict[int, str]:
    """The room and the own name of tables that have any: "Feature table, Hall A"."""
    found = Table.objects.filter(event=event).select_related("room")
    said = {
        table.number: ", ".join(part for part in (table.name, table.room.name if table.room else "") if part)
        for table in found
    }
    return {number: text for number, text in said.items() if text}
