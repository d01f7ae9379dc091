"""A referee's word by the API on who is at a table: that they play, and that somebody did not come."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from matches.models import Match, Submission
from players.models import Act
from tests.factories import make_field, make_tournament
from tests.tournaments.api.asking import Api, by_link, by_stranger, by_token, code_of
from tests.tournaments.play import pairings, start
from tournaments.models import Pairing, Tournament

pytestmark = pytest.mark.django_db


def waiting_for_one() -> tuple[Tournament, Pairing]:
    """A table where side a has sat for twenty minutes, and ten were the limit."""
    tournament = make_tournament(seeding="rating", no_show_minutes=10)
    make_field(size=4, tournament=tournament)
    start(tournament)
    pairing = pairings(tournament)[0]
    long_ago = timezone.now() - timedelta(minutes=20)
    Pairing.objects.filter(pk=pairing.pk).update(due_at=long_ago, here_a_at=long_ago)
    return tournament, pairing


def path_of(tournament: Tournament, pairing: Pairing) -> str:
    return f"tournaments/{tournament.pk}/matches/{pairing.match_id}/"


def asked(api: Api, tournament: Tournament) -> list[tuple[str, str, str]]:
    """Who is proposed as missing: the table's two, and the side that would win."""
    rows = api.rows(f"tournaments/{tournament.pk}/no-shows/")
    return [(each["absent"]["name"], each["present"]["name"], each["seat"]) for each in rows]


def test_ff_05_a_referee_is_asked_confirms_once_and_takes_it_back() -> None:
    tournament, pairing = waiting_for_one()
    referee, path = by_link(tournament), path_of(tournament, pairing)
    assert pairing.b is not None
    assert asked(referee, tournament) == [(pairing.b.name, pairing.a.name, "a")]
    for _twice in range(2):
        answer = referee.post(f"{path}no-show/", If_Match='"0"')
        assert (answer.status_code, answer["ETag"]) == (200, '"1"')
        assert (answer.json()["kind"], answer.json()["winner"]) == ("walkover", "a")
    assert Submission.objects.count() == 1
    assert asked(referee, tournament) == []
    assert referee.post(f"{path}undo/", If_Match='"1"').status_code == 200
    assert Match.objects.get(pk=pairing.match_id or 0).kind == ""


def test_a_word_that_two_play_ends_the_question_and_can_be_taken_back() -> None:
    tournament, pairing = waiting_for_one()
    referee, path = by_link(tournament), path_of(tournament, pairing)
    for _twice in range(2):
        assert referee.post(f"{path}begun/").json()["began_at"] is not None
    assert Act.objects.filter(verb="say_begun").count() == 1
    assert asked(referee, tournament) == []
    assert code_of(referee.post(f"{path}no-show/", {"version": 0})) == (409, "no_show_gone")
    row = referee.rows(f"tournaments/{tournament.pk}/open-matches/")[0]
    assert [row[name] is None for name in ("here_a_at", "here_b_at", "began_at")] == [False, True, False]
    assert referee.post(f"{path}begun/", {"begun": False}).json()["began_at"] is None
    assert len(asked(referee, tournament)) == 1


def test_a_version_that_is_old_or_not_named_confirms_nothing() -> None:
    tournament, pairing = waiting_for_one()
    Match.objects.filter(pk=pairing.match_id or 0).update(version=3)
    referee, path = by_link(tournament), path_of(tournament, pairing)
    assert code_of(referee.post(f"{path}no-show/")) == (428, "version_missing")
    assert code_of(referee.post(f"{path}no-show/", If_Match='"0"')) == (412, "stale_version")
    assert code_of(referee.post(f"{path}no-show/", {"version": 0})) == (409, "stale_version")
    assert Submission.objects.count() == 0


def test_nobody_says_anything_at_a_table_that_is_not_theirs() -> None:
    tournament, pairing = waiting_for_one()
    path, elsewhere = path_of(tournament, pairing), (pairing.table or 0) + 1
    other = make_tournament(event=tournament.event)
    expected: list[tuple[Api, tuple[int, str]]] = [
        (Api(), (401, "not_authenticated")),
        (by_stranger(), (404, "not_found")),
        (by_link(tournament, tables=(elsewhere,)), (404, "not_found")),
        (by_link(other), (404, "not_found")),
    ]
    for api, told in expected:
        assert code_of(api.post(f"{path}begun/")) == told
        assert code_of(api.post(f"{path}no-show/", {"version": 0})) == told
    assert asked(by_link(tournament, tables=(elsewhere,)), tournament) == []
    assert code_of(by_token(other).post(f"tournaments/{other.pk}/matches/{pairing.match_id}/begun/")) == (
        404,
        "not_found",
    )
    pairing.refresh_from_db()
    assert (pairing.began_at, Submission.objects.count()) == (None, 0)


def test_what_was_reported_or_played_is_no_question_of_who_came() -> None:
    tournament, pairing = waiting_for_one()
    referee, path = by_link(tournament), path_of(tournament, pairing)
    referee.ask("PUT", f"{path}result/", {"kind": "score", "sets": [3, 1], "version": 0}, Idempotency_Key="played-on")
    assert asked(referee, tournament) == []
    assert code_of(referee.post(f"{path}begun/")) == (409, "no_open_match")
    assert code_of(referee.post(f"{path}no-show/", {"version": 1})) == (409, "no_open_match")
