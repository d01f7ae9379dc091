"""Celery's doors: each task takes ids, makes one call into an action, and may run twice, late or out of order."""

from __future__ import annotations

import logging
from typing import Any

from celery import Task, shared_task
from django.utils import timezone

from tournaments.actions import roster, standings

log = logging.getLogger(__name__)


@shared_task
def refresh_standings(stage_id: int) -> None:
    """Work out a stage's standings and whatever its format can now fill."""
    standings.refresh(stage_id=stage_id, now=timezone.now())


@shared_task
def apply_import(import_id: int) -> None:
    """Bring a confirmed list into the roster."""
    roster.apply_import(import_id=import_id, now=timezone.now())


@shared_task
def sweep() -> None:
    """Pick up what a lost message left behind: stale stages and confirmed lists that nobody applied.

    What cannot be done is told in the worker's log and tried again by the next sweep; the others do not wait for it.
    """
    for stage_id in standings.stale_stages():
        _attempt(refresh_standings, stage_id)
    for import_id in roster.waiting_imports():
        _attempt(apply_import, import_id)


def _attempt(task: Task[Any, Any], argument: int) -> None:
    try:
        task(argument)
    except Exception:
        log.exception("the sweep could not do %s(%s)", task.name, argument)
