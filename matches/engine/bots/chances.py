"""What every position of a set is worth when hands are counted and not seen: worked out backwards, in whole numbers.

A side is known by its total and by how many hand cards it has left; which ones is left to chance, afresh whenever it
may play one, from a side deck both are taken to hold. Main cards are alike; the ninth place and special cards are
left out. Both sides then play for the match, so a card kept is worth what it adds in the sets to come, and a tie leads
back to the same score. Chances are those of the side that moves, in millionths.
"""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from math import comb
from typing import Final, NamedTuple

from matches.engine.bots.base import MILLION
from matches.engine.cards import CARD, HIGHEST_MAIN
from matches.engine.score import GOAL
from matches.engine.state import Hand

MOST_NEEDED: Final = 3
"""Sets still needed that are told apart; whoever needs more is taken to need so many."""
MOST_CARDS: Final = 4
GENERAL_DECK: Final[Hand] = ("+1", "+2", "+3", "+4", "-1", "-2", "-3", "*1", "*2", "*4")
"""A side deck such as people bring, for when nothing is known."""

_TOTALS: Final = GOAL + 1
_DRAWN: Final = GOAL + HIGHEST_MAIN + 1
_SWEEPS: Final = 3
"""How often a score is worked out while the worth of a tie at it settles; each time the error falls to a third."""

Rows = list[list[int]]
"""A chance by the other side's total (0 to 20) and the own one."""
Grid = list[list[Rows]]
"""Rows by the hand cards of the side that moves (0 to 4) and of the other."""
Worth = list[list[int]]
"""A chance before a set, by own and other hand cards."""


class Reach(NamedTuple):
    """What hand cards can make of a total: each kind's chance to be in the hand, and the totals it leads to.

    `totals` are all of these totals together.
    """

    kinds: tuple[tuple[int, tuple[int, ...]], ...]
    totals: tuple[int, ...]


class Seat:
    """One side at one score: its chances, with the other side still in play (`duel`) or stood (`chase`).

    `drawn_*` are chances right after a main card, totals up to 30; `due_*` right before one; `kept_*` with the total
    as it is and no card played, the better of ending the turn and standing.
    """

    def __init__(self) -> None:
        self.drawn_duel, self.due_duel, self.kept_duel = _grid(_DRAWN), _grid(_TOTALS), _grid(_TOTALS)
        self.drawn_chase, self.due_chase, self.kept_chase = _grid(_DRAWN), _grid(_TOTALS), _grid(_TOTALS)


class Chances:
    """The chances at every score up to first to three. Made once for a side deck; takes a second or two.

    `hands_last` says whether a hand must last the match; where it is dealt anew for each set, cards kept are worth
    nothing after it.
    """

    def __init__(self, side_deck: Hand, *, hands_last: bool) -> None:
        self._hands_last = hands_last
        self._reach = [[_reach(side_deck, cards, total) for total in range(_DRAWN)] for cards in range(MOST_CARDS + 1)]
        self._seats: dict[tuple[int, int], Seat] = {}
        self._worth: dict[tuple[int, int], Worth] = {}
        for needed in range(MOST_NEEDED + 1):
            self._worth[0, needed] = _constant(MILLION)
            self._worth[needed, 0] = _constant(0)
        for own in range(1, MOST_NEEDED + 1):
            for other in range(1, own + 1):
                self._settle(own, other)

    def seat(self, own: int, other: int) -> Seat:
        """The chances of a side that needs `own` more sets while the other needs `other`, both 1 or more."""
        return self._seats[min(own, MOST_NEEDED), min(other, MOST_NEEDED)]

    def worth(self, own: int, other: int, cards: int, others: int) -> int:
        """The chance before a set: sets needed by either side, hand cards left of either side."""
        if not self._hands_last:
            cards = others = MOST_CARDS
        return self._worth[min(own, MOST_NEEDED), min(other, MOST_NEEDED)][cards][others]

    def _settle(self, own: int, other: int) -> None:
        """Work a score out for both sides until the worth of a tie at it agrees with what a set then gives."""
        won, lost = self._worth[own - 1, other], self._worth[own, other - 1]
        self._put(
            own, other, [[(a + b) // 2 for a, b in zip(*rows, strict=True)] for rows in zip(won, lost, strict=True)]
        )
        for _ in range(_SWEEPS):
            ours = Seat()
            theirs = ours if own == other else Seat()
            self._seats[own, other], self._seats[other, own] = ours, theirs
            self._work_out(own, other)
            self._put(
                own,
                other,
                [
                    [
                        (ours.due_duel[cards][others][0][0] + MILLION - theirs.due_duel[others][cards][0][0]) // 2
                        for others in range(MOST_CARDS + 1)
                    ]
                    for cards in range(MOST_CARDS + 1)
                ],
            )

    def _put(self, own: int, other: int, worth: Worth) -> None:
        """The worth of a score, seen from both sides. Either may open the set, so it is the mean of both."""
        self._worth[own, other] = worth
        if own != other:
            self._worth[other, own] = [
                [MILLION - worth[b][a] for b in range(MOST_CARDS + 1)] for a in range(MOST_CARDS + 1)
            ]

    def _work_out(self, own: int, other: int) -> None:
        """Fill the tables of a score. Fewer cards come first, then higher totals: every move leads to what is there."""
        scores = {(own, other), (other, own)}
        for left in range(2 * MOST_CARDS + 1):
            hands = [(cards, left - cards) for cards in range(MOST_CARDS + 1) if 0 <= left - cards <= MOST_CARDS]
            for score in scores:
                for cards, others in hands:
                    self._chase(score, cards, others)
                    self._bust_or_repair(score, cards, others)
            for both in range(2 * GOAL, -1, -1):
                for score in scores:
                    for cards, others in hands:
                        self._duel_due(score, cards, others, both)
                for score in scores:
                    for cards, others in hands:
                        self._duel_kept(score, cards, others, both)

    def _chase(self, score: tuple[int, int], cards: int, others: int) -> None:
        """The other side has stood: this one draws alone until it stands or busts."""
        seat, (own, other) = self._seats[score], score
        win, tie, lose = (
            self.worth(*needs, cards, others) for needs in ((own - 1, other), (own, other), (own, other - 1))
        )
        low = seat.kept_chase[cards - 1][others] if cards else None
        for y in range(_TOTALS):
            drawn, due = seat.drawn_chase[cards][others][y], seat.due_chase[cards][others][y]
            kept = seat.kept_chase[cards][others][y]
            row = low[y] if low else []
            for total in range(_DRAWN - 1, GOAL, -1):
                drawn[total] = self._with_cards(lose, cards, total, row)
            for total in range(GOAL, -1, -1):
                due[total] = sum(drawn[total + 1 : total + HIGHEST_MAIN + 1]) // HIGHEST_MAIN
                stand = win if total > y else lose if total < y else tie
                kept[total] = stand if total == GOAL else max(stand, due[total])
                drawn[total] = kept[total] if total == GOAL else self._with_cards(kept[total], cards, total, row)

    def _bust_or_repair(self, score: tuple[int, int], cards: int, others: int) -> None:
        """Both in play, drawn to more than 20: lost, unless a card repairs it."""
        seat, lose = self._seats[score], self.worth(score[0], score[1] - 1, cards, others)
        low = seat.kept_duel[cards - 1][others] if cards else None
        for y, drawn in enumerate(seat.drawn_duel[cards][others]):
            for total in range(GOAL + 1, _DRAWN):
                drawn[total] = self._with_cards(lose, cards, total, low[y] if low else [])

    def _duel_due(self, score: tuple[int, int], cards: int, others: int, both: int) -> None:
        """Both in play and about to draw, where the totals add up to `both`."""
        seat = self._seats[score]
        drawn, due = seat.drawn_duel[cards][others], seat.due_duel[cards][others]
        for y in range(max(0, both - GOAL), min(GOAL, both) + 1):
            x = both - y
            due[y][x] = sum(drawn[y][x + 1 : x + HIGHEST_MAIN + 1]) // HIGHEST_MAIN

    def _duel_kept(self, score: tuple[int, int], cards: int, others: int, both: int) -> None:
        """Both in play, this side has drawn, the totals add up to `both`: end the turn, stand, or play a card."""
        seat, opposite = self._seats[score], self._seats[score[1], score[0]]
        goes_on, alone = opposite.due_duel[others][cards], opposite.due_chase[others][cards]
        drawn, kept = seat.drawn_duel[cards][others], seat.kept_duel[cards][others]
        low = seat.kept_duel[cards - 1][others] if cards else None
        for y in range(max(0, both - GOAL), min(GOAL, both) + 1):
            x = both - y
            stand = MILLION - alone[x][y]
            if x == GOAL:
                kept[y][x] = drawn[y][x] = stand
                continue
            best = max(stand, MILLION - goes_on[x][y])
            kept[y][x] = best
            drawn[y][x] = self._with_cards(best, cards, x, low[y] if low else [])

    def _with_cards(self, best: int, cards: int, total: int, row: list[int]) -> int:
        """The chance at `total` when each card that betters `best` is in the hand with its own chance.

        `row` are the chances with one card less, by the total the card leads to.
        """
        reach = self._reach[cards][total]
        # Most totals are better left alone: that is soon seen.
        if not reach.totals or max([row[to] for to in reach.totals]) <= best:
            return best
        better: list[tuple[int, int]] = []
        for likely, totals in reach.kinds:
            reached = max([row[to] for to in totals])
            if reached > best:
                better.append((reached, likely))
        better.sort(reverse=True)
        value, rest = 0, MILLION
        for reached, likely in better:
            part = rest * likely // MILLION
            value += part * reached
            rest -= part
        return (value + rest * best) // MILLION


@lru_cache(maxsize=16)
def chances_for(side_deck: Hand, *, hands_last: bool) -> Chances:
    """The chances for a side deck, kept for the next match with it. A second or two when it is new."""
    return Chances(side_deck, hands_last=hands_last)


def _reach(side_deck: Hand, cards: int, total: int) -> Reach:
    """What a hand of so many cards from a side deck can make of a total."""
    size = len(side_deck)
    kinds: list[tuple[int, tuple[int, ...]]] = []
    for token, copies in Counter(side_deck).items():
        totals = tuple(total + value for value in CARD[token].values if 0 <= total + value <= GOAL)
        if totals and cards:
            absent = MILLION * comb(size - copies, cards) // comb(size, cards)
            kinds.append((MILLION - absent, totals))
    return Reach(tuple(kinds), tuple({to for _, totals in kinds for to in totals}))


def _grid(totals: int) -> Grid:
    hands = range(MOST_CARDS + 1)
    return [[[[0] * totals for _ in range(_TOTALS)] for _ in hands] for _ in hands]


def _constant(chance: int) -> Worth:
    return [[chance] * (MOST_CARDS + 1) for _ in range(MOST_CARDS + 1)]
