"""Side decks at the same instant: two cards added, and a player who turns out to be somebody else's entry too."""

from __future__ import annotations

from typing import Any

import pytest

from matches.models import SideDeck
from players.permissions import Refused
from tests.factories import NOW, make_entry, make_event, make_tournament, organiser
from tests.tournaments.at_once import one_behind_the_other
from tournaments.actions import games, roster
from tournaments.models import Entry
from tournaments.permissions import actor_of_entry

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.db]


@pytest.mark.parametrize("save", [games.save_own_deck, games.save_collection])
@pytest.mark.parametrize("merge_first", [True, False])
def test_a_side_deck_is_saved_while_two_become_one(save: Any, merge_first: bool) -> None:
    event = make_event()
    by = organiser(of=event)
    names = {"Sergei K.": "Main", "Sergey": "Side"}
    kept, dropped = (
        roster.add_entry(tournament_id=make_tournament(event=event, name=where).pk, name=name, by=by, now=NOW)
        for name, where in names.items()
    )
    assert isinstance(kept, Entry)
    assert isinstance(dropped, Entry)

    def merge() -> Any:
        return roster.merge_players(keep=kept.player_id, drop=dropped.player_id, by=by, now=NOW)

    def build() -> Any:
        return save(entry=dropped, cards=("+1",), by=actor_of_entry(dropped), now=NOW)

    if merge_first:
        _merged, saved = one_behind_the_other(merge, build)
        if saved == Refused("changed_meanwhile"):
            saved = build()
    else:
        saved, _merged = one_behind_the_other(build, merge)
    assert isinstance(saved, SideDeck), saved
    assert [(deck.player_id, deck.cards) for deck in SideDeck.objects.all()] == [(kept.player_id, ["+1"])]


def test_two_cards_added_at_once_are_both_in() -> None:
    tournament = make_tournament()
    entry = make_entry(tournament=tournament, name="Atton")

    def add(token: str) -> Any:
        by = actor_of_entry(entry)
        return games.change_own_deck(entry=entry, change=lambda before: (*before, token), by=by, now=NOW)

    games.save_own_deck(entry=entry, cards=("+1",), by=actor_of_entry(entry), now=NOW)
    one_behind_the_other(lambda: add("+2"), lambda: add("+3"))
    assert SideDeck.objects.get().cards == ["+1", "+2", "+3"]
