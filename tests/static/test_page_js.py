"""Small conveniences of pages."""

from __future__ import annotations

from datetime import UTC, date, datetime
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tournaments.models import Event
from tournaments.templatetags.cantina import venue_day, venue_time

PAGE_JS = Path(__file__).resolve().parents[2] / "static/js/page.js"


def test_minutes_since_a_call_go_on_while_the_page_stands_open(page: Page) -> None:
    page.clock.install(time=datetime(2027, 5, 22, 10, 4, 10, tzinfo=UTC))
    page.set_content('<p>Calls since 13:00 (<span data-minutes-since="2027-05-22T13:00:00+03:00">0</span> min)</p>')
    page.add_script_tag(path=PAGE_JS, type="module")
    expect(page.locator("p")).to_have_text("Calls since 13:00 (4 min)")
    page.clock.fast_forward(120_000)
    expect(page.locator("p")).to_have_text("Calls since 13:00 (6 min)")


BERLIN = Event(zone="Europe/Berlin", starts_on=date(2026, 10, 24), ends_on=date(2026, 10, 25))
TIMES = (
    f"<p>Starts {venue_day(datetime(2026, 10, 24, 9, tzinfo=UTC), BERLIN)}</p>"
    f"<p>Starts {venue_day(datetime(2026, 10, 25, 10, tzinfo=UTC), BERLIN)}</p>"
    f"<p>Starts {venue_day(datetime(2026, 10, 24, 21, 30, tzinfo=UTC), BERLIN)}</p>"
    f"<p>made {venue_time(datetime(2026, 10, 20, 9, tzinfo=UTC), BERLIN)}</p>"
)


@pytest.mark.parametrize(
    ("language", "zone", "told"),
    [
        (
            "en",
            "Europe/Moscow",
            [
                "Starts Sat 24 Oct, 11:00, Berlin (12:00 your time)",
                "Starts Sun 25 Oct, 11:00, Berlin (13:00 your time)",
                "Starts Sat 24 Oct, 23:30, Berlin (Sun 25 Oct, 00:30 your time)",
                "made 20 October, 11:00 Berlin",
            ],
        ),
        (
            "ru",
            "America/St_Johns",
            [
                "Starts Sat 24 Oct, 11:00, Berlin (06:30 your time)",
                "Starts Sun 25 Oct, 11:00, Berlin (07:30 your time)",
                "Starts Sat 24 Oct, 23:30, Berlin (19:00 your time)",
                "made 20 October, 11:00 Berlin",
            ],
        ),
        (
            "en",
            "Europe/Paris",
            [
                "Starts Sat 24 Oct, 11:00, Berlin",
                "Starts Sun 25 Oct, 11:00, Berlin",
                "Starts Sat 24 Oct, 23:30, Berlin",
                "made 20 October, 11:00",
            ],
        ),
    ],
)
def test_tz_01_a_reader_elsewhere_is_told_their_own_time_second(
    browser: Browser, language: str, zone: str, told: list[str]
) -> None:
    context = browser.new_context(timezone_id=zone)
    page = context.new_page()
    page.set_content(f'<html lang="{language}"><body>{TIMES}</body></html>')
    page.add_script_tag(path=PAGE_JS, type="module")
    expect(page.locator("p")).to_have_text(told)
    context.close()
