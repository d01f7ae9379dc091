"""A player builds their side deck: card by card, saved at once, sealed in time, seen by nobody else."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from matches.engine import CLUB_DECK
from matches.models import SideDeck
from tests.tournaments.actions.game_acts import played_here
from tests.tournaments.play import pairings
from tournaments.models import Entry, Tournament
from tournaments.permissions import entry_token
from tournaments.queries.games import side_deck_of

pytestmark = pytest.mark.django_db


def somebody(**facts: Any) -> Entry:
    """Whoever sits in seat a of a tournament whose matches are played here."""
    tournament = played_here()
    Tournament.objects.update(**facts)
    return Entry.objects.select_related("tournament").get(pk=pairings(tournament)[0].a_id)


def press(entry: Entry, what: str = "change", **said: str) -> Any:
    return Client().post(f"/p/{entry_token(entry)}/deck/{what}/", said)


def page(entry: Entry) -> str:
    return re.sub(r"\s+", " ", Client().get(f"/p/{entry_token(entry)}/deck/").content.decode())


def test_each_press_is_saved() -> None:
    entry = somebody()
    for card in ("*6", "+1", "+1", "-2"):
        assert press(entry, add=card).status_code == 302
    assert side_deck_of(entry=entry) == ("+1", "+1", "-2", "*6")
    press(entry, remove="+1")
    assert side_deck_of(entry=entry) == ("+1", "-2", "*6")
    assert "Side deck: 3 of 10" in page(entry)
    press(entry, clear="1")
    assert side_deck_of(entry=entry) == ()


def test_the_clubs_ten_can_be_the_beginning() -> None:
    entry = somebody()
    press(entry, club="1")
    assert side_deck_of(entry=entry) == CLUB_DECK
    assert "Ready to play. Saved, and seen by nobody else." in page(entry)


def test_what_is_wrong_is_said_while_it_is_built() -> None:
    entry = somebody()
    assert "Nothing chosen yet: you would play with the club’s deck." in page(entry)
    press(entry, add="+1")
    assert "9 cards more to choose" in page(entry)


@pytest.mark.parametrize("card", ["+9", "7", "", "<b>", "x" * 500])
def test_what_is_no_card_changes_nothing(card: str) -> None:
    entry = somebody()
    press(entry, add="+1")
    assert press(entry, add=card).status_code == 302
    assert side_deck_of(entry=entry) == ("+1",)


def test_to_a_script_the_deck_comes_alone() -> None:
    entry = somebody()
    answer = Client().post(f"/p/{entry_token(entry)}/deck/change/?part=deck", {"add": "+9"})
    text = answer.content.decode()
    assert (answer.status_code, "<html" in text, 'role="alert"' in text) == (200, False, True)


def test_sealed_it_stays() -> None:
    entry = somebody(decks_due_at=timezone.now() - timedelta(minutes=1))
    press(entry, add="+1")
    assert SideDeck.objects.count() == 0
    assert "Side decks are sealed, and yours is not complete: you play with the club’s." in page(entry)
    Tournament.objects.update(lends_decks=False)
    assert "Side decks are sealed, and yours is not complete: ask the organisers." in page(entry)


def test_until_when_it_can_be_changed_is_said_and_a_finished_one_stays() -> None:
    entry = somebody(decks_due_at=timezone.now() + timedelta(hours=1))
    press(entry, club="1")
    assert "You can change it until <time" in page(entry)
    Tournament.objects.update(decks_due_at=timezone.now())
    assert "Side decks are sealed. Yours stays as it is." in page(entry)
    assert "You can change it" not in page(entry)


def test_from_ones_own_cards() -> None:
    entry = somebody()
    press(entry, "own", **{"own:+1": "1", "own:-2": "2", "own:*3": "x", "own:D": "99"})
    shown = page(entry)
    assert ("0 of 1" in shown, "0 of 2" in shown, "0 of 9" in shown) == (True, True, True)
    press(entry, add="+1")
    assert 'name="add" value="+1" class="pick" disabled' in page(entry)


def test_it_is_nobody_elses_to_see() -> None:
    entry = somebody()
    press(entry, add="V12")
    other = Entry.objects.exclude(pk=entry.pk).get(tournament=entry.tournament)
    assert 'name="remove"' not in page(other)
    forged = entry_token(entry)[:-1] + ("0" if entry_token(entry)[-1] != "0" else "1")
    assert Client().get(f"/p/{forged}/deck/").status_code == 404
