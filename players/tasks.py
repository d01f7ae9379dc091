"""Celery's doors: mail that signs people in."""

from __future__ import annotations

from celery import shared_task
from django.utils import timezone

from players.actions import mailed


@shared_task
def mail_link(link_id: int) -> None:
    """Send one link."""
    mailed.mail_link(link_id=link_id, now=timezone.now())


@shared_task
def mail_waiting_links() -> None:
    """Send what a lost message or a mail server that was away has left."""
    for link_id in mailed.waiting_links(now=timezone.now()):
        mailed.mail_link(link_id=link_id, now=timezone.now())
