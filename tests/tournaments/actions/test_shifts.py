"""Stories of days that run late: one act moves everything planned, and what has happened stays."""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from players.permissions import Refused
from tests.factories import make_event, make_field, make_tournament, organiser
from tests.tournaments.actions.test_hall import told
from tests.tournaments.halls import put_up
from tests.tournaments.planned_days import at, breaks, clock, do, event_of, opened, paused, rounds, seen, timed
from tests.tournaments.play import count_up, pairings, report, stage_of
from tournaments.actions import events, hours, plans, presence
from tournaments.actions import rounds as course
from tournaments.actions.events import TournamentFacts
from tournaments.actions.shifts import Shifted, shift_plan
from tournaments.models import Event, Notice, Slot, Tournament
from tournaments.queries.hours import last_shift
from tournaments.words.hours import moved_text
from tournaments.words.refusals import refusal_text

pytestmark = pytest.mark.django_db

MORNING = at("09:00")


def shift(of: Event | Tournament, minutes: int, since: datetime, *, now: datetime = MORNING, **said: Any) -> Any:
    """The organiser shifts what they see, in the morning unless said otherwise."""
    expected = said.pop("expected", seen(of, now))
    said = {"by": organiser(of=of), "now": now, "expected": expected, **said}
    return shift_plan(event_id=event_of(of).pk, minutes=minutes, since=since, **said)


def refused(outcome: Any) -> tuple[str, str]:
    assert isinstance(outcome, Refused), outcome
    return outcome.code, refusal_text(outcome)


def starts(tournament: Tournament) -> list[tuple[int, str, str, str]]:
    """Every match of the plan: its round, how far it is, from when to when."""
    found = Slot.objects.filter(stage__tournament=tournament, dropped_at=None).order_by("round", "number")
    return [(each.round, each.state, clock(each.starts_at), clock(each.ends_at)) for each in found]


def a_day(**facts: Any) -> Tournament:
    """Four players, three rounds and lunch: 10:00, 10:50, 11:40 and 12:30 to 13:15; the hall is open from 9."""
    tournament = make_tournament(seeding="rating", format="swiss", options={"rounds": 3}, match_minutes=30, **facts)
    make_field(size=4, tournament=tournament)
    put_up(tournament, (1, 2))
    timed(tournament, "10:00", "10:50", "11:40")
    paused(tournament, at("12:30"), at("13:15"), "Lunch")
    return tournament


def begun(tournament: Tournament, *, published: datetime) -> None:
    """The first round is out."""
    by, stage = organiser(of=tournament), stage_of(tournament)
    course.start_tournament(tournament_id=tournament.pk, by=by, now=published)
    published_rounds = course.publish_rounds(stage_id=stage.pk, by=by, now=published)
    assert not isinstance(published_rounds, Refused), published_rounds
    count_up(tournament, now=published)


def worker(tournament: Tournament, now: datetime) -> None:
    """What the worker does with the plan some time after."""
    plans.replan(event_id=tournament.event_id, now=now)


def shown(tournament: Tournament) -> dict[str, list[str]]:
    """The times everybody finds on the public page, in the calendar and in the file of the schedule."""
    found = {}
    for what, address in (
        ("page", reverse("schedule", args=[tournament.pk])),
        ("calendar", reverse("calendar", args=[tournament.pk])),
        ("csv", reverse("export", args=[tournament.pk, "schedule", "csv"])),
    ):
        answer: Any = Client().get(address)
        text = (answer.content if not answer.streaming else b"".join(answer.streaming_content)).decode()
        pattern = {
            "page": r'datetime="2027-05-22T(..:..)',
            "calendar": r"DTSTART;TZID=Europe/Riga:20270522T(....)",
            "csv": r";2027-05-22 (..:..);2027",
        }[what]
        found[what] = sorted({each.replace(":", "") for each in re.findall(pattern, text)})
    return found


@pytest.mark.db
def test_st_05_a_day_that_runs_late_is_shifted_as_a_whole() -> None:
    tournament = a_day()
    opening = opened(tournament, at("09:00"), at("12:40"))
    begun(tournament, published=at("09:50"))
    worker(tournament, at("09:51"))
    assert starts(tournament) == [
        (1, "called", "10:00", "10:30"),
        (1, "called", "10:00", "10:30"),
        (2, "waiting", "10:50", "11:20"),
        (2, "waiting", "10:50", "11:20"),
        (3, "waiting", "11:40", "12:10"),
        (3, "waiting", "11:40", "12:10"),
    ]
    by = organiser(of=tournament)
    for pairing in pairings(tournament, 1):
        presence.say_begun(match_id=pairing.match_id or 0, by=by, now=at("10:35"))
    late = refused(shift(tournament, 35, at("10:00"), now=at("10:36")))
    assert late == (
        "closes_before_the_end",
        "2 matches would not be over before the hall closes on 22 May, 12:40.",
    )
    assert (rounds(tournament), breaks(tournament)) == (["10:00", "10:50", "11:40"], [("Lunch", "12:30", "13:15")])
    said = {"opening_id": opening.pk, "opens_at": at("09:00"), "closes_at": at("18:00")}
    do(hours.change_opening, tournament, **said)
    done = shift(tournament, 35, at("10:00"), now=at("10:37"))
    assert moved_text(done) == "35 minutes later: 2 rounds, 1 break."
    assert (rounds(tournament), breaks(tournament)) == (["10:00", "11:25", "12:15"], [("Lunch", "13:05", "13:50")])
    one, other = pairings(tournament, 1)
    report(one, (3, 1), now=at("11:10"))
    report(other, (3, 0), now=at("11:22"))
    count_up(tournament, now=at("11:22"))
    worker(tournament, at("11:22"))
    assert starts(tournament) == [
        (1, "over", "10:35", "11:10"),
        (1, "over", "10:35", "11:22"),
        (2, "waiting", "11:27", "11:59"),
        (2, "waiting", "11:27", "11:59"),
        (3, "waiting", "12:15", "12:47"),
        (3, "waiting", "12:15", "12:47"),
    ]
    everywhere = ["1035", "1127", "1215"]
    page = ["0900", *everywhere, "1245", "1305", "1350", "1800"]  # with the hall, the end as it looks now, and lunch
    assert shown(tournament) == {"page": page, "calendar": everywhere, "csv": everywhere}
    lunch = tournament.event.breaks.get()
    change = {"name": "Lunch", "starts_at": at("12:10"), "ends_at": at("12:55")}
    do(hours.change_break, tournament, break_id=lunch.pk, **change)
    worker(tournament, at("11:24"))
    assert [each[2] for each in starts(tournament)] == ["10:35", "10:35", "11:27", "11:27", "12:55", "12:55"]
    everywhere = ["1035", "1127", "1255"]
    page = ["0900", "1035", "1127", "1210", "1255", "1325", "1800"]
    assert shown(tournament) == {"page": page, "calendar": everywhere, "csv": everywhere}


def test_a_shift_is_taken_back_by_one_the_other_way() -> None:
    tournament = a_day()
    before = (rounds(tournament), breaks(tournament))
    first = shift(tournament, 35, at("10:30"))
    assert (first.rounds, first.breaks, first.since) == (2, 1, at("10:30"))
    assert rounds(tournament) == ["10:00", "11:25", "12:15"]
    assert first.version == seen(tournament)
    back = shift(tournament, -35, first.back_since)
    assert moved_text(back) == "35 minutes earlier: 2 rounds, 1 break."
    assert (rounds(tournament), breaks(tournament)) == before
    again = shift(tournament, 35, back.back_since)
    assert (again.rounds, rounds(tournament)) == (2, ["10:00", "11:25", "12:15"])
    last = last_shift(event=tournament.event)
    assert last is not None
    assert (last.count, last.since, last.back_since) == (35, at("10:30"), at("11:05"))
    assert told(tournament.event)[-3:] == [
        "Shifted what was planned from 22 May, 10:30 on: 35 minutes later.",
        "Shifted what was planned from 22 May, 11:05 on: 35 minutes earlier.",
        "Shifted what was planned from 22 May, 10:30 on: 35 minutes later.",
    ]


def test_pressed_twice_or_on_times_that_are_others_by_now_it_is_done_once() -> None:
    tournament = a_day()
    said: dict[str, Any] = {"expected": seen(tournament)}
    assert isinstance(shift(tournament, 5, at("10:00"), **said), Shifted)
    assert refused(shift(tournament, 5, at("10:00"), **said))[0] == "plan_changed"
    said = {"expected": seen(tournament)}
    timed(tournament, "10:05", "10:55", "11:50")
    assert refused(shift(tournament, 5, at("10:00"), **said))[0] == "plan_changed"
    assert isinstance(shift(tournament, 5, at("10:00"), expected=None), Shifted)
    assert rounds(tournament) == ["10:10", "11:00", "11:55"]


def test_nothing_is_passed_and_nothing_is_shifted_that_is_not_there() -> None:
    tournament = a_day()
    stays = "Something stays at 22 May, 11:40 and would be passed: shift from an earlier time on, or by less."
    assert refused(shift(tournament, -50, at("12:00"))) == ("shift_overtakes", stays)
    assert refused(shift(tournament, 5, at("14:00"))) == (
        "nothing_to_shift",
        "Nothing is planned from then on that has not begun.",
    )
    assert refused(shift(tournament, 0, at("10:00")))[0] == "shift_too_far"
    assert refused(shift(tournament, 1441, at("10:00")))[0] == "shift_too_far"
    assert refused(shift(tournament, 5, at("10:00"), tournament_id=make_tournament().pk))[0] == "tournament_unknown"
    assert (rounds(tournament), breaks(tournament)) == (["10:00", "10:50", "11:40"], [("Lunch", "12:30", "13:15")])


def test_rounds_that_have_begun_are_not_passed_by_those_that_come() -> None:
    tournament = a_day()
    begun(tournament, published=at("09:50"))
    by = organiser(of=tournament)
    presence.say_begun(match_id=pairings(tournament, 1)[0].match_id or 0, by=by, now=at("10:02"))
    code, text = refused(shift(tournament, -50, at("10:30"), now=at("10:05")))
    assert (code, text) == ("round_begins_too_early", "Round 2 has to begin after round 1.")


def test_one_tournament_is_shifted_by_itself_with_its_own_breaks() -> None:
    tournament = a_day()
    other = make_tournament(event=tournament.event, name="Side", starts_at=at("10:30"))
    timed(other, "10:30")
    paused(tournament, at("12:00"), at("12:20"), "Tea", tournament_id=other.pk)
    done = shift(tournament, 10, at("10:30"), tournament_id=other.pk)
    assert moved_text(done) == "10 minutes later: 1 round, 1 break, 1 start of a tournament."
    other.refresh_from_db()
    assert (clock(other.starts_at), rounds(other)) == ("10:40", ["10:40"])
    assert rounds(tournament) == ["10:00", "10:50", "11:40"]
    assert breaks(tournament) == [("Tea", "12:10", "12:30"), ("Lunch", "12:30", "13:15")]
    everything = shift(tournament, 10, at("10:30"))
    assert moved_text(everything) == "10 minutes later: 3 rounds, 2 breaks, 1 start of a tournament."


def test_a_match_with_a_fixed_start_moves_and_a_break_that_goes_on_stays() -> None:
    tournament = a_day()
    slot = Slot.objects.create(
        stage=stage_of(tournament), round=3, number=1, fixed_at=at("11:45"), changed_at=at("09:00")
    )
    done = shift(tournament, 20, at("11:30"), now=at("12:40"))
    assert (done.matches, done.rounds, done.breaks) == (1, 1, 0)
    slot.refresh_from_db()
    assert (clock(slot.fixed_at), rounds(tournament)[2]) == ("12:05", "12:00")
    assert breaks(tournament) == [("Lunch", "12:30", "13:15")]


def test_what_goes_to_the_next_day_is_told_before_and_done_when_that_is_accepted() -> None:
    tournament = a_day()
    for day in (22, 23):
        opened(tournament, at("09:00", day), at("12:30", day))
    begun(tournament, published=at("09:50"))
    closes = "2 matches would not be over before the hall closes on 22 May, 12:30."
    late = shift(tournament, 35, at("11:30"), now=at("09:55"))
    assert refused(late) == ("closes_before_the_end", closes)
    assert late.params == {"matches": 2, "closes_at": "2027-05-22T12:30:00+03:00"}
    done = shift(tournament, 35, at("11:30"), now=at("09:55"), accept_late=True)
    assert (done.rounds, rounds(tournament)[2]) == (1, "12:15")
    worker(tournament, at("09:56"))
    assert [each[2] for each in starts(tournament)] == [*["10:00"] * 2, *["10:50"] * 2, *["23 09:00"] * 2]


def test_where_the_hall_never_closes_nothing_is_too_late() -> None:
    tournament = a_day()
    begun(tournament, published=at("09:50"))
    assert isinstance(shift(tournament, 600, at("10:30"), now=at("09:55")), Shifted)


def test_players_of_a_published_round_are_expected_later_and_told_so() -> None:
    tournament = a_day()
    begun(tournament, published=at("09:50"))
    one, other = pairings(tournament, 1)
    assert [clock(each.due_at) for each in (one, other)] == ["10:00", "10:00"]
    presence.say_begun(match_id=other.match_id or 0, by=organiser(of=tournament), now=at("09:58"))
    shift(tournament, 35, at("09:55"), now=at("09:59"))
    assert rounds(tournament) == ["10:00", "11:25", "12:15"]  # a table of the first round plays already
    times = {1: at("10:20")}
    do(hours.set_round_times, tournament, stage_id=stage_of(tournament).pk, times=times)
    assert [clock(each.due_at) for each in pairings(tournament, 1)] == ["10:20", "10:00"]
    news = Notice.objects.filter(entry__in=[one.a, other.a]).order_by("entry__name", "pk")
    told_times = {each.entry_id: clock(datetime.fromisoformat(each.params["due"])) for each in news}
    assert told_times == {one.a_id: "10:20", other.a_id: "10:00"}
    do(hours.set_round_times, tournament, stage_id=stage_of(tournament).pk, times={1: None})
    assert [clock(each.due_at) for each in pairings(tournament, 1)] == ["—", "10:00"]


def test_the_start_of_a_tournament_is_when_the_first_round_is_expected() -> None:
    tournament = make_tournament(seeding="rating", starts_at=at("10:00"))
    make_field(size=2, tournament=tournament)
    begun(tournament, published=at("09:50"))
    assert clock(pairings(tournament, 1)[0].due_at) == "10:00"
    done = shift(tournament, 35, at("10:00"), now=at("09:59"))
    assert (done.tournaments, clock(pairings(tournament, 1)[0].due_at)) == (1, "10:35")
    facts = TournamentFacts(name="Main", seeding="rating", starts_at=at("10:20"))
    edited = do(events.edit_tournament, tournament, tournament_id=tournament.pk, facts=facts)
    assert not isinstance(edited, Refused), edited
    assert clock(pairings(tournament, 1)[0].due_at) == "10:20"


@pytest.mark.parametrize(("minutes", "shows"), [(60, "03:30"), (-60, "02:30")])
def test_in_the_night_the_clocks_go_back_an_hour_is_an_hour(minutes: int, shows: str) -> None:
    event = make_event(zone="Europe/Berlin")
    Event.objects.filter(pk=event.pk).update(starts_on="2026-10-24", ends_on="2026-10-25")
    night = datetime(2026, 10, 25, 2, 30, tzinfo=event.tzinfo, fold=1)  # the second time the clocks show it
    pause = paused(event, night, datetime(2026, 10, 25, 5, 0, tzinfo=event.tzinfo))
    said: dict[str, Any] = {"now": night - timedelta(hours=9), "expected": None}
    assert isinstance(shift(event, minutes, night - timedelta(minutes=1), **said), Shifted)
    before = pause.starts_at.timestamp()
    pause.refresh_from_db()
    assert pause.starts_at.timestamp() - before == minutes * 60
    assert f"{pause.starts_at.astimezone(event.tzinfo):%H:%M}" == shows
