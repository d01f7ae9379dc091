"""The entry desk's page by link: who is here, who is not, and those who come on the day."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from players.models import Act
from players.permissions import Role
from tests.factories import NOW, make_entry, make_event, make_field, make_tournament, organiser
from tests.tournaments.play import start
from tests.tournaments.views.referee import JSON
from tournaments.actions import registration, roster, staff
from tournaments.models import Entry, Event, StaffLink, Tournament
from tournaments.permissions import entry_token, link_token

pytestmark = pytest.mark.django_db


def desk_link(event: Event, tournament: Tournament | None = None) -> StaffLink:
    return staff.create_link(
        event_id=event.pk,
        tournament_id=None if tournament is None else tournament.pk,
        role=Role.DESK,
        name="Olli",
        expires_at=timezone.now() + timedelta(hours=8),
        by=organiser(of=event),
        now=NOW,
    )


def address(act: str, link: StaffLink, *args: int) -> str:
    return reverse(act, args=[link_token(link), *args])


def post(act: str, link: StaffLink, *args: int, query: str = "", **fields: str) -> HttpResponse:
    answer = Client().post(address(act, link, *args) + query, fields)
    assert isinstance(answer, HttpResponse)
    return answer


def is_here(entry: Entry) -> bool:
    entry.refresh_from_db()
    return entry.checked_in_at is not None


def checking_in() -> tuple[Tournament, StaffLink]:
    tournament = make_tournament()
    roster.open_check_in(tournament_id=tournament.pk, by=organiser(of=tournament), now=NOW)
    return tournament, desk_link(tournament.event, tournament)


def test_one_tap_says_that_somebody_is_here_and_one_takes_it_back() -> None:
    tournament, link = checking_in()
    entry = make_entry(tournament=tournament, name="Juhani")
    answer = post("staff_check_in", link, entry.pk)
    page = address("staff_roster", link, tournament.pk)
    assert (answer.status_code, answer["Location"]) == (302, f"{page}#entry-{entry.pk}")
    assert is_here(entry)
    act = Act.objects.get(verb="check_in")
    assert (act.who, act.role, act.link) == ("Olli", Role.DESK, link.pk)
    post("staff_undo_check_in", link, entry.pk)
    assert not is_here(entry)


def test_the_page_shows_who_is_missing_and_is_kept_by_nobody() -> None:
    tournament, link = checking_in()
    make_entry(tournament=tournament, name="Here", email="here@example.org", here=True)
    make_entry(tournament=tournament, name="Missing")
    answer = Client().get(address("staff_link", link))
    html = answer.content.decode()
    assert answer["Cache-Control"] == "private, no-store"
    assert html.index("Missing") < html.index("Here</bdi>")
    assert "1 of 2 are here" in html
    assert "@example.org" not in html
    assert not re.search("/desk/|withdraw", html)


def test_the_list_keeps_itself_fresh() -> None:
    tournament, link = checking_in()
    entry = make_entry(tournament=tournament, name="Juhani")
    part = Client().get(address("staff_roster", link, tournament.pk), {"part": "roster"})
    again = {"If-None-Match": part["ETag"]}
    assert (
        Client().get(address("staff_roster", link, tournament.pk), {"part": "roster"}, headers=again).status_code == 304
    )
    post("staff_check_in", link, entry.pk)
    assert (
        Client().get(address("staff_roster", link, tournament.pk), {"part": "roster"}, headers=again).status_code == 200
    )


def test_a_walk_in_is_put_on_the_roster() -> None:
    tournament, link = checking_in()
    said = {"name": "Kaija 🃏", "here": "on", "city": "Riga"}
    answer = post("staff_walk_in", link, **said)
    assert (answer.status_code, answer["Location"]) == (302, f"{address('staff_roster', link, tournament.pk)}#add")
    entry = tournament.entries.get()
    assert (entry.name, entry.city, is_here(entry)) == ("Kaija 🃏", "Riga", True)


def test_a_walk_in_of_a_name_that_is_there_is_asked_about_and_nothing_typed_is_lost() -> None:
    tournament, link = checking_in()
    make_entry(tournament=tournament, name="Juhani")
    answer = post("staff_walk_in", link, name="Juhani", city="Tampere")
    html = answer.content.decode()
    assert answer.status_code == 409
    assert 'value="Tampere"' in html
    assert "This is another person of the same name" in html
    assert tournament.entries.count() == 1
    assert post("staff_walk_in", link, name="Juhani", city="Tampere", name_again="on").status_code == 302
    assert post("staff_walk_in", link, name="").status_code == 400


def test_rc_08_a_walk_in_kept_on_a_device_is_put_on_the_roster_once_and_told_why_not() -> None:
    tournament, link = checking_in()

    def sent(**said: str) -> tuple[int, dict[str, Any]]:
        answer = Client(enforce_csrf_checks=True).post(address("staff_walk_in", link), said, headers=JSON)
        return answer.status_code, answer.json()

    typed = {"name": "Дроид <HK>", "here": "on", "key": "0123456789abcdef"}
    status, first = sent(**typed)
    entry = tournament.entries.get()
    assert (status, first) == (
        200,
        {"entry": entry.pk, "name": "Дроид <HK>", "here": True, "said": "Дроид <HK> is on the roster."},
    )
    assert sent(**typed) == (200, first)
    assert tournament.entries.count() == 1
    status, refused = sent(**typed | {"key": "fedcba9876543210"})
    assert (status, refused["code"]) == (409, "same_name")
    assert refused["detail"].startswith("Somebody called \u2068Дроид <HK>\u2069 is on the roster already.")
    assert sent(**typed | {"key": "fedcba9876543210", "name_again": "on"})[0] == 200
    status, refused = sent(name=" ", key="aaaabbbbccccdddd")
    assert (status, refused["code"], refused["detail"]) == (400, "invalid", "The name is missing.")
    assert tournament.entries.count() == 2


def test_a_tap_after_the_start_changes_nothing_and_says_why() -> None:
    tournament, link = checking_in()
    entries = make_field(size=3, tournament=tournament)
    late = make_entry(tournament=tournament, name="Late")
    start(tournament)
    answer = post("staff_check_in", link, late.pk)
    assert answer.status_code == 409
    assert 'class="notice warn"' in answer.content.decode()
    assert not is_here(late)
    assert is_here(entries[0])
    assert post("staff_walk_in", link, name="Later").status_code == 409


def test_a_desk_for_the_whole_event_chooses_its_tournament_first() -> None:
    event = make_event()
    morning, evening = (make_tournament(event=event, name=name) for name in ("Morning", "Evening"))
    link = desk_link(event)
    html = Client().get(address("staff_link", link)).content.decode()
    assert "Which tournament?" in html
    assert f'href="{address("staff_roster", link, evening.pk)}"' in html
    assert Client().get(address("staff_roster", link, evening.pk)).status_code == 200
    assert post("staff_walk_in", link, query=f"?tournament={evening.pk}", name="Juhani").status_code == 302
    assert (morning.entries.count(), evening.entries.count()) == (0, 1)
    assert post("staff_walk_in", link, name="Nowhere").status_code == 404


def test_sp_01_a_desk_reaches_no_other_tournament_and_enters_no_result() -> None:
    tournament, link = checking_in()
    beside = make_tournament(event=tournament.event)
    elsewhere = make_tournament()
    for foreign in (beside, elsewhere):
        entry = make_entry(tournament=foreign, name="Juhani")
        assert Client().get(address("staff_roster", link, foreign.pk)).status_code == 404
        assert post("staff_check_in", link, entry.pk).status_code == 404
        assert post("staff_undo_check_in", link, entry.pk).status_code == 404
        assert post("staff_walk_in", link, query=f"?tournament={foreign.pk}", name="Mission").status_code == 404
        assert (is_here(entry), foreign.entries.count()) == (False, 1)
    make_field(size=2, tournament=tournament)
    start(tournament)
    match = tournament.stages.get().rounds.get().pairings.get().match_id
    assert match is not None
    assert Client().get(address("staff_result", link, match)).status_code == 404
    assert post("staff_result", link, match, result="3-0", key="12345678", version="0").status_code == 404


def test_a_phone_that_lost_its_cookies_still_checks_in() -> None:
    tournament, link = checking_in()
    entry = make_entry(tournament=tournament, name="Juhani")
    answer = Client(enforce_csrf_checks=True).post(address("staff_check_in", link, entry.pk))
    assert answer.status_code == 302
    assert is_here(entry)


# --- a desk without a network for a while


def send(act: str, link: StaffLink, *args: int, **fields: str) -> Any:
    """As a device sends what it kept: without a session, asking for JSON."""
    client = Client(enforce_csrf_checks=True)
    return client.post(address(act, link, *args), fields, headers={"Accept": "application/json"})


def test_rc_08_what_a_device_kept_is_taken_once_under_the_helper_who_did_it() -> None:
    tournament, link = checking_in()
    entries = make_field(size=12, tournament=tournament, here=False)
    for _twice in range(2):
        for place, entry in enumerate(entries):
            answer = send("staff_check_in", link, entry.pk, key=f"{place:032}")
            assert answer.json() == {"entry": entry.pk, "name": entry.staff_name, "here": True}
    acts = Act.objects.filter(verb="check_in").values_list("target", "who", "link")
    assert sorted(acts) == sorted((f"entry/{entry.pk}", "Olli", link.pk) for entry in entries)


def test_rc_08_a_late_repetition_does_not_undo_what_was_done_since() -> None:
    tournament, link = checking_in()
    entry = make_entry(tournament=tournament, name="Juhani")
    send("staff_check_in", link, entry.pk, key="a" * 32)
    send("staff_undo_check_in", link, entry.pk, key="b" * 32)
    assert send("staff_check_in", link, entry.pk, key="a" * 32).json()["here"] is False
    assert not is_here(entry)
    assert send("staff_check_in", link, entry.pk, key="c" * 32).json()["here"] is True


def test_rc_08_what_is_refused_says_why() -> None:
    tournament, link = checking_in()
    make_field(size=2, tournament=tournament)
    late = make_entry(tournament=tournament, name="Late")
    start(tournament)
    answer = send("staff_check_in", link, late.pk, key="a" * 32)
    assert (answer.status_code, answer["Content-Type"]) == (409, "application/problem+json")
    assert answer.json()["code"] == "roster_is_frozen"
    assert answer.json()["detail"].startswith("The tournament has started")
    StaffLink.objects.filter(pk=link.pk).update(revoked_at=NOW)
    assert send("staff_check_in", link, late.pk, key="a" * 32).status_code == 404


def test_buttons_of_the_list_are_kept_by_the_device_until_they_are_sent() -> None:
    tournament, link = checking_in()
    entry = make_entry(tournament=tournament, name="<b>Juhani")
    html = Client().get(address("staff_link", link)).content.decode()
    assert '<form method="post" id="roster-rows" data-outbox>' in html
    assert f'formaction="{address("staff_check_in", link, entry.pk)}" data-label="Check in &lt;b&gt;Juhani"' in html
    assert f'data-outbox-box="{address("staff_link", link)}" data-outbox-by="Olli"' in html
    assert "js/outbox" in html


def test_whoever_was_dropped_is_checked_in_after_all_below_the_list() -> None:
    tournament, link = checking_in()
    entry = make_entry(tournament=tournament, name="Juhani")
    by = organiser(of=tournament)
    roster.close_check_in(tournament_id=tournament.pk, missing=roster.DROP, by=by, now=NOW)
    html = Client().get(address("staff_link", link)).content.decode()
    assert "1 player left before the start" in html
    assert f'formaction="{address("staff_check_in_after_all", link, entry.pk)}"' in html
    assert send("staff_check_in_after_all", link, entry.pk, key="a" * 32).json()["here"] is True
    assert is_here(entry)
    assert "left before the start" not in Client().get(address("staff_link", link)).content.decode()


# --- a scanner that types what it reads


def scan(link: StaffLink, tournament: Tournament, code: str, *, json: bool = True) -> Any:
    if json:
        return send("staff_scan", link, tournament.pk, code=code, key="a" * 32)
    return Client().post(address("staff_scan", link, tournament.pk), {"code": code})


def own_token(entry: Entry) -> str:
    return entry_token(Entry.objects.get(pk=entry.pk))


@pytest.mark.parametrize(
    "typed",
    [
        pytest.param("https://cantina.test/p/{token}/", id="the whole address"),
        pytest.param(" {token}\r\n", id="the secret part"),
        pytest.param("HTTPS://CANTINA.TEST/P/{token}/", id="in capitals"),
    ],
)
def test_a_scanned_link_checks_in_and_says_who_it_is(typed: str) -> None:
    tournament, link = checking_in()
    entry = make_entry(tournament=tournament, name="Juhani")
    code = typed.format(token=own_token(entry))
    answer = scan(link, tournament, code.upper() if typed.startswith("HTTPS") else code)
    assert answer.json()["said"] == "\u2068Juhani\u2069 is here."
    assert is_here(entry)
    assert (Act.objects.get(verb="check_in").who, Act.objects.get(verb="check_in").link) == ("Olli", link.pk)


def test_a_scanner_beside_a_russian_keyboard_is_understood() -> None:
    tournament, link = checking_in()
    entry = make_entry(tournament=tournament, name="Juhani")
    typed = own_token(entry).translate(str.maketrans("abcdef", "фисвуа"))
    assert scan(link, tournament, f"реезж..сфтештф.еуые.з.{typed}.").status_code == 200
    assert is_here(entry)


def test_without_script_the_field_is_in_focus_again_and_the_name_is_said() -> None:
    tournament, link = checking_in()
    entry = make_entry(tournament=tournament, name="Juhani")
    page = address("staff_roster", link, tournament.pk)
    answer = scan(link, tournament, own_token(entry), json=False)
    assert (answer.status_code, answer["Location"]) == (302, f"{page}?scan=1#scan")
    client = Client()
    client.post(address("staff_scan", link, tournament.pk), {"code": own_token(entry)})
    html = client.get(f"{page}?scan=1").content.decode()
    assert "<bdi>Juhani</bdi> is here." in html
    assert html.count(" autofocus") == 1
    assert " autofocus" not in client.get(page).content.decode()


@pytest.mark.parametrize("code", ["", "4006381333931", "1-0123456789abcdef0123456789abcdef", "9" * 400])
def test_an_unknown_code_is_a_clear_error_and_stays_in_the_field(code: str) -> None:
    tournament, link = checking_in()
    refused = scan(link, tournament, code)
    assert (refused.status_code, refused.json()["code"]) == (400, "code_unknown")
    answer = scan(link, tournament, code, json=False)
    html = answer.content.decode()
    assert answer.status_code == 400
    assert f'value="{code}"' in html
    assert "This is nobody’s link in this tournament" in html


def test_a_link_of_elsewhere_is_told_apart() -> None:
    tournament, link = checking_in()
    beside = make_entry(tournament=make_tournament(event=tournament.event, name="Cup"), name="Beside")
    foreign = make_entry(tournament=make_tournament(), name="Foreign")
    refused = scan(link, tournament, own_token(beside))
    assert (refused.status_code, refused.json()["code"]) == (409, "code_elsewhere")
    assert "Cup" in refused.json()["detail"]
    assert scan(link, tournament, own_token(foreign)).json()["code"] == "code_unknown"
    whole = desk_link(tournament.event)
    assert scan(whole, tournament, own_token(beside)).json()["said"].endswith("is here, in \u2068Cup\u2069.")
    assert (is_here(beside), is_here(foreign)) == (True, False)


def test_a_replaced_link_and_one_of_whoever_waits_are_refused() -> None:
    tournament, link = checking_in()
    entry = make_entry(tournament=tournament, name="Juhani")
    old = own_token(entry)
    registration.renew_entry_link(entry_id=entry.pk, by=organiser(of=tournament), now=NOW)
    assert scan(link, tournament, old).json()["code"] == "code_unknown"
    Entry.objects.filter(pk=entry.pk).update(status="waiting", waiting_since=NOW)
    assert scan(link, tournament, own_token(entry)).json()["code"] == "no_place_yet"
