"""The clock of a round: how much time is left and when it is over, in real time whatever the clock on the wall does."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

_MS = timedelta(milliseconds=1)


@dataclass(frozen=True, slots=True)
class Clock:
    """A clock of `seconds` that runs since `started_at`.

    It stands since `paused_at`, None while it runs; `paused_ms` is how long it stood before that, in milliseconds.
    """

    seconds: int
    started_at: datetime
    paused_at: datetime | None = None
    paused_ms: int = 0


def time_left(clock: Clock, *, now: datetime, extra: int = 0) -> int:
    """What is left at a table that has `extra` seconds more, in milliseconds; negative once the time is over."""
    gone = _between(clock.started_at, clock.paused_at or now) - clock.paused_ms
    return (clock.seconds + extra) * 1000 - gone


def ends_at(clock: Clock, *, extra: int = 0) -> datetime | None:
    """The instant at which the time of such a table is over, in UTC; None while the clock stands."""
    if clock.paused_at is not None:
        return None
    length = timedelta(seconds=clock.seconds + extra, milliseconds=clock.paused_ms)
    return clock.started_at.astimezone(UTC) + length


def stood(clock: Clock, *, now: datetime) -> int:
    """How long the clock has stood in all if it goes on now, in milliseconds."""
    return clock.paused_ms + (_between(clock.paused_at, now) if clock.paused_at is not None else 0)


def clock_text(left: int) -> str:
    """Milliseconds as a clock shows them: "38:42", "0:00" at the very end, and "+2:10" after it.

    A second that has begun counts until it is over, so that a clock of fifty minutes begins with "50:00".
    """
    seconds = -(-left // 1000) if left > 0 else -left // 1000
    return f"{'+' if seconds and left < 0 else ''}{seconds // 60}:{seconds % 60:02}"


def _between(earlier: datetime, later: datetime) -> int:
    """Real milliseconds between two instants. In UTC: Python subtracts two times of one zone as the wall shows them."""
    return (later.astimezone(UTC) - earlier.astimezone(UTC)) // _MS
