"""What decides when all numbers are level: an extra match of those who are, then the lot."""

from __future__ import annotations

from collections.abc import Sequence

from tournaments.engine.lots import lot
from tournaments.engine.notes import Note
from tournaments.engine.snapshot import Snapshot
from tournaments.engine.tiebreaks.base import Compared, Tiebreak, Value


class PlayOff(Tiebreak):
    """Extra matches among the tied: whoever won more of them is ahead; those level again by theirs alone.

    In no menu: an extra match that was played decides by itself, before the lot and after all else.
    """

    key = "play_off"
    among_tied = True

    def values(self, snapshot: Snapshot, tied: Sequence[int]) -> dict[int, Value]:
        found: dict[int, Value] = {}
        below = len(tied)
        for group in _by_wins(snapshot, tied):
            below -= len(group)
            found |= dict.fromkeys(group, below)
        return found

    def reason(self, snapshot: Snapshot, compared: Compared) -> Note:
        return Note.of("play_off_lost" if compared.behind else "play_off_won", entry=compared.neighbour)


def _by_wins(snapshot: Snapshot, tied: Sequence[int]) -> list[list[int]]:
    """The tied in groups, best first."""
    members = frozenset(tied)
    among = [p for p in snapshot.play_offs if p.a in members and p.b in members]
    groups: dict[int, list[int]] = {}
    for entry in tied:
        groups.setdefault(sum(p.winner == entry for p in among), []).append(entry)
    if len(groups) < 2:
        return list(groups.values())
    return [part for wins in sorted(groups, reverse=True) for part in _by_wins(snapshot, groups[wins])]


class Lot(Tiebreak):
    """A lot for each entry, drawn once from the stored seed of the stage: anybody can draw it again."""

    key = "lot"
    among_tied = True

    def values(self, snapshot: Snapshot, tied: Sequence[int]) -> dict[int, Value]:
        drawn = sorted(tied, key=lambda entry: (lot(snapshot.seed, 0, snapshot.by_id[entry].seed), entry))
        return {entry: len(drawn) - place for place, entry in enumerate(drawn, start=1)}

    def reason(self, snapshot: Snapshot, compared: Compared) -> Note:
        return Note.of("lot_behind" if compared.behind else "lot_ahead", entry=compared.neighbour)
