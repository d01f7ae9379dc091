"""Side decks and stakes: what may be brought, what it costs, and who is paid."""

from __future__ import annotations

import pytest

from matches.engine import (
    Refusal,
    Settlement,
    check_side_deck,
    check_wagers,
    cost_of_cards,
    get_ruleset,
    is_admitted,
    settle,
    with_overrides,
)
from tests.matches.engine.table import DECK, PLAIN_DECK

STANDARD = get_ruleset("standard")
TABLE = get_ruleset("table")


def test_r4_the_refusal_is_the_first_that_applies() -> None:
    at_most_two = with_overrides(get_ruleset("kotor"), {"side_deck_copies_limit": 2})
    assert check_side_deck(at_most_two, ("D", "+7", "+1")) == Refusal.of("bad_size", least=10, most=10)
    assert check_side_deck(at_most_two, ("D", "+7", *["+1"] * 8)) == Refusal.of("unknown_card", card="+7")
    assert check_side_deck(at_most_two, ("D", *["+1"] * 9)) == Refusal.of("card_not_allowed", card="D")
    assert check_side_deck(at_most_two, ("+1", *PLAIN_DECK[:7], "+1", "*1")) == Refusal.of(
        "too_many_copies", card="+1", most=2
    )
    assert check_side_deck(at_most_two, PLAIN_DECK) is None


def test_r4_a_main_card_is_no_side_card() -> None:
    assert check_side_deck(STANDARD, ("7", *PLAIN_DECK[:9])) == Refusal.of("unknown_card", card="7")


def test_r30_special_cards_are_admitted_by_name() -> None:
    only_doubles = with_overrides(STANDARD, {"special_cards": ["D"]})
    assert [is_admitted(only_doubles, token) for token in ("D", "T1", "+1", "*6")] == [True, False, True, True]


def test_r34_two_stakes_of_nothing_are_no_stakes() -> None:
    assert check_wagers(STANDARD, (0, 0)) is None
    assert check_wagers(get_ruleset("senate"), (0, 0)) is None


@pytest.mark.parametrize("wagers", [(0, 0), (300_000, 0), (0, 300_000)])
def test_r34_where_wagers_are_required_both_put_one_up(wagers: tuple[int, int]) -> None:
    assert check_wagers(TABLE, wagers) == Refusal("wager_required")


@pytest.mark.parametrize("wagers", [(-1, 5), (5, -1), (1.5, 1.5), (True, True)])
def test_r34_a_wager_is_a_whole_number_of_credits(wagers: tuple[int, int]) -> None:
    assert check_wagers(STANDARD, wagers) == Refusal("wager_malformed")


def test_r34_over_the_minimum_means_over_it() -> None:
    assert check_wagers(TABLE, (200_000, 200_000)) == Refusal.of("wager_too_small", least=200_001)
    assert check_wagers(TABLE, (200_001, 200_001)) is None


def test_r34_unequal_stakes_pass_where_they_need_not_match() -> None:
    free = with_overrides(STANDARD, {"wagers_must_match": False})
    assert check_wagers(free, (100, 200)) is None
    assert settle(free, wagers=(100, 200), winner=1) == Settlement((0, 0), (0, 300), 0)


def test_r35_the_cut_is_rounded_down_and_may_be_of_the_loser_s_stake_alone() -> None:
    assert settle(TABLE, wagers=(200_003, 200_003), winner=0) == Settlement((0, 0), (340_006, 0), 60_000)
    net = with_overrides(TABLE, {"dealer_cut_base": "net"})
    assert settle(net, wagers=(200_003, 200_003), winner=1) == Settlement((0, 0), (0, 370_006), 30_000)


def test_r35_a_cancelled_match_pays_back_uncut() -> None:
    assert settle(TABLE, wagers=(300_000, 300_000), winner=None) == Settlement((0, 0), (300_000, 300_000), 0)


def test_r35_what_is_refused_before_play_is_refused_at_settlement() -> None:
    assert settle(get_ruleset("senate"), wagers=(1, 1), winner=0) == Refusal("wager_forbidden")


def test_r36_cards_cost_by_kind_and_special_ones_by_name() -> None:
    priced = {"plus": 1, "minus": 2, "plusminus": 4, "D": 8, "T1": 16, "V12": 32, "F24": 64, "F36": 128}
    assert cost_of_cards(with_overrides(STANDARD, {"card_prices": priced}), DECK) == 1 + 1 + 2 + 4 + 4 + 248
    assert cost_of_cards(STANDARD, DECK) == 0
