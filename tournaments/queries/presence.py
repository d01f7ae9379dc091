"""Who is missing at which table, worked out from what is stored each time somebody looks."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Q

from matches.models import Game, Submission
from tournaments.engine.presence import AtTable, asked_at, missing_side
from tournaments.models import Entry, Pairing
from tournaments.models.tournament import State


@dataclass(frozen=True, slots=True)
class NoShow:
    """A proposal for the referee: `absent` did not come, `present` did and would win in seat `seat` ("a" or "b")."""

    pairing: Pairing
    absent: Entry
    present: Entry
    seat: str


def due_times(*, pairings: Iterable[Pairing]) -> dict[int, datetime]:
    """Pairing id to when the two should sit at the table, for those of which that is known. At most one query.

    That is the time that was set; else since the round was published and both had ended their earlier matches of the
    stage. While one of them still plays another match, or they wait for a table, nobody is expected. The pairings have
    their round loaded.
    """
    rows = [each for each in pairings if each.table is not None]
    found = {each.pk: each.due_at for each in rows if each.due_at is not None}
    rest = [each for each in rows if each.due_at is None and each.round.published_at is not None and each.b_id]
    ended = _ended(rest) if rest else {}
    for each in rest:
        sides = (each.a_id, each.b_id)
        earlier = [
            at
            for side in sides
            for number, at in ended.get((each.round.stage_id, side), ())
            if number < each.round.number
        ]
        times = [each.round.published_at, *earlier]
        known = [at for at in times if at is not None]
        if len(known) == len(times):
            found[each.pk] = max(known)
    return found


def _ended(pairings: list[Pairing]) -> dict[tuple[int, int | None], list[tuple[int, datetime | None]]]:
    """By stage and entry, the rounds in which it had a match, and when that ended (None: not yet)."""
    stages = {each.round.stage_id for each in pairings}
    sides = {side for each in pairings for side in (each.a_id, each.b_id)}
    rows = Pairing.objects.filter(
        Q(a__in=sides) | Q(b__in=sides),
        round__stage__in=stages,
        match__is_void=False,
        round__published_at__isnull=False,
    )
    found: dict[tuple[int, int | None], list[tuple[int, datetime | None]]] = defaultdict(list)
    for stage, number, a, b, at in rows.values_list("round__stage", "round__number", "a", "b", "match__decided_at"):
        found[stage, a].append((number, at))
        found[stage, b].append((number, at))
    return found


def asked_times(*, pairings: Iterable[Pairing]) -> dict[int, datetime]:
    """Pairing id to when the referee is asked about whoever is missing, where somebody is asked at all."""
    rows = [each for each in pairings if each.round.stage.tournament.no_show_minutes is not None]
    minutes = {each.pk: each.round.stage.tournament.no_show_minutes or 0 for each in rows}
    return {pk: asked_at(due, minutes=minutes[pk]) for pk, due in due_times(pairings=rows).items()}


def no_shows(*, pairings: Iterable[Pairing], reported: Collection[int], now: datetime) -> dict[int, NoShow]:
    """Match id to its proposal, for those of these pairings that have one. `reported` are matches somebody told of.
    Where cards lie on the table there is none.

    The pairings have their sides, their match and their round's stage and tournament loaded.
    """
    rows = [each for each in pairings if _may_lack_one(each)]
    due = due_times(pairings=rows)
    found = {}
    for each in rows:
        at = due.get(each.pk)
        proposal = None if at is None else _no_show(each, due_at=at, is_reported=each.match_id in reported, now=now)
        if proposal is not None and each.match_id is not None:
            found[each.match_id] = proposal
    if found:  # where cards lie, somebody plays
        for match_id in Game.objects.filter(match__in=found, moves__gt=0).values_list("match_id", flat=True):
            found.pop(match_id or 0, None)
    return found


def _may_lack_one(pairing: Pairing) -> bool:
    """Whether one of two may be missing, as far as the pairing itself tells: spares most pairings the question when."""
    is_open = pairing.match is not None and pairing.match.is_open
    is_asked = pairing.round.stage.tournament.no_show_minutes is not None and pairing.began_at is None
    return is_open and is_asked and (pairing.here_a_at is None) != (pairing.here_b_at is None)


def _no_show(pairing: Pairing, *, due_at: datetime, is_reported: bool, now: datetime) -> NoShow | None:
    at = AtTable(
        due_at=due_at,
        here_a=pairing.here_a_at is not None,
        here_b=pairing.here_b_at is not None,
        has_begun=pairing.began_at is not None,
        is_reported=is_reported,
    )
    side = missing_side(at, minutes=pairing.round.stage.tournament.no_show_minutes, now=now)
    if not side or pairing.b is None:
        return None
    return NoShow(pairing, pairing.a, pairing.b, "b") if side == "a" else NoShow(pairing, pairing.b, pairing.a, "a")


def is_reported(*, match_id: int) -> bool:
    """Whether somebody told a result of this match that waits for another's word."""
    return Submission.objects.filter(match=match_id, is_waiting=True).exists()


def newly_missing(*, now: datetime, within: timedelta) -> list[int]:
    """Ids of tournaments where the time to wait for a player ended `within` this time: there is something to ask."""
    waiting = Pairing.objects.filter(
        Q(here_a_at__isnull=False) | Q(here_b_at__isnull=False),
        began_at=None,
        match__kind="",
        match__is_void=False,
        round__published_at__isnull=False,
        round__stage__tournament__state=State.RUNNING,
        round__stage__tournament__no_show_minutes__isnull=False,
    ).select_related("a", "b", "match", "round__stage__tournament")
    rows = list(waiting)
    missing = no_shows(pairings=rows, reported=(), now=now)
    before = no_shows(pairings=rows, reported=(), now=now - within)
    return sorted({each.pairing.round.stage.tournament_id for pk, each in missing.items() if pk not in before})


def own_open_pairing(*, entry: Entry) -> Pairing | None:
    """The earliest published match of this entry that waits for its result; None where there is none. One query."""
    return (
        Pairing.objects.filter(
            Q(a=entry) | Q(b=entry), round__published_at__isnull=False, match__kind="", match__is_void=False
        )
        .select_related("a", "b", "match", "round__stage__tournament__event")
        .order_by("round__stage__number", "round__number")
        .first()
    )
