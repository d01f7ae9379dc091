"""What the planner is told of a hall and its matches, as frozen facts, and what it answers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from enum import StrEnum

__all__ = [
    "MISFITS",
    "NOTES",
    "Assignment",
    "Bound",
    "Break",
    "Hall",
    "Match",
    "Misfit",
    "Person",
    "Plan",
    "Referee",
    "State",
    "Table",
    "Window",
]

MISFITS = (
    "held",  # an organiser holds it
    "in_circle",  # it waits, by way of others, for itself
    "waits_for",  # other: a match that feeds it has no place
    "no_table",  # no table of the hall has what it asks for
    "tables_out",  # those that have it are out of use
    "no_referee",  # nobody who could go to its tables
    "too_long",  # no opening of the hall is long enough
    "hall_closes",  # it cannot begin early enough before the hall closes
    "table_closes",  # other: its table, "" for all that fit
    "player_leaves",  # other: a player whose hours are over
    "no_room",  # hours and tables would do, but others fill them
)
"""Every code of `Misfit.code`."""

NOTES = (
    "late",  # it cannot begin when it was promised
    "moved",  # the table it was promised is out of use: this is a proposal, for a person to make true
)
"""Every code of `Assignment.note` but ""."""


class State(StrEnum):
    """How far a match is."""

    WAITING = "waiting"
    CALLED = "called"
    PLAYING = "playing"
    OVER = "over"


@dataclass(frozen=True, slots=True, order=True)
class Window:
    """Seconds from `start` up to, not including, `end`."""

    start: int
    end: int

    def __post_init__(self) -> None:
        if self.end <= self.start:
            raise ValueError("a window ends after it starts")


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """A match, played or to be played. Times are whole seconds on the caller's axis.

    `length` is how long it is expected to take. `players` are those known. `feeds` are matches that must be over
    before, because whoever comes of them plays here and has a right to rest; keys that are not in the plan are past.

    A match that waits may be promised a `table`, a `start` or both: it keeps them if it can. `earliest` promises
    nothing: not before. For one that is called, playing or over, `start` and `table` are facts; `end` is one when it is
    over, and expected before that. A match that was not played is over with `start` equal to `end`, or without them.

    `tags` are what its table must have. `ready_since` is since when it could have been played, where the caller knows
    better than its feeds and players tell. `wanted` is a start somebody thought out: the earliest wanted comes first.
    Between equals decides the tournament, so that a group is played together, then `order`, then the key.
    """

    key: str
    length: int
    players: tuple[str, ...] = ()
    feeds: tuple[str, ...] = ()
    state: State = State.WAITING
    table: str | None = None
    start: int | None = None
    end: int | None = None
    earliest: int | None = None
    tags: frozenset[str] = frozenset()
    referee: str | None = None
    needs_referee: bool = False
    tournament: str = ""
    held: bool = False
    ready_since: int | None = None
    wanted: int | None = None
    order: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        if self.length < 1:
            raise ValueError("a match takes a second at least")
        if self.state is State.PLAYING and self.start is None:
            raise ValueError("a match that is being played has a start")


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A table. `order` is its place among others, whatever its name; `hours` are () where the hall's are its own.

    `tournaments` are those it is kept for, empty for all. `out_of_use`: broken, or held by an organiser.
    """

    key: str
    order: int = 0
    tags: frozenset[str] = frozenset()
    hours: tuple[Window, ...] = ()
    tournaments: frozenset[str] = frozenset()
    out_of_use: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """A player of whom there is more to say: a rest that is not the hall's, or hours; () for all."""

    key: str
    rest: int | None = None
    hours: tuple[Window, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Referee:
    """Somebody who referees one match at a time, at `tables` (empty for all). Who plays too has the same key there."""

    key: str
    tables: frozenset[str] = frozenset()
    hours: tuple[Window, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Break:
    """No match reaches into it. `tournaments` are those that have it, empty for all."""

    key: str
    start: int
    end: int
    tournaments: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        if self.end <= self.start:
            raise ValueError("a break ends after it starts")

    @property
    def window(self) -> Window:
        return Window(self.start, self.end)


@dataclass(frozen=True, slots=True, kw_only=True)
class Hall:
    """Where and when is played. `hours` are () where it never closes.

    `rest` is the time between two matches of a player, `turnover` that between two matches at a table. `spread` is how
    much lengths differ, as a standard deviation: with it a match that several feed is expected that much later, for the
    last of them ends later than each of them is expected to. It makes predictions better and is no part of bounds.
    """

    tables: tuple[Table, ...]
    people: tuple[Person, ...] = ()
    referees: tuple[Referee, ...] = ()
    hours: tuple[Window, ...] = ()
    breaks: tuple[Break, ...] = ()
    rest: int = 0
    turnover: int = 0
    spread: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Assignment:
    """Where and when a match is, was or will be; what is past comes back as it was. `note` is one of NOTES or ""."""

    match: str
    table: str | None
    start: int
    end: int
    state: State = State.WAITING
    referee: str | None = None
    players: tuple[str, ...] = ()
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Misfit:
    """A match without a place, and why: one of MISFITS, with the key of what stands in its way."""

    match: str
    code: str
    other: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bound:
    """No plan ends before `end`; `kind` is what holds it up.

    `running` (what is being played), `path` (matches that wait for each other), `load` (all matches on all tables),
    `tables` (those that need some of them), `player` (one player's matches and rests), `stretch` (how many there are
    between the head and the tail of the tournament), `search` (proved by the solver).
    """

    end: int
    kind: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """Every match with its place, by start and table, or with the reason why it has none.

    `end` is when the last match is expected to end, `bound` before when it cannot.
    """

    assignments: tuple[Assignment, ...]
    misfits: tuple[Misfit, ...]
    end: int
    bound: Bound
    _by_match: dict[str, Assignment] = field(init=False, default_factory=dict, compare=False, repr=False)

    def __post_init__(self) -> None:
        self._by_match.update({each.match: each for each in self.assignments})

    def __getitem__(self, match: str) -> Assignment:
        """The place of a match; KeyError if it has none."""
        return self._by_match[match]

    def get(self, match: str) -> Assignment | None:
        """The place of a match, None if it has none."""
        return self._by_match.get(match)

    def __contains__(self, match: str) -> bool:
        return match in self._by_match

    def at_table(self, table: str) -> tuple[Assignment, ...]:
        """What is at a table, in order of time."""
        return tuple(each for each in self.assignments if each.table == table)

    def of_player(self, player: str) -> tuple[Assignment, ...]:
        """The matches a player is known to be in, in order of time."""
        return tuple(each for each in self.assignments if player in each.players)

    def next_of(self, player: str) -> Assignment | None:
        """The first match of a player that is not over."""
        return next((each for each in self.of_player(player) if each.state is not State.OVER), None)

    @property
    def proposals(self) -> tuple[Assignment, ...]:
        """Places that break a promise and say so: who was told otherwise must be told."""
        return tuple(each for each in self.assignments if each.note)


def in_order(matches: Iterable[Match]) -> Iterator[Match]:
    """Matches in the one order that does not depend on how they came; ValueError where a key is there twice."""
    found = sorted(matches, key=lambda match: (match.tournament, match.order, match.key))
    if len({match.key for match in found}) < len(found):
        raise ValueError("a match is there twice")
    yield from found
