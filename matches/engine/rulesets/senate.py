"""The Republic Senate variant: no play for stakes, and nine cards win the set."""

from __future__ import annotations

from typing import Final

from matches.engine.rulesets.base import NinthCard, Ruleset, WagerMode

SENATE: Final = Ruleset(key="senate/1", ninth_card=NinthCard.AUTO_WIN, wager_mode=WagerMode.FORBIDDEN)
