"""Times of a venue in words, each by the clocks of its own day."""

from __future__ import annotations

from datetime import date, datetime

import pytest

from tournaments.models import Event
from tournaments.templatetags.cantina import venue_day, venue_time


@pytest.mark.parametrize(
    ("zone", "starts_at", "told", "machine"),
    [
        ("Europe/Berlin", "2026-10-24T09:00Z", "Sat 24 Oct, 11:00, Berlin", "2026-10-24T11:00:00+02:00"),
        ("Europe/Berlin", "2026-10-25T10:00Z", "Sun 25 Oct, 11:00, Berlin", "2026-10-25T11:00:00+01:00"),
        ("Asia/Kolkata", "2026-10-25T05:30Z", "Sun 25 Oct, 11:00, Kolkata", "2026-10-25T11:00:00+05:30"),
        ("Asia/Kathmandu", "2026-10-25T05:15Z", "Sun 25 Oct, 11:00, Kathmandu", "2026-10-25T11:00:00+05:45"),
        (
            "Australia/Lord_Howe",
            "2026-10-25T00:00Z",
            "Sun 25 Oct, 11:00, Lord Howe Island",
            "2026-10-25T11:00:00+11:00",
        ),
        ("America/St_Johns", "2026-10-25T13:30Z", "Sun 25 Oct, 11:00, St. John’s", "2026-10-25T11:00:00-02:30"),
        ("Pacific/Chatham", "2026-10-24T21:15Z", "Sun 25 Oct, 11:00, Chatham Islands", "2026-10-25T11:00:00+13:45"),
        ("Europe/Berlin", "2026-10-25T00:30Z", "Sun 25 Oct, 02:30 (UTC+2), Berlin", "2026-10-25T02:30:00+02:00"),
        ("Europe/Berlin", "2026-10-25T01:30Z", "Sun 25 Oct, 02:30 (UTC+1), Berlin", "2026-10-25T02:30:00+01:00"),
        ("UTC", "2026-10-25T11:00Z", "Sun 25 Oct, 11:00, UTC", "2026-10-25T11:00:00+00:00"),
    ],
)
def test_tz_01_a_start_is_told_by_the_clocks_of_its_day(zone: str, starts_at: str, told: str, machine: str) -> None:
    event = Event(zone=zone, starts_on=date(2026, 10, 24), ends_on=date(2026, 10, 25))
    words = f'data-zone="{zone}" data-yours="{{time}} your time"'
    assert venue_day(datetime.fromisoformat(starts_at), event) == f'<time datetime="{machine}" {words}>{told}</time>'


@pytest.mark.parametrize(
    ("instant", "told"),
    [
        ("2026-10-24T23:59Z", "01:59"),
        ("2026-10-25T00:30Z", "02:30 (UTC+2)"),
        ("2026-10-25T01:30Z", "02:30 (UTC+1)"),
        ("2026-10-25T02:00Z", "03:00"),
    ],
)
def test_of_a_time_that_comes_twice_it_is_told_which_it_is(instant: str, told: str) -> None:
    event = Event(zone="Europe/Berlin", starts_on=date(2026, 10, 25), ends_on=date(2026, 10, 25))
    assert f'data-city="Berlin">{told}</time>' in venue_time(datetime.fromisoformat(instant), event)


def test_no_time_is_no_words() -> None:
    event = Event(zone="Europe/Berlin", starts_on=date(2026, 10, 25), ends_on=date(2026, 10, 25))
    assert (venue_day(None, event), venue_time(None, event)) == ("", "")
