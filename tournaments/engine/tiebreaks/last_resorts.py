"""What decides when all numbers are level: an extra match of those who are, then the lot."""

from __future__ import annotations

from collections.abc import Sequence

from tournaments.engine.lots import lot
from tournaments.engine.notes import Note
from tournaments.engine.snapshot import Snapshot
from tournaments.engine.tiebreaks.base import Compared, Tiebreak, Value


class PlayOff(Tiebreak):
    """Extra matches among the tied: whoever won more of them is ahead.

    In no menu: an extra match that was played decides by itself, before the lot and after all else.
    """

    key = "play_off"
    among_tied = True

    def values(self, snapshot: Snapshot, tied: Sequence[int]) -> dict[int, Value]:
        members = frozenset(tied)
        among = [p for p in snapshot.play_offs if p.a in members and p.b in members]
        wins = {entry: sum(p.winner == entry for p in among) for entry in tied}
        return {entry: sum(wins[entry] > other for other in wins.values()) for entry in tied}

    def reason(self, snapshot: Snapshot, compared: Compared) -> Note:
        return Note.of("play_off_lost" if compared.behind else "play_off_won", entry=compared.neighbour)


class Lot(Tiebreak):
    """A lot for each entry, drawn once from the stored seed of the stage: anybody can draw it again."""

    key = "lot"
    among_tied = True

    def values(self, snapshot: Snapshot, tied: Sequence[int]) -> dict[int, Value]:
        drawn = sorted(tied, key=lambda entry: (lot(snapshot.seed, 0, snapshot.by_id[entry].seed), entry))
        return {entry: len(drawn) - place for place, entry in enumerate(drawn, start=1)}

    def reason(self, snapshot: Snapshot, compared: Compared) -> Note:
        return Note.of("lot_behind" if compared.behind else "lot_ahead", entry=compared.neighbour)
