"""A referee's word on who is at a table: that they play, that somebody did not come, and both taken back."""

from __future__ import annotations

import re
from datetime import timedelta
from html import unescape
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from matches.models import Submission
from players.permissions import Role
from tests.tournaments.views.referee import JSON, first, link_for, match_of, page, referee, running, stored, undo
from tournaments.models import Pairing, StaffLink, Tournament
from tournaments.permissions import link_token

pytestmark = pytest.mark.django_db


def waiting_for_one(size: int = 4) -> tuple[Tournament, Pairing, StaffLink]:
    """A table where side a has sat for twenty minutes, and ten were the limit."""
    tournament = running(size, no_show_minutes=10)
    pairing = first(tournament)
    long_ago = timezone.now() - timedelta(minutes=20)
    Pairing.objects.filter(pk=pairing.pk).update(due_at=long_ago, here_a_at=long_ago)
    return tournament, pairing, referee(tournament)


def press(act: str, link: StaffLink, match: int, *, json: bool = False, **fields: Any) -> Any:
    address = reverse(act, args=[link_token(link), match])
    return Client(enforce_csrf_checks=True).post(address, fields, headers=JSON if json else {})


def text(answer: HttpResponse) -> str:
    return re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]+>", " ", answer.content.decode())))


def test_ff_05_the_referee_is_asked_and_confirms_with_one_press_and_undoes_it_with_another() -> None:
    _tournament, pairing, link = waiting_for_one()
    match = match_of(pairing)
    assert pairing.b is not None
    shown = text(page(link))
    assert shown.index("Late or missing") < shown.index(f"{pairing.b.name} has not come. {pairing.a.name} is at")
    assert f"Walkover for {pairing.a.name}" in shown
    assert stored(match) == ("", 0, 0, 0)
    for _twice in range(2):
        assert press("staff_no_show", link, match, version=0).status_code == 302
    assert stored(match)[0] == "walkover"
    assert Submission.objects.get().by_name == "Marta"
    assert "has not come" not in text(page(link))
    assert undo(link, match, version=1).status_code == 200
    assert stored(match)[0] == ""


def test_a_referees_word_that_they_play_ends_the_question() -> None:
    _tournament, pairing, link = waiting_for_one()
    match = match_of(pairing)
    assert press("staff_begun", link, match, begun="1").status_code == 302
    shown = text(page(link))
    assert "They play since" in shown
    assert "has not come" not in shown
    answer = press("staff_no_show", link, match, version=0)
    assert answer.status_code == 409
    assert "Nobody is missing there any more" in text(answer)
    told = press("staff_begun", link, match, json=True, begun="")
    assert told.json() == {"match": match, "begun": False}
    assert "has not come" in text(page(link))


def test_a_device_is_answered_in_json() -> None:
    _tournament, pairing, link = waiting_for_one()
    match = match_of(pairing)
    assert press("staff_begun", link, match, json=True, begun="1").json() == {"match": match, "begun": True}
    refused = press("staff_no_show", link, match, json=True, version=0)
    assert (refused.status_code, refused.json()["code"]) == (409, "no_show_gone")
    press("staff_begun", link, match, json=True, begun="")
    assert press("staff_no_show", link, match, json=True, version=0).json()["kind"] == "walkover"


def test_the_page_is_another_one_from_the_moment_there_is_something_to_ask() -> None:
    _tournament, pairing, link = waiting_for_one()
    Pairing.objects.filter(pk=pairing.pk).update(due_at=timezone.now())
    tag = page(link, part="matches")["ETag"]
    assert page(link, part="matches")["ETag"] == tag
    Pairing.objects.filter(pk=pairing.pk).update(due_at=timezone.now() - timedelta(minutes=20))
    assert page(link, part="matches")["ETag"] != tag


def test_where_nobody_is_waited_for_nothing_of_it_is_shown() -> None:
    tournament = running()
    shown = page(referee(tournament)).content.decode()
    assert "presence-" not in shown
    assert "They play" not in shown


def test_sp_01_other_tables_tournaments_and_roles_are_out_of_reach() -> None:
    tournament, pairing, _link = waiting_for_one()
    match = match_of(pairing)
    assert pairing.table is not None
    bound = referee(tournament, tables=(pairing.table + 1,))
    foreign = referee(running())
    desk = link_for(tournament.event, tournament=tournament, role=Role.DESK)
    for link in (bound, foreign, desk):
        assert press("staff_begun", link, match, begun="1").status_code == 404
        assert press("staff_no_show", link, match, version=0).status_code == 404
    assert stored(match) == ("", 0, 0, 0)


def test_a_press_that_says_nothing_or_of_a_match_that_is_over_changes_nothing() -> None:
    _tournament, pairing, link = waiting_for_one()
    match = match_of(pairing)
    assert press("staff_no_show", link, match).status_code == 409
    assert press("staff_no_show", link, match, version="x").status_code == 409
    assert press("staff_no_show", link, match, version=5).status_code == 409
    press("staff_no_show", link, match, version=0)
    answer = press("staff_begun", link, match, begun="1")
    assert answer.status_code == 409
    assert stored(match)[0] == "walkover"
