"""NA-04: a name has one limit, counted in code points after cleaning, and it is the same at every door."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client
from django.urls import reverse

from players.permissions import Role
from tests.factories import make_tournament
from tests.tournaments.api.asking import by_link, by_token
from tests.tournaments.views.desk import desk_of
from tournaments.models import Tournament

pytestmark = pytest.mark.django_db

LONGEST = "e\u0301" * 119 + "🐙"  # composed it is 120 code points, and the spaces around it do not count


def by_form(tournament: Tournament, name: str) -> None:
    desk_of(tournament).post(reverse("entry_add", args=[tournament.pk]), {"name": name})


def by_entry_desk(tournament: Tournament, name: str) -> None:
    token = by_link(tournament, role=Role.DESK).headers["Authorization"].removeprefix("Link ")
    Client().post(reverse("staff_walk_in", args=[token]), {"name": name})


def by_script(tournament: Tournament, name: str) -> None:
    by_token(tournament).post(f"tournaments/{tournament.pk}/entries/", {"name": name})


def by_list(tournament: Tournament, name: str) -> None:
    by_token(tournament).post(f"tournaments/{tournament.pk}/imports/", {"rows": [{"name": name}], "apply": True})


@pytest.mark.parametrize("door", [by_form, by_entry_desk, by_script, by_list])
def test_na_04_the_longest_name_is_taken_and_one_sign_more_is_not(door: Callable[[Tournament, str], None]) -> None:
    tournament = make_tournament()
    door(tournament, f"{LONGEST}x")
    assert tournament.entries.count() == 0
    door(tournament, f"  {LONGEST}\u200b ")
    assert list(tournament.entries.values_list("name", flat=True)) == ["é" * 119 + "🐙"]
