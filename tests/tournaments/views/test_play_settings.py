"""How matches are played: what an organiser chooses for a tournament, and what a page says of it."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from django.urls import reverse

from matches.models import OnTimeout, Way
from players.models import Act
from players.permissions import Refused
from tests.factories import NOW, make_tournament, organiser
from tests.tournaments.views.desk import desk_of, page_text, said, stranger
from tournaments.actions import events
from tournaments.actions.games import PlayFacts, edit_play
from tournaments.models import Tournament
from tournaments.models.tournament import DecksOpen

pytestmark = pytest.mark.django_db

WHOLE = {
    "way": "here",
    "turn_seconds": "45",
    "match_minutes": "10",
    "on_timeout": "lose_set",
    "decks_due_at": "2027-05-22T12:30",
    "decks_open": "event",
}


def send(tournament: Tournament, **said: Any) -> Any:
    """The form as the organiser sends it."""
    return desk_of(tournament).post(reverse("play_settings", args=[tournament.pk]), WHOLE | said)


def stored(tournament: Tournament) -> dict[str, Any]:
    names = ("way", "turn_seconds", "match_seconds", "on_timeout", "decks_due_at", "decks_open", "lends_decks")
    found: dict[str, Any] = Tournament.objects.values(*names).get(pk=tournament.pk)
    return found


def test_the_settings_lead_there_and_say_how_it_stands() -> None:
    tournament = make_tournament()
    page = desk_of(tournament).get(reverse("tournament_settings", args=[tournament.pk]))
    assert f'href="{reverse("play_settings", args=[tournament.pk])}"' in page.content.decode()
    assert "How matches are played On paper." in page_text(page)


def test_all_of_it_is_saved() -> None:
    tournament = make_tournament()
    answer = send(tournament)
    assert (answer.status_code, said(answer)) == (302, ["Saved."])
    assert stored(tournament) == {
        "way": Way.HERE,
        "turn_seconds": 45,
        "match_seconds": 600,
        "on_timeout": OnTimeout.LOSE_SET,
        "decks_due_at": datetime(2027, 5, 22, 9, 30, tzinfo=UTC),  # Riga is three hours ahead
        "decks_open": DecksOpen.EVENT,
        "lends_decks": False,
    }
    html = desk_of(tournament).get(reverse("play_settings", args=[tournament.pk])).content.decode()
    assert 'name="way" value="here" checked' in html
    assert 'value="2027-05-22T12:30"' in html


def test_what_is_left_empty_is_no_limit() -> None:
    tournament = make_tournament()
    send(tournament, turn_seconds="", match_minutes="", decks_due_at="", lends_decks="on")
    found = stored(tournament)
    assert (found["turn_seconds"], found["match_seconds"], found["decks_due_at"]) == (None, None, None)
    assert found["lends_decks"] is True


def test_minutes_nobody_touched_keep_their_seconds() -> None:
    tournament = make_tournament()
    edit_play(tournament_id=tournament.pk, facts=PlayFacts(match_seconds=90), by=organiser(of=tournament), now=NOW)
    send(tournament, match_minutes="2")
    assert stored(tournament)["match_seconds"] == 90
    send(tournament, match_minutes="3")
    assert stored(tournament)["match_seconds"] == 180


@pytest.mark.parametrize(
    "wrong",
    [
        {"way": "telepathy"},
        {"way": ""},
        {"turn_seconds": "4"},
        {"turn_seconds": "soon"},
        {"match_minutes": "241"},
        {"on_timeout": "shout"},
        {"decks_due_at": "12027-05-22T12:30"},
        {"decks_due_at": "tomorrow"},
        {"decks_open": ""},
    ],
)
def test_what_cannot_be_is_said_and_the_rest_stays_typed(wrong: dict[str, str]) -> None:
    tournament = make_tournament()
    before = stored(tournament)
    answer = send(tournament, **{"turn_seconds": "77"} | wrong)
    assert answer.status_code == 400
    html = answer.content.decode()
    assert 'class="errorlist"' in html
    assert ('value="77"' in html) is ("turn_seconds" not in wrong)
    assert stored(tournament) == before
    assert not Act.objects.filter(verb="edit_play").exists()


def test_rules_that_take_cards_from_outside_are_not_played_here_and_the_page_says_why() -> None:
    tournament = make_tournament(ruleset="table/1")
    page = desk_of(tournament).get(reverse("play_settings", args=[tournament.pk]))
    assert "every card comes from outside, so nothing can be dealt here" in page_text(page)
    assert 'value="here"' not in page.content.decode()
    assert send(tournament).status_code == 400
    before = stored(tournament)
    assert send(tournament, way="console").status_code == 302
    assert stored(tournament) == before | {"way": Way.CONSOLE}


def test_a_tournament_that_is_played_here_does_not_take_such_rules() -> None:
    tournament = make_tournament()
    send(tournament)
    outcome = events.edit_tournament(
        tournament_id=tournament.pk,
        facts=events.TournamentFacts(name="Main", ruleset="table/1"),
        by=organiser(of=tournament),
        now=NOW,
    )
    assert outcome == Refused("draws_from_outside", status=400)


def test_it_is_the_organisers_alone() -> None:
    tournament = make_tournament()
    address = reverse("play_settings", args=[tournament.pk])
    assert stranger().get(address).status_code == 404
    assert stranger().post(address, WHOLE).status_code == 404
    assert stored(tournament)["way"] == Way.PAPER
