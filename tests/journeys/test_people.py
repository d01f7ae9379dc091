"""People at a tournament in a real browser: a player by their own link, an entry desk without a network, a referee."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any
from urllib.request import Request, urlopen

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.journeys.conftest import PHONE, page_of
from tests.journeys.launched import Launched

pytestmark = pytest.mark.journey


class Organiser:
    """The demo's organiser, who does by the API what the journey is not about."""

    def __init__(self, copy: Launched) -> None:
        self.copy = copy
        self.event = self.ask("events/")["results"][0]["id"]

    def ask(self, path: str, body: dict[str, Any] | None = None) -> Any:
        """What the API answers: to a question, or with a body to an act."""
        headers = {
            "Authorization": f"Bearer {self.copy.demo['organiser']['token']}",
            "Content-Type": "application/json",
        }
        data = None if body is None else json.dumps(body).encode()
        with urlopen(Request(f"{self.copy.url}/api/{path}", data, headers), timeout=20) as answer:  # noqa: S310
            return json.load(answer)

    def tournament(self, **facts: Any) -> int:
        """A new tournament in the demo's event; its id."""
        made: int = self.ask(f"events/{self.event}/tournaments/", facts)["id"]
        return made

    def enter(self, tournament: int, *names: str) -> list[int]:
        return [self.ask(f"tournaments/{tournament}/entries/", {"name": name})["id"] for name in names]

    def helper(self, tournament: int, role: str, name: str) -> str:
        """The address of a new helper's link."""
        facts = {"role": role, "name": name, "tournament": tournament, "hours": 8}
        found: str = self.ask(f"events/{self.event}/staff-links/", facts)["url"]
        return re.sub(r"^https?://[^/]+", self.copy.url, found)

    def here(self, tournament: int) -> list[str]:
        rows = self.ask(f"tournaments/{tournament}/entries/")["results"]
        return [row["name"] for row in rows if row["checked_in_at"]]


@pytest.fixture
def organiser(demo_server: Launched) -> Organiser:
    return Organiser(demo_server)


@pytest.fixture
def helper(browser: Browser) -> Iterator[Page]:
    """The phone of a helper."""
    with page_of(browser, PHONE) as page:
        yield page


def headline(page: Page, text: str) -> None:
    expect(page.get_by_role("heading", level=1)).to_have_text(text)


def test_a_player_registers_checks_in_finds_the_table_and_tells_the_result(
    organiser: Organiser, phone: Page, helper: Page
) -> None:
    facts = {"registration": True, "players_report": True, "no_show_minutes": 5}
    tournament = organiser.tournament(name="By own link", **facts)
    phone.goto(f"{organiser.copy.url}/t/{tournament}/register/")
    phone.get_by_label("Name or nickname").fill("Дроид HK")
    phone.get_by_label("Yes: on pairings").check()
    phone.get_by_role("button", name="Register").click()
    headline(phone, "You are registered")
    phone.get_by_role("link", name="Open my page").click()
    expect(phone.get_by_text("Check-in is not open yet.")).to_be_visible()

    (other,) = organiser.enter(tournament, "Juhani")
    organiser.ask(f"tournaments/{tournament}/open-check-in/", {})
    headline(phone, "Check-in is open")  # by itself
    phone.get_by_role("button", name="I am here").click()
    headline(phone, "You are checked in")
    organiser.ask(f"tournaments/{tournament}/entries/{other}/check-in/", {})
    organiser.ask(f"tournaments/{tournament}/start/", {})
    organiser.ask(f"tournaments/{tournament}/publish/", {})

    headline(phone, "Go to table 1")
    expect(phone.locator(".ticket")).to_contain_text("against")
    expect(phone.locator(".ticket")).to_contain_text("Juhani")
    phone.get_by_role("button", name="I am at the table").click()
    expect(phone.get_by_text("You are at the table")).to_be_visible()
    helper.goto(organiser.helper(tournament, "referee", "Marta"))
    helper.locator("details.open > summary").click()
    expect(helper.get_by_text("At the table: Дроид HK")).to_be_visible()

    phone.locator("#report .key").first.click()
    phone.get_by_role("button", name="Report this result").click()
    expect(phone.locator("#report")).to_contain_text("You reported at")
    assert phone.evaluate("document.documentElement.scrollWidth") == 390


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
