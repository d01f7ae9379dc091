"""The shorter sheet with gold cards: nine cards win, and a side deck may have as few as four cards."""

from __future__ import annotations

from typing import Final

from matches.engine.rulesets.base import NinthCard, Ruleset

GOLD: Final = Ruleset(key="gold/1", ninth_card=NinthCard.AUTO_WIN, side_deck_min=4)
