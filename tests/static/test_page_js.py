"""Small conveniences of pages."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from playwright.sync_api import Page, expect

PAGE_JS = Path(__file__).resolve().parents[2] / "static/js/page.js"


def test_minutes_since_a_call_go_on_while_the_page_stands_open(page: Page) -> None:
    page.clock.install(time=datetime(2027, 5, 22, 10, 4, 10, tzinfo=UTC))
    page.set_content('<p>Calls since 13:00 (<span data-minutes-since="2027-05-22T13:00:00+03:00">0</span> min)</p>')
    page.add_script_tag(path=PAGE_JS, type="module")
    expect(page.locator("p")).to_have_text("Calls since 13:00 (4 min)")
    page.clock.fast_forward(120_000)
    expect(page.locator("p")).to_have_text("Calls since 13:00 (6 min)")
