"""The rules of pazaak as a pure library: no Django, no clock, no random generator, no text for people."""

from __future__ import annotations

from matches.engine.refusal import Refusal
from matches.engine.rulesets import (
    RULESETS,
    Ruleset,
    RulesetError,
    get_ruleset,
    options_of,
    overrides_of,
    with_overrides,
)
from matches.engine.score import CheckedScore, Reason, Score, SetScore, check_score

__all__ = [
    "RULESETS",
    "CheckedScore",
    "Reason",
    "Refusal",
    "Ruleset",
    "RulesetError",
    "Score",
    "SetScore",
    "check_score",
    "get_ruleset",
    "options_of",
    "overrides_of",
    "with_overrides",
]
