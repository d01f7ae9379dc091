"""The entry desk's page by link: who is here, who is not, and those who come on the day."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from players.models import Act
from players.permissions import Role
from tests.factories import NOW, make_entry, make_event, make_field, make_tournament, organiser
from tests.tournaments.play import start
from tournaments.actions import roster, staff
from tournaments.models import Entry, Event, StaffLink, Tournament
from tournaments.permissions import link_token

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
