"""The search for a better plan on the desk: asked for, followed without scripts, told in words, and dropped."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.urls import reverse
from django.utils import timezone

from tests.factories import NOW, organiser
from tests.tournaments.solving import asked, begun, crowded, finished, in_order, solver
from tests.tournaments.views.desk import Page, desk_of, page_text, said, stranger
from tournaments.actions import plans, searches
from tournaments.models import Event, PlanSearch, Slot

pytestmark = pytest.mark.django_db

ASKS = "Seconds to look for"


def address(event: Event, act: str = "") -> str:
    return reverse(f"plan_search{act}", args=[event.pk])


def page(event: Event, *, is_there: bool = True, **query: Any) -> Page:
    with solver(is_there=is_there):
        return desk_of(event).get(address(event), query)


def press(event: Event, act: str, **form: Any) -> Page:
    with solver(is_there=True):
        return desk_of(event).post(address(event, act), form)


def shown(event: Event, *, is_there: bool = True) -> str:
    """The part of the page, as text."""
    return page_text(page(event, is_there=is_there, part="search"))


def test_a_search_is_asked_for_and_shown_beside_the_plan() -> None:
    event = crowded()
    assert ASKS in shown(event)
    answer = press(event, "_ask", seconds=30)
    assert (answer.status_code, answer["Location"]) == (302, reverse("desk_plan", args=[event.pk]) + "#plan-search")
    search = PlanSearch.objects.get()
    assert (search.seconds, search.by) == (30, str(event.owner))
    assert "The search is about to begin. 0 Stop, and take the best so far 30 seconds left" in shown(event)
    assert "The search is about to begin." in page_text(desk_of(event).get(reverse("desk_plan", args=[event.pk])))


def test_what_makes_no_sense_is_said_and_what_was_typed_stays() -> None:
    event = crowded()
    answer = press(event, "_ask", seconds="90")
    assert answer.status_code == 400
    assert 'value="90"' in answer.content.decode()
    assert "Ensure this value is less than or equal to 60." in page_text(answer)
    assert PlanSearch.objects.count() == 0


def test_without_the_solver_a_sentence_says_what_to_install() -> None:
    event = crowded()
    told = shown(event, is_there=False)
    assert "A search needs a solver, which is not installed here." in told
    assert "./bin/setup --improve" in told
    assert ASKS not in told
    with solver(is_there=False):
        answer = desk_of(event).post(address(event, "_ask"), {"seconds": "20"})
    assert (answer.status_code, said(answer)) == (
        409,
        ["A search needs a solver, which is not installed here. It is installed by ./bin/setup --improve."],
    )


def test_how_far_it_is_is_told_live_and_by_a_page_that_loads_itself_anew() -> None:
    event = crowded()
    now = timezone.now()
    one = searches.begin_search(search_id=asked(event).pk, now=now - timedelta(seconds=8))
    assert one is not None
    base, early = (int((NOW + timedelta(minutes=each)).timestamp()) for each in (150, 120))
    searches.note_progress(search_id=one.search.pk, now=now, end=base, bound=early)
    PlanSearch.objects.update(before_at=NOW + timedelta(minutes=160))
    told = shown(event)
    assert "Other orders of the matches are tried." in told
    assert "So far: ends Sat 15:30 instead of Sat 15:40. No plan can end before Sat 15:00." in told
    html = page(event).content.decode()
    assert '<progress class="bar" max="20" value="8"' in html
    assert '<noscript><meta http-equiv="refresh" content="2"></noscript>' in html
    part = page(event, part="search")
    with solver(is_there=True):
        again = desk_of(event).get(address(event), {"part": "search"}, headers={"If-None-Match": part["ETag"]})
    assert (part.status_code, again.status_code) == (200, 304)
    searches.note_progress(search_id=one.search.pk, now=now + timedelta(seconds=1))
    assert page(event, part="search")["ETag"] != part["ETag"]


def test_a_better_plan_is_told_with_both_ends_and_dropped_by_a_press() -> None:
    event = crowded()
    finished(event, 30, 30, 40)
    told = shown(event)
    assert "A better plan was found, and the day goes by it. Ends Sat 15:20 instead of Sat 15:40." in told
    assert "No plan can end before Sat 14:40." in told
    assert "Look again" in told
    answer = press(event, "_drop")
    assert (answer.status_code, said(answer)) == (302, ["The plan is made by the usual rule again."])
    assert "The better plan that was found is followed no more." in shown(event)
    assert Slot.objects.filter(wanted_at__isnull=False).count() == 0


def test_the_best_there_is_is_said_to_be() -> None:
    event = crowded()
    finished(event, 30, 30, 40, is_best=True)
    assert "Ends Sat 15:20 instead of Sat 15:40. This is the best there is." in shown(event)
    finished(event, 30, 30, 40, is_best=True)
    assert "This is the best there is: the plan ends Sat 15:20." in shown(event)


def test_more_places_are_told_before_the_end() -> None:
    event = crowded()
    event.openings.create(opens_at=NOW, closes_at=NOW + timedelta(minutes=140))
    finished(event, 30, 30, 40)
    assert "Without a place: 0 instead of 1. Ends Sat 15:20 instead of Sat 15:10." in shown(event)


def test_what_came_to_nothing_is_told_in_words() -> None:
    event = crowded()
    finished(event, 40, 30, 30)
    assert "No better plan was found: the plan ends Sat 15:40, and none can end before Sat 14:40." in shown(event)
    asked(event)
    press(event, "_stop")
    assert "The search was stopped before it began." in shown(event)
    one = begun(event)
    event.breaks.all().delete()
    searches.finish_search(begun=one, found=in_order(one.facts, 30, 30, 40), now=NOW)
    assert "A better plan was found, but the day had gone on meanwhile" in shown(event)
    searches.fail_search(search_id=asked(event).pk, now=NOW)
    assert "The search broke off, and nothing was changed." in shown(event)


def test_a_search_that_goes_on_is_stopped_by_a_press() -> None:
    event = crowded()
    begun(event)
    assert "Stop, and take the best so far" in shown(event)
    assert press(event, "_stop").status_code == 302
    told = shown(event)
    assert "The search ends now." in told
    assert "Stop, and take the best so far" not in told


def test_nothing_is_offered_where_nothing_is_left_or_nothing_can_be_better() -> None:
    event = crowded()
    event.breaks.all().delete()
    plans.ask_for_plan(event_id=event.pk)
    plans.replan(event_id=event.pk, now=NOW + timedelta(seconds=4))
    assert "There is nothing to look for: the plan ends as early as any can" in shown(event)
    Slot.objects.update(state="over")
    told = shown(event)
    assert "Nothing is left to be planned." in told
    assert ASKS not in told


def test_others_see_nothing_of_it() -> None:
    event = crowded()
    search = asked(event)
    for act, method in (("", "get"), ("_ask", "post"), ("_stop", "post"), ("_drop", "post")):
        assert getattr(stranger(), method)(address(event, act)).status_code == 404
    other = crowded()
    assert press(other, "_stop").status_code == 302
    search.refresh_from_db()
    assert search.over_at is None
    assert "The search is about to begin." not in shown(other)
    assert organiser(of=other).event != event.pk
