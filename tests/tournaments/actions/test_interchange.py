"""A tournament that is taken away as a file and brought in again is the same tournament."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from matches.actions import TIME, Report, submit_result
from matches.models import Match, Submission
from tests.factories import NOW, make_entry, make_event, make_tournament, organiser
from tests.tournaments.actions.running import does, entry, nobody_came, started
from tests.tournaments.play import count_up, draft, pairings, play_open, publish, start, table
from tournaments.actions import asked_byes, play_offs, rounds
from tournaments.actions.interchange import import_tournament
from tournaments.engine.interchange import Document, Fault, write_json, write_trf
from tournaments.importers.tournament import read_tournament
from tournaments.models import Entry, Event, Pairing, Round, Stage, TableUse, Tournament
from tournaments.models.tournament import State
from tournaments.queries.interchange import document_of

pytestmark = pytest.mark.django_db


def written(tournament: Tournament) -> str:
    return write_json(document_of(stage=Stage.objects.select_related("tournament").get(tournament=tournament)))


def brought(text: str, event: Event | None = None) -> Tournament:
    found = read_tournament(text.encode())
    assert isinstance(found, Document), found
    event = event or make_event()
    made = import_tournament(event_id=event.pk, document=found, ruleset="standard/1", by=organiser(of=event), now=NOW)
    count_up(made)
    return made


def swiss() -> Tournament:
    """Three rounds of five: byes given and asked for, somebody left, a third round that is open."""
    tournament = started(5, format="swiss", options={"rounds": 4})
    does(tournament, asked_byes.set_asked_byes, entry_id=entry(tournament, 2).pk, asked=[(2, "half")])
    play_open(tournament)
    draft(tournament)
    publish(tournament)
    play_open(tournament)
    does(tournament, rounds.withdraw_entry, entry_id=entry(tournament, 5).pk)
    draft(tournament)
    publish(tournament)
    return tournament


def double() -> Tournament:
    tournament = started(5, format="double_elimination")
    nobody_came(pairings(tournament)[-1])
    play_open(tournament)
    return tournament


def groups() -> Tournament:
    tournament = started(7, format="groups", options={"groups": 2})
    play_open(tournament)
    return tournament


def played_off() -> Tournament:
    """Everybody level after one round, and an extra match about the first place."""
    tournament = started(4, format="swiss", options={"rounds": 1}, tiebreaks=())
    play_open(tournament)
    one, other = tournament.stages.get().standings.filter(rank=1).values_list("entry", flat=True)
    does(tournament, play_offs.start_play_off, stage_id=tournament.stages.get().pk, a=one, b=other)
    play_open(tournament)
    return tournament


def ended_by_time() -> Tournament:
    """One match that time ended with a winner, and one it left level."""
    tournament = started(4, format="swiss", allows_tie=True, round_minutes=50)
    for meeting, sets in zip(pairings(tournament), ((2, 1), (1, 1)), strict=True):
        told = {"match_id": meeting.match_id, "report": Report(TIME, sets), "key": f"time-{meeting.pk}"}
        does(tournament, submit_result, expected_version=0, **told)
    count_up(tournament)
    return tournament


@pytest.mark.db
@pytest.mark.parametrize("make", [swiss, double, groups, played_off, ended_by_time], ids=lambda each: each.__name__)
def test_export_import_export_gives_the_same_bytes_and_the_same_table(make: Any) -> None:
    tournament = make()
    text = written(tournament)
    again = brought(text)
    assert written(again) == text
    assert table(again) == table(tournament)


def test_everything_is_there_and_goes_on_where_it_was() -> None:
    tournament = swiss()
    again = brought(written(tournament))
    assert (again.state, again.finished_at, again.stages.get().format) == (State.RUNNING, None, "swiss")
    open_here = [(p.a.name, p.b.name if p.b else "", p.table) for p in pairings(again) if p.match and p.match.is_open]
    assert [place for *_, place in open_here] == [1, 2]
    play_open(again)
    draft(again)
    publish(again)
    assert Round.objects.filter(stage__tournament=again).count() == 4
    confirmed = Submission.objects.filter(match__pairing__round__stage__tournament=again, is_confirmed=True)
    decided = Match.objects.filter(pairing__round__stage__tournament=again).exclude(kind="")
    assert confirmed.count() == decided.count()


def test_a_tournament_that_is_over_comes_in_finished() -> None:
    tournament = groups()
    again = brought(written(tournament))
    assert (again.state, again.finished_at) == (State.FINISHED, NOW)


def test_no_address_and_no_hidden_name_leaves_the_house() -> None:
    tournament = make_tournament(seeding="hand")
    hidden = make_entry(tournament=tournament, name="Bastila", email="bastila@example.org", here=True)
    make_entry(tournament=tournament, name="Carth", email="carth@example.org", here=True)
    Entry.objects.filter(pk=hidden.pk).update(is_shown=False)
    start(tournament)
    text = written(tournament)
    assert "example.org" not in text
    assert "Bastila" not in text
    assert f'"name": "Player {hidden.pk}"' in text
    assert written(brought(text)) == text


def test_the_same_names_are_told_apart_as_they_were() -> None:
    tournament = make_tournament(seeding="hand")
    for city in ("Riga", "Tartu"):
        make_entry(tournament=tournament, name="Ann", city=city, here=True, name_again=True)
    start(tournament)
    text = written(tournament)
    assert '"name": "Ann (Riga)"' in text
    assert written(brought(text)) == text


def test_a_draft_is_in_no_file() -> None:
    tournament = started(4, format="swiss")
    play_open(tournament)
    before = written(tournament)
    draft(tournament)
    assert written(tournament) == before


def test_a_robin_travels_as_fides_format_too() -> None:
    tournament = started(4, format="round_robin", tiebreaks=("wins",))
    play_open(tournament)
    stage = Stage.objects.select_related("tournament").get(tournament=tournament)
    text = write_trf(document_of(stage=stage))
    again = brought(text)
    assert write_trf(document_of(stage=Stage.objects.select_related("tournament").get(tournament=again))) == text
    assert [row[:2] for row in table(again)] == [row[:2] for row in table(tournament)]


# --- What cannot be kept.


def changed(**fields: Any) -> bytes:
    found = json.loads(written(started(4, format="groups", options={"groups": 2})))
    return json.dumps({**found, **fields}, indent=0).encode()


def fault(data: bytes) -> tuple[str, int, int]:
    found = read_tournament(data)
    assert isinstance(found, Fault), found
    return found.code, found.line, found.column


def pairing(number: int = 1, a: int = 1, b: int | None = 4, round_: int = 1, **more: Any) -> dict[str, Any]:
    return {"round": round_, "number": number, "a": a, "b": b, **more}


def scored(sets: list[int], winner: str | None) -> dict[str, Any]:
    return {"kind": "score", "sets": sets, "winner": winner}


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"name": " "}, "not_a_name"),
        ({"name": "x" * 121}, "not_a_name"),
        ({"ruleset": "chess/1"}, "unknown_value"),
        ({"sets_to_win": 4}, "unknown_value"),
        ({"seed": "\u0000"}, "unknown_value"),
        ({"seed": "x" * 201}, "unknown_value"),
        ({"points": {"win": 101, "tie": 0, "loss": 0, "bye": 0}}, "unknown_value"),
        ({"options": {"groups": 1001}}, "unknown_value"),
        ({"tiebreaks": ["wins", "wins"]}, "repeated"),
        ({"entries": [{"id": 1, "seed": 1, "name": "Alone"}], "pairings": []}, "no_entries"),
        ({"entries": [{"id": n, "seed": n, "name": "\ufffd"} for n in (1, 2)], "pairings": []}, "not_a_name"),
        ({"pairings": [pairing(round_=2)]}, "unknown_value"),
        ({"pairings": [pairing(number=30_001)]}, "unknown_value"),
        ({"pairings": [pairing(b=2)]}, "not_of_format"),
        ({"pairings": [pairing(b=None)]}, "not_of_format"),
        ({"pairings": [pairing(result=scored([100, 0], "a"))]}, "unknown_value"),
        ({"pairings": [pairing(result=scored([1, 3], "a"))]}, "impossible_result"),
        ({"pairings": [pairing(result=scored([1, 2], "a") | {"kind": "time"})]}, "impossible_result"),
        ({"pairings": [pairing(result=scored([2, 1], None) | {"kind": "time"})]}, "impossible_result"),
        ({"pairings": [pairing(result={**scored([3, 1], "a"), "tied_sets": 1})]}, "unknown_value"),
        ({"pairings": [pairing()], "play_offs": [pairing()]}, "unknown_value"),
        ({"pairings": [pairing()], "play_offs": [pairing(round_=2, b=None)]}, "not_of_format"),
        ({"pairings": [pairing()], "play_offs": [pairing(round_=2, result=scored([2, 2], None))]}, "impossible_result"),
    ],
)
def test_what_cannot_be_kept_is_a_fault_with_its_place(fields: dict[str, Any], code: str) -> None:
    found = fault(changed(**fields))
    assert found[0] == code
    assert found[1] > 1


def test_a_meeting_out_of_its_place_in_the_bracket_is_a_fault() -> None:
    data = json.loads(written(started(4, format="single_elimination")))
    data["pairings"][0]["round"] = data["pairings"][1]["round"] = 2
    assert fault(json.dumps(data).encode())[0] == "unknown_value"
    data["pairings"][0]["round"] = 1
    data["pairings"][1] |= {"round": 2, "number": 1}
    assert fault(json.dumps(data).encode())[0] == "not_of_format"
    data["pairings"][1] |= {"round": 1, "number": 2, "result": scored([2, 2], None)}
    assert fault(json.dumps(data).encode())[0] == "impossible_result"


def test_what_is_no_file_of_ours_is_a_fault_too() -> None:
    assert fault(b"\xff\xfe") == ("not_text", 1, 1)
    assert fault(b'{"cantina": ' + b"9" * 5000 + b"}")[0] == "not_json"
    assert fault(b"[" * 100_000)[0] == "too_deep"
    assert fault(b"") == ("no_entries", 1, 1)
    trf = "012 Cup\n001    1      Ahto\n001    2      \n"
    assert fault(trf.encode()) == ("not_a_name", 3, 1)


# --- The doors.


def test_the_file_is_everybodys_and_comes_in_by_the_desk() -> None:
    tournament = swiss()
    answer = Client().get(reverse("export", args=[tournament.pk, "tournament", "json"]))
    assert (answer.status_code, answer["Content-Type"]) == (200, "application/json")
    assert 'filename="main-tournament.json"' in answer["Content-Disposition"]
    assert answer.content.decode() == written(tournament)
    assert Client().get(reverse("export", args=[tournament.pk, "tournament", "trf"])).status_code == 200
    assert Client().get(reverse("export", args=[tournament.pk, "tournament", "csv"])).status_code == 404
    assert Client().get(reverse("export", args=[double().pk, "tournament", "trf"])).status_code == 404
    assert Client().get(reverse("export", args=[make_tournament().pk, "tournament", "json"])).status_code == 404
    event = make_event()
    client = Client()
    client.force_login(event.owner)
    address = reverse("tournament_new_file", args=[event.pk])
    assert client.get(address).status_code == 200
    for _ in range(2):  # pressed twice: one tournament
        came = client.post(address, sent(answer.content))
        made = event.tournaments.get()
        assert (came.status_code, came["Location"]) == (302, reverse("tournament_desk", args=[made.pk]))
    assert written(made) == answer.content.decode()
    other = client.post(address, sent(b"{}"))
    assert (other.status_code, event.tournaments.count()) == (400, 1)
    assert "Line 1, column 1" in other.content.decode()
    assert client.post(address, sent(written(groups()).encode())).status_code == 422
    assert client.post(address, {"key": "k" * 20}).status_code == 400


def sent(data: bytes) -> dict[str, Any]:
    from django.core.files.uploadedfile import SimpleUploadedFile

    return {"key": "a-form-that-was-opened", "ruleset": "standard/1", "file": SimpleUploadedFile("cup.json", data)}


def test_nothing_of_a_file_with_a_fault_is_kept() -> None:
    before = (Tournament.objects.count(), Entry.objects.count(), Pairing.objects.count())
    text = changed(pairings=[pairing(b=2)])
    after = (Tournament.objects.count(), Entry.objects.count(), Pairing.objects.count())
    event = make_event()
    client = Client()
    client.force_login(event.owner)
    assert client.post(reverse("tournament_new_file", args=[event.pk]), sent(text)).status_code == 400
    assert (Tournament.objects.count(), Entry.objects.count(), Pairing.objects.count()) == after
    assert before != after


def test_a_tournament_that_comes_in_takes_the_first_tables_nobody_plays_at() -> None:
    event = make_event()
    there = make_tournament(event=event, name="There")
    for _ in range(4):
        make_entry(tournament=there, here=True)
    start(there)
    came = brought(written(swiss()), event)
    open_now = [p for p in pairings(came) if p.match is not None and p.match.is_open]
    assert [p.table for p in open_now] == [3, 4]
    assert list(TableUse.objects.filter(event=event).order_by("number").values_list("number", "pairing")) == [
        *((p.table, p.pk) for p in pairings(there)),
        *((p.table, p.pk) for p in open_now),
    ]
