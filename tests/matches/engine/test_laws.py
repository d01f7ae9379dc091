"""Laws that every match keeps, under every preset and under any combination of options."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from matches.engine import (
    CARDS,
    RULESETS,
    Draw,
    End,
    IllegalMove,
    Move,
    OpenSet,
    Phase,
    Play,
    Record,
    Ruleset,
    Ruling,
    Stand,
    State,
    Timeout,
    apply,
    format_record,
    hands_due,
    legal_moves,
    parse_record,
    replay,
)
from matches.engine import main_deck as deck
from tests.matches.engine.strategies import any_ruleset, walk

PRESETS = pytest.mark.parametrize("ruleset", RULESETS, ids=lambda ruleset: ruleset.key)
SEEDS = st.integers(0, 2**32)


def acts_of(seat: int) -> list[Move]:
    """Whatever a seat could try, sensible or not."""
    moves: list[Move] = [End(seat), Stand(seat)]
    moves += [Draw(seat, value) for value in range(12)]
    moves += [Play(seat, card.token, value) for card in CARDS for value in (None, *range(-7, 8))]
    return moves


EVERY_MOVE = [*acts_of(0), *acts_of(1)]


def check(ruleset: Ruleset, seed: int) -> None:
    """Play one match and look at every state of it."""
    rng = Random(seed)
    moves: list[Move] = []
    states: list[State] = []
    for before, move, after in walk(ruleset, rng, unknown=seed % 3 == 0, clocks=seed % 2 == 0):
        moves.append(move)
        states.append(after)
        check_step(before, move, after)
        check_state(after)
        check_moves(after, rng)
    last = states[-1]
    assert last.phase is Phase.OVER
    record = Record(ruleset, tuple(moves), last.terms.side_decks)
    assert replay(record) == last
    assert parse_record(format_record(record)) == record
    upto = rng.randrange(len(moves))
    assert replay(record, upto + 1) == states[upto]


def check_step(before: State, move: Move, after: State) -> None:
    """Only the side whose turn it was has acted, and no card came or went."""
    if isinstance(move, Draw | Play | End | Stand | Timeout):
        assert (before.turn, before.sides[move.seat].stood) == (move.seat, False)
    if isinstance(move, Play):
        assert sum(len(side.spent) for side in after.sides) == sum(len(side.spent) for side in before.sides) + 1
    if isinstance(move, OpenSet | Ruling):
        return
    for was, now in zip(before.sides, after.sides, strict=True):
        assert (
            Counter(was.hand) + Counter(was.spent) == Counter(now.hand) + Counter(now.spent)
            or now.unknown < was.unknown
        )
        assert len(was.hand) + was.unknown + len(was.spent) == len(now.hand) + now.unknown + len(now.spent) == 4
        assert [placed.token for placed in was.board] == [placed.token for placed in now.board[: len(was.board)]]


def check_state(state: State) -> None:
    """Totals add up, boards fit, decks are whole, sets are what was won."""
    ruleset = state.terms.ruleset
    for side, known in zip(state.sides, state.terms.side_decks, strict=True):
        assert side.total == sum(placed.value for placed in side.board)
        assert len(side.board) <= ruleset.board_size
        assert known is not None
        assert not Counter((*side.hand, *side.spent)) - Counter(known)
    for main in state.main:
        assert deck.size(main) == sum(deck.counts(main))
        assert all(0 <= left <= 4 for left in deck.counts(main))
    if ruleset.main_deck_reshuffle == "per_set" and state.main:
        on_table = sum(placed.token.isdigit() for side in state.sides for placed in side.board)
        assert 40 * len(state.main) - sum(deck.size(main) for main in state.main) == on_table
    won = Counter(result.winner for result in state.results)
    assert state.sets == (won[0], won[1])
    assert max(state.sets) <= ruleset.sets_to_win


def check_moves(state: State, rng: Random) -> None:
    """What is listed is accepted and what is not is refused; a refused move changes nothing."""
    listed = set(legal_moves(state))
    unchanged = tuple(state)
    for move in rng.sample(EVERY_MOVE, 40) + sorted(listed, key=repr):
        assert isinstance(apply(state, move), State) is (move in listed), move
    for seat in (0, 1):
        assert isinstance(apply(state, Timeout(seat)), State) is (state.turn == seat)
    assert tuple(state) == unchanged
    if state.phase is Phase.BETWEEN and not any(isinstance(move, Ruling) for move in listed):
        hands = (None, None) if hands_due(state) else None
        assert {OpenSet(0, hands), OpenSet(1, hands)} <= listed
        assert isinstance(apply(state, OpenSet(0, None if hands else (None, None))), IllegalMove)


@PRESETS
@settings(max_examples=6, deadline=None)
@given(seed=SEEDS)
def test_a_match_by_a_preset_keeps_every_law(ruleset: Ruleset, seed: int) -> None:
    check(ruleset, seed)


@settings(max_examples=60, deadline=None)
@given(ruleset=any_ruleset(), seed=SEEDS)
def test_a_match_by_any_combination_of_options_keeps_every_law(ruleset: Ruleset, seed: int) -> None:
    check(ruleset, seed)


@pytest.mark.long
@settings(max_examples=2_000, deadline=None)
@given(ruleset=any_ruleset(), seed=SEEDS)
def test_many_matches_by_any_combination_of_options_keep_every_law(ruleset: Ruleset, seed: int) -> None:
    check(ruleset, seed)


def test_the_packed_deck_counts_like_a_heap_of_cards() -> None:
    left = Counter(dict.fromkeys(deck.VALUES, 4))
    packed = deck.FULL
    rng = Random(1)
    while left:
        value = rng.choice(sorted(left))
        left[value] -= 1
        left += Counter()
        packed -= deck.ONE[value]
        assert deck.counts(packed) == tuple(left[each] for each in deck.VALUES)
        assert deck.size(packed) == left.total()
        assert [deck.has(packed, each) for each in deck.VALUES] == [left[each] > 0 for each in deck.VALUES]
    assert packed == 0
