"""Games of a tournament when something else happens to their match, to their players or to their event."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from matches.actions import SCORE, Report, clear_result, submit_result
from matches.actions.games import enter_move, lapsed_games
from matches.engine import OpenSet
from matches.models import Game, Match, OnTimeout, SideDeck, Way
from matches.queries.games import open_record
from players.models import Player
from players.permissions import Refused
from tests.factories import NOW, make_tournament, organiser
from tests.tournaments.actions.game_acts import SEED, do, match_id, played_here, seated
from tests.tournaments.play import pairings, stage_of
from tournaments.actions import events, games, replacements, roster, rounds
from tournaments.actions.games import PlayFacts
from tournaments.models import Entry, Event, Tournament
from tournaments.permissions import actor_of_entry
from tournaments.queries.games import collection_of, side_deck_of

pytestmark = [pytest.mark.django_db, pytest.mark.db]


def test_a_demo_goes_with_the_games_in_it() -> None:
    tournament = seated()
    Event.objects.filter(pk=tournament.event_id).update(is_demo=True)
    assert do(tournament, events.remove_demo, event_id=tournament.event_id) is None
    assert (Game.objects.count(), Match.objects.count(), Event.objects.count()) == (0, 0, 0)


@pytest.mark.parametrize("seat", ["a", "b"])
def test_a_demo_goes_with_who_had_a_place_for_a_while(seat: str) -> None:
    tournament = seated()
    Event.objects.filter(pk=tournament.event_id).update(is_demo=True)
    do(tournament, rounds.take_back_round, stage_id=stage_of(tournament).pk)
    do(tournament, rounds.publish_rounds, stage_id=stage_of(tournament).pk)
    left = getattr(pairings(tournament)[0], seat)
    came = do(tournament, replacements.replace_entry, entry_id=left.pk, name="Somebody Else")
    do(tournament, rounds.take_back_round, stage_id=stage_of(tournament).pk)
    assert do(tournament, replacements.undo_replacement, entry_id=came.pk).pk == left.pk
    assert do(tournament, events.remove_demo, event_id=tournament.event_id) is None
    assert (Game.objects.count(), Match.objects.count(), Player.objects.count()) == (0, 0, 0)


def timed(on_timeout: OnTimeout = OnTimeout.LOSE_SET) -> Tournament:
    tournament = played_here()
    facts = PlayFacts(way=Way.HERE, turn_seconds=30, match_seconds=600, on_timeout=on_timeout)
    do(tournament, games.edit_play, tournament_id=tournament.pk, facts=facts)
    do(tournament, games.open_here, match_id=match_id(tournament), seed=SEED)
    for entry in tournament.entries.order_by("pk"):
        do(tournament, games.sit_down, entry=entry, match_id=match_id(tournament), words="")
    return tournament


def result_from_paper(tournament: Tournament) -> None:
    """A result of the one match, typed by mistake while it is played."""
    match = Match.objects.get()
    said: dict[str, Any] = {"match_id": match.pk, "report": Report(SCORE, (3, 0)), "key": f"typed-{match.version}"}
    outcome = do(tournament, submit_result, expected_version=match.version, **said)
    assert not isinstance(outcome, Refused), outcome


def test_no_clock_runs_while_a_match_has_its_result_and_a_whole_turn_is_left_once_it_is_taken_back() -> None:
    tournament = timed()
    result_from_paper(tournament)
    late = NOW + timedelta(minutes=9)
    assert lapsed_games(now=late) == []
    match = Match.objects.get()
    clear_result(match_id=match.pk, by=organiser(of=tournament), expected_version=match.version, now=late)
    game = Game.objects.get()
    assert (game.turn_at, game.spent_a, game.spent_b) == (late, 0, 0)
    assert lapsed_games(now=late + timedelta(seconds=29)) == []
    assert lapsed_games(now=late + timedelta(seconds=31)) == [game.pk]


def another_at(tournament: Tournament, name: str, **said: Any) -> Entry:
    """An entry in a second tournament of the same event."""
    other = make_tournament(event=tournament.event, name="Second")
    entry = do(tournament, roster.add_entry, tournament_id=other.pk, name=name, **said)
    assert isinstance(entry, Entry), entry
    return entry


def save_deck(entry: Entry, *cards: str, minutes: int = 0) -> None:
    said: dict[str, Any] = {"entry": entry, "cards": cards, "now": NOW + timedelta(minutes=minutes)}
    assert isinstance(games.save_own_deck(by=actor_of_entry(entry), **said), SideDeck)
    assert isinstance(
        games.save_collection(entry=entry, cards=cards, now=said["now"], by=actor_of_entry(entry)), SideDeck
    )


def decks(entry: Entry) -> tuple[Any, Any]:
    """The side deck of an entry and what its player owns, as they are now."""
    entry = Entry.objects.select_related("tournament").get(pk=entry.pk)
    return side_deck_of(entry=entry), collection_of(entry=entry)


@pytest.mark.parametrize(("kept_at", "owned"), [(0, ("+2",)), (9, ("+1",))])
def test_who_are_one_person_keep_both_side_decks_and_what_was_said_last_of_their_cards(
    kept_at: int, owned: tuple[str, ...]
) -> None:
    tournament = make_tournament()
    kept = do(tournament, roster.add_entry, tournament_id=tournament.pk, name="Visas Marr")
    dropped = another_at(tournament, "V. Marr")
    save_deck(kept, "+1", minutes=kept_at)
    save_deck(dropped, "+2", minutes=5)
    do(tournament, roster.merge_players, keep=kept.player_id, drop=dropped.player_id)
    assert (decks(kept), decks(dropped)) == ((("+1",), owned), (("+2",), owned))


@pytest.mark.parametrize("plays_elsewhere", [False, True])
def test_a_side_deck_stays_when_an_address_tells_whose_it_is(plays_elsewhere: bool) -> None:
    tournament = make_tournament()
    another_at(tournament, "Visas Marr", email="visas@example.org")
    entry = do(tournament, roster.add_entry, tournament_id=tournament.pk, name="Visas")
    if plays_elsewhere:
        Entry.objects.filter(pk=another_at(tournament, "Visas").pk).update(player=entry.player_id)
    save_deck(entry, "+1")
    claimed = do(tournament, roster.claim_entry, entry_id=entry.pk, email="visas@example.org")
    assert isinstance(claimed, Entry), claimed
    assert decks(entry) == (("+1",), () if plays_elsewhere else ("+1",))


def test_hands_a_referee_was_shown_stay_hidden_until_the_result_is_confirmed() -> None:
    tournament = played_here()
    do(tournament, games.choose_way, match_id=match_id(tournament), way=Way.CONSOLE)
    game = do(tournament, games.open_console, match_id=match_id(tournament), seed=SEED)
    for move in ("open A (+1 +2 -3 *4) (?)", "B forfeit"):
        game = do(tournament, enter_move, game_id=game.pk, move=move, at=game.position)
        assert isinstance(game, Game), game

    def hands() -> Any:
        found = Game.objects.select_related("match").get()
        move = open_record(game=found, decks_open=True).record.moves[0]
        return move.hands if isinstance(move, OpenSet) else move

    assert hands() == (None, None)  # what was entered last may still be taken back
    do(tournament, games.confirm_console, match_id=match_id(tournament), at=game.position)
    assert hands() == (("+1", "+2", "-3", "*4"), None)
