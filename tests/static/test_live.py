"""Live regions: what changes comes in place, what the reader does stays, and what is shown is honest."""

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.static.scripted import Script

pytestmark = pytest.mark.journey

HIDE = """state => {
  Object.defineProperty(document, "visibilityState", {value: state, configurable: true});
  document.dispatchEvent(new Event("visibilitychange"));
}"""
ORDER = "rows => rows.map(row => row.id)"


def opened(page: Page, script: Script) -> Page:
    """The page, once it is live."""
    page.goto(script.address)
    expect(page.locator("[data-live-state]")).to_have_text("Live")
    return page


def score(page: Page, table: str, value: str) -> None:
    """Choose a score, without sending it."""
    page.locator(f"#open-{table} summary").click()
    page.locator(f"#form-{table} .key").filter(has=page.locator(f"[value='{value}']")).click()


def test_the_page_needs_no_secure_context(page: Page, script: Script) -> None:
    opened(page, script)
    assert page.evaluate("isSecureContext") is False


@pytest.mark.parametrize("whole", [False, True], ids=["its inside", "the region"])
def test_a_change_comes_in_place(page: Page, script: Script, whole: bool) -> None:
    script.whole = whole
    opened(page, script)
    page.locator("#find").fill("Juh")
    page.locator("#more summary").click()
    page.locator("#find").focus()
    row = page.locator("#row-b").element_handle()
    script.tell(rows=[("a", 3), ("b", 9), ("c", 1)])
    expect(page.locator("#row-b")).to_have_text("9")
    assert page.locator(".flash").evaluate_all(ORDER) == ["row-b"]
    assert page.evaluate("row => row.isConnected", row) is True
    expect(page.locator("#find")).to_have_value("Juh")
    expect(page.locator("#find")).to_be_focused()
    expect(page.locator("#more")).to_have_attribute("open", "")
    expect(page.locator("[data-live-say]")).to_have_text("Standings updated")
    expect(page.locator("[data-live]")).to_have_count(1)


def test_rows_keep_their_order_while_somebody_types(page: Page, script: Script) -> None:
    opened(page, script)
    page.locator("#find").fill("Juh")
    script.tell(rows=[("b", 4), ("a", 3), ("c", 1)])
    expect(page.locator("[data-live-say]")).to_contain_text("Something changed here")
    assert page.locator("tr").evaluate_all(ORDER) == ["row-a", "row-b", "row-c"]
    page.locator("#find").fill("")
    page.locator("#find").blur()
    expect(page.locator("tr").first).to_have_id("row-b")


def test_a_chosen_score_survives_when_the_form_before_it_goes(page: Page, script: Script) -> None:
    opened(page, script)
    score(page, "8", "3-1")
    script.tell(tables=["8"])
    expect(page.locator("#match-7")).to_have_count(0)
    expect(page.locator("#form-8 [value='3-1']")).to_be_checked()
    expect(page.locator("#open-8")).to_have_attribute("open", "")


def test_a_form_in_use_is_not_pulled_away(page: Page, script: Script) -> None:
    opened(page, script)
    score(page, "8", "3-1")
    script.tell(tables=["7"])
    expect(page.locator("[data-live-say]")).to_contain_text("Something changed here")
    expect(page.locator("#form-8 [value='3-1']")).to_be_checked()
    page.locator("#form-8").evaluate("form => form.reset()")
    expect(page.locator("#form-8")).to_have_count(0)


def test_lp_07_two_tabs_share_one_stream_and_hand_it_over(context: BrowserContext, script: Script) -> None:
    first = opened(context.new_page(), script)
    second = opened(context.new_page(), script)
    script.tell(rows=[("a", 77)])
    expect(first.locator("#row-a")).to_have_text("77")
    expect(second.locator("#row-a")).to_have_text("77")
    [held] = script.streams
    first.close()
    script.until(lambda: len(script.streams) == 1 and held not in script.streams)
    script.tell(rows=[("a", 78)])
    expect(second.locator("#row-a")).to_have_text("78")


def test_a_tab_that_goes_before_it_leads_leaves_no_leader_behind(context: BrowserContext, script: Script) -> None:
    going, staying = context.new_page(), context.new_page()
    slow = "const wait = setTimeout; window.setTimeout = (act, ms) => wait(act, ms >= 100 && ms <= 200 ? 60_000 : ms);"
    going.add_init_script(slow)  # it never gets so far as to lead
    going.goto(script.address)
    staying.goto(f"{script.address}/static/icon.svg")
    going.bring_to_front()
    assert going.evaluate("localStorage.getItem('live.leader') !== null")
    going.goto("about:blank")
    assert staying.evaluate("localStorage.getItem('live.leader')") is None
    assert script.streams == []


def test_a_hidden_tab_holds_no_stream_and_catches_up_when_it_wakes(page: Page, script: Script) -> None:
    opened(page, script)
    page.evaluate(HIDE, "hidden")
    script.until(lambda: not script.streams)
    script.tell(rows=[("a", 5)])
    page.evaluate(HIDE, "visible")
    expect(page.locator("#row-a")).to_have_text("5")
    script.until(lambda: len(script.streams) == 1)


def test_lp_06_offline_is_said_and_what_was_missed_is_fetched(page: Page, script: Script) -> None:
    opened(page, script)
    script.leave()
    expect(page.locator("[data-live-state]")).to_contain_text("Offline since")
    script.tell(rows=[("a", 6)], away=False)
    expect(page.locator("#row-a")).to_have_text("6", timeout=15_000)
    expect(page.locator("[data-live-state]")).to_have_text("Live", timeout=15_000)


def test_without_a_stream_the_page_asks_by_itself(page: Page, script: Script) -> None:
    script.streams_refused = True
    page.goto(script.address)
    expect(page.locator("[data-live-state]")).to_have_text("Refreshed every 10 seconds")
    script.tell(rows=[("a", 8)])
    expect(page.locator("#row-a")).to_have_text("8", timeout=15_000)
