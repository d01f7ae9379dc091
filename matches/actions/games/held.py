"""A game under its lock: read whole, moved on, written back and told of."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime

from django.db import transaction

from matches.actions.judging import Report
from matches.actions.results import submit_result
from matches.engine import (
    Move,
    Phase,
    Record,
    Refusal,
    State,
    apply,
    match_key,
    next_from_outside,
    reveal,
    view,
)
from matches.engine.notation import format_record
from matches.live import announce, game_topic
from matches.models import Game, Match, Way
from matches.queries.games import POLICY_SEAT, policy_choice, record_of
from matches.signals import game_begun, game_needs_staff
from players.permissions import Actor, Refused

MOST_SPENT = 2**31 - 1
"""Milliseconds: more than the time for any match, and as much as the database counts."""


@dataclass(slots=True)
class Held:
    """A game that nobody else can change: its row and what its record says."""

    game: Game
    record: Record
    state: State

    @property
    def to_act(self) -> int | None:
        """The seat that must choose now; None while nobody must."""
        return self.state.turn if self.state.drawn else None

    def add(self, move: Move) -> Refusal | None:
        """Make a move; or say why it cannot be made."""
        after = apply(self.state, move)
        if isinstance(after, Refusal):
            return after
        self.state = after
        self.record = replace(self.record, moves=(*self.record.moves, move))
        return None

    def deal(self, *, opening: bool = False) -> None:
        """Add whatever the seed gives until a player must choose. The next set opens only where it is asked for."""
        if not self.game.seed or self.record.deal is None:
            return
        key = match_key(bytes.fromhex(self.game.seed), self.record.deal.words)
        while self.state.phase is not Phase.OVER:
            if self.state.phase is Phase.BETWEEN and not opening:
                return
            move = next_from_outside(key, self.state)
            if move is None:
                if not self._policy_moves(key):
                    return
                continue
            opening = False
            self.add(move)

    def _policy_moves(self, key: bytes) -> bool:
        """Let the policy choose where it is to act; whether it was."""
        if not self.game.policy or self.to_act != POLICY_SEAT:
            return False
        seen, at = view(self.state, POLICY_SEAT), len(self.record.moves)
        self.add(policy_choice(policy=self.game.policy, key=key, seen=seen, at=at).move)
        return True

    def restart_clock(self, *, mover: int | None, now: datetime) -> None:
        """Charge the turn that is over to `mover` and start the next one, where there are clocks."""
        game = self.game
        if game.turn_at is not None and mover is not None:
            spent = max(0, round((now - game.turn_at).total_seconds() * 1000))
            if mover == 0:
                game.spent_a = min(game.spent_a + spent, MOST_SPENT)
            else:
                game.spent_b = min(game.spent_b + spent, MOST_SPENT)
        has_clock = game.turn_seconds is not None or game.match_seconds is not None
        runs = has_clock and self.to_act is not None and game.paused_at is None and game.way == Way.HERE
        game.turn_at = now if runs else None

    def tell_staff(self, *, now: datetime) -> None:
        """Say that the game waits for a referee's word now or does so no more, or that its first card lies."""
        if self.game.match is not None:
            game_needs_staff.send(sender=Match, match=self.game.match, now=now)

    def save(self, *, now: datetime) -> Game:
        """Write the game back, and tell open pages once that is committed."""
        game = self.game
        if self.state.phase is Phase.OVER and game.over_at is None:
            game.over_at = now
            if game.seed and self.record.deal is not None:
                self.record = replace(self.record, deal=reveal(self.record.deal, bytes.fromhex(game.seed)))
        if self.record.moves and not game.moves and game.match is not None:
            game_begun.send(sender=Match, match=game.match)
        game.record = format_record(self.record)
        if bool(game.moves) != bool(self.record.moves):
            self.tell_staff(now=now)  # from now on it can be watched, or no more
        game.moves = len(self.record.moves)
        game.version += 1
        game.save()
        tell(game)
        return game

    def submit(self, *, by: Actor, now: datetime) -> Refused | None:
        """Make what the game came to the result of its match."""
        match = self.game.match
        if match is None:
            return None
        outcome = submit_result(
            match_id=match.pk,
            report=Report.of_game(self.state),
            by=by,
            key=f"{result_key(self.game)}{self.game.position}/{match.version}",
            expected_version=match.version,
            now=now,
        )
        return outcome if isinstance(outcome, Refused) else None


def result_key(game: Game) -> str:
    """What the keys of results that came from this game begin with."""
    return f"game/{game.pk}/"


def tell(game: Game) -> None:
    """Tell open pages of a change once it is committed."""
    topic, version = game_topic(game.pk), f"{game.version}"
    transaction.on_commit(lambda: announce(topic, version))


def read(game: Game) -> Held:
    """What the record of a game says."""
    return Held(game, *record_of(game))


def hold(game_id: int, *, after: bool = False) -> Held | Refused:
    """Lock the match of a game and then the game, so that a move and a ruling come one after the other.

    Refused as game_unknown (404), match_void, match_decided; with `after` a decided match is no refusal.
    """
    match_id = Game.objects.filter(pk=game_id).values_list("match_id", flat=True).first()
    match = Match.objects.select_for_update().filter(pk=match_id).first() if match_id else None
    game = Game.objects.select_for_update().filter(pk=game_id).first()
    if game is None:
        return Refused("game_unknown", {"game": game_id}, status=404)
    if match is not None:
        game.match = match
        if match.is_void:
            return Refused("match_void", {"match": match.pk})
        if match.kind and not after:
            return Refused("match_decided", {"match": match.pk, "sets": [match.sets_a, match.sets_b]})
    return read(game)
