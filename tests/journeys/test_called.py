"""A player's open page is called to a table, rings once, answers; the referee's page shows the answer."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from datetime import UTC, datetime

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.journeys.conftest import DESKTOP, PHONE, page_of
from tests.journeys.launched import Launched
from tests.journeys.people import Organiser

pytestmark = pytest.mark.journey

NAMES = ("Vima", "Crado")


@pytest.fixture
def pages(browser: Browser) -> Iterator[list[Page]]:
    """A phone and the referee's desk."""
    with ExitStack() as stack:
        yield [stack.enter_context(page_of(browser, options)) for options in (PHONE, DESKTOP)]


def test_a_player_is_called_and_comes(demo_server: Launched, pages: list[Page]) -> None:
    phone, desk = pages
    organiser = Organiser(demo_server)
    event = {"name": "The queue", "zone": "Europe/Riga", "starts_on": f"{datetime.now(UTC):%Y-%m-%d}"}
    organiser.event = organiser.ask("events/", event)["id"]
    organiser.ask(f"events/{organiser.event}/tables/", {"numbers": [7]})
    facts = {"format": "single_elimination", "seeding": "hand", "seating": "queue"}
    tournament = organiser.tournament(name="By the queue", **facts)
    players = organiser.enter(tournament, *NAMES)
    vima = organiser.own_link(organiser.helper(tournament, "desk", "Olli"), players[0])
    phone.goto(demo_server.url + vima)
    desk.goto(organiser.helper(tournament, "referee", "Marta"))
    expect(phone.locator("[data-live-state]")).to_be_visible()

    for act in ("check-in-all", "start", "publish"):
        organiser.ask(f"tournaments/{tournament}/{act}/", {})
    headline = phone.get_by_role("heading", level=1)
    expect(headline).to_have_text("Table 7 now: you play Crado")
    told = phone.evaluate("localStorage.getItem('call.told')")
    match = int(told.partition("/")[0])
    expect(desk.locator(f"#open-{match}")).to_contain_text("Called · Final")
    phone.reload()
    expect(headline).to_have_text("Table 7 now: you play Crado")
    assert phone.evaluate("localStorage.getItem('call.told')") == told

    phone.get_by_role("button", name="I’m coming").click()
    expect(headline).to_have_text("Go to table 7")
    expect(phone.get_by_text("You said that you come")).to_be_visible()
    desk.locator(f"#open-{match} summary").first.click()
    expect(desk.locator(f"#called-{match}")).to_contain_text("Vima comes")
    expect(desk.locator(f"#called-{match}")).to_contain_text("Crado has not answered yet")
    (row,) = [
        row for row in organiser.ask(f"tournaments/{tournament}/open-matches/")["results"] if row["table"] is not None
    ]
    answered = {row[side]["name"]: bool(row[f"coming_{side}_at"]) for side in ("a", "b")}
    assert (row["table"], row["match"]["id"], answered) == (7, match, {"Vima": True, "Crado": False})
