"""Tie-breaks by when and against whom points were made: progressive scores and Koya."""

from __future__ import annotations

from collections.abc import Sequence

from tournaments.engine.snapshot import Snapshot
from tournaments.engine.tiebreaks.base import Tiebreak, Value


class Progressive(Tiebreak):
    """The points after each round, added up: early ones count longest (FIDE C.07, 7.5).

    A round counts for an entry once its own match is decided, or, if it has none, once no match of the round is open.
    """

    key = "progressive"

    def values(self, snapshot: Snapshot, tied: Sequence[int]) -> dict[int, Value]:
        return {entry: self._value(snapshot, entry) for entry in tied}

    def _value(self, snapshot: Snapshot, entry: int) -> int:
        own = {pairing.round: pairing for pairing in snapshot.games[entry]}
        missed = snapshot.missed(entry)
        points = total = 0
        for number in snapshot.rounds:
            pairing = own.get(number)
            if pairing is None and number not in snapshot.closed_rounds:
                continue
            if pairing is not None and pairing.is_open:
                continue
            if pairing is not None:
                points += snapshot.points.earned(pairing, entry)
            elif number in missed:
                points += snapshot.points_for_missed
            total += points
        return total


class Koya(Tiebreak):
    """Points made against those who have at least half of what they could have (FIDE C.07, 9.2)."""

    key = "koya"

    def values(self, snapshot: Snapshot, tied: Sequence[int]) -> dict[int, Value]:
        strong = {entry for entry in snapshot.games if _has_half(snapshot, entry)}
        return {
            entry: sum(
                snapshot.points.earned(pairing, entry)
                for pairing in snapshot.games[entry]
                if pairing.opponent(entry) in strong and (pairing.was_played or snapshot.all_play_all)
            )
            for entry in tied
        }


def _has_half(snapshot: Snapshot, entry: int) -> bool:
    decided = sum(not pairing.is_open for pairing in snapshot.games[entry])
    return decided > 0 and 2 * snapshot.records[entry].points >= snapshot.points.win * decided
