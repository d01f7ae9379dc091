"""Rulesets: the presets are the ones agreed on, and one that contradicts itself cannot be made."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from matches.engine import (
    RULESETS,
    Refusal,
    Ruleset,
    RulesetError,
    get_ruleset,
    options_of,
    overrides_of,
    with_overrides,
)
from matches.engine.rulesets import OPTION_NAMES

CASES: dict[str, Any] = json.loads((Path(__file__).parents[2] / "cases" / "rulesets.json").read_text())


def refusals(preset: str, **overrides: object) -> tuple[Refusal, ...]:
    with pytest.raises(RulesetError) as caught:
        with_overrides(get_ruleset(preset), overrides)
    return caught.value.refusals


def test_there_is_a_preset_for_each_of_the_agreed_ones() -> None:
    assert {ruleset.name for ruleset in RULESETS} == set(CASES["presets"])


@pytest.mark.parametrize("name", CASES["presets"])
def test_preset_has_the_agreed_options(name: str) -> None:
    agreed = CASES["presets"][name]
    assert options_of(get_ruleset(name)) == {**agreed, "special_cards": sorted(agreed["special_cards"])}


def test_the_options_are_the_agreed_ones_in_their_order() -> None:
    assert list(OPTION_NAMES) == [option["name"] for option in CASES["options"]]


def test_keys_are_versioned_and_unique() -> None:
    assert [(ruleset.name, ruleset.version) for ruleset in RULESETS] == [(r.key.split("/")[0], 1) for r in RULESETS]
    assert len({ruleset.key for ruleset in RULESETS}) == len(RULESETS)


def test_a_bare_name_is_the_newest_version_and_a_key_is_that_version() -> None:
    assert get_ruleset("kotor") is get_ruleset("kotor/1")


@pytest.mark.parametrize("key", ["", "sabacc", "kotor/2", "/1"])
def test_no_other_key_is_known(key: str) -> None:
    with pytest.raises(KeyError):
        get_ruleset(key)


@pytest.mark.parametrize("ruleset", RULESETS, ids=lambda ruleset: ruleset.key)
def test_plain_options_make_the_same_ruleset_again(ruleset: Ruleset) -> None:
    assert with_overrides(ruleset, options_of(ruleset)) == ruleset
    assert overrides_of(ruleset) == {}


def test_overrides_are_what_differs_from_the_preset() -> None:
    overrides = {"max_consecutive_ties": 3, "special_cards": ["D"], "flip_scope": "both"}
    assert overrides_of(with_overrides(get_ruleset("standard"), overrides)) == overrides


def test_equal_prices_in_another_order_are_equal_rulesets() -> None:
    prices = {"plusminus": 20_000, "minus": 5_000, "plus": 5_000}
    assert with_overrides(get_ruleset("table"), {"card_prices": prices}) == get_ruleset("table")


@pytest.mark.parametrize(
    ("preset", "overrides", "refusal"),
    [
        ("senate", {"wager_min": 1}, Refusal("wager_forbidden_with_terms")),
        ("senate", {"dealer_cut_percent": 1}, Refusal("wager_forbidden_with_terms")),
        (
            "senate",
            {"special_cards": [], "card_prices": {"plus": 1, "minus": 1, "plusminus": 1}},
            Refusal("wager_forbidden_with_terms"),
        ),
        ("standard", {"wager_min_exclusive": True}, Refusal("exclusive_without_minimum")),
        ("table", {"special_cards": ["D"]}, Refusal.of("kind_without_price", kind="D")),
        ("table", {"card_prices": {"plus": 1, "minus": 1}}, Refusal.of("kind_without_price", kind="plusminus")),
    ],
)
def test_a_contradiction_is_refused_with_its_reason(
    preset: str, overrides: dict[str, object], refusal: Refusal
) -> None:
    assert refusals(preset, **overrides) == (refusal,)


def test_a_contradiction_by_size_is_told_beside_the_range_it_breaks() -> None:
    assert refusals("standard", side_deck_min=11) == (
        Refusal.of("option_out_of_range", option="side_deck_min", value=11),
        Refusal("side_deck_min_over_size"),
    )
    assert refusals("gold", hand_size=5) == (
        Refusal.of("option_out_of_range", option="hand_size", value=5),
        Refusal("hand_over_side_deck"),
    )


@pytest.mark.parametrize(
    ("name", "value", "code"),
    [
        ("sabacc_shift", True, "option_unknown"),
        ("sets_to_win", 0, "option_out_of_range"),
        ("sets_to_win", "3", "option_malformed"),
        ("sets_to_win", True, "option_malformed"),
        ("sets_to_win", None, "option_malformed"),
        ("board_size", 8, "option_out_of_range"),
        ("hand_cards_per_turn", 5, "option_out_of_range"),
        ("auto_stand_at_20", 1, "option_malformed"),
        ("main_deck", "tarot", "option_out_of_range"),
        ("main_deck", 40, "option_out_of_range"),
        ("special_cards", ["X9"], "option_out_of_range"),
        ("special_cards", "D", "option_malformed"),
        ("special_cards", [1], "option_malformed"),
        ("card_prices", {"plus": -1, "minus": 1, "plusminus": 1}, "option_malformed"),
        ("card_prices", {"gold": 1}, "option_malformed"),
        ("card_prices", 5, "option_malformed"),
        ("dealer_cut_percent", 101, "option_out_of_range"),
    ],
)
def test_a_value_no_option_can_hold_is_refused(name: str, value: object, code: str) -> None:
    assert [(each.code, dict(each.params)["option"]) for each in refusals("standard", **{name: value})] == [
        (code, name)
    ]


def test_everything_wrong_is_told_at_once() -> None:
    found = refusals("standard", sets_to_win=0, board_size=10)
    assert [dict(each.params)["option"] for each in found] == ["sets_to_win", "board_size"]


@pytest.mark.parametrize("key", ["standard", "standard/", "/1", "standard/0", "standard/x"])
def test_a_key_without_a_version_is_refused(key: str) -> None:
    with pytest.raises(RulesetError) as caught:
        Ruleset(key=key)
    assert caught.value.refusals == (Refusal.of("option_malformed", option="key"),)


def test_a_typed_option_must_have_its_type() -> None:
    with pytest.raises(RulesetError) as caught:
        Ruleset(key="x/1", main_deck="infinite")  # type: ignore[arg-type]  # what a careless caller would write
    assert str(caught.value) == "option_malformed"


def test_a_price_said_twice_is_refused() -> None:
    with pytest.raises(RulesetError) as caught:
        Ruleset(key="x/1", special_cards=frozenset(), card_prices=(("plus", 1), ("plus", 2), ("minus", 1)))
    assert [refusal.code for refusal in caught.value.refusals] == ["option_malformed"]
