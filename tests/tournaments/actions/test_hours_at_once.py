"""Two organisers set hours in the same moment: everything is shifted once, and the hall is not open twice."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

from players.models import Act
from players.permissions import Refused
from tests.factories import make_event, make_tournament, organiser
from tests.tournaments.at_once import one_behind_the_other
from tests.tournaments.planned_days import at, breaks, hall_hours, paused, rounds, seen, timed
from tests.tournaments.play import stage_of
from tournaments.actions import hours
from tournaments.actions.shifts import Shifted, shift_plan

pytestmark = [pytest.mark.db, pytest.mark.django_db(transaction=True)]

MORNING = at("09:00")


def test_two_who_shift_at_once_shift_once() -> None:
    tournament = make_tournament(starts_at=at("10:00"))
    timed(tournament, "10:00", "10:50")
    paused(tournament, at("12:30"), at("13:15"))
    said: dict[str, Any] = {"event_id": tournament.event_id, "minutes": 35, "since": at("10:00"), "now": MORNING}
    press = partial(shift_plan, **said, by=organiser(of=tournament), expected=seen(tournament))
    first, second = one_behind_the_other(press, press)
    assert isinstance(first, Shifted)
    assert second == Refused("plan_changed")
    assert (rounds(tournament), breaks(tournament)) == (["10:35", "11:25"], [("", "13:05", "13:50")])
    assert Act.objects.filter(verb="shift_plan").count() == 1


def test_a_shift_and_another_time_of_a_round_are_not_mixed() -> None:
    tournament = make_tournament()
    timed(tournament, "10:00", "10:50")
    by = organiser(of=tournament)
    said: dict[str, Any] = {"event_id": tournament.event_id, "minutes": 35, "since": at("10:00"), "now": MORNING}
    press = partial(shift_plan, **said, by=by, expected=seen(tournament))
    stage_id = stage_of(tournament).pk
    change = partial(hours.set_round_times, stage_id=stage_id, times={2: at("11:00")}, by=by, now=MORNING)
    changed, second = one_behind_the_other(change, press)
    assert changed == {1: at("10:00"), 2: at("11:00")}
    assert second == Refused("plan_changed")
    assert rounds(tournament) == ["10:00", "11:00"]


def test_two_who_open_the_hall_at_once_open_it_once() -> None:
    event = make_event()
    said: dict[str, Any] = {"event_id": event.pk, "opens_at": at("10:00"), "closes_at": at("22:00"), "now": MORNING}
    press = partial(hours.open_hall, **said, by=organiser(of=event))
    _, second = one_behind_the_other(press, press)
    assert isinstance(second, Refused)
    assert second.code == "open_already"
    assert hall_hours(event) == [("10:00", "22:00")]


def test_two_who_add_the_same_break_at_once_add_it_once() -> None:
    event = make_event()
    said: dict[str, Any] = {"event_id": event.pk, "starts_at": at("12:30"), "ends_at": at("13:15"), "now": MORNING}
    press = partial(hours.add_break, **said, by=organiser(of=event))
    _, second = one_behind_the_other(press, press)
    assert second == Refused("break_there")
    assert breaks(event) == [("", "12:30", "13:15")]
