"""Games of a tournament: how a match is played, who sits down with which side deck, and what stands in the way."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from matches.actions import SCORE, Report
from matches.actions.games import make_move
from matches.engine import CLUB_DECK
from matches.models import Game, OnTimeout, SideDeck, Way
from matches.queries.games import record_of
from players.permissions import Refused
from tests.factories import NOW, make_field, make_tournament
from tests.tournaments.actions.game_acts import SEED, do, match_id, opened, played_here, seated
from tests.tournaments.play import count_up, pairings, start
from tournaments.actions import games, replacements
from tournaments.actions.games import PlayFacts
from tournaments.actions.reports import report_own
from tournaments.models import Entry, Tournament
from tournaments.permissions import actor_of_entry
from tournaments.queries.games import deck_to_play, decks_are_open, game_of, way_of

pytestmark = pytest.mark.django_db

OWN = ("+1", "+1", "+2", "+2", "-3", "-3", "*4", "*4", "*5", "*6")


def first(tournament: Tournament) -> Entry:
    """Whoever sits in seat a."""
    return Entry.objects.select_related("tournament").get(pk=pairings(tournament)[0].a_id)


def choose(tournament: Tournament, way: Way) -> Any:
    return do(tournament, games.choose_way, match_id=match_id(tournament), way=way)


def edit(tournament: Tournament, **said: Any) -> Any:
    return do(tournament, games.edit_play, tournament_id=tournament.pk, facts=PlayFacts(**said))


def test_a_match_is_played_as_its_tournament_says_unless_it_has_its_own_way() -> None:
    tournament = played_here()
    assert way_of(pairings(tournament)[0]) == Way.HERE
    choose(tournament, Way.CONSOLE)
    assert way_of(pairings(tournament)[0]) == Way.CONSOLE
    assert edit(tournament, way=Way.PAPER).way == Way.PAPER
    assert way_of(pairings(tournament)[0]) == Way.CONSOLE


def test_a_game_that_was_opened_goes_with_the_way_and_one_with_cards_stays() -> None:
    tournament = opened()
    choose(tournament, Way.PAPER)
    assert not Game.objects.exists()
    tournament = seated()
    assert choose(tournament, Way.PAPER) == Refused("game_begun")


def test_the_engine_does_not_deal_where_cards_come_from_outside() -> None:
    tournament = make_tournament(seeding="rating", ruleset="table")
    assert edit(tournament, way=Way.HERE) == Refused("draws_from_outside", status=400)
    make_field(size=2, tournament=tournament)
    start(tournament)
    assert choose(tournament, Way.HERE) == Refused("draws_from_outside", status=400)


def test_the_clocks_of_the_tournament_are_those_of_its_games() -> None:
    tournament = played_here()
    edit(tournament, way=Way.HERE, turn_seconds=40, match_seconds=900, on_timeout=OnTimeout.CALL)
    game = do(tournament, games.open_here, match_id=match_id(tournament), seed=SEED)
    assert (game.turn_seconds, game.match_seconds, game.on_timeout) == (40, 900, OnTimeout.CALL)


def test_a_match_on_paper_has_no_game() -> None:
    tournament = played_here()
    choose(tournament, Way.PAPER)
    assert do(tournament, games.open_here, match_id=match_id(tournament), seed=SEED) == Refused("wrong_way")
    assert do(tournament, games.open_console, match_id=match_id(tournament), seed=SEED) == Refused("wrong_way")


def test_the_own_side_deck_is_played_with_where_the_rules_take_it() -> None:
    tournament = played_here()
    entry = first(tournament)
    assert deck_to_play(entry=entry) == CLUB_DECK
    do(tournament, games.save_own_deck, entry=entry, cards=OWN)
    assert deck_to_play(entry=entry) == OWN
    do(tournament, games.save_own_deck, entry=entry, cards=OWN[:3])
    assert deck_to_play(entry=entry) == CLUB_DECK  # half built


def test_without_a_side_deck_nobody_sits_down_where_the_club_lends_none() -> None:
    tournament = opened()
    Tournament.objects.update(lends_decks=False)
    entry = first(tournament)
    assert sit(tournament, entry) == Refused("deck_missing")
    do(tournament, games.save_own_deck, entry=entry, cards=OWN)
    assert isinstance(sit(tournament, entry), Game)


def sit(tournament: Tournament, entry: Entry) -> Any:
    return do(tournament, games.sit_down, entry=entry, match_id=match_id(tournament), words="")


def test_a_side_deck_is_sealed_at_its_time_and_by_sitting_down() -> None:
    tournament = opened()
    entry = first(tournament)
    do(tournament, games.save_own_deck, entry=entry, cards=OWN)
    sit(tournament, entry)
    do(tournament, games.save_own_deck, entry=entry, cards=CLUB_DECK)
    assert record_of(Game.objects.get())[0].side_decks == (OWN, None)
    edit(tournament, way=Way.HERE, decks_due_at=NOW - timedelta(minutes=1))
    assert do(tournament, games.save_own_deck, entry=first(tournament), cards=OWN) == Refused("decks_sealed")
    assert SideDeck.objects.get().cards == list(CLUB_DECK)


@pytest.mark.parametrize(
    ("cards", "refused"),
    [
        (["+9"], Refused("unknown_card", {"card": "+9"}, status=400)),
        (["7"], Refused("unknown_card", {"card": "7"}, status=400)),
        (["+1"] * 201, Refused("too_many_cards", {"most": 200}, status=400)),
    ],
)
def test_what_is_no_side_deck_at_all(cards: list[str], refused: Refused) -> None:
    tournament = played_here()
    assert do(tournament, games.save_own_deck, entry=first(tournament), cards=cards) == refused


def test_only_the_two_of_a_match_sit_down_at_it() -> None:
    tournament = opened()
    stranger = make_field(size=1, tournament=make_tournament(event=tournament.event, name="Other"))[0]
    assert sit(tournament, stranger) == Refused("wrong_way")


def test_who_takes_a_place_takes_it_at_a_table_without_cards_only() -> None:
    tournament = opened()
    sit(tournament, first(tournament))
    came = do(tournament, replacements.replace_entry, entry_id=first(tournament).pk, name="Instead")
    assert (first(tournament), Game.objects.exists()) == (came, False)
    tournament = seated()
    outcome = do(tournament, replacements.replace_entry, entry_id=first(tournament).pk, name="Instead")
    assert outcome == Refused("entry_has_played")


def test_a_match_that_is_over_moves_the_tournament_on() -> None:
    tournament = seated()
    game = game_of(match_id=match_id(tournament))
    assert game is not None
    entry = first(tournament)
    make_move(game_id=game.pk, seat=0, move="forfeit", at=game.position, by=actor_of_entry(entry), now=NOW)
    stage = count_up(tournament)
    rows = [(row.rank, row.entry_id == entry.pk) for row in stage.standings.order_by("order")]
    assert rows == [(1, False), (2, True)]


def test_side_decks_open_after_the_match_or_after_the_tournament() -> None:
    tournament = played_here()
    assert decks_are_open(tournament) is True
    edit(tournament, way=Way.HERE, decks_open="event")
    tournament.refresh_from_db()
    assert decks_are_open(tournament) is False
    Tournament.objects.update(state="finished")
    tournament.refresh_from_db()
    assert decks_are_open(tournament) is True


def test_a_match_played_here_reports_itself() -> None:
    tournament = played_here()
    Tournament.objects.update(players_report=True)
    entry = first(tournament)
    told = {"entry_id": entry.pk, "match_id": match_id(tournament), "report": Report(SCORE, (3, 1))}
    assert do(tournament, report_own, **told, key="by-hand", expected_version=0) == Refused("reports_closed")
