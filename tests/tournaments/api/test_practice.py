"""Practice by a script: no account, a policy that answers, and nothing of its hand before the end."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from matches.engine import OpenSet
from matches.models import Game
from matches.queries.games import POLICY_SEAT, record_of
from tests.tournaments.api.asking import Api, code_of
from tournaments.models import Tournament

pytestmark = pytest.mark.django_db


def sit_down(**said: Any) -> Any:
    return Api().post("practice/", {"ruleset": "standard", "policy": "original", **said})


def test_a_game_against_a_policy_is_played_to_its_end() -> None:
    rng = Random(7)
    opened = sit_down(words="luck")
    assert opened.status_code == 201
    table = opened.json()
    path = f"practice/{table['token']}/"
    assert (table["viewer"], table["policy"], table["ruleset"]) == ("a", "original", "standard/1")
    assert Api().get(path).json() == table
    for _ in range(300):
        if table["state"] == "over":
            break
        assert code_of(Api().get(f"{path}record/")) == (404, "not_found")
        assert (table["sides"][POLICY_SEAT]["hand"], table["deal"]["seed"]) == (None, None)
        said = {"move": rng.choice(table["moves"])["move"], "at": table["position"]}
        answer = Api().post(f"{path}moves/", said)
        assert answer.status_code == 200
        table = answer.json()
    assert table["state"] == "over"
    record = Api().get(f"{path}record/").json()
    assert (record["is_whole"], record["moves"]) == (True, Game.objects.get().moves)
    hands = [move.hands for move in record_of(Game.objects.get())[0].moves if isinstance(move, OpenSet) and move.hands]
    assert f"({' '.join(hands[0][POLICY_SEAT] or ())})" in record["text"]
    assert Tournament.objects.count() == 0


def test_an_old_position_gets_the_present_table() -> None:
    table = sit_down(policy="stand_at:16").json()
    path = f"practice/{table['token']}/moves/"
    once = Api().post(path, {"move": "end", "at": table["position"]}).json()
    assert Api().post(path, {"move": "end", "at": table["position"]}).json() == once
    late = Api().post(path, {"move": "stand", "at": table["position"]})
    assert (code_of(late), late.json()["now"]) == ((409, "position_moved"), once)
    assert code_of(Api().post(path, {"move": "again", "at": once["position"]})) == (409, "ruling_not_due")


def test_what_is_asked_for_has_to_be_there() -> None:
    assert code_of(sit_down(policy="clairvoyant")) == (400, "policy_unknown")
    assert code_of(sit_down(ruleset="sabacc")) == (400, "invalid")
    token = sit_down().json()["token"]
    assert code_of(Api().get(f"practice/{token}x/")) == (404, "not_found")
    assert code_of(Api().post(f"practice/{token}/moves/", {"move": "end"})) == (400, "invalid")
