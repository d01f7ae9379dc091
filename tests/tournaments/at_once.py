"""Two acts at once, the second held up by the first: what stories of races need."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

from django.db import connection, connections, transaction

First = TypeVar("First")
Second = TypeVar("Second")


def one_behind_the_other(first: Callable[[], First], second: Callable[[], Second]) -> tuple[First, Second]:
    """What both get when `second` begins after `first` is done and before it is committed.

    On PostgreSQL the commit comes once `second` waits for a lock of `first`, or is through without one. SQLite lets no
    second writer in, so there `second` simply comes after.
    """

    def behind() -> Second:
        try:
            return second()
        finally:
            connections.close_all()

    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            done = first()
            waiting = pool.submit(behind)
            if connection.vendor == "postgresql":
                _until_held_up(waiting)
        return done, waiting.result(timeout=30)


def _until_held_up(waiting: Future[Second]) -> None:
    with connection.cursor() as cursor:
        while not waiting.done():
            cursor.execute("SELECT count(*) FROM pg_locks WHERE NOT granted")
            if cursor.fetchone() != (0,):
                return
