"""Everybody at a tournament in a real browser, in both languages, on a phone and at a desk."""

from __future__ import annotations

import base64
import hashlib
import hmac
import re
import struct
import time
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from tests.journeys.launched import Launched, until
from tests.journeys.people import Crowd, Organiser, Person, crowd_of, path_of

pytestmark = pytest.mark.journey

READERS = [(language, width) for language in ("en", "ru") for width in (390, 1280)]
PASSWORD = "twenty-is-the-limit"
DEVICE = {
    "protocol": "ctap2",
    "transport": "internal",
    "hasResidentKey": True,
    "hasUserVerification": True,
    "isUserVerified": True,
    "automaticPresenceSimulation": True,
}


@pytest.fixture(scope="module")
def organiser(demo_server: Launched) -> Organiser:
    return Organiser(demo_server)


@pytest.fixture(params=READERS, ids=[f"{language}-{width}" for language, width in READERS])
def crowd(request: pytest.FixtureRequest, browser: Browser, demo_server: Launched) -> Iterator[Crowd]:
    language, width = request.param
    with crowd_of(browser, demo_server, language=language, width=width) as found:
        yield found


@pytest.fixture(scope="module")
def signed_in(browser: Browser, demo_server: Launched) -> Any:
    """What the browser of the demo's organiser remembers."""
    with crowd_of(browser, demo_server, language="en", width=1280) as found:
        person = found.person()
        sign_in(person, demo_server.demo["organiser"]["email"], demo_server.demo["organiser"]["password"])
        expect(person.page.get_by_role("heading", level=1)).to_be_visible()
        return person.page.context.storage_state()


def sign_in(person: Person, email: str, password: str, *, to: str = "/desk/") -> None:
    person.go(f"/sign-in/?next={to}")
    person.field("Address").first.fill(email)
    person.fill("Password", password)
    person.page.get_by_role("button", name=person.says("Sign in"), exact=True).first.click()


def test_a_player_registers_waits_changes_leaves_and_moves_up(crowd: Crowd, organiser: Organiser) -> None:
    tournament = organiser.tournament(name="Запись", registration=True, capacity=1)
    (first,) = organiser.enter(tournament, "Мандалорец")
    player = crowd.person()
    player.go(f"/t/{tournament}/register/")
    player.headline("Join the waiting list")
    player.fill("Name or nickname", "мандалорец")
    player.field("Yes: on pairings, standings and screens").check()
    player.press("Join the waiting list")
    expect(player.field("I am another person of the same name")).to_be_visible()  # are you this one?
    player.look()
    player.fill("Name or nickname", "Тень")
    player.press("Join the waiting list")

    player.headline("You are on the waiting list")
    expect(player.page.locator(".qr svg")).to_be_visible()
    own = path_of(player.page.locator(".address code").inner_text())
    player.follow("Open my page")
    player.headline("You are number %(n)s on the waiting list", n=1)
    assert path_of(player.page.url) == own
    player.follow("What is said of me")
    player.headline("What is said of you")
    player.fill("Name or nickname", "Тень Дантуина")
    player.press("Save")
    player.reads("Тень Дантуина")
    player.go(own)
    player.follow("Leave the tournament")
    player.press("Leave")
    player.headline("You do not play")
    player.press("Register again")
    player.headline("You are on the waiting list")
    player.follow("Open my page")
    player.headline("You are number %(n)s on the waiting list", n=1)
    organiser.ask(f"tournaments/{tournament}/entries/{first}/", method="DELETE")
    player.headline("You are registered")  # by itself
    player.sees("Check-in is not open yet. This page says so as soon as it is.")


def test_the_entry_desk_checks_in_by_list_by_code_and_without_a_network_and_closing_names_who_is_missing(
    crowd: Crowd, organiser: Organiser, signed_in: Any
) -> None:
    names = ("Дроид", "Мандалорец", "Тень", "Падаван", "Пропавший")
    tournament = organiser.tournament(name="Стойка")
    entries = organiser.enter(tournament, *names)
    organiser.ask(f"tournaments/{tournament}/open-check-in/", {})
    address = organiser.helper(tournament, "desk", "Ольга")
    desk = crowd.person()
    desk.go(address)
    desk.named("Стойка")
    desk.page.get_by_role("button", name=f"{desk.says('Check in')} Дроид", exact=True).click()
    desk.sees("Roster: %(here)s of %(total)s are here", here=1, total=5)

    scan = desk.field("Scan or type a link")  # as a scanner types: the address, then Enter
    scan.fill(crowd.copy.url + organiser.own_link(address, entries[1]))
    scan.press("Enter")
    expect(desk.page.locator("#scan-said")).to_have_text(desk.says("{name} is here.", name="\u2068Мандалорец\u2069"))
    desk.page.get_by_role("link", name="Тень", exact=True).click()  # shown to its player again
    desk.named("Тень")
    link = path_of(desk.page.locator(".address code").inner_text())
    expect(desk.page.locator(".qr svg")).to_be_visible()
    desk.go(link)  # as the camera of the helper's phone opens it
    desk.press("Check in as %(name)s", name="Ольга")
    desk.sees("{name} is checked in.", name="Тень")

    desk.go(address)
    desk.page.context.set_offline(True)
    desk.page.get_by_role("button", name=f"{desk.says('Check in')} Падаван", exact=True).click()
    desk.page.get_by_role("textbox", name=desk.says("Name", context="of a person"), exact=True).fill("Новичок")
    desk.press("Put on the roster")
    expect(desk.page.locator("[data-outbox-title]")).to_have_text(desk.says("Not sent ({n})", n=2))
    desk.look()
    assert organiser.here(tournament) == ["Дроид", "Мандалорец", "Тень"]
    desk.page.context.set_offline(False)
    expect(desk.page.locator("[data-outbox-box]")).to_be_hidden()
    desk.sees("Roster: %(here)s of %(total)s are here", here=5, total=6)
    log = organiser.ask(f"events/{organiser.event}/log/?tournament={tournament}")["results"]
    done = {(act["verb"], act["who"]) for act in log if act["role"] == "desk"}
    assert done == {("check_in", "Ольга"), ("add_entry", "Ольга")}
    assert len([act for act in log if act["role"] == "desk"]) == 5

    boss = crowd.person(state=signed_in)
    boss.go(f"/desk/t/{tournament}/check-in/close/")
    boss.named(boss.counts("%(n)s player is not here", "%(n)s players are not here", n=1))
    assert boss.page.locator(".agate li").all_inner_texts() == ["Пропавший"]
    boss.press("Close and let them go")
    boss.reads(boss.counts("%(n)s player left before the start", "%(n)s players left before the start", n=1))
    boss.look()


def test_a_player_checks_in_plays_and_reports_two_agree_two_disagree_and_the_referee_sees_both(
    crowd: Crowd, organiser: Organiser
) -> None:
    tournament = organiser.tournament(name="Партии", players_report=True, no_show_minutes=5)
    entries = organiser.enter(tournament, "Дроид", "Мандалорец", "Тень", "Падаван")
    organiser.ask(f"tournaments/{tournament}/open-check-in/", {})
    desk = organiser.helper(tournament, "desk", "Ольга")
    player, other, referee = crowd.person(), crowd.person(), crowd.person()
    player.go(organiser.own_link(desk, entries[0]))
    player.headline("Check-in is open")
    player.press("I am here")
    player.headline("You are checked in")
    tables = organiser.begin(tournament, desk)
    mine, theirs = sorted(tables, key=lambda table: "Дроид" not in dict(tables[table]))

    player.headline("Go to table %(table)s", table=mine)  # by itself
    (first, _), (second, _) = tables[mine]
    rival = second if first == "Дроид" else first
    expect(player.page.locator(".ticket strong")).to_have_text(rival)
    player.press("I am at the table")
    player.sees("You are at the table")
    tell(player, player.score(3, 1))
    player.begins("%(name)s can answer until %(time)s.", name=rival)
    other.go(dict(tables[mine])[rival])
    other.reads(f"{first} {other.score(3, 1)} {second}")
    other.press("Agree: %(result)s", result=other.score(3, 1))
    other.headline("Wait for the next round")
    mine_first = other.score(3, 1) if rival == first else other.score(1, 3)
    expect(other.page.locator("tr[id^=round-]")).to_contain_text(mine_first)

    (first, one), (second, two) = tables[theirs]
    other.go(one)
    tell(other, other.score(3, 0))
    player.go(two)
    player.page.get_by_text(player.says("It ended otherwise")).click()
    tell(player, player.score(2, 3))
    player.sees("You two said different things. The referee decides.")
    player.look()
    referee.go(organiser.helper(tournament, "referee", "Марта"))
    referee.named(referee.counts("%(n)s waits for you", "%(n)s wait for you", n=1))
    referee.sees("Reports differ")
    for who, result in ((first, referee.score(3, 0)), (second, referee.score(2, 3))):
        referee.reads(f"{who}: {result}")
    confirm(referee, referee.score(2, 3))
    referee.headline("No open match")
    rows = organiser.ask(f"tournaments/{tournament}/pairings/")["results"]
    assert {row["table"]: row["match"]["sets"] for row in rows} == {mine: [3, 1], theirs: [2, 3]}


def confirm(person: Person, result: str) -> None:
    """Confirm a report of this result by its one press."""
    said = person.says("Confirm %(result)s", result=result)
    person.page.get_by_role("button", name=re.compile(f"^{re.escape(said)}")).click()


def tell(player: Person, result: str) -> None:
    """Choose a result by its big key and report it."""
    if player.page.locator("#report-it:not([open])").count():
        player.page.locator("#report-it > summary").click()
    player.page.locator("#report .key", has_text=result).first.click()
    player.press("Report this result")
    player.begins("You reported at %(time)s:")


def test_slips_are_typed_without_a_mouse_and_a_second_person_confirms(
    crowd: Crowd, organiser: Organiser, signed_in: Any
) -> None:
    tournament = organiser.tournament(name="Бланки", second_confirms=True)
    organiser.enter(tournament, "Дроид", "Мандалорец", "Тень", "Падаван", here=True)
    for act in ("start", "publish"):
        organiser.ask(f"tournaments/{tournament}/{act}/", {})
    boss = crowd.person(state=signed_in)
    boss.go(f"/desk/t/{tournament}/paper/")
    boss.headline("From paper slips")
    waiting = organiser.ask(f"tournaments/{tournament}/open-matches/")["results"]
    for row, score in zip(waiting, ("3 1", "0:3"), strict=True):
        expect(boss.page.locator("#paper [name=table]")).to_be_focused()
        boss.page.keyboard.type(str(row["table"]))
        boss.page.keyboard.press("Tab")
        boss.page.keyboard.type(score)
        boss.page.keyboard.press("Enter")
        expect(
            boss.page.locator("li[id^=report-]", has_text=boss.score(*map(int, re.findall(r"\d", score))))
        ).to_be_visible()
    boss.sees("Waits for a second person")
    boss.look()
    assert len(organiser.ask(f"tournaments/{tournament}/open-matches/")["results"]) == 2

    second = crowd.person()
    second.go(organiser.helper(tournament, "referee", "Марта"))
    second.sees("Waits for a second person")
    for left, result in ((1, second.score(3, 1)), (0, second.score(0, 3))):
        confirm(second, result)
        title = (
            second.counts("%(n)s waits for you", "%(n)s wait for you", n=left) if left else second.says("No open match")
        )
        second.named(title)
    assert organiser.ask(f"tournaments/{tournament}/open-matches/")["results"] == []


def mailed(copy: Launched) -> list[str]:
    """The links to sign in by, where a house without a mail server writes them."""
    logs = "".join(path.read_text(errors="replace") for path in sorted(copy.data.rglob("*.log")))
    return re.findall(r"http://[\w.:]+(/sign-in/link/[\w-]+/)", logs)


def test_an_account_holder_signs_in_by_mail_sees_their_events_and_then_by_passkey(
    crowd: Crowd, organiser: Organiser
) -> None:
    email = f"{crowd.language}{crowd.width}@example.org"
    organiser.enter(organiser.tournament(name="Мой турнир"), "Дроид", email=email)
    player = crowd.person(named=True)
    player.go("/me/")
    player.field("Address").last.fill(email)
    before = mailed(crowd.copy)
    player.press("Mail me a link")
    player.headline("Look into your mailbox")
    player.go(until(lambda: "".join(mailed(crowd.copy)[len(before) :]), saying="the mail in the worker's log"))
    player.press("Sign in")
    player.headline("My events")
    expect(player.page.locator("main").get_by_role("link")).to_have_text([f"{organiser.name} · Мой турнир"])
    player.sees("as %(name)s", name="Дроид")

    session = player.page.context.new_cdp_session(player.page)
    session.send("WebAuthn.enable")
    session.send("WebAuthn.addVirtualAuthenticator", {"options": DEVICE})
    player.go("/account/")
    player.fill("What it is on", "телефон")
    player.press("Add a passkey")
    player.sees("The passkey is added: it signs you in from now on.")
    player.look()
    player.press("Sign out")
    player.go("/sign-in/?next=/me/")
    player.press("Use a passkey")
    player.headline("My events")
    player.reads("Мой турнир")


def code_of(secret: str) -> str:
    """The six digits an authenticator app shows for a key now."""
    key = base64.b32decode(secret + "=" * (-len(secret) % 8))
    digest = hmac.new(key, struct.pack(">Q", int(time.time()) // 30), hashlib.sha1).digest()
    return f"{(int.from_bytes(digest[(at := digest[-1] & 15) : at + 4], 'big') & 0x7FFFFFFF) % 1_000_000:06}"


def test_an_organiser_invites_revokes_and_hands_over_and_the_heir_takes_a_second_step(
    crowd: Crowd, organiser: Organiser, signed_in: Any
) -> None:
    days = {"starts_on": "2027-05-22", "ends_on": "2027-05-23"}
    event = organiser.ask("events/", {"name": "Слёт", "place": "Рига", "zone": "Europe/Riga", **days})["id"]
    boss, heir = crowd.person(state=signed_in), crowd.person()
    boss.go(f"/desk/events/{event}/staff/")
    boss.headline("Helpers")
    boss.fill("Who is it for", "Марта")
    boss.page.get_by_role("radio", name=boss.says("Organiser"), exact=True).check()
    boss.press("Make the link")
    boss.named("Марта")
    expect(boss.page.locator(".qr svg")).to_be_visible()

    heir.go(boss.page.locator(".address code").inner_text())
    heir.reads("Слёт")
    email = f"marta.{crowd.language}{crowd.width}@example.org"
    heir.fill("Your name", "Марта")
    heir.field("Address").fill(email)
    heir.field("Password").fill(PASSWORD)
    heir.press("Make the account")
    heir.press("Become an organiser")
    expect(heir.page).to_have_url(re.compile(r"/desk/"))
    heir.look()

    link = organiser.ask(f"events/{event}/staff-links/", {"role": "screen", "name": "Зал", "hours": 8})
    assert organiser.copy.get(path_of(link["url"]))[0] == 200
    boss.go(f"/desk/events/{event}/staff/links/{link['id']}/")
    boss.press("Close it")
    boss.sees("The link of {name} works no more.", name="Зал")
    assert organiser.copy.get(path_of(link["url"]))[0] == 404

    boss.page.get_by_role("button", name=f"{boss.says('Hand over')} Марта", exact=True).click()
    boss.page.locator("[popover]:popover-open .btn.main").click()
    row = boss.page.locator("[id^=organiser-]", has_text="Марта")
    expect(row).to_contain_text(boss.says("Owner: answers for what is known of the players"))
    boss.look()

    heir.go("/account/second-step/")
    heir.headline("Turn the second step on")
    secret = heir.page.locator("main p code").inner_text().replace(" ", "")
    heir.page.get_by_role("textbox", name=heir.says("Code")).fill(code_of(secret))
    heir.press("Turn it on")
    heir.headline("Keep these recovery codes")
    kept = heir.page.locator("main li code").first.inner_text()
    heir.press("Sign out")
    sign_in(heir, email, PASSWORD)
    heir.headline("Second step")
    heir.page.get_by_role("textbox", name=heir.says("Code")).fill(kept)
    heir.press("Sign in")
    expect(heir.page).to_have_url(re.compile(r"/desk/$"))
    heir.reads("Слёт")
