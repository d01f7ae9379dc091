"""Players of a tournament in play, over the API: each act, its answer, its undo and what refuses it."""

from __future__ import annotations

from typing import Any

import pytest

from tests.tournaments.actions.running import entry, nobody_came, seats, started
from tests.tournaments.api.asking import by_link, by_stranger, by_token, code_of
from tests.tournaments.play import count_up, draft, pairings, play_open, report, table
from tournaments.models import Tournament

pytestmark = pytest.mark.django_db


def at(tournament: Tournament, seed: int, act: str) -> str:
    return f"tournaments/{tournament.pk}/entries/{entry(tournament, seed).pk}/{act}/"


def test_somebody_late_is_let_in_once_and_taken_out() -> None:
    tournament = started(5, options={"rounds": 3})
    api, path = by_token(tournament), f"tournaments/{tournament.pk}/late-entries/"
    said = {"name": "Juhani", "why": "Train"}
    answer = api.post(path, said, Idempotency_Key="late-entry-1")
    came: dict[str, Any] = answer.json()
    assert (answer.status_code, came["seed"], came["since"], came["asked"]) == (201, 6, 2, [])
    assert api.post(path, said, Idempotency_Key="late-entry-1").json() == came
    assert code_of(api.post(path, {"name": "Juhani"})) == (409, "same_name")
    assert api.post(at(tournament, 6, "take-out")).status_code == 204
    assert code_of(api.post(at(tournament, 1, "take-out"))) == (409, "not_late")
    assert code_of(api.post(path, {"name": ""}))[0] == 400


def test_whoever_does_not_play_is_let_in() -> None:
    tournament = started(4, options={"rounds": 3})
    api = by_token(tournament)
    leaving = entry(tournament, 2)
    api.post(at(tournament, 2, "replace"), {"name": "Juhani"})
    path = f"tournaments/{tournament.pk}/entries/{leaving.pk}/let-in/"
    assert api.post(path, {"why": "After all"}).json()["seed"] == 5
    assert code_of(api.post(path)) == (409, "already_playing")


def test_where_there_is_no_place_that_is_said() -> None:
    tournament = started(4, format="double_elimination")
    answer = by_token(tournament).post(f"tournaments/{tournament.pk}/late-entries/", {"name": "Juhani"})
    assert code_of(answer) == (409, "no_place_for_late")


def test_a_player_is_disqualified_and_reinstated() -> None:
    tournament = started(4)
    api = by_token(tournament)
    assert api.post(at(tournament, 1, "disqualify"), {"why": "Marked cards"}).json()["status"] == "disqualified"
    assert code_of(api.post(at(tournament, 1, "disqualify"))) == (409, "already_disqualified")
    assert api.post(at(tournament, 1, "reinstate")).json()["status"] == "active"
    assert code_of(api.post(at(tournament, 1, "reinstate"))) == (409, "not_disqualified")


def test_a_place_is_given_on_and_back() -> None:
    tournament = started(4)
    api, leaving = by_token(tournament), entry(tournament, 3)
    answer = api.post(at(tournament, 3, "replace"), {"name": "Juhani"})
    assert (answer.status_code, answer.json()["seed"]) == (201, 3)
    assert api.post(at(tournament, 3, "replace-by"), {"entry": leaving.pk}).json()["id"] == leaving.pk
    assert api.post(at(tournament, 3, "undo-replacement")).json()["id"] == answer.json()["id"]
    assert api.post(at(tournament, 3, "undo-replacement")).json()["id"] == leaving.pk
    assert code_of(api.post(at(tournament, 3, "undo-replacement"))) == (409, "not_a_replacement")
    report(pairings(tournament, 1)[0], (3, 0))
    played = pairings(tournament, 1)[0].a.seed
    assert code_of(api.post(at(tournament, played or 0, "replace"), {"name": "Anna"})) == (409, "entry_has_played")


def test_byes_are_asked_for_as_a_whole_list() -> None:
    tournament = started(4, options={"rounds": 3})
    api, path = by_token(tournament), at(tournament, 1, "asked-byes")
    said = {"asked": [{"round": 2, "bye": "half"}]}
    assert api.ask("PUT", path, said).json()["asked"] == [[2, "half"]]
    play_open(tournament)
    draft(tournament)
    rows = api.rows(f"tournaments/{tournament.pk}/pairings/?round=2")
    assert {row["a"]["name"]: row["bye"] for row in rows}["Player 01"] == "half"
    assert {row["bye"] for row in rows if row["b"]} == {None}
    assert api.ask("PUT", path, {"asked": []}).json()["asked"] == []
    assert code_of(api.ask("PUT", path, {"asked": [{"round": 9, "bye": "half"}]})) == (400, "bye_round")
    assert code_of(api.ask("PUT", path, {"asked": [{"round": 2, "bye": "given"}]})) == (400, "invalid")


def test_a_play_off_is_called_and_taken_back() -> None:
    tournament = started(2, format="round_robin")
    nobody_came(pairings(tournament, 1)[0])
    count_up(tournament)
    api, path = by_token(tournament), f"tournaments/{tournament.pk}/play-offs/"
    both = {"a": entry(tournament, 1).pk, "b": entry(tournament, 2).pk}
    answer = api.post(path, both)
    assert (answer.status_code, answer.json()["round"], answer.json()["table"]) == (201, 2, 1)
    match = answer.json()["match"]["id"]
    drop = f"tournaments/{tournament.pk}/matches/{match}/drop-play-off/"
    assert api.post(drop).status_code == 204
    assert api.post(drop).status_code == 404
    assert code_of(api.post(path, {"a": both["a"], "b": both["a"]})) == (409, "no_shared_place")
    regular = pairings(tournament, 1)[0].match_id
    assert code_of(api.post(f"tournaments/{tournament.pk}/matches/{regular}/drop-play-off/")) == (409, "not_a_play_off")
    again = api.post(path, both).json()["match"]["id"]
    entered = api.ask(
        "PUT",
        f"tournaments/{tournament.pk}/matches/{again}/result/",
        {"kind": "score", "sets": [1, 3], "version": 0},
        Idempotency_Key="play-off-1",
    )
    assert entered.status_code in (200, 201)
    count_up(tournament)
    assert [row[:2] for row in table(tournament)] == [(1, "Player 02"), (2, "Player 01")]


@pytest.mark.parametrize("act", ["let-in", "take-out", "disqualify", "reinstate", "replace", "undo-replacement"])
def test_only_the_organiser_may(act: str) -> None:
    tournament = started(4)
    before = seats(tournament, 1)
    assert code_of(by_link(tournament).post(at(tournament, 1, act), {"name": "Juhani"})) == (403, "not_allowed")
    assert by_stranger().post(at(tournament, 1, act), {"name": "Juhani"}).status_code == 404
    other = started(4)
    path = f"tournaments/{other.pk}/entries/{entry(tournament, 1).pk}/{act}/"
    assert by_token(other).post(path, {"name": "Juhani"}).status_code == 404
    assert seats(tournament, 1) == before
