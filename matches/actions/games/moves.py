"""Moves: a player's own, and what a referee enters of a table with real cards."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import cast

from django.db import transaction

from matches.actions.games.clocks import enforce_clock
from matches.actions.games.held import Held, hold
from matches.engine import (
    End,
    Forfeit,
    MalformedMove,
    Move,
    OpenSet,
    Phase,
    Play,
    Refusal,
    Stand,
    State,
    hands_due,
    next_opener,
    replay,
    ruling_due,
)
from matches.engine.notation import parse_move
from matches.engine.state import LETTERS
from matches.models import Game, Way
from players.permissions import Actor, Refused

NEXT = "next"
"""What a player says to have the next set dealt."""
NO_MOVE = Refused("move_unreadable", status=400)


def make_move(*, game_id: int, seat: int, move: str, at: str, by: Actor, now: datetime) -> Game | Refused:
    """A player moves: "+3", "*3=-3", "D", "end", "stand", "forfeit", or "next" for the next set.

    `at` is the position they saw (`Game.position`). The same move for the same position is one move, however often it
    comes and whatever came after it; another one for a position that is past is refused as position_moved. What follows
    from the seed, and what a policy does, is added at once; a match that is over has its result.
    Refusals: those of `hold`, wrong_way, not_ready, paused, position_moved, ruling_due, move_unreadable (400), and the
    codes of `matches.engine.apply`.
    """
    enforce_clock(game_id=game_id, now=now)
    with transaction.atomic():
        held = hold(game_id, after=True)
        if isinstance(held, Refused):
            return held
        if held.game.way != Way.HERE:
            return Refused("wrong_way")
        meant = _own(seat, move) if move != NEXT else None
        if isinstance(meant, Refused):
            return meant
        if at != held.game.position:
            return held.game if _was_made(held, meant, at) else _moved(held)
        if refused := _not_now(held):
            return refused
        mover = held.to_act
        if meant is None:
            if held.state.phase is not Phase.BETWEEN:
                return Refused("set_open")
            held.deal(opening=True)
        else:
            outcome = held.add(meant)
            if outcome is not None:
                return _as_refused(outcome)
            held.deal()
        return _go_on(held, mover=mover, by=by, now=now)


def _not_now(held: Held) -> Refused | None:
    """Why no player may move now; None where one may."""
    match = held.game.match
    if match is not None and match.kind:
        return Refused("match_decided", {"match": match.pk, "sets": [match.sets_a, match.sets_b]})
    if held.game.paused_at is not None:
        return Refused("paused")
    if not held.game.moves:
        return Refused("not_ready")
    return Refused("ruling_due") if ruling_due(held.state) else None


def _go_on(held: Held, *, mover: int | None, by: Actor, now: datetime) -> Game | Refused:
    """Charge the clock, end the match where it is over, write all of it back."""
    held.restart_clock(mover=mover, now=now)
    if ruling_due(held.state):
        held.tell_staff(now=now)
    game = held.save(now=now)
    if held.state.phase is Phase.OVER and game.way == Way.HERE:
        refused = held.submit(by=by, now=now)
        if refused is not None:
            transaction.set_rollback(True)
            return refused
    return game


def enter_move(*, game_id: int, move: str, at: str, by: Actor, now: datetime) -> Game | Refused:
    """The referee enters what happens at a real table: "A 7", "B +3", "A *2=-2", "A end", "B stand", "A forfeit",
    "open A", "open" where the rules say who opens, "open A (+1 …) (?)" with hands they were shown, "ruling next".

    `at` and repeats are as for `make_move`. The result counts once it is confirmed (`confirm_game`): until then the
    last entry can be taken back. Refusals: those of `make_move` except not_ready.
    """
    with transaction.atomic():
        held = hold(game_id)
        if isinstance(held, Refused):
            return held
        if held.game.way != Way.CONSOLE:
            return Refused("wrong_way")
        meant = _meant(move)
        if isinstance(meant, Refused):
            return meant
        if isinstance(meant, OpenSet):
            meant = _opening(_state_at(held, at), meant)
        if at != held.game.position:
            return held.game if _was_made(held, meant, at) else _moved(held)
        outcome = held.add(meant)
        return held.save(now=now) if outcome is None else _as_refused(outcome)


def _state_at(held: Held, at: str) -> State:
    """The state a move was made for, where this record went through it; else the present one."""
    number = _number_of(held, at)
    if number is None or number >= len(held.record.moves):
        return held.state
    return cast("State", replay(replace(held.record, moves=held.record.moves[:number])))


def _opening(state: State, said: OpenSet) -> OpenSet:
    """What a referee means by an opening: who opens by the rules where nobody is named, hands unknown where due."""
    opener = next_opener(state) if said.opener is None else said.opener
    return OpenSet(opener, said.hands or ((None, None) if hands_due(state) else None))


@transaction.atomic
def undo_move(*, game_id: int, at: str, by: Actor, now: datetime) -> Game | Refused:
    """Take the referee's last entry back. The same for the same position is once, however often it comes.

    Refusals: those of `hold`, wrong_way, position_moved, nothing_to_undo.
    """
    held = hold(game_id)
    if isinstance(held, Refused):
        return held
    game = held.game
    if game.way != Way.CONSOLE:
        return Refused("wrong_way")
    if at != game.position:
        return game if at == f"{game.undone - 1}.{game.moves + 1}" else _moved(held)
    if not held.record.moves:
        return Refused("nothing_to_undo")
    held.record = replace(held.record, moves=held.record.moves[:-1])
    held.state = cast("State", replay(held.record))
    game.undone += 1
    game.over_at = None
    return held.save(now=now)


def _own(seat: int, text: str) -> Move | Refused:
    """What a player says, if it is theirs to say: draws, openings, clocks and rulings are not."""
    move = _meant(f"{LETTERS[seat]} {text}")
    return move if isinstance(move, Refused | Play | End | Stand | Forfeit) else NO_MOVE


def _meant(text: str) -> Move | Refused:
    move = parse_move(text)
    return NO_MOVE if move is None else move


def _was_made(held: Held, meant: Move | None, at: str) -> bool:
    """Whether this very move was made for that position before; None means the next set."""
    number = _number_of(held, at)
    made = () if number is None else held.record.moves[number : number + 1]
    return bool(made) and (made[0] == meant or (meant is None and isinstance(made[0], OpenSet)))


def _number_of(held: Held, at: str) -> int | None:
    """How many moves a position has before it; None where it is none, or something was taken back since."""
    undone, _, number = at.partition(".")
    if undone == str(held.game.undone) and number.isascii() and number.isdigit() and len(number) < 7:
        return int(number)
    return None


def _moved(held: Held) -> Refused:
    return Refused("position_moved", {"position": held.game.position})


def _as_refused(refusal: Refusal) -> Refused:
    status = 400 if isinstance(refusal, MalformedMove) else 409
    return Refused(refusal.code, dict(refusal.params), status=status)
