"""Reports by a script: told and answered with a player's own link, seen and confirmed by staff."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest

from matches.actions import SCORE
from matches.models import Match, Submission
from players.permissions import Role
from tests.factories import make_field, make_tournament
from tests.tournaments.api.asking import Answer, Api, by_link, by_token, code_of
from tests.tournaments.play import pairings, start
from tournaments.models import Entry, Pairing, Tournament
from tournaments.permissions import entry_token

pytestmark = pytest.mark.django_db


def running(**facts: Any) -> tuple[Tournament, Pairing]:
    said: dict[str, Any] = {"seeding": "rating", "players_report": True}
    tournament = make_tournament(**(said | facts))
    make_field(size=4, tournament=tournament)
    start(tournament)
    return tournament, pairings(tournament, 1)[0]


def player(pairing: Pairing, seat: str) -> Api:
    entry = pairing.a if seat == "a" else pairing.b
    assert entry is not None
    return Api(f"Own {entry_token(entry)}")


def tell(api: Api, pairing: Pairing, sets: list[int], *, version: int = 0, key: str = "", **said: Any) -> Answer:
    body = {"kind": SCORE, "sets": sets, "version": version} | said
    return api.post(f"own/matches/{pairing.match_id}/reports/", body, Idempotency_Key=key or str(uuid4()))


def stored(pairing: Pairing) -> tuple[str, int, int, int]:
    match = Match.objects.get(pk=pairing.match_id or 0)
    return match.kind, match.sets_a, match.sets_b, match.version


def test_re_07_both_say_the_same() -> None:
    _tournament, pairing = running()
    first = tell(player(pairing, "a"), pairing, [3, 2])
    assert (first.status_code, first["ETag"]) == (200, '"0"')
    assert {name: first.json()[name] for name in ("seat", "waits", "sets")} == {
        "seat": "a",
        "waits": True,
        "sets": [3, 2],
    }
    waiting = player(pairing, "b").get(f"own/matches/{pairing.match_id}/reports/").json()
    assert (waiting["state"], [each["seat"] for each in waiting["reports"]]) == ("reported", ["a"])
    second = tell(player(pairing, "b"), pairing, [3, 2])
    assert (second.json()["waits"], second["ETag"]) == (False, '"1"')
    assert stored(pairing) == (SCORE, 3, 2, 1)
    over = player(pairing, "b").get(f"own/matches/{pairing.match_id}/reports/").json()
    assert (over["state"], over["reports"]) == ("", [])


def test_re_07_staff_see_a_dispute_and_confirm_either() -> None:
    tournament, pairing = running()
    for seat, sets in (("a", [3, 1]), ("b", [1, 3])):
        tell(player(pairing, seat), pairing, sets)
    referee, path = by_link(tournament), f"tournaments/{tournament.pk}/reports/"
    (row,) = referee.rows(path)
    assert (row["match"], row["state"], row["due_at"]) == (pairing.match_id, "disputed", None)
    assert [(each["seat"], each["sets"]) for each in row["reports"]] == [("a", [3, 1]), ("b", [1, 3])]
    one, other = (each["id"] for each in row["reports"])
    for _ in range(2):
        assert referee.post(f"{path}{other}/confirm/").json()["sets"] == [1, 3]
    assert stored(pairing) == (SCORE, 1, 3, 1)
    assert code_of(referee.post(f"{path}{one}/confirm/")) == (409, "already_decided")
    assert referee.rows(path) == []


def test_a_player_agrees_or_takes_back() -> None:
    _tournament, pairing = running()
    told = tell(player(pairing, "a"), pairing, [3, 1]).json()["id"]
    assert code_of(player(pairing, "a").post(f"own/reports/{told}/agree/")) == (409, "same_person")
    assert code_of(player(pairing, "b").post(f"own/reports/{told}/take-back/")) == (409, "not_your_report")
    assert player(pairing, "a").post(f"own/reports/{told}/take-back/").json()["waits"] is False
    assert code_of(player(pairing, "b").post(f"own/reports/{told}/agree/")) == (409, "report_gone")
    told = tell(player(pairing, "a"), pairing, [3, 1]).json()["id"]
    assert player(pairing, "b").post(f"own/reports/{told}/agree/")["ETag"] == '"1"'
    assert stored(pairing) == (SCORE, 3, 1, 1)


def test_of_01_a_key_is_one_report() -> None:
    _tournament, pairing = running()
    answers = [tell(player(pairing, "a"), pairing, [3, 1], key="the-same-key") for _ in range(3)]
    assert [answer.json() for answer in answers] == [answers[0].json()] * 3
    assert Submission.objects.count() == 1
    assert code_of(tell(player(pairing, "a"), pairing, [3, 0], key="the-same-key")) == (409, "key_reused")
    body = {"kind": SCORE, "sets": [3, 1], "version": 0}
    path = f"own/matches/{pairing.match_id}/reports/"
    assert code_of(player(pairing, "b").post(path, body)) == (400, "key_missing")


def test_of_03_too_late_is_told_what_stands_without_a_hidden_name() -> None:
    _tournament, pairing = running()
    Entry.objects.filter(pk=pairing.a_id).update(is_shown=False)
    told = tell(player(pairing, "a"), pairing, [3, 1]).json()["id"]
    player(pairing, "b").post(f"own/reports/{told}/agree/")
    late = tell(player(pairing, "b"), pairing, [1, 3])
    assert code_of(late) == (409, "stale_version")
    assert (late.json()["params"]["sets"], late.json()["params"]["by"]) == ([3, 1], f"Player {pairing.a_id}")
    body = {"kind": SCORE, "sets": [1, 3]}
    path = f"own/matches/{pairing.match_id}/reports/"
    by_header = player(pairing, "b").post(path, body, Idempotency_Key="by-header-then", If_Match='"0"')
    assert code_of(by_header) == (412, "stale_version")


def test_sp_01_nothing_of_another_match_or_tournament() -> None:
    tournament, pairing = running()
    other = pairings(tournament, 1)[1]
    told = tell(player(pairing, "a"), pairing, [3, 1]).json()["id"]
    stranger = player(other, "a")
    assert code_of(stranger.get(f"own/matches/{pairing.match_id}/reports/")) == (404, "not_found")
    assert code_of(tell(stranger, pairing, [3, 1])) == (404, "not_found")
    for act in ("agree", "take-back"):
        assert code_of(stranger.post(f"own/reports/{told}/{act}/")) == (404, "not_found")
        assert code_of(stranger.post(f"own/reports/987654/{act}/")) == (404, "not_found")
    elsewhere, _ = running()
    for act in ("confirm", "take-back"):
        path = f"tournaments/{elsewhere.pk}/reports/{told}/{act}/"
        assert code_of(by_token(elsewhere).post(path)) == (404, "not_found")
        here = f"tournaments/{tournament.pk}/reports/{told}/{act}/"
        assert code_of(by_link(tournament, tables=(9,)).post(here)) == (404, "not_found")
    assert stored(pairing) == ("", 0, 0, 0)


def test_where_a_second_person_confirms_a_result_waits_unless_an_organiser_says_why() -> None:
    tournament, pairing = running(second_confirms=True)
    path, body = f"tournaments/{tournament.pk}/matches/{pairing.match_id}/", {"kind": SCORE, "sets": [3, 1]}
    referee, organiser = by_link(tournament, role=Role.REFEREE), by_token(tournament)
    waits = referee.ask("PUT", f"{path}result/", body | {"version": 0}, Idempotency_Key="by-a-referee")
    assert waits.json()["waits"] is True
    own = f"tournaments/{tournament.pk}/reports/{waits.json()['id']}"
    assert code_of(referee.post(f"{own}/confirm/")) == (409, "same_person")
    alone = {"version": 0, "why": "Nobody else is here"}
    counts = organiser.ask("PUT", f"{path}result/", body | alone, Idempotency_Key="by-an-organiser")
    assert counts.json()["waits"] is False
    assert stored(pairing) == (SCORE, 3, 1, 1)
    silent = organiser.post(f"{path}correct/", body | {"version": 1}, Idempotency_Key="no-reason-given")
    assert code_of(silent) == (400, "why_missing")
