"""Swiss: every round everybody meets somebody with about as many points, and nobody twice."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from tournaments.engine.formats.base import Format, Note, PlannedPairing, PlannedRound, Seating
from tournaments.engine.pairing import Contender, Paired, asked_byes, contenders, lot, pair_round
from tournaments.engine.regulations import FideEdition, LateRounds, PercentByes, PercentFloor, Regulations
from tournaments.engine.snapshot import Entry, EntryStatus, Pairing, Snapshot


@dataclass(frozen=True, slots=True)
class SwissOptions:
    """`rounds` None means as many as it takes to leave one unbeaten: log2 of the entries that start, rounded up.

    `first_round` "random" pairs round 1 by lot; "slide" pairs the upper half of the seeding with the lower half, the
    first with the first. From round 2 on those with equal points are paired by lot from the stored seed, whatever the
    seeding; tie-breaks have no say in it.

    `until_unbeaten` ends the stage after the first round that leaves at most one without a loss, and plays on until
    there is such a round: `rounds`, or else one fewer than there are entries, is then the most there can be.

    `clubs_apart` keeps players of one club from meeting where that makes nobody meet somebody farther away in points.

    The others are the regulations of the same names.
    """

    rounds: int | None = None
    until_unbeaten: bool = False
    first_round: Literal["random", "slide"] = "random"
    clubs_apart: bool = False
    late_rounds: LateRounds = "loss"
    unplayed: FideEdition = "2026"
    percent_floor: PercentFloor = "1/3"
    percent_byes: PercentByes = "win"

    @property
    def regulations(self) -> Regulations:
        """What is settled about rounds without a match and about percentages."""
        return Regulations(self.unplayed, self.late_rounds, self.percent_floor, self.percent_byes)


class Swiss(Format):
    """One round at a time, each waiting for the organiser's look.

    A round whose results change later is not paired anew: the points change, published pairings stand.
    """

    key = "swiss"
    Options = SwissOptions
    default_tiebreaks = ("buchholz_cut_1", "buchholz", "head_to_head", "set_difference")
    gives_asked_byes = True

    def rounds_planned(self, snapshot: Snapshot) -> int:
        options = _options(snapshot)
        usual = options.rounds or _rounds_for(len(snapshot.starters))
        if not options.until_unbeaten:
            return usual
        waiting = any(snapshot.open_pairings())
        if snapshot.last_round and not waiting and _unbeaten(snapshot) <= 1:
            return snapshot.last_round
        return min(self.rounds_at_most(snapshot), max(usual, snapshot.last_round + (not waiting)))

    def rounds_at_most(self, snapshot: Snapshot) -> int:
        options = _options(snapshot)
        usual = options.rounds or _rounds_for(len(snapshot.starters))
        if options.until_unbeaten and options.rounds is None:
            return max(usual, len(snapshot.starters) - 1)
        return usual

    def pair(self, snapshot: Snapshot) -> tuple[PlannedRound, ...]:
        number = snapshot.last_round + 1
        if number > self.rounds_planned(snapshot) or any(snapshot.open_pairings()):
            return ()
        field = contenders(snapshot, number, clubs=_options(snapshot).clubs_apart)
        asked = tuple(
            PlannedPairing(0, entry.id, None, Note.of("bye_asked", entry=entry.id), bye)
            for entry, bye in asked_byes(snapshot, number)
        )
        if not field and not asked:
            return ()
        if number == 1 and _options(snapshot).first_round == "slide":
            paired = _slide(field, snapshot.seed)
        else:
            paired = pair_round(field, seed=snapshot.seed, number=number)
        return (_planned(snapshot, number, field, paired, asked),)

    def needs_draft(self, number: int) -> bool:
        return True

    def round_name(self, snapshot: Snapshot, number: int) -> Note:
        return Note.of("round", n=number)

    def let_in(self, snapshot: Snapshot, newcomer: Entry) -> Seating | None:
        """From the next round on; the rounds before it are worth what the regulations say."""
        number = snapshot.last_round + 1
        return None if self.is_over(snapshot) or number > self.rounds_at_most(snapshot) else Seating(since=number)

    def let_out(self, snapshot: Snapshot, entry: int) -> Seating | None:
        """Only while nobody saw a pairing of theirs, and it changes no number of rounds."""
        if snapshot.games[entry] or (snapshot.by_id[entry].since == 1 and snapshot.pairings):
            return None
        return Seating()

    def is_over(self, snapshot: Snapshot) -> bool:
        return snapshot.last_round >= self.rounds_planned(snapshot) and not any(snapshot.open_pairings())

    def dependents(self, snapshot: Snapshot, pairing: Pairing) -> tuple[Pairing, ...]:
        return ()

    def advice(self, entries: int, options: object) -> tuple[Note, ...]:
        """`round_robin_instead`, `rematches_certain`, `rounds_too_few` (rounds, entries, needed)."""
        needed = _rounds_for(entries)
        fixed = options.rounds if isinstance(options, SwissOptions) else None
        rounds = needed if fixed is None else fixed
        most = entries - 1 if entries % 2 == 0 else entries
        notes = []
        if entries > 2 and rounds >= most:
            notes.append(Note.of("round_robin_instead", rounds=rounds, entries=entries))
        if entries > 1 and rounds > most:
            notes.append(Note.of("rematches_certain", rounds=rounds, most=most))
        if rounds < needed:
            notes.append(Note.of("rounds_too_few", rounds=rounds, needed=needed))
        return tuple(notes)


def _options(snapshot: Snapshot) -> SwissOptions:
    return snapshot.options if isinstance(snapshot.options, SwissOptions) else SwissOptions()


def _unbeaten(snapshot: Snapshot) -> int:
    """How many of those who started have lost nothing; whoever has left does not count."""
    return sum(
        entry.status is EntryStatus.ACTIVE and not snapshot.records[entry.id].losses for entry in snapshot.starters
    )


def _rounds_for(entries: int) -> int:
    """Rounds that leave one unbeaten; at least one."""
    return max(1, (entries - 1).bit_length())


def _slide(field: tuple[Contender, ...], seed: str) -> Paired:
    """Round 1 by seeding: the lowest seed sits out an odd field; who opens is by lot."""
    bye = field[-1].id if len(field) % 2 else None
    half = len(field) // 2
    pairs = []
    for upper, lower in zip(field[:half], field[half : 2 * half], strict=True):
        opens = lot(seed, 1, upper.seed) < lot(seed, 1, lower.seed)
        pairs.append((upper.id, lower.id) if opens else (lower.id, upper.id))
    return Paired(tuple(pairs), bye)


def _planned(
    snapshot: Snapshot,
    number: int,
    field: tuple[Contender, ...],
    paired: Paired,
    asked: tuple[PlannedPairing, ...],
) -> PlannedRound:
    by_id = {contender.id: contender for contender in field}
    pairings: list[PlannedPairing] = []
    notes: list[Note] = []
    for a, b in paired.pairs:
        why = _why(snapshot, by_id[a], by_id[b])
        if why is not None and why.code == "rematch":
            notes.append(Note("rematch_unavoidable", why.params))
        pairings.append(PlannedPairing(len(pairings) + 1, a, b, why))
    if paired.bye is not None:
        sitting = by_id[paired.bye]
        pairings.append(PlannedPairing(len(pairings) + 1, sitting.id, None, _why_bye(field, sitting)))
        if sitting.byes:
            notes.append(Note.of("second_bye_unavoidable", entry=sitting.id, byes=sitting.byes))
    pairings += (replace(bye, number=place) for place, bye in enumerate(asked, start=len(pairings) + 1))
    if asked and not paired.pairs:
        notes.append(Note.of("nobody_plays"))
    return PlannedRound(number, tuple(pairings), tuple(notes))


def _why(snapshot: Snapshot, one: Contender, other: Contender) -> Note | None:
    """`rematch` (a, b, round they last met), else `floated` (entry down from its own points to those of the other)."""
    if other.id in one.met:
        last = max(pairing.round for pairing in snapshot.games[one.id] if pairing.opponent(one.id) == other.id)
        return Note.of("rematch", a=one.id, b=other.id, round=last)
    if one.points != other.points:
        upper, lower = (one, other) if one.points > other.points else (other, one)
        return Note.of("floated", entry=upper.id, points=upper.points, to=lower.points)
    return None


def _why_bye(field: tuple[Contender, ...], sitting: Contender) -> Note:
    """`bye_alone` if nobody else is left to meet; `bye_lowest` for the lowest of those with the fewest byes.

    `bye_lowest_possible` if lower ones with no more byes had to play, because the others could not all be paired
    without rematches if one of those sat out.
    """
    if len(field) == 1:
        return Note.of("bye_alone", entry=sitting.id)
    lowest = min(field, key=lambda c: (c.byes, c.points, -c.seed))
    code = "bye_lowest" if lowest.id == sitting.id else "bye_lowest_possible"
    return Note.of(code, entry=sitting.id, points=sitting.points)
