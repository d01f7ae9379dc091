"""The moves of a match: what players do, and what comes from outside (draws, deals, openings, clocks, rulings)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from matches.engine.cards import CARDS
from matches.engine.main_deck import VALUES
from matches.engine.refusal import Refusal
from matches.engine.state import Hand


@dataclass(frozen=True, slots=True)
class OpenSet:
    """A set opens. From outside.

    `opener` has the first turn; None means whoever the ruleset says, where it says so without a lot. `hands` are the
    new hands where new hands are due, each None where its cards are not known; None where none are due.
    """

    opener: int | None = None
    hands: tuple[Hand | None, Hand | None] | None = None


@dataclass(frozen=True, slots=True)
class Draw:
    """A main card comes, face up, to the side whose turn it is. From outside: the engine never draws by itself."""

    seat: int
    value: int


@dataclass(frozen=True, slots=True)
class Play:
    """A hand card is played. `value` is what it is declared as; None for cards whose effect decides (`D`, flips)."""

    seat: int
    token: str
    value: int | None = None


@dataclass(frozen=True, slots=True)
class End:
    """The turn ends; the side will draw again."""

    seat: int


@dataclass(frozen=True, slots=True)
class Stand:
    """The side takes no more part in the set."""

    seat: int


@dataclass(frozen=True, slots=True)
class Forfeit:
    """The side gives the match up, or is made to. Possible at any time until the match is over."""

    seat: int


@dataclass(frozen=True, slots=True)
class Timeout:
    """The clock of the side to act has run out, where that loses the open set. From outside: no clock is kept here."""

    seat: int


@dataclass(frozen=True, slots=True)
class Ruling:
    """A referee decides after too many ties in a row: another set (`winner` None), or the winner of the match."""

    winner: int | None = None


Move = OpenSet | Draw | Play | End | Stand | Forfeit | Timeout | Ruling


@dataclass(frozen=True, slots=True)
class MalformedMove(Refusal):
    """Not a move of this game at all, in whatever state: a seat, card or value that does not exist."""


@dataclass(frozen=True, slots=True)
class IllegalMove(Refusal):
    """A move of this game that is not allowed in this state."""


DRAWS: Final = tuple(tuple(Draw(seat, value) for value in VALUES) for seat in (0, 1))
"""Every draw, by seat, in order of value."""

PLAYS: Final[tuple[Mapping[str, tuple[Play, ...]], ...]] = tuple(
    MappingProxyType(
        {card.token: tuple(Play(seat, card.token, value) for value in card.values or (None,)) for card in CARDS}
    )
    for seat in (0, 1)
)
"""Every way to play a hand card, by seat and token."""

ENDS: Final = (End(0), End(1))
STANDS: Final = (Stand(0), Stand(1))


def declared(seat: int, token: str, value: int | None = None) -> Play:
    """The play of a card as people write it: the value of a card that has only one may be left out."""
    ways = PLAYS[seat].get(token, ())
    return ways[0] if value is None and len(ways) == 1 else Play(seat, token, value)
