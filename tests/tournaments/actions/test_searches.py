"""Stories of searches for a better plan: asked for once, followed, kept only if it is better by then, dropped again."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path
from threading import enumerate as threads
from typing import Any

import pytest
from django.core.management import call_command
from django.utils import timezone

from players.models import Act
from players.permissions import Refused
from tests.factories import NOW, make_event, make_field, make_tournament, organiser
from tests.tournaments.halls import put_up
from tests.tournaments.play import pairings, report, start
from tests.tournaments.solving import MINUTE, asked, begun, crowded, finished, in_order, solver
from tournaments import tasks
from tournaments.actions import plans, searches
from tournaments.actions.queue import call_matches
from tournaments.models import Break, Event, HallPlan, PlanSearch, Slot, Tournament
from tournaments.queries.plan_facts import seconds
from tournaments.queries.searches import search_page

pytestmark = pytest.mark.django_db

SECOND = timedelta(seconds=1)


def replanned(event: Event, now: datetime) -> dict[str, float]:
    """When each tournament's match begins in a plan made at this time, in minutes from the beginning; and the end."""
    plans.replan(event_id=event.pk, now=now)
    slots = Slot.objects.filter(stage__tournament__event=event).select_related("stage__tournament").order_by("pk")
    found = {
        slot.stage.tournament.name: (slot.starts_at - NOW) / MINUTE for slot in slots if slot.starts_at is not None
    }
    ends_at = HallPlan.objects.get(event=event).ends_at
    assert ends_at is not None
    return {**found, "end": (ends_at - NOW) / MINUTE}


def ends(search: PlanSearch) -> list[float | None]:
    """The ends of both plans and the bound, in minutes from the beginning."""
    told = (search.before_at, search.found_at, search.bound_at)
    return [None if each is None else (each - NOW) / MINUTE for each in told]


def wanted(event: Event) -> int:
    return Slot.objects.filter(stage__tournament__event=event, wanted_at__isnull=False).count()


def refused(event: Event, *, is_there: bool = True, seconds: int = 20) -> Refused:
    with solver(is_there=is_there):
        outcome = searches.ask_for_search(event_id=event.pk, seconds=seconds, by=organiser(of=event), now=NOW)
    assert isinstance(outcome, Refused)
    return outcome


# --- Asking.


def test_asking_twice_is_one_search() -> None:
    event = crowded()
    once, again = asked(event, seconds=10), asked(event, seconds=60)
    assert (once.pk, once.seconds, again.pk, again.seconds) == (once.pk, 10, once.pk, 10)
    assert [act.after for act in Act.objects.filter(verb="ask_for_search")] == [{"seconds": 10}]
    assert searches.waiting_searches() == [once.pk]


def test_each_event_has_its_own_search() -> None:
    one, other = crowded(), crowded()
    assert asked(one).pk != asked(other).pk


def test_without_the_solver_it_is_said_what_brings_it() -> None:
    event = crowded()
    found = refused(event, is_there=False)
    assert (found.code, found.params, found.status) == ("no_solver", {"act": "./bin/setup --improve"}, 409)
    assert search_page(event=event).search is None


@pytest.mark.parametrize(("length", "code"), [(4, "seconds_out_of_range"), (61, "seconds_out_of_range")])
def test_a_search_is_neither_shorter_nor_longer_than_it_may_be(length: int, code: str) -> None:
    found = refused(crowded(), seconds=length)
    assert (found.code, found.params, found.status) == (code, {"least": 5, "most": 60}, 400)


def test_there_is_nothing_to_plan_without_a_plan_and_when_everything_is_over() -> None:
    assert refused(make_event()).code == "nothing_to_plan"
    event = crowded(runs=True)
    for tournament in event.tournaments.all():
        report(pairings(tournament)[0], (3, 0))
    plans.ask_for_plan(event_id=event.pk)
    replanned(event, NOW + MINUTE)
    assert refused(event).code == "nothing_to_plan"


def alone() -> Event:
    """One match, which cannot end earlier than it does."""
    tournament = make_tournament(seeding="rating", seating="queue", format="single_elimination")
    put_up(tournament, (1,))
    make_field(size=2, tournament=tournament)
    start(tournament)
    plans.ask_for_plan(event_id=tournament.event_id)
    plans.replan(event_id=tournament.event_id, now=NOW)
    return tournament.event


def test_the_best_plan_is_not_looked_for() -> None:
    assert refused(alone()).code == "best_already"


# --- While it goes on.


def test_a_search_is_taken_once_however_often_it_is_handed_out() -> None:
    search = asked(crowded())
    first = searches.begin_search(search_id=search.pk, now=NOW)
    assert first is not None
    assert (ends(first.search), first.search.begun_at) == ([160, 160, 100], NOW)
    assert searches.begin_search(search_id=search.pk, now=NOW) is None
    assert searches.waiting_searches() == []
    call_command("improve", search.pk)
    search.refresh_from_db()
    assert search.over_at is None


def test_a_process_of_its_own_is_started_for_it(tmp_path: Path, settings: Any) -> None:
    (tmp_path / "manage.py").write_text("import sys\nopen('said', 'a').write(' '.join(sys.argv[1:]) + '\\n')\n")
    settings.BASE_DIR = tmp_path
    search = asked(crowded())
    tasks.sweep()
    for thread in [each for each in threads() if each.name == f"search {search.pk}"]:
        thread.join()
    assert (tmp_path / "said").read_text() == f"improve {search.pk} --nice 10\n"
    searches.begin_search(search_id=search.pk, now=timezone.now())
    tasks.start_search(search.pk)
    assert f"search {search.pk}" not in [each.name for each in threads()]


def test_how_far_it_is_stands_in_the_database() -> None:
    one = begun(crowded())
    now = one.facts.now
    told = {"search_id": one.search.pk, "now": NOW + SECOND}
    assert searches.note_progress(**told, end=now + 150 * 60, bound=now + 120 * 60)  # type: ignore[arg-type]
    one.search.refresh_from_db()
    assert (ends(one.search), one.search.seen_at) == ([160, 150, 120], NOW + SECOND)
    page = search_page(event=one.search.event)
    assert [page.seconds_left(now=NOW + each * SECOND) for each in (0, 8, 30)] == [20, 12, 0]


def test_who_falls_silent_has_failed_and_comes_too_late_afterwards() -> None:
    event = crowded()
    one = begun(event)
    searches.note_progress(search_id=one.search.pk, now=NOW + 10 * SECOND)
    searches.end_silent_searches(now=NOW + 40 * SECOND)
    assert PlanSearch.objects.get().outcome == ""
    searches.end_silent_searches(now=NOW + 41 * SECOND)
    assert [(row.outcome, row.over_at) for row in PlanSearch.objects.all()] == [("failed", NOW + 41 * SECOND)]
    assert searches.note_progress(search_id=one.search.pk, now=NOW + 42 * SECOND) is False
    assert searches.finish_search(begun=one, found=in_order(one.facts, 30, 30, 40), now=NOW + 42 * SECOND) is None
    assert wanted(event) == 0
    assert asked(event).pk != one.search.pk


def test_what_nobody_begins_is_over_as_well() -> None:
    asked(crowded())
    searches.end_silent_searches(now=NOW + 31 * SECOND)
    assert PlanSearch.objects.get().outcome == "failed"


def test_a_search_is_stopped_and_what_it_found_by_then_counts() -> None:
    event = crowded()
    by = organiser(of=event)
    for order, outcome in (((40, 30, 30), "stopped"), ((30, 30, 40), "better")):
        one = begun(event)
        for _ in range(2):
            searches.stop_search(event_id=event.pk, by=by, now=NOW + SECOND)
        assert searches.note_progress(search_id=one.search.pk, now=NOW + SECOND) is False
        done = searches.finish_search(begun=one, found=in_order(one.facts, *order), now=NOW + SECOND)
        assert done is not None
        assert (done.outcome, done.stop_at) == (outcome, NOW + SECOND)
    assert Act.objects.filter(verb="stop_search").count() == 2
    none = searches.stop_search(event_id=event.pk, by=by, now=NOW)
    assert isinstance(none, Refused)
    assert none.code == "no_search"


def test_a_search_nobody_has_begun_is_stopped_at_once() -> None:
    event = crowded()
    search = asked(event)
    searches.stop_search(event_id=event.pk, by=organiser(of=event), now=NOW + SECOND)
    search.refresh_from_db()
    assert (search.outcome, search.over_at) == ("stopped", NOW + SECOND)
    assert searches.begin_search(search_id=search.pk, now=NOW + SECOND) is None


# --- What it found.


def test_a_better_plan_is_kept_and_the_day_goes_by_it() -> None:
    event = crowded(runs=True)
    assert replanned(event, NOW) == {"Long": 0, "Short": 100, "Other": 130, "end": 160}
    done = finished(event, 30, 30, 40, is_best=True)
    assert (done.outcome, ends(done), done.is_best) == ("better", [160, 140, 100], True)
    assert replanned(event, NOW + 4 * SECOND) == {"Long": 100, "Short": 0, "Other": 30, "end": 140}
    call_matches(event_id=event.pk, now=NOW + 4 * SECOND)
    called = Tournament.objects.get(stages__rounds__pairings__called_at__isnull=False)
    assert called.name == "Short"
    act = Act.objects.get(verb="keep_better_plan")
    assert (act.role, act.before, act.after) == (
        "system",
        {"ends": "2027-05-22T15:40+03:00", "without": 0},
        {"ends": "2027-05-22T15:20+03:00", "without": 0},
    )


def test_what_is_not_better_changes_nothing() -> None:
    event = crowded()
    done = finished(event, 40, 30, 30)
    assert (done.outcome, ends(done), done.is_best) == ("same", [160, 160, 100], False)
    assert (wanted(event), Act.objects.filter(verb="keep_better_plan").count()) == (0, 0)


def test_what_is_proved_to_be_the_best_is_said_to_be() -> None:
    event = crowded()
    finished(event, 30, 30, 40)
    done = finished(event, 30, 30, 40, is_best=True)
    assert (done.outcome, ends(done), done.is_best) == ("same", [140, 140, 100], True)
    assert wanted(event) == 3


def test_more_matches_before_closing_are_better() -> None:
    event = crowded()
    event.openings.create(opens_at=NOW - MINUTE, closes_at=NOW + 140 * MINUTE)
    done = finished(event, 30, 30, 40)
    assert (done.outcome, done.without_before, done.without_found) == ("better", 1, 0)


def test_a_hall_that_has_changed_meanwhile_is_planned_as_before() -> None:
    """Without lunch every order ends at the same time: the one that was found helps no more."""
    event = crowded()
    one = begun(event)
    Break.objects.all().delete()
    done = searches.finish_search(begun=one, found=in_order(one.facts, 30, 30, 40, is_best=True), now=NOW + 9 * SECOND)
    assert done is not None
    assert (done.outcome, ends(done), done.is_best) == ("late", [100.15, 100.15, 100.15], True)
    assert wanted(event) == 0


def test_an_order_that_comes_too_late_is_not_kept() -> None:
    """The long match is called while the search goes on."""
    event = crowded(runs=True)
    one = begun(event)
    call_matches(event_id=event.pk, now=NOW + 5 * SECOND)
    done = searches.finish_search(begun=one, found=in_order(one.facts, 30, 30, 40), now=NOW + 9 * SECOND)
    assert done is not None
    assert (done.outcome, done.is_best, wanted(event)) == ("late", False, 0)


def test_time_that_passes_while_it_is_looked_makes_nothing_worse() -> None:
    event = crowded()
    one = begun(event)
    now = NOW + 50 * SECOND
    done = searches.finish_search(begun=one, found=in_order(one.facts, 30, 30, 40, is_best=True), now=now)
    assert done is not None
    assert (done.outcome, done.is_best) == ("better", True)
    assert seconds(done.found_at or now) == one.facts.now + 140 * 60


def test_the_usual_plan_is_a_press_away() -> None:
    event = crowded()
    finished(event, 30, 30, 40)
    by = organiser(of=event)
    for _ in range(2):
        searches.drop_better_plan(event_id=event.pk, by=by, now=NOW)
    assert (wanted(event), Act.objects.filter(verb="drop_better_plan").count()) == (0, 1)
    assert replanned(event, NOW + 4 * SECOND)["end"] == 160
    page = search_page(event=event)
    assert (page.is_followed, page.search and page.search.outcome) == (False, "better")


def test_another_better_plan_takes_the_place_of_the_first() -> None:
    event = crowded()
    finished(event, 30, 30, 40)
    lunch = Break.objects.get()
    lunch.starts_at, lunch.ends_at = NOW + 40 * MINUTE, NOW + 50 * MINUTE
    lunch.save()
    done = finished(event, 40, 30, 30)
    assert (done.outcome, ends(done)[:2]) == ("better", [120, 110])
    firsts = Slot.objects.order_by("wanted_at").values_list("stage__tournament__name", flat=True)
    assert firsts[0] == "Long"


def test_a_plan_that_cannot_be_better_needs_no_solver() -> None:
    event = alone()
    search = PlanSearch.objects.create(event=event, seconds=5, asked_at=NOW)
    call_command("improve", search.pk)
    search.refresh_from_db()
    assert (search.outcome, search.is_best, search.found_at == search.bound_at) == ("same", True, True)


def test_a_search_that_was_never_asked_for_is_none() -> None:
    call_command("improve", 987654)
    assert PlanSearch.objects.count() == 0
