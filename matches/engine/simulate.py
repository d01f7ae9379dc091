"""Many matches between two policies, counted: wins, ties, sets, turns, hand cards, full boards."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from matches.engine import main_deck
from matches.engine.bots.base import Policy
from matches.engine.moves import DRAWS, Move, OpenSet, Play, Ruling
from matches.engine.play import apply, hands_due, new_match, next_opener, ruling_due
from matches.engine.refusal import Refusal
from matches.engine.rulesets.base import Ruleset
from matches.engine.score import GOAL
from matches.engine.state import A, B, Hand, State
from matches.engine.views import view

_WHOLE = tuple(value for value in main_deck.VALUES for _ in range(main_deck.COPIES))


@dataclass(slots=True)
class Tally:
    """What happened in the matches counted so far. Wins are those of side A and side B.

    The sums of squares are those of each match's count, for the spread of its mean.
    """

    matches: int = 0
    a_wins: int = 0
    b_wins: int = 0
    sets: int = 0
    ties: int = 0
    opener_wins: int = 0
    turns: int = 0
    cards: int = 0
    nines: int = 0
    """Sets in which a side filled its nine places with 20 or less."""
    sets_squared: int = 0
    turns_squared: int = 0
    cards_squared: int = 0

    @property
    def opener_losses(self) -> int:
        """Sets lost by the side that opened them."""
        return self.sets - self.ties - self.opener_wins


class ByLot:
    """Everything that comes from outside, dealt by a random generator handed in: quick, and not for real play."""

    def __init__(self, rng: Random) -> None:
        self._random, self._sample = rng.random, rng.sample
        self._piles: dict[int, list[int]] = {}

    def value(self, state: State, seat: int) -> int:
        """The next main card of the seat that is to draw."""
        main = state.main
        if not main:
            return int(self._random() * 10) + 1
        at = seat if len(main) == 2 else A
        pile, left = self._piles.get(at, []), main_deck.size(main[at]) or main_deck.FULL_SIZE
        if len(pile) != left:
            pile = self._piles[at] = list(_WHOLE)
        chosen, last = int(self._random() * left), pile.pop()
        if chosen < left - 1:
            last, pile[chosen] = pile[chosen], last
        return last

    def opening(self, state: State) -> OpenSet:
        """The next set opens, its lots and hands as they fall. A side without a side deck gets no hand cards."""
        opener = next_opener(state)
        if opener is None:
            opener = int(self._random() * 2)
        if not hands_due(state):
            return OpenSet(opener)
        a, b = (() if deck is None else self._hand(state, deck) for deck in state.terms.side_decks)
        return OpenSet(opener, (a, b))

    def _hand(self, state: State, deck: Hand) -> Hand:
        return tuple(self._sample(deck, state.terms.ruleset.hand_size))


def simulate(
    ruleset: Ruleset,
    policies: tuple[Policy, Policy],
    *,
    matches: int,
    rng: Random,
    side_decks: tuple[Hand | None, Hand | None] = (None, None),
) -> Iterator[Tally]:
    """Play that many matches and yield the running tally, always the same object, after each.

    Side A is played by the first policy. A side without a side deck plays without hand cards. A ruling that falls due
    lets another set open. Raises `ValueError` for side decks that the ruleset refuses.
    """
    start = new_match(ruleset, side_decks, free_hands=True)
    if isinstance(start, Refusal):
        raise ValueError(start.code)
    outside, tally = ByLot(rng), Tally()
    for _ in range(matches):
        _count(tally, start, policies, outside)
        yield tally


def _count(tally: Tally, state: State, policies: tuple[Policy, Policy], outside: ByLot) -> None:
    """Play one match to its end and add it to the tally."""
    sets, turns, cards = tally.sets, tally.turns, tally.cards
    while state.outcome is None:
        seat = state.turn
        if seat is None:
            state = _must(state, Ruling() if ruling_due(state) else outside.opening(state))
        elif not state.drawn:
            tally.turns += 1
            state = _must(state, DRAWS[seat][outside.value(state, seat) - 1])
        else:
            move = policies[seat].choose(view(state, seat)).move
            tally.cards += isinstance(move, Play)
            state = _must(state, move)
        if state.turn is None and seat is not None:
            _count_set(tally, state)
    tally.matches += 1
    tally.sets_squared += (tally.sets - sets) ** 2
    tally.turns_squared += (tally.turns - turns) ** 2
    tally.cards_squared += (tally.cards - cards) ** 2
    tally.a_wins += state.outcome.winner == A
    tally.b_wins += state.outcome.winner == B


def _count_set(tally: Tally, state: State) -> None:
    size = state.terms.ruleset.board_size
    winner = state.results[-1].winner
    tally.sets += 1
    tally.ties += winner is None
    tally.opener_wins += winner is not None and winner == state.opener
    tally.nines += any(len(side.board) == size and side.total <= GOAL for side in state.sides)


def _must(state: State, move: Move) -> State:
    """The state after a move. Raises `ValueError` when a policy chose one that is refused."""
    after = apply(state, move)
    if isinstance(after, Refusal):
        raise ValueError(f"{after.code}: {move}")
    return after
