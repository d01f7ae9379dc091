"""How fast the pazaak engine plays: matches against a bare loop, one move, one decision, and what a state weighs."""

from __future__ import annotations

import sys
from collections.abc import Callable
from math import sqrt
from random import Random
from statistics import median, quantiles
from time import perf_counter_ns, process_time

from bench import pazaak_floor
from matches.engine import Phase, Refusal, Ruleset, State, apply, get_ruleset, legal_moves, new_match, set_up, view
from matches.engine.bots.chances import Chances
from matches.engine.bots.look_ahead import LookAhead
from matches.engine.bots.original import DECKS
from matches.engine.moves import DRAWS, ENDS, STANDS, Draw, Move, OpenSet
from matches.engine.simulate import ByLot

MATCHES = 6_000
FLOOR_MATCHES = 60_000
ROUNDS = 3
"""Each speed is the best of so many rounds: what else the machine does only ever slows a round down."""
DECK = DECKS["0"]
SPECIAL_DECK = ("+1", "+2", "-3", "*4", "*6", "V12", "T1", "D", "F24", "F36")
STAND_AT = 17


def run() -> dict[str, float]:
    """Measure everything; raises `RuntimeError` when the matches played are not those of the rules."""
    engine_us, floor_us = _match_times()
    moves_us = _move_time()
    decisions_ms = _decision_times()
    return {
        "match_us.ours": engine_us,
        "match_us.theirs": floor_us,
        "matches_per_second": 1e6 / engine_us,
        "floor_per_second": 1e6 / floor_us,
        "ratio_to_floor": floor_us / engine_us,
        "legal_moves_and_apply_us": moves_us,
        "state_bytes": float(_weight(_full_state())),
        "look_ahead_p99_ms": quantiles(decisions_ms, n=100)[98],
        "look_ahead_median_ms": median(decisions_ms),
        "look_ahead_new_deck_s": _new_deck_time(),
    }


def _match_times() -> tuple[float, float]:
    """Microseconds of one match through the public interface, and of one match of the floor; rounds take turns."""
    ours: list[float] = []
    theirs: list[float] = []
    for seed in range(ROUNDS):
        random = Random(seed).random
        start = process_time()
        wins, sets, turns = _play_matches(MATCHES, random)
        ours.append((process_time() - start) / MATCHES * 1e6)
        _check_distribution(wins, sets, turns)
        start = process_time()
        for number in range(FLOOR_MATCHES):
            pazaak_floor.play(random, number & 1)
        theirs.append((process_time() - start) / FLOOR_MATCHES * 1e6)
    return min(ours), min(theirs)


def _play_matches(matches: int, random: Callable[[], float]) -> tuple[int, int, int]:
    """Ruleset kotor, no hand cards, both sides stand at 17. How many A won, sets and turns in all."""
    start, again = set_up(get_ruleset("kotor")), OpenSet()
    whole = [value for value in range(1, 11) for _ in range(4)]
    wins = sets = turns = 0
    for _ in range(matches):
        state: State | Refusal = start
        deck: list[int] = []
        while isinstance(state, State) and state.outcome is None:
            seat = state.turn
            if seat is None:
                state = apply(state, again)
            elif not state.drawn:
                if not deck:
                    deck = whole[:]
                at = int(random() * len(deck))
                deck[at], deck[-1] = deck[-1], deck[at]
                turns += 1
                state = apply(state, DRAWS[seat][deck.pop() - 1])
            elif state.sides[seat].total >= STAND_AT:
                state = apply(state, STANDS[seat])
            else:
                state = apply(state, ENDS[seat])
        if isinstance(state, Refusal) or state.outcome is None:
            raise RuntimeError(f"a legal move was refused: {state}")
        wins += state.outcome.winner == 0
        sets += len(state.results)
    return wins, sets, turns


def _check_distribution(wins: int, sets: int, turns: int) -> None:
    """4.58 sets a match, 6.72 turns a set; the side that always opens wins 45.4 % (its sets 42.7 to 47.2)."""
    share = wins / MATCHES
    if abs(share - 0.454) > 3.3 * sqrt(0.25 / MATCHES) + 0.005:
        raise RuntimeError(f"the opener won {share:.1%} of the matches")
    if abs(sets / MATCHES - 4.58) > 0.07 or abs(turns / sets - 6.72) > 0.07:
        raise RuntimeError(f"{sets / MATCHES:.2f} sets a match, {turns / sets:.2f} turns a set")


def _full_state() -> State:
    """The middle of a fourth set with gold cards: both hands whole, boards filled, a card drawn."""
    state = new_match(get_ruleset("tsl"), (SPECIAL_DECK, SPECIAL_DECK))
    moves: list[Move] = [OpenSet(0, (("*4", "V12", "T1", "F24"), ("+1", "-3", "D", "F36")))]
    for opener, first, second in ((0, 9, 10), (1, 9, 10), (0, 8, 10)):
        moves += [Draw(opener, first), STANDS[opener], Draw(1 - opener, second), STANDS[1 - opener], OpenSet()]
    moves += [Draw(1, 1), ENDS[1], Draw(0, 2), ENDS[0], Draw(1, 3), ENDS[1], Draw(0, 4), ENDS[0], Draw(1, 5), ENDS[1]]
    moves += [Draw(0, 6)]
    for move in moves:
        if isinstance(state, Refusal):
            break
        state = apply(state, move)
    if isinstance(state, Refusal) or not state.drawn:
        raise RuntimeError(f"the bench's own moves are refused: {state}")
    return state


def _move_time() -> float:
    """Median microseconds of listing the legal moves of a full state and applying one of them."""
    state = _full_state()
    moves = legal_moves(state)
    times: list[int] = []
    for number in range(20_000):
        move = moves[number % len(moves)]
        start = perf_counter_ns()
        legal_moves(state)
        apply(state, move)
        times.append(perf_counter_ns() - start)
    return median(times) / 1e3


def _weight(thing: object, seen: set[int] | None = None) -> int:
    """Bytes of everything a state holds, each object once; only the ruleset, one for all matches, is left out."""
    seen = set() if seen is None else seen
    if id(thing) in seen or isinstance(thing, Ruleset):
        return 0
    seen.add(id(thing))
    return sys.getsizeof(thing) + sum(_weight(part, seen) for part in (thing if isinstance(thing, tuple) else ()))


def _decision_times() -> list[float]:
    """Milliseconds of each decision of the policy that looks ahead, against itself, once its deck is known."""
    ruleset = get_ruleset("kotor")
    policy, lots = LookAhead(ruleset, DECK), ByLot(Random(1))
    times: list[float] = []
    while len(times) < 3_000:
        state = new_match(ruleset, (DECK, DECK))
        while isinstance(state, State) and state.phase is not Phase.OVER:
            seat = state.turn
            if seat is None:
                state = apply(state, lots.opening(state))
            elif not state.drawn:
                state = apply(state, Draw(seat, lots.value(state, seat)))
            else:
                start = perf_counter_ns()
                choice = policy.choose(view(state, seat))
                times.append((perf_counter_ns() - start) / 1e6)
                state = apply(state, choice.move)
    return times


def _new_deck_time() -> float:
    """Seconds the policy that looks ahead takes to learn a side deck it has not seen."""
    start = process_time()
    Chances(DECK, hands_last=True)
    return process_time() - start
