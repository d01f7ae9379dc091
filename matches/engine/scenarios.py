"""Small games with their right outcome, written as data: played through the engine and compared.

The schema is `pazaak-scenarios/1`; the "about" part of `tests/cases/pazaak.json` explains every key.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from matches.engine import main_deck
from matches.engine.moves import Draw, End, Forfeit, Move, OpenSet, Stand, declared
from matches.engine.play import apply, next_opener, set_up
from matches.engine.refusal import Refusal
from matches.engine.rulesets import Ruleset, RulesetError, get_ruleset, with_overrides
from matches.engine.side_deck import check_side_deck
from matches.engine.stakes import settle
from matches.engine.state import LETTERS, Hand, State

SCHEMA: Final = "pazaak-scenarios/1"
_NOT_COMPARED: Final = frozenset({"illegal_code"})

Scenario = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Difference:
    """One thing that did not come out as the scenario says: the key, what it asks for, what was found.

    `matters` is False for what is only told and fails nothing. A key `moves/3` is the fourth entry of the moves.
    """

    key: str
    expected: object
    found: object
    matters: bool = True


def check_scenario(scenario: Scenario) -> tuple[Difference, ...]:
    """Everything in which the engine differs from what the scenario expects; empty when all is as it says.

    Raises `KeyError` for a scenario without a part that its kind needs, or of an unknown kind or ruleset.
    """
    expected: Mapping[str, Any] = scenario["expect"]
    ruleset = get_ruleset(scenario["ruleset"])
    try:
        ruleset = with_overrides(ruleset, scenario.get("overrides") or {})
    except RulesetError as error:
        return (Difference("overrides", None, error.refusals[0].code),)
    differences, found = _KINDS[scenario["kind"]](ruleset, scenario)
    return (*differences, *compare(expected, found))


@dataclass(frozen=True, slots=True)
class Tried:
    """A position that was played on: the table afterwards in the words of the schema, and what was refused.

    `refused` has the place of an entry among the moves, counted from 0, and the code.
    """

    table: Mapping[str, object]
    refused: tuple[tuple[int, str], ...]


def try_position(ruleset: Ruleset, *, setup: Mapping[str, Any], moves: Sequence[Mapping[str, Any]]) -> Tried | Refusal:
    """Set a position up and make the moves, both as the schema has them; refused as `set_up` refuses.

    An entry that is refused changes nothing, and the next one is tried all the same.
    """
    sets = setup.get("sets_won") or {}
    state = set_up(
        ruleset,
        hands=_hands(setup.get("hands") or {}),
        opener=_seat(setup.get("first")),
        sets=(sets.get("A", 0), sets.get("B", 0)),
    )
    if isinstance(state, Refusal):
        return state
    refused: list[tuple[int, str]] = []
    for number, entry in enumerate(moves):
        after = _whole_entry(state, entry)
        if isinstance(after, Refusal):
            refused.append((number, after.code))
        else:
            state = after
    return Tried({**_seen(state), "illegal_code": refused[-1][1] if refused else None}, tuple(refused))


def _side_deck(ruleset: Ruleset, scenario: Scenario) -> tuple[list[Difference], Mapping[str, object]]:
    refusal = check_side_deck(ruleset, scenario["cards"])
    return [], {"error": None if refusal is None else refusal.code}


def _settlement(ruleset: Ruleset, scenario: Scenario) -> tuple[list[Difference], Mapping[str, object]]:
    given = scenario["input"]
    wagers, decks, winner = given.get("wagers") or {}, given.get("side_decks") or {}, given.get("winner")
    settled = settle(
        ruleset,
        wagers=(wagers.get("A") or 0, wagers.get("B") or 0),
        winner=None if winner is None else LETTERS.index(winner),
        side_decks=(decks.get("A") or (), decks.get("B") or ()),
    )
    if isinstance(settled, Refusal):
        return [], {"error": settled.code}
    return [], {
        "error": None,
        "card_cost": _by_letter(settled.card_cost),
        "payout": _by_letter(settled.payout),
        "dealer_cut": settled.dealer_cut,
    }


def _play(ruleset: Ruleset, scenario: Scenario) -> tuple[list[Difference], Mapping[str, object]]:
    tried = try_position(ruleset, setup=scenario.get("setup") or {}, moves=scenario["moves"])
    if isinstance(tried, Refusal):
        return [Difference("setup", None, tried.code)], {}
    codes = dict(tried.refused)
    differences = [
        Difference(f"moves/{number}", "refused" if entry.get("illegal") else None, codes.get(number))
        for number, entry in enumerate(scenario["moves"])
        if (number in codes) is not bool(entry.get("illegal"))
    ]
    return differences, tried.table


def _whole_entry(state: State, entry: Mapping[str, Any]) -> State | Refusal:
    """The state after every move of an entry; or the first refusal, for an entry is all or nothing."""
    for move in _moves(entry):
        after = apply(state, move)
        if isinstance(after, Refusal):
            return after
        state = after
    return state


def _moves(entry: Mapping[str, Any]) -> list[Move]:
    if "next_set" in entry:
        hands = entry.get("hands")
        due = None if hands is None else _hands(hands)
        return [OpenSet(_seat(entry["next_set"]), due)]
    if "forfeit" in entry:
        return [Forfeit(LETTERS.index(entry["forfeit"]))]
    seat = LETTERS.index(entry["p"])
    moves: list[Move] = []
    if "draw" in entry:
        moves.append(Draw(seat, entry["draw"]))
    if "play" in entry:
        moves.append(declared(seat, entry["play"], entry.get("as")))
    if "do" in entry:
        moves.append(End(seat) if entry["do"] == "end" else Stand(seat))
    return moves


def _seen(state: State) -> dict[str, object]:
    """The state in the words of the schema."""
    over = state.turn is None and bool(state.results)
    last = state.results[-1] if over else None
    opener = next_opener(state)
    return {
        "set_winner": None if last is None else "tie" if last.winner is None else LETTERS[last.winner],
        "reason": None if last is None else last.reason.value,
        "totals": _by_letter([side.total for side in state.sides]),
        "boards": _by_letter([[placed.value for placed in side.board] for side in state.sides]),
        "stood": _by_letter([side.stood for side in state.sides]),
        "sets_won": _by_letter(state.sets),
        "match_winner": None if state.outcome is None else LETTERS[state.outcome.winner],
        "hands": _by_letter([list(side.hand) for side in state.sides]),
        "turn": None if state.turn is None else LETTERS[state.turn],
        "next_first": None if opener is None else LETTERS[opener],
        "main_deck_left": _deck_left(state),
    }


def _deck_left(state: State) -> object:
    left = [main_deck.size(deck) for deck in state.main]
    return _by_letter(left) if len(left) == 2 else left[0] if left else None


def compare(expected: Mapping[str, Any], found: Mapping[str, object]) -> list[Difference]:
    """The expected keys, and of maps the expected sub-keys, that came out otherwise. Hands compare as multisets."""
    differences: list[Difference] = []
    for key, value in expected.items():
        actual = found.get(key)
        if isinstance(value, Mapping) and isinstance(actual, Mapping):
            for letter, part in value.items():
                seen = actual.get(letter)
                if Counter(part) != Counter(seen) if key == "hands" else part != seen:
                    differences.append(Difference(f"{key}/{letter}", part, seen))
        elif value != actual:
            differences.append(Difference(key, value, actual, matters=key not in _NOT_COMPARED))
    return differences


def _by_letter(pair: Sequence[object]) -> dict[str, object]:
    return dict(zip(LETTERS, pair, strict=True))


def _hands(given: Mapping[str, Any]) -> tuple[Hand | None, Hand | None]:
    """The hands of A and B: none given is an empty hand, null an unknown one."""
    a, b = (given.get(letter, ()) for letter in LETTERS)
    return (None if a is None else tuple(a), None if b is None else tuple(b))


def _seat(letter: str | None) -> int | None:
    return None if letter in (None, "auto") else LETTERS.index(letter or "")


_KINDS: Final = {"play": _play, "side_deck": _side_deck, "settlement": _settlement}
