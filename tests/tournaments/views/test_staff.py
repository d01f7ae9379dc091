"""The referee's page: three taps to a result, nothing twice, nothing of other tables, and a way back from a mis-tap."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from matches.models import Match, Submission
from players.models import Act
from players.permissions import Refused, Role
from tests.factories import NOW, make_entry, make_event, make_field, make_tournament, organiser
from tests.tournaments.play import count_up, draft, pairings, play_open, publish, report, stage_of, start
from tournaments.actions import rounds, staff
from tournaments.actions.results import correct_result
from tournaments.models import Event, Pairing, StaffLink, StageChange, Tournament
from tournaments.permissions import link_token

pytestmark = pytest.mark.django_db

JSON = {"Accept": "application/json"}


def running(size: int = 4, **facts: Any) -> Tournament:
    tournament = make_tournament(seeding="rating", **facts)
    make_field(size=size, tournament=tournament)
    start(tournament)
    return tournament


def link_for(
    event: Event,
    *,
    tournament: Tournament | None = None,
    role: Role = Role.REFEREE,
    tables: tuple[int, ...] = (),
    name: str = "Marta",
    hours: int = 8,
) -> StaffLink:
    return staff.create_link(
        event_id=event.pk,
        tournament_id=None if tournament is None else tournament.pk,
        role=role,
        name=name,
        tables=tables,
        expires_at=timezone.now() + timedelta(hours=hours),
        by=organiser(of=event),
        now=NOW,
    )


def referee(tournament: Tournament, **facts: Any) -> StaffLink:
    return link_for(tournament.event, tournament=tournament, **facts)


def page(link: StaffLink, **query: str) -> HttpResponse:
    answer = Client().get(reverse("staff_link", args=[link_token(link)]), query)
    assert isinstance(answer, HttpResponse)
    return answer


def send(
    link: StaffLink, match: int, *, client: Client | None = None, json: bool = True, **fields: Any
) -> HttpResponse:
    said = {"result": "3-1", "key": str(uuid4()), "version": 0} | fields
    answer = (client or Client(enforce_csrf_checks=True)).post(
        reverse("staff_result", args=[link_token(link), match]),
        {name: value for name, value in said.items() if value is not None},
        headers=JSON if json else {},
    )
    assert isinstance(answer, HttpResponse)
    return answer


def undo(link: StaffLink, match: int, *, version: int, json: bool = True) -> HttpResponse:
    address = reverse("staff_undo", args=[link_token(link), match])
    answer = Client(enforce_csrf_checks=True).post(address, {"version": version}, headers=JSON if json else {})
    assert isinstance(answer, HttpResponse)
    return answer


def first(tournament: Tournament) -> Pairing:
    return next(pairing for pairing in pairings(tournament) if pairing.match is not None and pairing.match.is_open)


def match_of(pairing: Pairing) -> int:
    assert pairing.match_id is not None
    return pairing.match_id


def stored(match: int) -> tuple[str, int, int, int]:
    found = Match.objects.get(pk=match)
    return (found.kind, found.sets_a, found.sets_b, found.version)


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
    assert "Round 1 · Morning" in html
    assert "Round 1 · Evening" in html


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
    assert topics == [f"tournament/{tournament.pk}"] * 2
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


# --- undo


def entered_by_referee(size: int = 4, **facts: Any) -> tuple[Tournament, StaffLink, Pairing]:
    tournament = running(size, **facts)
    link, pairing = referee(tournament), first(tournament)
    send(link, match_of(pairing))
    return tournament, link, pairing


def test_a_mis_tap_is_undone_and_the_match_is_open_again() -> None:
    _tournament, link, pairing = entered_by_referee()
    html = page(link).content.decode()
    assert f"matches/{pairing.match_id}/undo/" in html
    answer = undo(link, match_of(pairing), version=1, json=False)
    assert answer.status_code == 302
    assert stored(match_of(pairing)) == ("", 0, 0, 2)
    html = page(link).content.decode()
    assert "<h1>2 open matches</h1>" in html
    assert "Entered by you" not in html
    assert send(link, match_of(pairing), version=2, result="1-3").status_code == 200


def test_undoing_twice_undoes_once() -> None:
    _tournament, link, pairing = entered_by_referee()
    assert undo(link, match_of(pairing), version=1).status_code == 200
    answer = undo(link, match_of(pairing), version=1)
    assert (answer.status_code, answer.json()["code"]) == (409, "stale_version")  # type: ignore[attr-defined]
    assert Act.objects.filter(verb="clear_result").count() == 1


def test_what_somebody_else_entered_is_not_ones_own_to_undo() -> None:
    tournament, link, pairing = entered_by_referee()
    other = referee(tournament, name="Olli")
    assert "Entered by you" not in page(other).content.decode()
    assert undo(other, match_of(pairing), version=1).status_code == 404
    correct_result(
        match_id=match_of(pairing),
        report=_report("1-3"),
        by=organiser(of=tournament),
        key="a ruling",
        expected_version=1,
        now=NOW,
    )
    assert undo(link, match_of(pairing), version=1).status_code == 409
    assert undo(link, match_of(pairing), version=2).status_code == 404
    assert stored(match_of(pairing)) == ("score", 1, 3, 2)


def _report(score: str) -> Any:
    from matches.actions import SCORE, Report

    first_, second = score.split("-")
    return Report(SCORE, (int(first_), int(second)))


def test_a_result_a_round_was_paired_from_stays() -> None:
    tournament, link, pairing = entered_by_referee()
    play_open(tournament)
    draft(tournament)
    assert f"matches/{pairing.match_id}/undo/" in page(link).content.decode()
    publish(tournament)
    html = page(link).content.decode()
    assert "Entered by you" in html
    assert f"matches/{pairing.match_id}/undo/" not in html
    answer = undo(link, match_of(pairing), version=1)
    assert answer.status_code == 409
    assert stored(match_of(pairing)) == ("score", 3, 1, 1)


def test_in_a_cup_a_result_is_undone_until_the_next_match_has_one() -> None:
    tournament = running(4, format="single_elimination")
    link = referee(tournament)
    for pairing in pairings(tournament, 1):
        send(link, match_of(pairing))
    count_up(tournament)
    semi, final = pairings(tournament, 1)[0], pairings(tournament, 2)[0]
    assert undo(link, match_of(semi), version=1).status_code == 200
    assert Match.objects.get(pk=match_of(final)).is_void
    send(link, match_of(semi), version=2)
    count_up(tournament)
    final = pairings(tournament, 2)[0]
    send(link, match_of(final))
    answer = undo(link, match_of(semi), version=3)
    assert (answer.status_code, answer.json()["code"]) == (409, "later_result")  # type: ignore[attr-defined]
    assert stored(match_of(semi)) == ("score", 3, 1, 3)


# --- SP-01 and SP-02: what a link does not open


def everything(link: StaffLink, match: int, entry: int, tournament: int, *, token: str = "") -> dict[str, int]:
    """The status of every address behind a link, asked with what it would need."""
    said = {"result": "3-1", "key": str(uuid4()), "version": 0, "name": "Somebody"}
    token = token or link_token(link)
    client = Client()
    return {
        "link": client.get(reverse("staff_link", args=[token])).status_code,
        "part": client.get(reverse("staff_link", args=[token]), {"part": "matches"}).status_code,
        "match": client.get(reverse("staff_result", args=[token, match])).status_code,
        "result": client.post(reverse("staff_result", args=[token, match]), said).status_code,
        "undo": client.post(reverse("staff_undo", args=[token, match]), said).status_code,
        "roster": client.get(reverse("staff_roster", args=[token, tournament])).status_code,
        "check_in": client.post(reverse("staff_check_in", args=[token, entry])).status_code,
        "undo_check_in": client.post(reverse("staff_undo_check_in", args=[token, entry])).status_code,
        "walk_in": client.post(reverse("staff_walk_in", args=[token]) + f"?tournament={tournament}", said).status_code,
    }


CLOSED = {"revoked", "expired", "renewed", "another's number", "no number", "cut short"}


@pytest.mark.parametrize("role", [Role.REFEREE, Role.DESK])
@pytest.mark.parametrize("how", sorted(CLOSED))
def test_sp_02_a_link_that_is_closed_or_forged_opens_nothing(role: Role, how: str) -> None:
    tournament = running(4)
    other = make_tournament(event=tournament.event)
    entry = make_entry(tournament=other, name="Juhani")
    link = referee(tournament, role=role)
    token = link_token(link)
    by = organiser(of=tournament)
    if how == "revoked":
        staff.revoke_link(link_id=link.pk, by=by, now=NOW)
    elif how == "expired":
        StaffLink.objects.filter(pk=link.pk).update(expires_at=timezone.now())
    elif how == "renewed":
        staff.renew_link(link_id=link.pk, expires_at=timezone.now() + timedelta(hours=1), by=by, now=NOW)
    elif how == "another's number":
        second = referee(tournament, role=role)
        token = f"{second.pk}-{token.partition('-')[2]}"
    elif how == "no number":
        token = f"x-{token.partition('-')[2]}"
    else:
        token = token[:-1]
    before = _written()
    found = everything(link, match_of(first(tournament)), entry.pk, other.pk, token=token)
    assert set(found.values()) == {404}
    assert _written() == before


def _written() -> tuple[int, int]:
    return (Act.objects.count(), Submission.objects.count())


def test_sp_01_a_referee_opens_nothing_elsewhere_and_no_roster() -> None:
    tournament, elsewhere = running(4), running(4)
    beside = make_tournament(event=tournament.event)
    make_field(size=2, tournament=beside)
    start(beside)
    open_roster = make_tournament(event=tournament.event)
    entry = make_entry(tournament=open_roster, name="Juhani")
    link = referee(tournament)
    before = _written()
    for foreign in (elsewhere, beside):
        found = everything(link, match_of(first(foreign)), entry.pk, open_roster.pk)
        assert {name: status for name, status in found.items() if status != 404} == {"link": 200, "part": 200}
    assert _written() == before


def test_sp_01_a_referee_of_some_tables_enters_nothing_at_others() -> None:
    tournament = running(8)
    link = referee(tournament, tables=(2,))
    there, other = pairings(tournament, 1)[1], pairings(tournament, 1)[0]
    assert (there.table, other.table) == (2, 1)
    assert send(link, match_of(other)).status_code == 404
    assert send(link, match_of(there)).status_code == 200
    assert Submission.objects.get().match_id == there.match_id


def test_sp_01_a_match_of_another_event_that_was_taken_back_is_not_there_either() -> None:
    tournament, elsewhere = running(4), running(4)
    old = match_of(first(elsewhere))
    rounds.take_back_round(stage_id=stage_of(elsewhere).pk, by=organiser(of=elsewhere), now=NOW)
    assert send(referee(tournament), old).status_code == 404


def test_a_link_for_a_screen_opens_no_page() -> None:
    tournament = running(4)
    assert page(referee(tournament, role=Role.SCREEN)).status_code == 404


def test_results_are_posted_and_never_asked_for() -> None:
    tournament = running(4)
    link, match = referee(tournament), match_of(first(tournament))
    address = reverse("staff_result", args=[link_token(link), match])
    Client().get(address, {"result": "3-1", "key": str(uuid4()), "version": "0"})
    assert Client().get(reverse("staff_undo", args=[link_token(link), match])).status_code == 405
    assert Submission.objects.count() == 0
