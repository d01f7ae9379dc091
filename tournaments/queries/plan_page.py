"""The plan of an event as its organisers see it: when it ends, what waits, what does not fit, who is where."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from django.db.models import Q

from tournaments.engine.scheduling import State as Playing
from tournaments.models import Event, HallPlan, Pairing, RoundTime, Slot, TableUse, Tournament
from tournaments.models.tournament import OPEN_ROSTER, State
from tournaments.queries.days import Day, days_of
from tournaments.queries.hall import OPEN
from tournaments.queries.next_up import free_tables
from tournaments.queries.plan_facts import plan_facts
from tournaments.queries.plan_grid import Grid, PlanRow, grids_of
from tournaments.queries.schedule import Glimpse, ScheduleRow, rounded, schedule_of
from tournaments.queries.slot_clashes import Found, promised_clashes
from tournaments.queries.unattended import Unattended, unattended


@dataclass(frozen=True, slots=True)
class Waiting:
    """A match that could be played and has no table. `since` is when it could have begun, None while it cannot.

    `why` is what it waits for: held, playing (a player plays elsewhere, at table `table`), rest (until `until`), fixed
    (for its time or that of its round, `until`), later (not to begin before `until`), table.
    """

    pairing: Pairing
    slot: Slot | None
    why: str
    since: datetime | None = None
    until: datetime | None = None
    table: int | None = None


@dataclass(frozen=True, slots=True)
class Part:
    """One tournament: when its last match is expected to end, None while one has no place; how many are not over."""

    tournament: Tournament
    ends_at: datetime | None
    open: int


@dataclass(frozen=True, slots=True)
class Misfits:
    """A match without a place, or several of one round for the same reason of whose players none is known."""

    first: PlanRow
    many: int = 1


def _gathered(rows: Iterable[PlanRow]) -> list[Misfits]:
    found: dict[tuple[object, ...], Misfits] = {}
    for each in rows:
        row = each.row
        is_known = any(side.entry is not None for side in row.sides)
        key = (row.pk,) if is_known else (row.stage, row.round, row.why)
        found[key] = replace(found[key], many=found[key].many + 1) if key in found else Misfits(each)
    return list(found.values())


@dataclass(frozen=True, slots=True)
class PlanPage:
    """Everything the page of the plan shows. `ends_at` and `bound_at` are rounded as what is only expected.

    `ends_at` is that of the matches that have a place, as the schedule tells it; `bound_at` is never after it.
    `startless` are tournaments that are not planned yet, for nobody said when they start.
    """

    plan: HallPlan | None
    ends_at: datetime | None
    bound_at: datetime | None
    parts: tuple[Part, ...]
    startless: tuple[Tournament, ...]
    held: tuple[PlanRow, ...]
    wrong: tuple[PlanRow, ...]
    proposals: tuple[PlanRow, ...]
    misfits: tuple[PlanRow, ...]
    unattended: tuple[Unattended, ...]
    waiting: tuple[Waiting, ...]
    free: tuple[int, ...]
    grids: tuple[Grid, ...]
    days: tuple[Day, ...]
    slots: dict[int, PlanRow]

    @property
    def without(self) -> int:
        """How many matches have no place, held or not."""
        return len(self.misfits) + sum(1 for each in self.held if each.row.starts_at is None)

    @property
    def roots(self) -> list[Misfits]:
        """Matches without a place for a reason of their own."""
        return _gathered(each for each in self.misfits if each.row.why != "waits_for")

    @property
    def followers(self) -> list[Misfits]:
        """Matches that have no place because one that feeds them has none."""
        return _gathered(each for each in self.misfits if each.row.why == "waits_for")

    @property
    def is_behind(self) -> bool:
        """Whether something has changed that the plan does not show yet."""
        return self.plan is not None and self.plan.asked != self.plan.made


def plan_version(seen: Glimpse) -> str:
    """What the page carries as its version: it changes whenever anything it shows has changed."""
    return f"{seen.version}-{seen.number}.{seen.asked}"


def plan_page(*, event: Event, now: datetime) -> PlanPage:
    """The plan as it stands. Only where it could not keep what people decided anything is worked out anew."""
    tournaments = list(event.tournaments.order_by("pk"))
    schedule = schedule_of(event=event, tournaments=tournaments)
    rows = _rows(event, schedule.rows, schedule.rows, now)
    open_ = [each for each in rows if not each.row.is_over]
    plan = HallPlan.objects.filter(event=event).first()
    begin = {each.row.tournament.pk for each in rows} | {each.pk for each in tournaments if each.starts_at}
    ends = [each.row.ends_at for each in open_ if each.row.ends_at is not None]
    ends_at = None if plan is None or not ends else rounded(max(ends))
    bound_at = None if plan is None or plan.bound_at is None else rounded(plan.bound_at)
    return PlanPage(
        plan=plan,
        ends_at=ends_at,
        bound_at=None if ends_at is None or bound_at is None else min(bound_at, ends_at),
        parts=tuple(part for each in tournaments if (part := _part(each, rows)) is not None),
        startless=tuple(each for each in tournaments if each.state in OPEN_ROSTER and each.pk not in begin),
        held=tuple(each for each in open_ if each.row.is_held),
        wrong=tuple(each for each in open_ if each.clashes),
        proposals=tuple(each for each in open_ if each.row.note and not each.clashes),
        misfits=tuple(each for each in open_ if each.row.why and not each.row.is_held),
        unattended=unattended(event=event, rows=schedule.rows, now=now),
        waiting=tuple(waiting_now(event=event, now=now)),
        free=tuple(free_tables(event_id=event.pk)),
        grids=tuple(grids_of(event=event, rows=rows, breaks=schedule.breaks, now=now)),
        days=tuple(days_of(schedule, zone=event.tzinfo)),
        slots={each.row.pk: each for each in rows},
    )


def plan_row(*, event: Event, slot_id: int, now: datetime) -> PlanRow | None:
    """One match of the plan; None where it is dropped or there is none."""
    tournament = event.tournaments.filter(stages__slots=slot_id).first()
    if tournament is None:
        return None
    schedule = schedule_of(event=event, tournaments=[tournament])
    asked = [row for row in schedule.rows if row.pk == slot_id]
    return next(iter(_rows(event, asked, schedule.rows, now)), None)


def _rows(event: Event, asked: Sequence[ScheduleRow], among: Sequence[ScheduleRow], now: datetime) -> list[PlanRow]:
    slots = Slot.objects.in_bulk([row.pk for row in asked])
    at = {(row.stage, row.round, row.number): row for row in among}
    published = Pairing.objects.filter(round__stage__in={row.stage for row in asked}, match__isnull=False)
    places = ("round__stage", "round__number", "number")
    matches = {
        (stage, round_, number): match for stage, round_, number, match in published.values_list(*places, "match")
    }
    wrong = _wrong(event, [slot for slot in slots.values() if _is_broken(slot)], now)
    return [
        PlanRow(
            row,
            slots[row.pk],
            match=matches.get((row.stage, row.round, row.number)),
            other=at.get(_place_of(slots[row.pk].other)),
            clashes=tuple(wrong.get(row.pk, ())),
        )
        for row in asked
        if row.pk in slots
    ]


def _place_of(key: str) -> tuple[int, int, int]:
    """Stage, round and number of what a slot names as being in its way; nowhere where that is no match."""
    parts = key.split("/")
    if len(parts) == 3 and all(part.isdigit() for part in parts):
        return int(parts[0]), int(parts[1]), int(parts[2])
    return 0, 0, 0


def _is_broken(slot: Slot) -> bool:
    """Whether what people decided of a match is not what the plan says."""
    if slot.state != Playing.WAITING or slot.held_since is not None:
        return False
    misses_time = slot.fixed_at is not None and slot.starts_at != slot.fixed_at
    return misses_time or (slot.fixed_table is not None and slot.table != slot.fixed_table)


def _wrong(event: Event, broken: Sequence[Slot], now: datetime) -> dict[int, list[Found]]:
    """By slot what stands against the places that were said by hand."""
    if not broken:
        return {}
    facts = plan_facts(event_id=event.pk, now=now)
    keys = {place: key for key, place in facts.places.items()}
    wanted = {keys.get((slot.stage_id, slot.round, slot.number), ""): slot.pk for slot in broken}
    found = promised_clashes(event=event, facts=facts, keys=wanted)
    return {wanted[key]: clashes for key, clashes in found.items()}


def _part(tournament: Tournament, rows: Iterable[PlanRow]) -> Part | None:
    mine = [each.row for each in rows if each.row.tournament.pk == tournament.pk and not each.row.is_over]
    ends = [row.ends_at for row in mine if row.ends_at is not None]
    return Part(tournament, rounded(max(ends)) if len(ends) == len(mine) else None, len(mine)) if mine else None


# --- What waits.


def waiting_now(*, event: Event, now: datetime) -> list[Waiting]:
    """Published matches without a table, those that could be played first, the longest waiting before all others."""
    found = Pairing.objects.filter(
        OPEN,
        table=None,
        b__isnull=False,
        round__stage__tournament__event=event,
        round__stage__tournament__state=State.RUNNING,
    ).select_related("a", "b", "match", "round__stage__tournament")
    pairings = list(found.order_by("round__published_at", "round__number", "number", "pk"))
    if not pairings:
        return []
    players = {side.player_id for pairing in pairings for side in (pairing.a, pairing.b) if side is not None}
    sits, ended = _sitting(event, players), _ended(event, players)
    stages = {pairing.round.stage_id for pairing in pairings}
    slots = {(slot.stage_id, slot.round, slot.number): slot for slot in Slot.objects.filter(stage__in=stages)}
    times = {(at.stage_id, at.number): at.starts_at for at in RoundTime.objects.filter(stage__in=stages)}
    waiting = []
    for pairing in pairings:
        round_ = pairing.round
        slot = slots.get((round_.stage_id, round_.number, pairing.number))
        begins = times.get((round_.stage_id, round_.number))
        waiting.append(_waiting(pairing, slot, begins, sits, ended, event, now))
    return sorted(waiting, key=lambda each: (each.since is None, each.since or now))


def _waiting(
    pairing: Pairing,
    slot: Slot | None,
    round_at: datetime | None,
    sits: dict[int, int],
    ended: dict[int, datetime],
    event: Event,
    now: datetime,
) -> Waiting:
    if slot is not None and slot.held_since is not None:
        return Waiting(pairing, slot, "held", since=slot.held_since)
    players = [side.player_id for side in (pairing.a, pairing.b) if side is not None]
    table = next((sits[player] for player in players if player in sits), None)
    if table is not None:
        return Waiting(pairing, slot, "playing", table=table)
    rest = timedelta(minutes=event.rest_minutes)
    rested = [ended[player] + rest for player in players if player in ended]
    published = pairing.round.published_at or now
    since = max([published, *rested])
    if since > now:
        return Waiting(pairing, slot, "rest", until=since)
    fixed = round_at if slot is None or slot.fixed_at is None else slot.fixed_at
    if fixed is not None and fixed > now:
        return Waiting(pairing, slot, "fixed", until=fixed)
    begins = pairing.round.stage.tournament.starts_at
    if begins is not None and begins > now:
        return Waiting(pairing, slot, "later", until=begins)
    return Waiting(pairing, slot, "table", since=since)


def _sitting(event: Event, players: Collection[int]) -> dict[int, int]:
    """Player id to the table they sit at."""
    found: dict[int, int] = {}
    uses = TableUse.objects.filter(event=event).filter(
        Q(pairing__a__player__in=players) | Q(pairing__b__player__in=players)
    )
    for number, a, b in uses.values_list("number", "pairing__a__player", "pairing__b__player"):
        found |= {a: number, b: number}
    return found


def _ended(event: Event, players: Collection[int]) -> dict[int, datetime]:
    """Player id to when their last match in this event ended."""
    found: dict[int, datetime] = {}
    over = Pairing.objects.filter(
        Q(a__player__in=players) | Q(b__player__in=players),
        round__stage__tournament__event=event,
        match__decided_at__isnull=False,
    ).order_by("match__decided_at")
    for a, b, at in over.values_list("a__player", "b__player", "match__decided_at"):
        if at is not None:
            found |= {a: at, b: at}
    return found
