"""A player by their own link: everything about themselves, and nothing about anybody else."""

from __future__ import annotations

import pytest

from tests.factories import NOW, make_entry, make_field, make_tournament
from tests.tournaments.api.asking import Api, by_token, code_of
from tests.tournaments.play import count_up, pairings, report, start
from tournaments.actions import registration
from tournaments.models import Entry, Tournament
from tournaments.permissions import actor_of_entry, entry_token

pytestmark = pytest.mark.django_db


def own(entry: Entry) -> Api:
    return Api(f"Own {entry_token(entry)}")


def playing(size: int = 4) -> tuple[Tournament, Entry]:
    tournament = make_tournament(seeding="rating")
    first = make_field(size=size, tournament=tournament)[0]
    start(tournament)
    return tournament, first


def test_an_own_link_says_whose_it_is() -> None:
    tournament, first = playing()
    assert own(first).get("me/").json() == {
        "role": "player",
        "name": "Player 01",
        "event": tournament.event_id,
        "tournament": tournament.pk,
        "tables": [],
        "expires_at": None,
        "entry": first.pk,
    }


@pytest.mark.parametrize("secret", ["", "x", "1-", "1-x", f"{2**63}-x", "\u0661-x"])
def test_a_forged_link_is_refused(secret: str) -> None:
    assert code_of(Api(f"Own {secret}").get("own/")) == (401, "link_refused")


def test_a_link_that_was_replaced_opens_nothing_and_no_query_opens_anything() -> None:
    _tournament, first = playing()
    api, token = own(first), entry_token(first)
    registration.renew_entry_link(entry_id=first.pk, by=actor_of_entry(first), now=NOW)
    assert code_of(api.get("own/")) == (401, "link_refused")
    assert code_of(Api().get(f"own/?token={token}"))[0] in (400, 401)


def test_a_player_sees_whom_they_meet_where_and_what_they_were_told() -> None:
    tournament, first = playing()
    answer = own(first).get("own/").json()
    (pairing,) = [each for each in pairings(tournament) if first.pk in (each.a_id, each.b_id)]
    opponent = pairing.b if pairing.a_id == first.pk else pairing.a
    assert opponent is not None
    assert (answer["id"], answer["name"], answer["state"]) == (first.pk, "Player 01", "playing")
    assert answer["current"]["opponent"] == {"id": opponent.pk, "name": opponent.display_name}
    assert (answer["current"]["table"], answer["current"]["match"]["id"]) == (pairing.table, pairing.match_id)
    assert [(each["kind"], each["text"]) for each in answer["notices"]] == [
        ("pairing", f"Round 1: you meet \u2068{opponent.name}\u2069 at table {pairing.table}.")
    ]
    report(pairing, (3, 1) if pairing.a_id == first.pk else (1, 3))
    count_up(tournament)
    after = own(first).get("own/").json()
    assert (after["current"], after["rank"], after["points"], after["notices"]) == (None, 1, 3, [])
    assert after["reason"]["code"]
    (match,) = own(first).rows("own/matches/")
    assert (match["round_name"], match["outcome"], match["is_here"]) == ("Round 1", "won", False)


def test_a_player_says_that_they_sit_there() -> None:
    tournament, first = playing()
    match = own(first).get("own/").json()["current"]["match"]["id"]
    path = f"own/matches/{match}/here/"
    assert own(first).post(path).json()["is_here"] is True
    assert own(first).post(path, {"here": False}).json()["is_here"] is False
    (other,) = [each.match_id for each in pairings(tournament) if each.match_id != match]
    assert code_of(own(first).post(f"own/matches/{other}/here/")) == (404, "not_found")


def test_a_player_checks_in_changes_leaves_and_comes_back() -> None:
    tournament = make_tournament(registration=True)
    entry = make_entry(tournament=tournament, name="Juhani", email="juhani@example.org")
    api, desk = own(entry), by_token(tournament)
    assert code_of(api.post("own/check-in/")) == (409, "check_in_not_open")
    desk.post(f"tournaments/{tournament.pk}/open-check-in/")
    assert api.post("own/check-in/").json()["state"] == "here"
    assert api.post("own/undo-check-in/").json()["state"] == "checking_in"
    changed = api.ask("PATCH", "own/", {"city": "Turku", "is_shown": False}).json()
    assert (changed["name"], changed["city"], changed["is_shown"]) == ("Juhani", "Turku", False)
    assert changed["email"] == "juhani@example.org"
    assert code_of(api.ask("PATCH", "own/", {"name": " "})) == (400, "invalid")
    assert api.post("own/withdraw/").json()["state"] == "gone"
    assert api.post("own/withdraw/").json()["state"] == "gone"


def test_a_player_does_nothing_that_is_staffs() -> None:
    tournament, first = playing()
    api, path = own(first), f"tournaments/{tournament.pk}/"
    for refused in (api.get(f"{path}entries/"), api.post(f"{path}publish/"), api.get(f"{path}open-matches/")):
        assert code_of(refused) == (403, "not_allowed")
    assert api.get(f"{path}standings/").status_code == 200
    assert code_of(api.post("events/", {"name": "Mine"})) == (403, "not_allowed")
    elsewhere = make_tournament()
    assert code_of(api.post(f"tournaments/{elsewhere.pk}/publish/")) == (404, "not_found")
