"""Who is to be paired in a round, and all that pairing needs to know about each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from tournaments.engine.pairing import turns
from tournaments.engine.snapshot import Bye, Entry, EntryStatus, Snapshot


@dataclass(frozen=True, slots=True)
class Contender:
    """One entry to be paired.

    `met` is opponent id to how often the two were called to the table (a walkover counts: who was once called to the
    table with somebody is not called again). `floats` is how often the entry met somebody with fewer points. `turns`
    is its history of first and second turns in matches that were played. `club` is "" unless clubs are kept apart.
    """

    id: int
    points: int = 0
    seed: int = 0
    byes: int = 0
    floats: int = 0
    turns: str = ""
    club: str = ""
    met: Mapping[int, int] = field(default_factory=dict)


def present(snapshot: Snapshot, number: int) -> Iterator[Entry]:
    """The entries that are there in round `number`, by seed: active, and not entering later than that."""
    return (e for e in snapshot.by_seed if e.status is EntryStatus.ACTIVE and e.since <= number)


def asked_byes(snapshot: Snapshot, number: int) -> tuple[tuple[Entry, Bye], ...]:
    """The entries that are there but asked not to play in round `number`, by seed, and what they asked for."""
    return tuple((e, dict(e.asked)[number]) for e in present(snapshot, number) if number in dict(e.asked))


def contenders(snapshot: Snapshot, number: int, *, clubs: bool = False) -> tuple[Contender, ...]:
    """The entries to be paired in round `number`, by seed: those there who did not ask for a bye.

    `clubs` says that players of one club are to be kept apart.
    """
    floats = _floats(snapshot)
    sitting = {entry.id for entry, _ in asked_byes(snapshot, number)}
    found = []
    for entry in present(snapshot, number):
        if entry.id in sitting:
            continue
        met: dict[int, int] = {}
        had = ""
        for pairing in snapshot.games[entry.id]:
            if (opponent := pairing.opponent(entry.id)) is None:
                continue
            met[opponent] = met.get(opponent, 0) + 1
            if pairing.was_played:
                had += turns.FIRST if pairing.a == entry.id else turns.SECOND
        record = snapshot.records[entry.id]
        found.append(
            Contender(
                id=entry.id,
                points=record.points,
                seed=entry.seed,
                byes=record.byes,
                floats=floats[entry.id],
                turns=had,
                club=entry.club if clubs else "",
                met=met,
            )
        )
    return tuple(found)


def _floats(snapshot: Snapshot) -> dict[int, int]:
    """Entry id to the number of matches against somebody who had fewer points when the round was paired."""
    floats = dict.fromkeys(snapshot.by_id, 0)
    points = dict.fromkeys(snapshot.by_id, 0)
    latecomers = [entry.id for entry in snapshot.entries if entry.since > 1]
    for number in sorted(snapshot.rounds):
        pairings = snapshot.rounds[number]
        for pairing in pairings:
            if pairing.b is not None and points[pairing.a] != points[pairing.b]:
                floats[max(pairing.a, pairing.b, key=points.__getitem__)] += 1
        for pairing in pairings:
            for entry in (pairing.a, pairing.b):
                if entry is not None:
                    points[entry] += snapshot.points.earned(pairing, entry)
        for late in latecomers:
            points[late] += snapshot.points_for_missed * (number in snapshot.missed(late))
    return floats
