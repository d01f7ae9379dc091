"""Before the start, by the API: what would go wrong, and a draw that leaves nothing behind."""

from __future__ import annotations

import pytest

from players.models import Act
from players.permissions import Role
from tests.factories import make_entry, make_field, make_tournament
from tests.tournaments.api.asking import by_link, by_stranger, by_token, code_of
from tests.tournaments.play import pairings, start
from tournaments.models import Round

pytestmark = pytest.mark.django_db


def test_what_stops_the_start_and_whom_it_leaves_out_is_told() -> None:
    tournament = make_tournament()
    entry = make_entry(tournament=tournament, name="Juhani")
    told = by_token(tournament).get(f"tournaments/{tournament.pk}/check/").json()
    assert (told["is_free"], told["missing"]) == (False, [{"id": entry.pk, "name": "Juhani"}])
    assert told["findings"][0] == {
        "code": "too_few",
        "params": {"least": 2, "here": 0},
        "stops": True,
        "entries": [],
        "note": None,
    }


def test_a_draw_that_was_tried_is_the_one_of_the_start_and_nothing_is_kept() -> None:
    tournament = make_tournament()
    make_field(size=4, tournament=tournament)
    api, path = by_token(tournament), f"tournaments/{tournament.pk}/check/"
    acts = Act.objects.count()
    assert api.get(path).json()["is_free"] is True
    first, again = (api.post(f"{path}draw/").json() for _ in range(2))
    assert first == again
    assert (Round.objects.count(), Act.objects.count()) == (0, acts)
    start(tournament)
    assert [(row["a"]["id"], row["b"]["id"]) for row in first["results"][0]["pairings"]] == [
        (pairing.a_id, pairing.b_id) for pairing in pairings(tournament, 1)
    ]
    assert code_of(api.get(path)) == (409, "roster_is_frozen")
    assert code_of(api.post(f"{path}draw/")) == (409, "roster_is_frozen")


def test_only_who_may_start_it_is_told() -> None:
    tournament = make_tournament()
    path = f"tournaments/{tournament.pk}/check/"
    assert code_of(by_stranger().post(f"{path}draw/")) == (404, "not_found")
    assert code_of(by_link(tournament, role=Role.DESK).get(path)) == (403, "not_allowed")
