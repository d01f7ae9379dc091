"""The rulesets on offer: one line each, every published version, oldest version first."""

from __future__ import annotations

from typing import Final

from matches.engine.rulesets.base import OPTION_NAMES, Ruleset, RulesetError, options_of, with_overrides
from matches.engine.rulesets.gold import GOLD
from matches.engine.rulesets.kotor import KOTOR
from matches.engine.rulesets.senate import SENATE
from matches.engine.rulesets.standard import STANDARD
from matches.engine.rulesets.table import TABLE
from matches.engine.rulesets.tsl import TSL

RULESETS: Final[tuple[Ruleset, ...]] = (
    STANDARD,
    SENATE,
    GOLD,
    TABLE,
    KOTOR,
    TSL,
)


def get_ruleset(key: str) -> Ruleset:
    """The preset of a versioned key ("standard/1"), or the newest version of a bare name ("standard").

    Raises `KeyError` when there is none.
    """
    for ruleset in reversed(RULESETS):
        if key in (ruleset.key, ruleset.name):
            return ruleset
    raise KeyError(key)


def overrides_of(ruleset: Ruleset) -> dict[str, object]:
    """The options in which a match's ruleset differs from the preset it began from, as plain values.

    Raises `KeyError` when the ruleset's key is no preset's.
    """
    preset, actual = options_of(get_ruleset(ruleset.key)), options_of(ruleset)
    return {name: value for name, value in actual.items() if value != preset[name]}


__all__ = [
    "OPTION_NAMES",
    "RULESETS",
    "Ruleset",
    "RulesetError",
    "get_ruleset",
    "options_of",
    "overrides_of",
    "with_overrides",
]
