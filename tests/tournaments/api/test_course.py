"""A tournament run over the API alone, from the event to the champion."""

from __future__ import annotations

from typing import Any

import pytest

from tests.factories import make_account, make_event, make_field, make_tournament
from tests.tournaments.api.asking import Api, by_token, code_of
from tests.tournaments.play import count_up, pairings, report, start
from tournaments.models import Tournament

pytestmark = pytest.mark.django_db

STARCON = {"name": "StarCon 2027", "zone": "Europe/Riga", "starts_on": "2027-05-22"}


def made(api: Api, **facts: Any) -> str:
    """A tournament in a new event, as the beginning of its addresses."""
    event = api.post("events/", STARCON).json()["id"]
    answer = api.post(f"events/{event}/tournaments/", {"name": "Main", **facts})
    assert answer.status_code == 201, answer.content
    return f"tournaments/{answer.json()['id']}/"


def script() -> Api:
    return by_token(make_event(owner=make_account()))


def test_an_event_needs_a_name_a_zone_and_a_day() -> None:
    answer = script().post("events/", STARCON)
    assert answer.status_code == 201
    event = answer.json()
    assert event == {
        "id": event["id"],
        "name": "StarCon 2027",
        "place": "",
        "zone": "Europe/Riga",
        "starts_on": "2027-05-22",
        "ends_on": "2027-05-22",
        "rest_minutes": 5,
        "is_demo": False,
        "url": f"http://127.0.0.1:8000/events/{event['id']}/",
        "tournaments": [],
    }
    assert Api().get(f"events/{event['id']}/").json() == event


def test_what_is_wrong_with_an_event_is_told_field_by_field() -> None:
    answer = script().post("events/", {"name": "\u200b", "zone": "Nowhere", "starts_on": "yesterday"})
    assert code_of(answer) == (400, "invalid")
    assert [(each["pointer"], each["code"]) for each in answer.json()["errors"]] == [
        ("/name", "name_missing"),
        ("/zone", "invalid"),
        ("/starts_on", "invalid"),
    ]


def test_a_tournament_needs_a_name_and_takes_the_usual_rest() -> None:
    api = script()
    tournament = api.get(made(api)).json()
    facts = ("ruleset", "format", "options", "points", "allows_tie", "seeding", "first_table", "state", "players")
    assert {name: tournament[name] for name in facts} == {
        "ruleset": "standard/1",
        "format": "swiss",
        "options": {},
        "points": {"win": 3, "tie": 1, "loss": 0, "bye": 3},
        "allows_tie": False,
        "seeding": "random",
        "first_table": 1,
        "state": "roster",
        "players": 0,
    }
    assert tournament["tiebreaks"] == ["buchholz_cut_1", "buchholz", "head_to_head", "set_difference"]
    assert tournament["next"]["act"] == "add_players"


def test_settings_change_one_by_one_until_the_start() -> None:
    api = script()
    path = made(api, options={"rounds": 4})
    changed = api.ask("PATCH", path, {"points": {"win": 2}, "seeding": "rating"}).json()
    assert (changed["points"], changed["seeding"], changed["options"]) == (
        {"win": 2, "tie": 1, "loss": 0, "bye": 3},
        "rating",
        {"rounds": 4},
    )
    other = api.ask("PATCH", path, {"format": "round_robin"}).json()
    assert (other["options"], other["tiebreaks"]) == ({}, ["head_to_head", "set_difference", "sonneborn_berger"])


def test_an_option_the_format_has_not_is_refused() -> None:
    api = script()
    event = api.post("events/", STARCON).json()["id"]
    answer = api.post(f"events/{event}/tournaments/", {"name": "Main", "options": {"rounds": "many", "twice": True}})
    assert code_of(answer) == (400, "invalid")
    assert [each["pointer"] for each in answer.json()["errors"]] == ["/options/twice", "/options/rounds"]


def test_a_whole_swiss_from_the_list_to_the_champion() -> None:
    api, public = script(), Api()
    path = made(api, seeding="rating", seed="course", options={"first_round": "slide"})
    tournament = Tournament.objects.get(pk=path.split("/")[1])
    rows = [{"name": f"Player {n}", "rating": 2000 - n} for n in range(1, 5)]
    imported = api.post(f"{path}imports/", {"rows": rows, "apply": True}).json()
    assert (imported["state"], imported["added"], imported["row_count"]) == ("done", 4, 4)
    assert api.post(f"{path}entries/", {"name": "Late One"}).status_code == 201

    assert api.post(f"{path}open-check-in/").json()["state"] == "check_in"
    first, late = api.rows(f"{path}entries/")[0]["id"], api.rows(f"{path}entries/")[-1]["id"]
    assert api.post(f"{path}check-in-all/").json() == {"count": 5}
    assert api.post(f"{path}entries/{first}/undo-check-in/").json()["checked_in_at"] is None
    assert api.post(f"{path}entries/{first}/check-in/").json()["checked_in_at"] is not None
    api.post(f"{path}entries/{late}/undo-check-in/")

    refused = api.post(f"{path}start/")
    assert code_of(refused) == (409, "roster_changed")
    assert refused.json()["params"] == {"entries": [late]}
    assert "Late One" in refused.json()["detail"]
    started = api.post(f"{path}start/", {"leaving_out": [late]}).json()
    assert (started["state"], started["players"], started["next"]["act"]) == ("running", 4, "publish")
    assert code_of(api.ask("PATCH", path, {"format": "round_robin"})) == (409, "settings_are_frozen")

    for number in (1, 2):
        published = api.post(f"{path}publish/").json()["results"][-1]
        assert (published["number"], published["is_draft"], published["open"]) == (number, False, 2)
        assert published["name"] == f"Round {number}"
        for pairing in public.rows(f"{path}pairings/?round={number}"):
            better = "a" if pairing["a"]["name"] < pairing["b"]["name"] else "b"
            answer = api.ask(
                "PUT",
                f"{path}matches/{pairing['match']['id']}/result/",
                {"kind": "score", "sets": [3, 1] if better == "a" else [1, 3]},
                If_Match='"0"',
                Idempotency_Key=f"course-{pairing['match']['id']}",
            )
            assert (answer.status_code, answer.json()["winner"], answer["ETag"]) == (200, better, '"1"')
        count_up(tournament)
        if number == 1:
            assert code_of(api.post(f"{path}finish/")) == (409, "rounds_left")
            assert api.post(f"{path}draft/").json()["results"][-1]["is_draft"] is True

    finished = api.post(f"{path}finish/").json()
    count_up(tournament)
    assert (finished["state"], finished["next"]["act"]) == ("finished", "none")
    table = public.get(f"{path}standings/").json()
    assert [(row["rank"], row["entry"]["name"], row["points"]) for row in table["results"]] == [
        (1, "Player 1", 6),
        (2, "Player 2", 3),
        (2, "Player 3", 3),
        (4, "Player 4", 0),
    ]
    assert (table["round"], table["round_name"], table["open"], table["behind"]) == (2, "Round 2", 0, 0)
    assert table["is_final"] is True
    assert table["results"][0]["reason"] == {
        "code": "alone_on_points",
        "params": {"points": 6},
        "text": "Alone on 6 points.",
    }
    assert table["results"][0]["values"][0] == {
        "key": "buchholz_cut_1",
        "name": "Buchholz cut 1",
        "exact": "3",
        "decimal": "3.0000",
    }

    assert api.post(f"{path}reopen/", {"why": "a typing mistake"}).json()["state"] == "running"


def test_a_bracket_is_never_drafted_beyond_its_first_round_however_late_the_worker_is() -> None:
    tournament = make_tournament(format="single_elimination", seeding="rating")
    make_field(size=8, tournament=tournament)
    start(tournament)
    for pairing in pairings(tournament, 1)[:2]:
        report(pairing, (3, 0))
    count_up(tournament)
    for pairing in [*pairings(tournament, 2), *pairings(tournament, 1)[2:]]:
        report(pairing, (3, 0))
    api, path = by_token(tournament), f"tournaments/{tournament.pk}/"
    assert code_of(api.post(f"{path}draft/")) == (409, "nothing_to_pair")
    count_up(tournament)
    assert len(pairings(tournament, 2)) == 2
    assert [each["is_draft"] for each in api.get(f"{path}rounds/").json()["results"]] == [False, False]
