"""Single elimination: who loses is out; the winner of the last match is the champion."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from tournaments.engine.formats.base import (
    BracketMatch,
    BracketRound,
    Format,
    Note,
    PlannedPairing,
    PlannedRound,
    Slot,
)
from tournaments.engine.snapshot import EntryStatus, Pairing, ResultKind, Snapshot

_UNKNOWN = Slot()
_VOID = Slot(void=True)


@dataclass(frozen=True, slots=True)
class SingleEliminationOptions:
    """`third_place`: the losers of the semi-finals play for third place, in a round of their own before the final."""

    third_place: bool = False


class SingleElimination(Format):
    """A bracket for any field from 2, in the standard order of seeds; the best seeds have the byes of round 1.

    Matches are numbered from the top of the bracket. The winner of match m of a round plays in match (m + 1) // 2 of
    the next, on side a if m is odd. A side that stays empty (a double no-show, an entry that left the event before
    its match was made) lets the other one through without a pairing; the byes of round 1 are pairings without a side b.
    A published pairing whose sides are no longer those who got there counts for nothing, and its place is planned anew
    once it is taken away.
    """

    key = "single_elimination"
    Options = SingleEliminationOptions
    default_tiebreaks = ()
    has_bracket = True
    allows_ties = False

    def rounds_planned(self, snapshot: Snapshot) -> int:
        shape = _Shape.of(snapshot)
        return shape.depth + shape.third_place

    def pair(self, snapshot: Snapshot) -> tuple[PlannedRound, ...]:
        found = []
        for number, outcomes in _columns(snapshot).items():
            if number > 1 and not snapshot.pairings:
                break  # two who have a bye may meet in round 2, but round 1 is published first
            taken = {pairing.number for pairing in snapshot.rounds.get(number, ())}
            pairings = tuple(planned for planned in _planned(number, outcomes) if planned.number not in taken)
            if pairings:
                found.append(PlannedRound(number, pairings))
        return tuple(found)

    def needs_draft(self, number: int) -> bool:
        return number == 1

    def round_name(self, snapshot: Snapshot, number: int) -> Note:
        return _Shape.of(snapshot).name(number)

    def is_over(self, snapshot: Snapshot) -> bool:
        return bool(snapshot.pairings) and all(
            outcome.winner != _UNKNOWN for outcomes in _columns(snapshot).values() for outcome in outcomes
        )

    def dependents(self, snapshot: Snapshot, pairing: Pairing) -> tuple[Pairing, ...]:
        shape = _Shape.of(snapshot)
        published = {(p.round, p.number): p for p in snapshot.pairings}
        places = []
        level, match = shape.level(pairing.round), pairing.number
        while level < shape.depth:
            if shape.third_place and level == shape.depth - 1:
                places.append((shape.depth, 1))
            level, match = level + 1, (match + 1) // 2
            places.append((shape.number(level), match))
        return tuple(published[place] for place in places if place in published)

    def places(self, snapshot: Snapshot) -> dict[int, int] | None:
        """Place from the round of exit alone: 1, 2, 3, 3, 5 …; with a match for third place 1, 2, 3, 4, 5 ….

        Who is still in has no place yet. Nobody is promoted into a place that stays empty: after a final that neither
        side came to there are two second places and no first.
        """
        return {entry: fate.place for entry, fate in _fates(snapshot).items() if fate.place is not None}

    def place_reasons(self, snapshot: Snapshot) -> dict[int, Note]:
        return {entry: fate.reason for entry, fate in _fates(snapshot).items()}

    def bracket(self, snapshot: Snapshot) -> tuple[BracketRound, ...]:
        return tuple(
            BracketRound(
                number,
                self.round_name(snapshot, number),
                tuple(
                    BracketMatch(number, place, outcome.a, outcome.b, outcome.winner.entry, outcome.pairing)
                    for place, outcome in enumerate(outcomes, start=1)
                ),
            )
            for number, outcomes in _columns(snapshot).items()
        )

    def advice(self, entries: int, options: object) -> tuple[Note, ...]:
        """`no_third_place` (entries): too few for losing semi-finalists."""
        wanted = isinstance(options, SingleEliminationOptions) and options.third_place
        return (Note.of("no_third_place", entries=entries),) if wanted and entries < 4 else ()


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


@dataclass(frozen=True, slots=True)
class _Shape:
    """`depth` levels from round 1 to the final. Rounds count levels, with a match for third place before the final."""

    depth: int
    third_place: bool

    @classmethod
    def of(cls, snapshot: Snapshot) -> _Shape:
        options = snapshot.options
        wanted = isinstance(options, SingleEliminationOptions) and options.third_place
        return cls((len(snapshot.starters) - 1).bit_length(), wanted and len(snapshot.starters) > 3)

    @property
    def third_place_round(self) -> int | None:
        return self.depth if self.third_place else None

    def number(self, level: int) -> int:
        """The round number of a level."""
        return level + 1 if self.third_place and level == self.depth else level

    def level(self, number: int) -> int:
        """The level of a round number; that of the final for the match for third place."""
        return min(number, self.depth)

    def name(self, number: int) -> Note:
        if number == self.third_place_round:
            return Note.of("third_place")
        return elimination_round_name(2 << (self.depth - self.level(number)))


@dataclass(frozen=True, slots=True)
class _Outcome:
    """A match and what became of it: who goes on, who may go on to play for third place, whose event ends here."""

    a: Slot
    b: Slot
    pairing: Pairing | None = None
    winner: Slot = _UNKNOWN
    loser: Slot = _UNKNOWN
    out: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class _Fate:
    """How far an entry has come: its place, or None while it is still in."""

    place: int | None
    reason: Note


def _fates(snapshot: Snapshot) -> dict[int, _Fate]:
    shape = _Shape.of(snapshot)
    found = {entry.id: _Fate(None, Note.of("still_in", best=1)) for entry in snapshot.starters}
    for number, outcomes in _columns(snapshot).items():
        level = shape.level(number)
        name = shape.name(number)
        feeds_third = shape.third_place and level == shape.depth - 1
        place = 4 if feeds_third or name.code == "third_place" else (1 << (shape.depth - level)) + 1
        for outcome in outcomes:
            out = Note.of("place_out_in", round=name.code, **dict(name.params))
            for entry in outcome.out:
                found[entry] = _Fate(place, out)
            if feeds_third and outcome.loser.entry is not None:
                found[outcome.loser.entry] = _Fate(None, Note.of("still_in", best=3))
            if level == shape.depth:
                found |= _fates_of_last(outcome, name.code)
    return found


def _fates_of_last(outcome: _Outcome, round_name: str) -> dict[int, _Fate]:
    """Winner and loser of the final or of the match for third place, as far as there are any."""
    won, lost, best = ("place_final_won", "place_final_lost", 1)
    if round_name == "third_place":
        won, lost, best = ("place_third_won", "place_third_lost", 3)
    winner, loser = outcome.winner.entry, outcome.loser.entry
    if winner is None:
        return {}
    if loser is None or outcome.pairing is None:
        return {winner: _Fate(best, Note.of("place_unopposed", round=round_name))}
    sets = outcome.pairing.sets_of
    return {
        winner: _Fate(best, Note.of(won, entry=loser, sets="{}:{}".format(*sets(winner)))),
        loser: _Fate(best + 1, Note.of(lost, entry=winner, sets="{}:{}".format(*sets(loser)))),
    }


def _columns(snapshot: Snapshot) -> dict[int, list[_Outcome]]:
    """Round number to its matches from the top, in order of rounds."""
    shape = _Shape.of(snapshot)
    published = {(p.round, p.number): p for p in snapshot.pairings}
    sides = _first_sides(snapshot, 1 << shape.depth, published)
    found: dict[int, list[_Outcome]] = {}
    for level in range(1, shape.depth + 1):
        number = shape.number(level)
        if number > level:
            a, b = (semi_final.loser for semi_final in found[level - 1])
            found[level] = [_outcome(snapshot, a, b, published.get((level, 1)), None)]
        found[number] = []
        for place, (a, b) in enumerate(zip(sides[::2], sides[1::2], strict=True), start=1):
            follower = published.get((shape.number(level + 1), (place + 1) // 2))
            found[number].append(_outcome(snapshot, a, b, published.get((number, place)), follower))
        sides = [outcome.winner for outcome in found[number]]
    return found


def _first_sides(snapshot: Snapshot, size: int, published: dict[tuple[int, int], Pairing]) -> list[Slot]:
    """The sides of round 1 from the top: as published, which a person may have changed; else by seed."""
    entries = snapshot.starters
    sides = [Slot(entries[seed - 1].id) if seed <= len(entries) else _VOID for seed in seed_order(size)]
    for place in range(1, size // 2 + 1):
        if (pairing := published.get((1, place))) is not None:
            sides[2 * place - 2] = Slot(pairing.a)
            sides[2 * place - 1] = _VOID if pairing.b is None else Slot(pairing.b)
    return sides


def _outcome(snapshot: Snapshot, a: Slot, b: Slot, pairing: Pairing | None, follower: Pairing | None) -> _Outcome:
    """What became of one match. `follower` is the published pairing its winner plays in, if there is one.

    An entry that left before its match was made does not go through. It stays out should it come back when the next
    match is already published with the other; and who is in that match went through, whatever happened since.
    """
    if pairing is not None and {pairing.a, pairing.b} == {a.entry, b.entry}:
        return _of_pairing(a, b, pairing) if pairing.a == a.entry else _of_pairing(b, a, pairing)
    known = [slot.entry for slot in (a, b) if slot.entry is not None]
    ahead = [entry for entry in known if follower is not None and entry in (follower.a, follower.b)]
    staying = ahead or [entry for entry in known if snapshot.by_id[entry].status is EntryStatus.ACTIVE]
    leaving = tuple(entry for entry in known if entry not in staying)
    if _UNKNOWN in (a, b) or len(staying) > 1:
        return _Outcome(a, b, out=leaving)
    return _Outcome(a, b, winner=Slot(staying[0]) if staying else _VOID, loser=_VOID, out=leaving)


def _of_pairing(a: Slot, b: Slot, pairing: Pairing) -> _Outcome:
    if pairing.winner is not None:
        out = () if pairing.loser is None else (pairing.loser,)
        return _Outcome(a, b, pairing, Slot(pairing.winner), Slot(pairing.loser) if out else _VOID, out)
    if pairing.b is not None and pairing.result is not None and pairing.result.kind is ResultKind.DOUBLE_NO_SHOW:
        return _Outcome(a, b, pairing, _VOID, _VOID, (pairing.a, pairing.b))
    return _Outcome(a, b, pairing)


def _planned(number: int, outcomes: Iterable[_Outcome]) -> Iterator[PlannedPairing]:
    """The pairings of a round to be made now: both sides known and nothing decided, or a bye of round 1."""
    for place, outcome in enumerate(outcomes, start=1):
        a, b = outcome.a.entry, outcome.b.entry
        if outcome.pairing is not None or a is None:
            continue
        if b is not None and outcome.winner == _UNKNOWN:
            yield PlannedPairing(place, a, b)
        elif number == 1 and outcome.b.void and outcome.winner == outcome.a:
            yield PlannedPairing(place, a, None, Note.of("bye_seeded", entry=a))
