"""Every scenario of `tests/cases/pazaak.json` comes out as it says, and the checker notices when one does not."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from matches.engine.scenarios import SCHEMA, Difference, check_scenario

CASES: dict[str, Any] = json.loads((Path(__file__).parents[2] / "cases" / "pazaak.json").read_text())
BY_ID: dict[str, dict[str, Any]] = {scenario["id"]: scenario for scenario in CASES["scenarios"]}


def changed(name: str, **parts: object) -> dict[str, Any]:
    return {**BY_ID[name], **parts}


def test_the_schema_is_the_one_the_checker_reads() -> None:
    assert CASES["schema"] == SCHEMA


@pytest.mark.parametrize("scenario", CASES["scenarios"], ids=lambda scenario: scenario["id"])
def test_scenario(scenario: dict[str, Any]) -> None:
    assert check_scenario(scenario) == ()


def test_a_wrong_total_is_named() -> None:
    found = check_scenario(changed("S02", expect={"totals": {"A": 18, "B": 18}, "set_winner": "B"}))
    assert found == (Difference("totals/A", 18, 19), Difference("set_winner", "B", "A"))


def test_hands_are_compared_as_multisets() -> None:
    scenario = changed("S01", setup={"first": "A", "hands": {"A": ["+1", "-2", "+1"], "B": []}})
    assert check_scenario({**scenario, "expect": {"hands": {"A": ["-2", "+1", "+1"]}}}) == ()
    assert check_scenario({**scenario, "expect": {"hands": {"A": ["-2", "+1"]}}}) == (
        Difference("hands/A", ["-2", "+1"], ["+1", "+1", "-2"]),
    )


def test_a_move_refused_against_expectation_is_named_by_its_place() -> None:
    moves = [{"p": "B", "draw": 10}, {"p": "A", "draw": 9}]
    found = check_scenario(changed("S01", moves=moves, expect={"totals": {"A": 9}}))
    assert found == (Difference("moves/0", None, "not_your_turn"),)


def test_a_move_accepted_against_expectation_is_named_by_its_place() -> None:
    found = check_scenario(changed("S01", moves=[{"p": "A", "draw": 9, "illegal": True}], expect={}))
    assert found == (Difference("moves/0", "refused", None),)


def test_an_entry_is_all_or_nothing() -> None:
    """The draw of 10 stands the side at once, so the whole entry with its `end` is refused and nothing is drawn."""
    moves = [
        {"p": "A", "draw": 10, "do": "end"},
        {"p": "B", "draw": 1, "do": "end"},
        {"p": "A", "draw": 10, "do": "end", "illegal": True},
    ]
    scenario = changed("S01", moves=moves, expect={"totals": {"A": 10}, "turn": "A", "illegal_code": "not_your_turn"})
    assert check_scenario(scenario)[0].matters is False
    assert check_scenario({**scenario, "expect": {"totals": {"A": 10}, "turn": "A"}}) == ()


def test_the_refusal_code_is_told_but_fails_nothing() -> None:
    expected = {**BY_ID["S05"]["expect"], "illegal_code": "card_not_in_hand"}
    found = check_scenario(changed("S05", expect=expected))
    assert found == (Difference("illegal_code", "card_not_in_hand", "hand_card_limit", matters=False),)


def test_a_new_deal_comes_with_the_next_set_where_hands_are_dealt_for_each() -> None:
    moves = [
        {"p": "A", "draw": 10, "do": "stand"},
        {"p": "B", "draw": 9, "do": "stand"},
        {"next_set": "B", "hands": {"A": ["+1", "*2"], "B": ["-6"]}},
    ]
    scenario = {
        "id": "new",
        "kind": "play",
        "ruleset": "table",
        "setup": {"first": "A", "hands": {"A": ["+5"], "B": []}, "sets_won": {"A": 1, "B": 2}},
        "moves": moves,
        "expect": {"hands": {"A": ["*2", "+1"], "B": ["-6"]}, "turn": "B", "sets_won": {"A": 2, "B": 2}},
    }
    assert check_scenario(scenario) == ()


def test_one_deck_each_is_counted_for_each() -> None:
    expected = {"main_deck_left": {"A": 37, "B": 38}}
    assert check_scenario(changed("G15", expect=expected)) == ()


def test_a_setup_that_needs_a_lot_is_a_difference() -> None:
    found = check_scenario(changed("S01", setup={}, expect={}))
    assert found == (Difference("setup", None, "opener_by_lot"),)


def test_contradictory_overrides_are_a_difference() -> None:
    found = check_scenario(changed("S01", overrides={"wager_min_exclusive": True}))
    assert found == (Difference("overrides", None, "exclusive_without_minimum"),)


def test_a_cancelled_match_pays_the_wagers_back() -> None:
    given = {"wagers": {"A": 250_000, "B": 250_000}, "winner": None}
    expected = {"payout": {"A": 250_000, "B": 250_000}, "dealer_cut": 0, "error": None}
    assert check_scenario(changed("M01", input=given, expect=expected)) == ()


def test_wagers_that_are_not_put_in_are_none() -> None:
    assert check_scenario(changed("M04", input={"winner": "A"}, expect={"error": "wager_required"})) == ()


def test_an_unknown_ruleset_or_kind_is_an_error() -> None:
    with pytest.raises(KeyError):
        check_scenario(changed("S01", ruleset="sabacc"))
    with pytest.raises(KeyError):
        check_scenario(changed("S01", kind="duel"))
