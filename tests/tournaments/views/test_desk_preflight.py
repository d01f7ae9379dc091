"""Looking before the start: what would go wrong is named, nothing changes, and the draw can be tried out."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
from django.urls import reverse
from django.utils import timezone

from players.models import Act
from players.permissions import Role
from tests.factories import NOW, make_entry, make_event, make_field, make_tournament, organiser
from tests.tournaments.play import meetings, stage_of, start
from tests.tournaments.views.desk import Page, desk_of, heading, page_text, said, text_of
from tournaments.actions import roster, staff
from tournaments.models import Entry, Round, StageChange, Tournament

pytestmark = pytest.mark.django_db


def check(tournament: Tournament) -> Page:
    return desk_of(tournament).get(reverse("preflight", args=[tournament.pk]))


def try_draw(tournament: Tournament) -> Page:
    return desk_of(tournament).post(reverse("trial_draw", args=[tournament.pk]))


def found(page: Page, section: str) -> dict[str, list[str]]:
    """What a section lists, by title, with the people named there."""
    markup = page.content.decode()
    part = re.search(rf'<section class="sec" id="{section}">(.*?)</section>', markup, re.DOTALL)
    rows = re.findall(r'<li><div><b>(.*?)</b>(.*?)<a class="btn link"', part[1], re.DOTALL) if part else []
    people = re.compile(r"<li>(.*?)</li>", re.DOTALL)
    return {text_of(title): [text_of(each) for each in people.findall(rest)] for title, rest in rows}


def referee_for(tournament: Tournament) -> None:
    staff.create_link(
        event_id=tournament.event_id,
        tournament_id=None,
        role=Role.REFEREE,
        name="Marta",
        expires_at=timezone.now() + timedelta(days=1),
        by=organiser(of=tournament),
        now=NOW,
    )


def field(**facts: Any) -> Tournament:
    """Eight who are here, each with a club and a rating, and a referee with a link."""
    tournament = make_tournament(event=make_event(), **{"seeding": "rating", **facts})
    make_field(size=8, tournament=tournament)
    tournament.entries.update(club="Riga")
    referee_for(tournament)
    return tournament


def kept(tournament: Tournament) -> tuple[object, ...]:
    """Whatever a look could have changed."""
    entries = list(tournament.entries.order_by("pk").values_list("pk", "seed", "status", "checked_in_at"))
    state = Tournament.objects.get(pk=tournament.pk).state
    return state, entries, Act.objects.count(), Round.objects.count(), StageChange.objects.count()


def test_rc_11_where_nothing_is_wrong_the_start_is_one_press() -> None:
    tournament = field()
    page = check(tournament)
    assert heading(page) == "Nothing is in the way"
    assert (found(page, "stopping"), found(page, "knowing")) == ({}, {})
    assert "Start the tournament" in page_text(page)


def test_rc_11_everything_wrong_is_on_one_page_and_looking_changes_nothing() -> None:
    tournament = field(seeding="hand")
    entries = list(tournament.entries.order_by("pk"))
    order = [entry.pk for entry in entries]
    roster.set_hand_seeds(tournament_id=tournament.pk, order=order, by=organiser(of=tournament), now=NOW)
    make_entry(tournament=tournament, name="player 01", club="Riga", here=True, name_again=True)
    make_entry(tournament=tournament, name="Absent", club="Riga")
    tournament.entries.filter(pk=order[1]).update(hand_seed=1)
    tournament.entries.filter(pk__in=order[2:5]).update(club="")
    tournament.entries.filter(pk=order[7]).update(status="withdrawn")
    before = kept(tournament)
    for _ in range(2):
        page = check(tournament)
        assert heading(page) == "6 things to know before the start"
        assert found(page, "stopping") == {}
        assert found(page, "knowing") == {
            "1 player is not here yet.": ["Absent"],
            "The same name more than once": ["Player 01 (#1)", "player 01 (#2)"],
            "No club": ["Player 03", "Player 04", "Player 05"],
            "The same seed more than once": ["Player 01 (#1)", "Player 02"],
            "No seed": ["player 01 (#2)"],
            "Checked in, but off the roster": ["Player 08"],
        }
    assert kept(tournament) == before


def test_rc_11_only_what_stops_the_start_is_said_to_be_in_the_way() -> None:
    tournament = make_tournament()
    make_entry(tournament=tournament, name="First")
    make_entry(tournament=tournament, name="Second")
    page = check(tournament)
    assert heading(page) == "1 thing is in the way"
    assert found(page, "stopping") == {"At least 2 players must be here, and 0 are.": []}
    assert found(page, "knowing") == {
        "2 players are not here yet.": ["First", "Second"],
        "No referee has a link": [],
    }
    assert "Start the tournament" not in page_text(page)
    roster.check_in_all(tournament_id=tournament.pk, by=organiser(of=tournament), now=NOW)
    client = desk_of(tournament)
    assert client.post(reverse("start", args=[tournament.pk]), {"leaving_out": ""}).status_code == 302
    assert Tournament.objects.get(pk=tournament.pk).state == "running"


def test_rc_11_rounds_byes_and_who_waits_are_told() -> None:
    tournament = field(options={"rounds": 2}, capacity=9, registration=True)
    make_entry(tournament=tournament, name="Ninth", club="Riga", here=True)
    tournament.entries.filter(name="Player 03").update(asked=[[1, "half"]])
    tournament.entries.filter(name="Player 05").update(rating=None)
    Entry.objects.filter(name="Player 06").update(status="waiting", waiting_since=NOW, checked_in_at=None)
    page = check(tournament)
    assert found(page, "knowing") == {
        "No rating": ["Player 05", "Ninth"],
        "1 player waits for a place.": ["Player 06"],
        "Registration is open": [],
        "1 player has asked not to play round 1.": ["Player 03"],
        "7 players would be paired, an odd number.": [],
        "2 rounds may leave several players unbeaten; 3 leave one.": [],
    }


def test_rc_11_where_two_must_agree_one_alone_is_told_so() -> None:
    tournament = make_tournament(second_confirms=True, seeding="rating")
    make_field(size=4, tournament=tournament)
    assert found(check(tournament), "knowing") == {"Nobody is there to confirm a result": []}
    referee_for(tournament)
    assert found(check(tournament), "knowing") == {}


def test_rc_11_a_draw_is_tried_out_thrown_away_and_the_same_at_the_start() -> None:
    tournament = field(seeding="random")
    before = kept(tournament)
    page = try_draw(tournament)
    assert page.status_code == 200
    assert kept(tournament) == before
    rows = re.findall(r'<tr><td class="rank">\d+</td>(.*?)</tr>', page.content.decode(), re.DOTALL)
    shown = [tuple(re.findall(r"Player \d\d", text_of(row))) for row in rows]
    start(tournament)
    assert meetings(tournament, 1) == shown
    assert len(shown) == 4


def test_rc_11_what_cannot_start_cannot_be_drawn_either() -> None:
    tournament = make_tournament()
    page = try_draw(tournament)
    assert (page.status_code, said(page)) == (409, ["At least 2 players must be checked in, and 0 are."])
    running = field()
    start(running)
    assert check(running).headers["Location"] == reverse("tournament_desk", args=[running.pk])
    assert try_draw(running).status_code == 302
    assert stage_of(running).rounds.count() == 1
