"""Round robin: everybody meets everybody, once or twice, by the Berger tables (FIDE C.05, Annex 1)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from tournaments.engine.formats.base import Format, Note, PlannedPairing, PlannedRound, Seating
from tournaments.engine.snapshot import Entry, EntryStatus, Pairing, Result, ResultKind, Snapshot

Withdrawn = Literal["half", "forfeit"]


@dataclass(frozen=True, slots=True)
class RoundRobinOptions:
    """`twice` adds a second cycle with the turns reversed.

    `withdrawn` says what becomes of the matches of whoever leaves. With "half" they are annulled if fewer than half of
    them were played; otherwise, and always with "forfeit", those played stand and the others are walkovers.
    """

    twice: bool = False
    withdrawn: Withdrawn = "half"


class RoundRobin(Format):
    """All rounds at once, for the entries that start.

    In a field of odd size one entry is free in each round. A free round is no pairing at all: it gives no points, is
    no bye, and waits for nothing. Whoever comes late meets those who are free; in a field of even size there is no
    place. Pairings of entries that leave stay in place, and are as before should they return.
    """

    key = "round_robin"
    Options = RoundRobinOptions
    default_tiebreaks = ("head_to_head", "set_difference", "sonneborn_berger")
    is_fixed = True

    def rounds_planned(self, snapshot: Snapshot) -> int:
        return len(tables(len(snapshot.starters), _options(snapshot).twice))

    def pair(self, snapshot: Snapshot) -> tuple[PlannedRound, ...]:
        starters = snapshot.starters
        rounds = tables(len(starters), _options(snapshot).twice)
        return tuple(
            PlannedRound(
                number,
                tuple(
                    PlannedPairing(table, starters[first - 1].id, starters[second - 1].id)
                    for table, (first, second) in enumerate(pairs, start=1)
                ),
            )
            for number, pairs in enumerate(rounds, start=1)
            if number not in snapshot.rounds
        )

    def needs_draft(self, number: int) -> bool:
        return True

    def round_name(self, snapshot: Snapshot, number: int) -> Note:
        return Note.of("round", n=number)

    def let_in(self, snapshot: Snapshot, newcomer: Entry) -> Seating | None:
        return None if self.is_over(snapshot) else seat_in_tables(self, snapshot, newcomer)

    def let_out(self, snapshot: Snapshot, entry: int) -> Seating | None:
        return clear_from_tables(self, snapshot, entry)

    def is_over(self, snapshot: Snapshot) -> bool:
        waiting = any(self.counted(snapshot).open_pairings())
        return snapshot.last_round >= self.rounds_planned(snapshot) and not waiting

    def counted(self, snapshot: Snapshot) -> Snapshot:
        return without_the_gone(snapshot, _options(snapshot).withdrawn)

    def dependents(self, snapshot: Snapshot, pairing: Pairing) -> tuple[Pairing, ...]:
        return ()


def _options(snapshot: Snapshot) -> RoundRobinOptions:
    return snapshot.options if isinstance(snapshot.options, RoundRobinOptions) else RoundRobinOptions()


def without_the_gone(snapshot: Snapshot, policy: Withdrawn) -> Snapshot:
    """The stage with the pairings of those who left annulled or decided, and without those who are annulled."""
    gone = {entry.id for entry in snapshot.entries if entry.status is not EntryStatus.ACTIVE}
    if not gone:
        return snapshot
    games = snapshot.games
    annulled = {
        entry
        for entry in gone
        if policy == "half" and 2 * sum(pairing.was_played for pairing in games[entry]) < len(games[entry])
    }
    return replace(
        snapshot,
        entries=tuple(entry for entry in snapshot.entries if entry.id not in annulled),
        pairings=tuple(
            _given_up(snapshot, pairing, gone) if pairing.is_open else pairing
            for pairing in snapshot.pairings
            if not annulled & {pairing.a, pairing.b}
        ),
    )


def _given_up(snapshot: Snapshot, pairing: Pairing, gone: set[int]) -> Pairing:
    """An open pairing as it counts: a walkover where one side has left, lost by both where both have."""
    if pairing.a in gone and pairing.b in gone:
        return replace(pairing, result=Result(ResultKind.DOUBLE_NO_SHOW, (0, 0), None))
    if pairing.a in gone:
        return replace(pairing, result=Result(ResultKind.WALKOVER, (0, snapshot.sets_to_win), "b"))
    if pairing.b in gone:
        return replace(pairing, result=Result(ResultKind.WALKOVER, (snapshot.sets_to_win, 0), "a"))
    return pairing


def seat_in_tables(chosen: Format, snapshot: Snapshot, newcomer: Entry) -> Seating | None:
    """The newcomer meets whoever is free in each round; None unless every other pairing stays as it is."""
    own = _added(chosen, snapshot, snapshot.joined_by(newcomer), newcomer.id)
    if own is None:
        return None
    put: list[Pairing] = []
    for number, a, b in own:
        there = snapshot.rounds.get(number, ())
        if any({a, b} & {pairing.a, pairing.b} for pairing in there):
            return None  # changed by hand: nobody is free where somebody should be
        if there:
            last = max(pairing.number for pairing in (*there, *(p for p in put if p.round == number)))
            put.append(Pairing(number, last + 1, a, b))
    return Seating(put=tuple(put))


def clear_from_tables(chosen: Format, snapshot: Snapshot, entry: int) -> Seating | None:
    """The other way round; None where the others would have been paired otherwise."""
    gone = snapshot.games[entry]
    if any(pairing.result for pairing in gone) or _added(chosen, snapshot.without(entry), snapshot, entry) is None:
        return None
    return Seating(gone=gone)


def _added(chosen: Format, smaller: Snapshot, larger: Snapshot, entry: int) -> list[tuple[int, int, int]] | None:
    """Round and sides of each pairing an entry adds to the tables; None where it changes any other."""
    if not larger.pairings:
        return []
    before, after = (_sides(chosen, stage) for stage in (smaller, larger))
    own = {sides for sides in after if entry in sides[1:]}
    return sorted(own) if after - own == before else None


def _sides(chosen: Format, stage: Snapshot) -> set[tuple[int, int, int]]:
    """Round and sides of every pairing of the tables."""
    planned = chosen.pair(replace(stage, pairings=()))
    return {(made.number, p.a, p.b) for made in planned for p in made.pairings if p.b is not None}


def tables(entries: int, twice: bool) -> tuple[tuple[tuple[int, int], ...], ...]:
    """The rounds of a whole event: pairs of seeds, who has the first turn first, without those who meet nobody.

    Of two cycles the last two rounds of the first are swapped, so that nobody has the same turn three times running
    where the cycles meet.
    """
    size = entries + entries % 2
    cycle = [_berger(size, number) for number in range(1, size)]
    rounds = cycle
    if twice:
        again = [tuple((second, first) for first, second in pairs) for pairs in cycle]
        rounds = [*cycle[:-2], *reversed(cycle[-2:]), *again]
    return tuple(tuple(pair for pair in pairs if max(pair) <= entries) for pairs in rounds)


def _berger(size: int, number: int) -> tuple[tuple[int, int], ...]:
    """Round `number` for an even `size`. The highest one changes turns every round, the others move round a circle."""
    circle = size - 1
    fixed = (number - 1) * (size // 2) % circle
    meets_last = (fixed + 1, size) if number % 2 else (size, fixed + 1)
    others = (((fixed + k) % circle + 1, (fixed - k) % circle + 1) for k in range(1, size // 2))
    return (meets_last, *others)
