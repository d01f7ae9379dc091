"""What a link that was asked for sets off: the worker sends it after the commit."""

from __future__ import annotations

import logging
from typing import Any

from celery import Task
from django.db import transaction
from django.dispatch import receiver
from kombu.exceptions import OperationalError

from players import tasks
from players.signals import link_asked_for

log = logging.getLogger(__name__)


def queue(task: Task[Any, Any], *arguments: int) -> None:
    """Hand a task to the worker once the transaction is committed. A broker that is away is no error: sweeps follow."""

    def send() -> None:
        try:
            task.delay(*arguments)
        except OperationalError as error:
            log.warning("broker is away, the sweep will do it: %s", error)

    transaction.on_commit(send)


@receiver(link_asked_for)
def on_link_asked_for(link: int, **_: Any) -> None:
    """Somebody waits for a mail."""
    queue(tasks.mail_link, link)
