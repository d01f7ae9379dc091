"""A script registers a player by the rules of the public page."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.conf import settings
from django.test import Client
from django.utils import timezone

from players.permissions import Role
from tests.factories import make_entry, make_tournament
from tests.tournaments.api.asking import Answer, Api, by_link, by_token, code_of
from tournaments.actions.throttle import seconds_to_wait
from tournaments.models import Tournament
from tournaments.permissions import read_entry

pytestmark = pytest.mark.django_db


def register(tournament: Tournament, name: str = "Ann", *, key: str = "", **said: Any) -> Answer:
    body = {"name": name, "is_shown": True, **said}
    path = f"tournaments/{tournament.pk}/register/"
    return Api().post(path, body, Idempotency_Key=key or f"the-key-of-{name.encode().hex()}")


def opened(**facts: Any) -> Tournament:
    return make_tournament(**({"registration": True} | facts))


def test_anybody_registers_and_gets_their_own_link() -> None:
    tournament = opened()
    answer = register(tournament, " Ske\u200btal ", email="Ann@Example.org", language="ru")
    entry = tournament.entries.get()
    told = answer.json()
    assert (answer.status_code, answer["Cache-Control"]) == (201, "private, no-store")
    assert (told["id"], told["name"], told["status"], told["place"]) == (entry.pk, "Sketal", "active", None)
    assert read_entry(told["token"]) == entry
    assert told["url"] == f"{settings.PUBLIC_URL}/p/{told['token']}/"
    assert (entry.player.email, entry.language) == ("ann@example.org", "ru")


def test_beyond_the_places_they_wait() -> None:
    tournament = opened(capacity=1)
    told = [register(tournament, name).json() for name in ("Ann", "Ben", "Cem")]
    assert [(each["status"], each["place"]) for each in told] == [("active", None), ("waiting", 1), ("waiting", 2)]


def test_rc_04_the_same_key_is_the_same_entry() -> None:
    tournament = opened()
    first, again = register(tournament, key="sent-twice"), register(tournament, key="sent-twice")
    assert (first.json(), tournament.entries.count()) == (again.json(), 1)
    assert code_of(Api().post(f"tournaments/{tournament.pk}/register/", {"name": "Ann", "is_shown": True})) == (
        400,
        "key_missing",
    )


def test_rc_04_the_same_address_is_mailed_its_link_and_told_none() -> None:
    tournament = opened()
    make_entry(tournament=tournament, name="Ann", email="ann@example.org")
    answer = register(tournament, "Somebody", email="ANN@example.org")
    assert (code_of(answer), "token" in answer.json()) == ((409, "link_mailed"), False)


def test_na_02_the_same_name_is_asked_about() -> None:
    tournament = opened()
    register(tournament, "Étienne")
    assert code_of(register(tournament, "E\u0301tienne", key="another-key")) == (409, "name_registered")
    assert register(tournament, "E\u0301tienne", key="another-key", name_again=True).status_code == 201


@pytest.mark.parametrize(
    ("said", "pointer"),
    [({"is_shown": None}, "/is_shown"), ({"name": ""}, "/name"), ({"language": "tlh"}, "/language")],
)
def test_what_is_missing_is_named(said: dict[str, Any], pointer: str) -> None:
    answer = register(opened(), **said)
    assert (answer.status_code, [each["pointer"] for each in answer.json()["errors"]]) == (400, [pointer])


@pytest.mark.parametrize(
    ("facts", "code"),
    [
        ({"registration": False}, "registration_off"),
        ({"registration_opens_at": timezone.now() + timedelta(hours=1)}, "registration_not_yet"),
        ({"registration_closes_at": timezone.now() - timedelta(hours=1)}, "registration_closed"),
    ],
)
def test_outside_of_its_window_nobody_registers(facts: dict[str, Any], code: str) -> None:
    assert code_of(register(opened(**facts))) == (409, code)


def test_one_more_from_a_network_is_told_when_to_come_back() -> None:
    tournament = opened()
    for now in (timezone.now(), timezone.now() + timedelta(minutes=10)):
        for _each in range(60):
            seconds_to_wait(kind="register", address="127.0.0.1", now=now)
    answer = register(tournament)
    assert (code_of(answer), tournament.entries.count()) == ((429, "too_often"), 0)
    assert 0 < int(answer["Retry-After"]) <= 600
    elsewhere = Api(client=Client(REMOTE_ADDR="192.0.2.7"))
    sent = {"name": "Ann", "is_shown": True}
    path = f"tournaments/{tournament.pk}/register/"
    assert elsewhere.post(path, sent, Idempotency_Key="another-key").status_code == 201


def test_the_settings_of_registration_are_the_organisers() -> None:
    tournament = make_tournament()
    api, path = by_token(tournament), f"tournaments/{tournament.pk}/"
    said = {
        "registration": True,
        "registration_opens_at": "2027-05-01T10:00:00Z",
        "registration_closes_at": "2027-05-21T20:00:00+03:00",
        "capacity": 40,
        "promotes_late": True,
        "self_check_in": False,
        "players_report": True,
        "report_minutes": 5,
        "unanswered": "confirm",
        "second_confirms": True,
        "no_show_minutes": 15,
    }
    answer = api.ask("PATCH", path, said)
    assert answer.status_code == 200
    expected = {**said, "registration_closes_at": "2027-05-21T17:00:00Z"}
    assert {name: answer.json()[name] for name in said} == expected
    assert {name: Api().get(path).json()[name] for name in said} == expected

    wrong = api.ask("PATCH", path, {"registration_closes_at": "2027-04-01T10:00:00Z"})
    assert wrong.json()["errors"][0]["pointer"] == "/registration_closes_at"
    for name, value in (("capacity", 0), ("report_minutes", 0), ("registration_opens_at", "0001-01-01T00:00:00Z")):
        assert api.ask("PATCH", path, {name: value}).json()["errors"][0]["pointer"] == f"/{name}"
    assert api.ask("PATCH", path, {"capacity": None}).json()["capacity"] is None


def test_the_roster_is_who_has_a_place_and_the_waiting_list_is_in_order() -> None:
    tournament = opened(capacity=1)
    for name in ("Ann", "Ben", "Cem"):
        register(tournament, name)
    desk, path = by_link(tournament, role=Role.DESK), f"tournaments/{tournament.pk}/entries/"
    assert [row["name"] for row in desk.rows(path)] == ["Ann"]
    assert [row["name"] for row in desk.rows(f"{path}?status=waiting")] == ["Ben", "Cem"]
    assert Api().get(f"tournaments/{tournament.pk}/").json()["players"] == 1
