"""How exactly published numbers are written."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal
from fractions import Fraction


def last_digit(column: Iterable[Decimal | int]) -> Fraction:
    """What one step of the last digit of a column is worth; 0 for a column of whole numbers, which are exact."""
    digits = max((-int(Decimal(value).as_tuple().exponent) for value in column), default=0)
    return Fraction(1, 10**digits) if digits > 0 else Fraction(0)
