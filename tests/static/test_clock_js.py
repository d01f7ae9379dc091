"""The clocks of pages: by the server's time whatever the device says, the same second everywhere, on past the end."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from urllib.parse import urlsplit

import pytest
from django.template import engines
from django.template.loader import render_to_string
from playwright.sync_api import Browser, Page, expect

from tests.static.scripted import Handler, Script, serving

pytestmark = pytest.mark.journey

PAGE = '{% extends "base.html" %}{% block title %}Clock{% endblock %}{% block main %}{{ region }}{% endblock %}'
AROUND = '<div data-live="tournament/7" data-src="/region/" data-version="{}" data-updated="">{}</div>'
OVER = "Time: finish the set."
TIMER = "[role=timer]"
EARLIER = (
    "const there = Date; globalThis.Date = class extends there { static now() { return there.now() - 180_000; } };"
)
"""A phone whose clock is three minutes late."""


@dataclass
class ClockScript(Script):
    """A page with one clock that ends `left` seconds after it was made; the server is an hour ahead of everybody."""

    end: datetime | None = None
    exact: bool = True

    @property
    def now(self) -> datetime:
        return datetime.now(UTC) + timedelta(hours=1)

    def ends_in(self, seconds: float) -> None:
        """The clock ends so many seconds from now, for whoever asks."""
        self.tell(end=self.now + timedelta(seconds=seconds))

    def clock(self) -> str:
        shown = {"time": "until 14:50", "text": "Round 1", "timer": True, "then": "When time is over", "over": OVER}
        if self.end is None:
            shown |= {"time": "12:30", "over": ""}
        else:
            shown |= {"until": self.end.isoformat()}
        return AROUND.format(self.version, render_to_string("_components/clock.html", shown))

    def page(self) -> str:
        return engines["django"].from_string(PAGE.replace("{{ region }}", self.clock())).render({})


class ClockHandler(Handler):
    """One connection to it."""

    script: ClockScript

    def date_time_string(self, timestamp: float | None = None) -> str:
        """The header Date, by the server's clock."""
        return super().date_time_string(self.script.now.timestamp())

    def reply(self, status: int, content: str | bytes = b"", headers: dict[str, str] | None = None) -> None:
        exactly = {"Server-Now": str(int(self.script.now.timestamp() * 1000))} if self.script.exact else {}
        super().reply(status, content, (headers or {}) | exactly)

    def do_GET(self) -> None:  # noqa: N802 - the name of the base class
        if urlsplit(self.path).path != "/region/" or self.script.away:
            super().do_GET()
            return
        headers = {"ETag": f'"{self.script.version}"', "Content-Type": "text/html; charset=utf-8"}
        if self.headers["If-None-Match"] == headers["ETag"]:
            self.reply(304, headers=headers)
        else:
            self.reply(200, self.script.clock(), headers)


@pytest.fixture
def hall(own_names: None) -> Iterator[ClockScript]:
    """The scripted server with a clock."""
    with serving(ClockScript(), ClockHandler) as script:
        yield script


def opened(page: Page, hall: ClockScript) -> Page:
    page.goto(f"{hall.address}/")
    expect(page.locator("[data-live-state]")).to_have_text("Live")
    return page


def assert_right(page: Page, hall: ClockScript, *, slack: int) -> None:
    """A clock shows what is left by the server, give or take `slack` seconds; a second that has begun counts."""
    assert hall.end is not None
    timer = page.locator(TIMER)
    expect(timer).to_have_text(re.compile(r"^\d+:\d\d$"))
    most = math.ceil((hall.end - hall.now).total_seconds())
    minutes, _, seconds = timer.inner_text().partition(":")
    least = math.ceil((hall.end - hall.now).total_seconds())
    assert least - slack <= int(minutes) * 60 + int(seconds) <= most + slack


@pytest.mark.parametrize(("exact", "slack"), [(True, 1), (False, 2)])
def test_lp_12_every_screen_shows_the_servers_time_whatever_its_own_clock_says(
    browser: Browser, hall: ClockScript, exact: bool, slack: int
) -> None:
    hall.exact = exact
    hall.ends_in(3_000)
    with browser.new_context() as right, browser.new_context() as late:
        late.add_init_script(EARLIER)
        screens = [opened(each.new_page(), hall) for each in (right, late)]
        for each in screens:
            assert_right(each, hall, slack=slack)
        screens[1].reload()
        assert_right(screens[1], hall, slack=slack)


def test_more_time_and_a_pause_come_to_open_pages_by_themselves(page: Page, hall: ClockScript) -> None:
    hall.ends_in(600)
    opened(page, hall)
    expect(page.locator(TIMER)).to_have_text(re.compile(r"^(10:00|9:\d\d)$"))
    hall.ends_in(1_800)
    expect(page.locator(TIMER)).to_have_text(re.compile(r"^(30:00|29:\d\d)$"))
    hall.tell(end=None)
    expect(page.locator(TIMER)).to_have_text("12:30")


def test_time_goes_on_past_its_end_and_the_rule_is_said_once_in_words(page: Page, hall: ClockScript) -> None:
    hall.ends_in(0.5)
    opened(page, hall)
    assert page.locator("[aria-live] [role=timer], [role=status] [role=timer], [role=timer][aria-live]").count() == 0
    status = page.locator("[role=status][data-over]")
    expect(page.locator(TIMER)).to_have_text(re.compile(r"\+0:\d\d"))
    expect(status).to_have_text(OVER)
    expect(page.locator("[data-then]")).to_be_hidden()
    hall.ends_in(300)
    expect(page.locator(TIMER)).to_have_text(re.compile(r"^(5:00|4:\d\d)$"))
    expect(status).to_be_empty()
    expect(page.locator("[data-then]")).to_be_visible()
