"""What follows by itself from a card or the end of a turn: standing, busts, the end of a set and of the match."""

from __future__ import annotations

from matches.engine.cards import CARD
from matches.engine.rulesets.base import BustTiming, NinthCard, Ruleset, TiebreakerRule
from matches.engine.score import GOAL, Reason
from matches.engine.state import A, B, Ending, Outcome, Placed, SetResult, Side, State


def after_card(state: State, sides: tuple[Side, Side], main: tuple[int, ...], seat: int, plays: int) -> State:
    """What a card just placed on the side of `seat` brings about at once."""
    ruleset, mine, theirs = state.terms.ruleset, sides[seat], sides[1 - seat]
    total, full = mine.total, len(mine.board) == ruleset.board_size
    if total >= GOAL or full or theirs.total > GOAL:
        if full and total <= GOAL and ruleset.ninth_card is NinthCard.AUTO_WIN:
            return end_set(state, sides, main, seat, Reason.NINE)
        if full or (total == GOAL and ruleset.auto_stand_at_20):
            return after_turn(state, with_stood(sides, seat), main, seat)
        if ruleset.bust_timing is BustTiming.IMMEDIATE and (
            total > GOAL or (theirs.total > GOAL and ruleset.set_ends_on_bust)
        ):
            return after_turn(state, sides, main, seat)
    return State(
        state.terms, sides, main, seat, True, plays, state.opener, state.sets, state.ties, False, state.results
    )


def after_turn(state: State, sides: tuple[Side, Side], main: tuple[int, ...], seat: int) -> State:
    """What follows when the turn of `seat` has ended: a bust, the end of the set, or the next turn."""
    mine, theirs = sides[seat], sides[1 - seat]
    if mine.total > GOAL or theirs.total > GOAL:
        over = _busts(state.terms.ruleset, sides, seat)
        if over and state.terms.ruleset.set_ends_on_bust:
            return _end_by_totals(state, sides, main)
        for each in over:
            sides = with_stood(sides, each)
        mine, theirs = sides[seat], sides[1 - seat]
    if not theirs.stood:
        seat = 1 - seat
    elif mine.stood:
        return _end_by_totals(state, sides, main)
    return State(state.terms, sides, main, seat, False, 0, state.opener, state.sets, state.ties, False, state.results)


def _busts(ruleset: Ruleset, sides: tuple[Side, Side], seat: int) -> list[int]:
    """The sides whose total over 20 nothing can repair once the turn of `seat` has ended.

    The side whose turn it was, and a side that has stood (a flip of both boards can raise it). A side still in play
    that such a flip has raised may repair it in its own turn, unless a bust is judged at once.
    """
    immediate = ruleset.bust_timing is BustTiming.IMMEDIATE
    return [at for at, side in enumerate(sides) if side.total > GOAL and (at == seat or side.stood or immediate)]


def _end_by_totals(state: State, sides: tuple[Side, Side], main: tuple[int, ...]) -> State:
    """End the set by what both sides count, once nothing more can change it."""
    ruleset, a, b = state.terms.ruleset, sides[A].total, sides[B].total
    if a > GOAL and b > GOAL:
        return end_set(state, sides, main, None, Reason.TIE)
    if a > GOAL or b > GOAL:
        return end_set(state, sides, main, B if a > GOAL else A, Reason.BUST)
    if a != b:
        return end_set(state, sides, main, A if a > b else B, Reason.TOTAL)
    breakers = [breaks_ties(ruleset, side.board) for side in sides]
    if breakers[A] == breakers[B]:
        return end_set(state, sides, main, None, Reason.TIE)
    return end_set(state, sides, main, A if breakers[A] else B, Reason.TIEBREAKER)


def end_set(state: State, sides: tuple[Side, Side], main: tuple[int, ...], winner: int | None, reason: Reason) -> State:
    """Write the set down; the sides stay as they lie until the next one opens."""
    won = list(state.sets)
    if winner is not None:
        won[winner] += 1
    decided = winner is not None and won[winner] == state.terms.ruleset.sets_to_win
    return State(
        state.terms,
        sides,
        main,
        opener=state.opener,
        sets=(won[A], won[B]),
        ties=state.ties + 1 if winner is None else 0,
        results=(*state.results, SetResult(winner, reason, (sides[A].total, sides[B].total))),
        outcome=Outcome(winner, Ending.SETS) if winner is not None and decided else None,
    )


def with_stood(sides: tuple[Side, Side], seat: int) -> tuple[Side, Side]:
    """Both sides, with that of `seat` taking no more part in the set."""
    board, total, _, hand, unknown, spent, draws = sides[seat]
    side = Side(board, total, True, hand, unknown, spent, draws)
    return (side, sides[B]) if seat == A else (sides[A], side)


def breaks_ties(ruleset: Ruleset, board: tuple[Placed, ...]) -> bool:
    """Whether a tiebreaker on this side counts."""
    looked_at = board[-1:] if ruleset.tiebreaker_rule is TiebreakerRule.LAST_CARD else board
    return any(CARD[placed.token].breaks_ties for placed in looked_at)
