"""A match on two phones with somebody watching: no network for a while, a reload in the middle, a result like any."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import ExitStack

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.journeys.conftest import DESKTOP, PHONE, page_of
from tests.journeys.launched import Launched, until
from tests.journeys.people import Organiser

pytestmark = pytest.mark.journey

NAMES = ("Атрис", "Bao-Dur", "Carth", "Dustil")
MOST_TURNS = 400
STANDS_AT = 17


@pytest.fixture
def pages(browser: Browser) -> Iterator[list[Page]]:
    """Two phones and a desk."""
    with ExitStack() as stack:
        yield [stack.enter_context(page_of(browser, options)) for options in (PHONE, PHONE, DESKTOP)]


def sets(page: Page) -> list[int]:
    """Sets won by each side, as the page shows them, the first side first."""
    boards = page.locator(".board").all()
    return [board.locator(".pips .on").count() for board in boards]


def total(page: Page) -> int:
    return int(page.locator(".board .total").first.inner_text())


def test_a_whole_match(demo_server: Launched, pages: list[Page]) -> None:
    organiser = Organiser(demo_server)
    tournament = organiser.tournament(name="On two phones", format="single_elimination", seeding="hand")
    organiser.enter(tournament, *NAMES)
    organiser.ask(f"tournaments/{tournament}/play/", {"way": "here", "turn_seconds": 600}, method="PATCH")
    ways = organiser.begin(tournament, organiser.helper(tournament, "desk", "Olli"))
    rows = organiser.ask(f"tournaments/{tournament}/open-matches/")["results"]
    (table, match), (_table, other) = sorted((row["table"], row["match"]["id"]) for row in rows)
    players = ways[table]
    a, b, watcher = pages
    for page, (_name, link) in zip((a, b), players, strict=True):
        page.goto(demo_server.url + link)
        page.get_by_role("link", name="Play now").click()
    watcher.goto(f"{demo_server.url}/t/{tournament}/matches/{match}/")
    a.get_by_role("button", name="Sit down").click()
    expect(b.get_by_role("button", name="I am ready")).to_be_visible()
    for page in (a, b):
        page.get_by_role("button", name="I am ready").click()
    for page in pages:
        expect(page.locator(".board")).to_have_count(2)

    was_away = was_reloaded = False
    for turn in range(MOST_TURNS):
        if a.locator(".after").count():
            break
        mover = next((page for page in (a, b) if page.locator("[data-my-turn]").count()), None)
        if mover is None:
            follow(a, b)
            continue
        at = position(mover)
        stands = total(mover) >= STANDS_AT
        button = mover.locator(f"button[value={'stand' if stands else 'end'}]")
        if turn > 2 and not was_away:
            mover.context.set_offline(True)
            button.click()
            expect(mover.locator("[data-play-line]")).to_contain_text("Waiting to be sent")
            assert position(watcher) == at
            mover.context.set_offline(False)
            was_away = True
        else:
            button.click()
        expect(mover.locator(".table")).not_to_have_attribute("data-game-position", at)
        if was_away and not was_reloaded:
            a.reload()
            b.reload()
            was_reloaded = True
        now = position(mover)
        for page in pages:
            expect(page.locator(".table")).to_have_attribute("data-game-position", now)
    assert (was_away, was_reloaded) == (True, True)

    won = sets(a)
    assert (max(won), sets(b), sets(watcher)) == (3, won[::-1], won)
    expect(a.locator("[data-headline]")).to_have_text(re.compile("You (win|lose)"))
    winner, loser = players[won.index(3)][0], players[1 - won.index(3)][0]
    watcher.goto(f"{demo_server.url}/t/{tournament}/standings/")
    expect(watcher.locator("tbody tr", has_text=winner)).to_contain_text("Still in.")
    expect(watcher.locator("tbody tr", has_text=loser)).not_to_contain_text("Still in.")
    told = {"kind": "score", "sets": [3, 1], "version": 0}
    organiser.ask(f"tournaments/{tournament}/matches/{other}/result/", told, method="PUT", key=f"other-{other:04}")
    until(
        lambda: [
            row
            for row in organiser.ask(f"tournaments/{tournament}/open-matches/")["results"]
            if winner in (row["a"]["name"], row["b"]["name"])
        ],
        saying="the final",
    )


def position(page: Page) -> str:
    return page.locator(".table").get_attribute("data-game-position") or ""


def follow(a: Page, b: Page) -> None:
    """Nobody is to act: a set is over, or the page of whoever is to act has not heard yet."""
    following = a.locator("button[value=next]")
    if following.count():
        at = position(a)
        following.click()
        for page in (a, b):
            expect(page.locator(".table")).not_to_have_attribute("data-game-position", at)
    else:
        a.wait_for_selector("[data-my-turn], .after, button[value=next]", timeout=1_000, state="attached")
