"""The clock of a round: real time, pauses, more time, and nights when the clocks on the wall change."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from tournaments.engine.clocks import Clock, clock_text, ends_at, stood, time_left

START = datetime(2027, 5, 22, 14, 0, tzinfo=UTC)
ROUND = Clock(seconds=50 * 60, started_at=START)
BERLIN = ZoneInfo("Europe/Berlin")


def at(minutes: float) -> datetime:
    return START + timedelta(minutes=minutes)


def test_a_round_counts_down_and_goes_on_after_its_end() -> None:
    assert time_left(ROUND, now=START) == 3_000_000
    assert time_left(ROUND, now=at(20)) == 1_800_000
    assert time_left(ROUND, now=at(50)) == 0
    assert time_left(ROUND, now=at(52)) == -120_000
    assert ends_at(ROUND) == at(50)


def test_a_table_with_extra_time_ends_later_by_just_that() -> None:
    assert ends_at(ROUND, extra=180) == at(53)
    assert time_left(ROUND, now=at(50), extra=180) == 180_000


def test_a_clock_that_stands_has_no_end_and_loses_nothing() -> None:
    stands = Clock(seconds=3000, started_at=START, paused_at=at(20))
    assert ends_at(stands) is None
    assert time_left(stands, now=at(20)) == time_left(stands, now=at(25)) == 1_800_000
    assert stood(stands, now=at(25)) == 300_000
    goes_on = Clock(seconds=3000, started_at=START, paused_ms=300_000)
    assert ends_at(goes_on) == at(55)
    assert time_left(goes_on, now=at(25)) == 1_800_000
    again = Clock(seconds=3000, started_at=START, paused_at=at(30), paused_ms=300_000)
    assert time_left(again, now=at(90)) == 1_500_000
    assert stood(again, now=at(31)) == 360_000
    assert stood(goes_on, now=at(31)) == 300_000


@pytest.mark.parametrize(
    ("start", "fold", "end"),
    [
        (datetime(2027, 3, 28, 1, 30, tzinfo=BERLIN), 0, "03:20 CEST"),  # the hour from 2 to 3 is none
        (datetime(2026, 10, 25, 2, 40, tzinfo=BERLIN), 0, "02:30 CET"),  # twice: earlier on the wall, later in fact
        (datetime(2026, 10, 25, 2, 5, tzinfo=BERLIN), 1, "02:55 CET"),
        (datetime(2026, 10, 24, 23, 30, tzinfo=BERLIN), 0, "00:20 CEST"),
    ],
)
def test_tz_04_fifty_minutes_are_fifty_minutes_when_the_clocks_change(start: datetime, fold: int, end: str) -> None:
    begun = start.replace(fold=fold)
    clock = Clock(seconds=3000, started_at=begun)
    over = ends_at(clock)
    assert over is not None
    assert f"{over.astimezone(BERLIN):%H:%M %Z}" == end
    assert time_left(clock, now=begun) == 3_000_000
    assert time_left(clock, now=over.astimezone(BERLIN)) == 0
    assert over - begun.astimezone(UTC) == timedelta(minutes=50)


@pytest.mark.parametrize(
    ("left", "text"),
    [
        (3_000_000, "50:00"),
        (2_999_999, "50:00"),
        (2_999_000, "49:59"),
        (1, "0:01"),
        (0, "0:00"),
        (-999, "0:00"),
        (-1_000, "+0:01"),
        (-130_999, "+2:10"),
        (6_000_000, "100:00"),
    ],
)
def test_a_second_that_has_begun_counts_until_it_is_over(left: int, text: str) -> None:
    assert clock_text(left) == text
