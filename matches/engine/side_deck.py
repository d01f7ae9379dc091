"""Side decks: whether one may be brought to a match under a ruleset."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

from matches.engine.cards import CARD, HAND_ORDER, Kind
from matches.engine.refusal import Refusal
from matches.engine.rulesets.base import Ruleset

CLUB_DECK: Final = ("+1", "+2", "+3", "+4", "-1", "-2", "-3", "*1", "*2", "*3")
"""The ten cards a club lends to who brought none: admitted by every ruleset."""


def is_admitted(ruleset: Ruleset, token: str) -> bool:
    """Whether the ruleset lets this hand card be used at all. Raises `KeyError` for an unknown token."""
    return CARD[token].kind is not Kind.SPECIAL or token in ruleset.special_cards


def check_side_deck(ruleset: Ruleset, cards: Sequence[str]) -> Refusal | None:
    """What is wrong with a side deck, given as tokens; None when it may be played.

    Codes, the first that applies: `bad_size` (with `least`, `most`), `unknown_card`, `card_not_allowed`,
    `too_many_copies` (each with `card`, the last with `most`).
    """
    if not ruleset.side_deck_min <= len(cards) <= ruleset.side_deck_size:
        return Refusal.of("bad_size", least=ruleset.side_deck_min, most=ruleset.side_deck_size)
    for token in cards:
        if token not in HAND_ORDER:
            return Refusal.of("unknown_card", card=token)
    for token in cards:
        if not is_admitted(ruleset, token):
            return Refusal.of("card_not_allowed", card=token)
    limit = ruleset.side_deck_copies_limit
    if limit is not None:
        for token, copies in Counter(cards).items():
            if copies > limit:
                return Refusal.of("too_many_copies", card=token, most=limit)
    return None
