"""Results typed from paper: whether a score can be, and what it comes to."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from matches.engine.refusal import Refusal
from matches.engine.rulesets.base import FlipScope, NinthCard, Ruleset

GOAL: Final = 20
"""The best total; more is a bust."""
_HIGHEST_PLUS: Final = 6
_HIGHEST_MAIN: Final = 10


class Reason(StrEnum):
    """The way a set ended."""

    TOTAL = "total"
    """The higher total of 20 or less won."""
    BUST = "bust"
    """The loser went over 20."""
    NINE = "nine"
    """The winner filled nine places with 20 or less, where that wins at once."""
    TIEBREAKER = "tiebreaker"
    """Equal totals, and only the winner's tiebreaker card counted."""
    TIMEOUT = "timeout"
    """The loser's clock ran out while it was to act."""
    TIE = "tie"
    """Equal totals: stored, but it counts for nobody."""


@dataclass(frozen=True, slots=True)
class SetScore:
    """One set as written down: the final totals of side A and side B, the way it ended and who won it.

    `reason` and `winner` (0 for side A, 1 for side B) may be left out where the totals tell them.
    """

    totals: tuple[int, int]
    reason: Reason | None = None
    winner: int | None = None


@dataclass(frozen=True, slots=True)
class Score:
    """A score as reported: sets won by side A and side B, or set by set in order of play, or both.

    `winner` is who the report names as winner of the match (0 for side A, 1 for side B); it is never trusted, only
    compared. None when the report does not say.
    """

    won: tuple[int, int] | None = None
    by_set: tuple[SetScore, ...] = ()
    winner: int | None = None


@dataclass(frozen=True, slots=True)
class CheckedScore:
    """A score that can be: sets won by side A and side B, and the winner (0, 1, or None for a tie or an open match).

    `by_set` are the sets as reported with reason and winner filled in; empty when only sets were reported.
    """

    won: tuple[int, int]
    winner: int | None
    by_set: tuple[SetScore, ...] = ()


def check_score(
    ruleset: Ruleset,
    score: Score,
    *,
    allow_tie: bool = False,
    unfinished: bool = False,
    on_time: bool = False,
) -> CheckedScore | Refusal:
    """Whether a match under `ruleset` can have ended with `score`, and what the score comes to.

    `allow_tie` accepts a match that time cut short with equal sets below `sets_to_win`; an unequal unfinished score
    stays refused, for whoever leads then has not won. `unfinished` accepts any score below `sets_to_win`, for a match
    still in progress or given up. `on_time` is for a match that the clock of its round ended: below `sets_to_win`,
    whoever leads has won, and level sets are a tie with `allow_tie` alone. Tied sets count for nobody and do not limit
    the number of sets.

    Refusal codes: `score_missing`, `score_malformed`, `negative`, `both_won`, `too_many_sets`, `not_decided`,
    `winner_contradicts_score`, `sets_contradict_score`; with `on_time` also `not_cut_short`, for sets that win the
    match anyway, and `level_at_time`; for one set, with its number from 1 as `set`:
    `set_malformed`, `set_after_end`, `total_impossible`, `both_bust`, `reason_not_in_rules`,
    `reason_contradicts_totals`, `set_winner_missing`, `set_winner_contradicts_totals`.
    """
    by_set: tuple[SetScore, ...] = ()
    if score.by_set:
        counted = _count(ruleset, score.by_set)
        if isinstance(counted, Refusal):
            return counted
        won, by_set = counted
        if score.won is not None and score.won != won:
            return Refusal.of("sets_contradict_score", a=won[0], b=won[1])
    elif score.won is None:
        return Refusal.of("score_missing")
    else:
        won = score.won
    return _judge(ruleset, won, by_set, score.winner, allow_tie=allow_tie, unfinished=unfinished, on_time=on_time)


def _judge(
    ruleset: Ruleset,
    won: tuple[int, int],
    by_set: tuple[SetScore, ...],
    named: int | None,
    *,
    allow_tie: bool,
    unfinished: bool,
    on_time: bool,
) -> CheckedScore | Refusal:
    """The rule about sets won, whichever way they were reported."""
    goal = ruleset.sets_to_win
    if not _are_two_ints(won) or not (named is None or (type(named) is int and named in (0, 1))):
        return Refusal.of("score_malformed")
    if min(won) < 0:
        return Refusal.of("negative")
    if max(won) > goal:
        return Refusal.of("too_many_sets", sets_to_win=goal)
    if min(won) == goal:
        return Refusal.of("both_won", sets_to_win=goal)
    winner = won.index(goal) if goal in won else None
    if on_time:
        if winner is not None:
            return Refusal.of("not_cut_short", sets_to_win=goal)
        if won[0] == won[1] and not allow_tie:
            return Refusal.of("level_at_time")
        winner = None if won[0] == won[1] else won.index(max(won))
    elif winner is None and not unfinished and not (allow_tie and won[0] == won[1]):
        return Refusal.of("not_decided", sets_to_win=goal)
    if named is not None and named != winner:
        return Refusal.of("winner_contradicts_score")
    return CheckedScore(won, winner, by_set)


def _count(ruleset: Ruleset, by_set: tuple[SetScore, ...]) -> tuple[tuple[int, int], tuple[SetScore, ...]] | Refusal:
    """Sets won, and every set with its reason and winner; or the first set that cannot be."""
    won = [0, 0]
    filled: list[SetScore] = []
    for number, each in enumerate(by_set, start=1):
        if ruleset.sets_to_win in won:
            return Refusal.of("set_after_end", set=number)
        judged = _judge_set(ruleset, each, number)
        if isinstance(judged, Refusal):
            return judged
        filled.append(judged)
        if judged.winner is not None:
            won[judged.winner] += 1
    return (won[0], won[1]), tuple(filled)


def _judge_set(ruleset: Ruleset, each: SetScore, number: int) -> SetScore | Refusal:
    """The set with its reason and winner filled in."""
    if not _are_two_ints(each.totals) or each.winner not in (0, 1, None):
        return Refusal.of("set_malformed", set=number)
    lowest, highest = _bounds(ruleset)
    for total in each.totals:
        if not lowest <= total <= highest:
            return Refusal.of("total_impossible", set=number, total=total)
    reason = each.reason or _plain_reason(each)
    if not _in_rules(ruleset, reason):
        return Refusal.of("reason_not_in_rules", set=number, reason=reason.value)
    if not _fits(ruleset, reason, each.totals):
        both_over = min(each.totals) > GOAL
        return Refusal.of("both_bust", set=number) if both_over else Refusal.of("reason_contradicts_totals", set=number)
    a, b = each.totals
    if reason is Reason.TIE:
        winner = None
    elif reason is Reason.BUST:
        winner = 1 if a > GOAL else 0
    elif reason is Reason.TOTAL:
        winner = 0 if a > b else 1
    elif each.winner is None:
        return Refusal.of("set_winner_missing", set=number)
    else:
        winner = each.winner
    if each.winner is not None and each.winner != winner:
        return Refusal.of("set_winner_contradicts_totals", set=number)
    if winner is not None and each.totals[winner] > GOAL and not _may_win_over_goal(ruleset, reason):
        return Refusal.of("reason_contradicts_totals", set=number)
    return SetScore(each.totals, reason, winner)


def _plain_reason(each: SetScore) -> Reason:
    """The reason the totals tell by themselves."""
    a, b = each.totals
    if (a > GOAL) != (b > GOAL):
        return Reason.BUST
    if a == b or a > GOAL:
        return Reason.TIEBREAKER if each.winner is not None and a <= GOAL else Reason.TIE
    return Reason.TOTAL


def _in_rules(ruleset: Ruleset, reason: Reason) -> bool:
    if reason is Reason.NINE:
        return ruleset.ninth_card is NinthCard.AUTO_WIN
    if reason is Reason.TIEBREAKER:
        return "T1" in ruleset.special_cards
    return True


def _fits(ruleset: Ruleset, reason: Reason, totals: tuple[int, int]) -> bool:
    """Whether totals can go with a reason, whoever won."""
    a, b = totals
    if reason is Reason.BUST:
        return (a > GOAL) != (b > GOAL)
    if reason is Reason.TOTAL:
        return a != b and max(totals) <= GOAL
    if reason is Reason.NINE:
        return min(totals) <= GOAL
    if reason is Reason.TIEBREAKER:
        return a == b <= GOAL
    if min(totals) > GOAL:
        return _plays_on_over_goal(ruleset)
    return reason is Reason.TIMEOUT or a == b


def _may_win_over_goal(ruleset: Ruleset, reason: Reason) -> bool:
    """Whether a side over 20 can win in this way: only by the other's clock, where the set went on all the same."""
    return reason is Reason.TIMEOUT and _plays_on_over_goal(ruleset)


def _plays_on_over_goal(ruleset: Ruleset) -> bool:
    """Whether a set can go on while the side that is not to act is over 20."""
    return not ruleset.set_ends_on_bust or ruleset.flip_scope is FlipScope.BOTH


def _bounds(ruleset: Ruleset) -> tuple[int, int]:
    """Totals no side can pass, however it plays: safe bounds, so that only typing errors are refused.

    Without flips a total falls only by hand cards, each between main cards of at least 1, and rises over 20 only in
    its last turn: one main card and the hand cards of a turn. A flip can turn a whole side.
    """
    if ruleset.special_cards & {"F24", "F36"}:
        return -_HIGHEST_PLUS * ruleset.board_size, _HIGHEST_MAIN * ruleset.board_size
    doubles = "D" in ruleset.special_cards
    rise = ruleset.hand_cards_per_turn * (_HIGHEST_MAIN if doubles else _HIGHEST_PLUS)
    return 1 - _HIGHEST_PLUS * ruleset.hand_size, GOAL + _HIGHEST_MAIN + rise


def _are_two_ints(pair: object) -> bool:
    """Whether a pair typed by somebody is two whole numbers; `True` is not one."""
    return isinstance(pair, tuple) and len(pair) == 2 and all(type(each) is int for each in pair)
