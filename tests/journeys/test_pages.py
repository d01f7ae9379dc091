"""Public pages and helpers' pages with the most difficult names, for every reader: both themes, desktop and phone."""

from __future__ import annotations

import mimetypes
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.contrib.staticfiles import finders
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import Browser, Page, Route

from players.permissions import Role
from tests.factories import NOW, make_entry, make_event, make_tournament, organiser
from tests.tournaments.play import count_up, draft, pairings, play_open, publish, report, start
from tournaments.actions import rounds, staff
from tournaments.models import Event, Tournament
from tournaments.permissions import entry_token, link_token

pytestmark = [pytest.mark.journey, pytest.mark.django_db]

NAMES = (
    "W" * 120,
    "Капитан «Чёрного Ястреба» и его неразлучный дроид",
    "😀" * 120,
    "👨‍👩‍👧‍👦" * 10,
    "مرحبا بالعالم كيف حالك اليوم",
    "カ" * 40,
    "e" + "\u0301\u0316" * 30,
    "<svg/onload=alert(1)>",
    "Juhani",
)
SIZES: dict[str, dict[str, Any]] = {
    "desktop": {"viewport": {"width": 1280, "height": 800}},
    "phone": {"viewport": {"width": 390, "height": 844}},
}
SMALL_TARGETS = """() => [...document.querySelectorAll("button, summary, select, .key, .choice, a.btn, input")]
  .filter(element => !(element.matches("input") && element.closest("label")))
  .map(element => [element, element.getBoundingClientRect()])
  .filter(([element, box]) => box.width && element.checkVisibility({opacityProperty: true}) && box.height < 44)
  .map(([element]) => element.outerHTML)"""
HOST = "http://cantina.test"


def field(tournament: Tournament) -> Tournament:
    for place, name in enumerate(NAMES):
        make_entry(tournament=tournament, name=name, rating=2000 - place, here=True)
    return tournament


def link(event: Event, role: Role) -> str:
    made = staff.create_link(
        event_id=event.pk,
        tournament_id=None,
        role=role,
        name=NAMES[0],
        expires_at=timezone.now() + timedelta(hours=8),
        by=organiser(of=event),
        now=NOW,
    )
    return reverse("staff_link", args=[link_token(made)])


@pytest.fixture
def pages() -> dict[str, str]:
    """Every kind of page in a telling state, as the server writes it, by its address."""
    event = make_event(name=NAMES[1], place=NAMES[0])
    asking: dict[str, Any] = {"players_report": True, "no_show_minutes": 10}
    swiss = field(make_tournament(event=event, name=NAMES[0], seeding="rating", **asking))
    start(swiss)
    play_open(swiss)
    draft(swiss)
    publish(swiss)
    report(pairings(swiss, 2)[0], (3, 2))
    cup = field(make_tournament(event=event, name="Cup", format="single_elimination", seeding="rating"))
    start(cup)
    play_open(cup)
    league = field(make_tournament(event=event, name="League", format="round_robin", seeding="rating"))
    start(league)
    play_open(league)
    rounds.finish_tournament(tournament_id=league.pk, by=organiser(of=league), now=NOW)
    count_up(league)
    roster = field(make_tournament(event=event, name="Open"))
    addresses = ["/", reverse("event", args=[event.pk])]
    addresses += [reverse("tournament", args=[each.pk]) for each in (swiss, cup, league, roster)]
    addresses += [reverse("standings", args=[each.pk]) for each in (swiss, league)]
    addresses += [f"{reverse('pairings', args=[swiss.pk])}?by={by}" for by in ("table", "name")]
    addresses += [f"{reverse('bracket', args=[cup.pk])}{view}" for view in ("", "?view=list")]
    addresses += [reverse("hall", args=[swiss.pk]), f"{reverse('tournament', args=[swiss.pk])}?q=w"]
    desk = link(event, Role.DESK).split("/")[2]
    addresses += [link(event, Role.REFEREE), link(event, Role.DESK), reverse("staff_roster", args=[desk, roster.pk])]
    players = [pairings(swiss, 2)[1].a, pairings(league)[0].a, roster.entries.order_by("pk")[0]]
    addresses += [reverse("own_page", args=[entry_token(player)]) for player in players]
    return {address: Client().get(address).content.decode() for address in addresses}


def faults(page: Page) -> list[tuple[str, str]]:
    """What axe has against a page, each with the first place it found."""
    return [(each["id"], each["nodes"][0]["html"]) for each in Axe().run(page).response["violations"]]


def serve(route: Route, pages: dict[str, str]) -> None:
    """Answer for the server: the pages as it wrote them, and the static files."""
    parts = urlsplit(route.request.url)
    address = parts.path + (f"?{parts.query}" if parts.query else "")
    if address in pages:
        route.fulfill(body=pages[address], content_type="text/html; charset=utf-8")
    elif parts.path.startswith("/static/"):
        file = Path(str(finders.find(parts.path.removeprefix("/static/"))))
        route.fulfill(path=file, content_type=mimetypes.guess_type(file)[0] or "font/woff2")
    else:
        route.fulfill(status=404)


@pytest.mark.parametrize("size", sorted(SIZES))
def test_pages_are_for_every_reader_whatever_people_are_called(
    browser: Browser, pages: dict[str, str], size: str
) -> None:
    """NA-04: nothing overlaps sideways, the score stays in sight; axe finds nothing; a finger meets what it aims at."""
    context = browser.new_context(**SIZES[size], color_scheme="dark", reduced_motion="reduce")
    context.route("**/*", partial(serve, pages=pages))
    page = context.new_page()
    found: list[tuple[str, Any]] = []
    for address in pages:
        page.goto(HOST + address)
        if page.locator("details.open > summary").count():
            page.locator("details.open > summary").first.click()
        found += [(address, each) for each in faults(page)]
        page.emulate_media(color_scheme="light")
        found += [(address, each) for each in faults(page)]
        page.emulate_media(color_scheme="dark")
        if page.evaluate("document.documentElement.scrollWidth") > SIZES[size]["viewport"]["width"]:
            found.append((address, "scrolls sideways"))
        found += [(address, each) for each in page.evaluate(SMALL_TARGETS)]
    context.close()
    assert found == []


def test_na_04_no_page_scrolls_sideways_from_a_small_phone_to_a_hall_screen(
    browser: Browser, pages: dict[str, str]
) -> None:
    """What scrolls within a page, as a wide bracket does between phone and desktop, is in reach of the keyboard."""
    context = browser.new_context()
    context.route("**/*", partial(serve, pages=pages))
    page = context.new_page()
    found: list[tuple[str, int, Any]] = []
    for address in pages:
        page.goto(HOST + address)
        for width in (320, 768, 1920):
            page.set_viewport_size({"width": width, "height": 900})
            if page.evaluate("document.documentElement.scrollWidth") > width:
                found.append((address, width, "scrolls sideways"))
            report_on = Axe().run(page, options={"runOnly": ["scrollable-region-focusable"]})
            found += [(address, width, each["nodes"][0]["html"]) for each in report_on.response["violations"]]
    context.close()
    assert found == []
