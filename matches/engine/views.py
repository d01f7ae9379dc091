"""What each person may know of a match, and a record with everything else left out."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum

from matches.engine import main_deck
from matches.engine.moves import Move, OpenSet
from matches.engine.play import legal_moves, next_opener, ruling_due
from matches.engine.record import Record
from matches.engine.rulesets.base import Ruleset
from matches.engine.state import A, B, Hand, Outcome, Phase, Placed, SetResult, Side, State


class Onlooker(StrEnum):
    """Someone who looks on without a seat."""

    SPECTATOR = "spectator"
    """Sees what lies on the table."""
    REFEREE = "referee"
    """Sees everything, as a Dealer does, who deals the hands."""


Viewer = int | Onlooker
"""A seat (0 for side A, 1 for side B), or an onlooker."""


@dataclass(frozen=True, slots=True)
class SideView:
    """One side as a viewer may see it.

    `cards` counts the hand cards left. `hand` and `side_deck` are their tokens in the order of `CARDS`, None where the
    viewer may not see them or nobody has told them. `spent` are the cards played since the hand was dealt.
    """

    board: tuple[Placed, ...]
    total: int
    stood: bool
    cards: int
    spent: Hand
    hand: Hand | None
    side_deck: Hand | None


@dataclass(frozen=True, slots=True)
class View:
    """A match as one viewer may know it. Where a field is named as in `State`, it means the same.

    `main_left` counts the main cards left of each value from 1 to 10, for each deck in play (one shared or one a
    side, none when endless): all draws are face up, so everybody can count. `moves` are what the viewer may do now,
    or for a referee what whoever is to act may do; for others it is empty, for it would tell the hand.
    """

    viewer: Viewer
    ruleset: Ruleset
    phase: Phase
    sides: tuple[SideView, SideView]
    main_left: tuple[tuple[int, ...], ...]
    turn: int | None
    drawn: bool
    plays: int
    opener: int | None
    next_opener: int | None
    sets: tuple[int, int]
    ties: int
    ruling_due: bool
    results: tuple[SetResult, ...]
    outcome: Outcome | None
    moves: tuple[Move, ...]


def view(state: State, viewer: Viewer) -> View:
    """Exactly what `viewer` may know: what hides in the other hand or side deck leaves no trace in it."""
    acts = viewer is Onlooker.REFEREE or (viewer == state.turn and state.drawn)
    a, b = state.sides
    return View(
        viewer,
        state.terms.ruleset,
        state.phase,
        (_side(state, A, a, viewer), _side(state, B, b, viewer)),
        tuple(main_deck.counts(deck) for deck in state.main),
        state.turn,
        state.drawn,
        state.plays,
        state.opener,
        next_opener(state),
        state.sets,
        state.ties,
        ruling_due(state),
        state.results,
        state.outcome,
        legal_moves(state) if acts else (),
    )


def redact(record: Record, viewer: Viewer) -> Record:
    """The record with what `viewer` may not know while the match goes on left out; it can still be replayed.

    Hands become unknown, side decks and an unrevealed seed are dropped.
    """
    if viewer is Onlooker.REFEREE:
        return record
    decks, moves = record.side_decks, record.moves
    return replace(
        record,
        side_decks=(decks[A] if viewer == A else None, decks[B] if viewer == B else None),
        moves=tuple(_without_hands(move, viewer) if isinstance(move, OpenSet) else move for move in moves),
        deal=None if record.deal is None else replace(record.deal, seed=None),
    )


def _side(state: State, seat: int, side: Side, viewer: Viewer) -> SideView:
    shown = viewer == seat or viewer is Onlooker.REFEREE
    return SideView(
        side.board,
        side.total,
        side.stood,
        len(side.hand) + side.unknown,
        side.spent,
        side.hand if shown and not side.unknown else None,
        state.terms.side_decks[seat] if shown else None,
    )


def _without_hands(move: OpenSet, viewer: Viewer) -> OpenSet:
    if move.hands is None:
        return move
    a, b = move.hands
    return OpenSet(move.opener, (a if viewer == A else None, b if viewer == B else None))
