"""Pazaak of the second video game (2004): gold cards, and nine cards win."""

from __future__ import annotations

from typing import Final

from matches.engine.rulesets.base import FirstPlayerFirst, NinthCard, Reshuffle, Ruleset

TSL: Final = Ruleset(
    key="tsl/1",
    main_deck_reshuffle=Reshuffle.WHEN_EXHAUSTED,
    ninth_card=NinthCard.AUTO_WIN,
    first_player_first=FirstPlayerFirst.RANDOM,
)
