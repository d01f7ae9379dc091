"""A match at one moment: immutable facts, from which every later state is made anew.

The classes here are named tuples: one is made for every move, and a tuple is made five times as fast as a frozen
dataclass (docs/adr on the shape of the state). Seats are 0 for side A and 1 for side B, and index every pair.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final, NamedTuple

from matches.engine.rulesets.base import Ruleset
from matches.engine.score import Reason

A: Final = 0
B: Final = 1
LETTERS: Final = "AB"

Hand = tuple[str, ...]
"""Hand cards by token, in the order of `CARDS`."""


class Phase(StrEnum):
    """What the match waits for."""

    BETWEEN = "between"
    """For a set to open, the first one included."""
    OPEN = "open"
    """For the side whose turn it is."""
    OVER = "over"


class Ending(StrEnum):
    """How a match ended."""

    SETS = "sets"
    FORFEIT = "forfeit"
    RULING = "ruling"


class Placed(NamedTuple):
    """A card on a side: its token, and what it counts as it lies now."""

    token: str
    value: int


class Side(NamedTuple):
    """What lies before one player. `total` is the sum of `board`.

    `hand` are the cards left as far as they are known; `unknown` counts the others, which real cards on a real table
    keep to their owner. `spent` are the cards played since the hand was dealt, in order. `draws` counts main cards
    drawn in the whole match.
    """

    board: tuple[Placed, ...] = ()
    total: int = 0
    stood: bool = False
    hand: Hand = ()
    unknown: int = 0
    spent: Hand = ()
    draws: int = 0


class SetResult(NamedTuple):
    """A finished set: who won (None for a tie), the way it ended, the final totals of A and B."""

    winner: int | None
    reason: Reason
    totals: tuple[int, int]


class Outcome(NamedTuple):
    """A finished match: who won it and how it ended."""

    winner: int
    ending: Ending


class Terms(NamedTuple):
    """What does not change while a match lasts.

    `side_decks` are tokens in the order of `CARDS`, None where the deck is not known. `free_hands`: hands are taken
    as they are given, in number and kind.
    """

    ruleset: Ruleset
    side_decks: tuple[Hand | None, Hand | None]
    free_hands: bool = False


class State(NamedTuple):
    """A match at one moment.

    Between sets the sides still show the set just ended. `main` holds one packed deck (`main_deck.py`) for each deck
    in play: one shared, two where each side has its own, none when it is endless.
    """

    terms: Terms
    sides: tuple[Side, Side]
    main: tuple[int, ...]
    turn: int | None = None
    """The seat that must draw or act; None while no set is open."""
    drawn: bool = False
    """Whether that seat has drawn its main card this turn."""
    plays: int = 0
    """Hand cards it has played this turn."""
    opener: int | None = None
    """Who opened this set, or the last one; None before the first."""
    sets: tuple[int, int] = (0, 0)
    ties: int = 0
    """Tied sets in a row up to now."""
    ruled: bool = False
    """Whether a referee has let another set open after too many ties."""
    results: tuple[SetResult, ...] = ()
    outcome: Outcome | None = None

    @property
    def phase(self) -> Phase:
        """What the match waits for."""
        if self.outcome is not None:
            return Phase.OVER
        return Phase.BETWEEN if self.turn is None else Phase.OPEN

    @property
    def set_number(self) -> int:
        """The number of the open set, or of the one that would open next, from 1 up."""
        return len(self.results) + 1
