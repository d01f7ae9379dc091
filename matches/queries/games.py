"""Games as their readers may know them: the table, the clocks, and the record once it may be seen."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import cached_property
from typing import cast

from matches.engine import (
    Ending,
    Onlooker,
    Phase,
    Record,
    SeedDeal,
    State,
    View,
    Viewer,
    high_cards,
    match_key,
    redact,
    replay,
    view,
)
from matches.engine.bots import Choice, make_policy
from matches.engine.dealing import Stream
from matches.engine.notation import parse_record
from matches.engine.rulesets.base import FirstPlayerFirst
from matches.models import Game, OnTimeout, Way

POLICY_SEAT = 1
"""Where a policy sits in practice."""


def policy_choice(*, policy: str, key: bytes, seen: View, at: int) -> Choice:
    """What a policy does after `at` moves, and why. The same for the same deal, however often it is asked."""
    below = Stream(key, f"policy/{at}").below
    deck = seen.sides[POLICY_SEAT].side_deck
    return make_policy(policy, ruleset=seen.ruleset, below=below, side_deck=deck).choose(seen)


def record_of(game: Game) -> tuple[Record, State]:
    """The whole record of a game and what it comes to. A stored record can be read: only `actions` writes it."""
    record = cast("Record", parse_record(game.record))
    return record, cast("State", replay(record))


def runs_out_at(game: Game) -> datetime | None:
    """When the time of the one to act is over; None while no clock runs.

    Where the referee is called when the time for the match is over, and let them go on, only turns are timed from then
    on.
    """
    if game.turn_at is None or game.paused_at is not None or game.over_at is not None:
        return None
    left: list[timedelta] = []
    if game.turn_seconds is not None:
        left.append(timedelta(seconds=game.turn_seconds))
    if game.match_seconds is not None:
        seat = record_of(game)[1].turn
        spent = game.spent_b if seat else game.spent_a
        rest = max(0, game.match_seconds * 1000 - spent)
        if rest or game.on_timeout != OnTimeout.CALL:
            left.append(timedelta(milliseconds=rest))
    return game.turn_at + min(left) if left else None


def advice(seen: GameView) -> Choice | None:
    """What a good player might do in the viewer's place, from what the viewer sees; None where nothing is to do."""
    view = seen.table
    if seen.to_act is None or seen.to_act != view.viewer or not view.moves:
        return None
    return make_policy("original", ruleset=view.ruleset, below=lambda limit: 0).choose(view)


class GameView:
    """A game as one viewer may know it. Built from what the engine shows that viewer and from nothing else."""

    def __init__(self, game: Game, viewer: Viewer) -> None:
        self.game = game
        self.viewer = viewer
        self._record, self._state = record_of(game)

    @cached_property
    def table(self) -> View:
        """The table as the engine shows it to the viewer."""
        return view(self._state, self.viewer)

    @property
    def position(self) -> str:
        """What a move names to say which position it was made for."""
        return self.game.position

    @property
    def deal(self) -> SeedDeal | None:
        """The commitment and both players' words; with the seed once the match is over."""
        return self._record.deal

    @property
    def high_cards(self) -> tuple[tuple[int, int], ...]:
        """The cards both sides turned to settle who opens the match; () where the rules settle it otherwise."""
        by_card = self._record.ruleset.first_player_first is FirstPlayerFirst.HIGH_CARD
        if not by_card or not self.game.seed or self._record.deal is None or not self.has_begun:
            return ()
        return high_cards(match_key(bytes.fromhex(self.game.seed), self._record.deal.words))

    @property
    def is_result(self) -> bool:
        """Whether the match ended as its game did: no result came from elsewhere, or was corrected afterwards."""
        match, outcome = self.game.match, self.table.outcome
        if match is None or outcome is None or not match.kind:
            return False
        sets = (match.sets_a, match.sets_b)
        return match.winner == "ab"[outcome.winner] and (sets == self.table.sets or outcome.ending is not Ending.SETS)

    @property
    def to_act(self) -> int | None:
        """The seat that must choose now; None while nobody must."""
        return self.table.turn if self.table.drawn and not self.is_stopped else None

    @property
    def is_stopped(self) -> bool:
        """Whether nobody may move: paused, or the match has its result from elsewhere."""
        match = self.game.match
        return self.game.paused_at is not None or (match is not None and not match.is_open)

    @property
    def has_begun(self) -> bool:
        return self.game.moves > 0

    @property
    def is_over(self) -> bool:
        return self.table.phase is Phase.OVER

    @property
    def is_between(self) -> bool:
        """Whether the next set waits to be opened."""
        return self.has_begun and self.table.phase is Phase.BETWEEN and not self.table.ruling_due

    @property
    def is_ready(self) -> tuple[bool, bool]:
        """Whether each player said that they are ready."""
        return self.game.ready_a_at is not None, self.game.ready_b_at is not None

    @cached_property
    def runs_out_at(self) -> datetime | None:
        return None if self.is_stopped else runs_out_at(self.game)

    @property
    def draws(self) -> tuple[int, ...]:
        """The last main card each side drew in the open set, by seat; 0 where it drew none."""
        return tuple(
            next((int(card.token) for card in reversed(side.board) if card.token.isdigit()), 0)
            for side in self.table.sides
        )


def game_view(*, game: Game, viewer: Viewer) -> GameView:
    """The game as a seat (0, 1) or an onlooker may know it.

    Nobody but a seat sees its hand: a referee of a game played here looks on like a spectator. At a real table the
    referee sees what they entered.
    """
    if viewer is Onlooker.REFEREE and game.way != Way.CONSOLE:
        viewer = Onlooker.SPECTATOR
    return GameView(game, viewer)


@dataclass(frozen=True, slots=True)
class OpenRecord:
    """A record as everybody may have it, and what it comes to. `is_whole`: hands and side decks are in it."""

    record: Record
    is_whole: bool


def open_record(*, game: Game, decks_open: bool, tags: tuple[tuple[str, str], ...] = ()) -> OpenRecord:
    """The record for everybody: hands hidden while the match goes on, and side decks until `decks_open`.

    The seed is in it once the match is over, so that every draw can be checked at once; hands that are not shown yet
    are left out of the check. At a real table the end can be taken back until it is confirmed, so hands wait for that.
    """
    record, state = record_of(game)
    record = replace(record, tags=tags)
    is_final = game.way == Way.HERE or (game.match is not None and not game.match.is_open)
    if state.phase is Phase.OVER and is_final and decks_open:
        return OpenRecord(record, is_whole=True)
    hidden = redact(record, Onlooker.SPECTATOR)
    if state.phase is Phase.OVER and record.deal is not None and hidden.deal is not None:
        hidden = replace(hidden, deal=record.deal)
    return OpenRecord(hidden, is_whole=False)
