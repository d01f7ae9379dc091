"""The rules: a move applied to a state gives the next state, or says why not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from matches.engine import main_deck
from matches.engine.aftermath import after_card, after_turn, end_set, with_stood
from matches.engine.cards import CARD, HAND_ORDER, Card, in_order
from matches.engine.moves import (
    DRAWS,
    ENDS,
    PLAYS,
    STANDS,
    Draw,
    End,
    Forfeit,
    IllegalMove,
    MalformedMove,
    Move,
    OpenSet,
    Play,
    Ruling,
    Stand,
    Timeout,
)
from matches.engine.refusal import Refusal
from matches.engine.rulesets.base import (
    FirstPlayerFirst,
    FirstPlayerNext,
    FlipScope,
    FlipSigns,
    FlipTargets,
    HandDeal,
    MainDeck,
    Reshuffle,
    Ruleset,
)
from matches.engine.score import GOAL, Reason, Score, SetScore
from matches.engine.side_deck import check_side_deck, is_admitted
from matches.engine.state import A, B, Ending, Hand, Outcome, Placed, Side, State, Terms

_MAIN_PLACED: Final = {value: Placed(str(value), value) for value in main_deck.VALUES}
_FRESH: Final = {MainDeck.FINITE40_SHARED: (main_deck.FULL,), MainDeck.FINITE40_EACH: (main_deck.FULL,) * 2}
_SIDES: Final = (Side(), Side())


# ------------------------------------------------------------------------------------------------ the beginning


def new_match(
    ruleset: Ruleset,
    side_decks: tuple[Hand | None, Hand | None] = (None, None),
    *,
    free_hands: bool = False,
) -> State | Refusal:
    """A match before its first set, with the side decks of A and B as tokens (None: not known).

    With `free_hands` whatever hand is dealt is taken as it is given, in number and kind: for exercises and trials.
    Refused as `check_side_deck` refuses, with the seat of the deck as `seat`.
    """
    decks: list[Hand | None] = []
    for seat, deck in enumerate(side_decks):
        refusal = None if deck is None else check_side_deck(ruleset, deck)
        if refusal is not None:
            return Refusal.of(refusal.code, seat=seat, **dict(refusal.params))
        decks.append(None if deck is None else in_order(deck))
    return State(Terms(ruleset, (decks[A], decks[B]), free_hands), _SIDES, _fresh_main(ruleset))


def set_up(
    ruleset: Ruleset,
    *,
    hands: tuple[Hand | None, Hand | None] = ((), ()),
    opener: int | None = None,
    sets: tuple[int, int] = (0, 0),
) -> State | Refusal:
    """A match from an agreed position: a set opens at the given score, with hands taken as they are given.

    Refused with `unknown_card`, `bad_opener`, or `opener_by_lot` when the opener is left out and the rules need a lot.
    """
    before = State(Terms(ruleset, (None, None), free_hands=True), _SIDES, _fresh_main(ruleset), sets=sets)
    return apply(before, OpenSet(opener, hands))


def _fresh_main(ruleset: Ruleset) -> tuple[int, ...]:
    return _FRESH.get(ruleset.main_deck, ())


# ------------------------------------------------------------------------------------------------ questions


def legal_moves(state: State) -> tuple[Move, ...]:
    """Every move that carries the match on from here; whatever of its kind is not listed is refused by `apply`.

    While a set is open: the draws that can come, or what the side to act may do. Between sets: the openings; where
    new hands are due they are listed as unknown, for which cards are dealt is not the engine's to list. A ruling that
    is due is listed. Never listed: forfeits, possible until the match is over, and the clock of the side to act.
    """
    seat = state.turn
    if seat is None:
        return _moves_between(state)
    if not state.drawn:
        return _possible_draws(state, seat)
    moves: tuple[Move, ...] = (ENDS[seat], STANDS[seat])
    if state.plays < state.terms.ruleset.hand_cards_per_turn:
        side, ways = state.sides[seat], PLAYS[seat]
        for token in dict.fromkeys(side.hand):
            moves += ways[token]
        if side.unknown:
            for token in HAND_ORDER:
                if _refusal_of_unseen(state, seat, token) is None:
                    moves += ways[token]
    return moves


def outcome(state: State) -> Outcome | None:
    """Who won the match and how it ended; None while it goes on."""
    return state.outcome


def score_of(state: State) -> Score:
    """The sets finished so far as a score, set by set, for `check_score`; and who won where the sets decided it.

    Of a match that began at nothing: sets given by an agreed position are not told one by one.
    """
    over = state.outcome
    return Score(
        won=state.sets,
        by_set=tuple(SetScore(totals, reason, winner) for winner, reason, totals in state.results),
        winner=over.winner if over is not None and over.ending is Ending.SETS else None,
    )


def next_opener(state: State) -> int | None:
    """Who opens the next set by the rules; None while a set is open, when the match is over, or when it is by lot."""
    if state.turn is not None or state.outcome is not None:
        return None
    ruleset, last = state.terms.ruleset, state.opener
    if last is None:
        return A if ruleset.first_player_first is FirstPlayerFirst.PLAYER_A else None
    rule = ruleset.first_player_next
    if rule is FirstPlayerNext.RANDOM:
        return None
    if rule is FirstPlayerNext.ALTERNATE:
        return 1 - last
    winner = state.results[-1].winner
    if rule is FirstPlayerNext.SAME or winner is None:
        return last
    return winner if rule is FirstPlayerNext.WINNER else 1 - winner


def hands_due(state: State) -> bool:
    """Whether the next opening must bring new hands."""
    return state.opener is None or state.terms.ruleset.hand_deal is HandDeal.PER_SET


def ruling_due(state: State) -> bool:
    """Whether so many sets in a row were tied that no set can open before a referee's ruling."""
    limit = state.terms.ruleset.max_consecutive_ties
    return limit is not None and state.ties >= limit and not state.ruled and state.outcome is None


def _moves_between(state: State) -> tuple[Move, ...]:
    if state.outcome is not None:
        return ()
    if ruling_due(state):
        return (Ruling(), Ruling(A), Ruling(B))
    hands = (None, None) if hands_due(state) else None
    by_rule = () if next_opener(state) is None else (OpenSet(None, hands),)
    return (*by_rule, OpenSet(A, hands), OpenSet(B, hands))


def _possible_draws(state: State, seat: int) -> tuple[Move, ...]:
    main = state.main
    if not main:
        return DRAWS[seat]
    deck = main[seat if len(main) == 2 else 0]
    if not deck or deck == main_deck.FULL:
        return DRAWS[seat]
    return tuple(draw for draw in DRAWS[seat] if main_deck.has(deck, draw.value))


# ------------------------------------------------------------------------------------------------ moves


def apply(state: State, move: Move) -> State | IllegalMove | MalformedMove:
    """The state after `move`; or why it is no move (`MalformedMove`) or not allowed here (`IllegalMove`).

    The given state never changes. Codes of malformed moves: `unknown_move`, `bad_seat`, `bad_draw`, `unknown_card`,
    `bad_opener`, `bad_winner`. Codes of illegal moves: `must_draw_first`, `already_drawn`, `not_your_turn`,
    `already_stood`, `hand_card_limit`, `card_not_in_hand`, `card_not_in_side_deck`, `card_not_allowed`, `bad_value`,
    `card_not_in_deck`, `set_over`, `set_open`, `match_over`, `ruling_due`, `ruling_not_due`, `opener_by_lot`,
    `hands_due`, `hands_not_due`, `bad_hand_size`.
    """
    act = _ACTS.get(type(move))
    return MalformedMove.of("unknown_move") if act is None else act(state, move)


def _draw(state: State, move: Draw) -> State | IllegalMove | MalformedMove:
    seat, placed = move.seat, _MAIN_PLACED.get(move.value)
    if placed is None:
        return MalformedMove.of("bad_draw")
    if seat != state.turn or state.drawn:
        return _refuse_act(state, seat) or IllegalMove("already_drawn")
    main = state.main
    if main:
        at = seat if len(main) == 2 else 0
        deck = main[at] or main_deck.FULL
        if not main_deck.has(deck, placed.value):
            return IllegalMove("card_not_in_deck")
        deck -= main_deck.ONE[placed.value]
        main = (deck,) if len(main) == 1 else (deck, main[1]) if at == 0 else (main[0], deck)
    board, total, stood, hand, unknown, spent, draws = state.sides[seat]
    side = Side((*board, placed), total + placed.value, stood, hand, unknown, spent, draws + 1)
    sides = (side, state.sides[1]) if seat == 0 else (state.sides[0], side)
    return after_card(state, sides, main, seat, 0)


def _play(state: State, move: Play) -> State | IllegalMove | MalformedMove:
    seat, token, value = move.seat, move.token, move.value
    if token not in HAND_ORDER:
        return MalformedMove.of("unknown_card")
    refusal = _refuse_act(state, seat) or (None if state.drawn else IllegalMove("must_draw_first"))
    if refusal is not None:
        return refusal
    ruleset, side, card = state.terms.ruleset, state.sides[seat], CARD[token]
    if state.plays >= ruleset.hand_cards_per_turn:
        return IllegalMove("hand_card_limit")
    seen = token in side.hand
    if not seen:
        refusal = _refusal_of_unseen(state, seat, token)
        if refusal is not None:
            return refusal
    if value not in (card.values or (None,)):
        return IllegalMove("bad_value")
    hand, unknown = side.hand, side.unknown
    if seen:
        at = hand.index(token)
        hand = hand[:at] + hand[at + 1 :]
    else:
        unknown -= 1
    worth = side.board[-1].value if card.copies_last else value or 0
    board, theirs = side.board, state.sides[1 - seat]
    if card.flips:
        board = turned_by(ruleset, card, board)
        if ruleset.flip_scope is FlipScope.BOTH:
            turned = turned_by(ruleset, card, theirs.board)
            raised = sum(placed.value for placed in turned)
            stands = theirs.stood or (raised == GOAL and ruleset.auto_stand_at_20)
            theirs = theirs._replace(board=turned, total=raised, stood=stands)
    board = (*board, Placed(token, worth))
    total = sum(placed.value for placed in board)
    mine = Side(board, total, side.stood, hand, unknown, (*side.spent, token), side.draws)
    sides = (mine, theirs) if seat == 0 else (theirs, mine)
    return after_card(state, sides, state.main, seat, state.plays + 1)


def _end(state: State, move: End) -> State | IllegalMove | MalformedMove:
    refusal = _refuse_act(state, move.seat)
    if refusal is not None:
        return refusal
    if not state.drawn:
        return IllegalMove("must_draw_first")
    return after_turn(state, state.sides, state.main, move.seat)


def _stand(state: State, move: Stand) -> State | IllegalMove | MalformedMove:
    seat = move.seat
    refusal = _refuse_act(state, seat)
    if refusal is not None:
        return refusal
    if not state.drawn:
        return IllegalMove("must_draw_first")
    return after_turn(state, with_stood(state.sides, seat), state.main, seat)


def _open_set(state: State, move: OpenSet) -> State | IllegalMove | MalformedMove:
    if move.opener not in (A, B, None):
        return MalformedMove.of("bad_opener")
    if state.outcome is not None:
        return IllegalMove("match_over")
    if state.turn is not None:
        return IllegalMove("set_open")
    if ruling_due(state):
        return IllegalMove("ruling_due")
    opener = next_opener(state) if move.opener is None else move.opener
    if opener is None:
        return IllegalMove("opener_by_lot")
    if hands_due(state) is (move.hands is None):
        return IllegalMove("hands_due" if move.hands is None else "hands_not_due")
    sides: list[Side] = []
    for seat, side in enumerate(state.sides):
        if move.hands is None:
            sides.append(Side(hand=side.hand, unknown=side.unknown, spent=side.spent, draws=side.draws))
            continue
        hand = move.hands[seat]
        refusal = None if hand is None else _refusal_of_hand(state.terms, seat, hand)
        if refusal is not None:
            return refusal
        unknown = state.terms.ruleset.hand_size if hand is None else 0
        sides.append(Side(hand=in_order(hand or ()), unknown=unknown, draws=side.draws))
    ruleset, main = state.terms.ruleset, state.main
    if ruleset.main_deck_reshuffle is Reshuffle.PER_SET:
        main = _fresh_main(ruleset)
    return State(
        state.terms,
        (sides[A], sides[B]),
        main,
        turn=opener,
        opener=opener,
        sets=state.sets,
        ties=state.ties,
        results=state.results,
    )


def _forfeit(state: State, move: Forfeit) -> State | IllegalMove | MalformedMove:
    if move.seat not in (A, B):
        return MalformedMove.of("bad_seat")
    if state.outcome is not None:
        return IllegalMove("match_over")
    return state._replace(turn=None, outcome=Outcome(1 - move.seat, Ending.FORFEIT))


def _time_out(state: State, move: Timeout) -> State | IllegalMove | MalformedMove:
    """The set is lost whether the side has drawn or not: it is to act, by asking for its card or by using it."""
    refusal = _refuse_act(state, move.seat)
    if refusal is not None:
        return refusal
    return end_set(state, state.sides, state.main, 1 - move.seat, Reason.TIMEOUT)


def _rule(state: State, move: Ruling) -> State | IllegalMove | MalformedMove:
    if move.winner not in (A, B, None):
        return MalformedMove.of("bad_winner")
    if not ruling_due(state):
        return IllegalMove("match_over" if state.outcome is not None else "ruling_not_due")
    if move.winner is None:
        return state._replace(ruled=True)
    return state._replace(outcome=Outcome(move.winner, Ending.RULING))


_ACTS: Final[dict[type[Move], Callable[[State, Any], State | IllegalMove | MalformedMove]]] = {
    Draw: _draw,
    Play: _play,
    End: _end,
    Stand: _stand,
    OpenSet: _open_set,
    Forfeit: _forfeit,
    Timeout: _time_out,
    Ruling: _rule,
}


# ------------------------------------------------------------------------------------------------ refusals


def _refuse_act(state: State, seat: int) -> IllegalMove | MalformedMove | None:
    """Why this seat may not act now; None when it is its turn."""
    if seat == state.turn:
        return None
    if seat not in (A, B):
        return MalformedMove.of("bad_seat")
    if state.outcome is not None:
        return IllegalMove("match_over")
    if state.turn is None:
        return IllegalMove("set_over")
    return IllegalMove("already_stood" if state.sides[seat].stood else "not_your_turn")


def _refusal_of_unseen(state: State, seat: int, token: str) -> IllegalMove | None:
    """Why a card that is not seen in the hand cannot be played; None when it may be among the unknown ones."""
    side, deck = state.sides[seat], state.terms.side_decks[seat]
    if not side.unknown:
        return IllegalMove("card_not_in_hand")
    if not is_admitted(state.terms.ruleset, token):
        return IllegalMove("card_not_allowed")
    if deck is not None and side.spent.count(token) >= deck.count(token):
        return IllegalMove("card_not_in_side_deck")
    return None


def _refusal_of_hand(terms: Terms, seat: int, hand: Hand) -> IllegalMove | MalformedMove | None:
    """Why these cards cannot be the hand dealt to this seat."""
    if any(token not in HAND_ORDER for token in hand):
        return MalformedMove.of("unknown_card")
    if terms.free_hands:
        return None
    if len(hand) != terms.ruleset.hand_size:
        return IllegalMove("bad_hand_size")
    deck = terms.side_decks[seat]
    for token in hand:
        if not is_admitted(terms.ruleset, token):
            return IllegalMove("card_not_allowed")
        if deck is not None and hand.count(token) > deck.count(token):
            return IllegalMove("card_not_in_side_deck")
    return None


def turned_by(ruleset: Ruleset, card: Card, board: tuple[Placed, ...]) -> tuple[Placed, ...]:
    """The cards of a side after a flip card has turned those of its values that lie there."""
    every_card = ruleset.flip_targets is FlipTargets.ANY_CARD
    both_ways = ruleset.flip_signs is FlipSigns.BOTH_WAYS
    return tuple(
        Placed(placed.token, -placed.value)
        if abs(placed.value) in card.flips
        and (every_card or CARD[placed.token].is_fixed)
        and (both_ways or placed.value > 0)
        else placed
        for placed in board
    )
