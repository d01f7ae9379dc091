"""The policies on offer: one line each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from matches.engine.bots.base import Below, Choice, Policy, Why
from matches.engine.bots.look_ahead import LookAhead
from matches.engine.bots.original import Original
from matches.engine.bots.random_legal import RandomLegal
from matches.engine.bots.stand_at import StandAt
from matches.engine.rulesets import Ruleset
from matches.engine.state import Hand


@dataclass(frozen=True, slots=True)
class Brief:
    """What a policy may be told before a match: its argument, the rules, its own side deck, and a source of lots."""

    argument: str
    ruleset: Ruleset
    side_deck: Hand | None
    below: Below


POLICIES: Final[dict[str, Callable[[Brief], Policy]]] = {
    StandAt.key: lambda brief: StandAt(int(brief.argument or 17)),
    RandomLegal.key: lambda brief: RandomLegal(brief.below),
    Original.key: lambda brief: Original(),
    LookAhead.key: lambda brief: LookAhead(brief.ruleset, brief.side_deck),
}


def make_policy(name: str, *, ruleset: Ruleset, below: Below, side_deck: Hand | None = None) -> Policy:
    """The policy of a name such as "original" or "stand_at:18", briefed for one match.

    Raises `KeyError` for a name that is none, `ValueError` for an argument that is none.
    """
    key, _, argument = name.partition(":")
    return POLICIES[key](Brief(argument, ruleset, side_deck, below))


__all__ = ["POLICIES", "Below", "Brief", "Choice", "Policy", "Why", "make_policy"]
