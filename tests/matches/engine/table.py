"""A table to tell stories at: a set written as in a record, played through the engine, and what can be asked of it."""

from __future__ import annotations

from matches.engine import (
    BadText,
    Hand,
    IllegalMove,
    MalformedMove,
    Move,
    Refusal,
    State,
    apply,
    get_ruleset,
    parse_record,
    set_up,
    with_overrides,
)

DECK: Hand = ("+1", "+2", "-3", "*4", "*6", "V12", "T1", "D", "F24", "F36")
PLAIN_DECK: Hand = ("+1", "+2", "+3", "-1", "-2", "-3", "*1", "*2", "*4", "*6")


def moves_of(text: str) -> tuple[Move, ...]:
    """The moves of a text such as "A 10 +3 stand | B 9 end", in the notation of a record; `|` begins a new line."""
    record = parse_record('[Pazaak "1"]\n[Ruleset "standard/1"]\n' + text.replace("|", "\n"))
    assert not isinstance(record, BadText), record
    return record.moves


def after(state: State, text: str) -> State:
    """The state after these moves, all of which must be allowed."""
    for move in moves_of(text):
        moved = apply(state, move)
        assert isinstance(moved, State), (move, moved)
        state = moved
    return state


def refused(state: State, text: str) -> str:
    """The code the last of these moves is refused with; those before it must be allowed."""
    *before, last = moves_of(text)
    for move in before:
        moved = apply(state, move)
        assert isinstance(moved, State), (move, moved)
        state = moved
    refusal = apply(state, last)
    assert isinstance(refusal, IllegalMove | MalformedMove), refusal
    return refusal.code


def seated(
    preset: str = "standard",
    a: str = "",
    b: str = "",
    *,
    opener: int | None = 0,
    sets: tuple[int, int] = (0, 0),
    **overrides: object,
) -> State:
    """A set that has just opened, with these hand cards."""
    ruleset = with_overrides(get_ruleset(preset), overrides)
    state = set_up(ruleset, hands=(tuple(a.split()), tuple(b.split())), opener=opener, sets=sets)
    assert not isinstance(state, Refusal), state
    return state


def totals(state: State) -> tuple[int, int]:
    return state.sides[0].total, state.sides[1].total


def board(state: State, seat: int) -> list[int]:
    return [placed.value for placed in state.sides[seat].board]


def last_set(state: State) -> tuple[int | None, str]:
    """Who won the last finished set, and how."""
    return state.results[-1].winner, state.results[-1].reason.value
