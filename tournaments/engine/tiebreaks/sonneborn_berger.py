"""Sonneborn-Berger: each opponent's points times what was earned against it, by FIDE C.07, 9.1, 15.2 and 16."""

from __future__ import annotations

from collections.abc import Sequence

from tournaments.engine.snapshot import Snapshot
from tournaments.engine.tiebreaks.base import Tiebreak, Value
from tournaments.engine.tiebreaks.unplayed import contributions


class SonnebornBerger(Tiebreak):
    """Whom one has won against. The points of the scale multiply, so the size of a number says nothing by itself."""

    key = "sonneborn_berger"

    def values(self, snapshot: Snapshot, tied: Sequence[int]) -> dict[int, Value]:
        rounds = contributions(snapshot)
        return {entry: sum(round_.worth * round_.earned for round_ in rounds[entry]) for entry in tied}
