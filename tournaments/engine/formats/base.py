"""What a format is: how rounds are made, what they are called, when it is over, who is where."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar, Literal

from tournaments.engine.notes import Note
from tournaments.engine.pairing.judge import Sides, judge
from tournaments.engine.snapshot import Bye, Entry, Pairing, Snapshot

__all__ = [
    "ADVICE",
    "PLAN_NOTES",
    "ROUND_NAMES",
    "WHYS",
    "BracketMatch",
    "BracketRound",
    "BracketSide",
    "Feed",
    "Format",
    "Note",
    "PlannedPairing",
    "PlannedRound",
    "Seating",
    "Slot",
]


ROUND_NAMES = (
    "round",
    "round_of",
    "quarter_finals",
    "semi_finals",
    "third_place",
    "final",
    "winners_round",
    "winners_semi_finals",
    "winners_final",
    "losers_round",
    "losers_final",
    "grand_final",
    "grand_final_reset",
    "play_off",
)
"""Every code of a round's name. `round`, `round_of`, `winners_round`, `losers_round` and `play_off` have n."""

WHYS = (
    "rematch",  # a, b, round they last met in
    "floated",  # entry meets somebody of another score group: its points, and those it falls to
    "bye_lowest",  # entry, points
    "bye_lowest_possible",  # entry, points: a bye for somebody lower would have cost a rematch
    "bye_alone",  # entry: nobody else is left
    "bye_asked",  # entry
    "in_group",  # group, from 1
    "bye_seeded",  # entry: a free place beside one of the best seeds
)
"""Every code `PlannedPairing.why` can have."""

PLAN_NOTES = (
    "rematch_unavoidable",  # a, b, round they last met in
    "second_bye_unavoidable",  # entry, byes so far
    "nobody_plays",  # every entry has a bye, because too many asked for one
)
"""Every code of `PlannedRound.notes`."""

ADVICE = (
    "round_robin_instead",  # rounds, entries: that many rounds are enough for everybody to meet everybody
    "rematches_certain",  # rounds, most: the rounds there can be without a rematch
    "rounds_too_few",  # rounds, needed to leave one unbeaten
    "no_third_place",  # entries: too few for losing semi-finalists
    "fewer_groups",  # groups: as many as there can be with at least two in each
)
"""Every code of `Format.advice`."""


@dataclass(frozen=True, slots=True)
class PlannedPairing:
    """A pairing the format proposes. `b` None is a bye. `why` says why it was made, where there is something to say."""

    number: int
    a: int
    b: int | None
    why: Note | None = None
    bye: Bye = Bye.GIVEN


@dataclass(frozen=True, slots=True)
class PlannedRound:
    """One round the format proposes. `notes` are for the organiser to see before publishing: an unavoidable rematch."""

    number: int
    pairings: tuple[PlannedPairing, ...]
    notes: tuple[Note, ...] = ()


@dataclass(frozen=True, slots=True)
class Seating:
    """What becomes of published rounds when somebody comes late, or is taken out again.

    `put` are pairings as they are to stand: new ones, or in the place of the one of this round and number. `gone` are
    to be taken away; none of them has a result. `since` is the first round the newcomer may be paired in.
    """

    since: int = 1
    put: tuple[Pairing, ...] = ()
    gone: tuple[Pairing, ...] = ()


@dataclass(frozen=True, slots=True)
class Slot:
    """One side of a bracket match: an entry, or not known yet (entry None), or empty for good (`void`)."""

    entry: int | None = None
    void: bool = False


@dataclass(frozen=True, slots=True)
class Feed:
    """A side filled by another match, (round, number): by its winner, or by its loser."""

    place: tuple[int, int]
    loser: bool = False


BracketSide = Literal["", "winners", "losers", "final"]
"""The part of a bracket with two trees that a round belongs to; "" where there is one tree."""


@dataclass(frozen=True, slots=True)
class BracketMatch:
    """One place in the bracket. `pairing` is None until both sides are known (or where nothing is to be played).

    `from_a` and `from_b` say which matches fill the sides; None for a side filled by the seeding.
    """

    round: int
    number: int
    a: Slot
    b: Slot
    winner: int | None = None
    pairing: Pairing | None = None
    from_a: Feed | None = None
    from_b: Feed | None = None


@dataclass(frozen=True, slots=True)
class BracketRound:
    """A column of the bracket and its name: `final`, `semi_finals`, `quarter_finals`, `round_of` n, `third_place`."""

    number: int
    name: Note
    matches: tuple[BracketMatch, ...]
    side: BracketSide = ""


class Format(ABC):
    """One way of running a stage. Stateless; everything it knows is in the snapshot and its options.

    `key` is stored and never changes. `Options` is a frozen dataclass of plain fields with defaults.
    """

    key: ClassVar[str]
    Options: ClassVar[type]
    default_tiebreaks: ClassVar[tuple[str, ...]]
    least_entries: ClassVar[int] = 2
    has_bracket: ClassVar[bool] = False
    allows_ties: ClassVar[bool] = True
    is_fixed: ClassVar[bool] = False
    """Whether all pairings are known from the start."""
    gives_asked_byes: ClassVar[bool] = False
    """Whether an entry can ask not to play in a round."""

    @abstractmethod
    def rounds_planned(self, snapshot: Snapshot) -> int:
        """How many rounds the stage has when it runs as planned (byes rounds of a bracket included)."""

    def rounds_at_most(self, snapshot: Snapshot) -> int:
        """How many rounds the stage can have at most."""
        return self.rounds_planned(snapshot)

    @abstractmethod
    def pair(self, snapshot: Snapshot) -> tuple[PlannedRound, ...]:
        """The rounds that are decided now and not yet in the snapshot; () when nothing can be paired yet.

        Swiss: the next round once all results of the last are in. Round robin: all rounds at once.
        Elimination: every pairing whose sides are known, in rounds that may already be there in part.
        """

    @abstractmethod
    def needs_draft(self, number: int) -> bool:
        """Whether round `number` waits for a person to look and publish, or follows by itself from results."""

    def judge(self, snapshot: Snapshot, number: int, pairings: Iterable[Sides]) -> tuple[Note, ...]:
        """What is to be said of `pairings` as draft of round `number`, beyond what is so in the format's own plan too.

        Codes as of `pairing.judge`: byes of a bracket are no news, a rematch somebody made by hand is.
        """
        own = [note for plan in self.pair(snapshot) if plan.number == number for note in judge(snapshot, plan.pairings)]
        return tuple(note for note in judge(snapshot, pairings) if note not in own)

    @abstractmethod
    def round_name(self, snapshot: Snapshot, number: int) -> Note:
        """The name of a round, derived from the field and never stored: `round` n, `final`, `semi_finals`, ..."""

    def name_of(self, snapshot: Snapshot, number: int) -> Note:
        """The name of any round there is: `play_off` n for extra matches, else what the format calls it."""
        extra = sorted({pairing.round for pairing in snapshot.play_offs})
        return Note.of("play_off", n=extra.index(number) + 1) if number in extra else self.round_name(snapshot, number)

    @abstractmethod
    def let_in(self, snapshot: Snapshot, newcomer: Entry) -> Seating | None:
        """Where somebody who comes after the start is seated; None where there is no place for them any more.

        `newcomer` is not in the snapshot and has the seed after the last one.
        """

    @abstractmethod
    def let_out(self, snapshot: Snapshot, entry: int) -> Seating | None:
        """What is left when an entry without a result is taken out as if it had never come; None if that cannot be.

        Seeds behind it move up.
        """

    @abstractmethod
    def is_over(self, snapshot: Snapshot) -> bool:
        """Whether every round is made and no result is missing."""

    def counted(self, snapshot: Snapshot) -> Snapshot:
        """The stage as the standings count it: without what a policy annuls, with what it decides."""
        return snapshot

    def groups(self, snapshot: Snapshot) -> tuple[tuple[int, ...], ...]:
        """Entries of each group by seed, where a stage is played in several; () where all are in one."""
        return ()

    @abstractmethod
    def dependents(self, snapshot: Snapshot, pairing: Pairing) -> tuple[Pairing, ...]:
        """Published pairings that rest on this one's result: who is in them may change if it changes."""

    def places(self, snapshot: Snapshot) -> dict[int, int] | None:
        """Entry id to place where the format itself decides it (elimination); None where tie-breaks do."""
        return None

    def place_reasons(self, snapshot: Snapshot) -> dict[int, Note]:
        """For every entry in the bracket, why it has its place or none yet; {} where tie-breaks decide.

        `place_final_won`, `place_final_lost`, `place_third_won`, `place_third_lost` (entry: the other side; sets: own
        first), `place_unopposed` (round), `place_out_in` (round, n for `round_of`), `still_in` (best: the best place
        still possible).
        """
        return {}

    def bracket(self, snapshot: Snapshot) -> tuple[BracketRound, ...]:
        """The whole bracket, decided or not; () for formats without one."""
        return ()

    def advice(self, entries: int, options: object) -> tuple[Note, ...]:
        """Warnings about these options for a field of this size (too many rounds, ...)."""
        return ()
