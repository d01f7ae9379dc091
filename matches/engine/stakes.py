"""Play money: what the cards cost, what the winner is paid and what the Dealer keeps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from matches.engine.cards import CARD, Kind
from matches.engine.refusal import Refusal
from matches.engine.rulesets.base import CutBase, Ruleset, WagerMode

_Pair = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Settlement:
    """Who is paid what, in credits, for side A and side B. `payout` leaves the cost of the cards out."""

    card_cost: _Pair
    payout: _Pair
    dealer_cut: int


def cost_of_cards(ruleset: Ruleset, cards: Sequence[str]) -> int:
    """What the Dealer asks for a side deck of valid tokens, in credits; 0 where cards are not sold."""
    if ruleset.card_prices is None:
        return 0
    prices = dict(ruleset.card_prices)
    kinds = (token if CARD[token].kind is Kind.SPECIAL else CARD[token].kind.value for token in cards)
    return sum(prices[kind] for kind in kinds)


def check_wagers(ruleset: Ruleset, wagers: _Pair) -> Refusal | None:
    """What is wrong with the stakes of side A and side B before play; None when they stand.

    Codes, the first that applies: `wager_malformed`, `wager_forbidden`, `wager_required`, `wager_too_small` (with
    `least`, the smallest stake that would do), `wagers_differ`. Two stakes of 0 are no stakes.
    """
    if any(type(wager) is not int or wager < 0 for wager in wagers):
        return Refusal.of("wager_malformed")
    if wagers != (0, 0) and ruleset.wager_mode is WagerMode.FORBIDDEN:
        return Refusal.of("wager_forbidden")
    if 0 in wagers and ruleset.wager_mode is WagerMode.REQUIRED:
        return Refusal.of("wager_required")
    if wagers == (0, 0):
        return None
    least = ruleset.wager_min + ruleset.wager_min_exclusive
    if min(wagers) < least:
        return Refusal.of("wager_too_small", least=least)
    if ruleset.wagers_must_match and wagers[0] != wagers[1]:
        return Refusal.of("wagers_differ")
    return None


def settle(
    ruleset: Ruleset,
    *,
    wagers: _Pair,
    winner: int | None,
    side_decks: tuple[Sequence[str], Sequence[str]] = ((), ()),
) -> Settlement | Refusal:
    """Pay out a match: `winner` is 0 for side A, 1 for side B, None when it was cancelled or both were absent.

    Cancelled: the wagers go back and nothing is cut. Otherwise the winner takes the pot less the Dealer's cut, rounded
    down. Refused as `check_wagers` refuses.
    """
    refusal = check_wagers(ruleset, wagers)
    if refusal is not None:
        return refusal
    cost = (cost_of_cards(ruleset, side_decks[0]), cost_of_cards(ruleset, side_decks[1]))
    if winner is None:
        return Settlement(cost, wagers, 0)
    pot = sum(wagers)
    base = pot if ruleset.dealer_cut_base is CutBase.POT else wagers[1 - winner]
    cut = base * ruleset.dealer_cut_percent // 100
    return Settlement(cost, (pot - cut, 0) if winner == 0 else (0, pot - cut), cut)
