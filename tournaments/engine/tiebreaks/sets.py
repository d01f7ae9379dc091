"""Tie-breaks by set points: those won, won against lost, and the share won. Byes bring none."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from tournaments.engine.snapshot import Snapshot
from tournaments.engine.tiebreaks.base import Tiebreak, Value


class SetDifference(Tiebreak):
    """Set points won minus set points lost."""

    key = "set_difference"

    def values(self, snapshot: Snapshot, tied: Sequence[int]) -> dict[int, Value]:
        records = snapshot.records
        return {entry: records[entry].sets_won - records[entry].sets_lost for entry in tied}


class SetsWon(Tiebreak):
    """Set points won."""

    key = "sets_won"

    def values(self, snapshot: Snapshot, tied: Sequence[int]) -> dict[int, Value]:
        return {entry: snapshot.records[entry].sets_won for entry in tied}


class SetRatio(Tiebreak):
    """Set points won of all played, as a fraction; 0 before the first."""

    key = "set_ratio"

    def values(self, snapshot: Snapshot, tied: Sequence[int]) -> dict[int, Value]:
        found: dict[int, Value] = {}
        for entry in tied:
            record = snapshot.records[entry]
            found[entry] = Fraction(record.sets_won, max(1, record.sets_won + record.sets_lost))
        return found
