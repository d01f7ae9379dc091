"""How the house is: its database, Redis, the worker, its clock, and what waits for them longer than it should."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

import redis
from django.conf import settings
from django.core.cache import cache
from django.db import connection

from players.models import Act, MailedLink
from tournaments.models import Notice, RosterImport, StageChange
from tournaments.models.roster import ImportState

QUEUE = "celery"
"""The list in Redis in which tasks wait for the worker."""

LATE_AFTER = timedelta(seconds=30)
"""The sweep comes every five seconds: a clock or a worker that says nothing for so long does not run."""

_LINK_AGE = timedelta(minutes=15)

CLOCK, WORKER = "clock", "worker"
"""Who says now and then that it lives: whoever sends the sweep, and whoever does it."""


class Condition(StrEnum):
    """How a part of the house is."""

    WELL = "well"
    LATE = "late"
    AWAY = "away"


@dataclass(frozen=True, slots=True)
class Part:
    """A part of the house: database, redis, worker or clock. `seen_at` is when the last two said that they live."""

    key: str
    condition: Condition
    seen_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Job:
    """Work of one kind that waits: how much of it, since when the oldest, and whether that is too long."""

    key: str
    count: int
    since: datetime | None
    is_late: bool


@dataclass(frozen=True, slots=True)
class Health:
    """All of it. `queued` is how many tasks are on their way to the worker; None when Redis cannot say."""

    parts: tuple[Part, ...]
    jobs: tuple[Job, ...]
    queued: int | None

    @property
    def condition(self) -> Condition:
        """The worst there is: away where the database or Redis is, late where anything else is behind."""
        found = {part.key: part.condition for part in self.parts}
        if Condition.AWAY in (found["database"], found["redis"]):
            return Condition.AWAY
        is_behind = set(found.values()) != {Condition.WELL} or any(job.is_late for job in self.jobs)
        return Condition.LATE if is_behind else Condition.WELL


def pulse_key(who: str) -> str:
    """Where the clock or the worker says when it last lived: an instant."""
    return f"pulse/{who}"


def health(*, now: datetime) -> Health:
    """How the house is now. Raises the database's own error while that is away."""
    jobs = (_standings(now), _imports(now), _mails(now), _links(now))
    queued = _queued()
    parts = (
        Part("database", Condition.WELL if _database_answers() else Condition.AWAY),
        Part("redis", Condition.AWAY if queued is None else Condition.WELL),
        _alive(WORKER, now),
        _alive(CLOCK, now),
    )
    return Health(parts, jobs, queued)


def _database_answers() -> bool:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
        answered: bool = cursor.fetchone() == (1,)
    return answered


def _queued() -> int | None:
    broker = redis.Redis.from_url(settings.CELERY_BROKER_URL, socket_connect_timeout=0.5, socket_timeout=1)
    try:
        with broker:
            return int(broker.llen(QUEUE))
    except redis.RedisError:
        return None


def _alive(who: str, now: datetime) -> Part:
    seen = cache.get(pulse_key(who))
    if seen is None:
        return Part(who, Condition.AWAY)
    return Part(who, Condition.LATE if now - seen > LATE_AFTER else Condition.WELL, seen)


def _job(key: str, waiting: Iterable[datetime], *, now: datetime, limit: timedelta) -> Job:
    since = sorted(waiting)
    oldest = since[0] if since else None
    return Job(key, len(since), oldest, oldest is not None and now - oldest > limit)


def _standings(now: datetime) -> Job:
    """Results that are in no standings yet."""
    waiting = StageChange.objects.filter(read_at__isnull=True).values_list("at", flat=True)
    return _job("standings", waiting, now=now, limit=LATE_AFTER)


def _imports(now: datetime) -> Job:
    """Confirmed lists, since they were confirmed."""
    waiting = RosterImport.objects.filter(state=ImportState.WAITING)
    targets = [f"import/{pk}" for pk in waiting.values_list("pk", flat=True)]
    confirmed = Act.objects.filter(verb="confirm_import", target__in=targets).values_list("at", flat=True)
    return _job("imports", confirmed, now=now, limit=timedelta(minutes=2))


def _mails(now: datetime) -> Job:
    """Mails that were not sent yet."""
    found = Notice.objects.filter(wants_mail=True, mailed_at__isnull=True, dropped_at__isnull=True)
    return _job("mails", found.values_list("created_at", flat=True), now=now, limit=timedelta(minutes=5))


def _links(now: datetime) -> Job:
    """Links to sign in, asked for by mail, that are still good for something."""
    found = MailedLink.objects.filter(mailed_at__isnull=True, used_at__isnull=True, created_at__gt=now - _LINK_AGE)
    return _job("links", found.values_list("created_at", flat=True), now=now, limit=timedelta(minutes=2))
