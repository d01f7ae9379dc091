"""Matches won: all of them, and those won without the first turn; and how often one had it (FIDE C.07, article 7)."""

from __future__ import annotations

from collections.abc import Sequence

from tournaments.engine.snapshot import Pairing, Snapshot
from tournaments.engine.tiebreaks.base import Tiebreak, Value


class Wins(Tiebreak):
    """Matches won, at the table or not, and byes that are worth as much as a win (7.1)."""

    key = "wins"

    def values(self, snapshot: Snapshot, tied: Sequence[int]) -> dict[int, Value]:
        def is_win(pairing: Pairing, entry: int) -> bool:
            if pairing.is_bye:
                return snapshot.points.worth(pairing.bye) == snapshot.points.win
            return pairing.winner == entry

        return {entry: sum(is_win(pairing, entry) for pairing in snapshot.games[entry]) for entry in tied}


class WinsAsSecond(Tiebreak):
    """Matches won at the table while the other side had the first turn (7.4)."""

    key = "wins_as_second"

    def values(self, snapshot: Snapshot, tied: Sequence[int]) -> dict[int, Value]:
        return {
            entry: sum(p.b == entry and p.winner == entry and p.was_played for p in snapshot.games[entry])
            for entry in tied
        }


class TimesOpening(Tiebreak):
    """Matches played with the first turn: to open is the harder side, so more often is higher (after 7.3)."""

    key = "times_opening"

    def values(self, snapshot: Snapshot, tied: Sequence[int]) -> dict[int, Value]:
        return {entry: sum(p.a == entry and p.was_played for p in snapshot.games[entry]) for entry in tied}
