"""Results over the API: told once, told twice, told late, told wrong."""

from __future__ import annotations

from typing import Any

import pytest

from matches.models import Match, Submission
from players.models import Act
from tests.factories import make_field, make_tournament
from tests.tournaments.api.asking import Answer, Api, by_link, by_stranger, by_token, code_of
from tests.tournaments.play import count_up, pairings, play_open, start
from tournaments.models import StageChange, Tournament

pytestmark = pytest.mark.django_db


def running(size: int = 4, **facts: Any) -> Tournament:
    tournament = make_tournament(seeding="rating", **facts)
    make_field(size=size, tournament=tournament)
    start(tournament)
    return tournament


def match_of(tournament: Tournament, place: int = 0) -> tuple[int, str]:
    """The id of a match of the first round, and its address."""
    pk = pairings(tournament, 1)[place].match_id
    assert pk is not None
    return pk, f"tournaments/{tournament.pk}/matches/{pk}/"


def score(a: Any, b: Any, /, **more: Any) -> dict[str, Any]:
    return {"kind": "score", "sets": [a, b], "version": 0, **more}


def told(api: Api, path: str, body: dict[str, Any], key: str = "told-once") -> Answer:
    return api.ask("PUT", f"{path}result/", body, Idempotency_Key=key)


@pytest.mark.parametrize("sets", [(3, 0), (3, 1), (3, 2), (0, 3)])
def test_a_score_that_can_be_is_taken(sets: tuple[int, int]) -> None:
    tournament = running()
    pk, path = match_of(tournament)
    answer = told(by_link(tournament), path, score(*sets))
    assert answer.status_code == 200
    taken = answer.json()
    assert (taken["match"], taken["number"], taken["kind"], taken["sets"]) == (pk, 1, "score", list(sets))
    assert taken["winner"] == ("a" if sets[0] > sets[1] else "b")


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (score(3, 3), "both_won"),
        (score(4, 1), "too_many_sets"),
        (score(2, 1), "not_decided"),
        (score(2, 0), "not_decided"),
        (score(1, 1), "not_decided"),
        (score(-1, 3), "negative"),
        (score(3, "x"), "invalid"),
        (score(3, None), "invalid"),
        (score(3, 10**30), "invalid"),
        (score(3, 1, winner="b"), "winner_contradicts_score"),
        (score(3, 1, winner="c"), "invalid"),
        ({"kind": "score", "version": 0}, "score_missing"),
        ({"kind": "walkover", "version": 0}, "winner_missing"),
        ({"kind": "forfeit", "winner": "a", "sets": [0, 3], "version": 0}, "score_impossible"),
        ({"kind": "none", "version": 0}, "invalid"),
        ({"kind": None, "version": 0}, "invalid"),
        ({"kind": "", "version": 0}, "invalid"),
        ({"version": 0}, "invalid"),
    ],
)
def test_a_result_that_cannot_be_is_refused_with_the_reason(body: dict[str, Any], code: str) -> None:
    tournament = running()
    pk, path = match_of(tournament)
    assert code_of(told(by_link(tournament), path, body)) == (400, code)
    assert Match.objects.get(pk=pk).is_open
    assert Submission.objects.count() == 0


def test_sets_told_one_by_one_are_counted_and_ties_are_not() -> None:
    tournament = running()
    _, path = match_of(tournament)
    totals = [[20, 18], [19, 19], [20, 17], [15, 20], [18, 18], [16, 16], [20, 12]]
    answer = told(by_link(tournament), path, {"kind": "score", "totals": totals, "version": 0})
    assert (answer.status_code, answer.json()["sets"], answer.json()["winner"]) == (200, [3, 1], "a")


@pytest.mark.parametrize(
    ("body", "sets", "winner"),
    [
        ({"kind": "walkover", "winner": "b"}, [0, 3], "b"),
        ({"kind": "forfeit", "winner": "a", "sets": [0, 2]}, [3, 2], "a"),
        ({"kind": "double_no_show"}, [0, 0], ""),
    ],
)
def test_a_match_that_was_not_played_to_its_end_has_a_kind(body: dict[str, Any], sets: list[int], winner: str) -> None:
    tournament = running()
    _, path = match_of(tournament)
    taken = told(by_link(tournament), path, body | {"version": 0}).json()
    assert (taken["kind"], taken["sets"], taken["winner"]) == (body["kind"], sets, winner)


def test_a_result_needs_a_key_and_the_version_that_was_seen() -> None:
    tournament = running()
    pk, path = match_of(tournament)
    referee = by_link(tournament)
    assert code_of(referee.ask("PUT", f"{path}result/", score(3, 1))) == (400, "key_missing")
    assert code_of(told(referee, path, score(3, 1), key="short")) == (400, "key_malformed")
    assert code_of(told(referee, path, {"kind": "score", "sets": [3, 1]})) == (428, "version_missing")
    anything = referee.ask("PUT", f"{path}result/", score(3, 1) | {"version": None}, Idempotency_Key="told-once")
    assert code_of(anything) == (400, "invalid")
    for said in ('"new"', "1.5", '"99999999999999999999"'):
        answer = referee.ask("PUT", f"{path}result/", score(3, 1), Idempotency_Key="told-once", If_Match=said)
        assert code_of(answer) == (400, "version_malformed")
    assert Match.objects.get(pk=pk).is_open


def test_the_second_referee_is_told_what_stands_and_who_said_so() -> None:
    tournament = running()
    pk, path = match_of(tournament)
    referee = by_link(tournament)
    assert told(referee, path, score(3, 1)).status_code == 200
    late = told(referee, path, score(3, 2), key="told-late")
    assert code_of(late) == (409, "stale_version")
    assert late.json()["params"] == {"kind": "score", "sets": [3, 1], "winner": "a", "version": 1, "by": "Marta"}
    assert "3–1" in late.json()["detail"]
    by_header = referee.ask("PUT", f"{path}result/", score(3, 2), Idempotency_Key="told-later", If_Match='"0"')
    assert code_of(by_header) == (412, "stale_version")
    decided = told(referee, path, score(3, 2) | {"version": 1}, key="told-again")
    assert code_of(decided) == (409, "already_decided")
    match = Match.objects.get(pk=pk)
    assert (match.sets_a, match.sets_b, match.version) == (3, 1, 1)


def test_sent_five_times_with_one_key_it_is_one_result_and_one_answer() -> None:
    tournament = running()
    _, path = match_of(tournament)
    referee = by_link(tournament)
    before = (Act.objects.count(), StageChange.objects.count())
    first, *again = [told(referee, path, score(3, 1)) for _ in range(5)]
    assert [(each.status_code, each.content) for each in again] == [(200, first.content)] * 4
    assert Submission.objects.count() == 1
    assert (Act.objects.count(), StageChange.objects.count()) == (before[0] + 1, before[1] + 1)


def test_a_retry_after_a_correction_still_gets_the_first_answer() -> None:
    tournament = running()
    _, path = match_of(tournament)
    referee, desk = by_link(tournament), by_token(tournament)
    first = told(referee, path, score(3, 1))
    corrected = desk.post(f"{path}correct/", score(1, 3) | {"version": 1}, Idempotency_Key="the-correction")
    assert (corrected.status_code, corrected["ETag"], corrected.json()["number"]) == (200, '"2"', 2)
    again = told(referee, path, score(3, 1))
    assert (again.status_code, again.content, again["ETag"]) == (200, first.content, '"2"')
    assert desk.get(path).json()["match"]["winner"] == "b"


def test_one_key_cannot_say_two_things() -> None:
    tournament = running()
    _, here = match_of(tournament)
    _, there = match_of(tournament, 1)
    referee = by_link(tournament)
    told(referee, here, score(3, 1))
    assert code_of(told(referee, here, score(3, 2))) == (409, "key_reused")
    assert code_of(told(referee, there, score(3, 1))) == (409, "key_reused")
    assert Submission.objects.count() == 1


def test_a_result_is_taken_back_by_a_separate_act_alone() -> None:
    tournament = running(5)
    pk, path = match_of(tournament)
    referee, desk = by_link(tournament), by_token(tournament)
    assert desk.get(path).json()["match"] == {"id": pk, "version": 0, "kind": "", "sets": [0, 0], "winner": ""}
    told(referee, path, score(3, 1))
    assert code_of(desk.ask("PATCH", f"{path}result/", {"kind": None})) == (405, "method_not_allowed")
    assert code_of(desk.post(f"{path}clear/", {})) == (428, "version_missing")
    cleared = desk.post(f"{path}clear/", {"why": "wrong table"}, If_Match='"1"')
    assert (cleared.status_code, cleared["ETag"]) == (200, '"2"')
    assert cleared.json() == {"id": pk, "version": 2, "kind": "", "sets": [0, 0], "winner": ""}
    assert code_of(desk.post(f"{path}clear/", {"version": 2})) == (409, "nothing_to_clear")
    bye = next(row for row in desk.rows(f"tournaments/{tournament.pk}/pairings/") if row["b"] is None)
    assert (bye["match"], bye["table"]) == (None, None)


def test_a_result_from_a_table_that_was_paired_again_lands_nowhere() -> None:
    tournament = running()
    pk, path = match_of(tournament)
    before = pairings(tournament, 1)[0]
    desk, referee = by_token(tournament), by_link(tournament)
    course = f"tournaments/{tournament.pk}/"
    assert desk.post(f"{course}take-back/").status_code == 200
    closed = told(referee, path, score(3, 0, a=before.a_id, b=before.b_id))
    assert code_of(closed) == (409, "match_void")
    assert closed.json()["current"] == []
    desk.post(f"{course}pair-again/")
    desk.post(f"{course}publish/")
    late = told(referee, path, score(3, 0, a=before.a_id, b=before.b_id))
    assert code_of(late) == (409, "match_void")
    now = [
        row for row in desk.rows(f"{course}pairings/") if {row["a"]["id"], row["b"]["id"]} & {before.a_id, before.b_id}
    ]
    assert late.json()["current"] == now
    assert all(match.is_open or match.pk == pk for match in Match.objects.filter(is_void=False))
    other = next(pairing for pairing in pairings(tournament, 1))
    assert other.match_id is not None
    swapped = told(referee, f"{course}matches/{other.match_id}/", score(3, 0, a=other.b_id, b=other.a_id))
    assert code_of(swapped) == (409, "pairing_changed")
    assert [row["match"]["id"] for row in swapped.json()["current"]] == [other.match_id]
    assert Submission.objects.count() == 0


def test_a_finished_tournament_takes_no_result() -> None:
    tournament = running(2, format="single_elimination")
    _, path = match_of(tournament)
    desk = by_token(tournament)
    play_open(tournament)
    assert desk.post(f"tournaments/{tournament.pk}/finish/").status_code == 200
    assert code_of(told(by_link(tournament), path, score(3, 0) | {"version": 1})) == (409, "already_decided")
    again = desk.post(f"{path}correct/", score(0, 3) | {"version": 1}, Idempotency_Key="too-late-now")
    assert code_of(again) == (409, "not_running")
    assert code_of(desk.post(f"{path}clear/", {"version": 1})) == (409, "not_running")
    assert Submission.objects.count() == 1


def test_the_final_cannot_be_told_before_both_its_players_are_known() -> None:
    tournament = running(4, format="single_elimination")
    _, path = match_of(tournament)
    told(by_link(tournament), path, score(3, 0))
    count_up(tournament)
    bracket = by_link(tournament).get(f"tournaments/{tournament.pk}/bracket/").json()
    final = bracket["rounds"][-1]["matches"][0]
    assert (bracket["rounds"][-1]["name"], final["match"]) == ("Final", None)
    assert (final["a"]["entry"]["name"], final["b"]["entry"]) == ("Player 01", None)
    assert bracket["rounds"][0]["matches"][0]["a"] == {
        "entry": {"id": final["a"]["entry"]["id"], "name": "Player 01"},
        "void": False,
        "bye": False,
        "sets": 3,
        "won": True,
    }


def test_the_next_round_waits_for_every_result_and_counts_the_last_one_itself() -> None:
    tournament = running(8)
    *others, last = pairings(tournament, 1)
    desk = by_token(tournament)
    for number, pairing in enumerate(others):
        path = f"tournaments/{tournament.pk}/matches/{pairing.match_id}/"
        assert told(desk, path, score(3, 0), key=f"waiting-{number}").status_code == 200
    course = f"tournaments/{tournament.pk}/"
    early = desk.post(f"{course}draft/")
    assert code_of(early) == (409, "open_matches")
    assert early.json()["params"] == {"matches": [last.match_id]}
    told(desk, f"{course}matches/{last.match_id}/", score(3, 0), key="waiting-last")
    assert desk.get(f"{course}standings/").json()["behind"] > 0  # nobody has worked the standings out yet
    assert desk.post(f"{course}draft/").status_code == 200
    winners = {pairing.a_id for pairing in pairings(tournament, 1)}
    assert [{p.a_id in winners, p.b_id in winners} for p in pairings(tournament, 2)] == [{True}] * 2 + [{False}] * 2


# --- several at once


def several(api: Api, tournament: Tournament, rows: list[dict[str, Any]], *, key: str = "of-this-list") -> Any:
    return api.post(f"tournaments/{tournament.pk}/results/", {"results": rows}, Idempotency_Key=key)


def test_several_results_are_entered_as_a_whole_and_once() -> None:
    tournament = running()
    matches = [pairing.match_id for pairing in pairings(tournament)]
    rows = [{"match": match, "version": 0, "kind": "score", "sets": [3, 1]} for match in matches]
    referee = by_link(tournament)
    for _twice in range(2):
        assert several(referee, tournament, rows).json() == {"count": len(matches)}
    assert Submission.objects.filter(is_confirmed=True).count() == len(matches)


def test_one_of_several_that_cannot_be_and_none_is_entered() -> None:
    tournament = running()
    one, other = [pairing.match_id for pairing in pairings(tournament)]
    rows = [
        {"match": one, "version": 0, "kind": "score", "sets": [3, 1]},
        {"match": other, "version": 0, "kind": "score", "sets": [1, 1]},
    ]
    refused = several(by_token(tournament), tournament, rows)
    assert code_of(refused) == (409, "list_refused")
    assert [each["line"] for each in refused.json()["params"]["problems"]] == [2]
    assert code_of(several(by_token(tournament), tournament, [rows[0], rows[0]])) == (400, "invalid")
    assert code_of(several(by_token(tournament), tournament, [])) == (400, "invalid")
    here = pairings(tournament)[0].table or 0
    assert code_of(several(by_link(tournament, tables=(here,)), tournament, rows)) == (404, "not_found")
    assert code_of(several(by_stranger(), tournament, rows)) == (404, "not_found")
    assert code_of(several(by_token(tournament), tournament, rows, key="")) == (400, "key_missing")
    assert Submission.objects.count() == 0
