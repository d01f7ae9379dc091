"""What a referee does at a game: pause it, go on, give it up for somebody, rule, and confirm what it came to."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction

from matches.actions.games.held import Held, hold, result_key
from matches.engine import Forfeit, Phase, Ruling
from matches.models import Game, Match, Way
from matches.signals import referee_called
from players.actions import record_act
from players.permissions import Actor, Refused


def _log(verb: str, held: Held, *, by: Actor, now: datetime, why: str = "", **after: object) -> None:
    record_act(verb=verb, target=f"match/{held.game.match_id}", by=by, now=now, after=after, why=why)


def tell_called(held: Held, *, is_called: bool, by: Actor, now: datetime) -> None:
    """Say that the players of a game wait for a referee to come now, or do so no more."""
    if held.game.match is not None:
        referee_called.send(sender=Match, match=held.game.match, by=by, now=now, is_called=is_called)


def _answer(held: Held, *, by: Actor, now: datetime) -> None:
    """Nobody has to come any more, if anybody had."""
    if held.game.called_at is not None:
        held.game.called_at = None
        tell_called(held, is_called=False, by=by, now=now)


@transaction.atomic
def pause_game(*, game_id: int, by: Actor, now: datetime) -> Game | Refused:
    """Stop a game and its clock; nobody moves until it goes on. Refusals: those of `hold`."""
    held = hold(game_id)
    if isinstance(held, Refused) or held.game.paused_at is not None:
        return held if isinstance(held, Refused) else held.game
    held.game.paused_at = now
    held.restart_clock(mover=held.to_act, now=now)
    held.tell_staff(now=now)
    _log("pause_game", held, by=by, now=now)
    return held.save(now=now)


@transaction.atomic
def resume_game(*, game_id: int, by: Actor, now: datetime) -> Game | Refused:
    """Let a game go on: whoever is to act has a whole turn, a call for the referee is answered.

    Refusals: those of `hold`.
    """
    held = hold(game_id)
    if isinstance(held, Refused):
        return held
    game = held.game
    if game.paused_at is None and game.called_at is None:
        return game
    _answer(held, by=by, now=now)
    if game.paused_at is not None:
        game.paused_at = None
        held.restart_clock(mover=None, now=now)
    held.tell_staff(now=now)
    _log("resume_game", held, by=by, now=now)
    return held.save(now=now)


@transaction.atomic
def call_referee(*, game_id: int, by: Actor, now: datetime) -> Game | Refused:
    """A player asks for a referee. The game goes on meanwhile. Refusals: those of `hold`."""
    held = hold(game_id)
    if isinstance(held, Refused) or held.game.called_at is not None:
        return held if isinstance(held, Refused) else held.game
    held.game.called_at = now
    tell_called(held, is_called=True, by=by, now=now)
    held.tell_staff(now=now)
    _log("call_referee", held, by=by, now=now)
    return held.save(now=now)


@transaction.atomic
def answer_call(*, game_id: int, by: Actor, now: datetime) -> Game | Refused:
    """Put away that the referee was called; a game that is paused stays so. Whoever does it keeps the log.

    Refusals: those of `hold`.
    """
    held = hold(game_id)
    if isinstance(held, Refused) or held.game.called_at is None:
        return held if isinstance(held, Refused) else held.game
    _answer(held, by=by, now=now)
    held.tell_staff(now=now)
    return held.save(now=now)


def concede_for(*, game_id: int, seat: int, by: Actor, now: datetime, why: str = "") -> Game | Refused:
    """End a game for a player who does not come or gives up by word of mouth: the other one wins.

    Refusals: those of `hold`, and match_over.
    """
    return _decide(game_id, Forfeit(seat), "concede_for", by=by, now=now, why=why)


def rule_game(*, game_id: int, winner: int | None, by: Actor, now: datetime, why: str = "") -> Game | Refused:
    """Decide after too many ties in a row: another set (`winner` None), or who wins the match.

    Refusals: those of `hold`, ruling_not_due.
    """
    return _decide(game_id, Ruling(winner), "rule_game", by=by, now=now, why=why)


@transaction.atomic
def _decide(game_id: int, move: Forfeit | Ruling, verb: str, *, by: Actor, now: datetime, why: str) -> Game | Refused:
    held = hold(game_id)
    if isinstance(held, Refused):
        return held
    mover = held.to_act
    refusal = held.add(move)
    if refusal is not None:
        return Refused(refusal.code, dict(refusal.params))
    held.game.paused_at = None
    _answer(held, by=by, now=now)
    if isinstance(move, Ruling) and move.winner is None:
        held.deal(opening=True)
    held.restart_clock(mover=mover, now=now)
    held.tell_staff(now=now)
    seat = move.seat if isinstance(move, Forfeit) else move.winner
    if held.game.match_id is not None:
        _log(verb, held, by=by, now=now, why=why, seat="" if seat is None else "ab"[seat])
    game = held.save(now=now)
    if held.state.phase is Phase.OVER and game.way == Way.HERE and (refused := held.submit(by=by, now=now)):
        transaction.set_rollback(True)
        return refused
    return game


@transaction.atomic
def confirm_game(*, game_id: int, by: Actor, now: datetime) -> Game | Refused:
    """The referee says that the record of a real table is right: what it came to is the result of the match.

    Confirmed twice, it counts once. Refusals: those of `hold` for a result from elsewhere, wrong_way, not_over.
    """
    held = hold(game_id, after=True)
    if isinstance(held, Refused):
        return held
    if held.game.way != Way.CONSOLE:
        return Refused("wrong_way")
    if held.state.phase is not Phase.OVER:
        return Refused("not_over")
    match = held.game.match
    if match is not None and match.kind:
        is_ours = match.submissions.filter(is_confirmed=True, key__startswith=result_key(held.game)).exists()
        told = {"match": match.pk, "sets": [match.sets_a, match.sets_b]}
        return held.game if is_ours else Refused("match_decided", told)
    refused = held.submit(by=by, now=now)
    if refused is not None:
        return refused
    return held.save(now=now)
