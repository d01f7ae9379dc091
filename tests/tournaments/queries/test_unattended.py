"""When no referee is there for what is planned: by their tables, their hours and the tournament they are for."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import pytest
from django.utils import timezone

from players.permissions import Role
from tests.factories import NOW, make_tournament
from tests.tournaments.actions.test_plans import MINUTE, planned
from tests.tournaments.actions.test_queue import called, queued
from tests.tournaments.api.asking import by_token
from tests.tournaments.views.desk import desk_of, page_text, text_of
from tests.tournaments.views.test_desk_plan import address, day, plan
from tournaments.actions.queue import call_matches
from tournaments.models import StaffLink, Tournament
from tournaments.queries.plan_page import plan_page
from tournaments.templatetags.cantina import venue_time

pytestmark = pytest.mark.django_db


def evening() -> Tournament:
    """Two tables: a match at each at once, then the final at the first, from 25 to 45 minutes after the beginning."""
    tournament = queued(4, (1, 2), format="single_elimination", match_minutes=20)
    called(tournament)
    planned(tournament)
    return tournament


def referee(of: Tournament, **facts: Any) -> StaffLink:
    said = {"role": Role.REFEREE, "name": "Marta", "created_at": NOW, "expires_at": NOW + 600 * MINUTE}
    return StaffLink.objects.create(event=of.event, **{**said, **facts})


def told(tournament: Tournament, now: datetime = NOW) -> list[tuple[float, float, tuple[int, ...], int]]:
    found = plan_page(event=tournament.event, now=now).unattended
    return [
        ((each.starts_at - NOW) / MINUTE, (each.ends_at - NOW) / MINUTE, each.tables, each.matches) for each in found
    ]


def test_where_nobody_has_a_link_nobody_is_missed() -> None:
    tournament = evening()
    referee(tournament, role=Role.DESK)
    referee(tournament, revoked_at=NOW)
    assert told(tournament) == []


def test_a_referee_of_all_tables_all_the_time_leaves_nothing_alone() -> None:
    tournament = evening()
    referee(tournament)
    assert told(tournament) == []


def test_tables_nobody_has_are_alone_whenever_something_is_planned_there() -> None:
    tournament = evening()
    referee(tournament, tables=[1])
    assert told(tournament) == [(0, 20, (2,), 1)]
    referee(tournament, tables=[2], tournament=make_tournament(event=tournament.event))
    assert told(tournament) == [(0, 20, (2,), 1)]
    referee(tournament, tables=[2], tournament=tournament)
    assert told(tournament) == []


def test_hours_are_kept_to_the_minute_and_one_follows_the_other() -> None:
    tournament = evening()
    final = 30, 50, (1,), 1  # the last of two ends later than each
    first = referee(tournament, here_from=NOW + 5 * MINUTE, here_until=NOW + 20 * MINUTE)
    assert told(tournament) == [(0, 50, (1, 2), 3)]
    assert told(tournament, NOW + 10 * MINUTE) == [final]
    second = referee(tournament, here_from=NOW + 18 * MINUTE, here_until=NOW + 40 * MINUTE)
    assert told(tournament, NOW + 10 * MINUTE) == [(40, 50, (1,), 1)]
    StaffLink.objects.filter(pk=first.pk).update(here_from=None)
    StaffLink.objects.filter(pk=second.pk).update(here_until=None, expires_at=NOW + 45 * MINUTE)
    assert told(tournament) == [(45, 50, (1,), 1)]


def test_the_page_of_the_plan_and_a_program_are_told() -> None:
    tournament = day()
    call_matches(event_id=tournament.event_id, now=timezone.now())
    plan(tournament.event, after=10)
    where = address("desk_plan", tournament)
    assert "No referee is there" not in page_text(desk_of(tournament).get(where))
    referee(tournament, tables=[2], expires_at=timezone.now() + 600 * MINUTE)
    shown = desk_of(tournament).get(where)
    (found,) = shown.context["plan"].unattended
    from_, until = (text_of(venue_time(each, tournament.event)) for each in (found.starts_at, found.ends_at))
    assert f"No referee is there About {from_} to {until} table 1 2 matches Helpers" in page_text(shown)
    told = by_token(tournament).get(f"events/{tournament.event_id}/plan/").json()["without_referee"]
    assert [(each["tables"], each["matches"]) for each in told] == [([1], 2)]
    assert datetime.fromisoformat(told[0]["ends_at"]) == found.ends_at
