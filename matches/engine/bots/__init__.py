"""The policies on offer: one line each."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from matches.engine.bots.base import Below, Choice, Policy, Why
from matches.engine.bots.original import Original
from matches.engine.bots.random_legal import RandomLegal
from matches.engine.bots.stand_at import StandAt

POLICIES: Final[tuple[tuple[str, Callable[[str, Below], Policy]], ...]] = (
    (StandAt.key, lambda limit, below: StandAt(int(limit or 17))),
    (RandomLegal.key, lambda _, below: RandomLegal(below)),
    (Original.key, lambda _, below: Original()),
)
"""Name and maker; the maker is given what follows the colon in "stand_at:18", and where lots come from."""


def make_policy(name: str, below: Below) -> Policy:
    """The policy of a name such as "original" or "stand_at:18". Raises `KeyError` for a name that is none."""
    key, _, argument = name.partition(":")
    for known, make in POLICIES:
        if known == key:
            return make(argument, below)
    raise KeyError(name)


__all__ = ["POLICIES", "Below", "Choice", "Policy", "Why", "make_policy"]
