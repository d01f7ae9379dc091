"""A player's report behind their own link: told, answered, taken back, and never lost or doubled."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse

from matches.actions import SCORE, WALKOVER, Report, submit_result
from matches.models import Match, Submission
from tests.factories import NOW, organiser
from tests.tournaments.play import pairings, publish, stage_of
from tests.tournaments.views.desk import Page, page_text, running, said
from tournaments.actions import results, rounds
from tournaments.models import Entry, Pairing, Tournament
from tournaments.permissions import entry_token

pytestmark = pytest.mark.django_db

JSON = {"Accept": "application/json"}


def reporting(size: int = 4, **facts: Any) -> Tournament:
    return running(size, **({"players_report": True} | facts))


def first(tournament: Tournament) -> Pairing:
    return pairings(tournament, 1)[0]


def side(pairing: Pairing, seat: str) -> Entry:
    entry = pairing.a if seat == "a" else pairing.b
    assert entry is not None
    return entry


def at(name: str, entry: Entry, pk: int | None) -> str:
    return reverse(name, args=[entry_token(entry), pk])


def tell(pairing: Pairing, seat: str, result: str = "3-1", *, json: bool = False, **fields: Any) -> Page:
    """What the phone of a player sends; it keeps no session."""
    typed = {"result": result, "key": str(uuid4()), "version": 0} | fields
    address = at("own_report", side(pairing, seat), pairing.match_id)
    return Client(enforce_csrf_checks=True).post(address, typed, headers=JSON if json else {})


def press(name: str, pairing: Pairing, seat: str, submission: Submission, *, json: bool = False) -> Page:
    address = at(name, side(pairing, seat), submission.pk)
    return Client(enforce_csrf_checks=True).post(address, headers=JSON if json else {})


def page(pairing: Pairing, seat: str) -> Page:
    return Client().get(at("own_report", side(pairing, seat), pairing.match_id))


def stored(pairing: Pairing) -> tuple[str, int, int, int]:
    match = Match.objects.get(pk=pairing.match_id or 0)
    return match.kind, match.sets_a, match.sets_b, match.version


def only() -> Submission:
    return Submission.objects.get(is_waiting=True)


def test_re_07_a_report_waits_and_each_is_told_whose_turn_it_is() -> None:
    pairing = first(reporting())
    done = tell(pairing, "a", "3-1")
    assert (done.status_code, done["Location"]) == (302, reverse("own_page", args=[entry_token(side(pairing, "a"))]))
    assert said(done) == ["Reported: 3–1. It counts once your opponent or the referee says the same."]
    a, b = side(pairing, "a").name, side(pairing, "b").name
    mine, theirs = page_text(page(pairing, "a")), page_text(page(pairing, "b"))
    assert f"{a} 3–1 {b} {b} can answer until" in mine
    assert "Take it back" in mine
    assert "Agree" not in mine
    assert f"{a} 3–1 {b} Is that right? Please answer by" in theirs
    assert "Agree: 3–1" in theirs
    assert stored(pairing) == ("", 0, 0, 0)


def test_re_07_agreeing_makes_it_the_result() -> None:
    pairing = first(reporting())
    tell(pairing, "a", "3-1")
    report = only()
    done = press("own_agree", pairing, "b", report)
    assert said(done) == ["The result is in: 3–1."]
    assert stored(pairing) == (SCORE, 3, 1, 1)
    assert press("own_agree", pairing, "b", report).status_code == 302
    assert stored(pairing) == (SCORE, 3, 1, 1)


def test_re_07_who_says_otherwise_is_told_that_the_referee_decides() -> None:
    pairing = first(reporting())
    tell(pairing, "a", "3-1")
    tell(pairing, "b", "1-3")
    for seat in ("a", "b"):
        text = page_text(page(pairing, seat))
        assert "You two said different things. The referee decides." in text
        assert "Change what you reported" in text
    tell(pairing, "b", "3-1")
    assert stored(pairing) == (SCORE, 3, 1, 1)


def test_of_01_a_device_is_answered_the_same_however_often_it_sends() -> None:
    pairing = first(reporting())
    answers = [tell(pairing, "b", "2-3", json=True, key="the-same-key") for _ in range(3)]
    assert [answer.status_code for answer in answers] == [200] * 3
    bodies = [answer.json() for answer in answers]
    assert bodies == [bodies[0]] * 3
    assert {name: bodies[0][name] for name in ("number", "kind", "sets", "winner")} == {
        "number": 1,
        "kind": SCORE,
        "sets": [2, 3],
        "winner": "b",
    }
    assert Submission.objects.count() == 1


def test_of_03_a_report_that_comes_after_the_ruling_says_what_stands_and_what_was_chosen() -> None:
    tournament = reporting()
    pairing = first(tournament)
    submit_result(
        match_id=pairing.match_id or 0,
        report=Report(SCORE, (0, 3)),
        by=organiser(of=tournament),
        key="ruling",
        expected_version=0,
        now=NOW,
    )
    late = tell(pairing, "a", "3-0")
    assert late.status_code == 409
    text = page_text(late)
    assert "its result is now 0–3, entered by \u2068an organiser\u2069" in text
    assert "You chose: 3–0." in text
    problem = tell(pairing, "a", "3-0", json=True)
    assert (problem.status_code, problem.json()["code"]) == (409, "stale_version")
    assert stored(pairing) == (SCORE, 0, 3, 1)


def test_a_refused_report_is_shown_again_with_what_was_chosen() -> None:
    pairing = first(reporting())
    wrong = tell(pairing, "a", "4-1")
    assert wrong.status_code == 400
    assert "This cannot be: a match ends with set 3 won." in page_text(wrong)
    nothing = tell(pairing, "a", "")
    assert (nothing.status_code, "Choose how the match ended." in page_text(nothing)) == (400, True)
    stale = tell(pairing, "a", "3-1", version=7)
    assert stale.status_code == 409
    assert 'value="3-1" checked' in stale.content.decode()
    assert not Submission.objects.exists()


def test_a_player_gives_up_and_says_nothing_of_the_other() -> None:
    pairing = first(reporting())
    html = page(pairing, "a").content.decode()
    assert 'value="forfeit_b"' in html
    assert [each for each in ("walkover_a", "walkover_b", "double_no_show", "forfeit_a") if f'"{each}"' in html] == []
    assert tell(pairing, "a", "walkover_a").status_code == 400
    tell(pairing, "a", "forfeit_b", loser_sets="2")
    press("own_agree", pairing, "b", only())
    assert stored(pairing) == ("forfeit", 2, 3, 1)


def test_a_report_is_taken_back_by_its_player_alone() -> None:
    pairing = first(reporting())
    tell(pairing, "a")
    report = only()
    assert press("own_take_back", pairing, "b", report).status_code == 409
    for _ in range(2):
        assert said(press("own_take_back", pairing, "a", report)) == ["Your report is taken back."]
    gone = press("own_agree", pairing, "b", report, json=True)
    assert (gone.status_code, gone.json()["code"]) == (409, "report_gone")
    assert stored(pairing) == ("", 0, 0, 0)


def test_sp_01_nothing_of_another_match_is_seen_or_done() -> None:
    tournament = reporting()
    mine, other = pairings(tournament, 1)
    tell(mine, "a")
    report = only()
    stranger = side(other, "a")
    browser = Client()
    assert browser.get(at("own_report", stranger, mine.match_id)).status_code == 404
    assert browser.post(at("own_report", stranger, mine.match_id), {"result": "3-0"}).status_code == 404
    for name in ("own_agree", "own_take_back"):
        assert browser.post(at(name, stranger, report.pk)).status_code == 404
        assert browser.post(at(name, stranger, 987654)).status_code == 404
        assert browser.get(at(name, side(mine, "b"), report.pk)).status_code == 405
        assert browser.post(reverse(name, args=["1-forged", report.pk])).status_code == 404
    assert stored(mine) == ("", 0, 0, 0)


def test_re_13_a_match_whose_round_was_taken_back_says_so() -> None:
    tournament = reporting()
    old = first(tournament)
    tell(old, "a")
    report = only()
    rounds.take_back_round(stage_id=stage_of(tournament).pk, by=organiser(of=tournament), now=NOW)
    publish(tournament)
    for answer in (tell(old, "b", "3-1"), press("own_agree", old, "b", report)):
        assert answer.status_code == 409
        assert "This match is closed: its round was taken back." in page_text(answer)
    assert Submission.objects.filter(is_confirmed=True).count() == 0


def test_where_players_do_not_report_there_is_no_form() -> None:
    pairing = first(running())
    assert "There is nothing to report now" in page_text(page(pairing, "a"))
    refused = tell(pairing, "a")
    assert refused.status_code == 409
    assert "Players do not report results in this tournament." in page_text(refused)


def test_a_player_confirms_what_staff_entered_where_two_have_to_agree() -> None:
    tournament = running(second_confirms=True)
    pairing = first(tournament)
    results.enter_result(
        match_id=pairing.match_id or 0,
        report=Report(WALKOVER, winner="a"),
        by=organiser(of=tournament),
        key="desk",
        expected_version=0,
        now=NOW,
    )
    text = page_text(page(pairing, "b"))
    assert "3–0, walkover" in text
    assert "It counts once somebody else confirms it." in text
    assert "It ended otherwise" not in text
    press("own_agree", pairing, "b", only())
    assert stored(pairing) == (WALKOVER, 3, 0, 1)


def test_an_opponent_who_shows_no_name_is_named_by_a_number() -> None:
    pairing = first(reporting())
    hidden = side(pairing, "a")
    Entry.objects.filter(pk=hidden.pk).update(is_shown=False)
    tell(pairing, "a")
    text = page_text(page(pairing, "b"))
    assert f"Player {hidden.pk} reported at" in text
    assert hidden.name not in text
    press("own_agree", pairing, "b", only())
    late = tell(pairing, "b", "1-3", version=0, json=True)
    assert hidden.name not in late.json()["detail"]
    assert hidden.name in page_text(page(pairing, "a"))
