"""Whole tournaments by the API: taken away as a file, brought in from one."""

from __future__ import annotations

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from tests.factories import make_event
from tests.tournaments.actions.running import started
from tests.tournaments.api.asking import Api, by_token, code_of
from tests.tournaments.play import play_open

pytestmark = pytest.mark.django_db


def exported(pk: int, kind: str) -> bytes:
    content: bytes = Api().get(f"tournaments/{pk}/exports/tournament/{kind}/").content
    return content


def test_a_tournament_travels_from_one_event_to_another() -> None:
    tournament = started(4, format="swiss", options={"rounds": 3})
    play_open(tournament)
    text = exported(tournament.pk, "json")
    event = make_event()
    made = by_token(event).post(f"events/{event.pk}/tournaments/import/", {"text": text.decode()})
    assert (made.status_code, made.json()["state"], made.json()["players"]) == (201, "running", 4)
    assert exported(made.json()["id"], "json") == text
    files = Api().get(f"tournaments/{tournament.pk}/exports/").json()["results"]
    assert [each["kind"] for each in files if each["sheet"] == "tournament"] == ["json", "trf"]


def test_ie_11_sent_again_after_a_lost_answer_it_is_there_once_and_equal_to_what_was_sent() -> None:
    tournament = started(4, format="swiss", options={"rounds": 3})
    play_open(tournament)
    text, event = exported(tournament.pk, "json"), make_event()
    api, path = by_token(event), f"events/{event.pk}/tournaments/import/"
    first, again = (api.post(path, {"text": text.decode()}, Idempotency_Key="published-once") for _ in range(2))
    assert (first.status_code, again.json()) == (201, first.json())
    assert event.tournaments.count() == 1
    assert exported(first.json()["id"], "json") == text
    play_open(tournament)  # what is here is nobody else's copy: neither changes the other
    assert exported(first.json()["id"], "json") == text


def test_it_comes_as_a_file_too() -> None:
    tournament = started(4, format="round_robin")
    event = make_event()
    api = by_token(event)
    answer = api.client.post(
        f"/api/events/{event.pk}/tournaments/import/",
        {"file": SimpleUploadedFile("robin.trf", exported(tournament.pk, "trf"))},
        headers=api.headers,
    )
    assert (answer.status_code, answer.json()["format"], answer.json()["ruleset"]) == (201, "round_robin", "standard/1")


def test_a_fault_is_told_with_its_place_and_nothing_is_kept() -> None:
    event = make_event()
    api, path = by_token(event), f"events/{event.pk}/tournaments/import/"
    answer = api.post(path, {"text": "012 Cup\n001    1      Ann\n001    x      Bo\n"})
    assert code_of(answer) == (400, "file_fault")
    assert answer.json()["params"] == {"line": 3, "column": 5, "fault": "not_a_number", "params": {"value": "x"}}
    assert answer.json()["detail"] == "Line 3, column 5: “x” is not a number. Nothing was imported."
    assert event.tournaments.count() == 0


@pytest.mark.parametrize("kind", ["json", "trf"])
def test_before_the_start_there_is_no_such_file(kind: str) -> None:
    tournament = started(4, format="double_elimination")
    assert Api().get(f"tournaments/{tournament.pk}/exports/tournament/trf/").status_code == 404
    tournament.state = "roster"
    tournament.save()
    assert Api().get(f"tournaments/{tournament.pk}/exports/tournament/{kind}/").status_code == 404
