"""What a referee may take back, and what a link does not open."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from matches.models import Match, Submission
from players.models import Act
from players.permissions import Role
from tests.factories import NOW, make_entry, make_field, make_tournament, organiser
from tests.tournaments.play import count_up, draft, pairings, play_open, publish, stage_of, start
from tests.tournaments.views.referee import first, match_of, page, referee, running, send, stored, undo
from tournaments.actions import rounds, staff
from tournaments.actions.results import correct_result
from tournaments.models import Pairing, StaffLink, Tournament
from tournaments.permissions import link_token

pytestmark = pytest.mark.django_db

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


@pytest.mark.db
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


def test_a_link_for_a_screen_leads_to_the_hall_and_to_no_match() -> None:
    tournament = running(4)
    link = referee(tournament, role=Role.SCREEN)
    assert page(link).headers["Location"] == reverse("hall", args=[tournament.pk])
    assert send(link, match_of(first(tournament))).status_code == 404


def test_results_are_posted_and_never_asked_for() -> None:
    tournament = running(4)
    link, match = referee(tournament), match_of(first(tournament))
    address = reverse("staff_result", args=[link_token(link), match])
    Client().get(address, {"result": "3-1", "key": str(uuid4()), "version": "0"})
    assert Client().get(reverse("staff_undo", args=[link_token(link), match])).status_code == 405
    assert Submission.objects.count() == 0
