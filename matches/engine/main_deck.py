"""The main deck as one number: how many cards of each value are left, packed so that a draw is a subtraction.

Bits 3v to 3v+2 hold how many cards of value v are left (0 to 4), the bits from 36 up how many in all.
"""

from __future__ import annotations

from typing import Final

from matches.engine.cards import HIGHEST_MAIN, LOWEST_MAIN

VALUES: Final = range(LOWEST_MAIN, HIGHEST_MAIN + 1)
COPIES: Final = 4
FULL_SIZE: Final = COPIES * len(VALUES)
_SIZE_AT: Final = 36

ONE: Final = tuple((1 << 3 * value) + (1 << _SIZE_AT) for value in range(HIGHEST_MAIN + 1))
"""`deck - ONE[value]` is the deck without one card of that value; index 0 is never used."""

FULL: Final = COPIES * sum(ONE[value] for value in VALUES)
"""The whole deck: four of each."""


def has(deck: int, value: int) -> bool:
    """Whether a card of `value` (1 to 10) is left."""
    return deck >> 3 * value & 7 != 0


def size(deck: int) -> int:
    """How many cards are left."""
    return deck >> _SIZE_AT


def counts(deck: int) -> tuple[int, ...]:
    """How many cards of each value are left, from 1 to 10."""
    return tuple(deck >> 3 * value & 7 for value in VALUES)
