"""Events as others published them, worked out anew and compared value by value."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from tournaments.management.corpora import brackets, cards, chess, groups

Event = Mapping[str, Any]

_KINDS: Final[tuple[tuple[frozenset[str], Callable[[Event], Iterator[str]]], ...]] = (
    (frozenset({"players", "rule_version", "tie_break_order", "standings"}), chess.differences),
    (frozenset({"swiss_rounds", "rounds", "standings"}), cards.differences),
    (frozenset({"entrants", "pools", "matches", "placements"}), groups.differences),
    (frozenset({"entrants", "matches", "placements"}), brackets.differences),
    (frozenset({"players", "rounds", "standings"}), cards.cut_differences),
)
"""By the fields an event has, the first that fits: what tells where it and the engine differ."""


def differences(event: Event) -> Iterator[str]:
    """Every value of a published event that the engine works out otherwise. Raises ValueError for an unknown form."""
    if not isinstance(event, Mapping):
        raise ValueError("no event, but a list or a plain value")
    for needed, check in _KINDS:
        if needed <= event.keys():
            return check(event)
    raise ValueError(f"no form of event with the fields {', '.join(sorted(event))}")
