"""Celery's doors: each task takes ids, makes one call into an action, and may run twice, late or out of order."""

from __future__ import annotations

import logging
from typing import Any

from celery import Task, shared_task
from django.core.cache import cache
from django.utils import timezone

from tournaments.actions import (
    answers,
    clocks,
    coming,
    notices,
    plans,
    presence,
    queue,
    reports,
    roster,
    searches,
    standings,
)
from tournaments.queries.hall import waiting_halls
from tournaments.queries.health import WORKER, pulse_key

log = logging.getLogger(__name__)


@shared_task
def refresh_standings(stage_id: int) -> None:
    """Work out a stage's standings and whatever its format can now fill."""
    standings.refresh(stage_id=stage_id, now=timezone.now())


@shared_task
def call_matches(event_id: int) -> None:
    """Call what can be played to the tables that are free."""
    queue.call_matches(event_id=event_id, now=timezone.now())


@shared_task
def replan(event_id: int) -> None:
    """Bring the plan of an event to what has happened."""
    plans.replan(event_id=event_id, now=timezone.now())


@shared_task
def start_search(search_id: int) -> None:
    """Let a process of its own look for a better plan."""
    searches.start_search(search_id=search_id)


@shared_task
def end_silent_searches() -> None:
    """Searches whose process is gone are over."""
    searches.end_silent_searches(now=timezone.now())


@shared_task
def apply_import(import_id: int) -> None:
    """Bring a confirmed list into the roster."""
    roster.apply_import(import_id=import_id, now=timezone.now())


@shared_task
def settle_unanswered(submission_id: int) -> None:
    """A player's report nobody answered in time: to the referee, or counted."""
    reports.settle_unanswered(submission_id=submission_id, now=timezone.now())


@shared_task
def forget_answers() -> None:
    """Let go of what the API keeps for a day."""
    answers.forget_answers(now=timezone.now())


@shared_task
def ask_about_the_missing() -> None:
    """Where the time to wait for a player is just over, let pages of referees ask again: nothing is written."""
    presence.announce_missing(now=timezone.now())
    coming.announce_silent(now=timezone.now())


@shared_task
def remind() -> None:
    """Remind players of matches that begin soon."""
    coming.remind(now=timezone.now())


@shared_task
def tell_time_is_over() -> None:
    """Where the time of a table is just over, let open pages look again: nothing is written."""
    clocks.announce_time_over(now=timezone.now())


@shared_task
def send_mails() -> None:
    """Send the mails that wait; beat asks for it too, for those that a lost message or a mail server left behind."""
    notices.send_mails(now=timezone.now())


@shared_task
def sweep() -> None:
    """Pick up what a lost message left behind, stale stages and confirmed lists, and what is due: unanswered reports,
    calls of who is rested now, plans that time has passed by.

    What cannot be done is told in the worker's log and tried again by the next sweep; the others do not wait for it.
    """
    cache.set(pulse_key(WORKER), timezone.now(), None)
    for stage_id in standings.stale_stages():
        _attempt(refresh_standings, stage_id)
    for import_id in roster.waiting_imports():
        _attempt(apply_import, import_id)
    for submission_id in reports.unanswered(now=timezone.now()):
        _attempt(settle_unanswered, submission_id)
    for event_id in waiting_halls():
        _attempt(call_matches, event_id)
    for event_id in plans.stale_plans(now=timezone.now()):
        _attempt(replan, event_id)
    _attempt(end_silent_searches)
    for search_id in searches.waiting_searches():
        _attempt(start_search, search_id)
    _attempt(ask_about_the_missing)
    _attempt(remind)
    _attempt(tell_time_is_over)


def _attempt(task: Task[Any, Any], *arguments: int) -> None:
    try:
        task(*arguments)
    except Exception:
        log.exception("the sweep could not do %s(%s)", task.name, ", ".join(map(str, arguments)))
