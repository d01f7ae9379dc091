"""Reports before a referee and at the desk: what differs first, either taken by one press, or another entered."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from matches.actions import SCORE
from matches.models import Match, Submission
from tests.tournaments.play import pairings
from tests.tournaments.views.desk import Page, desk_of, page_text, result, running, said, stranger, text_of
from tests.tournaments.views.referee import page, referee, send
from tests.tournaments.views.test_player_reports import first, press, reporting, stored, tell
from tournaments.models import Pairing, StaffLink, Tournament
from tournaments.permissions import link_token

pytestmark = pytest.mark.django_db

JSON = {"Accept": "application/json"}


def disputed() -> tuple[Tournament, Pairing]:
    """A tournament where the last of four matches is in dispute and the first is reported by one."""
    tournament = reporting(8)
    rows = pairings(tournament, 1)
    tell(rows[0], "a", "3-0")
    for seat, told in (("a", "3-1"), ("b", "1-3")):
        tell(rows[3], seat, told)
    return tournament, rows[3]


def by_seat(pairing: Pairing, seat: str) -> Submission:
    return Submission.objects.get(match=pairing.match_id, seat=seat)


def press_as(link: StaffLink, name: str, submission: int, *, json: bool = False) -> Page:
    address = reverse(name, args=[link_token(link), submission])
    return Client(enforce_csrf_checks=True).post(address, headers=JSON if json else {})


def order(html: str) -> list[int]:
    return [int(each) for each in re.findall(r'<li (?:class="open" )?id="(?:open|match)-(\d+)"', html)]


# --- the referee


def test_re_07_a_dispute_comes_first_with_both_reports_side_by_side() -> None:
    tournament, pairing = disputed()
    html = page(referee(tournament)).content.decode()
    rows = pairings(tournament, 1)
    assert order(html) == [pairing.match_id, *(each.match_id for each in rows[:3])]
    text = page_text(page(referee(tournament)))
    a, b = pairing.a.name, pairing.b.name if pairing.b else ""
    assert f"{a} – {b} Reports differ · Round 1 {a}: 3–1" in text
    assert f"{b}: 1–3" in text
    assert "Reported by one player · Round 1" in text


@pytest.mark.parametrize("json", [True, False])
def test_re_07_one_press_takes_either_and_twice_is_once(json: bool) -> None:
    tournament, pairing = disputed()
    link = referee(tournament)
    right = by_seat(pairing, "b")
    for _ in range(2):
        done = press_as(link, "staff_confirm", right.pk, json=json)
        assert done.status_code == (200 if json else 302)
    assert stored(pairing) == (SCORE, 1, 3, 1)
    lost = press_as(link, "staff_confirm", by_seat(pairing, "a").pk, json=True)
    assert (lost.status_code, lost.json()["code"]) == (409, "already_decided")


def test_re_07_a_referee_enters_another_result_than_either() -> None:
    tournament, pairing = disputed()
    assert send(referee(tournament), pairing.match_id or 0, result="3-2").status_code == 200
    assert stored(pairing) == (SCORE, 3, 2, 1)
    assert Submission.objects.filter(match=pairing.match_id).count() == 3


def test_a_referee_of_other_tables_or_another_event_touches_no_report() -> None:
    tournament, pairing = disputed()
    report = by_seat(pairing, "a")
    elsewhere = referee(tournament, tables=(1, 2), name="Olli")
    other_event = referee(running())
    for link in (elsewhere, other_event):
        for name in ("staff_confirm", "staff_take_back"):
            assert press_as(link, name, report.pk).status_code == 404
    assert press_as(referee(tournament), "staff_confirm", 987654).status_code == 404
    assert stored(pairing) == ("", 0, 0, 0)


def test_the_page_of_a_referee_is_newer_after_a_report() -> None:
    tournament = reporting()
    link = referee(tournament)
    part = page(link, part="matches")
    tell(first(tournament), "a")
    address = f"{reverse('staff_link', args=[link_token(link)])}?part=matches"
    assert Client().get(address, headers={"If-None-Match": part["ETag"]}).status_code == 200


# --- a second person


def test_what_a_referee_entered_waits_for_another_person() -> None:
    tournament = running(second_confirms=True)
    pairing = first(tournament)
    marta, olli = referee(tournament), referee(tournament, name="Olli")
    done: Any = send(marta, pairing.match_id or 0, json=False)
    (told,) = (text_of(each) for each in said(done))
    names = f"{pairing.a.name} – {pairing.b.name if pairing.b else ''}"
    assert told == f"Noted: {names}, 3–1. It counts once a second person confirms it."
    assert stored(pairing) == ("", 0, 0, 0)
    report = by_seat(pairing, "")
    assert "Marta: 3–1" in page_text(page(marta))
    assert "Take back" in page_text(page(marta))
    own = press_as(marta, "staff_confirm", report.pk, json=True)
    assert (own.status_code, own.json()["code"]) == (409, "same_person")
    assert "Confirm 3–1" in page_text(page(olli))
    assert press_as(olli, "staff_take_back", report.pk, json=True).json()["code"] == "not_your_report"
    press_as(olli, "staff_confirm", report.pk)
    assert stored(pairing) == (SCORE, 3, 1, 1)


def test_a_referee_takes_their_own_entry_back() -> None:
    tournament = running(second_confirms=True)
    pairing = first(tournament)
    link = referee(tournament)
    send(link, pairing.match_id or 0)
    for _ in range(2):
        done = press_as(link, "staff_take_back", by_seat(pairing, "").pk)
        names = f"{pairing.a.name} – {pairing.b.name if pairing.b else ''}"
        assert [text_of(each) for each in said(done)] == [f"Taken back: your report of {names}."]
    assert Submission.objects.filter(is_waiting=True).count() == 0


# --- the desk


def test_re_07_the_desk_sees_a_dispute_first_and_takes_either() -> None:
    tournament, pairing = disputed()
    client = desk_of(tournament)
    address = reverse("results", args=[tournament.pk])
    rows = pairings(tournament, 1)
    shown = client.get(address)
    assert order(shown.content.decode()) == [pairing.match_id, *(each.match_id for each in rows[:3])]
    assert "3 other open matches" in page_text(shown)
    assert "1 report needs your word" in page_text(client.get(reverse("tournament_desk", args=[tournament.pk])))
    done = client.post(reverse("report_confirm", args=[tournament.pk, by_seat(pairing, "a").pk]))
    assert (done.status_code, said(done)) == (302, ["The result is in."])
    assert stored(pairing) == (SCORE, 3, 1, 1)
    late = client.post(reverse("report_confirm", args=[tournament.pk, by_seat(pairing, "b").pk]))
    assert late.status_code == 409
    assert "This match has a result already: 3–1" in said(late)[-1]


def test_the_match_page_keeps_everything_that_was_said() -> None:
    tournament, pairing = disputed()
    client = desk_of(tournament)
    address = reverse("match_result", args=[tournament.pk, pairing.match_id])
    client.post(address, result(pairing, "3-2"))
    text = page_text(client.get(address))
    a, b = pairing.a.name, pairing.b.name if pairing.b else ""
    history = text[text.index("Said so far") :]
    assert [history.index(each) for each in (": 3–2", f"{b}: 1–3", f"{a}: 3–1")] == sorted(
        history.index(each) for each in (": 3–2", f"{b}: 1–3", f"{a}: 3–1")
    )
    assert (history.count("Counts"), history.count("Does not count")) == (1, 2)


def test_an_organiser_alone_says_why_or_waits() -> None:
    tournament = running(second_confirms=True)
    one, other = pairings(tournament, 1)
    client = desk_of(tournament)
    addresses = {each.pk: reverse("match_result", args=[tournament.pk, each.match_id]) for each in (one, other)}
    assert "Why it counts without a second person" in page_text(client.get(addresses[one.pk]))
    waits = client.post(addresses[one.pk], result(one, "3-1"))
    assert said(waits) == ["Noted. It counts once a second person confirms it."]
    counts = client.post(addresses[other.pk], result(other, "3-1", why="Nobody else is here"))
    assert said(counts)[-1] == "The result is in."
    assert (stored(one), stored(other)) == (("", 0, 0, 0), (SCORE, 3, 1, 1))
    silent = client.post(addresses[other.pk], result(other, "3-2"))
    assert silent.status_code == 400
    assert 'value="3-2" checked' in silent.content.decode()
    own = by_seat(one, "")
    assert client.post(reverse("report_confirm", args=[tournament.pk, own.pk])).status_code == 409
    taken_back = client.post(reverse("report_take_back", args=[tournament.pk, own.pk]))
    assert said(taken_back)[-1] == "The report is taken back."
    assert not Submission.objects.filter(is_waiting=True).exists()


def test_sp_01_nobody_else_touches_a_report() -> None:
    tournament, pairing = disputed()
    report = by_seat(pairing, "a")
    elsewhere = running()
    for name in ("report_confirm", "report_take_back"):
        assert stranger().post(reverse(name, args=[tournament.pk, report.pk])).status_code == 404
        assert desk_of(elsewhere).post(reverse(name, args=[elsewhere.pk, report.pk])).status_code == 404
        assert desk_of(tournament).post(reverse(name, args=[tournament.pk, 987654])).status_code == 404
    assert Match.objects.get(pk=pairing.match_id or 0).is_open


def test_a_player_agreeing_reaches_the_page_of_the_desk() -> None:
    tournament = reporting()
    pairing = first(tournament)
    tell(pairing, "a")
    address = reverse("results", args=[tournament.pk])
    client = desk_of(tournament)
    assert "Reported by one player" in page_text(client.get(address))
    press("own_agree", pairing, "b", by_seat(pairing, "a"))
    assert "Reported by one player" not in page_text(client.get(address))
