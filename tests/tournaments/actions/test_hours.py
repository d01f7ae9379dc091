"""Stories of hours: when the hall is open, when nobody plays, when rounds are to begin."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from typing import Any

import pytest

from players.models import Act
from players.permissions import Refused
from tests.factories import make_event, make_field, make_tournament
from tests.tournaments.actions.test_hall import told
from tests.tournaments.planned_days import at, breaks, clock, do, hall_hours, opened, paused, rounds, timed
from tests.tournaments.play import play_open, stage_of, start
from tournaments.actions import hours
from tournaments.models import Event, HallPlan, Tournament
from tournaments.queries.hours import round_rows
from tournaments.words.reasons import round_name
from tournaments.words.refusals import refusal_text

pytestmark = pytest.mark.django_db


def refused(outcome: Any) -> tuple[str, str]:
    """The code of a refusal and what a reader is told."""
    assert isinstance(outcome, Refused), outcome
    return outcome.code, refusal_text(outcome)


def asked(event: Event) -> int:
    """How often the plan was asked for anew."""
    plan = HallPlan.objects.filter(event=event).first()
    return 0 if plan is None else plan.asked


# --- When the hall is open.


def test_the_hall_is_open_beyond_midnight_and_goes_on_from_one_opening_to_the_next() -> None:
    event = make_event()
    opened(event, at("18:00"), at("02:00", 23))
    opened(event, at("02:00", 23), at("23:00", 23))
    assert hall_hours(event) == [("18:00", "23 02:00"), ("23 02:00", "23 23:00")]
    assert told(event)[-2:] == ["Opened the hall: 22 May, 18:00–02:00.", "Opened the hall: 23 May, 02:00–23:00."]
    assert asked(event) == 2


def test_the_hall_is_not_open_twice_at_a_time() -> None:
    event = make_event()
    opened(event, at("10:00"), at("22:00"))

    def open_(starts: datetime, ends: datetime) -> tuple[str, str]:
        return refused(do(hours.open_hall, event, event_id=event.pk, opens_at=starts, closes_at=ends))

    said = "The hall is open then already: 22 May, 10:00–22:00. Change those hours, or say others."
    assert open_(at("21:59"), at("23:00")) == ("open_already", said)
    assert open_(at("09:00"), at("23:00")) == ("open_already", said)
    assert open_(at("10:00"), at("22:00")) == ("open_already", said)
    assert open_(at("23:00"), at("23:00")) == ("ends_before_it_begins", "The end has to be after the beginning.")
    assert open_(at("22:00"), at("22:01", 23))[0] == "longer_than_a_day"
    assert open_(at("10:00", 25), at("12:00", 25)) == (
        "outside_the_event",
        "The event is from 22 May to 23 May, and this on another day.",
    )
    assert hall_hours(event) == [("10:00", "22:00")]
    assert asked(event) == 1


def test_hours_are_changed_once_and_removed() -> None:
    event = make_event()
    first, second = opened(event, at("10:00"), at("12:00")), opened(event, at("13:00"), at("22:00"))
    over = {"opening_id": first.pk, "opens_at": at("10:00"), "closes_at": at("14:00")}
    assert refused(do(hours.change_opening, event, **over))[0] == "open_already"
    for _ in range(2):
        do(hours.change_opening, event, **over | {"closes_at": at("12:30")})
    assert do(hours.remove_opening, event, opening_id=second.pk) is None
    assert refused(do(hours.remove_opening, event, opening_id=second.pk))[0] == "opening_unknown"
    assert refused(do(hours.change_opening, event, **over | {"opening_id": 0}))[0] == "opening_unknown"
    assert hall_hours(event) == [("10:00", "12:30")]
    assert told(event)[-2:] == [
        "Changed the hours of the hall: 22 May, 10:00–12:30 instead of 22 May, 10:00–12:00.",
        "Took hours of the hall away: 22 May, 13:00–22:00.",
    ]
    assert asked(event) == 4


@pytest.mark.parametrize(
    ("day", "hours_open"), [(date(2026, 10, 24), 25), (date(2027, 3, 27), 23), (date(2027, 5, 22), 24)]
)
def test_a_day_is_as_long_as_the_clocks_of_the_venue_make_it(day: date, hours_open: int) -> None:
    event = make_event(zone="Europe/Berlin")
    Event.objects.filter(pk=event.pk).update(starts_on=day, ends_on=day)
    opens = datetime(day.year, day.month, day.day, 12, tzinfo=event.tzinfo)
    closes = datetime(day.year, day.month, day.day + 1, 12, tzinfo=event.tzinfo)
    opening = opened(event, opens, closes)
    assert (opening.closes_at.timestamp() - opening.opens_at.timestamp()) / 3600 == hours_open


# --- When nobody plays.


def test_a_break_is_of_all_or_of_one_tournament_and_needs_no_name() -> None:
    tournament = make_tournament()
    event = tournament.event
    before = asked(event)
    lunch = paused(event, at("12:30"), at("13:15"), "  Lunch ")
    paused(event, at("12:30"), at("13:15"), tournament_id=tournament.pk)
    assert breaks(event) == [("Lunch", "12:30", "13:15"), ("", "12:30", "13:15")]
    same = {"event_id": event.pk, "starts_at": at("12:30"), "ends_at": at("13:15")}
    assert refused(do(hours.add_break, event, **same))[0] == "break_there"
    assert refused(do(hours.add_break, event, **same, tournament_id=make_tournament().pk))[0] == "tournament_unknown"
    assert refused(do(hours.add_break, event, **same | {"ends_at": at("12:30")}))[0] == "ends_before_it_begins"
    change = {"break_id": lunch.pk, "name": "Lunch", "starts_at": at("13:00"), "ends_at": at("13:45")}
    for _ in range(2):
        do(hours.change_break, event, **change)
    assert refused(do(hours.change_break, event, **change | {"break_id": 0}))[0] == "break_unknown"
    assert do(hours.remove_break, event, break_id=lunch.pk) is None
    assert refused(do(hours.remove_break, event, break_id=lunch.pk))[0] == "break_unknown"
    assert told(event)[-4:] == [
        "Added a break: Lunch, 22 May, 12:30–13:15.",
        "Added a break: 22 May, 12:30–13:15.",
        "Changed a break: Lunch, 22 May, 13:00–13:45 instead of Lunch, 22 May, 12:30–13:15.",
        "Took a break away: Lunch, 22 May, 13:00–13:45.",
    ]
    assert asked(event) == before + 4


def test_a_break_that_days_do_not_reach_any_more_can_still_get_a_name() -> None:
    event = make_event()
    pause = paused(event, at("12:30", 23), at("13:15", 23))
    Event.objects.filter(pk=event.pk).update(starts_on=date(2027, 5, 20), ends_on=date(2027, 5, 21))
    said = {"break_id": pause.pk, "starts_at": pause.starts_at, "ends_at": pause.ends_at}
    assert do(hours.change_break, event, **said, name="Lunch").name == "Lunch"
    later = said | {"ends_at": pause.ends_at + timedelta(minutes=5)}
    assert refused(do(hours.change_break, event, **later))[0] == "outside_the_event"


# --- When rounds begin.


def set_times(tournament: Tournament, **clocks: str | None) -> Any:
    """Times of rounds said as r2="10:50"."""
    times = {int(name[1:]): None if each is None else at(each) for name, each in clocks.items()}
    return do(hours.set_round_times, tournament, stage_id=stage_of(tournament).pk, times=times)


def test_rounds_get_times_long_before_anybody_is_paired() -> None:
    tournament = make_tournament()
    before = asked(tournament.event)
    timed(tournament, "10:00", "10:50", "11:40")
    assert rounds(tournament) == ["10:00", "10:50", "11:40"]
    assert set_times(tournament, r2="10:55", r3=None) == {1: at("10:00"), 2: at("10:55")}
    acts = Act.objects.count()
    set_times(tournament, r1="10:00", r3=None)
    assert Act.objects.count() == acts
    assert told(tournament.event)[-2:] == [
        "Set when rounds begin: round 1: 22 May, 10:00; round 2: 22 May, 10:50; round 3: 22 May, 11:40.",
        "Set when rounds begin: round 2: 22 May, 10:55; round 3: —.",
    ]
    assert asked(tournament.event) == before + 2


def test_one_round_begins_after_the_other() -> None:
    tournament = make_tournament()
    timed(tournament, "10:00", "10:50")
    falls = ("round_begins_too_early", "Round 2 has to begin after round 1.")
    assert refused(set_times(tournament, r2="09:50")) == falls
    assert refused(set_times(tournament, r2="10:00")) == falls
    assert refused(set_times(tournament, r1="11:00")) == falls
    assert refused(set_times(tournament, r4="10:10")) == (falls[0], "Round 4 has to begin after round 2.")
    assert rounds(tournament) == ["10:00", "10:50"]


def test_rounds_of_a_bracket_may_begin_together() -> None:
    tournament = make_tournament(format="double_elimination")
    timed(tournament, "10:00", "10:50", "10:50")
    assert rounds(tournament) == ["10:00", "10:50", "10:50"]
    assert refused(set_times(tournament, r3="10:40"))[0] == "round_begins_too_early"


def test_what_is_played_keeps_its_time_and_what_does_not_come_gets_none() -> None:
    tournament = make_tournament(seeding="rating", format="round_robin")
    make_field(size=4, tournament=tournament)
    timed(tournament, "10:00", "10:50", "11:40")
    start(tournament)
    play_open(tournament)
    assert refused(set_times(tournament, r1="10:05")) == (
        "round_is_played",
        "Every match of round 1 has its result.",
    )
    assert refused(set_times(tournament, r3=None))[0] == "round_is_played"
    assert refused(set_times(tournament, r4="12:30"))[0] == "round_unknown"
    outcome = do(hours.set_round_times, tournament, stage_id=0, times={1: at("10:00")})
    assert refused(outcome)[0] == "tournament_unknown"
    assert rounds(tournament) == ["10:00", "10:50", "11:40"]
    assert [row.is_over for row in round_rows(stage=stage_of(tournament))] == [True, True, True]


def test_a_time_is_kept_to_the_minute_and_lies_in_the_days() -> None:
    tournament = make_tournament()
    stage = stage_of(tournament)
    said = {"stage_id": stage.pk, "times": {1: at("10:00").replace(second=59, microsecond=7)}}
    do(hours.set_round_times, tournament, **said)
    assert stage.round_times.get().starts_at == at("10:00")
    outside = {"stage_id": stage.pk, "times": {2: at("10:00", 25)}}
    assert refused(do(hours.set_round_times, tournament, **outside))[0] == "outside_the_event"


def test_rounds_that_may_come_are_those_of_a_roster_like_this_one() -> None:
    tournament = make_tournament(format="single_elimination")

    def names() -> list[str]:
        return [round_name(row.name) for row in round_rows(stage=stage_of(tournament))]

    assert names() == ["Round 1", "Round 2", "Round 3"]
    make_field(size=16, tournament=tournament)
    assert names() == ["Round 1", "Round 2", "Round 3", "Round 4"]
    start(tournament)
    assert names() == ["Round of 16", "Quarter-finals", "Semi-finals", "Final"]
    assert [clock(row.starts_at) for row in round_rows(stage=stage_of(tournament))] == ["—"] * 4
