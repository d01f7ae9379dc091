"""What each round contributes to tie-breaks that look at opponents, with the unplayed rounds of FIDE C.07, article 16.

Unplayed are byes, walkovers, double no-shows, and rounds an entry was not paired in (absent, not yet there, gone). A
forfeit is a match that had begun, so it is a game. In a round robin walkovers are games too, and free rounds are
nothing (15.2).

An opponent counts with the points it has, except that rounds at the end for which it was absent or asked for a bye
count as ties (16.3). An entry's own unplayed round counts as a game against a dummy with as many points as itself,
with the result it was given (16.4). The edition of March 2026 caps the dummy: in a walkover by what the opponent of
the round has (16.4.1), else by what ties in all rounds would be worth (16.4.2).

Open matches are not there at all. A bye counts when it is published, an absence when no match of its round is open.
"""

from __future__ import annotations

from dataclasses import dataclass

from tournaments.engine.snapshot import Bye, Pairing, Snapshot


@dataclass(frozen=True, slots=True)
class Contribution:
    """One round of an entry: what its opponent or dummy counts, what the entry earned against it.

    `voluntary`: an absence, a bye it asked for, or a no-show of the entry itself (16.1.2), which is cut first.
    """

    worth: int
    earned: int
    voluntary: bool = False


def contributions(snapshot: Snapshot) -> dict[int, list[Contribution]]:
    """Entry id to its rounds as they count by the edition of the stage; every entry has a key."""
    found: dict[int, list[Contribution]] | None = snapshot.worked_out.get(contributions)
    if found is None:
        worth = _adjusted_points(snapshot)
        found = {entry: _of_entry(snapshot, worth, entry) for entry in snapshot.games}
        snapshot.worked_out[contributions] = found
    return found


def _of_entry(snapshot: Snapshot, worth: dict[int, int], entry: int) -> list[Contribution]:
    pairings = snapshot.games[entry]
    own = cap = snapshot.records[entry].points
    if snapshot.regulations.unplayed == "2026":
        cap = min(own, snapshot.points.tie * len(snapshot.closed_rounds))
    rounds = [_of_pairing(snapshot, worth, cap, entry, pairing) for pairing in pairings if not pairing.is_open]
    if snapshot.all_play_all:
        return rounds
    absent = snapshot.closed_rounds - {pairing.round for pairing in pairings}
    missed = len(absent & snapshot.missed(entry))
    rounds += [Contribution(cap, snapshot.points_for_missed, voluntary=True)] * missed
    rounds += [Contribution(cap, 0, voluntary=True)] * (len(absent) - missed)
    return rounds


def _of_pairing(snapshot: Snapshot, worth: dict[int, int], cap: int, entry: int, pairing: Pairing) -> Contribution:
    earned = snapshot.points.earned(pairing, entry)
    opponent = pairing.opponent(entry)
    if opponent is None:
        return Contribution(cap, earned, voluntary=pairing.bye is not Bye.GIVEN)
    if pairing.was_played or snapshot.all_play_all:
        return Contribution(worth[opponent], earned)
    own = snapshot.records[entry].points
    dummy = min(own, worth[opponent]) if snapshot.regulations.unplayed == "2026" else own
    return Contribution(dummy, earned, voluntary=pairing.winner != entry)


def _adjusted_points(snapshot: Snapshot) -> dict[int, int]:
    """Entry id to the points it counts for its opponents."""
    found = {}
    for entry, pairings in snapshot.games.items():
        points = snapshot.records[entry].points
        if not snapshot.all_play_all:
            there = [p for p in pairings if not p.is_open and (p.b is not None or p.bye is Bye.GIVEN)]
            last = max((pairing.round for pairing in there), default=0)
            asked = {p.round: p for p in pairings if p.round > last and p.b is None}
            gone = snapshot.closed_rounds - {p.round for p in pairings if p.round not in asked}
            for number in gone:
                if number > last:
                    given = snapshot.points.earned(asked[number], entry) if number in asked else 0
                    points += snapshot.points.tie - given
        found[entry] = points
    return found
