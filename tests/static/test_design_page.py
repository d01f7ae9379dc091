"""The page of all components, as a phone and a desktop show it: for every reader, in both themes."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

from tests.static.scripted import Script

pytestmark = pytest.mark.journey

SMALL_TARGETS = """() => [...document.querySelectorAll("button, summary, select, .key, .choice, a.btn, input")]
  .filter(element => !(element.matches("input") && element.closest("label")))
  .map(element => [element, element.getBoundingClientRect()])
  .filter(([element, box]) => box.width && element.checkVisibility({opacityProperty: true}) && box.height < 44)
  .map(([element]) => element.outerHTML)"""


@pytest.mark.parametrize("width", [360, 1280])
@pytest.mark.parametrize("theme", ["dark", "light"])
def test_every_component_is_for_every_reader(page: Page, script: Script, theme: str, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    page.goto(f"{script.address}/design/?theme={theme}")
    found = Axe().run(page).response["violations"]
    assert [(each["id"], each["nodes"][0]["html"]) for each in found] == []
    assert page.evaluate("document.documentElement.scrollWidth") == width
    assert page.evaluate(SMALL_TARGETS) == []
