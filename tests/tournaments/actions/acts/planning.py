"""Acts on the hours of a hall: openings, breaks, the times of rounds, and shifting everything."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

from tests.factories import NOW
from tests.tournaments.actions.acts.worlds import Case, World, after, empty, of_event
from tests.tournaments.play import stage_of
from tournaments.actions import hours, shifts
from tournaments.models import Break, Opening

OPEN = {"opens_at": NOW, "closes_at": NOW + timedelta(hours=9)}
LUNCH = {"name": "Lunch", "starts_at": NOW + timedelta(hours=2), "ends_at": NOW + timedelta(hours=3)}


def opened() -> World:
    return after(empty(), of_event(hours.open_hall, **OPEN))


def paused() -> World:
    return after(empty(), of_event(hours.add_break, **LUNCH))


def of_opening(action: Callable[..., Any], **said: Any) -> Callable[[World], Any]:
    return lambda world: world.do(action, opening_id=Opening.objects.get().pk, **said)


def of_break(action: Callable[..., Any], **said: Any) -> Callable[[World], Any]:
    return lambda world: world.do(action, break_id=Break.objects.get().pk, **said)


def set_times(world: World) -> Any:
    times = {1: NOW + timedelta(hours=1)}
    return world.do(hours.set_round_times, stage_id=stage_of(world.tournament).pk, times=times)


HOURS_CASES: dict[str, Case] = {
    "hours.open_hall": (empty, of_event(hours.open_hall, **OPEN), ["open_hall"]),
    "hours.change_opening": (
        opened,
        of_opening(hours.change_opening, **{**OPEN, "closes_at": NOW + timedelta(hours=8)}),
        ["change_opening"],
    ),
    "hours.remove_opening": (opened, of_opening(hours.remove_opening), ["remove_opening"]),
    "hours.add_break": (empty, of_event(hours.add_break, **LUNCH), ["add_break"]),
    "hours.change_break": (paused, of_break(hours.change_break, **{**LUNCH, "name": "Tea"}), ["change_break"]),
    "hours.remove_break": (paused, of_break(hours.remove_break), ["remove_break"]),
    "hours.set_round_times": (empty, set_times, ["set_round_times"]),
    "shifts.shift_plan": (paused, of_event(shifts.shift_plan, minutes=5, since=NOW), ["shift_plan"]),
}
