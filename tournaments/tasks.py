"""Celery's doors: each task takes ids, makes one call into an action, and may run twice, late or out of order."""

from celery import shared_task
from django.utils import timezone

from tournaments.actions import roster, standings


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
    """Pick up what a lost message left behind: stale stages and confirmed lists that nobody applied."""
    now = timezone.now()
    for stage_id in standings.stale_stages():
        standings.refresh(stage_id=stage_id, now=now)
    for import_id in roster.waiting_imports():
        roster.apply_import(import_id=import_id, now=now)
