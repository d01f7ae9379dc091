"""What a policy is: it sees a view, chooses a move, and can say why."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar, Final

from matches.engine.cards import CARD
from matches.engine.moves import PLAYS, Move, Play
from matches.engine.play import turned_by
from matches.engine.state import Placed
from matches.engine.views import SideView, View

Below = Callable[[int], int]
"""Gives a number from 0 to one less than its argument: the only randomness a policy has, and it comes from outside."""

MILLION: Final = 1_000_000
"""Chances are whole millionths."""


@dataclass(frozen=True, slots=True)
class Why:
    """The reason of a choice as data: a stable code and what it rests on.

    `chances` are the alternatives weighed, each with its chance to win the match in millionths, best first; empty for
    policies that weigh none.
    """

    code: str
    chances: tuple[tuple[Move, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Choice:
    """A move and the reason for it."""

    move: Move
    why: Why


class Policy(ABC):
    """A way to play. A member is one file and one line in `POLICIES`."""

    key: ClassVar[str]
    """Its name on the command line, stored with simulated results."""

    @abstractmethod
    def choose(self, view: View) -> Choice:
        """One of `view.moves`. Asked only when the seat that `view` belongs to has drawn and must act.

        Raises `ValueError` when the view belongs to no seat that is to act.
        """


def own_and_other(view: View) -> tuple[int, SideView, SideView]:
    """The acting seat, its side and the other side. Raises `ValueError` when the viewer has no move to choose."""
    if not isinstance(view.viewer, int) or not view.moves:
        raise ValueError("nothing to choose")
    return view.viewer, view.sides[view.viewer], view.sides[1 - view.viewer]


def hand_plays(view: View) -> tuple[Play, ...]:
    """Every way to play a card of the own hand, whether or not another may be played this turn; none when unseen."""
    seat, side, _ = own_and_other(view)
    ways = PLAYS[seat]
    return tuple(play for token in dict.fromkeys(side.hand or ()) for play in ways[token])


def board_after(view: View, play: Play) -> tuple[Placed, ...]:
    """The own side right after this play."""
    card, board = CARD[play.token], view.sides[play.seat].board
    if card.flips:
        board = turned_by(view.ruleset, card, board)
    worth = board[-1].value if card.copies_last else play.value or 0
    return (*board, Placed(play.token, worth))


def total_of(board: tuple[Placed, ...]) -> int:
    """What a side counts."""
    return sum(placed.value for placed in board)
