"""Hours, breaks, times of rounds and shifts by a program."""

from __future__ import annotations

import pytest

from players.models import Act
from tests.factories import make_event, make_tournament
from tests.tournaments.api.asking import Api, by_token, code_of
from tests.tournaments.planned_days import at, rounds, timed

pytestmark = pytest.mark.django_db


def test_the_hall_is_opened_by_the_clocks_of_the_venue_or_by_an_offset() -> None:
    event = make_event()
    api, path = by_token(event), f"events/{event.pk}/openings/"
    made = api.post(path, {"opens_at": "2027-05-22T18:00", "closes_at": "2027-05-22T23:00Z"})
    assert made.status_code == 201
    opening = made.json()
    assert (opening["opens_at"], opening["closes_at"]) == ("2027-05-22T15:00:00Z", "2027-05-22T23:00:00Z")
    one = f"{path}{opening['id']}/"
    assert api.ask("PATCH", one, {"closes_at": "2027-05-23T01:00"}).json()["closes_at"] == "2027-05-22T22:00:00Z"
    again = api.post(path, {"opens_at": "2027-05-23T00:30", "closes_at": "2027-05-23T10:00"})
    assert code_of(again) == (409, "open_already")
    assert again.json()["params"]["closes_at"] == "2027-05-23T01:00:00+03:00"
    assert code_of(api.post(path, {"opens_at": "2027-05-25T10:00", "closes_at": "2027-05-25T12:00"})) == (
        400,
        "outside_the_event",
    )
    assert [row["id"] for row in Api().rows(path)] == [opening["id"]]
    assert api.ask("DELETE", one).status_code == 204
    assert Api().rows(path) == []


def test_breaks_come_change_and_go() -> None:
    tournament, other = make_tournament(), make_tournament()
    api, path = by_token(tournament), f"events/{tournament.event_id}/breaks/"
    body = {"name": "Lunch", "starts_at": "2027-05-22T12:30", "ends_at": "2027-05-22T13:15"}
    pause = api.post(path, body).json()
    assert (pause["name"], pause["tournament"], pause["starts_at"]) == ("Lunch", None, "2027-05-22T09:30:00Z")
    one = f"{path}{pause['id']}/"
    changed = api.ask("PATCH", one, {"tournament": tournament.pk}).json()
    assert changed == {**pause, "tournament": tournament.pk}
    assert code_of(api.ask("PATCH", one, {"tournament": other.pk})) == (404, "tournament_unknown")
    assert code_of(api.ask("PATCH", one, {"ends_at": "2027-05-22T12:30"})) == (400, "ends_before_it_begins")
    assert Api().rows(path) == [changed]
    foreign = f"events/{other.event_id}/breaks/{pause['id']}/"
    assert by_token(other).ask("DELETE", foreign).status_code == 404
    assert api.ask("DELETE", one).status_code == 204
    assert Api().rows(path) == []


def test_rounds_get_times_and_everybody_reads_them() -> None:
    tournament = make_tournament()
    api, path = by_token(tournament), f"tournaments/{tournament.pk}/round-times/"
    body = {"times": [{"round": 1, "starts_at": "2027-05-22T10:00"}, {"round": 2, "starts_at": "2027-05-22T10:50"}]}
    told = api.ask("PUT", path, body).json()
    assert told[:2] == Api().rows(path)[:2]
    assert [(row["round"], row["name"], row["starts_at"], row["is_over"]) for row in told] == [
        (1, "Round 1", "2027-05-22T07:00:00Z", False),
        (2, "Round 2", "2027-05-22T07:50:00Z", False),
        (3, "Round 3", None, False),
    ]
    falls = api.ask("PUT", path, {"times": [{"round": 2, "starts_at": "2027-05-22T09:00"}]})
    assert code_of(falls) == (409, "round_begins_too_early")
    assert falls.json()["params"] == {"round": 2, "other": 1}
    assert code_of(api.ask("PUT", path, {"times": []})) == (400, "invalid")
    api.ask("PUT", path, {"times": [{"round": 1, "starts_at": None}]})
    assert rounds(tournament) == ["10:50"]


def test_everything_is_shifted_once_and_back() -> None:
    tournament = make_tournament(starts_at=at("10:00"))
    timed(tournament, "10:00", "10:50")
    api, path = by_token(tournament), f"events/{tournament.event_id}"
    seen = api.get(f"{path}/planned/").json()
    assert [(row["kind"], row["round"], row["starts_at"]) for row in seen["results"]] == [
        ("round", 1, "2027-05-22T07:00:00Z"),
        ("tournament", None, "2027-05-22T07:00:00Z"),
        ("round", 2, "2027-05-22T07:50:00Z"),
    ]
    body = {"minutes": 35, "since": "2027-05-22T10:00", "version": seen["version"]}
    for _ in range(2):
        shifted = api.post(f"{path}/shift/", body, Idempotency_Key="of-this-shift")
        assert shifted.status_code == 200
    done = shifted.json()
    assert (done["rounds"], done["breaks"], done["matches"], done["tournaments"]) == (2, 0, 0, 1)
    assert rounds(tournament) == ["10:35", "11:25"]
    assert Act.objects.filter(verb="shift_plan").count() == 1
    assert code_of(api.post(f"{path}/shift/", body)) == (409, "plan_changed")
    back = {"minutes": -35, "since": done["back_since"], "version": done["version"]}
    assert api.post(f"{path}/shift/", back).json()["rounds"] == 2
    assert rounds(tournament) == ["10:00", "10:50"]
    assert api.get(f"{path}/planned/").json()["version"] == seen["version"]
    assert code_of(api.post(f"{path}/shift/", {**body, "minutes": 0})) == (400, "shift_too_far")
    assert code_of(api.post(f"{path}/shift/", {"minutes": 5, "since": "2027-05-23T10:00"})) == (
        409,
        "nothing_to_shift",
    )
