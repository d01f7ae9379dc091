"""What a changed result or stage sets off: a row in the outbox at once, the worker after the commit."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.db import transaction
from django.dispatch import receiver
from django.utils import timezone

from matches.models import Match
from matches.signals import game_begun, game_needs_staff, referee_called, report_changed, result_changed
from players.permissions import Actor
from players.receivers import queue
from tournaments import tasks
from tournaments.actions.calls import end_calls, follow_game
from tournaments.actions.standings import note_change
from tournaments.actions.tables import leave_table
from tournaments.live import announce, topic_of
from tournaments.signals import import_confirmed, notices_told, plan_asked, search_asked, stage_changed


@receiver(result_changed, sender=Match)
def on_result_changed(match: Match, **_: Any) -> None:
    """A match of one of our stages has another result now; decided, it leaves its table, and nobody is called there."""
    now = match.decided_at or timezone.now()
    if match.kind:
        leave_table(match_id=match.pk)
        end_calls(match_id=match.pk, now=now)
    _note(match, "result", now)


@receiver(report_changed, sender=Match)
def on_report_changed(match: Match, now: datetime, **_: Any) -> None:
    """What waits for somebody's word at a match of one of our stages has changed: pages show that, standings do not."""
    _note(match, "report", now)


@receiver(game_needs_staff, sender=Match)
def on_game_needs_staff(match: Match, now: datetime, **_: Any) -> None:
    """A game of one of our stages waits for the referee, or no longer: pages of staff show that."""
    _note(match, "game", now)


@receiver(referee_called, sender=Match)
def on_referee_called(match: Match, is_called: bool, by: Actor, now: datetime, **_: Any) -> None:
    """A game of one of our stages calls the referee, or no longer: the list of calls follows."""
    follow_game(match_id=match.pk, is_called=is_called, by=by, now=now)


@receiver(game_begun, sender=Match)
def on_game_begun(match: Match, **_: Any) -> None:
    """The first card of a game lies: pages that show open tables look again."""
    found = Match.objects.filter(pk=match.pk).values_list("pairing__round__stage__tournament_id", flat=True)
    tournament = found.first()
    if tournament is not None:
        transaction.on_commit(lambda: announce(topic_of(tournament), f"game-{match.pk}"))


def _note(match: Match, what: str, now: datetime) -> None:
    stage_id = Match.objects.filter(pk=match.pk).values_list("pairing__round__stage_id", flat=True).first()
    if stage_id is not None:
        note_change(stage_id=stage_id, what=what, now=now)
        queue(tasks.refresh_standings, stage_id)


@receiver(stage_changed)
def on_stage_changed(stage: int, what: str, **_: Any) -> None:
    """Something else about a stage its readers can see has changed."""
    note_change(stage_id=stage, what=what, now=timezone.now())
    queue(tasks.refresh_standings, stage)


@receiver(plan_asked)
def on_plan_asked(event: int, **_: Any) -> None:
    """Something a plan is made from has changed: who can play now is called, then the plan follows."""
    queue(tasks.call_matches, event)
    queue(tasks.replan, event)


@receiver(import_confirmed)
def on_import_confirmed(roster_import: int, **_: Any) -> None:
    """A long list waits for the worker."""
    queue(tasks.apply_import, roster_import)


@receiver(notices_told)
def on_notices_told(**_: Any) -> None:
    """Mails wait for the worker."""
    queue(tasks.send_mails)


@receiver(search_asked)
def on_search_asked(search: int, **_: Any) -> None:
    """A better plan is to be looked for."""
    queue(tasks.start_search, search)
