"""Wall time: what the clocks of a place show, and which instant that is, also in the nights the clocks change."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo


@dataclass(frozen=True, slots=True)
class Skipped:
    """A time the clocks never show, for they go forward over it; `instead` is what they show then."""

    instead: datetime


def instant_of(wall: datetime, zone: tzinfo) -> datetime | Skipped:
    """The instant, in UTC, at which the clocks of the zone show this time; of two the first.

    In UTC, for instants of different zones never compare as equal in an hour that comes twice (PEP 495).
    """
    wall = wall.replace(tzinfo=None, fold=0)
    instant = wall.replace(tzinfo=zone).astimezone(UTC)
    shown = instant.astimezone(zone).replace(tzinfo=None, fold=0)
    return instant if shown == wall else Skipped(shown)


def comes_twice(instant: datetime, zone: tzinfo) -> bool:
    """Whether the clocks of the zone show the time of this instant twice: before and after they go back."""
    there = instant.astimezone(zone)
    return there.replace(fold=0).utcoffset() != there.replace(fold=1).utcoffset()


def offset_text(instant: datetime, zone: tzinfo) -> str:
    """How far the clocks of the zone are ahead of UTC at this instant, as people write it: "UTC+2", "UTC−3:30"."""
    ahead = instant.astimezone(zone).utcoffset() or timedelta()
    minutes = round(ahead.total_seconds() / 60)
    hours, rest = divmod(abs(minutes), 60)
    return f"UTC{'−' if minutes < 0 else '+'}{hours}" + (f":{rest:02}" if rest else "")
