"""What all brackets share: a graph of matches, and what has become of each of them.

A format builds its graph from the number of entries that start and its options. Everything else follows from the graph
and the published pairings: who stands where, what is to be paired now, who is out and in which place, what rests on
what. A side that stays empty (a double no-show, an entry that left the event before its match was made, a bye) lets the
other one through without a pairing; only the byes of round 1 are pairings, without a side b. A published pairing whose
sides are no longer those who got there counts for nothing, and its place is planned anew once it is taken away.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from tournaments.engine.formats.base import (
    BracketMatch,
    BracketRound,
    BracketSide,
    Feed,
    Format,
    Note,
    PlannedPairing,
    PlannedRound,
    Seating,
    Slot,
)
from tournaments.engine.snapshot import Bye, Entry, EntryStatus, Pairing, ResultKind, Snapshot

Place = tuple[int, int]
"""Round number and number of the match in it."""

UNKNOWN = Slot()
VOID = Slot(void=True)


@dataclass(frozen=True, slots=True)
class Seed:
    """A side filled from the seeding; a number beyond the field is a bye."""

    number: int


Source = Seed | Feed


@dataclass(frozen=True, slots=True)
class Node:
    """A match of the graph, and what it decides. Only matches of round 1 have sides from the seeding.

    `loser_place` is the place of whoever goes out here; a loser who goes on (`goes_on`, then with the best place still
    to be had) has none yet. `winner_place` is that of the winner where the match decides it, with `won` and `lost` as
    the reasons. `again`: the match is played only if side b has won that one, between the same two.
    """

    place: Place
    a: Source
    b: Source
    loser_place: int
    goes_on: int | None = None
    winner_place: int | None = None
    won: str = ""
    lost: str = ""
    again: Place | None = None


@dataclass(frozen=True, slots=True)
class Column:
    """A round of the graph."""

    number: int
    name: Note
    nodes: tuple[Node, ...]
    side: BracketSide = ""


@dataclass(frozen=True)
class Graph:
    """The whole bracket, rounds in order: whatever feeds a match is in a round before it."""

    columns: tuple[Column, ...]
    followers: Mapping[Place, tuple[Place, ...]] = field(init=False)
    """Place to the places its winner and its loser go to."""
    winner_goes: Mapping[Place, Place] = field(init=False)

    def __post_init__(self) -> None:
        followers: dict[Place, tuple[Place, ...]] = {}
        winner_goes: dict[Place, Place] = {}
        for node in self.nodes():
            for source in (node.a, node.b):
                if isinstance(source, Feed):
                    followers[source.place] = (*followers.get(source.place, ()), node.place)
                    if not source.loser:
                        winner_goes.setdefault(source.place, node.place)
            if node.again is not None:
                followers[node.again] = (*followers.get(node.again, ()), node.place)
        object.__setattr__(self, "followers", followers)
        object.__setattr__(self, "winner_goes", winner_goes)

    def nodes(self) -> Iterator[Node]:
        """Every match in order of rounds."""
        for column in self.columns:
            yield from column.nodes


@dataclass(frozen=True, slots=True)
class Outcome:
    """A match and what became of it: who goes on as its winner and its loser, whose event ends here."""

    node: Node
    a: Slot
    b: Slot
    pairing: Pairing | None = None
    winner: Slot = UNKNOWN
    loser: Slot = UNKNOWN
    out: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class _Fate:
    """How far an entry has come: its place, or None while it is still in."""

    place: int | None
    reason: Note


class Elimination(Format):
    """A format that is a bracket. Matches of a round are numbered from the top."""

    default_tiebreaks = ()
    has_bracket = True
    allows_ties = False

    @abstractmethod
    def graph(self, entries: int, options: object) -> Graph:
        """The bracket for so many entries."""

    def _graph(self, snapshot: Snapshot) -> Graph:
        return self.graph(len(snapshot.starters), snapshot.options)

    def outcomes(self, snapshot: Snapshot) -> dict[Place, Outcome]:
        """Place to its match, in order of rounds; those that need not be played again are not there."""
        found: dict[Place, Outcome] | None = snapshot.worked_out.get(type(self))
        if found is None:
            found = snapshot.worked_out[type(self)] = _outcomes(snapshot, self._graph(snapshot))
        return found

    def _columns(self, snapshot: Snapshot) -> Iterator[tuple[Column, list[Outcome]]]:
        outcomes = self.outcomes(snapshot)
        for column in self._graph(snapshot).columns:
            if found := [outcomes[node.place] for node in column.nodes if node.place in outcomes]:
                yield column, found

    def rounds_planned(self, snapshot: Snapshot) -> int:
        return max((column.number for column, _ in self._columns(snapshot)), default=0)

    def rounds_at_most(self, snapshot: Snapshot) -> int:
        return max((column.number for column in self._graph(snapshot).columns), default=0)

    def pair(self, snapshot: Snapshot) -> tuple[PlannedRound, ...]:
        found = []
        for column, outcomes in self._columns(snapshot):
            if column.number > 1 and not snapshot.pairings:
                break  # two who have a bye may meet in round 2, but round 1 is published first
            taken = {pairing.number for pairing in snapshot.rounds.get(column.number, ())}
            pairings = tuple(planned for planned in _planned(outcomes) if planned.number not in taken)
            if pairings:
                found.append(PlannedRound(column.number, pairings))
        return tuple(found)

    def needs_draft(self, number: int) -> bool:
        return number == 1

    def round_name(self, snapshot: Snapshot, number: int) -> Note:
        return next(column.name for column in self._graph(snapshot).columns if column.number == number)

    def let_in(self, snapshot: Snapshot, newcomer: Entry) -> Seating | None:
        """Opposite somebody with a bye who has not played yet, the lowest seed first."""
        if not snapshot.pairings:
            return Seating()
        free = [p for p in snapshot.rounds[1] if p.b is None and snapshot.by_id[p.a].status is EntryStatus.ACTIVE]
        for bye in sorted(free, key=lambda pairing: -snapshot.by_id[pairing.a].seed):
            found = self._with(snapshot, snapshot.joined_by(newcomer), replace(bye, b=newcomer.id, bye=Bye.GIVEN), bye)
            if found is not None:
                return found
        return None

    def let_out(self, snapshot: Snapshot, entry: int) -> Seating | None:
        """The opponent of round 1 has a bye again."""
        if not snapshot.pairings:
            return Seating()
        match = next((p for p in snapshot.rounds[1] if entry in (p.a, p.b)), None)
        other = None if match is None else match.opponent(entry)
        if match is None or other is None or match.result is not None:
            return None
        return self._with(snapshot, snapshot.without(entry), replace(match, a=other, b=None), match)

    def _with(self, snapshot: Snapshot, changed: Snapshot, put: Pairing, instead_of: Pairing) -> Seating | None:
        """The seating that puts a pairing of round 1 in the place of another one, in a field of another size.

        None where something that rests on it is decided, or where a published pairing would have another place.
        """
        gone = self.dependents(snapshot, instead_of)
        if any(pairing.result for pairing in gone):
            return None
        left = tuple(p for p in changed.pairings if p not in gone and p != instead_of)
        stage = replace(changed, pairings=(*left, put))
        outcomes = self.outcomes(stage)
        places = (outcomes.get((pairing.round, pairing.number)) for pairing in stage.pairings)
        stands = all(
            outcome is not None and outcome.pairing is pairing
            for outcome, pairing in zip(places, stage.pairings, strict=True)
        )
        return Seating(put=(put,), gone=gone) if stands else None

    def is_over(self, snapshot: Snapshot) -> bool:
        outcomes = self.outcomes(snapshot).values()
        return bool(snapshot.pairings) and all(outcome.winner != UNKNOWN for outcome in outcomes)

    def dependents(self, snapshot: Snapshot, pairing: Pairing) -> tuple[Pairing, ...]:
        graph = self._graph(snapshot)
        published = {(p.round, p.number): p for p in snapshot.pairings}
        found: set[Place] = set()
        ahead = [(pairing.round, pairing.number)]
        while ahead:
            new = set(graph.followers.get(ahead.pop(), ())) - found
            found |= new
            ahead += new
        return tuple(published[place] for place in sorted(found) if place in published)

    def places(self, snapshot: Snapshot) -> dict[int, int] | None:
        """Place from the round of exit alone: whoever goes out in the same round shares one.

        Who is still in has no place yet. Nobody is promoted into a place that stays empty: after a final that neither
        side came to there are two second places and no first.
        """
        fates = self._fates(snapshot)
        return {entry: fate.place for entry, fate in fates.items() if fate.place is not None}

    def place_reasons(self, snapshot: Snapshot) -> dict[int, Note]:
        return {entry: fate.reason for entry, fate in self._fates(snapshot).items()}

    def _fates(self, snapshot: Snapshot) -> dict[int, _Fate]:
        found = {entry.id: _Fate(None, Note.of("still_in", best=1)) for entry in snapshot.starters}
        outcomes = self.outcomes(snapshot)
        again = {outcome.node.again for outcome in outcomes.values()}
        for column, matches in self._columns(snapshot):
            out = Note.of("place_out_in", round=column.name.code, **dict(column.name.params))
            for outcome in matches:
                if outcome.node.place in again:
                    continue  # it decided nothing: the two meet again
                for entry in outcome.out:
                    found[entry] = _Fate(outcome.node.loser_place, out)
                if outcome.node.goes_on is not None and outcome.loser.entry is not None:
                    found[outcome.loser.entry] = _Fate(None, Note.of("still_in", best=outcome.node.goes_on))
                if outcome.node.winner_place is not None:
                    found |= _of_last(outcome, column.name.code)
        return found

    def bracket(self, snapshot: Snapshot) -> tuple[BracketRound, ...]:
        return tuple(
            BracketRound(
                column.number,
                column.name,
                tuple(
                    BracketMatch(
                        *outcome.node.place,
                        outcome.a,
                        outcome.b,
                        outcome.winner.entry,
                        outcome.pairing,
                        *(source if isinstance(source, Feed) else None for source in (outcome.node.a, outcome.node.b)),
                    )
                    for outcome in outcomes
                ),
                column.side,
            )
            for column, outcomes in self._columns(snapshot)
        )


def elimination_round_name(places: int) -> Note:
    """The name of the round in which `places` places of the bracket are left: `final`, … `round_of` n."""
    names = {2: "final", 4: "semi_finals", 8: "quarter_finals"}
    return Note.of(names[places]) if places in names else Note.of("round_of", n=places)


def seed_order(size: int) -> tuple[int, ...]:
    """Seeds from the top of a bracket of `size`, a power of two; while favourites win, every pair has the same sum."""
    order: tuple[int, ...] = (1,)
    while len(order) < size:
        total = 2 * len(order) + 1
        order = tuple(seed for upper in order for seed in (upper, total - upper))
    return order


def _of_last(outcome: Outcome, round_name: str) -> dict[int, _Fate]:
    """Winner and loser of a match that decides places, as far as there are any."""
    node, winner, loser = outcome.node, outcome.winner.entry, outcome.loser.entry
    if winner is None or node.winner_place is None:
        return {}
    if loser is None or outcome.pairing is None:
        return {winner: _Fate(node.winner_place, Note.of("place_unopposed", round=round_name))}
    sets = outcome.pairing.sets_of
    won = Note.of(node.won, entry=loser, sets="{}:{}".format(*sets(winner)))
    found = {winner: _Fate(node.winner_place, won)}
    if node.goes_on is None:
        lost = Note.of(node.lost, entry=winner, sets="{}:{}".format(*sets(loser)))
        found[loser] = _Fate(node.loser_place, lost)
    return found


def _outcomes(snapshot: Snapshot, graph: Graph) -> dict[Place, Outcome]:
    published = {(p.round, p.number): p for p in snapshot.pairings}
    found: dict[Place, Outcome] = {}
    for node in graph.nodes():
        a, b = (_slot(snapshot, found, source) for source in (node.a, node.b))
        if node.again is not None:
            before = found[node.again]
            if before.pairing is None or b.entry is None or before.winner != b:
                continue
        pairing = published.get(node.place)
        if pairing is not None and isinstance(node.a, Seed):  # as published: a person may have changed it
            a, b = Slot(pairing.a), VOID if pairing.b is None else Slot(pairing.b)
        follower = published.get(graph.winner_goes.get(node.place, (0, 0)))
        found[node.place] = _outcome(snapshot, node, a, b, pairing, follower)
    return found


def _slot(snapshot: Snapshot, found: Mapping[Place, Outcome], source: Source) -> Slot:
    if isinstance(source, Seed):
        entries = snapshot.starters
        return Slot(entries[source.number - 1].id) if source.number <= len(entries) else VOID
    outcome = found[source.place]
    return outcome.loser if source.loser else outcome.winner


def _outcome(
    snapshot: Snapshot, node: Node, a: Slot, b: Slot, pairing: Pairing | None, follower: Pairing | None
) -> Outcome:
    """What became of one match. `follower` is the published pairing its winner plays in, if there is one.

    An entry that left before its match was made does not go through. It stays out should it come back when the next
    match is already published with the other; and who is in that match went through, whatever happened since.
    """
    if pairing is not None and {pairing.a, pairing.b} == {a.entry, b.entry}:
        return _of_pairing(node, a, b, pairing) if pairing.a == a.entry else _of_pairing(node, b, a, pairing)
    known = [slot.entry for slot in (a, b) if slot.entry is not None]
    ahead = [entry for entry in known if follower is not None and entry in (follower.a, follower.b)]
    staying = ahead or [entry for entry in known if snapshot.by_id[entry].status is EntryStatus.ACTIVE]
    leaving = tuple(entry for entry in known if entry not in staying)
    if UNKNOWN in (a, b) or len(staying) > 1:
        return Outcome(node, a, b, out=leaving)
    return Outcome(node, a, b, winner=Slot(staying[0]) if staying else VOID, loser=VOID, out=leaving)


def _of_pairing(node: Node, a: Slot, b: Slot, pairing: Pairing) -> Outcome:
    if pairing.winner is not None:
        loser = VOID if pairing.loser is None else Slot(pairing.loser)
        out = () if pairing.loser is None or node.goes_on is not None else (pairing.loser,)
        return Outcome(node, a, b, pairing, Slot(pairing.winner), loser, out)
    if pairing.b is not None and pairing.result is not None and pairing.result.kind is ResultKind.DOUBLE_NO_SHOW:
        return Outcome(node, a, b, pairing, VOID, VOID, (pairing.a, pairing.b))
    return Outcome(node, a, b, pairing)


def _planned(outcomes: Iterable[Outcome]) -> Iterator[PlannedPairing]:
    """The pairings of a round to be made now: both sides known and nothing decided, or a bye of round 1."""
    for outcome in outcomes:
        a, b = outcome.a.entry, outcome.b.entry
        number = outcome.node.place[1]
        if outcome.pairing is not None or a is None:
            continue
        if b is not None and outcome.winner == UNKNOWN:
            yield PlannedPairing(number, a, b)
        elif isinstance(outcome.node.a, Seed) and outcome.b.void and outcome.winner == outcome.a:
            yield PlannedPairing(number, a, None, Note.of("bye_seeded", entry=a))
