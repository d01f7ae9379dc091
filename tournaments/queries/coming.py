"""Who is called to a table and has not answered, and which matches have a time people were told."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Q

from matches.models import Game
from tournaments.models import Entry, Pairing, RoundTime, Slot, Tournament
from tournaments.models.tournament import State
from tournaments.queries.hall import OPEN

REMINDED_BEFORE = timedelta(minutes=15)
"""How long before the time of their match players are reminded of it."""


@dataclass(frozen=True, slots=True)
class NotComing:
    """A match that was called at `called_at`, and whoever did not answer in the time the tournament gives."""

    pairing: Pairing
    silent: tuple[Entry, ...]
    called_at: datetime


def is_called(pairing: Pairing) -> bool:
    """Whether a match is called to the table it has, and nobody said yet that it is played."""
    return pairing.called_at is not None and pairing.table is not None and pairing.began_at is None


def silent_ids(pairing: Pairing) -> tuple[int, ...]:
    """The entries in a called match that said neither that they come nor that they sit there."""
    if not is_called(pairing):
        return ()
    answers = (
        (pairing.a_id, pairing.coming_a_at or pairing.here_a_at),
        (pairing.b_id, pairing.coming_b_at or pairing.here_b_at),
    )
    return tuple(entry for entry, at in answers if entry is not None and at is None)


def silent_sides(pairing: Pairing) -> tuple[Entry, ...]:
    """The same as entries. The sides are loaded."""
    silent = silent_ids(pairing)
    return tuple(side for side in (pairing.a, pairing.b) if side is not None and side.pk in silent)


def not_coming(*, pairings: Iterable[Pairing], reported: Collection[int], now: datetime) -> dict[int, NotComing]:
    """Match id to who does not answer, for those of these matches where the time to answer is over.

    Where the tournament sets no time nobody is asked. `reported` are matches somebody told of: there, and where cards
    lie on the table, nobody is waited for. The pairings have their sides, their match and their round's stage and
    tournament loaded. At most one query.
    """
    found = {}
    for pairing in pairings:
        called_at, match = pairing.called_at, pairing.match
        minutes = pairing.round.stage.tournament.call_minutes
        if called_at is None or minutes is None or match is None or not match.is_open or match.pk in reported:
            continue
        silent = silent_sides(pairing)
        if silent and called_at + timedelta(minutes=minutes) <= now:
            found[match.pk] = NotComing(pairing, silent, called_at)
    if found:
        for match_id in Game.objects.filter(match__in=found, moves__gt=0).values_list("match_id", flat=True):
            found.pop(match_id or 0, None)
    return found


def unanswered_calls(*, tournament: Tournament, now: datetime) -> list[int]:
    """The matches of a tournament where somebody does not answer the call, in order of id. At most two queries."""
    called = Pairing.objects.filter(OPEN, called_at__isnull=False, round__stage__tournament=tournament)
    rows = called.select_related("a", "b", "match", "round__stage__tournament")
    return sorted(not_coming(pairings=rows, reported=(), now=now))


def newly_silent(*, now: datetime, within: timedelta) -> list[int]:
    """Ids of tournaments where the time to answer a call ended `within` this time."""
    called = Pairing.objects.filter(
        OPEN,
        called_at__lte=now,
        table__isnull=False,
        began_at=None,
        round__stage__tournament__state=State.RUNNING,
        round__stage__tournament__call_minutes__isnull=False,
    ).select_related("a", "b", "match", "round__stage__tournament")
    rows = list(called)
    silent = not_coming(pairings=rows, reported=(), now=now)
    before = not_coming(pairings=rows, reported=(), now=now - within)
    return sorted({each.pairing.round.stage.tournament_id for pk, each in silent.items() if pk not in before})


# --- Times people were told.


def planned_times(*, pairings: Iterable[Pairing]) -> dict[int, datetime]:
    """Pairing id to the time its two were told, where there is one: of the match itself, or of its round. Two queries.

    A match that is called is expected at once. The pairings have their round loaded.
    """
    rows = [each for each in pairings if each.called_at is None]
    if not rows:
        return {}
    stages = {each.round.stage_id for each in rows}
    fixed = Slot.objects.filter(stage__in=stages, fixed_at__isnull=False, dropped_at=None)
    at = {(stage, *place): when for stage, *place, when in fixed.values_list("stage", "round", "number", "fixed_at")}
    rounds = RoundTime.objects.filter(stage__in=stages).values_list("stage", "number", "starts_at")
    begins = {(stage, number): when for stage, number, when in rounds}
    found = {}
    for each in rows:
        place = (each.round.stage_id, each.round.number)
        when = at.get((*place, each.number)) or each.due_at or begins.get(place)
        if when is not None:
            found[each.pk] = when
    return found


def is_held(pairing: Pairing) -> bool:
    """Whether an organiser keeps this match from being called. Its round is loaded."""
    where = {"stage": pairing.round.stage_id, "round": pairing.round.number, "number": pairing.number}
    return Slot.objects.filter(**where, held_since__isnull=False).exists()


def held_ids(*, pairings: Iterable[Pairing]) -> set[int]:
    """The ids of those that wait for a table because an organiser or a referee holds them. At most one query.

    Their rounds are loaded.
    """
    rows = [each for each in pairings if each.table is None]
    waiting = {(each.round.stage_id, each.round.number, each.number): each.pk for each in rows}
    if not waiting:
        return set()
    stages = {stage for stage, *_place in waiting}
    held = Slot.objects.filter(stage__in=stages, held_since__isnull=False, dropped_at=None)
    places = held.values_list("stage", "round", "number")
    return {waiting[place] for place in places if place in waiting}


def to_remind(*, now: datetime) -> list[tuple[Pairing, datetime]]:
    """Matches both of whose players are to be reminded now, with the time they were told: the earliest first.

    At most five queries, and two where nothing comes soon.
    """
    soon = {"gt": now, "lte": now + REMINDED_BEFORE}
    slots = Slot.objects.filter(dropped_at=None, **{f"fixed_at__{name}": at for name, at in soon.items()})
    rounds = RoundTime.objects.filter(**{f"starts_at__{name}": at for name, at in soon.items()})
    near = Q(**{f"due_at__{name}": at for name, at in soon.items()})
    for stage, round_, number in slots.values_list("stage", "round", "number"):
        near |= Q(round__stage=stage, round__number=round_, number=number)
    for stage, round_ in rounds.values_list("stage", "number"):
        near |= Q(round__stage=stage, round__number=round_)
    waiting = (
        Pairing.objects.filter(
            OPEN, near, called_at=None, began_at=None, b__isnull=False, round__stage__tournament__state=State.RUNNING
        )
        .select_related("a", "b", "match", "round__stage__tournament")
        .order_by("pk")
    )
    rows = list(waiting)
    times = planned_times(pairings=rows)
    due = [(each, times[each.pk]) for each in rows if now < times[each.pk] <= now + REMINDED_BEFORE]
    return sorted(due, key=lambda found: found[1])
