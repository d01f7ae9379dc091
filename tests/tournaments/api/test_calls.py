"""Calls for a referee by the API: by players, from tables, and by whoever goes."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client

from tests.factories import make_event, make_field, make_tournament
from tests.tournaments.api.asking import Api, by_link, by_stranger, by_token, code_of
from tests.tournaments.play import pairings, start
from tournaments.actions.throttle import TIMES
from tournaments.models import Entry, Event, Pairing, Tournament
from tournaments.permissions import entry_token, table_code

pytestmark = pytest.mark.django_db


def running(event: Event | None = None) -> tuple[Tournament, Pairing]:
    tournament = make_tournament(event=event, seeding="rating")
    make_field(size=4, tournament=tournament)
    start(tournament)
    return tournament, pairings(tournament, 1)[0]


def by_player(entry: Entry | None) -> Api:
    assert entry is not None
    return Api(f"Own {entry_token(Entry.objects.get(pk=entry.pk))}")


def at_table(event: Event, number: int, act: str = "", *, code: str = "") -> Any:
    said = {"code": code or table_code(event_id=event.pk, table=number)}
    return Api().post(f"events/{event.pk}/tables/{number}/call/{act}", said)


def test_a_player_calls_once_a_referee_goes_and_it_is_over() -> None:
    tournament, pairing = running()
    path, referee = f"own/matches/{pairing.match_id}/call/", by_link(tournament)
    made = by_player(pairing.a).post(path).json()
    assert made | {"id": 0, "called_at": ""} == {
        "id": 0,
        "table": pairing.table,
        "match": pairing.match_id,
        "entry": pairing.a_id,
        "called_at": "",
        "taken_by": "",
        "taken_at": None,
        "over_at": None,
    }
    assert by_player(pairing.b).post(path).json()["id"] == made["id"]
    calls = f"tournaments/{tournament.pk}/calls/"
    assert referee.rows(calls) == [made]
    taken = referee.post(f"{calls}{made['id']}/take/").json()
    assert taken["taken_by"] == "Marta"
    refused = by_token(tournament).post(f"{calls}{made['id']}/take/", {"going": True})
    assert (code_of(refused), refused.json()["params"]) == ((409, "call_taken"), {"by": "Marta"})
    assert referee.post(f"{calls}{made['id']}/take/", {"going": False}).json()["taken_by"] == ""
    for _twice in range(2):
        assert referee.post(f"{calls}{made['id']}/finish/").json()["over_at"] is not None
    assert referee.rows(calls) == []
    assert code_of(by_player(pairing.a).post(f"{path}take-back/")) == (409, "call_over")


def test_a_player_takes_their_own_call_back_and_not_the_other_ones() -> None:
    _tournament, pairing = running()
    path = f"own/matches/{pairing.match_id}/call/"
    by_player(pairing.a).post(path)
    assert code_of(by_player(pairing.b).post(f"{path}take-back/")) == (409, "call_not_yours")
    assert by_player(pairing.a).post(f"{path}take-back/").json()["over_at"] is not None


def test_a_player_calls_to_their_own_matches_alone() -> None:
    tournament, _pairing = running()
    one, other = pairings(tournament, 1)
    for act in ("", "take-back/"):
        path = f"own/matches/{other.match_id}/call/{act}"
        assert by_player(one.a).post(path).status_code == 404
        assert Api().post(path).status_code == 401
        assert by_token(tournament).post(path).status_code == 403


def test_the_code_of_a_table_calls_there_and_nowhere_else() -> None:
    tournament, pairing = running()
    event, number = tournament.event, pairing.table or 0
    made = at_table(event, number).json()
    assert (made["table"], made["match"], made["entry"]) == (number, pairing.match_id, None)
    assert at_table(event, number).json()["id"] == made["id"]
    assert at_table(event, number, "take-back/").json()["over_at"] is not None
    assert code_of(at_table(event, number, "take-back/")) == (409, "call_over")
    for said in ("x", table_code(event_id=event.pk, table=number + 1)):
        assert at_table(event, number, code=said).status_code == 404
    assert code_of(Api().post(f"events/{event.pk}/tables/{number}/call/")) == (400, "invalid")
    assert code_of(at_table(make_event(), 1)) == (409, "nothing_runs")


def test_one_network_calls_from_tables_so_often_and_then_waits() -> None:
    cache.clear()
    tournament, _pairing = running()
    for _time in range(TIMES):
        assert at_table(tournament.event, 50).status_code == 200
    refused = at_table(tournament.event, 50)
    assert (code_of(refused), int(refused["Retry-After"]) > 0) == ((429, "asked_too_often"), True)
    cache.clear()


def test_the_codes_of_the_tables_are_the_organisers_to_print() -> None:
    tournament, _pairing = running()
    event = tournament.event
    rows = by_token(event).rows(f"events/{event.pk}/table-codes/")
    assert [(row["table"], row["code"]) for row in rows] == [
        (number, table_code(event_id=event.pk, table=number)) for number in (1, 2)
    ]
    address = rows[0]["url"].partition("//")[2].partition("/")[2]
    assert Client().get(f"/{address}").status_code == 200
    assert by_link(tournament).get(f"events/{event.pk}/table-codes/").status_code == 403


def test_calls_are_answered_at_ones_own_tables_of_this_very_tournament() -> None:
    event = make_event()
    tournament, pairing = running(event)
    other, _ = running(event)
    made = by_player(pairing.a).post(f"own/matches/{pairing.match_id}/call/").json()
    bound = by_link(tournament, tables=((pairing.table or 0) + 1,))
    for api, path in (
        (bound, f"tournaments/{tournament.pk}/calls/"),
        (by_token(event), f"tournaments/{other.pk}/calls/"),
        (by_stranger(), f"tournaments/{tournament.pk}/calls/"),
    ):
        for act in ("take", "finish"):
            assert api.post(f"{path}{made['id']}/{act}/").status_code == 404
    assert bound.rows(f"tournaments/{tournament.pk}/calls/") == []
    free = at_table(event, 40).json()
    for run in (tournament, other):
        assert free in by_token(event).rows(f"tournaments/{run.pk}/calls/")


def test_an_organiser_without_a_name_is_known_to_players_as_an_organiser() -> None:
    tournament, pairing = running()
    path = f"own/matches/{pairing.match_id}/call/"
    made = by_player(pairing.a).post(path).json()
    taken = by_token(tournament).post(f"tournaments/{tournament.pk}/calls/{made['id']}/take/").json()
    assert taken["taken_by"] == tournament.event.owner.email
    assert by_player(pairing.a).post(path).json()["taken_by"] == "an organiser"
