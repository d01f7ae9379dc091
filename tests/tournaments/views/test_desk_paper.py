"""Typing from paper: table, score, Enter; what is wrong stays typed, what is sent twice is one."""

from __future__ import annotations

import re
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse

from matches.actions import SCORE, WALKOVER
from matches.models import Match, Submission
from tests.factories import make_tournament
from tests.tournaments.play import count_up, draft, pairings, play_open, publish
from tests.tournaments.views.desk import Page, desk_of, page_text, running, stranger, text_of
from tournaments.models import Pairing, Tournament

pytestmark = pytest.mark.django_db


def address(tournament: Tournament) -> str:
    return reverse("paper", args=[tournament.pk])


def fields(page: Page) -> dict[str, str]:
    """The line as the browser has it: what is typed in it, and what is hidden."""
    form = page.context["form"]
    return {name: str(form[name].value() if form[name].value() is not None else "") for name in form.fields}


def type_in(client: Client, tournament: Tournament, table: int | str, score: str, **more: Any) -> Page:
    typed = fields(client.get(address(tournament))) | {"table": str(table), "score": score}
    return client.post(address(tournament), typed | more)


def stored(pairing: Pairing) -> tuple[str, int, int]:
    match = Match.objects.get(pk=pairing.match_id or 0)
    return match.kind, match.sets_a, match.sets_b


def lines(page: Page) -> list[str]:
    found = re.findall(r'<li class="line".*?</li>', page.content.decode(), re.DOTALL)
    return [re.sub(r" \d\d:\d\d.*| \d+ [A-Z][a-z]+, \d\d:\d\d.*", "", text_of(each)) for each in found]


def test_a_line_is_a_result_and_the_cursor_is_back_on_the_table() -> None:
    tournament = running()
    one, other = pairings(tournament, 1)
    client = desk_of(tournament)
    assert (done := type_in(client, tournament, one.table or 0, "31")).status_code == 302
    assert done["Location"] == address(tournament)
    type_in(client, tournament, other.table or 0, "w2")
    assert (stored(one), stored(other)) == ((SCORE, 3, 1), (WALKOVER, 0, 3))
    shown = client.get(address(tournament))
    assert lines(shown) == [
        f"Table {other.table} {other.a.name} 0–3, walkover {other.b.name if other.b else ''}",
        f"Table {one.table} {one.a.name} 3–1 {one.b.name if one.b else ''}",
    ]
    assert re.search(r'<input[^>]*name="table"[^>]*autofocus', shown.content.decode())
    assert fields(shown)["table"] == ""


def test_the_players_of_each_open_table_are_named_beside_its_number() -> None:
    tournament = running()
    one, other = pairings(tournament, 1)
    client = desk_of(tournament)
    type_in(client, tournament, one.table or 0, "3 0")
    options = re.findall(r'<option value="(\d+)">([^<]+)<', client.get(address(tournament)).content.decode())
    assert options == [(str(other.table), f"{other.a.name} – {other.b.name if other.b else ''}")]


def test_enter_pressed_twice_is_one_result() -> None:
    tournament = running()
    one = pairings(tournament, 1)[0]
    client = desk_of(tournament)
    typed = fields(client.get(address(tournament))) | {"table": str(one.table), "score": "3:1"}
    assert [client.post(address(tournament), typed).status_code for _ in range(3)] == [302] * 3
    assert Submission.objects.count() == 1


def test_a_line_typed_over_one_that_was_sent_is_a_result_of_its_own() -> None:
    tournament = running()
    one, other = pairings(tournament, 1)
    client = desk_of(tournament)
    typed = fields(client.get(address(tournament))) | {"table": str(one.table), "score": "3:1"}
    client.post(address(tournament), typed)
    assert client.post(address(tournament), typed | {"table": str(other.table), "score": "0 3"}).status_code == 302
    assert (stored(one), stored(other)) == ((SCORE, 3, 1), (SCORE, 0, 3))


@pytest.mark.parametrize(
    ("table", "score", "told", "cursor"),
    [
        ("1", "33", "Both cannot have 3 sets", "score"),
        ("1", "3x", "No score: type it like 3 1", "score"),
        ("1", "", "This field is required.", "score"),
        ("99", "31", "Nobody plays at table 99 in this round.", "table"),
        ("one", "31", "Enter a whole number.", "table"),
    ],
)
def test_what_is_wrong_is_told_and_stays_as_typed(table: str, score: str, told: str, cursor: str) -> None:
    tournament = running()
    refused = type_in(desk_of(tournament), tournament, table, score)
    assert refused.status_code == 400
    assert told in page_text(refused)
    kept = fields(refused)
    assert (kept["table"], kept["score"]) == (table, score)
    assert re.search(rf'<input[^>]*name="{cursor}"[^>]*autofocus', refused.content.decode())
    assert not Submission.objects.exists()


def test_a_table_with_a_result_names_it_and_keeps_it() -> None:
    tournament = running()
    one = pairings(tournament, 1)[0]
    client = desk_of(tournament)
    type_in(client, tournament, one.table or 0, "31")
    again = type_in(client, tournament, one.table or 0, "13")
    assert again.status_code == 400
    text = page_text(again)
    assert f"\u2068{one.a.name}\u2069 – \u2068{one.b.name if one.b else ''}\u2069." in text
    assert "This match has a result already: 3–1" in text
    assert stored(one) == (SCORE, 3, 1)


def test_re_13_a_line_of_an_older_round_lands_in_no_newer_one() -> None:
    tournament = running()
    client = desk_of(tournament)
    old = fields(client.get(address(tournament)))
    play_open(tournament)
    draft(tournament)
    publish(tournament)
    late = client.post(address(tournament), old | {"table": "1", "score": "31"})
    assert late.status_code == 400
    assert [stored(pairing) for pairing in pairings(tournament, 2)] == [("", 0, 0)] * 2
    newer = fields(late)
    assert newer["round"] == str(pairings(tournament, 2)[0].round_id)


def test_with_several_rounds_open_the_round_is_chosen() -> None:
    tournament = running(4, format="round_robin")
    client = desk_of(tournament)
    shown = client.get(address(tournament))
    rounds = re.findall(r'<option value="(\d+)"[^>]*>(Round \d)<', shown.content.decode())
    assert [name for _, name in rounds] == ["Round 1", "Round 2", "Round 3"]
    wanted = pairings(tournament, 2)[0]
    type_in(client, tournament, wanted.table or 0, "31", round=str(wanted.round_id))
    assert stored(wanted) == (SCORE, 3, 1)
    refused = type_in(client, tournament, 99, "31", round=str(wanted.round_id))
    assert fields(refused)["round"] == str(wanted.round_id)


def test_a_line_is_undone_on_the_same_page() -> None:
    tournament = running()
    one = pairings(tournament, 1)[0]
    client = desk_of(tournament)
    type_in(client, tournament, one.table or 0, "31")
    undo = client.post(reverse("match_clear", args=[tournament.pk, one.match_id]), {"version": "1", "from": "paper"})
    assert (undo.status_code, undo["Location"]) == (302, address(tournament))
    assert stored(one) == ("", 0, 0)


def test_where_a_second_person_confirms_a_line_waits_and_can_be_undone() -> None:
    tournament = running(second_confirms=True)
    one = pairings(tournament, 1)[0]
    client = desk_of(tournament)
    type_in(client, tournament, one.table or 0, "31")
    shown = client.get(address(tournament))
    assert "Waits for a second person" in page_text(shown)
    assert stored(one) == ("", 0, 0)
    report = Submission.objects.get()
    undo = client.post(reverse("report_take_back", args=[tournament.pk, report.pk]), {"from": "paper"})
    assert undo["Location"] == address(tournament)
    assert "Waits for a second person" not in page_text(client.get(address(tournament)))


def test_before_a_round_is_published_there_is_nothing_to_type() -> None:
    tournament = running(2)
    play_open(tournament)
    count_up(tournament)
    assert desk_of(tournament).get(address(tournament)).status_code == 200
    fresh = make_tournament()
    assert "No round is being played" in page_text(desk_of(fresh).get(address(fresh)))
    typed = {"table": "1", "score": "31", "round": "1", "key": str(uuid4())}
    assert desk_of(fresh).post(address(fresh), typed).status_code == 400


def test_sp_01_only_its_organisers_type_for_a_tournament() -> None:
    tournament = running()
    assert stranger().get(address(tournament)).status_code == 404
    assert stranger().post(address(tournament), {"table": "1"}).status_code == 404
