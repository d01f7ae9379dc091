"""Buchholz: the points of all opponents together, by FIDE C.07, articles 8.1, 14 and 16."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from tournaments.engine.snapshot import Snapshot
from tournaments.engine.tiebreaks.base import Tiebreak, Value
from tournaments.engine.tiebreaks.unplayed import Contribution, contributions


class Buchholz(Tiebreak):
    """The sum of opponents' points, without the `cut` least and the `cut_above` most significant."""

    key = "buchholz"
    cut: ClassVar[int] = 0
    cut_above: ClassVar[int] = 0

    def values(self, snapshot: Snapshot, tied: Sequence[int]) -> dict[int, Value]:
        rounds = contributions(snapshot)
        return {entry: sum(_kept(rounds[entry], self.cut, self.cut_above)) for entry in tied}


class BuchholzCut1(Buchholz):
    """Buchholz without the weakest opponent."""

    key = "buchholz_cut_1"
    cut = 1


class BuchholzCut2(Buchholz):
    """Buchholz without the two weakest opponents."""

    key = "buchholz_cut_2"
    cut = 2


class BuchholzMedian(Buchholz):
    """Buchholz without the weakest and the strongest opponent (14.3)."""

    key = "buchholz_median"
    cut = 1
    cut_above = 1


def _kept(rounds: list[Contribution], below: int, above: int) -> list[int]:
    """What is left to count. The least significant are the rounds an entry stayed away from by itself (16.5)."""
    if not below:
        return [round_.worth for round_ in rounds]
    ordered = sorted(rounds, key=lambda round_: (not round_.voluntary, round_.worth))
    left = sorted(round_.worth for round_ in ordered[below:])
    return left[: max(0, len(left) - above)]
