"""Rooms, tables and moves by a program."""

from __future__ import annotations

import pytest

from tests.factories import make_event, make_field, make_tournament
from tests.tournaments.api.asking import Api, by_link, by_token, code_of
from tests.tournaments.halls import at, put_up
from tests.tournaments.play import pairings, report, start
from tournaments.models import Tournament

pytestmark = pytest.mark.django_db


def in_hall(size: int, numbers: tuple[int, ...]) -> Tournament:
    tournament = make_tournament(seeding="rating")
    put_up(tournament, numbers)
    make_field(size=size, tournament=tournament)
    start(tournament)
    return tournament


def test_rooms_and_tables_come_change_and_go() -> None:
    event = make_event()
    api, path = by_token(event), f"events/{event.pk}"
    room = api.post(f"{path}/rooms/", {"name": "Hall A"}).json()
    assert api.ask("PATCH", f"{path}/rooms/{room['id']}/", {"name": "Hall B"}).json() == {**room, "name": "Hall B"}
    assert code_of(api.post(f"{path}/rooms/", {"name": "Hall B"})) == (409, "room_there")
    made = api.post(f"{path}/tables/", {"numbers": [5, 6, 11], "room": room["id"]})
    assert (made.status_code, [row["number"] for row in made.json()]) == (201, [5, 6, 11])
    table = made.json()[0]
    one = f"{path}/tables/{table['id']}/"
    changed = api.ask("PATCH", one, {"name": "Stage", "purpose": "feature"}).json()
    assert changed == {**table, "name": "Stage", "purpose": "feature"}
    assert code_of(api.ask("PATCH", one, {"purpose": "throne"})) == (400, "invalid")
    assert api.post(f"{one}out/").json()["out_since"] is not None
    assert api.post(f"{one}back/").json() == changed
    assert api.ask("DELETE", one).status_code == 204
    assert api.ask("DELETE", f"{path}/rooms/{room['id']}/").status_code == 204
    told = [(row["number"], row["room"], row["match"]) for row in Api().rows(f"{path}/tables/")]
    assert told == [(6, None, None), (11, None, None)]
    assert Api().rows(f"{path}/rooms/") == []
    assert code_of(api.post(f"{path}/tables/", {"numbers": [6]})) == (409, "tables_there")
    assert code_of(api.post(f"{path}/tables/", {"numbers": [0]})) == (400, "invalid")
    assert code_of(api.post(f"{path}/tables/", {"numbers": [7], "room": room["id"]})) == (404, "room_unknown")


def test_a_match_is_moved_and_changes_tables() -> None:
    tournament = in_hall(6, (1, 2))
    one, other, waiting = pairings(tournament, 1)
    api, path = by_token(tournament), f"tournaments/{tournament.pk}/matches"
    assert code_of(api.post(f"{path}/{waiting.match_id}/table/", {"table": 1})) == (409, "table_taken")
    assert code_of(api.post(f"{path}/{waiting.match_id}/table/", {"table": 8})) == (400, "table_unknown")
    swap = {"with_match": other.match_id, "seen": [1, 2]}
    assert api.post(f"{path}/{one.match_id}/swap-table/", swap).json()["table"] == 2
    assert code_of(api.post(f"{path}/{one.match_id}/swap-table/", swap)) == (409, "changed_meanwhile")
    assert api.post(f"{path}/{one.match_id}/table/", {"table": None}).json()["table"] is None
    assert api.post(f"{path}/{waiting.match_id}/table/", {"table": 2}).json()["table"] == 2
    assert [at(pairing) for pairing in (one, other, waiting)] == [(None, False), (1, True), (2, True)]
    rows = Api().rows(f"events/{tournament.event_id}/tables/")
    assert [(row["number"], row["match"]) for row in rows] == [(1, other.match_id), (2, waiting.match_id)]
    foreign = pairings(in_hall(4, (1, 2)), 1)[0]
    assert code_of(api.post(f"{path}/{one.match_id}/swap-table/", {"with_match": foreign.match_id}))[0] == 404


def test_a_referee_of_some_tables_moves_nothing_to_or_from_another() -> None:
    tournament = in_hall(6, (1, 2))
    put_up(tournament, (3, 4))
    one, other, waiting = pairings(tournament, 1)
    report(one, (3, 1))
    referee, path = by_link(tournament, tables=(1, 3)), f"tournaments/{tournament.pk}/matches"
    assert referee.post(f"{path}/{other.match_id}/table/", {"table": 3}).status_code == 404
    assert referee.post(f"{path}/{waiting.match_id}/table/", {"table": 4}).status_code == 404
    assert referee.post(f"{path}/{waiting.match_id}/swap-table/", {"with_match": other.match_id}).status_code == 404
    assert referee.post(f"{path}/{waiting.match_id}/table/", {"table": 1}).json()["table"] == 1


def test_where_a_player_has_to_sit_is_said_and_taken_back() -> None:
    tournament = in_hall(4, (1, 2))
    entry = tournament.entries.order_by("pk")[0]
    api, path = by_token(tournament), f"tournaments/{tournament.pk}/entries/{entry.pk}/"
    assert api.post(f"{path}table/", {"table": 2}).json()["fixed_table"] == 2
    assert code_of(api.post(f"{path}table/", {"table": 9})) == (400, "table_unknown")
    assert api.post(f"{path}table/", {"table": None}).json()["fixed_table"] is None
