"""The main job in a real browser: from an empty house and a real roster to a champion, then the best eight again."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.journeys.conftest import DESKTOP, PHONE, page_of
from tests.journeys.launched import ROOT, Launched, launched

pytestmark = pytest.mark.journey

ROSTER = ROOT / "tests" / "cases" / "rosters" / "starcon.csv"
PASSWORD = "twenty-is-the-limit"
SCORES = ("3–0", "3–1", "3–2", "2–3", "1–3", "0–3")


@pytest.fixture
def house(tmp_path: Path) -> Iterator[Launched]:
    """A house of our own, for its link opens once."""
    with launched(tmp_path / "data", DEMO="0") as copy:
        yield copy


@pytest.fixture
def organiser(browser: Browser, house: Launched) -> Iterator[Page]:
    """The first organiser, who has just come by the one-time link."""
    link = re.search(r"http://\S+/welcome/\S+/", house.said)
    assert link is not None
    with page_of(browser, DESKTOP) as page:
        page.goto(link[0])
        page.get_by_label("Address").fill("organiser@example.org")
        page.get_by_label("Password").fill(PASSWORD)
        page.get_by_role("button", name="Open the house").click()
        page.set_default_timeout(8000)
        yield page


def press(page: Page, name: str) -> None:
    """Press the one button or follow the one link of this name."""
    found = page.get_by_role("button", name=name).or_(page.get_by_role("link", name=name))
    found.first.click()


def make_event(page: Page) -> None:
    press(page, "Make your first event")
    page.get_by_label("Name").fill("StarCon 2027")
    page.get_by_label("First day").fill("2027-05-22")
    page.get_by_label("Zone").fill("Europe/Helsinki")
    press(page, "Make the event")


def make_referee(page: Page, *, name: str) -> str:
    """A link for a referee of the whole event; its address."""
    page.get_by_label("Who is it for").fill(name)
    press(page, "Make the link")
    return page.locator(".address a").get_attribute("href") or ""


def send_all(phone: Page, *, start: int) -> int:
    """Report every match the referee sees as a page without scripts would: by its form. How many there were."""
    phone.reload()
    forms = phone.locator("form[data-outbox]").evaluate_all(
        "forms => forms.map(form => [form.action, form.elements.key.value, form.elements.version.value])"
    )
    for place, (action, key, version) in enumerate(forms):
        result = SCORES[(start + place * 7) % 6].replace("–", "-")
        answer = phone.request.post(action, form={"key": key, "version": version, "result": result})
        assert answer.ok, answer.text()
    return len(forms)


def tap_all(phone: Page, *, start: int) -> int:
    """Report every match the referee sees with three taps: match, score, confirm. How many there were."""
    phone.reload()
    entered = 0
    cards = phone.locator("details.open")
    total = cards.count()
    while entered < total:
        card = cards.first
        card_id = phone.locator("li:has(> details.open)").first.get_attribute("id")
        if card.get_attribute("open") is None:
            card.locator("summary").first.click()
        card.get_by_text(SCORES[(start + entered * 7) % 6], exact=True).click()
        card.get_by_role("button", name="Confirm").click()
        expect(phone.locator(f"#{card_id}")).to_have_count(0)
        entered += 1
    return entered


def test_from_a_roster_to_a_champion(organiser: Page, browser: Browser) -> None:
    desk = organiser
    make_event(desk)
    event_desk = desk.url
    press(desk, "New tournament")
    desk.get_by_label("Name").fill("Swiss, main event")
    press(desk, "Make the tournament")
    tournament_desk = desk.url.removesuffix("roster/")

    press(desk, "Import a list")
    desk.get_by_label("The list").set_input_files(ROSTER)
    press(desk, "Look at it")
    expect(desk.get_by_role("heading", level=1)).to_have_text("37 players would be added")
    press(desk, "Add 37 players")

    desk.goto(tournament_desk)
    press(desk, "Open check-in")
    press(desk, "All are here")
    press(desk, "Start the tournament")
    expect(desk.get_by_role("heading", level=1)).to_have_text("Round 1 is a draft")
    public = tournament_desk.replace("/desk/", "/")

    desk.goto(f"{event_desk}staff/")
    link = make_referee(desk, name="Marta")
    with page_of(browser, PHONE) as phone, page_of(browser, DESKTOP) as hall:
        hall.goto(public)
        phone.goto(link)
        expect(phone.get_by_text("Nothing to enter")).to_be_visible()
        for round_number in range(1, 7):
            desk.goto(tournament_desk)
            if round_number > 1:
                press(desk, "Pair it")
            press(desk, "Publish")
            # The hall sees the round without doing anything.
            expect(hall.get_by_role("heading", level=1)).to_have_text(f"Round {round_number} of 6 is being played")
            enter = tap_all if round_number in (1, 6) else send_all
            assert enter(phone, start=round_number) == 18
        expect(hall.get_by_text("Round 6, finished")).to_be_visible()
        desk.goto(tournament_desk)
        press(desk, "Finish")
        expect(hall.get_by_role("heading", level=1)).to_have_text(re.compile(r".+ wins$"))
        assert hall.locator("table.grid tbody tr").count() == 37

        desk.goto(tournament_desk)
        press(desk, "Play on with the best")
        desk.get_by_label("How many play on").fill("8")
        desk.get_by_label("Name").fill("The cup")
        press(desk, "Make the cup")
        expect(desk.get_by_role("heading", level=1)).to_have_text("Check-in is open")
        cup_desk = desk.url
        cup = cup_desk.replace("/desk/", "/").removesuffix("roster/")
        press(desk, "Start the tournament")
        press(desk, "Publish")
        hall.goto(f"{cup}bracket/")
        assert [tap_all(phone, start=n) for n in range(3)] == [4, 2, 1]
        desk.goto(cup_desk)
        press(desk, "Finish")
        hall.goto(cup)
        expect(hall.get_by_role("heading", level=1)).to_have_text(re.compile(r".+ wins$"))
