"""When the hall is open, when nobody plays, when rounds begin: what an organiser set, and what of it can still move."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from hashlib import sha256

from django.db.models import QuerySet

from matches.models import Game
from players.models import Act
from tournaments.engine import snapshot as engine
from tournaments.engine.formats import get_format
from tournaments.engine.formats.base import Note
from tournaments.engine.snapshot import EntryStatus
from tournaments.models import Break, Event, Opening, Pairing, RoundTime, Slot, Stage, Tournament
from tournaments.models.tournament import State
from tournaments.queries.snapshots import take_snapshot

LAST_ROUND = 99
"""No round has a larger number."""

_LIKELY, _MOST_LIKELY = 8, 1024  # players a roster is planned for: rounds are planned before people come


# --- What is planned, and how far it is.


@dataclass(frozen=True, slots=True)
class Planned:
    """Something an organiser gave a time: a `round`, a `break`, a `match` with a fixed start or a `tournament`.

    `pk` is the row that has the time, `until` the end of a break. `tournament` None: it is of the whole event.
    `has_begun`: it is over or goes on, so its time stays. `name` is that of a break.
    """

    kind: str
    pk: int
    at: datetime
    has_begun: bool
    tournament: Tournament | None = None
    until: datetime | None = None
    stage: int | None = None
    round: int | None = None
    number: int | None = None
    name: str = ""


def planned(*, event: Event, now: datetime) -> tuple[Planned, ...]:
    """Everything of an event that has a time of its own, by that time. Six queries."""
    begun = begun_places(event_id=event.pk)
    rounds = {(stage, number) for stage, number, _place in begun}
    stages = Stage.objects.filter(pk__in={stage for stage, _number in rounds})
    playing = set(stages.values_list("tournament", flat=True))
    found = [
        Planned(
            "round",
            row.pk,
            row.starts_at,
            (row.stage_id, row.number) in rounds or row.stage.tournament.state == State.FINISHED,
            row.stage.tournament,
            stage=row.stage_id,
            round=row.number,
        )
        for row in RoundTime.objects.select_related("stage__tournament").filter(stage__tournament__event=event)
    ]
    found += [
        Planned("break", row.pk, row.starts_at, row.starts_at <= now, row.tournament, row.ends_at, name=row.name)
        for row in event.breaks.select_related("tournament")
    ]
    fixed = Slot.objects.filter(stage__tournament__event=event, fixed_at__isnull=False, dropped_at=None)
    found += [
        Planned(
            "match",
            row.pk,
            row.fixed_at,
            (row.stage_id, row.round, row.number) in begun or row.stage.tournament.state == State.FINISHED,
            row.stage.tournament,
            stage=row.stage_id,
            round=row.round,
            number=row.number,
        )
        for row in fixed.select_related("stage__tournament")
        if row.fixed_at is not None
    ]
    found += [
        Planned("tournament", row.pk, row.starts_at, row.pk in playing or row.state == State.FINISHED, row)
        for row in event.tournaments.filter(starts_at__isnull=False)
        if row.starts_at is not None
    ]
    return tuple(sorted(found, key=lambda each: (each.at, each.kind, each.pk)))


def begun_places(*, event_id: int) -> set[tuple[int, int, int]]:
    """The matches of an event that are over, called, or being played: stage, round and number. Two queries.

    A round whose clock was started is being played at every table.
    """
    playing = set(
        Game.objects.filter(match__pairing__round__stage__tournament__event=event_id, moves__gt=0).values_list(
            "match", flat=True
        )
    )
    rows = Pairing.objects.filter(
        round__stage__tournament__event=event_id, round__published_at__isnull=False, match__isnull=False
    ).values_list(
        *("round__stage", "round__number", "number", "match", "match__kind", "match__is_void"),
        *("began_at", "called_at", "round__clock__started_at"),
    )
    return {
        (stage, number, place)
        for stage, number, place, match, kind, is_void, *begun in rows
        if kind or is_void or match in playing or any(at is not None for at in begun)
    }


def version_of(found: Iterable[Planned]) -> str:
    """What stands for these times: it is another one as soon as any of them is."""
    told = sorted(f"{each.kind} {each.pk} {each.at.timestamp():.0f}" for each in found)
    return sha256("\n".join(told).encode()).hexdigest()[:16]


# --- The rounds of a stage.


@dataclass(frozen=True, slots=True)
class RoundRow:
    """A round of a stage and when it is to begin. `name` is a note. `is_over`: every match of it has its result."""

    number: int
    name: Note
    starts_at: datetime | None
    is_over: bool


def round_rows(*, stage: Stage) -> list[RoundRow]:
    """Every round there is or will be, with its time. Before the start, those a roster like this one would play."""
    chosen, snapshot = get_format(stage.format), take_snapshot(stage=stage)
    if stage.tournament.is_open_roster:
        snapshot = replace(snapshot, entries=_likely_entries(stage.tournament))
    times = dict(stage.round_times.values_list("number", "starts_at"))
    over = played_rounds(stage=stage)
    last = min(LAST_ROUND, chosen.rounds_planned(snapshot))
    numbers = {*range(1, last + 1), *times, *over, *stage.rounds.values_list("number", flat=True)}
    return [
        RoundRow(number, _name(stage, snapshot, number, last), times.get(number), number in over)
        for number in sorted(numbers)
    ]


def _likely_entries(tournament: Tournament) -> tuple[engine.Entry, ...]:
    here = tournament.entries.filter(status=EntryStatus.ACTIVE).count()
    size = max(here, min(tournament.capacity or _LIKELY, _MOST_LIKELY))
    return tuple(engine.Entry(id=number, seed=number) for number in range(1, size + 1))


def _name(stage: Stage, snapshot: engine.Snapshot, number: int, last: int) -> Note:
    """What a round is called. How far from the final it is nobody knows before the start."""
    if stage.tournament.is_open_roster or (number > last and all(p.round != number for p in snapshot.play_offs)):
        return Note.of("round", n=number)
    return get_format(stage.format).name_of(snapshot, number)


def played_rounds(*, stage: Stage) -> set[int]:
    """The numbers of published rounds whose matches all have their result."""
    kinds: defaultdict[int, list[str]] = defaultdict(list)
    rows = Pairing.objects.filter(round__stage=stage, round__published_at__isnull=False, match__is_void=False)
    for number, kind in rows.values_list("round__number", "match__kind"):
        kinds[number].append(kind)
    return {number for number, several in kinds.items() if all(several)}


def has_round(*, stage: Stage, number: int) -> bool:
    """Whether a stage has or may come to have a round of this number."""
    if stage.tournament.is_open_roster:
        return 1 <= number <= LAST_ROUND
    return any(row.number == number for row in round_rows(stage=stage))


# --- The page.


@dataclass(frozen=True, slots=True)
class StageTimes:
    """A tournament that is not over, with the rounds of its stage."""

    tournament: Tournament
    stage: Stage
    rounds: tuple[RoundRow, ...]


@dataclass(frozen=True, slots=True)
class LastShift:
    """The last shift of an event, as the log has it; `tournament` None: of everything."""

    minutes: int
    since: datetime
    tournament: Tournament | None
    at: datetime
    who: str

    @property
    def count(self) -> int:
        """By how many minutes, whichever way."""
        return abs(self.minutes)

    @property
    def back_since(self) -> datetime:
        """From when on everything has to be shifted back."""
        return self.since + timedelta(minutes=self.minutes)


@dataclass(frozen=True, slots=True)
class HoursPage:
    """Everything of the hours of an event. `days` are the openings by the day of the venue they begin on.

    `version` stands for every time that is planned, as `version_of` has it.
    """

    days: tuple[tuple[date, tuple[Opening, ...]], ...]
    breaks: tuple[Break, ...]
    stages: tuple[StageTimes, ...]
    planned: tuple[Planned, ...]
    version: str
    last: LastShift | None


def hours_page(*, event: Event, now: datetime) -> HoursPage:
    """The hours of an event as they are set now, and what a shift would move."""
    days: defaultdict[date, list[Opening]] = defaultdict(list)
    for opening in openings_of(event=event):
        days[opening.opens_at.astimezone(event.tzinfo).date()].append(opening)
    everything = planned(event=event, now=now)
    return HoursPage(
        days=tuple((day, tuple(found)) for day, found in sorted(days.items())),
        breaks=tuple(breaks_of(event=event)),
        stages=tuple(
            StageTimes(stage.tournament, stage, tuple(round_rows(stage=stage)))
            for stage in stages_of(event=event, without={State.FINISHED})
        ),
        planned=tuple(each for each in everything if not each.has_begun),
        version=version_of(everything),
        last=last_shift(event=event),
    )


def openings_of(*, event: Event) -> QuerySet[Opening]:
    """When the hall is open, in order."""
    return event.openings.order_by("opens_at", "pk")


def breaks_of(*, event: Event) -> QuerySet[Break]:
    """Breaks in order, with their tournaments."""
    return event.breaks.select_related("tournament").order_by("starts_at", "ends_at", "pk")


def stages_of(*, event: Event, without: Collection[str] = ()) -> list[Stage]:
    """The stage each tournament is in, in the order they were made; `without` are states that are left out."""
    last: dict[int, Stage] = {}
    rows = Stage.objects.select_related("tournament__event").filter(tournament__event=event)
    for stage in rows.order_by("tournament", "number"):
        last[stage.tournament_id] = stage
    return [stage for stage in last.values() if stage.tournament.state not in without]


def last_shift(*, event: Event) -> LastShift | None:
    """What was shifted last, so that it can be shifted back."""
    act = Act.objects.filter(event=event.pk, verb="shift_plan").order_by("pk").last()
    if act is None:
        return None
    tournament = event.tournaments.filter(pk=act.tournament or 0).first()
    if act.tournament is not None and tournament is None:
        return None
    minutes, since = int(act.after["minutes"]), datetime.fromisoformat(act.after["since"])
    return LastShift(minutes, since, tournament, act.at, act.who)


def planned_version(*, event: Event, now: datetime) -> str:
    """What stands for every time that is planned now."""
    return version_of(planned(event=event, now=now))
