"""Random rulesets, side decks and matches for the laws."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random

from hypothesis import strategies as st

from matches.engine import (
    CARDS,
    RULESETS,
    Hand,
    Move,
    OpenSet,
    Phase,
    Refusal,
    Ruleset,
    State,
    Timeout,
    apply,
    hands_due,
    is_admitted,
    legal_moves,
    new_match,
    with_overrides,
)
from matches.engine.rulesets.base import (
    BustTiming,
    FirstPlayerFirst,
    FirstPlayerNext,
    FlipScope,
    FlipSigns,
    FlipTargets,
    HandDeal,
    MainDeck,
    NinthCard,
    Reshuffle,
    TiebreakerRule,
)

_CHOICES = {
    "main_deck": MainDeck,
    "main_deck_reshuffle": Reshuffle,
    "hand_deal": HandDeal,
    "ninth_card": NinthCard,
    "bust_timing": BustTiming,
    "tiebreaker_rule": TiebreakerRule,
    "flip_scope": FlipScope,
    "flip_signs": FlipSigns,
    "flip_targets": FlipTargets,
    "first_player_first": FirstPlayerFirst,
    "first_player_next": FirstPlayerNext,
}


@st.composite
def any_ruleset(draw: st.DrawFn) -> Ruleset:
    """A preset with any combination of the options that change how a match is played."""
    overrides: dict[str, object] = {
        name: draw(st.sampled_from([member.value for member in kinds])) for name, kinds in _CHOICES.items()
    }
    overrides |= {
        "sets_to_win": draw(st.integers(1, 3)),
        "hand_cards_per_turn": draw(st.integers(1, 4)),
        "auto_stand_at_20": draw(st.booleans()),
        "set_ends_on_bust": draw(st.booleans()),
        "max_consecutive_ties": draw(st.sampled_from([None, 1, 2])),
        "draw_source": "engine_rng",
    }
    return with_overrides(draw(st.sampled_from(RULESETS)), overrides)


def any_side_deck(ruleset: Ruleset, rng: Random) -> Hand:
    """Ten cards the ruleset admits, special ones more often than chance would have them."""
    special = [card.token for card in CARDS if card.token in ruleset.special_cards] * 3
    plain = [card.token for card in CARDS if is_admitted(ruleset, card.token)]
    return tuple(rng.choices(special + plain, k=ruleset.side_deck_size))


def any_opening(state: State, rng: Random, *, unknown: bool = False) -> OpenSet:
    """The next opening with its opener as it falls, and hands from the side decks where they are due."""
    hands: tuple[Hand | None, Hand | None] | None = None
    if hands_due(state):
        size = state.terms.ruleset.hand_size
        a, b = (None if deck is None or unknown else tuple(rng.sample(deck, size)) for deck in state.terms.side_decks)
        hands = a, b
    return OpenSet(rng.randrange(2), hands)


def walk(
    ruleset: Ruleset,
    rng: Random,
    *,
    unknown: bool = False,
    clocks: bool = False,
    choose: Callable[[State], Move] | None = None,
) -> Iterator[tuple[State, Move, State]]:
    """Play a random match to its end: each move with the state before and after it.

    With `clocks` whoever is to act runs out of time now and then.
    """
    decks = (any_side_deck(ruleset, rng), any_side_deck(ruleset, rng))
    state = new_match(ruleset, decks)
    assert not isinstance(state, Refusal), state
    while state.phase is not Phase.OVER:
        moves = legal_moves(state)
        move = rng.choice(moves) if choose is None else choose(state)
        if isinstance(moves[-1], OpenSet):
            move = any_opening(state, rng, unknown=unknown)
        elif clocks and state.turn is not None and rng.random() < 0.03:
            move = Timeout(state.turn)
        after = apply(state, move)
        assert isinstance(after, State), (move, after)
        yield state, move, after
        state = after
