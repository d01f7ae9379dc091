"""The rules of `docs/rules.md`, one story each; the name of a test begins with the rule it proves."""

from __future__ import annotations

import pytest

from matches.engine import (
    CheckedScore,
    Draw,
    End,
    Ending,
    Forfeit,
    IllegalMove,
    MalformedMove,
    Move,
    OpenSet,
    Outcome,
    Phase,
    Play,
    Reason,
    Refusal,
    Ruling,
    SetResult,
    Stand,
    State,
    Timeout,
    apply,
    check_score,
    declared,
    get_ruleset,
    hands_due,
    legal_moves,
    main_deck,
    new_match,
    next_opener,
    outcome,
    ruling_due,
    score_of,
    set_up,
    with_overrides,
)
from tests.matches.engine.table import DECK, PLAIN_DECK, after, board, last_set, refused, seated, totals

WIN_A = "A 10 stand | B 9 stand"
WIN_B = "A 9 stand | B 10 stand"
TIE = "A 10 stand | B 10 stand"


def opened(preset: str = "standard", **overrides: object) -> State:
    """A match by the rules with both side decks known, before its first set."""
    ruleset = with_overrides(get_ruleset(preset), overrides)
    deck = DECK if ruleset.special_cards else PLAIN_DECK
    state = new_match(ruleset, (deck, deck))
    assert isinstance(state, State)
    return state


# ------------------------------------------------------------------------------------------------ the match


def test_r1_the_third_set_won_ends_the_match() -> None:
    state = after(seated("kotor"), f"{WIN_A} | open | {WIN_B} | open | {WIN_A} | open")
    assert (state.sets, outcome(state), state.phase) == ((2, 1), None, Phase.OPEN)
    state = after(state, WIN_A)
    assert (state.sets, outcome(state), state.phase) == ((3, 1), Outcome(0, Ending.SETS), Phase.OVER)
    assert [result.winner for result in state.results] == [0, 1, 0, 0]
    assert (refused(state, "open A"), refused(state, "A 5"), refused(state, "B forfeit")) == ("match_over",) * 3
    assert legal_moves(state) == ()


def test_r2_a_shared_deck_has_four_of_each() -> None:
    state = after(seated("standard", a="-6 -6", b="-6 -6"), "A 10 -6 end | B 10 -6 end | A 10 -6 end | B 10 -6 end")
    assert refused(state, "A 10") == "card_not_in_deck"
    assert legal_moves(state) == tuple(Draw(0, value) for value in range(1, 10))


def test_r2_an_endless_deck_never_runs_out_of_a_card() -> None:
    state = after(seated("table", a="-6 -6", b="-6 -6"), "A 10 -6 end | B 10 -6 end | A 10 -6 end | B 10 -6 end")
    assert legal_moves(state) == tuple(Draw(0, value) for value in range(1, 11))


def test_r2_a_deck_each_is_drawn_from_by_its_own_side() -> None:
    state = seated("standard", a="-6 -6 -6 -6", main_deck="finite40_each")
    state = after(state, " | ".join(["A 10 -6 end | B 1 end"] * 4))
    assert totals(state) == (16, 4)
    assert refused(state, "A 10") == "card_not_in_deck"
    assert legal_moves(state) == tuple(Draw(0, value) for value in range(1, 10))
    assert legal_moves(after(state, "A 1")) == tuple(Draw(1, value) for value in range(2, 11))


def test_r3_a_fresh_deck_comes_with_each_set_or_only_when_the_last_is_out() -> None:
    tens_out = f"{TIE} | open | {TIE} | open"
    assert legal_moves(after(seated("standard"), tens_out)) == tuple(Draw(0, value) for value in range(1, 11))
    running = after(seated("kotor"), tens_out)
    assert legal_moves(running) == tuple(Draw(0, value) for value in range(1, 10))
    assert refused(running, "A 10") == "card_not_in_deck"


def test_r3_the_draw_after_the_fortieth_card_is_from_a_fresh_deck() -> None:
    sets = [f"A {value} stand | B {value} stand | open" for value in range(1, 11) for _ in range(2)]
    state = after(seated("kotor"), " | ".join(sets))
    assert state.main == (0,)
    assert legal_moves(state) == tuple(Draw(0, value) for value in range(1, 11))
    assert legal_moves(after(state, "A 10 end | B 10 end | A 1 end | B 1 end")) == legal_moves(state)


def test_r5_a_hand_lasts_the_match_or_comes_anew_with_each_set() -> None:
    lasting = after(opened("kotor"), "open A (+1 +2 +3 *1) (-1 -2 -3 *2) | A 10 +1 stand | B 9 stand")
    assert not hands_due(lasting)
    assert refused(lasting, "open A (+1 +2 +3 *1) (-1 -2 -3 *2)") == "hands_not_due"
    assert after(lasting, "open").sides[0].hand == ("+2", "+3", "*1")
    anew = after(opened("table"), "open A (+1 +2 +3 *1) (-1 -2 -3 *2) | A 10 +1 stand | B 9 stand")
    assert hands_due(anew)
    assert refused(anew, "open") == "hands_due"
    again = after(anew, "open (+1 +2 +3 *1) (-1 -2 *2 *6)")
    assert (again.sides[0].hand, again.sides[0].spent) == (("+1", "+2", "+3", "*1"), ())


@pytest.mark.parametrize(
    ("hand", "code"),
    [
        ("+1 +2 +3", "bad_hand_size"),
        ("+1 +2 +3 D", "card_not_allowed"),
        ("+1 +1 +2 +3", "card_not_in_side_deck"),
        ("+1 +2 +3 +6", "card_not_in_side_deck"),
    ],
)
def test_r5_a_hand_is_four_cards_of_the_side_deck(hand: str, code: str) -> None:
    assert refused(opened("kotor"), f"open A (-1 -2 -3 *2) ({hand})") == code


def test_r5_a_hand_card_must_exist() -> None:
    hand = ("+1", "+2", "+3", "+9")
    assert apply(opened("kotor"), OpenSet(0, (hand, None))) == MalformedMove("unknown_card")
    assert set_up(get_ruleset("kotor"), hands=(("X",), ())) == MalformedMove("unknown_card")


def test_r4_a_match_with_a_side_deck_that_is_refused_does_not_begin() -> None:
    assert new_match(get_ruleset("kotor"), (PLAIN_DECK, DECK)) == Refusal.of("card_not_allowed", card="V12", seat=1)


def test_r6_a_forfeit_ends_the_match_and_leaves_the_set_open() -> None:
    state = after(seated("kotor"), "A 10 end | A forfeit")
    assert (outcome(state), state.turn, state.results) == (Outcome(1, Ending.FORFEIT), None, ())
    assert refused(state, "B 5") == "match_over"
    assert outcome(after(opened(), "B forfeit")) == Outcome(0, Ending.FORFEIT)


# ------------------------------------------------------------------------------------------------ who opens


@pytest.mark.parametrize(("rule", "opener"), [("player_a", 0), ("high_card", None), ("random", None), ("agreed", None)])
def test_r7_the_first_set_is_opened_by_a_or_by_what_comes_from_outside(rule: str, opener: int | None) -> None:
    state = opened("standard", first_player_first=rule)
    assert next_opener(state) == opener
    if opener is None:
        assert refused(state, "open (?) (?)") == "opener_by_lot"
    assert after(state, "open B (?) (?)").turn == 1


@pytest.mark.parametrize(
    ("rule", "after_a", "after_b", "after_tie"),
    [("same", 0, 0, 0), ("alternate", 1, 1, 1), ("winner", 0, 1, 0), ("loser", 1, 0, 0), ("random", None, None, None)],
)
def test_r8_who_opens_the_next_set(rule: str, after_a: int | None, after_b: int | None, after_tie: int | None) -> None:
    state = seated("standard", first_player_next=rule)
    assert next_opener(state) is None
    found = [next_opener(after(state, text)) for text in (WIN_A, WIN_B, TIE)]
    assert found == [after_a, after_b, after_tie]
    if after_tie is None:
        assert refused(after(state, TIE), "open") == "opener_by_lot"


def test_r8_alternation_goes_on_from_whoever_opened() -> None:
    state = after(seated("standard", first_player_next="alternate"), f"{TIE} | open | B 10 stand | A 10 stand")
    assert next_opener(state) == 0


# ------------------------------------------------------------------------------------------------ the turn


@pytest.mark.parametrize("move", [End(0), Stand(0), Play(0, "+1", 1)])
def test_r9_nothing_comes_before_the_draw(move: Move) -> None:
    assert apply(seated(a="+1"), move) == IllegalMove("must_draw_first")


def test_r9_one_card_a_turn_and_only_in_turn() -> None:
    state = after(seated(), "A 5")
    assert refused(state, "A 4") == "already_drawn"
    assert refused(state, "B 4") == "not_your_turn"
    assert refused(after(state, "A stand"), "A 4") == "already_stood"
    assert refused(after(seated(), WIN_A), "A 4") == "set_over"
    assert refused(state, "open A") == "set_open"


@pytest.mark.parametrize(
    ("move", "code"),
    [
        (Draw(0, 0), "bad_draw"),
        (Draw(0, 11), "bad_draw"),
        (Draw(2, 5), "bad_seat"),
        (End(-1), "bad_seat"),
        (Stand(2), "bad_seat"),
        (Forfeit(2), "bad_seat"),
        (Timeout(2), "bad_seat"),
        (Play(0, "+7", 7), "unknown_card"),
        (Play(0, "5", 5), "unknown_card"),
        (OpenSet(2), "bad_opener"),
        (Ruling(2), "bad_winner"),
        ("stand", "unknown_move"),
    ],
)
def test_a_malformed_move_is_told_from_one_that_is_not_allowed(move: Move, code: str) -> None:
    assert apply(seated(), move) == MalformedMove(code)


def test_a_refused_move_changes_nothing() -> None:
    state = after(seated(a="+1"), "A 5")
    before = tuple(state)
    assert refused(state, "A *4=+4") == "card_not_in_hand"
    assert tuple(state) == before


def test_r10_a_turn_takes_as_many_hand_cards_as_the_ruleset_says() -> None:
    state = after(seated(a="+1 +2 +3", hand_cards_per_turn=2), "A 5 +1 +2")
    assert refused(state, "A +3") == "hand_card_limit"
    assert legal_moves(state) == (End(0), Stand(0))
    assert Play(0, "+3", 3) in legal_moves(after(state, "A end | B 1 stand | A 1"))


def test_r11_the_other_goes_on_alone() -> None:
    state = after(seated(), "A 10 stand | B 3 end | B 3 end")
    assert (state.turn, totals(state)) == (1, (10, 6))


def test_r12_twenty_stands_by_a_hand_card_too_or_not_at_all() -> None:
    by_card = after(seated(a="+5"), "A 10 end | B 1 end | A 5 +5")
    assert (by_card.sides[0].stood, by_card.turn) == (True, 1)
    free = after(seated(a="+5", auto_stand_at_20=False), "A 10 end | B 1 end | A 5 +5")
    assert (free.sides[0].stood, free.turn) == (False, 0)
    assert totals(after(free, "A end | B 1 end | A 1 end")) == (21, 2)


NINE = "A 1 end | B 10 stand | A 1 end | A 1 end | A 1 end | A 2 end | A 2 end | A 2 end | A 2 end"


def test_r13_a_hand_card_can_fill_the_ninth_place() -> None:
    eight = NINE.replace("A 2 end", "A 2 +1 end", 1).removesuffix(" | A 2 end")
    state = after(seated("senate", a="+1"), eight)
    assert len(state.sides[0].board) == 8
    assert last_set(after(state, "A 2")) == (0, "nine")
    assert last_set(after(seated("senate", a="+1"), f"{NINE.removesuffix(' end')} +1")) == (0, "nine")


def test_r13_a_ninth_card_over_twenty_is_a_bust_though_a_hand_card_is_left() -> None:
    assert last_set(after(seated("senate", a="-6"), f"{NINE} | A 9")) == (1, "bust")


def test_r13_a_ninth_card_at_twenty_wins_as_nine() -> None:
    assert last_set(after(seated("senate"), f"{NINE} | A 8")) == (0, "nine")


def test_r13_a_ninth_card_stands_where_it_does_not_win() -> None:
    assert last_set(after(seated("standard"), f"{NINE} | A 3")) == (0, "total")


def test_r14_a_total_below_nothing_can_win() -> None:
    state = after(seated(a="-6 -6", b="-6 -6"), "A 1 -6 end | B 1 -6 stand | A 1 -6 end | A 7 stand")
    assert (totals(state), last_set(state)) == ((-3, -5), (0, "total"))


# ------------------------------------------------------------------------------------------------ going bust


def test_r15_a_hand_card_repairs_a_total_over_twenty_or_does_not() -> None:
    text = "A 10 end | B 5 end | A 8 end | B 5 end | A 6"
    assert after(seated(a="-6"), text).turn == 0
    assert totals(after(seated(a="-6"), f"{text} -6 stand")) == (18, 10)
    assert last_set(after(seated(a="-6"), f"{text} end")) == (1, "bust")
    assert last_set(after(seated(a="-6"), f"{text} stand")) == (1, "bust")
    assert last_set(after(seated(a="-6", bust_timing="immediate"), text)) == (1, "bust")


def test_r15_a_hand_card_that_goes_over_twenty_busts_at_once_where_busts_are_immediate() -> None:
    assert last_set(after(seated(a="+6", bust_timing="immediate"), "A 10 end | B 1 end | A 6 +6")) == (1, "bust")


def test_r16_a_bust_may_leave_the_set_open_and_the_other_wins_by_standing() -> None:
    state = after(seated(set_ends_on_bust=False), "A 10 end | B 5 end | A 6 end | B 5 end | A 7 end")
    assert (state.turn, state.results) == (1, ())
    assert last_set(after(state, "B 2 stand")) == (0 + 1, "bust")
    assert last_set(after(state, "B 9 end | B 4 end")) == (None, "tie")


def test_r16_a_bust_at_once_may_leave_the_set_open_too() -> None:
    state = seated(set_ends_on_bust=False, bust_timing="immediate")
    state = after(state, "A 10 end | B 5 end | A 6 end | B 5 end | A 7")
    assert (state.turn, state.sides[0].stood) == (1, True)
    assert last_set(after(state, "B 3 stand")) == (1, "bust")


def test_r16_nine_cards_win_against_a_side_that_went_bust() -> None:
    state = after(
        seated("senate", set_ends_on_bust=False), "A 1 end | B 10 end | A 1 end | B 6 end | A 1 end | B 7 end"
    )
    assert last_set(after(state, "A 1 end | A 2 end | A 2 end | A 2 end | A 2 end | A 3")) == (0, "nine")


FLIP_B = "A 1 end | B 10 end | A 1 end | B 9 -2 end | A 1 F24"
"""B has 17 with a minus two, which a flip of both boards turns to 21."""


def test_r17_a_side_in_play_that_a_flip_raised_may_repair_it() -> None:
    state = after(seated("tsl", a="F24", b="-2 -6", flip_scope="both"), f"{FLIP_B} end")
    assert (totals(state), state.turn) == ((3, 21), 1)
    assert totals(after(state, "B 4 -6 end")) == (3, 19)
    assert last_set(after(state, "B 4 end")) == (0, "bust")


def test_r17_a_side_that_stood_is_bust_when_the_turn_ends() -> None:
    stood = "A 1 end | B 10 end | A 1 end | B 9 -2 end | A 1 end | B 1 stand"
    state = after(seated("tsl", a="F24", b="-2", flip_scope="both"), f"{stood} | A 3 F24")
    assert (totals(state), state.turn) == ((6, 22), 0)
    assert last_set(after(state, "A end")) == (0, "bust")


def test_r17_an_immediate_bust_of_the_other_side_ends_the_set() -> None:
    state = seated("tsl", a="F24", b="-2", flip_scope="both", bust_timing="immediate")
    assert last_set(after(state, FLIP_B)) == (0, "bust")


def test_r17_an_immediate_bust_of_the_other_side_may_leave_the_set_open() -> None:
    state = seated("tsl", a="F24", b="-2", flip_scope="both", bust_timing="immediate", set_ends_on_bust=False)
    state = after(state, f"{FLIP_B} end")
    assert (state.turn, state.sides[1].stood) == (0, True)
    assert last_set(after(state, "A 4 stand")) == (0, "bust")


def test_r20_a_flip_that_leaves_both_over_twenty_ends_in_a_tie() -> None:
    state = seated("tsl", a="-4 F24", b="-2", flip_scope="both", bust_timing="immediate")
    state = after(state, "A 10 -4 end | B 10 end | A 7 end | B 9 -2 end | A 3 F24")
    assert (totals(state), last_set(state)) == ((24, 21), (None, "tie"))


# ------------------------------------------------------------------------------------------------ the end of a set


def test_r18_the_result_keeps_the_final_totals() -> None:
    state = after(seated(), WIN_B)
    assert state.results == (SetResult(1, state.results[0].reason, (9, 10)),)


@pytest.mark.parametrize(
    ("rule", "late", "early"),
    [("flag", (0, "tiebreaker"), (0, "tiebreaker")), ("last_card", (0, "tiebreaker"), (None, "tie"))],
)
def test_r19_a_tiebreaker_counts_when_played_or_only_as_the_last_card(
    rule: str, late: tuple[int | None, str], early: tuple[int | None, str]
) -> None:
    state = seated("tsl", a="T1", tiebreaker_rule=rule)
    assert last_set(after(state, "A 9 T1=+1 stand | B 10 stand")) == late
    assert last_set(after(state, "A 4 T1=-1 end | B 10 stand | A 7 stand")) == early


def test_r19_two_tiebreakers_are_a_tie() -> None:
    assert last_set(after(seated("tsl", a="T1", b="T1"), "A 9 T1=+1 stand | B 9 T1=+1 stand")) == (None, "tie")


def test_r19_a_doubled_tiebreaker_is_no_tiebreaker_but_the_first_still_counts() -> None:
    state = seated("tsl", a="T1 D", hand_cards_per_turn=2, tiebreaker_rule="last_card")
    assert last_set(after(state, "A 8 T1=+1 D stand | B 10 stand")) == (None, "tie")


def test_r20_a_tie_is_played_again_and_hands_stay_as_they_are() -> None:
    state = after(seated("kotor", a="+1 +2"), "A 9 +1 stand | B 10 stand | open")
    assert (state.sets, state.ties, state.set_number, state.sides[0].hand) == ((0, 0), 1, 2, ("+2",))


def test_r20_both_over_twenty_is_a_tie_that_no_tiebreaker_turns() -> None:
    state = seated("tsl", a="T1", set_ends_on_bust=False)
    state = after(state, "A 10 T1=+1 end | B 10 end | A 10 end | B 9 end | B 4 end")
    assert (totals(state), last_set(state)) == ((21, 23), (None, "tie"))


def test_r21_after_too_many_ties_a_referee_rules() -> None:
    state = after(seated("kotor", max_consecutive_ties=2), f"{TIE} | open | {TIE}".replace("10", "9"))
    assert ruling_due(state)
    assert refused(state, "open") == "ruling_due"
    assert legal_moves(state) == (Ruling(None), Ruling(0), Ruling(1))
    assert outcome(after(state, "ruling B")) == Outcome(1, Ending.RULING)
    let_on = after(state, "ruling next")
    assert not ruling_due(let_on)
    assert ruling_due(after(let_on, "open | A 8 stand | B 8 stand"))
    won = after(let_on, "open | A 8 stand | B 7 stand")
    assert (won.ties, ruling_due(won)) == (0, False)


def test_r21_a_ruling_comes_only_when_it_is_due() -> None:
    state = after(seated("kotor", max_consecutive_ties=2), TIE)
    assert refused(state, "ruling next") == "ruling_not_due"
    assert refused(after(state, "A forfeit"), "ruling A") == "match_over"


# ------------------------------------------------------------------------------------------------ the clock


@pytest.mark.parametrize(
    ("text", "result"),
    [
        ("A timeout", SetResult(1, Reason.TIMEOUT, (0, 0))),
        ("A 10 timeout", SetResult(1, Reason.TIMEOUT, (10, 0))),
        ("A 10 +6 timeout", SetResult(1, Reason.TIMEOUT, (16, 0))),
        ("A 10 +6 end | B 5 timeout", SetResult(0, Reason.TIMEOUT, (16, 5))),
        ("A 10 stand | B 9 end | B timeout", SetResult(0, Reason.TIMEOUT, (10, 9))),
        ("A 10 +6 end | B 5 end | A 9 timeout", SetResult(1, Reason.TIMEOUT, (25, 5))),
    ],
)
def test_r44_the_side_to_act_loses_the_set_by_the_clock_drawn_or_not(text: str, result: SetResult) -> None:
    state = after(seated("kotor", a="+6", first_player_next="winner"), text)
    assert state.results == (result,)
    assert (state.phase, state.sets) == (Phase.BETWEEN, (1, 0) if result.winner == 0 else (0, 1))
    assert (next_opener(state), after(state, "open").turn) == (result.winner, result.winner)
    assert (state.sides[0].total, state.sides[1].total) == result.totals


def test_r44_only_the_side_to_act_can_run_out_of_time() -> None:
    state = after(seated(), "A 5")
    assert refused(state, "B timeout") == "not_your_turn"
    assert refused(after(state, "A stand"), "A timeout") == "already_stood"
    assert refused(after(seated(), WIN_A), "A timeout") == "set_over"
    assert refused(opened(), "A timeout") == "set_over"
    assert refused(after(seated(), "B forfeit"), "A timeout") == "match_over"
    assert Timeout(0) not in legal_moves(state)


def test_r44_a_set_lost_by_the_clock_can_end_the_match() -> None:
    state = after(seated(sets=(1, 2)), "A 10 timeout")
    assert (state.sets, outcome(state), state.phase) == ((1, 3), Outcome(1, Ending.SETS), Phase.OVER)
    assert refused(state, "A timeout") == "match_over"


def test_r44_a_set_lost_by_the_clock_ends_a_row_of_ties() -> None:
    tied = after(seated("kotor", max_consecutive_ties=2), f"{TIE} | open | A timeout")
    assert (tied.ties, tied.sets) == (0, (0, 1))
    again = after(tied, "open | A 9 stand | B 9 stand")
    assert (again.ties, ruling_due(again)) == (1, False)


def test_r44_the_clock_decides_against_a_side_that_is_bust_too() -> None:
    state = after(seated(set_ends_on_bust=False), "A 10 end | B 5 end | A 6 end | B 5 end | A 7 end")
    assert after(state, "B timeout").results == (SetResult(0, Reason.TIMEOUT, (23, 10)),)


def test_r44_what_was_not_drawn_stays_in_the_deck() -> None:
    state = after(seated("kotor"), "A 10 end | B timeout | open")
    assert (main_deck.counts(state.main[0]), [side.draws for side in state.sides]) == ((4,) * 9 + (3,), [1, 0])


@pytest.mark.parametrize(
    ("rule", "opener"), [("same", 0), ("alternate", 1), ("winner", 1), ("loser", 0), ("random", None)]
)
def test_r44_the_next_opener_follows_from_who_won_by_the_clock(rule: str, opener: int | None) -> None:
    assert next_opener(after(seated(first_player_next=rule), "A 10 timeout")) == opener


def test_r45_when_the_time_of_a_round_is_over_whoever_has_more_sets_has_won() -> None:
    ruleset = get_ruleset("standard")
    led, level = (score_of(after(seated(), text)) for text in (WIN_A, TIE))
    assert check_score(ruleset, led, on_time=True) == CheckedScore((1, 0), 0, led.by_set)
    assert check_score(ruleset, level, on_time=True) == Refusal.of("level_at_time")
    assert check_score(ruleset, level, on_time=True, allow_tie=True) == CheckedScore((0, 0), None, level.by_set)


# ------------------------------------------------------------------------------------------------ the cards


def test_r23_to_r28_what_each_card_counts() -> None:
    state = seated("tsl", a="+3 -2 *4 V12", b="T1 D")
    state = after(
        state, "A 5 +3 end | B 4 T1=-1 end | A 5 -2 end | B 7 D end | A 5 *4=-4 end | B 1 end | A 1 V12=+2 end"
    )
    assert (board(state, 0), board(state, 1)) == ([5, 3, 5, -2, 5, -4, 1, 2], [4, -1, 7, 7, 1])


@pytest.mark.parametrize(
    "play", [Play(0, "+3", -3), Play(0, "*4", 5), Play(0, "*4"), Play(0, "V12", 3), Play(0, "T1", 2), Play(0, "D", 5)]
)
def test_r23_to_r28_no_card_counts_what_it_cannot(play: Play) -> None:
    assert apply(after(seated("tsl", a="+3 *4 V12 T1 D"), "A 5"), play) == IllegalMove("bad_value")


def test_r23_a_fixed_card_is_declared_by_itself() -> None:
    assert (declared(0, "+3"), declared(0, "D"), declared(0, "*4")) == (Play(0, "+3", 3), Play(0, "D"), Play(0, "*4"))
    assert declared(0, "+9") == Play(0, "+9")


def test_r28_a_double_after_a_flip_card_counts_nothing() -> None:
    state = after(seated("tsl", a="F24 D", hand_cards_per_turn=2), "A 5 F24 D")
    assert board(state, 0) == [5, 0, 0]


def test_r29_a_flip_turns_hand_cards_and_leaves_later_ones() -> None:
    state = seated("tsl", a="+3 F36", b="")
    assert board(after(state, "A 6 +3 end | B 1 end | A 9 F36 end | B 1 end | A 3 end"), 0) == [-6, -3, 9, 0, 3]


def test_r31_a_flip_of_both_boards_that_brings_the_other_to_twenty_stands_it() -> None:
    state = seated("tsl", a="F24", b="-2", flip_scope="both")
    state = after(state, "A 1 end | B 9 end | A 1 end | B 9 -2 end | A 1 F24")
    assert (totals(state), state.sides[1].stood) == ((3, 20), True)
    assert after(state, "A end").turn == 0


def test_r32_a_flip_may_turn_only_plus_to_minus() -> None:
    text = "A 10 -4 end | B 5 end | A 2 F24"
    assert board(after(seated("tsl", a="-4 F24"), text), 0) == [10, 4, -2, 0]
    assert board(after(seated("tsl", a="-4 F24", flip_signs="positive_only"), text), 0) == [10, -4, -2, 0]


def test_r33_a_careful_flip_spares_declared_and_special_cards() -> None:
    text = "A 2 +4 D end | B 1 end | A 1 *4=-4 V12=+2 end | B 1 end | A 4 -2 F24"
    hand = "+4 -2 D *4 V12 F24"
    every = after(seated("tsl", a=hand, hand_cards_per_turn=2), text)
    assert board(every, 0) == [-2, -4, -4, 1, 4, -2, -4, 2, 0]
    careful = after(seated("tsl", a=hand, hand_cards_per_turn=2, flip_targets="main_and_fixed"), text)
    assert board(careful, 0) == [-2, -4, 4, 1, -4, 2, -4, 2, 0]


# ------------------------------------------------------------------------------------------------ hands not known


def test_r39_a_hand_may_be_unknown_and_its_plays_are_checked_by_the_side_deck() -> None:
    state = after(opened("tsl"), "open A (?) (?) | A 10")
    assert (state.sides[0].unknown, state.sides[0].hand) == (4, ())
    assert {move.token for move in legal_moves(state) if isinstance(move, Play)} == set(DECK)
    assert refused(state, "A +3") == "card_not_in_side_deck"
    played = after(state, "A +1 end | B 5 end | A 1")
    assert (played.sides[0].unknown, played.sides[0].spent) == (3, ("+1",))
    assert refused(played, "A +1") == "card_not_in_side_deck"


def test_r39_without_a_side_deck_the_kinds_and_the_number_are_checked() -> None:
    start = new_match(with_overrides(get_ruleset("kotor"), {"hand_cards_per_turn": 4, "auto_stand_at_20": False}))
    assert isinstance(start, State)
    state = after(start, "open A (?) (?) | A 10")
    assert refused(state, "A D") == "card_not_allowed"
    spent = after(state, "A +1 +1 +1 +1 end | B 5 end | A 1")
    assert refused(spent, "A +1") == "card_not_in_hand"
    assert legal_moves(spent) == (End(0), Stand(0))
