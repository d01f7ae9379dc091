"""The page of the house's health: a word for everybody, every part for organisers, and what waits too long is named."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client
from django.utils import timezone

from players.actions import create_account
from tests.factories import NOW, make_event
from tests.tournaments.play import pairings, report, stage_of
from tests.tournaments.views.desk import Page, desk_of, heading, page_text, running, signed_in
from tournaments import tasks
from tournaments.models import StageChange
from tournaments.queries.health import CLOCK, WORKER, pulse_key

pytestmark = pytest.mark.django_db

HEALTH = "/health/"


def word() -> tuple[int, str]:
    """What somebody from outside is told."""
    answer = Client().get(HEALTH)
    return answer.status_code, answer.content.decode()


def details() -> Page:
    return desk_of(make_event()).get(HEALTH)


def everybody_lives() -> None:
    tasks.sweep.apply_async()  # what the clock does
    tasks.sweep()  # what the worker does


def test_bj_11_while_the_worker_and_its_clock_live_all_is_well() -> None:
    everybody_lives()
    assert word() == (200, "well\n")
    page = details()
    assert (page.status_code, heading(page)) == (200, "All is well")
    told = page_text(page)
    assert told.count("works") - told.count("What works here") == 4
    assert told.count("nothing waits") == 4
    assert "1 task is on its way to the worker." in told


def test_bj_11_a_worker_that_was_never_heard_of_is_named() -> None:
    tasks.sweep.apply_async()
    assert word() == (200, "late\n")
    page = details()
    assert heading(page) == "Something is behind"
    assert page_text(page).count("has not been heard of") == 1


@pytest.mark.parametrize("who", [CLOCK, WORKER])
def test_bj_11_who_falls_silent_is_late_after_half_a_minute(who: str) -> None:
    everybody_lives()
    cache.set(pulse_key(who), timezone.now() - timedelta(seconds=29), None)
    assert word() == (200, "well\n")
    cache.set(pulse_key(who), timezone.now() - timedelta(seconds=31), None)
    assert word() == (200, "late\n")
    assert page_text(details()).count("says nothing any more") == 1


def test_bj_11_work_older_than_its_limit_is_named_until_it_is_done() -> None:
    tournament = running()
    everybody_lives()
    report(pairings(tournament, 1)[0], (3, 1))
    StageChange.objects.filter(read_at__isnull=True).update(at=timezone.now() - timedelta(seconds=29))
    assert word() == (200, "well\n")
    assert "Results to count: 1 on its way" in page_text(details())
    StageChange.objects.filter(read_at__isnull=True).update(at=timezone.now() - timedelta(minutes=3))
    assert word() == (200, "late\n")
    assert "Results to count: 1 waits too long for 3 minutes" in page_text(details())
    tasks.refresh_standings(stage_of(tournament).pk)
    assert word() == (200, "well\n")


def test_bj_11_without_redis_the_house_answers_that_it_is_away(settings: Any) -> None:
    everybody_lives()
    settings.CELERY_BROKER_URL = "redis://127.0.0.1:1/0"
    assert word() == (503, "away\n")
    page = details()
    assert (page.status_code, heading(page)) == (503, "Something is away")
    assert "what is answered never depends on it. is away Worker" in page_text(page)


def test_only_who_organises_here_sees_the_parts() -> None:
    everybody_lives()
    guest = create_account(email="guest@example.org", password=None, now=NOW)
    answer = signed_in(guest).get(HEALTH)
    assert (answer.content, answer.headers["Content-Type"]) == (b"well\n", "text/plain; charset=utf-8")
    assert Client().post(HEALTH).status_code == 405
