"""A policy that looks ahead: the exact chances of the next draw, the hand it holds, and the score in sets."""

from __future__ import annotations

from typing import ClassVar

from matches.engine.aftermath import breaks_ties
from matches.engine.bots.base import MILLION, Choice, Policy, Why, board_after, own_and_other, total_of
from matches.engine.bots.chances import GENERAL_DECK, MOST_CARDS, Chances, Rows, chances_for
from matches.engine.cards import CARD
from matches.engine.main_deck import COPIES, VALUES
from matches.engine.moves import End, Move, Play
from matches.engine.rulesets.base import HandDeal, NinthCard, Ruleset
from matches.engine.score import GOAL
from matches.engine.state import Hand, Placed
from matches.engine.views import View

_WHOLE = (COPIES,) * len(VALUES)


class LookAhead(Policy):
    """Weighs every legal move by the chance to win the match after it, and takes the best.

    The next main card has the chances of the cards really left. What comes after it is worth what `chances.py` says
    of both totals, of how many cards each side then holds and of the score; there both sides are taken to hold cards
    of `side_deck`. Made in a second or two for a new side deck, at once for one it has seen.
    """

    key: ClassVar[str] = "look_ahead"

    def __init__(self, ruleset: Ruleset, side_deck: Hand | None = None) -> None:
        plain = tuple(token for token in side_deck or () if CARD[token].values)
        deck = tuple(sorted(plain)) if len(plain) >= MOST_CARDS else GENERAL_DECK
        self._chances = chances_for(deck, hands_last=ruleset.hand_deal is HandDeal.PER_MATCH)

    def choose(self, view: View) -> Choice:
        position = _Position(view, self._chances)
        hand = position.mine.hand or ()
        known = [move for move in view.moves if not isinstance(move, Play) or move.token in hand]
        # Among equals the move listed first stays first: ends and stands before cards, plain cards before others.
        weighed = sorted(((move, position.chance(move)) for move in known), key=lambda pair: -pair[1])
        return Choice(weighed[0][0], Why("best_chance", tuple(weighed)))


class _Position:
    """One decision: the facts of the view as the tables of chances index them."""

    def __init__(self, view: View, chances: Chances) -> None:
        seat, self.mine, self.theirs = own_and_other(view)
        self._view, self._ruleset, self._chances = view, view.ruleset, chances
        goal = view.ruleset.sets_to_win
        self._needs = (goal - view.sets[seat], goal - view.sets[1 - seat])
        self._cards = min(self.mine.cards, MOST_CARDS)
        self._others = min(self.theirs.cards, MOST_CARDS)
        self._next = seat if self.theirs.stood else 1 - seat

    def chance(self, move: Move) -> int:
        """The chance to win the match after a move, in millionths."""
        if not isinstance(move, Play):
            total, board = self.mine.total, self.mine.board
            return (
                self._going_on(total, board, self._cards)
                if isinstance(move, End)
                else self._standing(total, board, self._cards)
            )
        board = board_after(self._view, move)
        total, cards = total_of(board), self._cards - 1
        if len(board) == self._ruleset.board_size and total <= GOAL and self._ruleset.ninth_card is NinthCard.AUTO_WIN:
            return self._after_set(0, cards)
        stand = self._standing(total, board, cards)
        stood = len(board) == self._ruleset.board_size or (total == GOAL and self._ruleset.auto_stand_at_20)
        return stand if stood else max(stand, self._going_on(total, board, cards))

    def _standing(self, total: int, board: tuple[Placed, ...], cards: int) -> int:
        if total > GOAL:
            return self._after_set(1, cards)
        if self.theirs.stood:
            return self._compared(total, board, cards)
        alone = self._chances.seat(*reversed(self._needs)).drawn_chase[self._others][cards]
        return MILLION - self._after_their_draw(alone, total)

    def _going_on(self, total: int, board: tuple[Placed, ...], cards: int) -> int:
        if total > GOAL:
            return self._after_set(1, cards)
        if not self.theirs.stood:
            duel = self._chances.seat(*reversed(self._needs)).drawn_duel[self._others][cards]
            return MILLION - self._after_their_draw(duel, total)
        row = self._chances.seat(*self._needs).drawn_chase[cards][self._others][_inside(self.theirs.total)]
        if len(board) + 1 < self._ruleset.board_size:
            return self._mean([row[_inside(total) + value] for value in VALUES])
        return self._mean([self._with_ninth(total + value, board, cards) for value in VALUES])

    def _with_ninth(self, total: int, board: tuple[Placed, ...], cards: int) -> int:
        """The other side has stood, and a draw has filled the last place."""
        if total <= GOAL and self._ruleset.ninth_card is NinthCard.AUTO_WIN:
            return self._after_set(0, cards)
        return self._after_set(1, cards) if total > GOAL else self._compared(total, board, cards)

    def _after_their_draw(self, rows: Rows, total: int) -> int:
        """Their chance when they draw now, my total being what it is."""
        row = rows[_inside(total)]
        return self._mean([row[_inside(self.theirs.total) + value] for value in VALUES])

    def _compared(self, total: int, board: tuple[Placed, ...], cards: int) -> int:
        """Both have stood."""
        if total != self.theirs.total:
            over = self.theirs.total > GOAL
            return self._after_set(0 if over or total > self.theirs.total else 1, cards)
        mine, theirs = (breaks_ties(self._ruleset, each) for each in (board, self.theirs.board))
        return self._after_set(None if mine == theirs else 0 if mine else 1, cards)

    def _after_set(self, winner: int | None, cards: int) -> int:
        """The chance before the next set: this side (0), the other (1) or nobody has won the set."""
        own, other = self._needs
        return self._chances.worth(own - (winner == 0), other - (winner == 1), cards, self._others)

    def _mean(self, chances: list[int]) -> int:
        """The mean over the next main card, each value weighed by how many are left."""
        left = self._view.main_left
        if not left:
            return sum(chances) // len(chances)
        deck = left[self._next if len(left) == 2 else 0]
        counts = deck if any(deck) else _WHOLE
        return sum(count * chance for count, chance in zip(counts, chances, strict=True)) // sum(counts)


def _inside(total: int) -> int:
    """The total as the tables know it: they leave out what is below 0."""
    return min(max(total, 0), GOAL)
