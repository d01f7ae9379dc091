"""What clocks show and which instant that is, in zones whose clocks change, by half an hour too, or never do."""

from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from tournaments.engine.walltime import Skipped, comes_twice, instant_of, offset_text


def at(text: str) -> datetime:
    return datetime.fromisoformat(text)


@pytest.mark.parametrize(
    ("zone", "wall", "instant", "offset"),
    [
        ("UTC", "2027-05-22T10:00", "2027-05-22T10:00Z", "UTC+0"),
        ("Europe/Berlin", "2026-10-24T11:00", "2026-10-24T09:00Z", "UTC+2"),
        ("Europe/Berlin", "2026-10-25T11:00", "2026-10-25T10:00Z", "UTC+1"),
        ("Europe/Moscow", "2026-10-25T13:00", "2026-10-25T10:00Z", "UTC+3"),
        ("Asia/Kolkata", "2027-05-22T10:00", "2027-05-22T04:30Z", "UTC+5:30"),
        ("Asia/Kathmandu", "2027-05-22T10:00", "2027-05-22T04:15Z", "UTC+5:45"),
        ("Australia/Lord_Howe", "2027-01-15T12:00", "2027-01-15T01:00Z", "UTC+11"),
        ("Australia/Lord_Howe", "2027-07-15T12:00", "2027-07-15T01:30Z", "UTC+10:30"),
        ("America/St_Johns", "2027-01-15T12:00", "2027-01-15T15:30Z", "UTC−3:30"),
        ("America/St_Johns", "2027-07-15T12:00", "2027-07-15T14:30Z", "UTC−2:30"),
        ("Pacific/Chatham", "2027-01-15T12:00", "2027-01-14T22:15Z", "UTC+13:45"),
        ("Pacific/Chatham", "2027-07-15T12:00", "2027-07-14T23:15Z", "UTC+12:45"),
        ("America/Los_Angeles", "2026-08-31T17:30", "2026-09-01T00:30Z", "UTC−7"),
    ],
)
def test_a_time_is_one_instant_by_the_clocks_of_its_day(zone: str, wall: str, instant: str, offset: str) -> None:
    there = ZoneInfo(zone)
    found = instant_of(at(wall), there)
    assert found == at(instant)
    assert isinstance(found, datetime)
    assert (found.tzinfo, found.astimezone(there).replace(tzinfo=None)) == (UTC, at(wall))
    assert (offset_text(found, there), comes_twice(found, there)) == (offset, False)


@pytest.mark.parametrize(
    ("zone", "wall", "instead"),
    [
        ("Europe/Berlin", "2027-03-28T02:00", "2027-03-28T03:00"),
        ("Europe/Berlin", "2027-03-28T02:30", "2027-03-28T03:30"),
        ("Australia/Lord_Howe", "2027-10-03T02:15", "2027-10-03T02:45"),
        ("America/St_Johns", "2027-03-14T02:30", "2027-03-14T03:30"),
        ("Pacific/Chatham", "2027-09-26T03:00", "2027-09-26T04:00"),
        ("Africa/Cairo", "2027-04-30T00:30", "2027-04-30T01:30"),
    ],
)
def test_a_time_the_clocks_skip_is_none_and_another_is_shown_instead(zone: str, wall: str, instead: str) -> None:
    assert instant_of(at(wall), ZoneInfo(zone)) == Skipped(at(instead))


@pytest.mark.parametrize(
    ("zone", "wall", "first", "second"),
    [
        ("Europe/Berlin", "2026-10-25T02:30", ("2026-10-25T00:30Z", "UTC+2"), ("2026-10-25T01:30Z", "UTC+1")),
        (
            "Australia/Lord_Howe",
            "2027-04-04T01:45",
            ("2027-04-03T14:45Z", "UTC+11"),
            ("2027-04-03T15:15Z", "UTC+10:30"),
        ),
        ("America/St_Johns", "2027-11-07T01:30", ("2027-11-07T04:00Z", "UTC−2:30"), ("2027-11-07T05:00Z", "UTC−3:30")),
        ("Pacific/Chatham", "2027-04-04T03:00", ("2027-04-03T13:15Z", "UTC+13:45"), ("2027-04-03T14:15Z", "UTC+12:45")),
    ],
)
def test_of_two_instants_the_clocks_show_alike_the_first_is_meant(
    zone: str, wall: str, first: tuple[str, str], second: tuple[str, str]
) -> None:
    there = ZoneInfo(zone)
    assert instant_of(at(wall), there) == at(first[0])
    for instant, offset in (first, second):
        assert at(instant).astimezone(there).replace(tzinfo=None, fold=0) == at(wall)
        assert (comes_twice(at(instant), there), offset_text(at(instant), there)) == (True, offset)
