"""Scores typed from paper: what can be is accepted, what cannot be is refused with the reason."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from matches.engine import (
    CheckedScore,
    Ending,
    Forfeit,
    Reason,
    Refusal,
    Ruleset,
    Score,
    SetScore,
    State,
    apply,
    check_score,
    get_ruleset,
    score_of,
    with_overrides,
)
from tests.matches.engine.strategies import any_ruleset, walk
from tests.matches.engine.table import after, seated

STANDARD = get_ruleset("standard")
KOTOR = get_ruleset("kotor")


def code(score: Score, preset: str = "standard", *, allow_tie: bool = False, **overrides: object) -> str:
    checked = check_score(with_overrides(get_ruleset(preset), overrides), score, allow_tie=allow_tie)
    assert isinstance(checked, Refusal), checked
    return checked.code


def sheet(*totals: tuple[int, int]) -> Score:
    return Score(by_set=tuple(SetScore(pair) for pair in totals))


def one_set(totals: tuple[int, int], reason: Reason | None = None, winner: int | None = None) -> Score:
    return Score(by_set=(SetScore(totals, reason, winner),))


@pytest.mark.parametrize(("won", "winner"), [((3, 0), 0), ((3, 1), 0), ((3, 2), 0), ((0, 3), 1)])
def test_re04_a_decided_score_is_accepted_and_names_the_winner(won: tuple[int, int], winner: int) -> None:
    assert check_score(STANDARD, Score(won)) == CheckedScore(won, winner)


@pytest.mark.parametrize(
    ("won", "refusal"),
    [
        ((3, 3), "both_won"),
        ((4, 1), "too_many_sets"),
        ((2, 1), "not_decided"),
        ((2, 0), "not_decided"),
        ((2, 2), "not_decided"),
        ((-1, 3), "negative"),
        ((3, "x"), "score_malformed"),
        ((3, True), "score_malformed"),
        ((3, 1.0), "score_malformed"),
        ((3,), "score_malformed"),
        (None, "score_missing"),
    ],
)
def test_re04_a_score_that_cannot_be_is_refused(won: tuple[int, int], refusal: str) -> None:
    assert code(Score(won)) == refusal


def test_re04_tied_sets_are_stored_and_not_counted() -> None:
    checked = check_score(STANDARD, sheet((20, 18), (19, 19), (20, 17), (15, 20), (20, 12)))
    assert checked == CheckedScore(
        (3, 1),
        0,
        (
            SetScore((20, 18), Reason.TOTAL, 0),
            SetScore((19, 19), Reason.TIE, None),
            SetScore((20, 17), Reason.TOTAL, 0),
            SetScore((15, 20), Reason.TOTAL, 1),
            SetScore((20, 12), Reason.TOTAL, 0),
        ),
    )


def test_re04_the_winner_is_derived_and_a_contradicting_one_refused() -> None:
    assert code(Score((3, 1), winner=1)) == "winner_contradicts_score"
    assert check_score(STANDARD, Score((3, 1), winner=0)) == CheckedScore((3, 1), 0)


def test_a_winner_that_is_no_side_is_malformed() -> None:
    assert code(Score((3, 1), winner=2)) == "score_malformed"


def test_more_than_five_sets_are_possible_for_ties_are_played_again() -> None:
    checked = check_score(STANDARD, sheet(*[(18, 18)] * 9, (20, 1), (20, 1), (20, 1)))
    assert isinstance(checked, CheckedScore)
    assert (checked.won, len(checked.by_set)) == ((3, 0), 12)


def test_a_ruleset_says_how_many_sets_win() -> None:
    best_of_three = with_overrides(STANDARD, {"sets_to_win": 2})
    assert check_score(best_of_three, Score((2, 1))) == CheckedScore((2, 1), 0)
    assert code(Score((3, 1)), sets_to_win=2) == "too_many_sets"


def test_time_ran_out_with_equal_sets_is_a_tie_where_ties_are_allowed() -> None:
    assert check_score(STANDARD, Score((2, 2)), allow_tie=True) == CheckedScore((2, 2), None)
    assert check_score(STANDARD, Score((0, 0)), allow_tie=True) == CheckedScore((0, 0), None)
    assert code(Score((2, 1)), allow_tie=True) == "not_decided"
    assert code(Score((3, 3)), allow_tie=True) == "both_won"
    assert code(Score((1, 1), winner=0), allow_tie=True) == "winner_contradicts_score"


def test_a_match_in_progress_or_given_up_may_have_any_score_below_the_goal() -> None:
    assert check_score(STANDARD, Score((2, 1)), unfinished=True) == CheckedScore((2, 1), None)


def test_sets_and_set_by_set_must_agree() -> None:
    by_set = sheet((20, 18), (20, 17), (20, 12)).by_set
    assert check_score(STANDARD, Score((3, 0), by_set)) == check_score(STANDARD, Score(by_set=by_set))
    assert code(Score((3, 1), by_set)) == "sets_contradict_score"


def test_no_set_is_played_after_the_last() -> None:
    score = sheet((20, 1), (20, 1), (20, 1), (1, 20))
    assert check_score(STANDARD, score) == Refusal.of("set_after_end", set=4)


def test_a_bust_loses_and_tells_its_reason() -> None:
    checked = check_score(STANDARD, one_set((22, 3)), unfinished=True)
    assert checked == CheckedScore((0, 1), None, (SetScore((22, 3), Reason.BUST, 1),))


def test_nine_cards_win_against_any_total_where_the_rules_say_so() -> None:
    nine = one_set((15, 18), Reason.NINE, 0)
    senate = check_score(get_ruleset("senate"), nine, unfinished=True)
    assert senate == CheckedScore((1, 0), None, nine.by_set)
    assert code(nine) == "reason_not_in_rules"


def test_a_tiebreaker_wins_equal_totals_where_it_is_admitted() -> None:
    told = one_set((19, 19), Reason.TIEBREAKER, 1)
    assert check_score(STANDARD, one_set((19, 19), winner=1), unfinished=True) == CheckedScore(
        (0, 1), None, told.by_set
    )
    assert code(told, "kotor") == "reason_not_in_rules"


@pytest.mark.parametrize(
    ("each", "refusal"),
    [
        (SetScore((18, 18), Reason.TOTAL), "reason_contradicts_totals"),
        (SetScore((22, 18), Reason.TOTAL), "reason_contradicts_totals"),
        (SetScore((18, 17), Reason.BUST), "reason_contradicts_totals"),
        (SetScore((18, 17), Reason.TIE), "reason_contradicts_totals"),
        (SetScore((18, 17), Reason.TIEBREAKER, 0), "reason_contradicts_totals"),
        (SetScore((19, 19), Reason.TIEBREAKER), "set_winner_missing"),
        (SetScore((19, 19), Reason.TIE, 0), "set_winner_contradicts_totals"),
        (SetScore((19, 18), Reason.TOTAL, 1), "set_winner_contradicts_totals"),
        (SetScore((22, 18), None, 0), "set_winner_contradicts_totals"),
        (SetScore((22, 23)), "both_bust"),
        (SetScore((22, 22)), "both_bust"),
        (SetScore((22, 22), winner=0), "both_bust"),
        (SetScore((19, 18), None, 2), "set_malformed"),
        (SetScore((19, "18")), "set_malformed"),  # type: ignore[arg-type]  # what somebody may type
    ],
)
def test_a_set_that_cannot_be_is_refused(each: SetScore, refusal: str) -> None:
    assert check_score(STANDARD, Score(by_set=(SetScore((20, 1)), each))) == Refusal.of(refusal, set=2)


@pytest.mark.parametrize(
    ("each", "refusal"),
    [
        (SetScore((15, 18), Reason.NINE), "set_winner_missing"),
        (SetScore((21, 18), Reason.NINE, 0), "reason_contradicts_totals"),
        (SetScore((21, 22), Reason.NINE, 0), "both_bust"),
    ],
)
def test_nine_cards_need_a_winner_who_is_not_bust(each: SetScore, refusal: str) -> None:
    assert check_score(get_ruleset("senate"), Score(by_set=(each,))) == Refusal.of(refusal, set=1)


@pytest.mark.parametrize("totals", [(0, 0), (20, 20), (12, 19), (19, 12), (26, 12), (-5, 3)])
def test_r44_a_set_lost_by_the_clock_ends_with_whatever_totals(totals: tuple[int, int]) -> None:
    told = one_set(totals, Reason.TIMEOUT, 1)
    assert check_score(STANDARD, told, unfinished=True) == CheckedScore((0, 1), None, told.by_set)
    assert code(one_set(totals, Reason.TIMEOUT)) == "set_winner_missing"


@pytest.mark.parametrize(
    ("totals", "refusal"),
    [((12, 22), "reason_contradicts_totals"), ((21, 22), "both_bust"), ((95, 3), "total_impossible")],
)
def test_r44_nobody_over_twenty_waits_for_a_clock_where_a_bust_ends_the_set(
    totals: tuple[int, int], refusal: str
) -> None:
    assert code(one_set(totals, Reason.TIMEOUT, 1)) == refusal


@pytest.mark.parametrize("totals", [(12, 22), (21, 22)])
@pytest.mark.parametrize("overrides", [{"set_ends_on_bust": False}, {"flip_scope": "both"}])
def test_r44_a_side_over_twenty_can_win_by_the_clock_where_the_set_goes_on(
    totals: tuple[int, int], overrides: dict[str, object]
) -> None:
    told = one_set(totals, Reason.TIMEOUT, 1)
    checked = check_score(with_overrides(STANDARD, overrides), told, unfinished=True)
    assert checked == CheckedScore((0, 1), None, told.by_set)


@pytest.mark.parametrize("total", [37, -24, 200])
def test_without_special_cards_a_total_stays_in_bounds(total: int) -> None:
    assert check_score(KOTOR, one_set((total, 3))) == Refusal.of("total_impossible", set=1, total=total)


def test_the_bounds_let_pass_what_can_be() -> None:
    """19 before the draw, a ten, and a plus six played all the same; or four minus sixes between four ones."""
    checked = check_score(KOTOR, sheet((35, 3), (-20, 3)), unfinished=True)
    assert isinstance(checked, CheckedScore)
    assert checked.won == (0, 2)


@pytest.mark.parametrize(("total", "refused"), [(55, False), (91, True), (-54, False), (-55, True)])
def test_flips_allow_wilder_totals(total: int, refused: bool) -> None:
    checked = check_score(STANDARD, one_set((total, 3)), unfinished=True)
    assert isinstance(checked, Refusal) is refused


def test_a_double_can_add_a_ten() -> None:
    doubles = with_overrides(STANDARD, {"special_cards": ["D"]})
    assert isinstance(check_score(doubles, one_set((39, 3)), unfinished=True), CheckedScore)
    assert isinstance(check_score(doubles, one_set((41, 3)), unfinished=True), Refusal)


@pytest.mark.parametrize("overrides", [{"set_ends_on_bust": False}, {"flip_scope": "both"}])
def test_both_over_twenty_is_a_tie_where_it_can_happen(overrides: dict[str, object]) -> None:
    ruleset = with_overrides(STANDARD, overrides)
    checked = check_score(ruleset, one_set((22, 24)), unfinished=True)
    assert checked == CheckedScore((0, 0), None, (SetScore((22, 24), Reason.TIE, None),))


# ------------------------------------------------------------------------------------------------ what was played


def test_what_was_played_is_told_set_by_set() -> None:
    state = after(
        seated("kotor", opener=0),
        "A 9 stand | B 10 stand | open | A 10 stand | B 10 stand | open | A 7 end | B timeout | open | A 2 end",
    )
    assert score_of(state) == Score(
        won=(1, 1),
        by_set=(
            SetScore((9, 10), Reason.TOTAL, 1),
            SetScore((10, 10), Reason.TIE),
            SetScore((7, 0), Reason.TIMEOUT, 0),
        ),
    )
    given_up = apply(state, Forfeit(0))
    assert isinstance(given_up, State)
    assert score_of(given_up) == score_of(state)


def test_the_winner_is_told_where_sets_decided_it() -> None:
    won = after(seated("kotor"), "A timeout | open | A timeout | open | A timeout")
    assert score_of(won) == Score((0, 3), (SetScore((0, 0), Reason.TIMEOUT, 1),) * 3, winner=1)


@settings(max_examples=60, deadline=None)
@given(ruleset=any_ruleset(), seed=st.integers(0, 2**32))
def test_whatever_can_be_played_can_be_reported(ruleset: Ruleset, seed: int) -> None:
    for before, _, state in walk(ruleset, Random(seed), clocks=seed % 2 == 0):
        if len(state.results) == len(before.results) and state.outcome is None:
            continue
        told, over = score_of(state), state.outcome
        winner = over.winner if over is not None and over.ending is Ending.SETS else None
        expected = CheckedScore(state.sets, winner, told.by_set)
        assert check_score(ruleset, told, unfinished=winner is None) == expected
        assert len(told.by_set) == len(state.results)


@pytest.mark.parametrize(
    ("won", "winner"), [((2, 1), 0), ((0, 1), 1), ((2, 0), 0), ((1, 1), None), ((0, 0), None), ((2, 2), None)]
)
def test_at_the_end_of_the_time_whoever_leads_has_won(won: tuple[int, int], winner: int | None) -> None:
    assert check_score(STANDARD, Score(won), allow_tie=True, on_time=True) == CheckedScore(won, winner)
    level = check_score(STANDARD, Score(won), on_time=True)
    assert level == (Refusal.of("level_at_time") if winner is None else CheckedScore(won, winner))


def test_the_end_of_the_time_is_told_set_by_set_too() -> None:
    checked = check_score(STANDARD, sheet((20, 18), (19, 19), (15, 20), (20, 12)), on_time=True)
    assert isinstance(checked, CheckedScore)
    assert (checked.won, checked.winner, len(checked.by_set)) == ((2, 1), 0, 4)


@pytest.mark.parametrize(
    ("told", "refusal"),
    [
        (Score((3, 1)), Refusal.of("not_cut_short", sets_to_win=3)),
        (Score((4, 1)), Refusal.of("too_many_sets", sets_to_win=3)),
        (Score((2, 1), winner=1), Refusal.of("winner_contradicts_score")),
        (Score((1, 1), winner=0), Refusal.of("winner_contradicts_score")),
    ],
)
def test_what_time_cannot_have_ended_is_refused(told: Score, refusal: Refusal) -> None:
    assert check_score(STANDARD, told, allow_tie=True, on_time=True) == refusal
