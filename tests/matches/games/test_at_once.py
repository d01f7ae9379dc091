"""Two at one game in the same instant: one history, and the second is told what the first did."""

from __future__ import annotations

from typing import Any

import pytest

from matches.actions import SCORE, Report, submit_result
from matches.actions.games import concede_for, enforce_clock, get_ready, open_game, pause_game
from matches.actions.games.opening import GameTerms
from matches.engine import CLUB_DECK
from matches.models import Game, Submission, Way
from players.permissions import Refused
from tests.factories import NOW
from tests.matches.games.playing import (
    REFEREE,
    SEED,
    acting,
    again,
    dealt,
    later,
    make_match,
    match_of,
    opened,
    play,
)
from tests.tournaments.at_once import one_behind_the_other

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.db]


def rule(game: Game) -> Any:
    return submit_result(
        match_id=match_of(game).pk,
        report=Report(SCORE, (3, 0)),
        by=REFEREE,
        key="ruling",
        expected_version=0,
        now=NOW,
    )


def test_one_player_in_two_tabs_moves_once() -> None:
    game = dealt()
    seat, at = acting(game), game.position
    first, second = one_behind_the_other(
        lambda: play(game, "end", seat=seat, at=at), lambda: play(game, "end", seat=seat, at=at)
    )
    assert (isinstance(first, Game), isinstance(second, Game)) == (True, True)
    assert again(game).moves == game.moves + 2  # the move, and the other one's card


def test_another_move_from_the_other_tab_is_told_where_the_game_stands() -> None:
    game = dealt()
    seat, at = acting(game), game.position
    _first, second = one_behind_the_other(
        lambda: play(game, "stand", seat=seat, at=at), lambda: play(game, "end", seat=seat, at=at)
    )
    assert second == Refused("position_moved", {"position": again(game).position})


def test_both_get_ready() -> None:
    game = opened()
    one_behind_the_other(*(ready(game, seat) for seat in (0, 1)))
    assert again(game).moves == 2  # dealt once


def ready(game: Game, seat: int) -> Any:
    return lambda: get_ready(game_id=game.pk, seat=seat, side_deck=CLUB_DECK, words="", now=NOW)


def test_both_sit_down_first() -> None:
    match = make_match()

    def sit() -> Any:
        return open_game(match_id=match.pk, terms=GameTerms(Way.HERE), seed=SEED, by=REFEREE, now=NOW)

    first, second = one_behind_the_other(sit, sit)
    assert (first, Game.objects.count()) == (second, 1)


def test_the_referee_rules_while_a_player_moves() -> None:
    game = dealt()
    seat, at = acting(game), game.position
    ruled, moved = one_behind_the_other(lambda: rule(game), lambda: play(game, "stand", seat=seat, at=at))
    assert isinstance(ruled, Submission)
    assert moved == Refused("match_decided", {"match": match_of(game).pk, "sets": [3, 0]})
    assert again(game).position == at


def test_a_player_gives_up_while_the_referee_rules() -> None:
    game = dealt()
    moved, ruled = one_behind_the_other(lambda: play(game, "forfeit", seat=0), lambda: rule(game))
    assert isinstance(moved, Game)
    assert (isinstance(ruled, Refused) and ruled.code, match_of(game).kind) == ("stale_version", "forfeit")


def test_the_pause_comes_before_the_move() -> None:
    game = dealt()
    seat = acting(game)
    _paused, moved = one_behind_the_other(
        lambda: pause_game(game_id=game.pk, by=REFEREE, now=NOW), lambda: play(game, "stand", seat=seat)
    )
    assert moved == Refused("paused")


def test_two_referees_give_it_up_for_the_same_player() -> None:
    game = dealt()

    def concede() -> Any:
        return concede_for(game_id=game.pk, seat=1, by=REFEREE, now=NOW)

    _first, second = one_behind_the_other(concede, concede)
    assert second == Refused("match_decided", {"match": match_of(game).pk, "sets": [3, 0]})
    assert match_of(game).submissions.count() == 1


def test_the_clock_and_the_move_in_the_same_instant() -> None:
    game = dealt(turn_seconds=30)
    seat, at = acting(game), game.position
    _stood, moved = one_behind_the_other(
        lambda: enforce_clock(game_id=game.pk, now=later(31)),
        lambda: play(game, "end", seat=seat, at=at, now=later(31)),
    )
    assert moved == Refused("position_moved", {"position": again(game).position})
