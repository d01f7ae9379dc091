"""The call to a table in a browser: told once whatever is opened again, in the background where that was asked for."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import pytest
from django.template import engines
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.static.scripted import Script, serving

pytestmark = pytest.mark.journey

PAGE = """{% extends "base.html" %}{% load static %}{% block title %}Own{% endblock %}{% block main %}REGION
<section data-bell data-ask-text="Tell me" data-off-text="Do not" data-on-text="It is told" data-cannot-text="It cannot"
 data-try-title="Like this" data-try-text="Here" hidden><button class="btn" type="button" data-bell-switch></button>
<p data-bell-said></p></section>{% endblock %}
{% block scripts %}<script type="module" src="{% static 'js/call.js' %}"></script>{% endblock %}"""
AROUND = '<div data-live="tournament/7" data-src="/region/" data-version="{}" data-updated="">{}</div>'
BANNER = '<section data-called="{}" data-called-title="Table 7 now" data-called-text="You play Juhani."></section>'

BROWSER = """
globalThis.heard = []; globalThis.state = "visible";
Object.defineProperty(document, "visibilityState", { get: () => globalThis.state });
navigator.vibrate = () => { heard.push("vibrates"); return true; };
globalThis.touched = true;
Object.defineProperty(navigator, "userActivation", { get: () => ({ hasBeenActive: touched }) });
"""
ALLOWS = """
globalThis.Notification = class extends EventTarget {
  static get permission() { return localStorage.getItem("allowed") ?? "default"; }
  static async requestPermission() { localStorage.setItem("allowed", "granted"); return "granted"; }
  constructor(title) { super(); heard.push(title); }
};
"""
FORBIDS = 'globalThis.Notification = { permission: "denied", requestPermission: async () => "denied" };'
TO_BACK = 'state = "hidden"; document.dispatchEvent(new Event("visibilitychange"))'


@dataclass
class CallScript(Script):
    """A page of a player who may be called."""

    called: str = ""

    def region(self, *, whole: bool) -> str:
        banner = BANNER.format(self.called) if self.called else "<p>Nobody calls</p>"
        return AROUND.format(self.version, banner) if whole else banner

    def page(self) -> str:
        return engines["django"].from_string(PAGE.replace("REGION", self.region(whole=True))).render({})


@pytest.fixture
def hall(own_names: None) -> Iterator[CallScript]:
    """The scripted server with such a page."""
    with serving(CallScript()) as script:
        yield script


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    """A browser that writes down what it is made to do."""
    with browser.new_context() as context:
        context.add_init_script(BROWSER)
        yield context


def opened(context: BrowserContext, hall: CallScript) -> Page:
    page = context.new_page()
    page.goto(f"{hall.address}/")
    expect(page.locator("[data-live-state]")).to_have_text("Live")
    return page


def heard(page: Page, *, times: int) -> list[str]:
    """What the page did, once it did so much."""
    page.wait_for_function("times => heard.length >= times", arg=times)
    found: list[str] = page.evaluate("heard")
    return found


def test_a_call_is_told_once_by_all_tabs_of_a_browser_and_the_next_one_again(
    context: BrowserContext, hall: CallScript
) -> None:
    page, other = opened(context, hall), opened(context, hall)
    hall.tell(called="31/1000")
    for each in (page, other):
        expect(each.locator("[data-called]")).to_have_count(1)
    page.wait_for_function("() => localStorage.getItem('call.told') === '31/1000'")
    assert [*page.evaluate("heard"), *other.evaluate("heard")] == ["vibrates"]
    other.close()
    page.reload()
    expect(page.get_by_role("button", name="Tell me")).to_be_visible()
    assert page.evaluate("heard") == []
    hall.called = "31/2000"
    page.reload()
    assert heard(page, times=1) == ["vibrates"]
    assert page.evaluate("localStorage.getItem('call.told')") == "31/1000 31/2000"


def test_a_browser_nobody_has_touched_is_not_made_to_shake(context: BrowserContext, hall: CallScript) -> None:
    page = opened(context, hall)
    page.evaluate("touched = false")
    hall.tell(called="31/1000")
    page.wait_for_function("() => localStorage.getItem('call.told') === '31/1000'")
    assert page.evaluate("heard") == []


def test_in_the_background_a_call_is_shown_where_that_was_asked_for(context: BrowserContext, hall: CallScript) -> None:
    context.add_init_script(ALLOWS)
    page = opened(context, hall)
    page.get_by_role("button", name="Tell me").click()
    expect(page.get_by_text("It is told")).to_be_visible()
    assert heard(page, times=1) == ["Like this"]
    page.evaluate(TO_BACK)
    hall.tell(called="31/1000")
    assert sorted(heard(page, times=3)) == ["Like this", "Table 7 now", "vibrates"]
    page.reload()
    page.get_by_role("button", name="Do not").click()
    expect(page.get_by_role("button", name="Tell me")).to_be_visible()
    assert page.evaluate("localStorage.getItem('call.background')") == "off"


def test_a_browser_that_does_not_let_it_says_so(context: BrowserContext, hall: CallScript) -> None:
    context.add_init_script(FORBIDS)
    page = opened(context, hall)
    page.get_by_role("button", name="Tell me").click()
    expect(page.get_by_text("It cannot")).to_be_visible()
    expect(page.get_by_role("button", name="Tell me")).to_be_visible()
