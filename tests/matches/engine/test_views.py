"""Who sees what: nothing hidden leaves a trace, and a redacted record still plays."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from matches.engine import (
    CARDS,
    End,
    Move,
    Onlooker,
    OpenSet,
    Phase,
    Play,
    Record,
    Ruleset,
    SeedDeal,
    Stand,
    State,
    apply,
    commitment,
    get_ruleset,
    is_admitted,
    legal_moves,
    new_match,
    redact,
    replay,
    reveal,
    view,
)
from tests.matches.engine.strategies import any_ruleset, walk
from tests.matches.engine.table import DECK, PLAIN_DECK, after, seated


def with_other_secrets(state: State, seat: int, rng: Random) -> State:
    """The same match, had the hand and the side deck of `seat` been others all along."""
    ruleset = state.terms.ruleset
    cards = [card.token for card in CARDS if is_admitted(ruleset, card.token)]
    side = state.sides[seat]
    hand = tuple(sorted(rng.choices(cards, k=len(side.hand))))
    sides = list(state.sides)
    sides[seat] = side._replace(hand=hand)
    decks = list(state.terms.side_decks)
    decks[seat] = tuple(rng.choices(cards, k=10))
    return state._replace(sides=(sides[0], sides[1]), terms=state.terms._replace(side_decks=(decks[0], decks[1])))


@settings(max_examples=30, deadline=None)
@given(ruleset=any_ruleset(), seed=st.integers(0, 2**32))
def test_no_view_of_one_side_changes_when_only_the_other_s_hidden_cards_do(ruleset: Ruleset, seed: int) -> None:
    rng = Random(seed)
    for _, _, state in walk(ruleset, rng, clocks=seed % 2 == 0):
        for seat in (0, 1):
            changed = with_other_secrets(state, 1 - seat, rng)
            assert view(changed, seat) == view(state, seat)
            assert view(changed, Onlooker.SPECTATOR) == view(state, Onlooker.SPECTATOR)
            assert view(changed, Onlooker.REFEREE) != view(state, Onlooker.REFEREE) or changed == state


def start() -> State:
    state = new_match(get_ruleset("tsl"), (DECK, DECK))
    assert isinstance(state, State)
    return after(state, "open A (+1 *4 D F24) (+2 -3 *6 T1) | A 5")


def test_a_player_sees_the_own_hand_and_only_counts_the_other() -> None:
    own = view(start(), 0)
    assert (own.sides[0].hand, own.sides[0].side_deck) == (("+1", "*4", "D", "F24"), DECK)
    assert (own.sides[1].hand, own.sides[1].side_deck, own.sides[1].cards) == (None, None, 4)


def test_a_spectator_sees_what_lies_on_the_table() -> None:
    seen = view(after(start(), "A +1 end | B 7"), Onlooker.SPECTATOR)
    assert [side.hand for side in seen.sides] == [None, None]
    assert [(side.total, side.cards, side.spent) for side in seen.sides] == [(6, 3, ("+1",)), (7, 4, ())]
    assert (seen.turn, seen.drawn, seen.plays, seen.sets, seen.phase) == (1, True, 0, (0, 0), Phase.OPEN)
    assert seen.moves == ()


def test_a_referee_sees_everything() -> None:
    seen = view(start(), Onlooker.REFEREE)
    assert [side.hand for side in seen.sides] == [("+1", "*4", "D", "F24"), ("+2", "-3", "*6", "T1")]
    assert [side.side_deck for side in seen.sides] == [DECK, DECK]
    assert seen.moves == legal_moves(start())


def test_only_whoever_is_to_act_is_told_the_moves() -> None:
    assert view(start(), 0).moves == legal_moves(start())
    assert view(start(), 1).moves == ()
    waiting = after(start(), "A end")
    assert view(waiting, 1).moves == ()  # the draw comes from outside
    assert len(view(waiting, Onlooker.REFEREE).moves) == 10


def test_everybody_can_count_the_main_deck() -> None:
    assert view(start(), 1).main_left == ((4, 4, 4, 4, 3, 4, 4, 4, 4, 4),)
    assert view(seated("table"), 1).main_left == ()
    each = after(seated("standard", main_deck="finite40_each"), "A 10")
    assert view(each, 1).main_left == ((4,) * 9 + (3,), (4,) * 10)


def test_a_hand_nobody_told_is_unknown_to_the_referee_too() -> None:
    state = new_match(get_ruleset("kotor"))
    assert isinstance(state, State)
    state = after(state, "open A (?) (+1 +2 +3 *1) | A 5 +1 end")
    seen = view(state, Onlooker.REFEREE)
    assert [(side.hand, side.cards) for side in seen.sides] == [(None, 3), (("+1", "+2", "+3", "*1"), 4)]


def test_who_opens_next_and_what_is_due_is_public() -> None:
    tied = after(seated("kotor", max_consecutive_ties=1), "A 9 stand | B 9 stand")
    seen = view(tied, Onlooker.SPECTATOR)
    assert (seen.next_opener, seen.ruling_due, seen.ties, len(seen.results)) == (0, True, 1, 1)


# ------------------------------------------------------------------------------------------------ redacted records


def record_of(ruleset: Ruleset, seed: int) -> Record:
    moves: list[Move] = []
    state = None
    for _, move, after_move in walk(ruleset, Random(seed), clocks=seed % 2 == 0):
        moves.append(move)
        state = after_move
    assert state is not None
    return Record(ruleset, tuple(moves), state.terms.side_decks)


@settings(max_examples=20, deadline=None)
@given(ruleset=any_ruleset(), seed=st.integers(0, 2**32))
def test_a_redacted_record_replays_to_the_same_table(ruleset: Ruleset, seed: int) -> None:
    record = record_of(ruleset, seed)
    whole = replay(record)
    assert isinstance(whole, State)
    for viewer in (0, 1, Onlooker.SPECTATOR):
        shown = redact(record, viewer)
        state = replay(shown)
        assert isinstance(state, State)
        assert view(state, Onlooker.SPECTATOR) == view(whole, Onlooker.SPECTATOR)
        if isinstance(viewer, int):
            assert view(state, viewer) == view(whole, viewer)
    assert redact(record, Onlooker.REFEREE) == record


def test_a_redacted_record_says_nothing_of_hands_decks_and_seed() -> None:
    seed = bytes(32)
    deal = reveal(SeedDeal(commitment(seed), ("a", "b")), seed)
    hands = (PLAIN_DECK[:4], PLAIN_DECK[4:8])
    record = Record(get_ruleset("kotor"), (OpenSet(0, hands), End(0), OpenSet(1)), (PLAIN_DECK, PLAIN_DECK), deal)
    assert redact(record, 0) == replace(
        record,
        side_decks=(PLAIN_DECK, None),
        deal=SeedDeal(deal.commitment, ("a", "b")),
        moves=(OpenSet(0, (PLAIN_DECK[:4], None)), End(0), OpenSet(1)),
    )
    spectator = redact(record, Onlooker.SPECTATOR)
    assert (spectator.side_decks, spectator.moves[0]) == ((None, None), OpenSet(0, (None, None)))
    assert redact(replace(record, deal=None), 1).deal is None


@pytest.mark.parametrize("seat", [0, 1])
def test_what_is_told_to_a_seat_can_be_done_by_it(seat: int) -> None:
    state = start() if seat == 0 else after(start(), "A end | B 5")
    moves = view(state, seat).moves
    assert all(isinstance(apply(state, move), State) for move in moves)
    assert {type(move) for move in moves} == {End, Stand, Play}
