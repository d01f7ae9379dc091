"""When matches are planned at tables where no referee is: told to those who organise, and nothing waits for it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from players.permissions import Role
from tournaments.models import Event, StaffLink
from tournaments.queries.schedule import ScheduleRow

_TOGETHER = timedelta(minutes=30)
"""Times no further apart are told as one."""

Span = tuple[datetime, datetime]


@dataclass(frozen=True, slots=True)
class Unattended:
    """A time in which no referee is there for so many `matches` at `tables`."""

    starts_at: datetime
    ends_at: datetime
    tables: tuple[int, ...]
    matches: int


def unattended(*, event: Event, rows: Iterable[ScheduleRow], now: datetime) -> tuple[Unattended, ...]:
    """The times, of those still to come, in which no referee's tables and hours cover what is planned. One query.

    An event without referees by link has none: whoever organises it is the referee.
    """
    links = list(StaffLink.objects.filter(event=event, role=Role.REFEREE, revoked_at=None))
    found: list[Unattended] = []
    for start, end, table in sorted(_gaps(rows, links, now.replace(second=0, microsecond=0))) if links else ():
        last = found[-1] if found else None
        if last is None or start > last.ends_at + _TOGETHER:
            found.append(Unattended(start, end, (table,), 1))
            continue
        tables = tuple(sorted({*last.tables, table}))
        found[-1] = replace(last, ends_at=max(last.ends_at, end), tables=tables, matches=last.matches + 1)
    return tuple(found)


def _gaps(
    rows: Iterable[ScheduleRow], links: Iterable[StaffLink], now: datetime
) -> Iterable[tuple[datetime, datetime, int]]:
    """From the first to the last moment without a referee, and the table, of each match that has such moments."""
    for row in rows:
        if row.is_over or row.table is None or row.starts_at is None or row.ends_at is None:
            continue
        hours = [
            (link.here_from or row.starts_at, min(link.here_until or link.expires_at, link.expires_at))
            for link in links
            if link.tournament_id in (None, row.tournament.pk) and (not link.tables or row.table in link.tables)
        ]
        missing = _without((max(row.starts_at, now), row.ends_at), hours)
        if missing:
            yield missing[0][0], missing[-1][1], row.table


def _without(span: Span, hours: Iterable[Span]) -> list[Span]:
    """What is left of a time without these hours."""
    start, end = span
    left = []
    for opens, closes in sorted(hours):
        if opens > start:
            left.append((start, min(opens, end)))
        start = max(start, closes)
        if start >= end:
            break
    return [each for each in [*left, (start, end)] if each[0] < each[1]]
