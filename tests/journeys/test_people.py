"""An entry desk without a network, in a real browser."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.journeys.conftest import PHONE, page_of
from tests.journeys.launched import Launched
from tests.journeys.people import Organiser

pytestmark = pytest.mark.journey


@pytest.fixture
def organiser(demo_server: Launched) -> Organiser:
    return Organiser(demo_server)


@pytest.fixture
def helper(browser: Browser) -> Iterator[Page]:
    """The phone of a helper."""
    with page_of(browser, PHONE) as page:
        yield page


def test_rc_08_a_desk_without_a_network_checks_in_and_the_next_helper_on_the_phone_sends_it(
    organiser: Organiser, helper: Page
) -> None:
    names = [f"Player {number:02}" for number in range(1, 13)]
    tournament = organiser.tournament(name="By the desk")
    organiser.enter(tournament, *names)
    organiser.ask(f"tournaments/{tournament}/open-check-in/", {})
    olli, marta = (organiser.helper(tournament, "desk", name) for name in ("Olli", "Marta"))
    helper.goto(olli)
    helper.context.set_offline(True)
    for name in names:
        helper.get_by_role("button", name=f"Check in {name}", exact=True).click()
    expect(helper.locator("[data-outbox-title]")).to_have_text("Not sent (12)")
    assert organiser.here(tournament) == []

    helper.context.set_offline(False)
    helper.goto(marta)
    expect(helper.get_by_role("heading", name="12 of 12 are here")).to_be_visible()
    expect(helper.locator("[data-outbox-box]")).to_be_hidden()
    assert sorted(organiser.here(tournament)) == names
    helper.goto(f"{organiser.copy.url}/sign-in/?next=/desk/events/{organiser.event}/log/")
    helper.get_by_label("Address").first.fill(organiser.copy.demo["organiser"]["email"])
    helper.get_by_label("Password").fill(organiser.copy.demo["organiser"]["password"])
    helper.get_by_role("button", name="Sign in", exact=True).click()
    for name in names:
        expect(helper.locator(".log li", has_text=f"Checked in {name}.")).to_have_count(1)
        expect(helper.locator(".log li", has_text=f"Checked in {name}.")).to_contain_text("Olli")
