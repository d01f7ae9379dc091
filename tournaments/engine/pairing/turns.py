"""First-turn balance: who wants to open next, what two equal wishes cost, and who of a pair opens.

A history of turns is a text of F (had the first turn) and S (second), oldest first; rounds without a played match
leave no letter. A wish is a signed strength: above 0 for the first turn, below 0 for the second, and by size
1 mild (balanced so far: alternate), 2 strong (one too many), 3 absolute (two too many, or twice running).
"""

from __future__ import annotations

from functools import lru_cache

FIRST = "F"
SECOND = "S"

DEAREST = 12
_BY_STRENGTH = (0, 1, 2, DEAREST)  # of the weaker of two equal wishes: absolute ones outweigh a few strong ones
_WISHES = (0, 1, 2, 3, -3, -2, -1)  # in the order of their index, negative ones from the end

COSTS = tuple(
    tuple(_BY_STRENGTH[min(abs(one), abs(other))] if one * other > 0 else 0 for other in _WISHES) for one in _WISHES
)
"""What it costs to pair two wishes, `COSTS[one][other]`: 0 unless both want the same turn."""


def balance(turns: str) -> int:
    """First turns minus second turns."""
    return turns.count(FIRST) - turns.count(SECOND)


@lru_cache(maxsize=1 << 14)  # a large field has few histories
def wish(turns: str) -> int:
    """What a player with this history should get next."""
    if not turns:
        return 0
    surplus = balance(turns)
    running = turns[-2:]
    if surplus >= 2 or running == FIRST * 2:
        return -3
    if surplus <= -2 or running == SECOND * 2:
        return 3
    if surplus:
        return -2 * surplus
    return -1 if turns[-1] == FIRST else 1


@lru_cache(maxsize=1 << 14)
def opens(turns: str, other: str) -> bool | None:
    """Whether the first of two histories should open; None if they do not tell.

    The stronger wish is granted; then whoever opened less; then the last round in which the two differed is reversed.
    """
    mine, theirs = wish(turns), wish(other)
    if mine != theirs:
        return mine > theirs
    mine, theirs = balance(turns), balance(other)
    if mine != theirs:
        return mine < theirs
    for had, had_other in zip(reversed(turns), reversed(other), strict=False):
        if had != had_other:
            return had == SECOND
    return None
