"""The outbox: what a referee entered is sent once, kept while it cannot be, and never silently lost."""

from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, Playwright, expect

from tests.services import chromium
from tests.static.conftest import ARGUMENTS
from tests.static.scripted import QUEUE, Script, as_json

pytestmark = pytest.mark.journey

KEYS = f"JSON.parse(localStorage.getItem('outbox:{QUEUE}')).map(entry => entry.id)"
WITHOUT_STORAGE = "Storage.prototype.setItem = () => { throw new Error('full'); };"
REFUSAL = as_json(409, {"detail": "Table 7 was reported as 1–3 by Marta."})


def enter(page: Page, table: str, score: str) -> None:
    """Enter a score as a referee does: match, score, confirm."""
    page.locator(f"#open-{table} summary").click()
    page.locator(f"#form-{table} .key").filter(has=page.locator(f"[value='{score}']")).click()
    page.locator(f"#form-{table} .btn.main").click()


def title(page: Page, text: str) -> None:
    expect(page.locator("[data-outbox-title]")).to_have_text(text)


def test_what_is_taken_at_once_never_shows_in_the_box(page: Page, script: Script) -> None:
    page.goto(script.address)
    enter(page, "7", "3-1")
    expect(page.locator("[data-outbox-say]")).to_have_text("Sent: 7, T3 – Juhani: 3-1")
    [post] = script.posts
    assert {name: post[name] for name in ("path", "score", "version", "accept")} == {
        "path": "/result/7/",
        "score": "3-1",
        "version": "4",
        "accept": "application/json",
    }
    expect(page.locator("[data-outbox-box]")).to_be_hidden()
    assert page.evaluate(KEYS) == []


def test_a_key_is_used_once(page: Page, script: Script) -> None:
    page.goto(script.address)
    enter(page, "7", "3-1")
    script.until(lambda: len(script.posts) == 1)
    enter(page, "7", "3-1")
    script.until(lambda: len(script.posts) == 2)
    assert len({post["key"] for post in script.posts}) == 2


def test_what_could_not_be_sent_is_kept_over_a_reload_and_sent_once_with_its_key(page: Page, script: Script) -> None:
    page.goto(script.address)
    script.away = True
    enter(page, "7", "3-0")
    enter(page, "8", "3-2")
    title(page, "Not sent (2)")
    expect(page.locator("[data-outbox-note]")).to_contain_text("No connection since")
    expect(page.locator("#open-7 summary")).to_have_attribute("data-unsent", "Not sent")
    keys = page.evaluate(KEYS)
    script.away = False
    page.reload()
    script.until(lambda: len(script.posts) == 2)
    expect(page.locator("[data-outbox-box]")).to_be_hidden()
    assert [post["key"] for post in script.posts] == keys
    assert [post["score"] for post in script.posts] == ["3-0", "3-2"]


def test_of_04_three_results_without_a_network_survive_the_end_of_the_browser_and_arrive_once(
    playwright: Playwright, tmp_path: Path, script: Script
) -> None:
    def browser_of_the_phone() -> BrowserContext:
        names = "--host-resolver-rules=MAP hall.test 127.0.0.1"
        return playwright.chromium.launch_persistent_context(
            tmp_path, executable_path=chromium(), args=[*ARGUMENTS, names]
        )

    phone = browser_of_the_phone()
    page = phone.new_page()
    page.goto(script.address)
    script.away = True
    for table, score in (("7", "3-0"), ("8", "3-2"), ("7", "3-1")):
        enter(page, table, score)
    title(page, "Not sent (3)")
    keys = page.evaluate(KEYS)
    phone.close()
    phone = browser_of_the_phone()
    page = phone.new_page()
    script.away = False
    page.goto(script.address)
    script.until(lambda: len(script.posts) == 3)
    expect(page.locator("[data-outbox-box]")).to_be_hidden()
    assert [post["key"] for post in script.posts] == keys
    assert [post["score"] for post in script.posts] == ["3-0", "3-2", "3-1"]
    phone.close()


@pytest.mark.parametrize(
    "answer",
    [
        pytest.param(as_json(503, {}), id="the server is away"),
        pytest.param(as_json(429, {}, **{"Retry-After": "1"}), id="too many at once"),
        pytest.param((200, "<p>Sign in to our Wi-Fi", {"Content-Type": "text/html"}), id="a sign-in page answers"),
    ],
)
def test_an_answer_that_decides_nothing_keeps_the_entry(
    page: Page, script: Script, answer: tuple[int, str, dict[str, str]]
) -> None:
    page.goto(script.address)
    script.answer = answer
    enter(page, "7", "3-0")
    title(page, "Not sent (1)")
    script.answer = as_json(201, {})
    page.locator("[data-outbox-now]").click()
    expect(page.locator("[data-outbox-box]")).to_be_hidden()
    assert len({post["key"] for post in script.posts}) == 1


def test_a_refusal_says_why_and_can_be_dropped_and_taken_back(page: Page, script: Script) -> None:
    page.goto(script.address)
    script.answer = REFUSAL
    enter(page, "7", "3-1")
    line = page.locator("[data-outbox-list] li")
    expect(line).to_contain_text("Needs a look")
    expect(line).to_contain_text("Table 7 was reported as 1–3 by Marta.")
    page.get_by_role("button", name="Drop it").click()
    title(page, "Dropped")
    undo = page.get_by_role("button", name="Undo")
    expect(undo).to_be_focused()
    undo.click()
    title(page, "Not sent (1)")
    page.get_by_role("button", name="Drop it").click()
    page.reload()
    expect(page.locator("[data-outbox-box]")).to_be_hidden()
    assert page.evaluate(KEYS) == []
    assert len(script.posts) == 1


def test_two_tabs_do_not_send_the_same_entry(context: BrowserContext, script: Script) -> None:
    first, second = context.new_page(), context.new_page()
    first.goto(script.address)
    second.goto(script.address)
    script.away = True
    enter(first, "7", "3-0")
    title(first, "Not sent (1)")
    title(second, "Not sent (1)")
    script.away = False
    for page in (first, second):
        page.locator("[data-outbox-now]").evaluate("button => button.click()")
    for page in (first, second):
        expect(page.locator("[data-outbox-box]")).to_be_hidden()
    assert len(script.posts) == 1


def test_where_nothing_can_be_kept_the_form_posts_by_itself(page: Page, script: Script) -> None:
    page.add_init_script(WITHOUT_STORAGE)
    page.goto(script.address)
    script.answer = (200, "<p>Taken", {"Content-Type": "text/html"})
    enter(page, "7", "3-0")
    expect(page.locator("p")).to_have_text("Taken")
    [post] = script.posts
    assert (post["score"], len(post["key"])) == ("3-0", 32)


# --- RC-08: an entry desk without a network


def check_in(page: Page, *players: int) -> None:
    for player in players:
        page.locator(f"#in-{player}").click()


def test_rc_08_twelve_check_ins_arrive_once_each_as_the_helpers_who_did_them_after_another_took_over(
    page: Page, script: Script
) -> None:
    page.goto(f"{script.address}/desk/olli/")
    script.away = True
    check_in(page, *range(1, 13))
    title(page, "Not sent (12)")
    expect(page.locator("#in-7")).to_have_attribute("data-unsent", "Not sent")
    check_in(page, 7)  # it waits already
    title(page, "Not sent (12)")
    script.away = False
    script.answer = as_json(503, {})  # there is a network, and the server is not ready
    page.goto(f"{script.address}/desk/marta/")
    title(page, "Not sent (12)")
    expect(page.locator("[data-outbox-list] li").first).to_contain_text("Check in Player 1 (Olli)")
    check_in(page, 1)
    title(page, "Not sent (13)")
    expect(page.locator("[data-outbox-list] li").last).not_to_contain_text("Olli")
    script.posts.clear()
    script.answer = as_json(200, {"here": True})
    page.locator("[data-outbox-now]").click()
    expect(page.locator("[data-outbox-box]")).to_be_hidden()
    wanted = [f"/desk/olli/{player}/" for player in range(1, 13)] + ["/desk/marta/1/"]
    assert sorted({post["path"] for post in script.posts}) == sorted(wanted)
    taken = {post["key"]: post["path"] for post in script.posts}
    assert sorted(taken.values()) == sorted(wanted)


def test_rc_08_what_is_refused_stays_with_its_reason_until_somebody_drops_it(page: Page, script: Script) -> None:
    page.goto(f"{script.address}/desk/olli/")
    script.answer = as_json(409, {"detail": "The tournament has started."})
    check_in(page, 3)
    expect(page.locator("[data-outbox-list] li")).to_contain_text("Needs a look")
    for path in ("/desk/olli/", "/desk/marta/"):
        page.goto(script.address + path)
        title(page, "Not sent (1)")
        line = page.locator("[data-outbox-list] li")
        expect(line).to_contain_text("Needs a look")
        expect(line).to_contain_text("The tournament has started.")
    page.get_by_role("button", name="Drop it").click()
    title(page, "Dropped")
    page.goto(f"{script.address}/desk/olli/")
    expect(page.locator("[data-outbox-box]")).to_be_hidden()
    assert len(script.posts) == 1


def test_a_scanner_types_one_code_after_the_other_and_hears_each_name(page: Page, script: Script) -> None:
    page.goto(f"{script.address}/desk/olli/")
    page.locator("#code").focus()
    for name in ("Juhani", "Marta"):
        script.answer = as_json(200, {"said": f"{name} is here."})
        page.keyboard.type(f"https://cantina.test/p/{name}/")
        page.keyboard.press("Enter")
        expect(page.locator("#scan [data-said]")).to_have_text(f"{name} is here.")
        expect(page.locator("[data-outbox-say]")).to_have_text(f"{name} is here.")
        expect(page.locator("#code")).to_be_focused()
        expect(page.locator("#code")).to_have_value("")
    script.answer = as_json(400, {"detail": "This is nobody’s link: 123"})
    page.keyboard.type("123")
    page.keyboard.press("Enter")
    expect(page.locator("#scan [data-said]")).to_have_text("This is nobody’s link: 123")
    expect(page.locator("#scan [data-said]")).to_have_class("error")
    assert [post["code"] for post in script.posts] == [
        "https://cantina.test/p/Juhani/",
        "https://cantina.test/p/Marta/",
        "123",
    ]


# --- RC-08: whoever comes to the desk while there is no network


ALREADY = as_json(409, {"code": "same_name", "detail": "Juhani is here already."})


def add(page: Page, name: str, city: str = "") -> None:
    page.locator("#name").fill(name)
    if city:
        page.locator("summary").click()
        page.locator("#city").fill(city)
    page.locator("#add .btn").click()


def test_rc_08_a_walk_in_waits_for_the_network_and_is_sent_once(page: Page, script: Script) -> None:
    page.goto(f"{script.address}/desk/olli/")
    script.away = True
    add(page, "Juhani", "Riga")
    title(page, "Not sent (1)")
    expect(page.locator("[data-outbox-list] li")).to_contain_text("Walk-in: Juhani: Riga")
    expect(page.locator("#name")).to_have_value("")
    script.away = False
    page.reload()
    expect(page.locator("[data-outbox-box]")).to_be_hidden()
    [post] = script.posts
    assert (post["path"], post["name"], post["city"], len(post["key"])) == ("/desk/olli/add/", "Juhani", "Riga", 32)


def test_a_walk_in_that_is_refused_comes_back_into_its_form_with_the_question(page: Page, script: Script) -> None:
    page.goto(f"{script.address}/desk/olli/")
    script.answer = ALREADY
    add(page, "Juhani", "Riga")
    expect(page.locator("#add [data-said]")).to_have_text("Juhani is here already.")
    assert [page.locator(field).input_value() for field in ("#name", "#city")] == ["Juhani", "Riga"]
    assert page.evaluate("localStorage.getItem('outbox:/desk/olli/')") == "[]"
    script.answer = as_json(200, {"said": "Juhani is on the roster."})
    page.get_by_label("Another").check()
    page.locator("#add .btn").click()
    expect(page.locator("#add [data-said]")).to_have_text("Juhani is on the roster.")
    expect(page.get_by_label("Another")).to_be_hidden()
    assert [post.get("name_again") for post in script.posts] == [None, "on"]
    assert len({post["key"] for post in script.posts}) == 2


def test_a_walk_in_that_is_refused_while_another_is_typed_waits_for_its_turn(page: Page, script: Script) -> None:
    page.goto(f"{script.address}/desk/olli/")
    script.away = True
    add(page, "Juhani")
    title(page, "Not sent (1)")
    page.locator("#name").fill("Marta")
    script.away, script.answer = False, ALREADY
    page.locator("[data-outbox-now]").click()
    expect(page.locator("[data-outbox-list] li")).to_contain_text("Juhani is here already.")
    expect(page.locator("#name")).to_have_value("Marta")
    page.get_by_role("button", name="Change it").click()
    expect(page.locator("#name")).to_have_value("Juhani")
    expect(page.get_by_label("Another")).to_be_visible()
    expect(page.locator("[data-outbox-box]")).to_be_hidden()
