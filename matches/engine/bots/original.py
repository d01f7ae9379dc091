"""The opponent of the original game, by its four rules (R40 to R43)."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import ClassVar, Final

from matches.engine.bots.base import Choice, Policy, Why, board_after, hand_plays, own_and_other, total_of
from matches.engine.moves import ENDS, STANDS, Play
from matches.engine.score import GOAL
from matches.engine.state import Hand
from matches.engine.views import View

DECKS: Final[Mapping[str, Hand]] = MappingProxyType(
    {
        "0": ("+1", "+1", "+2", "+2", "+3", "+3", "+4", "+4", "+5", "+5"),
        "2": ("*6", "+4", "-4", "-2", "+3", "-2", "-3", "+3", "+2", "*1"),
        "3": ("*3", "*3", "*2", "*2", "*4", "*4", "*2", "*2", "*1", "*1"),
    }
)
"""Side decks it plays with, weakest first, by their number in the game."""
_UNREACHED: Final = -1_000


class Original(Policy):
    """Sees only the totals, its own hand, who has stood, and the sets won."""

    key: ClassVar[str] = "original"

    def choose(self, view: View) -> Choice:
        seat, mine, theirs = own_and_other(view)
        options = [(total_of(board_after(view, play)), play) for play in hand_plays(view)]
        best_down = min([mine.total, *(total for total, _ in options)])
        if view.plays == 0:
            early = self._before_a_card(view, options, best_down)
            if early is not None:
                return early
        if theirs.stood and mine.total < theirs.total:
            return Choice(ENDS[seat], Why("behind_stood"))
        if mine.total < 18 and best_down < 16:
            return Choice(ENDS[seat], Why("room_left"))
        return Choice(STANDS[seat], Why("enough"))

    def _before_a_card(self, view: View, options: list[tuple[int, Play]], best_down: int) -> Choice | None:
        """Rules 1 to 3, while no card has been played this turn; None where rule 4 is to decide."""
        seat, mine, theirs = own_and_other(view)
        if theirs.stood and theirs.total < mine.total <= GOAL:
            return Choice(STANDS[seat], Why("ahead_of_stood"))
        best_up, card = _best_up(mine.total, options)
        if (
            card is not None
            and best_up >= max(18, theirs.total)
            and (best_up == 20 or (best_up == 19 and best_down >= 12) or best_down >= 14)
        ):
            return Choice(card, Why("good_total"))
        if mine.total <= GOAL:
            return None
        at_match_point = view.sets[1 - seat] >= view.ruleset.sets_to_win - 1
        if card is None or (not at_match_point and theirs.total >= 18 and best_up < theirs.total):
            return Choice(ENDS[seat], Why("set_given_up"))
        return Choice(card, Why("repair"))


def _best_up(total: int, options: list[tuple[int, Play]]) -> tuple[int, Play | None]:
    """The highest total of 20 or less within reach, and the card it needs. Of equal cards the first of the hand's
    order is taken, so plus/minus cards are kept.
    """
    best, card = (total, None) if total <= GOAL else (_UNREACHED, None)
    for reached, play in options:
        if best < reached <= GOAL:
            best, card = reached, play
    return best, card
