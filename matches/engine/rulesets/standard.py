"""Standard pazaak as the cantina of StarCon plays it."""

from __future__ import annotations

from typing import Final

from matches.engine.rulesets.base import Ruleset

STANDARD: Final = Ruleset(key="standard/1")
