"""A match on two devices: sealed, dealt, played move by move, and its result like any other."""

from __future__ import annotations

import pytest

from matches.actions.games import get_ready, open_game
from matches.actions.games.opening import GameTerms
from matches.engine import CLUB_DECK, verify
from matches.models import Game, Submission, Way
from matches.queries.games import game_view, open_record, record_of
from players.permissions import Refused
from tests.factories import NOW
from tests.matches.games.playing import REFEREE, SEED, acting, again, dealt, later, match_of, opened, play, play_out

pytestmark = pytest.mark.django_db


def test_nothing_is_dealt_before_both_are_ready() -> None:
    game = opened()
    assert (game.moves, game_view(game=game, viewer=0).has_begun) == (0, False)
    get_ready(game_id=game.pk, seat=0, side_deck=CLUB_DECK, words="the ebon hawk", now=NOW)
    assert (again(game).moves, play(game, "stand", seat=0)) == (0, Refused("not_ready"))
    get_ready(game_id=game.pk, seat=1, side_deck=CLUB_DECK, words="Ястреб", now=NOW)
    seen = game_view(game=again(game), viewer=0)
    assert again(game).moves == 2  # the set opens, the first card comes
    deal = seen.deal
    assert deal is not None
    assert (deal.words, deal.seed) == (("the ebon hawk", "Ястреб"), None)


def test_a_match_played_out_is_its_result_and_can_be_checked() -> None:
    game = play_out(dealt())
    record, state = record_of(game)
    match = match_of(game)
    assert (match.kind, (match.sets_a, match.sets_b)) == ("score", state.sets)
    assert match.winner == "ab"[state.sets.index(3)]
    told = Submission.objects.get(match=match).totals
    assert [tuple(each[:2]) for each in told] == [each.totals for each in state.results]
    assert verify(record) == ()
    assert record.deal is not None
    assert record.deal.seed == SEED.hex()


def test_opened_twice_it_is_one_game() -> None:
    game = opened()
    again_ = open_game(match_id=game.match_id or 0, terms=GameTerms(Way.HERE), seed=bytes(32), by=REFEREE, now=NOW)
    assert again_ == game
    assert Game.objects.get().seed == SEED.hex()


def test_a_move_sent_twice_is_one_move_however_late() -> None:
    game = dealt()
    seat, at = acting(game), game.position
    first = play(game, "end", seat=seat, at=at)
    assert isinstance(first, Game)
    assert play(game, "end", seat=seat, at=at) == first
    moves = again(game).moves
    assert isinstance(play(game, "end"), Game)
    assert isinstance(play(game, "end", seat=seat, at=at), Game)
    assert again(game).moves == moves + 2  # the move between and the card after it


def test_another_move_for_a_past_position_is_told_where_the_game_stands() -> None:
    game = dealt()
    seat, at = acting(game), game.position
    play(game, "end", seat=seat, at=at)
    assert play(game, "stand", seat=seat, at=at) == Refused("position_moved", {"position": again(game).position})


@pytest.mark.parametrize("move", ["7", "open A", "timeout", "ruling A", "", "+9", "stand stand", "A stand"])
def test_what_is_not_a_players_to_say_is_no_move(move: str) -> None:
    game = dealt()
    assert play(game, move) == Refused("move_unreadable", status=400)


def test_only_whoever_is_to_act_moves() -> None:
    game = dealt()
    assert play(game, "stand", seat=1 - acting(game)) == Refused("not_your_turn")


def test_giving_up_ends_the_match_at_any_time() -> None:
    game = dealt()
    other = 1 - acting(game)
    assert isinstance(play(game, "forfeit", seat=other), Game)
    match = match_of(game)
    assert (match.kind, match.winner) == ("forfeit", "ab"[1 - other])


def test_what_everybody_may_have_hides_hands_until_decks_are_open() -> None:
    game = dealt()
    before = open_record(game=game, decks_open=True).record
    assert (before.side_decks, before.deal and before.deal.seed) == ((None, None), None)
    over = play_out(game)
    sealed, whole = (open_record(game=over, decks_open=opened_) for opened_ in (False, True))
    assert (sealed.record.side_decks, verify(sealed.record)) == ((None, None), ())
    assert (whole.record.side_decks, verify(whole.record)) == ((CLUB_DECK, CLUB_DECK), ())


def test_time_over_stands_for_the_player() -> None:
    game = dealt(turn_seconds=30)
    seat = acting(game)
    late = play(game, "end", seat=seat, at=game.position, now=later(40))
    assert late == Refused("position_moved", {"position": again(game).position})
    assert game_view(game=again(game), viewer=0).table.sides[seat].stood is True
