"""What a report means by the rules of its match, and what a match played through the engine comes to."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest

from matches.actions import FORFEIT, SCORE, SEATS, TIME, Report
from matches.actions.judging import Outcome, digest_of, judge
from matches.engine import (
    RULESETS,
    End,
    Ending,
    Forfeit,
    Move,
    Reason,
    Ruleset,
    SetScore,
    Stand,
    State,
    apply,
    get_ruleset,
    legal_moves,
    new_match,
)
from matches.models import Match
from players.permissions import Refused
from tests.matches.engine.strategies import walk
from tests.matches.engine.table import after, seated

PRESETS = pytest.mark.parametrize("ruleset", RULESETS, ids=lambda ruleset: ruleset.key)
TIE = "A 10 stand | B 10 stand"


def outcome_of(state: State, key: str = "kotor/1") -> Outcome | Refused:
    return judge(Match(ruleset=key), Report.of_game(state))


def steady(rng: Random) -> Callable[[State], Move]:
    """How to play for many ties: no hand cards, and a stand at seventeen."""

    def choose(state: State) -> Move:
        seat = state.turn
        if seat is None or not state.drawn:
            return rng.choice(legal_moves(state))
        return Stand(seat) if state.sides[seat].total >= 17 else End(seat)

    return choose


@PRESETS
@pytest.mark.parametrize("clocks", [False, True])
@pytest.mark.parametrize("allows_tie", [False, True])
def test_every_match_played_to_its_end_is_a_score(ruleset: Ruleset, clocks: bool, allows_tie: bool) -> None:
    match, reasons = Match(ruleset=ruleset.key, allows_tie=allows_tie), set[Reason]()
    for seed in range(20):
        choose = steady(Random(seed)) if seed % 2 else None
        *_, (_, _, state) = walk(ruleset, Random(seed), clocks=clocks, choose=choose)
        assert state.outcome is not None
        won, lost = max(state.sets), min(state.sets)
        sets = (won, lost) if state.outcome.winner == 0 else (lost, won)
        assert judge(match, Report.of_game(state)) == Outcome(SCORE, sets, SEATS[state.outcome.winner])
        reasons |= {result.reason for result in state.results}
    assert {Reason.TIE, Reason.TOTAL, Reason.BUST} <= reasons
    assert (Reason.TIMEOUT in reasons) is clocks


@PRESETS
def test_every_match_given_up_leaves_the_loser_the_sets_won(ruleset: Ruleset) -> None:
    for seed in range(6):
        for before, _, _ in walk(ruleset, Random(seed), clocks=True):
            for seat in (0, 1):
                state = apply(before, Forfeit(seat))
                assert isinstance(state, State)
                kept = before.sets[seat]
                sets = (kept, ruleset.sets_to_win) if seat == 0 else (ruleset.sets_to_win, kept)
                assert outcome_of(state, ruleset.key) == Outcome(FORFEIT, sets, SEATS[1 - seat])


def test_a_match_given_to_one_side_by_a_ruling_leaves_the_other_the_sets_won() -> None:
    state = after(seated("kotor", max_consecutive_ties=1), f"A timeout | open | {TIE} | ruling A")
    assert state.outcome == (0, Ending.RULING)
    assert Report.of_game(state) == Report(
        FORFEIT, (0, 1), "a", (SetScore((0, 0), Reason.TIMEOUT, 1), SetScore((10, 10), Reason.TIE))
    )
    assert outcome_of(state) == Outcome(FORFEIT, (3, 1), "a")


def test_a_match_that_goes_on_comes_to_nothing() -> None:
    state = new_match(get_ruleset("kotor"))
    assert isinstance(state, State)
    with pytest.raises(ValueError, match="not over"):
        Report.of_game(state)


@pytest.mark.parametrize(
    ("told", "winner", "by_totals"),
    [
        (SetScore((12, 19), Reason.NINE, 0), "a", "b"),
        (SetScore((12, 19), Reason.TIMEOUT, 0), "a", "b"),
        (SetScore((19, 19), Reason.TIEBREAKER, 1), "b", ""),
        (SetScore((12, 19), Reason.TOTAL), "b", "b"),
    ],
)
def test_the_way_a_set_ended_counts_before_its_totals(told: SetScore, winner: str, by_totals: str) -> None:
    match = Match(ruleset="senate/1", allows_tie=True)
    whole = {"a": (3, 0), "b": (0, 3), "": (0, 0)}
    assert judge(match, Report(SCORE, by_set=(told,) * 3)) == Outcome(SCORE, whole[winner], winner)
    bare = (SetScore(told.totals),) * 3
    assert judge(match, Report(SCORE, by_set=bare)) == Outcome(SCORE, whole[by_totals], by_totals)


def test_a_set_lost_by_the_clock_needs_its_winner() -> None:
    told = Report(SCORE, by_set=(SetScore((12, 19), Reason.TIMEOUT),))
    assert judge(Match(ruleset="kotor/1"), told) == Refused("set_winner_missing", {"set": 1}, status=400)


def test_sets_are_kept_with_what_was_told_of_them() -> None:
    by_set = (SetScore((20, 18)), SetScore((19, 19), Reason.TIE), SetScore((9, 12), Reason.TIMEOUT, 0))
    kept = [[20, 18], [19, 19, "tie", ""], [9, 12, "timeout", "a"]]
    assert Report(SCORE, by_set=by_set).told_by_set() == kept
    assert Report(SCORE, by_set=(SetScore((19, 19), winner=1),)).told_by_set() == [[19, 19, "", "b"]]


def test_a_key_stands_for_what_it_always_stood_for() -> None:
    report = Report(SCORE, (3, 0), "a", (SetScore((20, 18)),) * 3)
    assert digest_of(7, report) == "e7905c64ef5c90c4afc1e9060fa0493225555b3cd458c3558572e3da88990513"


def test_a_match_that_time_ended_is_a_kind_of_its_own_with_the_sets_as_they_stood() -> None:
    match = Match(ruleset="standard/1")
    assert judge(match, Report(TIME, (1, 2))) == Outcome(TIME, (1, 2), "b")
    assert judge(match, Report(TIME, (1, 1))) == Refused("level_at_time", status=400)
    assert judge(match, Report(TIME, (3, 1))) == Refused("not_cut_short", {"sets_to_win": 3}, status=400)
    assert judge(Match(ruleset="standard/1", allows_tie=True), Report(TIME, (1, 1))) == Outcome(TIME, (1, 1), "")


def test_two_agree_in_the_sets_and_who_won_whoever_of_them_adds_that_time_was_over() -> None:
    level, on_time = Outcome(SCORE, (1, 1), ""), Outcome(TIME, (1, 1), "")
    assert on_time.meaning == level.meaning == level
    assert Outcome(FORFEIT, (3, 1), "a").meaning != Outcome(SCORE, (3, 1), "a").meaning
