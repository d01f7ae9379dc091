"""Celery's doors: clocks that ran out, and practice nobody plays any more."""

from __future__ import annotations

from celery import shared_task
from django.utils import timezone

from matches.actions import games


@shared_task
def keep_clocks() -> None:
    """Do what is due where the time of whoever is to act is over."""
    now = timezone.now()
    for game_id in games.lapsed_games(now=now):
        games.enforce_clock(game_id=game_id, now=now)


@shared_task
def drop_practice() -> None:
    """Let go of practice from days before."""
    games.drop_practice(now=timezone.now())
