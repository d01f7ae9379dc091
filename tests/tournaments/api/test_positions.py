"""Every scenario of play, entered through the API, gives its outcome; and what is no position is pointed at."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from matches.engine.scenarios import compare
from tests.tournaments.api.asking import Api, code_of

pytestmark = pytest.mark.django_db

CASES: dict[str, Any] = json.loads((Path(__file__).parents[2] / "cases" / "pazaak.json").read_text())
PLAYED = [scenario for scenario in CASES["scenarios"] if scenario["kind"] == "play"]


def asked(scenario: dict[str, Any]) -> dict[str, Any]:
    """What is sent of a scenario: everything but its outcome."""
    return {name: scenario[name] for name in ("ruleset", "overrides", "setup", "moves") if name in scenario}


@pytest.mark.parametrize("scenario", PLAYED, ids=lambda scenario: scenario["id"])
def test_a_scenario_entered_by_the_api_gives_its_outcome(scenario: dict[str, Any]) -> None:
    answer = Api().post("positions/", asked(scenario))
    assert answer.status_code == 200, answer.content
    told = answer.json()
    assert [each for each in compare(scenario["expect"], told["table"]) if each.matters] == []
    refused = [number for number, entry in enumerate(scenario["moves"]) if entry.get("illegal")]
    assert [each["move"] for each in told["refused"]] == refused
    assert told["table"]["illegal_code"] == (told["refused"][-1]["code"] if refused else None)


def pointers(body: Any) -> list[tuple[str, str]]:
    answer = Api().post("positions/", body)
    assert code_of(answer) == (400, "invalid")
    return [(each["pointer"], each["code"]) for each in answer.json()["errors"]]


def test_what_is_no_position_is_pointed_at() -> None:
    fair = {"ruleset": "standard", "setup": {"first": "A"}, "moves": []}
    assert pointers({}) == [("/ruleset", "required"), ("/moves", "required")]
    assert pointers([]) == [("", "invalid")]
    assert pointers({**fair, "ruleset": "sabacc"}) == [("/ruleset", "invalid_choice")]
    moves = [{"p": "A", "draw": 7}, {"p": "C"}, {"draw": 3}, {"p": "A", "paly": "+3"}, "end", {"p": "A", "as": "x"}]
    assert pointers({**fair, "moves": moves}) == [
        ("/moves/1/p", "invalid_choice"),
        ("/moves/2/p", "required"),
        ("/moves/3/paly", "invalid"),
        ("/moves/4", "invalid"),
        ("/moves/5/as", "invalid"),
    ]
    assert pointers({**fair, "moves": [{"p": "A", "draw": 1}] * 501}) == [("/moves", "max_length")]
    assert pointers({**fair, "setup": {"first": "A", "hands": {"A": ["+9"]}}}) == [("/setup", "unknown_card")]
    assert pointers({**fair, "setup": {}}) == [("/setup", "opener_by_lot")]
    assert pointers({**fair, "setup": {"hands": {"A": "+1"}}}) == [("/setup/hands/A", "not_a_list")]
    overrides = {"hand_cards_per_turn": "many", "sabacc": 1, "tie_rule": ["replay"]}
    assert pointers({**fair, "overrides": overrides}) == [
        ("/overrides/sabacc", "option_unknown"),
        ("/overrides/tie_rule", "option_out_of_range"),
    ]
    assert pointers({**fair, "overrides": {"wager_min_exclusive": True}}) == [
        ("/overrides", "exclusive_without_minimum")
    ]


def test_a_hand_that_is_not_known_may_hold_any_card() -> None:
    body = {
        "ruleset": "standard",
        "setup": {"first": "A", "hands": {"A": None}},
        "moves": [{"p": "A", "draw": 7, "play": "*3", "as": -3}, {"p": "A", "play": "+1"}],
    }
    told = Api().post("positions/", body).json()
    assert (told["table"]["totals"], told["table"]["boards"]) == ({"A": 4, "B": 0}, {"A": [7, -3], "B": []})
    assert told["refused"] == [{"move": 1, "code": "hand_card_limit"}]


def test_who_asks_too_often_waits() -> None:
    body = {"ruleset": "standard", "setup": {"first": "A"}, "moves": []}
    answers = [Api().post("positions/", body) for _ in range(61)]
    assert {answer.status_code for answer in answers[:60]} == {200}
    assert code_of(answers[60]) == (429, "asked_too_often")
    assert int(answers[60]["Retry-After"]) > 0
