"""Clocks: kept by the server, enforced by whoever comes first after the time is over."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Q

from matches.actions.games.held import Held, hold
from matches.actions.games.referee import tell_called
from matches.engine import Move, Phase, Stand, Timeout
from matches.models import Game, OnTimeout
from matches.queries.games import runs_out_at
from players.actions import record_act
from players.permissions import SYSTEM, Refused

GRACE = timedelta(seconds=1)
"""What a move may be late by: it was sent in time and the way is long."""


def lapsed_games(*, now: datetime) -> list[int]:
    """Games in which the time of whoever is to act is over."""
    is_open = Q(match__isnull=True) | Q(match__kind="", match__is_void=False)
    running = Game.objects.filter(is_open, turn_at__isnull=False, over_at__isnull=True).order_by("pk")
    return [game.pk for game in running if _is_over(game, now)]


def _is_over(game: Game, now: datetime) -> bool:
    until = runs_out_at(game)
    return until is not None and until + GRACE <= now


@transaction.atomic
def enforce_clock(*, game_id: int, now: datetime) -> None:
    """Do what the tournament says where the time of the one to act is over. Safe to run twice, late, side by side."""
    game = Game.objects.filter(pk=game_id).first()
    if game is None or not _is_over(game, now):
        return
    held = hold(game_id)
    if isinstance(held, Refused) or not _is_over(held.game, now):
        return
    mover = held.to_act
    if mover is None:
        return
    if held.game.on_timeout == OnTimeout.CALL:
        _call(held, mover, now)
        return
    move: Move = Stand(mover) if held.game.on_timeout == OnTimeout.STAND else Timeout(mover)
    held.add(move)
    held.deal()
    held.restart_clock(mover=mover, now=now)
    held.save(now=now)
    if held.state.phase is Phase.OVER:
        held.submit(by=SYSTEM, now=now)


def _call(held: Held, mover: int, now: datetime) -> None:
    """Stop the clock and call the referee."""
    game = held.game
    game.paused_at = game.called_at = now
    held.restart_clock(mover=mover, now=now)
    tell_called(held, is_called=True, by=SYSTEM, now=now)
    held.tell_staff(now=now)
    held.save(now=now)
    record_act(verb="call_referee", target=f"match/{game.match_id}", by=SYSTEM, now=now, after={"why": "time"})
