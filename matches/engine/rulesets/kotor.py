"""Pazaak of the first video game (2003): no gold cards, and the same side opens every set."""

from __future__ import annotations

from typing import Final

from matches.engine.rulesets.base import FirstPlayerFirst, FirstPlayerNext, Reshuffle, Ruleset

KOTOR: Final = Ruleset(
    key="kotor/1",
    main_deck_reshuffle=Reshuffle.WHEN_EXHAUSTED,
    special_cards=frozenset(),
    first_player_first=FirstPlayerFirst.PLAYER_A,
    first_player_next=FirstPlayerNext.SAME,
)
