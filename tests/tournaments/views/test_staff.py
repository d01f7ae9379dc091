"""The referee's page: three taps to a result, nothing twice, nothing of other tables, and a way back from a mis-tap."""

from __future__ import annotations

import re
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse

from matches.models import Match, Submission
from players.models import Act
from players.permissions import Refused, Role
from tests.factories import NOW, make_event, make_field, make_tournament, organiser
from tests.tournaments.play import pairings, play_open, publish, report, stage_of, start
from tests.tournaments.views.referee import first, link_for, match_of, page, referee, running, send, stored
from tournaments.actions import rounds
from tournaments.models import StageChange
from tournaments.permissions import link_token

pytestmark = pytest.mark.django_db


def forms(html: str) -> list[str]:
    return re.findall(r"<form.*?</form>", html, re.DOTALL)


# --- the page


def test_open_matches_come_first_each_with_its_scores() -> None:
    tournament = running(4)
    html = page(referee(tournament)).content.decode()
    assert "Referee <bdi>Marta</bdi> · all tables · Main" in html
    assert "<h1>2 open matches</h1>" in html
    assert len(forms(html)) == 3  # two matches and the language
    for pairing in pairings(tournament, 1):
        form = next(each for each in forms(html) if f"matches/{pairing.match_id}/result/" in each)
        values = re.findall(r'name="result" value="([^"]+)"', form)
        assert values[:6] == ["3-0", "3-1", "3-2", "0-3", "1-3", "2-3"]
        assert values[6:] == ["walkover_a", "walkover_b", "double_no_show", "forfeit_a", "forfeit_b"]
        assert re.search(r'name="version" value="0"', form)
        assert re.search(r'name="key" value="[0-9a-f-]{36}"', form)
        assert "data-outbox" in form
        assert "csrf" not in form


def test_a_referee_sees_the_tables_of_the_link_alone() -> None:
    tournament = running(8)
    link = referee(tournament, tables=(2, 3))
    html = page(link).content.decode()
    assert "tables 2 to 3" in html
    assert [int(each) for each in re.findall(r'data-place="(\d+)"', html)] == [2, 3]


def test_a_link_of_the_whole_event_says_which_tournament_a_match_belongs_to() -> None:
    event = make_event()
    for name in ("Morning", "Evening"):
        tournament = make_tournament(event=event, name=name)
        make_field(size=2, tournament=tournament)
        start(tournament)
    html = page(link_for(event)).content.decode()
    assert "<h1>2 open matches</h1>" in html
    assert "Round 1 · <bdi>Morning</bdi>" in html
    assert "Round 1 · <bdi>Evening</bdi>" in html


def test_with_very_many_matches_each_has_a_page_of_its_own() -> None:
    tournament = running(84)
    link = referee(tournament)
    html = page(link).content.decode()
    assert len(forms(html)) == 1
    pairing = first(tournament)
    address = reverse("staff_result", args=[link_token(link), pairing.match_id])
    assert f'href="{address}"' in html
    one = Client().get(address)
    assert one["Cache-Control"] == "private, no-store"
    assert len(forms(one.content.decode())) == 2
    assert send(link, match_of(pairing), json=False).status_code == 302
    assert "This match has a result" in Client().get(address).content.decode()


def test_the_page_keeps_itself_fresh_and_is_kept_by_nobody() -> None:
    tournament = running(4)
    link = referee(tournament)
    whole = page(link)
    assert whole["Cache-Control"] == "private, no-store"
    assert "ETag" not in whole
    topics = re.findall(r'data-live="([^"]+)"', whole.content.decode())
    assert topics == [f"calls/{tournament.event_id} tournament/{tournament.pk}"] * 2
    part = page(link, part="matches")
    again = {"If-None-Match": part["ETag"]}
    address = f"{reverse('staff_link', args=[link_token(link)])}?part=matches"
    assert Client().get(address, headers=again).status_code == 304
    report(first(tournament), (3, 0))
    fresh = Client().get(address, headers=again)
    assert (fresh.status_code, fresh["Cache-Control"]) == (200, "private, no-store")
    assert len(forms(fresh.content.decode())) == 1


def test_rows_and_forms_keep_their_ids_so_that_nothing_moves_under_a_finger() -> None:
    tournament = running(8)
    link = referee(tournament)
    before = re.findall(r'<li id="(open-\d+)"', page(link, part="matches").content.decode())
    report(pairings(tournament, 1)[1], (3, 0))
    after = re.findall(r'<li id="(open-\d+)"', page(link, part="matches").content.decode())
    assert after == [before[0], *before[2:]]


# --- a result


def test_match_score_confirm() -> None:
    tournament = running(4)
    link, pairing = referee(tournament), first(tournament)
    answer = send(link, match_of(pairing), json=False)
    assert (answer.status_code, answer["Location"]) == (302, reverse("staff_link", args=[link_token(link)]))
    assert stored(match_of(pairing)) == ("score", 3, 1, 1)
    submission = Submission.objects.get()
    assert (submission.by_role, submission.by_name, submission.by_link) == (Role.REFEREE, "Marta", link.pk)
    act = Act.objects.get(verb="enter_result")
    assert (act.who, act.link, act.target) == ("Marta", link.pk, f"match/{pairing.match_id}")
    html = page(link).content.decode()
    assert "<h1>1 open match</h1>" in html
    assert html.index("Open</h2>") < html.index("Entered by you</h2>")


@pytest.mark.parametrize(
    ("said", "kind", "sets"),
    [
        ({"result": "walkover_b"}, "walkover", (0, 3)),
        ({"result": "forfeit_a", "loser_sets": "2"}, "forfeit", (3, 2)),
        ({"result": "double_no_show"}, "double_no_show", (0, 0)),
    ],
)
def test_what_was_not_played_to_the_end(said: dict[str, Any], kind: str, sets: tuple[int, int]) -> None:
    tournament = running(4)
    pairing = first(tournament)
    assert send(referee(tournament), match_of(pairing), **said).status_code == 200
    assert stored(match_of(pairing)) == (kind, *sets, 1)


def test_a_device_is_answered_in_json() -> None:
    tournament = running(4)
    pairing = first(tournament)
    answer = send(referee(tournament), match_of(pairing))
    assert (answer.status_code, answer["Content-Type"]) == (200, "application/json")
    body = answer.json()  # type: ignore[attr-defined]
    at = body.pop("at")
    assert body == {"match": pairing.match_id, "number": 1, "kind": "score", "sets": [3, 1], "winner": "a"}
    assert at == Submission.objects.get().at.isoformat()


# --- RE-01: the later of two does not win


@pytest.mark.db
def test_re_01_the_second_of_two_referees_is_told_what_stands_and_changes_nothing() -> None:
    tournament = running(4)
    one, other = referee(tournament), referee(tournament, name="Olli")
    match = match_of(first(tournament))
    assert send(one, match, result="3-1").status_code == 200
    answer = send(other, match, result="2-3")
    assert (answer.status_code, answer["Content-Type"]) == (409, "application/problem+json")
    problem = answer.json()  # type: ignore[attr-defined]
    assert problem["code"] == "stale_version"
    assert "its result is now 3–1, entered by \u2068Marta\u2069" in problem["detail"]
    assert stored(match) == ("score", 3, 1, 1)
    assert (Submission.objects.count(), Act.objects.filter(verb="enter_result").count()) == (1, 1)
    assert StageChange.objects.filter(what="result").count() == 1


def test_re_01_on_the_page_what_was_entered_is_said_back() -> None:
    tournament = running(4)
    one, other = referee(tournament), referee(tournament, name="Olli")
    pairing = first(tournament)
    send(one, match_of(pairing), result="3-1")
    answer = send(other, match_of(pairing), result="2-3", json=False)
    html = answer.content.decode()
    assert answer.status_code == 409
    assert "its result is now 3–1, entered by \u2068Marta\u2069" in html
    assert f"You entered: \u2068{pairing.a}\u2069 – \u2068{pairing.b}\u2069, 2–3." in html


def test_re_01_a_result_without_a_version_or_key_is_no_result() -> None:
    tournament = running(4)
    link, match = referee(tournament), match_of(first(tournament))
    answers = [send(link, match, version=None), send(link, match, key=None), send(link, match, result=None)]
    assert [answer.status_code for answer in answers] == [400] * 3
    assert Submission.objects.count() == 0


def test_an_organisers_address_is_not_told_to_a_referee() -> None:
    tournament = running(4)
    pairing = first(tournament)
    report(pairing, (3, 0))
    answer = send(referee(tournament), match_of(pairing))
    assert "entered by \u2068an organiser\u2069" in answer.json()["detail"]  # type: ignore[attr-defined]


# --- RE-04: what cannot be


@pytest.mark.parametrize(
    ("result", "words"),
    [
        ("3-3", "Both cannot have 3 sets"),
        ("4-1", "a match ends with set 3 won"),
        ("2-1", "Nobody has won 3 sets yet"),
        ("2-0", "Nobody has won 3 sets yet"),
        ("-1-3", "Nobody wins fewer than no sets."),
        ("3-x", "A score is two whole numbers, for example 3–1."),
        ("1-1", "Nobody has won 3 sets yet"),
    ],
)
def test_re_04_an_impossible_score_is_refused_with_its_reason(result: str, words: str) -> None:
    tournament = running(4)
    link, match = referee(tournament), match_of(first(tournament))
    answer = send(link, match, result=result)
    assert answer.status_code == 400
    assert words in answer.json()["detail"]  # type: ignore[attr-defined]
    shown = send(link, match, result=result, json=False)
    assert (shown.status_code, stored(match)) == (400, ("", 0, 0, 0))
    html = shown.content.decode()
    assert words in html
    assert re.search(rf'<li id="open-{match}"><details class="open" name="open" open>', html)


@pytest.mark.parametrize("result", ["3-0", "3-1", "3-2", "0-3"])
def test_re_04_a_possible_score_is_taken(result: str) -> None:
    tournament = running(4)
    assert send(referee(tournament), match_of(first(tournament)), result=result).status_code == 200


def test_a_tie_is_a_key_where_ties_can_be() -> None:
    tournament = running(4, allows_tie=True)
    link, match = referee(tournament), match_of(first(tournament))
    assert "Time ran out, nobody won" in page(link).content.decode()
    assert send(link, match, result="1-1").status_code == 200


# --- RE-13 and RE-14: matches that are no more, or not now


@pytest.mark.db
def test_re_13_a_result_for_a_pairing_that_was_taken_back_lands_nowhere() -> None:
    tournament = running(8)
    link = referee(tournament, tables=(1, 2))
    old = match_of(first(tournament))
    rounds.take_back_round(stage_id=stage_of(tournament).pk, by=organiser(of=tournament), now=NOW)
    publish(tournament)
    answer = send(link, old)
    assert answer.status_code == 409
    assert answer.json()["code"] == "match_void"  # type: ignore[attr-defined]
    shown = send(link, old, json=False)
    assert shown.status_code == 409
    assert "its round was taken back" in shown.content.decode()
    assert f'data-place="{first(tournament).table}"' in shown.content.decode()
    assert Submission.objects.count() == 0


def test_re_14_a_finished_tournament_takes_no_result() -> None:
    tournament = running(2)
    play_open(tournament)
    pairing = pairings(tournament)[0]
    done = rounds.finish_tournament(tournament_id=tournament.pk, by=organiser(of=tournament), now=NOW)
    assert not isinstance(done, Refused)
    link = referee(tournament)
    answer = send(link, match_of(pairing), version=1, result="0-3")
    assert (answer.status_code, answer.json()["code"]) == (409, "already_decided")  # type: ignore[attr-defined]
    assert "<h1>No open match</h1>" in page(link).content.decode()


def test_re_14_a_match_that_is_only_a_draft_is_not_there() -> None:
    tournament = make_tournament()
    make_field(size=4, tournament=tournament)
    rounds.start_tournament(tournament_id=tournament.pk, by=organiser(of=tournament), now=NOW)
    assert "Nothing to enter" in page(referee(tournament)).content.decode()
    assert Match.objects.count() == 0


# --- OF-01: sent again, and again


@pytest.mark.db
def test_of_01_a_retry_gets_the_first_answer_and_makes_nothing_new() -> None:
    tournament = running(4)
    link, match, key = referee(tournament), match_of(first(tournament)), str(uuid4())
    answers = [send(link, match, key=key) for _again in range(6)]
    assert {answer.status_code for answer in answers} == {200}
    assert len({answer.content for answer in answers}) == 1
    assert (Submission.objects.count(), Match.objects.get(pk=match).version) == (1, 1)
    assert (Act.objects.filter(verb="enter_result").count(), StageChange.objects.filter(what="result").count()) == (
        1,
        1,
    )


def test_of_01_one_key_says_one_thing() -> None:
    tournament = running(4)
    link, match, key = referee(tournament), match_of(first(tournament)), str(uuid4())
    send(link, match, key=key, result="3-1")
    answer = send(link, match, key=key, result="3-2")
    assert (answer.status_code, answer.json()["code"]) == (409, "key_reused")  # type: ignore[attr-defined]


def test_of_01_the_same_form_posted_twice_without_script_is_one_result() -> None:
    tournament = running(4)
    link, match, key = referee(tournament), match_of(first(tournament)), str(uuid4())
    assert [send(link, match, key=key, json=False).status_code for _again in range(2)] == [302, 302]
    assert Submission.objects.count() == 1


def test_of_03_a_late_result_does_not_overwrite_a_ruling() -> None:
    tournament = running(4)
    link, pairing = referee(tournament), first(tournament)
    report(pairing, (0, 3))
    assert send(link, match_of(pairing), result="3-0", version=0).status_code == 409
    assert stored(match_of(pairing)) == ("score", 0, 3, 1)
