"""The page of hours: what is typed is kept, what refuses it is told, and one press shifts the day."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from tests import factories
from tests.factories import make_field
from tests.tournaments import planned_days
from tests.tournaments.planned_days import AHEAD, ahead, breaks, hall_hours, opened, paused, rounds
from tests.tournaments.play import play_open, stage_of
from tests.tournaments.views.desk import desk_of, page_text, running, said, stranger
from tournaments.models import Break, Event, Opening, Tournament
from tournaments.queries.hours import last_shift

pytestmark = pytest.mark.django_db


def at(clock: str, day: int = 22) -> datetime:
    return planned_days.at(clock, day).replace(year=AHEAD)


def make_event() -> Event:
    event = factories.make_event()
    ahead(event)
    return event


def make_tournament(*, event: Event | None = None, **facts: Any) -> Tournament:
    return factories.make_tournament(event=event or make_event(), **facts)


def timed(tournament: Tournament, *clocks: str) -> None:
    for number, each in enumerate(clocks, start=1):
        stage_of(tournament).round_times.create(number=number, starts_at=at(each))


def page(event: Event, client: Client | None = None) -> Any:
    return (client or desk_of(event)).get(reverse("desk_hours", args=[event.pk]))


def send(event: Event, where: str, /, *ids: int, **typed: Any) -> Any:
    return desk_of(event).post(reverse(where, args=[event.pk, *ids]), typed)


# --- When the hall is open.


def test_hours_of_a_day_end_after_midnight_and_the_next_day_is_offered_with_the_same() -> None:
    event = make_event()
    first = page(event)
    assert "All the time, as long as nothing is said here." in page_text(first)
    assert first.context["opening_form"]["day"].value() == event.starts_on
    assert send(event, "opening_add", day="2099-05-22", starts="18:00", ends="02:00").status_code == 302
    assert hall_hours(event) == [("18:00", "23 02:00")]
    shown = page(event)
    assert "Friday, 22 May 18:00–02:00" in page_text(shown)
    form = shown.context["opening_form"]
    assert [str(form[name].value()) for name in ("day", "starts", "ends")] == ["2099-05-23", "18:00:00", "02:00:00"]


def test_hours_that_cannot_be_are_refused_with_what_was_typed() -> None:
    event = make_event()
    opened(event, at("10:00"), at("22:00"))
    wrong = send(event, "opening_add", day="2099-05-22", starts="six", ends="02:00")
    assert (wrong.status_code, said(wrong)) == (400, ["Nothing was changed: see what is marked below."])
    form = wrong.context["opening_form"]
    assert ([form[name].value() for name in form.fields], list(form.errors)) == (
        ["2099-05-22", "six", "02:00"],
        ["starts"],
    )
    over = send(event, "opening_add", day="2099-05-22", starts="21:00", ends="02:00")
    assert over.status_code == 409
    assert said(over) == ["The hall is open then already: 22 May, 10:00–22:00. Change those hours, or say others."]
    assert over.context["opening_form"]["starts"].value() == "21:00"
    assert hall_hours(event) == [("10:00", "22:00")]


def test_hours_are_changed_and_removed_on_a_page_of_their_own() -> None:
    event = make_event()
    opening = opened(event, at("18:00"), at("02:00", 23))
    other = opened(event, at("10:00", 23), at("12:00", 23))
    where = reverse("opening", args=[event.pk, opening.pk])
    form = desk_of(event).get(where).context["form"]
    assert [str(form[name].value()) for name in form.fields] == ["2099-05-22", "18:00:00", "02:00:00"]
    typed = {"day": "2099-05-22", "starts": "17:00", "ends": "11:00"}
    refused = send(event, "opening", opening.pk, **typed)
    assert (refused.status_code, refused.context["form"]["ends"].value()) == (409, "11:00")
    assert send(event, "opening", opening.pk, **typed | {"ends": ""}).status_code == 400
    assert send(event, "opening", opening.pk, **typed | {"ends": "01:00"}).status_code == 302
    assert send(event, "opening_remove", other.pk).status_code == 302
    assert hall_hours(event) == [("17:00", "23 01:00")]


def test_in_the_nights_the_clocks_change_hours_are_the_venues() -> None:
    event = factories.make_event(zone="Europe/Berlin")
    Event.objects.filter(pk=event.pk).update(starts_on="2027-03-27", ends_on="2027-10-31")
    event.refresh_from_db()
    skipped = send(event, "opening_add", day="2027-03-27", starts="18:00", ends="02:30")
    assert skipped.status_code == 400
    assert dict(skipped.context["opening_form"].errors) == {
        "ends": ["The clocks go forward then: there is no 02:30. Did you mean 03:30?"]
    }
    assert send(event, "opening_add", day="2027-03-27", starts="18:00", ends="03:30").status_code == 302
    spring = Opening.objects.get()
    assert (spring.closes_at - spring.opens_at).total_seconds() == 8.5 * 3600
    twice = send(event, "opening_add", day="2027-10-30", starts="18:00", ends="02:30")
    assert said(twice) == [
        "Until: 02:30 comes twice then, for the clocks go back. The first is meant, before that (UTC+2)."
    ]
    autumn = Opening.objects.latest("opens_at")
    assert (autumn.closes_at - autumn.opens_at).total_seconds() == 8.5 * 3600


# --- Breaks.


def test_breaks_are_added_changed_and_removed() -> None:
    tournament = make_tournament()
    event = tournament.event
    lunch = {"name": "Lunch", "day": "2099-05-22", "starts": "12:30", "ends": "13:15"}
    assert send(event, "break_add", **lunch).status_code == 302
    again = send(event, "break_add", **lunch)
    assert (again.status_code, said(again)) == (409, ["There is such a break already."])
    assert again.context["break_form"]["name"].value() == "Lunch"
    wrong = send(event, "break_add", **lunch | {"day": "soon"})
    assert (wrong.status_code, wrong.context["break_form"]["day"].value()) == (400, "soon")
    pause = Break.objects.get()
    assert (
        "tournament" not in desk_of(event).get(reverse("break_edit", args=[event.pk, pause.pk])).context["form"].fields
    )
    side = make_tournament(event=event, name="Side")
    form = desk_of(event).get(reverse("break_edit", args=[event.pk, pause.pk])).context["form"]
    assert [str(form[name].value() or "") for name in ("name", "tournament")] == ["Lunch", ""]
    typed = lunch | {"name": "", "tournament": side.pk}
    assert send(event, "break_edit", pause.pk, **typed | {"ends": ""}).status_code == 400
    outside = send(event, "break_edit", pause.pk, **typed | {"day": "2099-06-01"})
    assert said(outside) == ["The event is from 22 May to 23 May, and this on another day."]
    assert send(event, "break_edit", pause.pk, **typed).status_code == 302
    pause.refresh_from_db()
    assert (pause.name, pause.tournament) == ("", side)
    assert "12:30–13:15 Side" in page_text(page(event))
    assert send(event, "break_remove", pause.pk).status_code == 302
    assert breaks(event) == []


# --- Rounds.


def round_form(tournament: Tournament, **typed: Any) -> Any:
    return send(tournament.event, "round_times", stage_of(tournament).pk, **typed)


def test_rounds_follow_each_other_by_so_many_minutes() -> None:
    tournament = make_tournament()
    sent = round_form(tournament, **{"round-1": "2099-05-22T10:00", "round-2": "", "round-3": "", "every": "50"})
    assert (sent.status_code, said(sent)) == (302, ["Saved."])
    assert sent["Location"].endswith(f"#stage-{stage_of(tournament).pk}")
    assert rounds(tournament) == ["10:00", "10:50", "11:40"]
    round_form(tournament, **{"round-1": "2099-05-22T10:00", "round-2": "", "round-3": "2099-05-22T11:45", "every": ""})
    assert rounds(tournament) == ["10:00", "11:45"]


def test_a_round_before_the_one_before_is_named_and_the_form_kept() -> None:
    tournament = make_tournament()
    sent = round_form(tournament, **{"round-1": "2099-05-22T10:00", "round-2": "2099-05-22T09:00"})
    assert (sent.status_code, said(sent)) == (409, ["Round 2 has to begin after round 1."])
    (_row, form), *_rest = sent.context["stages"]
    assert form["round-2"].value() == "2099-05-22T09:00"
    assert form["round-2"].errors == ["Round 2 has to begin after round 1."]
    wrong = round_form(tournament, **{"round-1": "ten"})
    assert (wrong.status_code, wrong.context["stages"][0][1]["round-1"].value()) == (400, "ten")
    assert rounds(tournament) == []


def test_the_times_of_rounds_are_folded_away_until_one_is_set_or_typed() -> None:
    tournament = make_tournament()

    def folds(answer: Any) -> list[bool]:
        return [form.is_open for _row, form in answer.context["stages"]]

    assert folds(page(tournament.event)) == [False]
    assert folds(round_form(tournament, **{"round-1": "ten"})) == [True]
    assert round_form(tournament, **{"round-1": "2099-05-22T10:00"}).status_code == 302
    shown = page(tournament.event)
    assert folds(shown) == [True]
    assert f'id="stage-{stage_of(tournament).pk}" open' in shown.content.decode()


def test_what_is_played_is_shown_and_not_changed() -> None:
    tournament = running(4, format="round_robin")
    play_open(tournament)
    assert round_form(tournament, **{"round-1": "2099-05-22T09:00"}).status_code == 302
    assert rounds(tournament) == []
    (_row, form), *_rest = page(tournament.event).context["stages"]
    assert [form.fields[f"round-{number}"].disabled for number in (1, 2, 3)] == [True, True, True]


# --- Everything at once.


def a_morning(**facts: Any) -> Tournament:
    """Nobody has begun: rounds at 10:00 and 10:50, and lunch."""
    tournament = make_tournament(starts_at=at("10:00"), **facts)
    timed(tournament, "10:00", "10:50")
    paused(tournament, at("12:30"), at("13:15"), "Lunch")
    return tournament


def shift(of: Tournament, **typed: Any) -> Any:
    form = {"minutes": "35", "way": "later", "since": at("10:00").isoformat(), "seen": seen_on(of), **typed}
    return send(of.event, "shift_plan", **form)


def seen_on(of: Tournament) -> str:
    return str(page(of.event).context["hours"].version)


def test_the_page_offers_every_time_something_is_planned_for() -> None:
    tournament = a_morning()
    choices = page(tournament.event).context["shift_form"].fields["since"].choices
    told = [str(text).replace("\u2068", "").replace("\u2069", "") for _key, text in choices]
    assert told == [
        "Now",
        "Fri 10:00: Round 1 (Main), start of Main",
        "Fri 10:50: Round 2 (Main)",
        "Fri 12:30: Lunch",
        "Another time",
    ]


def chosen(of: Tournament, place: int) -> str:
    return str(page(of.event).context["shift_form"].fields["since"].choices[place][0])


def test_one_press_shifts_the_day_and_the_next_one_shifts_it_back() -> None:
    tournament = a_morning()
    sent = shift(tournament, since=chosen(tournament, 1))
    assert (sent.status_code, said(sent)) == (302, ["35 minutes later: 2 rounds, 1 break, 1 start of a tournament."])
    assert (rounds(tournament), breaks(tournament)) == (["10:35", "11:25"], [("Lunch", "13:05", "13:50")])
    shown = page(tournament.event)
    assert "Shifted what was planned from 22 May, 10:00 on: 35 minutes later." in page_text(shown)
    assert "Shift it back: 35 minutes earlier" in page_text(shown)
    last = shown.context["hours"].last
    hidden = {"minutes": last.count, "way": "earlier", "since": "other", "since_at": last.back_since.isoformat()}
    assert f'name="since_at" value="{hidden["since_at"]}"' in shown.content.decode()
    assert shift(tournament, **hidden).status_code == 302
    assert (rounds(tournament), breaks(tournament)) == (["10:00", "10:50"], [("Lunch", "12:30", "13:15")])
    assert "Shift it back: 35 minutes later" in page_text(page(tournament.event))


def test_pressed_twice_the_page_shifts_once() -> None:
    tournament = a_morning()
    typed = {"seen": seen_on(tournament), "since": "other", "since_at": "2099-05-22T10:00"}
    assert shift(tournament, **typed).status_code == 302
    again = shift(tournament, **typed)
    assert again.status_code == 409
    assert said(again) == ["The times have changed while you were looking. Look at them, then shift."]
    assert rounds(tournament) == ["10:35", "11:25"]
    assert again.context["shift_form"]["minutes"].value() == "35"


def test_whoever_shifts_beyond_the_closing_time_is_told_and_may_all_the_same() -> None:
    tournament = make_tournament(starts_at=at("10:00"), match_minutes=30, options={"rounds": 3})
    make_field(size=4, tournament=tournament, here=False)
    timed(tournament, "10:00", "10:40", "11:25")
    opened(tournament, at("09:00"), at("12:00"))
    typed = {"since": "other", "since_at": "2099-05-22T11:00", "minutes": "10"}
    told = shift(tournament, **typed)
    text = page_text(told)
    assert told.status_code == 409
    assert "2 matches would not be over before the hall closes on 22 May, 12:00." in text
    assert "Nothing is shifted yet. Shift all the same, or open the hall longer first." in text
    assert (rounds(tournament)[2], told.context["shift_form"]["minutes"].value()) == ("11:25", "10")
    assert shift(tournament, **typed, accept_late="on").status_code == 302
    assert rounds(tournament) == ["10:00", "10:40", "11:35"]


def test_what_is_typed_wrong_stays() -> None:
    tournament = a_morning()
    wrong = shift(tournament, minutes="", since="other")
    form = wrong.context["shift_form"]
    assert (wrong.status_code, sorted(form.errors)) == (400, ["minutes", "since_at"])
    gone = shift(tournament, since=at("09:00").isoformat())
    assert gone.context["shift_form"].errors["since"] == ["Nothing is planned for this time any more. Choose again."]
    late = shift(tournament, since="other", since_at="2099-05-23T10:00")
    assert (late.status_code, said(late)) == (409, ["Nothing is planned from then on that has not begun."])
    assert late.context["shift_form"]["since_at"].value() == "2099-05-23T10:00"
    assert rounds(tournament) == ["10:00", "10:50"]
    assert last_shift(event=tournament.event) is None


def test_one_tournament_of_several_is_shifted_alone() -> None:
    tournament = a_morning()
    side = make_tournament(event=tournament.event, name="Side")
    timed(side, "10:00")
    typed = {"since": "other", "since_at": "2099-05-22T10:00", "tournament": side.pk}
    assert shift(tournament, **typed).status_code == 302
    assert (rounds(tournament), rounds(side)) == (["10:00", "10:50"], ["10:35"])
    assert f'name="tournament" value="{side.pk}"' in page(tournament.event).content.decode()


# --- Whose it is.


def test_the_hours_of_another_event_are_not_there() -> None:
    tournament, other = make_tournament(), make_event()
    opening = opened(tournament, at("10:00"), at("22:00"))
    pause = paused(tournament, at("12:30"), at("13:15"))
    stage = stage_of(tournament)
    for name, pk in (
        ("opening", opening.pk),
        ("opening_remove", opening.pk),
        ("break_edit", pause.pk),
        ("break_remove", pause.pk),
        ("round_times", stage.pk),
    ):
        assert send(other, name, pk).status_code == 404
        assert stranger().post(reverse(name, args=[tournament.event_id, pk])).status_code == 404
    assert page(tournament.event, stranger()).status_code == 404
    assert (Opening.objects.count(), Break.objects.count()) == (1, 1)


def test_the_desk_and_the_page_of_tables_lead_here() -> None:
    event = make_event()
    where = reverse("desk_hours", args=[event.pk])
    for name in ("event_desk", "event_hall"):
        assert where in desk_of(event).get(reverse(name, args=[event.pk])).content.decode()
