"""What a changed result or stage sets off: a row in the outbox at once, the worker after the commit."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.dispatch import receiver
from django.utils import timezone

from matches.models import Match
from matches.signals import game_needs_staff, report_changed, result_changed
from players.receivers import queue
from tournaments import tasks
from tournaments.actions.standings import note_change
from tournaments.signals import import_confirmed, notices_told, stage_changed


@receiver(result_changed, sender=Match)
def on_result_changed(match: Match, **_: Any) -> None:
    """A match of one of our stages has another result now."""
    _note(match, "result", match.decided_at or timezone.now())


@receiver(report_changed, sender=Match)
def on_report_changed(match: Match, now: datetime, **_: Any) -> None:
    """What waits for somebody's word at a match of one of our stages has changed: pages show that, standings do not."""
    _note(match, "report", now)


@receiver(game_needs_staff, sender=Match)
def on_game_needs_staff(match: Match, now: datetime, **_: Any) -> None:
    """A game of one of our stages waits for the referee, or no longer: pages of staff show that."""
    _note(match, "game", now)


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


@receiver(import_confirmed)
def on_import_confirmed(roster_import: int, **_: Any) -> None:
    """A long list waits for the worker."""
    queue(tasks.apply_import, roster_import)


@receiver(notices_told)
def on_notices_told(**_: Any) -> None:
    """Mails wait for the worker."""
    queue(tasks.send_mails)
