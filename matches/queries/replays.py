"""A record played again: where it stands after any move, and every move before and after it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import cast

from matches.engine import Draw, Move, Onlooker, OpenSet, Record, State, View, apply, match_key, new_match, view
from matches.engine.bots import Why
from matches.queries.games import POLICY_SEAT, OpenRecord, policy_choice


@dataclass(frozen=True, slots=True)
class Step:
    """One move of a record: its number from 1, the set it belongs to, and the table right after it."""

    number: int
    set_number: int
    move: Move
    after: View

    @property
    def opens(self) -> bool:
        """Whether a set begins with it."""
        return isinstance(self.move, OpenSet)


class Replay:
    """A record at the position after `at` moves; None means after the last one. Hands are shown where it has them.

    `policy` names who played seat B in practice, so that its reasons can be told again.
    """

    def __init__(self, opened: OpenRecord, *, at: int | None = None, policy: str = "") -> None:
        self.record: Record = opened.record
        self.is_whole = opened.is_whole
        self._policy = policy
        self._viewer = Onlooker.REFEREE if opened.is_whole else Onlooker.SPECTATOR
        self.last = len(self.record.moves)
        self.at = self.last if at is None else max(0, min(at, self.last))

    @cached_property
    def _states(self) -> tuple[State, ...]:
        """The state before the first move and after each; a record that left the server can be played."""
        states = [cast("State", new_match(self.record.ruleset, self.record.side_decks))]
        for move in self.record.moves:
            states.append(cast("State", apply(states[-1], move)))
        return tuple(states)

    @cached_property
    def table(self) -> View:
        """The table at the position."""
        return view(self._states[self.at], self._viewer)

    @cached_property
    def steps(self) -> tuple[Step, ...]:
        """Every move."""
        found: list[Step] = []
        sets = 0
        for number, move in enumerate(self.record.moves, start=1):
            sets += isinstance(move, OpenSet)
            found.append(Step(number, sets, move, view(self._states[number], self._viewer)))
        return tuple(found)

    @property
    def step(self) -> Step | None:
        """The move that led to the position; None before the first."""
        return self.steps[self.at - 1] if self.at else None

    @cached_property
    def why(self) -> Why | None:
        """Why the policy made the move that led to the position; None where it was not the policy's.

        A policy chooses the same from the same view and lots, so it is simply asked again.
        """
        step, deal = self.step, self.record.deal
        if not self._policy or step is None or isinstance(step.move, OpenSet | Draw) or deal is None or not deal.seed:
            return None
        before = self._states[self.at - 1]
        if before.turn != POLICY_SEAT or not before.drawn:
            return None
        key = match_key(bytes.fromhex(deal.seed), deal.words)
        return policy_choice(policy=self._policy, key=key, seen=view(before, POLICY_SEAT), at=self.at - 1).why
