"""Times of the venue, as readers at the venue and elsewhere see them."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, expect

from tests.journeys.conftest import DESKTOP, page_of
from tests.journeys.launched import Launched

pytestmark = pytest.mark.journey


@pytest.mark.parametrize(("zone", "told"), [("Europe/Helsinki", ""), ("Europe/Lisbon", " Helsinki")])
def test_whoever_is_elsewhere_is_told_whose_clock_it_is(
    browser: Browser, demo_server: Launched, zone: str, told: str
) -> None:
    with page_of(browser, {**DESKTOP, "timezone_id": zone}) as page:
        page.goto(f"{demo_server.url}/t/1/")
        time = page.locator("time[data-zone]").first
        expect(time).to_have_attribute("data-told", "yes")
        shown = time.inner_text()
        assert shown.removesuffix(" Helsinki") + told == shown
