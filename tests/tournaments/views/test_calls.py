"""Calls for a referee on pages: the player's, the table's, the referee's and the desk's."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta
from html import unescape
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from players.permissions import Role
from tests.factories import make_event
from tests.tournaments.play import pairings
from tests.tournaments.views.referee import first, link_for, match_of, page, referee, running
from tournaments.actions.throttle import TIMES
from tournaments.models import Entry, Event, Pairing, RefereeCall, StaffLink, Tournament
from tournaments.permissions import entry_token, link_token, table_code

pytestmark = pytest.mark.django_db


def words(answer: Any) -> str:
    """The text of a page, tags and doubled spaces gone."""
    html = answer.content.decode().partition("<main")[2]
    return re.sub(r"\s+", " ", unescape(re.sub(r"<template.*?</template>|<[^>]+>", " ", html, flags=re.DOTALL)))


def own(entry: Entry) -> Any:
    return Client().get(reverse("own_page", args=[entry_token(entry)]))


def press_own(entry: Entry, pairing: Pairing, said: str = "1") -> Any:
    address = reverse("own_match_call", args=[entry_token(entry), match_of(pairing)])
    return Client(enforce_csrf_checks=True).post(address, {"call": said})


def table(event: Event, number: int, *, code: str = "") -> str:
    return reverse("table_call", args=[event.pk, number, code or table_code(event_id=event.pk, table=number)])


def press_table(event: Event, number: int, said: str = "1") -> Any:
    return Client(enforce_csrf_checks=True).post(table(event, number), {"call": said})


def press(act: str, link: StaffLink, **fields: str) -> Any:
    address = reverse(f"staff_call_{act}", args=[link_token(link), RefereeCall.objects.latest("pk").pk])
    return Client(enforce_csrf_checks=True).post(address, fields)


def signed_in(event: Event) -> Client:
    client = Client()
    client.force_login(event.owner, backend="django.contrib.auth.backends.ModelBackend")
    return client


def since(minutes: int) -> str:
    """The call there is has waited for so long; since when, by the venue's clock."""
    at = timezone.now() - timedelta(minutes=minutes)
    RefereeCall.objects.update(called_at=at)
    return f"{at.astimezone(Event.objects.get().tzinfo):%H:%M}"


def test_a_player_calls_sees_who_comes_and_that_it_is_over() -> None:
    tournament = running()
    pairing, link = first(tournament), referee(tournament)
    assert "Call the referee" in words(own(pairing.a))
    assert press_own(pairing.a, pairing).status_code == 302
    assert re.search(r"The referee is called since .*Take the call back", words(own(pairing.a)))
    assert pairing.b is not None
    told = words(own(pairing.b))
    assert ("The referee is called since" in told, "Take the call back" in told) == (True, False)
    press("take", link, going="1")
    assert "Marta is coming" in words(own(pairing.a))
    press("finish", link)
    assert "Call the referee" in words(own(pairing.a))


def test_a_player_takes_the_call_back() -> None:
    tournament = running()
    pairing = first(tournament)
    for _twice in range(2):
        press_own(pairing.a, pairing)
    assert RefereeCall.objects.count() == 1
    for _twice in range(2):
        assert press_own(pairing.a, pairing, "").status_code == 302
    assert "Call the referee" in words(own(pairing.a))
    assert RefereeCall.objects.get().over_at is not None


def test_a_player_calls_to_no_match_but_their_own() -> None:
    tournament = running()
    one, other = pairings(tournament, 1)
    assert press_own(one.a, other).status_code == 404
    assert RefereeCall.objects.count() == 0


def test_the_own_page_is_another_one_with_every_step_of_a_call() -> None:
    tournament = running()
    pairing, link = first(tournament), referee(tournament)
    address = reverse("own_page", args=[entry_token(pairing.a)])

    def tag() -> str:
        return str(Client().get(address, {"part": "now"})["ETag"])

    tags = [tag()]
    steps: list[Callable[[], Any]] = [
        lambda: press_own(pairing.a, pairing),
        lambda: press("take", link, going="1"),
        lambda: press("take", link, going=""),
        lambda: press("finish", link),
    ]
    for step in steps:
        step()
        tags.append(tag())
    assert tags[0] == tags[4]
    assert tags[1] == tags[3]
    assert len(set(tags)) == 3
    assert f"call/{pairing.pk}" in own(pairing.a).content.decode()


# --- the code of a table


def test_whoever_has_the_code_of_a_table_calls_and_takes_it_back() -> None:
    tournament = running()
    event, pairing = tournament.event, first(tournament)
    number = pairing.table or 0
    assert "Table 1 Is something unclear at this table?" in words(Client().get(table(event, number)))
    for _twice in range(2):
        assert press_table(event, number).status_code == 302
    call = RefereeCall.objects.get()
    assert (call.pairing, call.place, call.entry) == (pairing, number, None)
    assert "The referee is called since" in words(Client().get(table(event, number)))
    assert "The referee is called since" in words(own(pairing.a))
    press("take", referee(tournament), going="1")
    assert "Marta is coming" in words(Client().get(table(event, number)))
    press_table(event, number, "")
    assert "Call the referee" in words(Client().get(table(event, number)))


def test_nobody_calls_without_the_very_code_of_the_table() -> None:
    event = running().event
    for code in (table_code(event_id=event.pk, table=2), table_code(event_id=event.pk + 1, table=1), "x", "ж"):
        assert Client().get(table(event, 1, code=code)).status_code == 404
        assert Client().post(table(event, 1, code=code), {"call": "1"}).status_code == 404
    assert RefereeCall.objects.count() == 0


def test_where_nothing_is_played_the_page_says_so() -> None:
    event = make_event()
    client = Client()
    told = client.post(table(event, 1), {"call": "1"}, follow=True)
    assert "No tournament is being played here now." in told.content.decode()


def test_one_network_calls_so_often_and_then_waits() -> None:
    cache.clear()
    event = running().event
    for _time in range(TIMES):
        assert press_table(event, 50).status_code == 302
    refused = press_table(event, 51)
    assert (refused.status_code, int(refused["Retry-After"]) > 0) == (429, True)
    assert "called from this network very often" in words(refused)
    assert press_table(event, 50, "").status_code == 302
    cache.clear()


def test_cards_of_tables_have_the_number_and_the_code() -> None:
    tournament = running(6)
    event = tournament.event
    client = signed_in(event)
    html = client.get(reverse("table_cards", args=[event.pk])).content.decode()
    assert re.findall(r'aria-label="(Code of table \d+)"', html) == [f"Code of table {n}" for n in (1, 2, 3)]
    assert (
        reverse("table_cards", args=[event.pk]) in client.get(reverse("event_desk", args=[event.pk])).content.decode()
    )


# --- whoever goes


def test_a_referee_sees_where_since_when_and_goes() -> None:
    tournament = running()
    pairing, marta, olli = first(tournament), referee(tournament), referee(tournament, name="Olli")
    press_own(pairing.a, pairing)
    at = since(4)
    told = words(page(marta))
    assert "1 call · 2 open" in told
    assert re.search(rf"Table {pairing.table} Player \d+ – Player \d+ Calls since [^(]*{at} \( 4 min\)", told)
    assert press("take", marta, going="1").status_code == 302
    assert "you go" in words(page(marta))
    assert "Marta goes" in words(page(olli))
    refused = press("take", olli, going="1")
    assert refused.status_code == 409
    assert "\u2068Marta\u2069 goes there already." in refused.content.decode()
    assert press("take", marta, going="").status_code == 302
    assert press("take", olli, going="1").status_code == 302
    assert "Olli goes" in words(page(marta))
    assert press("finish", olli).status_code == 302
    assert ">Called<" not in page(olli).content.decode()


def test_a_bound_referee_hears_their_tables_and_no_other() -> None:
    tournament = running()
    one, other = pairings(tournament, 1)
    bound = referee(tournament, tables=(one.table or 0,))
    press_own(other.a, other)
    assert ">Called<" not in page(bound).content.decode()
    for link in (bound, referee(running()), link_for(tournament.event, tournament=tournament, role=Role.DESK)):
        assert press("take", link, going="1").status_code == 404
        assert press("finish", link).status_code == 404
    press_own(one.a, one)
    assert ">Called<" in page(bound).content.decode()
    assert press("take", bound, going="1").status_code == 302


def test_a_call_from_a_table_without_a_match_is_every_referees_there() -> None:
    tournament = running()
    press_table(tournament.event, 30)
    for link in (referee(tournament), link_for(tournament.event), referee(tournament, tables=(30,))):
        assert "Called from the table" in words(page(link))
    assert press("take", referee(tournament, tables=(31,)), going="1").status_code == 404
    assert press("finish", referee(tournament, tables=(30,))).status_code == 302


def test_the_day_of_a_referee_is_in_the_order_of_need() -> None:
    tournament = running(8, no_show_minutes=10, players_report=True)
    called, disputed, late, rest_of = pairings(tournament, 1)
    link = referee(tournament)
    press_own(called.a, called)
    ago = timezone.now() - timedelta(minutes=20)
    Pairing.objects.filter(pk=late.pk).update(due_at=ago, here_a_at=ago)
    Pairing.objects.filter(pk=rest_of.pk).update(due_at=ago)
    for side, result in ((disputed.a, "3-1"), (disputed.b, "1-3")):
        assert side is not None
        address = reverse("own_report", args=[entry_token(side), match_of(disputed)])
        said = {"result": result, "key": f"of-{side.pk}-and-nobody-else", "version": "0"}
        assert Client().post(address, said).status_code == 302
    html = page(link).content.decode()
    titles = re.findall(r"<h2[^>]*>([^<]*)</h2>", html)
    assert [each for each in titles if each in ("Called", "Needs your word", "Late or missing", "Open")] == [
        "Called",
        "Needs your word",
        "Late or missing",
        "Open",
    ]
    assert "1 call · 2 wait for you · 2 open" in words(page(link))
    rest = words(page(link)).partition("Late or missing")[2].partition(" Open ")[2]
    assert re.search(rf"Round 1 · since [^·]*{ago.astimezone(tournament.event.tzinfo):%H:%M}", rest)


def test_the_desk_hears_every_call_of_its_tournament() -> None:
    tournament = running()
    pairing, client = first(tournament), signed_in(tournament.event)
    address = reverse("results", args=[tournament.pk])
    before = client.get(address, {"part": "results"})["ETag"]
    press_own(pairing.a, pairing)
    answer = client.get(address)
    assert "Calls since" in words(answer)
    assert f"calls/{tournament.event_id}" in answer.content.decode()
    tag = client.get(address, {"part": "results"})["ETag"]
    assert tag != before
    call = RefereeCall.objects.get()
    taken = client.post(reverse("call_take", args=[tournament.pk, call.pk]), {"going": "1"})
    assert taken.status_code == 302
    assert "you go" in words(client.get(address))
    assert "an organiser is coming" in words(own(pairing.a))
    assert client.get(address, {"part": "results"})["ETag"] != tag
    assert client.post(reverse("call_finish", args=[tournament.pk, call.pk])).status_code == 302
    assert client.get(address, {"part": "results"})["ETag"] == before
    assert client.post(reverse("call_take", args=[tournament.pk, call.pk]), {"going": "1"}).status_code == 409


def test_the_desk_of_one_tournament_does_not_answer_another_ones_calls() -> None:
    event = make_event()
    one, other = running(event=event), running(event=event)
    press_own(first(one).a, first(one))
    client = signed_in(event)
    for act in ("call_take", "call_finish"):
        assert client.post(reverse(act, args=[other.pk, RefereeCall.objects.get().pk])).status_code == 404


def test_the_log_says_what_was_done_about_a_call_and_by_whom() -> None:
    tournament = running()
    press_table(tournament.event, 30)
    press("take", referee(tournament), going="1")
    press("finish", referee(tournament))
    told = words(signed_in(tournament.event).get(reverse("event_log", args=[tournament.event_id])))
    lines = ("Was at table 30", "Went to table 30, where the referee was called.", "Called the referee to table 30.")
    assert sorted(lines, key=told.index) == list(lines)
    assert re.search(r"Called the referee to table 30\. Public", told)


def test_the_hall_screen_shows_no_call() -> None:
    tournament: Tournament = running()
    address = reverse("hall", args=[tournament.pk])
    before = Client().get(address)
    press_own(first(tournament).a, first(tournament))
    after = Client().get(address)
    assert after["ETag"] == before["ETag"]
    assert b"Calls since" not in after.content
