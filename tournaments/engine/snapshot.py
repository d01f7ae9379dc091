"""What the tournament engine is told: one stage as frozen facts, and nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cached_property
from typing import Any

from tournaments.engine.regulations import Regulations, regulations_of


class ResultKind(StrEnum):
    """How a match ended. Only SCORE was played to its end by the rules."""

    SCORE = "score"
    TIME = "time"  # the time of the round was over: the sets stand as they were, and whoever led has won
    WALKOVER = "walkover"  # the other side never came; nothing was played
    FORFEIT = "forfeit"  # the other side gave the match up after it had begun
    DOUBLE_NO_SHOW = "double_no_show"  # neither side came: both lose


_AT_THE_TABLE = (ResultKind.SCORE, ResultKind.TIME, ResultKind.FORFEIT)


class EntryStatus(StrEnum):
    """Whether an entry is still to be paired."""

    ACTIVE = "active"
    WITHDRAWN = "withdrawn"
    DISQUALIFIED = "disqualified"


class Bye(StrEnum):
    """Why an entry meets nobody in a round, and so what the round is worth."""

    GIVEN = "given"  # by the pairing, to the one left over: worth a bye
    FULL = "full"  # asked for, worth a win
    HALF = "half"  # asked for, worth a tie
    ZERO = "zero"  # asked for, worth a loss


@dataclass(frozen=True, slots=True)
class Entry:
    """One player in the stage.

    `seed` is the place in the seeding order: 1 is the best, no gaps, no twins, fixed when the stage starts.
    `club` is "" when unknown. `since` is the first round the entry may be paired in (a late entry has more than 1).
    `asked` are the rounds the entry asked not to play in, each with what it gets for it. `group` is the group it came
    from in the stage before, "" for none: its members are kept apart in a bracket.
    """

    id: int
    seed: int
    status: EntryStatus = EntryStatus.ACTIVE
    club: str = ""
    since: int = 1
    asked: tuple[tuple[int, Bye], ...] = ()
    group: str = ""


@dataclass(frozen=True, slots=True)
class Result:
    """The confirmed outcome of a pairing with two sides.

    `sets` are set points of side a and side b as they count in the table. A walkover counts as a clean win
    (sets to win : 0), a forfeit as sets to win : what the loser had won, a double no-show as 0 : 0; one on time as far
    as it was played. `winner` is "a", "b" or None: None is a tied match (kind SCORE or TIME) or nobody
    (DOUBLE_NO_SHOW). `tied_sets` are sets that nobody won, where they are written down.
    """

    kind: ResultKind
    sets: tuple[int, int]
    winner: str | None
    tied_sets: int = 0

    @property
    def is_tie(self) -> bool:
        """Played to a tie. A double no-show is none: both sides lost it."""
        return self.winner is None and self.kind in (ResultKind.SCORE, ResultKind.TIME)


@dataclass(frozen=True, slots=True)
class Pairing:
    """Who meets whom in a round, or a bye (`b` is None). Side a has the first turn.

    `number` is the place within the round from 1 up: the bracket position in elimination, the table order elsewhere.
    `result` is None while the match is open; a bye has none and needs none. `bye` says what kind it is.
    """

    round: int
    number: int
    a: int
    b: int | None
    result: Result | None = None
    bye: Bye = Bye.GIVEN

    @property
    def is_bye(self) -> bool:
        return self.b is None

    @property
    def is_open(self) -> bool:
        return self.b is not None and self.result is None

    @property
    def winner(self) -> int | None:
        """The entry that goes through: the winner of the match, or the one with the bye."""
        if self.b is None:
            return self.a
        if self.result is None or self.result.winner is None:
            return None
        return self.a if self.result.winner == "a" else self.b

    @property
    def loser(self) -> int | None:
        """The entry that lost to somebody; None for a bye, a tie, an open match or a double no-show."""
        if self.b is None or self.result is None or self.result.winner is None:
            return None
        return self.b if self.result.winner == "a" else self.a

    @property
    def is_tie(self) -> bool:
        """Played to a tie. A double no-show is none: both sides lost it."""
        return self.result is not None and self.result.is_tie

    @property
    def was_played(self) -> bool:
        """Whether the two sat down at the table. A forfeit began as a match; a walkover or a double no-show did not."""
        return self.result is not None and self.result.kind in _AT_THE_TABLE

    def opponent(self, entry: int) -> int | None:
        """Who `entry` meets here; None for a bye."""
        return self.b if entry == self.a else self.a

    def sets_of(self, entry: int) -> tuple[int, int]:
        """Set points `entry` won and lost here; 0 : 0 for a bye or an open match."""
        if self.b is None or self.result is None:
            return (0, 0)
        mine, theirs = self.result.sets
        return (mine, theirs) if entry == self.a else (theirs, mine)


@dataclass(frozen=True, slots=True)
class Points:
    """Match points. Integers, so that sums are exact; a half-point scale is written doubled."""

    win: int = 3
    tie: int = 1
    loss: int = 0
    bye: int = 3

    def earned(self, pairing: Pairing, entry: int) -> int:
        """What `entry` has from `pairing`: a bye counts at once, an open match is worth nothing yet."""
        result = pairing.result
        if pairing.b is None:
            return self.worth(pairing.bye)
        if result is None:
            return 0
        if result.winner is None:
            return self.tie if result.is_tie else self.loss
        return self.win if (result.winner == "a") is (entry == pairing.a) else self.loss

    def worth(self, bye: Bye) -> int:
        """Points for a round without an opponent."""
        return {Bye.GIVEN: self.bye, Bye.FULL: self.win, Bye.HALF: self.tie, Bye.ZERO: self.loss}[bye]


@dataclass(frozen=True, slots=True)
class Record:
    """What an entry has to show: matches by outcome, byes, set points won and lost, match points.

    A bye is a bye and not a win; both sides of a double no-show have a loss; an open match is not there. Points include
    those for rounds before a late entry came, where the regulations give any.
    """

    wins: int = 0
    ties: int = 0
    losses: int = 0
    byes: int = 0
    sets_won: int = 0
    sets_lost: int = 0
    points: int = 0


@dataclass(frozen=True)
class Snapshot:
    """One stage: its entries, its published pairings with confirmed results, its numbers.

    `seed` is the stored text every lot of this stage is drawn from. `options` is the format's own frozen `Options`.
    `play_offs` are extra matches of entries that were level in everything: they count for nothing but the order of
    those. Neither entries nor pairings need to come in any order: nothing computed here may depend on it.
    """

    entries: tuple[Entry, ...]
    pairings: tuple[Pairing, ...] = ()
    options: object = None
    points: Points = field(default_factory=Points)
    sets_to_win: int = 3
    seed: str = ""
    play_offs: tuple[Pairing, ...] = ()
    worked_out: dict[Any, Any] = field(init=False, default_factory=dict, compare=False, repr=False)
    """What several tie-breaks need of this snapshot, by whoever worked it out first."""

    @cached_property
    def regulations(self) -> Regulations:
        """What was settled before the start on unplayed rounds and percentages."""
        return regulations_of(self.options)

    @cached_property
    def by_id(self) -> dict[int, Entry]:
        return {entry.id: entry for entry in self.entries}

    @cached_property
    def by_seed(self) -> tuple[Entry, ...]:
        return tuple(sorted(self.entries, key=lambda entry: (entry.seed, entry.id)))

    @cached_property
    def starters(self) -> tuple[Entry, ...]:
        """Those in from the first round, by seed: what a bracket or a table of all rounds is made for."""
        return tuple(entry for entry in self.by_seed if entry.since == 1)

    @cached_property
    def rounds(self) -> dict[int, tuple[Pairing, ...]]:
        """Round number to its pairings in order of their number."""
        found: dict[int, list[Pairing]] = {}
        for pairing in sorted(self.pairings, key=lambda p: (p.round, p.number)):
            found.setdefault(pairing.round, []).append(pairing)
        return {number: tuple(pairings) for number, pairings in found.items()}

    @cached_property
    def last_round(self) -> int:
        """The highest round that has pairings; 0 before the first."""
        return max(self.rounds, default=0)

    @cached_property
    def games(self) -> dict[int, tuple[Pairing, ...]]:
        """Entry id to its pairings (byes too) in order of round; every entry has a key."""
        found: dict[int, list[Pairing]] = {entry.id: [] for entry in self.entries}
        for pairing in sorted(self.pairings, key=lambda p: (p.round, p.number)):
            found[pairing.a].append(pairing)
            if pairing.b is not None:
                found[pairing.b].append(pairing)
        return {entry: tuple(pairings) for entry, pairings in found.items()}

    @cached_property
    def records(self) -> dict[int, Record]:
        """Entry id to its record; every entry has a key."""
        return {entry: self._record(entry, pairings) for entry, pairings in self.games.items()}

    def joined_by(self, newcomer: Entry) -> Snapshot:
        """The stage with one more entry."""
        return replace(self, entries=(*self.entries, newcomer))

    def without(self, entry: int) -> Snapshot:
        """The stage without an entry and its pairings; the seeds behind it move up."""
        gone = self.by_id[entry].seed
        return replace(
            self,
            entries=tuple(
                replace(other, seed=other.seed - (other.seed > gone)) for other in self.entries if other.id != entry
            ),
            pairings=tuple(pairing for pairing in self.pairings if entry not in (pairing.a, pairing.b)),
        )

    def missed(self, entry: int) -> frozenset[int]:
        """The closed rounds before a late entry came."""
        since = self.by_id[entry].since
        return frozenset(number for number in self.closed_rounds if number < since) if since > 1 else frozenset()

    @cached_property
    def points_for_missed(self) -> int:
        """What each round before a late entry came is worth to it."""
        points = self.points
        return {"loss": 0, "tie": points.tie, "bye": points.bye}[self.regulations.late_rounds]

    def _record(self, entry: int, pairings: tuple[Pairing, ...]) -> Record:
        wins = ties = losses = byes = sets_won = sets_lost = 0
        points = self.points_for_missed * len(self.missed(entry))
        for pairing in pairings:
            result = pairing.result
            if pairing.b is None:
                byes += 1
            elif result is None:
                continue
            else:
                is_first = pairing.a == entry
                mine, theirs = result.sets if is_first else result.sets[::-1]
                sets_won += mine
                sets_lost += theirs
                if result.winner is None:
                    ties += result.is_tie
                    losses += not result.is_tie
                elif (result.winner == "a") is is_first:
                    wins += 1
                else:
                    losses += 1
            points += self.points.earned(pairing, entry)
        return Record(wins, ties, losses, byes, sets_won, sets_lost, points)

    @cached_property
    def closed_rounds(self) -> frozenset[int]:
        """Rounds in which no match is open."""
        return frozenset(
            number for number, pairings in self.rounds.items() if not any(pairing.is_open for pairing in pairings)
        )

    @cached_property
    def all_play_all(self) -> bool:
        """Whether every two entries have a pairing and nobody a bye: a round robin by its facts, whatever its name."""
        size = len(self.entries)
        if size < 2 or len(self.pairings) < size * (size - 1) // 2 or any(p.is_bye for p in self.pairings):
            return False
        return len({frozenset((p.a, p.b)) for p in self.pairings}) == size * (size - 1) // 2

    def open_pairings(self) -> Iterator[Pairing]:
        """Pairings that still wait for a result, by round and number."""
        for number in sorted(self.rounds):
            yield from (pairing for pairing in self.rounds[number] if pairing.is_open)
