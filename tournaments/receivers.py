"""What a changed result or stage sets off: a row in the outbox at once, the worker after the commit."""

from __future__ import annotations

import logging
from typing import Any

from celery import Task
from django.db import transaction
from django.dispatch import receiver
from django.utils import timezone
from kombu.exceptions import OperationalError

from matches.models import Match
from matches.signals import result_changed
from tournaments import tasks
from tournaments.actions.standings import note_change
from tournaments.signals import import_confirmed, stage_changed

log = logging.getLogger(__name__)


def queue(task: Task[Any, Any], argument: int) -> None:
    """Hand a task to the worker once the transaction is committed. A broker that is away is no error: see the sweep."""

    def send() -> None:
        try:
            task.delay(argument)
        except OperationalError as error:
            log.warning("broker is away, the sweep will do it: %s", error)

    transaction.on_commit(send)


@receiver(result_changed, sender=Match)
def on_result_changed(match: Match, **_: Any) -> None:
    """A match of one of our stages has another result now."""
    stage_id = Match.objects.filter(pk=match.pk).values_list("pairing__round__stage_id", flat=True).first()
    if stage_id is not None:
        note_change(stage_id=stage_id, what="result", now=match.decided_at or timezone.now())
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
