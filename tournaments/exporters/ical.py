"""Calendars as programs keep them (RFC 5545): times with their zone, ids that stay, what is called off said so."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from tournaments.engine.walltime import comes_twice

if TYPE_CHECKING:
    from icalendar import Timezone

MEDIA_TYPE = "text/calendar; charset=utf-8"
REFRESH = timedelta(minutes=5)
"""How often a program that keeps a calendar is asked to come again."""

_PRODUCT = "-//Cantina//Schedule//EN"
_NO_TEXT = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_DAY = timedelta(days=1)


class Status(StrEnum):
    """How sure an appointment is."""

    TENTATIVE = "TENTATIVE"
    CONFIRMED = "CONFIRMED"
    CANCELLED = "CANCELLED"


@dataclass(frozen=True, slots=True, kw_only=True)
class Appointment:
    """One entry of a calendar. `uid` never changes, `sequence` only rises, `changed_at` is when it last did.

    `is_own`: the time is the reader's own, and they are busy then.
    """

    uid: str
    starts_at: datetime
    ends_at: datetime | None
    summary: str
    location: str = ""
    description: str = ""
    url: str
    status: Status
    sequence: int
    changed_at: datetime
    is_own: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Calendar:
    """A calendar to subscribe to: its name, the zone its times are said in, its appointments."""

    name: str
    zone: str
    appointments: Sequence[Appointment]


def write_calendar(calendar: Calendar) -> bytes:
    """The file. Times are those of the zone, and in UTC where the clocks there show the same time twice."""
    # 170 modules that only calendars need.
    import icalendar
    from icalendar import vDuration, vText

    zone = ZoneInfo(calendar.zone)
    book = icalendar.Calendar()
    book.add("prodid", _PRODUCT)
    book.add("version", "2.0")
    book.add("calscale", "GREGORIAN")
    book.add("method", "PUBLISH")
    for name in ("name", "x-wr-calname"):
        book.add(name, vText(_text(calendar.name)))
    book.add("x-wr-timezone", vText(calendar.zone))
    book.add("refresh-interval", vDuration(REFRESH), parameters={"VALUE": "DURATION"})
    book.add("x-published-ttl", vDuration(REFRESH))
    if calendar.zone != "UTC" and calendar.appointments:
        book.add_component(_zone(zone, [each.starts_at for each in calendar.appointments]))
    for each in calendar.appointments:
        made = icalendar.Event()
        made.add("uid", each.uid)
        made.add("sequence", each.sequence)
        made.add("dtstamp", each.changed_at.astimezone(UTC))
        made.add("last-modified", each.changed_at.astimezone(UTC))
        made.add("dtstart", _moment(each.starts_at, zone))
        if each.ends_at is not None and each.ends_at > each.starts_at:
            made.add("dtend", _moment(each.ends_at, zone))
        made.add("status", str(each.status))
        made.add("transp", "OPAQUE" if each.is_own else "TRANSPARENT")
        made.add("url", each.url)
        for name in ("summary", "location", "description"):
            if text := _text(getattr(each, name)):
                made.add(name, text)
        book.add_component(made)
    content: bytes = book.to_ical()
    return content


def _text(text: str) -> str:
    """Text without what is no text; line breaks stay, and are written as they have to be."""
    return _NO_TEXT.sub("", text.replace("\r\n", "\n").replace("\r", "\n")).strip()


def _moment(instant: datetime, zone: ZoneInfo) -> datetime:
    """As the clocks of the venue show it. A time they show twice means the first to whoever reads it: then UTC."""
    return instant.astimezone(UTC if zone.key == "UTC" or comes_twice(instant, zone) else zone)


def _zone(zone: ZoneInfo, instants: Sequence[datetime]) -> Timezone:
    """How far the zone is ahead of UTC in the years of these instants, with each change of its clocks."""
    from icalendar import Timezone, TimezoneDaylight, TimezoneStandard

    first = datetime(min(instants).astimezone(zone).year, 1, 1, tzinfo=UTC) - _DAY
    last = datetime(max(instants).astimezone(zone).year + 1, 1, 1, tzinfo=UTC) + _DAY
    made = Timezone()
    made.add("tzid", zone.key)
    before = _ahead(first, zone)
    for change in (None, *_changes(zone, first, last)):
        at = first if change is None else change
        there, ahead = at.astimezone(zone), _ahead(at, zone)
        part = TimezoneDaylight() if there.dst() else TimezoneStandard()
        # An onset is what clocks showed that had not been changed: RFC 5545, 3.6.5.
        onset = datetime(1970, 1, 1) if change is None else (change + before).replace(tzinfo=None)  # noqa: DTZ001
        part.add("dtstart", onset)
        part.add("tzoffsetfrom", before)
        part.add("tzoffsetto", ahead)
        part.add("tzname", there.tzname() or zone.key)
        made.add_component(part)
        before = ahead
    return made


def _ahead(instant: datetime, zone: ZoneInfo) -> timedelta:
    return instant.astimezone(zone).utcoffset() or timedelta()


def _changes(zone: ZoneInfo, first: datetime, last: datetime) -> Iterator[datetime]:
    """The seconds, in UTC, at which the clocks of the zone are changed between two instants."""
    at = first
    while at < last:
        after = at + _DAY
        if _ahead(at, zone) != _ahead(after, zone):
            low, high = at, after
            while high - low > timedelta(seconds=1):
                middle = low + timedelta(seconds=int((high - low).total_seconds()) // 2)
                low, high = (low, middle) if _ahead(middle, zone) != _ahead(at, zone) else (middle, high)
            yield high
        at = after
