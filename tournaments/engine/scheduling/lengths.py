"""How long a match takes, learned from those of the day: whole seconds from whole seconds, by exact arithmetic."""

from __future__ import annotations

from collections.abc import Iterable
from math import isqrt

WEIGHT = 6
"""What was planned counts as so many matches."""


def estimate_length(*, planned: int, played: Iterable[int], running: Iterable[int] = ()) -> int:
    """The mean of what was planned, counted six times, and of what was seen, rounded half up.

    `played` are the lengths of matches that were played to their end. `running` are how long those of now have taken so
    far: they count where that is more than the estimate already, so that a slow day is not told by its quick matches.
    What is beyond a quarter or four times of the middle counts as that: a result told hours later is no long match.
    """
    seen = _within_reason(planned, played)
    first = _mean([planned] * WEIGHT + seen)
    longer = [each for each in _within_reason(planned, running, seen) if each > first]
    return _mean([planned] * WEIGHT + seen + longer)


def estimate_spread(*, planned: int, played: Iterable[int]) -> int:
    """How much lengths differ: their standard deviation, rounded down. What was planned counts as six a quarter off."""
    seen = _within_reason(planned, played)
    middle = _mean([planned] * WEIGHT + seen)
    squares = WEIGHT * (planned // 4) ** 2 + sum((each - middle) ** 2 for each in seen)
    return isqrt(squares // (WEIGHT + len(seen)))


def expected_end(*, start: int, now: int, planned: int, played: Iterable[int]) -> int:
    """When a match that is being played since `start` is expected to end, after `now`.

    The mean of all that took longer than this one has so far. What was planned counts as six matches between half and
    one and a half of it. Where none took longer it is an eighth of `planned` from now.
    """
    spread = [planned * (2 * step + 1 + WEIGHT) // (2 * WEIGHT) for step in range(WEIGHT)]
    longer = [each for each in spread + _within_reason(planned, played) if start + each > now]
    return start + _mean(longer) if longer else now + max(1, planned // 8)


def _within_reason(planned: int, lengths: Iterable[int], besides: Iterable[int] = ()) -> list[int]:
    """Lengths with those out of all proportion cut to a quarter and four times of the middle one."""
    found = sorted(lengths)
    middle = sorted([planned] * WEIGHT + found + list(besides))
    most = middle[len(middle) // 2]
    return [min(max(each, most // 4), most * 4) for each in found]


def _mean(numbers: list[int]) -> int:
    """Rounded half up; never less than a second."""
    return max(1, (2 * sum(numbers) + len(numbers)) // (2 * len(numbers)))
