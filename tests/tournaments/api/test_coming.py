"""Calls to a table by the API: players answer, staff read who does not, answer for them, call again and put back."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from tests.factories import make_field, make_tournament
from tests.tournaments.api.asking import Api, by_link, by_token, code_of
from tests.tournaments.play import pairings, stage_of, start
from tournaments.models import Entry, Pairing, Slot, Tournament
from tournaments.permissions import entry_token

pytestmark = pytest.mark.django_db


def called(*, minutes: float = 4) -> tuple[Tournament, Pairing]:
    """A match that was called so many minutes ago, where three are given to answer."""
    tournament = make_tournament(seeding="rating")
    make_field(size=4, tournament=tournament)
    start(tournament)
    pairing = pairings(tournament)[0]
    at = timezone.now() - timedelta(minutes=minutes)
    Pairing.objects.filter(pk=pairing.pk).update(called_at=at, due_at=at)
    return tournament, pairings(tournament)[0]


def own(entry: Entry) -> Api:
    return Api(f"Own {entry_token(entry)}")


def test_a_player_answers_and_both_read_it() -> None:
    tournament, pairing = called()
    assert pairing.b is not None
    api, other = own(pairing.a), own(pairing.b)
    path = f"own/matches/{pairing.match_id}/coming/"
    current = api.get("own/").json()["current"]
    assert (current["is_coming"], current["called_at"] is None) == (False, False)
    answer = api.post(path, {})
    assert (answer.status_code, answer.json()["is_coming"]) == (200, True)
    assert other.get("own/").json()["current"]["opponent_is_coming"] is True
    assert api.post(path, {"coming": False}).json()["is_coming"] is False
    Pairing.objects.filter(pk=pairing.pk).update(called_at=None)
    assert code_of(api.post(path, {})) == (409, "not_called")
    assert api.post(f"own/matches/{pairings(tournament)[1].match_id}/coming/", {}).status_code == 404


def test_a_player_reads_what_is_next_and_whether_one_may_count_on_it() -> None:
    tournament, pairing = called()
    api = own(pairing.a)
    assert api.get("own/").json()["next"] is None
    Slot.objects.create(
        stage=stage_of(tournament),
        round=2,
        number=1,
        a=pairing.a,
        from_b=[1, 2, "winner"],
        starts_at="2027-05-22T12:02:00+00:00",
        table=3,
        changed_at=timezone.now(),
    )
    assert api.get("own/").json()["next"] == {
        "round": 2,
        "round_name": "Round 2",
        "number": 1,
        "opponent": {"entry": None, "origin": {"round": 1, "number": 2, "outcome": "winner"}},
        "starts_at": "2027-05-22T12:00:00Z",
        "has_time": False,
        "table": 3,
        "has_place": False,
        "held": False,
    }


def test_a_referee_reads_who_does_not_answer_says_that_they_come_and_calls_again() -> None:
    tournament, pairing = called()
    assert pairing.b is not None
    api, path = by_link(tournament), f"tournaments/{tournament.pk}/matches/{pairing.match_id}/"
    rows = api.rows(f"tournaments/{tournament.pk}/not-coming/")
    assert [[each["name"] for each in row["silent"]] for row in rows] == [[pairing.a.name, pairing.b.name]]
    seen = api.post(f"{path}coming/", {"entry": pairing.a_id}).json()
    assert (seen["coming_a_at"] is None, seen["coming_b_at"]) == (False, None)
    again = api.post(f"{path}call-again/", {"called_at": seen["called_at"]}).json()
    assert again["called_at"] > seen["called_at"]
    assert api.post(f"{path}call-again/", {"called_at": seen["called_at"]}).json()["called_at"] == again["called_at"]
    assert api.rows(f"tournaments/{tournament.pk}/not-coming/") == []
    stranger = pairings(tournament)[1].a_id
    assert code_of(api.post(f"{path}coming/", {"entry": stranger})) == (409, "no_open_match")


def test_an_organiser_puts_a_called_match_back() -> None:
    tournament, pairing = called()
    place = {"round": 1, "number": pairing.number, "state": "called"}
    Slot.objects.create(stage=stage_of(tournament), changed_at=timezone.now(), **place)
    answer = by_token(tournament).post(f"tournaments/{tournament.pk}/matches/{pairing.match_id}/put-back/", {})
    assert answer.status_code == 200
    assert (answer.json()["table"], answer.json()["called_at"]) == (None, None)
    assert Slot.objects.get().held_since is not None
