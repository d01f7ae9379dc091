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


def by_form(tournament: Tournament, name: str) -> int:
    return desk_of(tournament).post(reverse("entry_add", args=[tournament.pk]), {"name": name}).status_code


def by_entry_desk(tournament: Tournament, name: str) -> int:
    token = by_link(tournament, role=Role.DESK).headers["Authorization"].removeprefix("Link ")
    return (
        Client().post(reverse("staff_walk_in", args=[token]), {"name": name, "tournament": tournament.pk}).status_code
    )


def by_script(tournament: Tournament, name: str) -> int:
    return int(by_token(tournament).post(f"tournaments/{tournament.pk}/entries/", {"name": name}).status_code)


def by_list(tournament: Tournament, name: str) -> int:
    body = {"rows": [{"name": name}], "apply": True}
    return int(by_token(tournament).post(f"tournaments/{tournament.pk}/imports/", body).status_code)


@pytest.mark.parametrize("door", [by_form, by_entry_desk, by_script, by_list])
def test_na_04_the_longest_name_is_taken_and_one_sign_more_is_not(door: Callable[[Tournament, str], int]) -> None:
    tournament = make_tournament()
    assert door(tournament, f"{LONGEST}x") == 400
    assert tournament.entries.count() == 0
    door(tournament, f"  {LONGEST}\u200b ")
    assert list(tournament.entries.values_list("name", flat=True)) == ["é" * 119 + "🐙"]
