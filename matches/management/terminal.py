"""A match in the terminal: the table as lines of text, and the asking for moves."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from matches.engine import (
    A,
    B,
    BadText,
    Hand,
    Move,
    Phase,
    Record,
    Refusal,
    Ruleset,
    Ruling,
    SeedDeal,
    SideView,
    State,
    View,
    apply,
    commitment,
    format_record,
    match_key,
    new_match,
    next_from_outside,
    parse_record,
    reveal,
    view,
    with_overrides,
)
from matches.engine.bots import Choice, Policy
from matches.engine.bots.base import MILLION
from matches.engine.notation import word_of
from matches.engine.state import LETTERS

_HELP: Final = "end, stand, a card such as +3 or *4=-4, both as in '+3 stand', forfeit, why, or an empty line to leave"


class Terminal:
    """One match of a person (side A) against a policy (side B), dealt from a committed seed of 32 bytes.

    `say` is given a line to show, `ask` a prompt, and returns what was typed.
    """

    def __init__(
        self,
        *,
        ruleset: Ruleset,
        side_decks: tuple[Hand, Hand],
        policy: Policy,
        seed: bytes,
        words: str,
        say: Callable[[str], object],
        ask: Callable[[str], str],
    ) -> None:
        # The deal is ours, whatever the ruleset's own source is; the record says so as an option.
        self._ruleset = with_overrides(ruleset, {"draw_source": "engine_rng"})
        self._decks, self._policy, self._seed = side_decks, policy, seed
        self._deal = SeedDeal(commitment(seed), (words, ""))
        self._key = match_key(seed, self._deal.words)
        self._say, self._ask = say, ask
        self._choice: Choice | None = None

    def play(self) -> str | None:
        """The record of the match once it is over, seed revealed; None when the person leaves the table.

        Raises `ValueError` for side decks that the ruleset refuses.
        """
        state = new_match(self._ruleset, self._decks)
        if isinstance(state, Refusal):
            raise ValueError(state.code)
        self._say(f"you are A, {self._policy.key} is B; commitment to the deal: {self._deal.commitment}")
        self._say(_HELP)
        moves: list[Move] = []
        while state.phase is not Phase.OVER:
            asked = self._moves(state)
            if asked is None:
                return None
            for move in asked:
                after = apply(state, move)
                if isinstance(after, Refusal):
                    self._say(f"{word_of(move)}: {after.code}")
                    break
                moves.append(move)
                self._show(move, view(state, A), view(after, A))
                state = after
        deal = reveal(self._deal, self._seed)
        self._say(f"seed: {deal.seed}")
        return format_record(Record(self._ruleset, tuple(moves), self._decks, deal, (("B", self._policy.key),)))

    def _moves(self, state: State) -> tuple[Move, ...] | None:
        """What happens next: from outside, by the policy, or as the person says; None when the person leaves."""
        outside = next_from_outside(self._key, state)
        if outside is not None:
            return (outside,)
        if state.turn is None:
            return (Ruling(),)
        if state.turn == B:
            self._choice = self._policy.choose(view(state, B))
            return (self._choice.move,)
        hand = " ".join(state.sides[A].hand) or "no cards"
        typed = self._ask(f"you have {state.sides[A].total}, hand {hand}: ").strip()
        return self._typed(typed) if typed else None

    def _typed(self, text: str) -> tuple[Move, ...]:
        if text == "why":
            self._say(_reason(self._choice))
            return ()
        read = parse_record(f'[Pazaak "1"]\n[Ruleset "{self._ruleset.key}"]\nA {text}')
        if isinstance(read, BadText):
            self._say(_HELP)
            return ()
        return read.moves

    def _show(self, move: Move, before: View, after: View) -> None:
        seat = getattr(move, "seat", None)
        if seat is not None:
            self._say(f"{LETTERS[seat]} {word_of(move)}")
        for line in lines_of(before, after):
            self._say(line)


def lines_of(before: View, after: View) -> Iterator[str]:
    """What a viewer sees after a move: the table when it has changed, a set or the match when it has ended."""
    if [side.board for side in before.sides] != [side.board for side in after.sides] or before.opener != after.opener:
        yield "   ".join(_side(LETTERS[seat], side) for seat, side in enumerate(after.sides))
    if len(after.results) > len(before.results):
        last = after.results[-1]
        won = "tied" if last.winner is None else f"{LETTERS[last.winner]} wins by {last.reason.value}"
        totals, sets = (f"{a}:{b}" for a, b in (last.totals, after.sets))
        yield f"set {len(after.results)}: {won}, {totals}; sets {sets}"
    if after.outcome is not None:
        yield f"{LETTERS[after.outcome.winner]} wins the match ({after.outcome.ending.value})"


def _side(letter: str, side: SideView) -> str:
    board = " ".join(f"{placed.value:+d}" if not placed.token.isdigit() else str(placed.value) for placed in side.board)
    hand = f"{side.cards} cards" if side.hand is None else " ".join(side.hand) or "no cards"
    return f"{letter} {side.total:>3}{' stood' if side.stood else ''} [{board}] ({hand})"


def _reason(choice: Choice | None) -> str:
    """Why the policy moved as it did last; what else it weighed would tell its hand."""
    if choice is None:
        return "it has not chosen anything yet"
    chances = dict(choice.why.chances)
    told = f", {100 * chances[choice.move] / MILLION:.1f} % to win the match" if chances else ""
    return f"{word_of(choice.move)}: {choice.why.code}{told}"
