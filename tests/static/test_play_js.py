"""A table's script: a move is seen to be sent, never lost, sent once; keys play; the clock is the server's."""

from typing import Literal

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.static.scripted import as_json
from tests.static.table import BETWEEN, MINE, NEXT, STOOD, THEIRS, TableScript

pytestmark = pytest.mark.journey

KEPT = "localStorage.getItem('play:/move/')"
WITHOUT_STORAGE = "Storage.prototype.setItem = () => { throw new Error('full'); };"
HEADLINE = "[data-headline]"
MY_TURN = "Your turn: you drew 9"
THEIR_TURN = "Brianna is to play"


def opened(page: Page, table: TableScript) -> Page:
    """The table, once it is live."""
    page.goto(f"{table.address}/table/")
    expect(page.locator("[data-live-state]")).to_have_text("Live")
    return page


def headline(page: Page, text: str) -> None:
    expect(page.locator(HEADLINE)).to_have_text(text)


def press(page: Page, name: str) -> None:
    page.get_by_role("button", name=name).click()


def try_now(page: Page) -> None:
    """Press the button, whether or not the page has tried by itself in the same moment and taken it away."""
    page.locator("[data-play-now]").evaluate("button => button.click()")


def test_a_move_is_sent_in_place_and_the_focus_stays_on_the_table(page: Page, table: TableScript) -> None:
    opened(page, table)
    page.evaluate("window.stayed = true")
    press(page, "End turn")
    headline(page, THEIR_TURN)
    assert [{name: post[name] for name in ("path", "at", "move")} for post in table.posts] == [
        {"path": "/move/?part=game", "at": "0.2", "move": "end"}
    ]
    assert page.evaluate("window.stayed") is True
    assert page.evaluate(KEPT) is None
    expect(page.locator(HEADLINE)).to_be_focused()


def test_a_card_opens_its_ways_and_is_played(page: Page, table: TableScript) -> None:
    opened(page, table)
    page.locator(".play summary").nth(3).click()
    expect(page.get_by_role("button", name="makes")).to_have_text(["+3 makes 12", "−3 makes 6"])
    press(page, "−3 makes 6")
    headline(page, THEIR_TURN)
    assert [post["move"] for post in table.posts] == ["*3=-3"]
    expect(page.locator(".play[open]")).to_have_count(0)


def test_the_other_sides_move_comes_by_itself_at_once(page: Page, table: TableScript) -> None:
    table.record = THEIRS
    opened(page, table)
    page.evaluate("Math.random = () => 1000")  # other regions wait a random moment
    table.moved(MINE)
    headline(page, "Your turn: you drew 5")
    assert page.title().startswith("▶")


def test_an_answer_that_breaks_off_decides_nothing(page: Page, table: TableScript) -> None:
    opened(page, table)
    broken = {"Content-Type": "text/html", "Game-Position": "0.3", "Content-Length": "9000", "Connection": "close"}
    table.scripted = (200, "<div", broken)
    press(page, "End turn")
    expect(page.locator("[data-play-state]")).to_have_text("Waiting to be sent: End turn")
    headline(page, MY_TURN)
    table.scripted = None
    headline(page, THEIR_TURN)
    expect(page.locator("[data-play-late]")).to_be_hidden()


def test_what_cannot_be_sent_is_kept_over_a_reload_and_sent_once(page: Page, table: TableScript) -> None:
    opened(page, table)
    table.away = True
    press(page, "End turn")
    state = page.locator("[data-play-state]")
    expect(state).to_have_text("Waiting to be sent: End turn")
    expect(page.locator("[data-play-note]")).to_contain_text("kept on this device")
    page.keyboard.press("s")  # a position allows one move
    table.away = False
    table.scripted = as_json(503, {})
    page.reload()
    expect(state).to_have_text("Waiting to be sent: End turn")
    table.scripted = None
    try_now(page)
    headline(page, THEIR_TURN)
    expect(state).to_have_text("Sent: End turn")
    assert {(post["at"], post["move"]) for post in table.posts} == {("0.2", "end")}
    assert page.evaluate(KEPT) is None


def test_a_sign_in_page_that_answers_decides_nothing(page: Page, table: TableScript) -> None:
    opened(page, table)
    table.scripted = (200, "<p>Sign in to our Wi-Fi", {"Content-Type": "text/html"})
    press(page, "End turn")
    expect(page.locator("[data-play-state]")).to_have_text("Waiting to be sent: End turn")
    headline(page, MY_TURN)


def test_where_the_table_is_gone_the_move_is_not_sent_for_ever(page: Page, table: TableScript) -> None:
    opened(page, table)
    table.scripted = (404, "<p>Not here", {"Content-Type": "text/html"})
    press(page, "End turn")
    expect(page.locator("[data-play-late]")).to_contain_text("The server did not take this move.")
    headline(page, MY_TURN)
    assert len(table.posts) == 1


def late(page: Page, table: TableScript, record: str) -> None:
    """Make a move without a network; meanwhile the table moves on, and the move is refused."""
    opened(page, table)
    table.away = True
    press(page, "End turn")
    expect(page.locator("[data-play-now]")).to_be_visible()
    table.record, table.refusal, table.away = record, "The table has moved on since then.", False
    table.version += 1
    try_now(page)
    expect(page.locator("[data-play-late]")).to_be_visible()


def test_of_03_a_move_that_comes_too_late_is_for_its_player_to_decide(page: Page, table: TableScript) -> None:
    late(page, table, STOOD)
    card = page.locator("[data-play-late]")
    expect(card).to_contain_text("You meant: End turn")
    expect(card).to_contain_text("The table has moved on since then.")
    expect(card).to_contain_text("On the table now: Brianna is to play")
    expect(card).to_be_focused()
    expect(page.get_by_role("button", name="Make it now")).to_have_count(0)
    page.reload()
    expect(card).to_contain_text("You meant: End turn")
    press(page, "Leave it")
    expect(card).to_be_hidden()
    page.reload()
    headline(page, THEIR_TURN)
    expect(card).to_be_hidden()
    assert len(table.posts) == 1


def test_of_03_what_came_too_late_can_be_done_now_where_it_still_fits(page: Page, table: TableScript) -> None:
    late(page, table, MINE)
    table.refusal, table.after = "", f"{MINE.strip()} end\nB 8\n"
    press(page, "Make it now: End turn")
    headline(page, THEIR_TURN)
    assert [(post["at"], post["move"]) for post in table.posts] == [("0.2", "end"), ("0.6", "end")]
    expect(page.locator("[data-play-late]")).to_be_hidden()


def test_two_tabs_show_the_same_and_the_move_counts_once(context: BrowserContext, table: TableScript) -> None:
    one, other = opened(context.new_page(), table), opened(context.new_page(), table)
    table.away = True
    press(one, "End turn")
    expect(one.locator("[data-play-now]")).to_be_visible()
    expect(other.locator("[data-play-state]")).to_have_text("Waiting to be sent: End turn")
    table.away = False
    try_now(one)
    headline(one, THEIR_TURN)
    headline(other, THEIR_TURN)
    for page in (one, other):
        expect(page.locator("[data-play-now]")).to_be_hidden()


def test_keys_play_a_turn_and_are_letters_where_somebody_types(page: Page, table: TableScript) -> None:
    opened(page, table)
    page.locator("#note").focus()
    page.keyboard.press("e")
    expect(page.locator("#note")).to_have_value("e")
    page.locator("#note").blur()
    page.keyboard.press("2")
    expect(page.get_by_role("button", name="+4 makes 13")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.locator(".play[open]")).to_have_count(0)
    table.after = BETWEEN
    page.keyboard.press("s")
    headline(page, "Set 1 goes to Brianna: 10 to 9")
    table.after = NEXT
    page.keyboard.press("n")
    headline(page, THEIR_TURN)
    assert [post["move"] for post in table.posts] == ["stand", "next"]


def test_the_clock_runs_by_the_servers_time_and_asks_again_at_its_end(page: Page, table: TableScript) -> None:
    table.ahead, table.ends_in = 3_600, 1.5
    opened(page, table)
    expect(page.locator("[data-until]")).to_have_text("0:00")
    expect(page.locator("[data-until]")).to_have_class("clock end low")
    asked = table.asked
    table.until(lambda: table.asked > asked)
    assert table.posts == []


def test_only_a_new_card_moves_and_only_where_motion_is_wanted(browser: Browser, table: TableScript) -> None:
    motions: tuple[tuple[Literal["no-preference", "reduce"], int], ...] = (("no-preference", 1), ("reduce", 0))
    for motion, moving in motions:
        table.record = THEIRS
        with browser.new_context(reduced_motion=motion) as context:
            page = opened(context.new_page(), table)
            expect(page.locator(".dealt")).to_have_count(0)
            table.moved(MINE)
            headline(page, "Your turn: you drew 5")
            expect(page.locator(".dealt")).to_have_count(moving)
            page.locator("[data-play-manner] summary").click()
            assert page.get_by_label("Cards move").is_disabled() is not bool(moving)


def test_where_nothing_can_be_kept_the_form_posts_by_itself(page: Page, table: TableScript) -> None:
    page.add_init_script(WITHOUT_STORAGE)
    page.goto(f"{table.address}/table/")
    press(page, "End turn")
    headline(page, MY_TURN)
    assert [(post["path"], post["move"]) for post in table.posts] == [("/move/", "end")]


def test_a_turn_fits_one_screen_of_a_small_phone(browser: Browser, table: TableScript) -> None:
    with browser.new_context(viewport={"width": 360, "height": 740}, is_mobile=True, has_touch=True) as context:
        page = opened(context.new_page(), table)
        page.locator(".play summary").nth(3).tap()
        for button in page.get_by_role("button", name="makes").or_(page.get_by_role("button", name="Stand")).all():
            box = button.bounding_box()
            assert box is not None
            assert box["y"] >= 0
            assert box["y"] + box["height"] <= 740
            assert box["height"] >= 44
        assert page.evaluate("document.documentElement.scrollWidth") == 360
