"""Clocks of the server: time runs for whoever is to act, and what happens at its end is the tournament's to say."""

from __future__ import annotations

from datetime import timedelta

import pytest

from matches.actions.games import call_referee, enforce_clock, lapsed_games, pause_game, resume_game
from matches.engine import Reason
from matches.models import Game, OnTimeout
from matches.queries.games import game_view, record_of, runs_out_at
from matches.tasks import keep_clocks
from players.permissions import Refused
from tests.factories import NOW
from tests.matches.games.playing import PLAYERS, REFEREE, acting, again, dealt, later, play

pytestmark = pytest.mark.django_db


def test_a_turn_has_its_time_and_a_move_starts_the_next() -> None:
    game = dealt(turn_seconds=30)
    assert runs_out_at(game) == later(30)
    play(game, "end", now=later(10))
    assert runs_out_at(again(game)) == later(40)


def test_thinking_counts_against_the_time_for_the_match() -> None:
    game = dealt(match_seconds=60)
    seat = acting(game)
    play(game, "end", now=later(25))
    play(game, "end", seat=1 - seat, now=later(30))
    spent = again(game)
    assert {seat: (spent.spent_a, spent.spent_b)[seat], 1 - seat: (spent.spent_a, spent.spent_b)[1 - seat]} == {
        seat: 25_000,
        1 - seat: 5_000,
    }
    assert runs_out_at(spent) == later(30 + 35)


def test_without_clocks_nothing_ever_runs_out() -> None:
    game = dealt()
    assert (runs_out_at(game), lapsed_games(now=later(1e6))) == (None, [])


def test_a_second_of_grace() -> None:
    game = dealt(turn_seconds=30)
    assert (lapsed_games(now=later(30.9)), lapsed_games(now=later(31))) == ([], [game.pk])


def test_the_set_can_be_lost_by_time() -> None:
    game = dealt(turn_seconds=30, on_timeout=OnTimeout.LOSE_SET)
    seat = acting(game)
    for _late in range(2):  # delivered twice
        enforce_clock(game_id=game.pk, now=later(31))
    results = record_of(again(game))[1].results
    assert [(result.winner, result.reason) for result in results] == [(1 - seat, Reason.TIMEOUT)]
    assert runs_out_at(again(game)) is None  # between sets nobody's time runs


def test_the_referee_can_be_called_instead() -> None:
    game = dealt(turn_seconds=30, on_timeout=OnTimeout.CALL)
    enforce_clock(game_id=game.pk, now=later(31))
    called = again(game)
    assert (called.paused_at, called.called_at, runs_out_at(called)) == (later(31), later(31), None)
    assert play(game, "stand", now=later(32)) == Refused("paused")
    resume_game(game_id=game.pk, by=REFEREE, now=later(60))
    assert (again(game).called_at, runs_out_at(again(game))) == (None, later(90))


def test_a_pause_stops_the_clock_and_keeps_what_was_spent() -> None:
    game = dealt(match_seconds=60)
    for _press in range(2):
        pause_game(game_id=game.pk, by=REFEREE, now=later(20))
    assert lapsed_games(now=later(1000)) == []
    for _press in range(2):
        resume_game(game_id=game.pk, by=REFEREE, now=later(100))
    assert runs_out_at(again(game)) == later(140)


def test_a_call_for_the_referee_does_not_stop_the_game() -> None:
    game = dealt()
    for _press in range(2):
        call_referee(game_id=game.pk, by=PLAYERS[0], now=later(5))
    assert again(game).called_at == later(5)
    assert isinstance(play(game, "end"), Game)
    resume_game(game_id=game.pk, by=REFEREE, now=later(9))
    assert again(game).called_at is None


@pytest.mark.db  # what the database counts is not endless
def test_the_worker_keeps_clocks_nobody_watches() -> None:
    game = dealt(turn_seconds=30)
    Game.objects.filter(pk=game.pk).update(turn_at=NOW - timedelta(days=900))
    seat = acting(game)
    keep_clocks()
    assert game_view(game=again(game), viewer=0).table.sides[seat].stood is True


def test_who_goes_on_after_the_referee_was_called_for_the_match_time_has_a_whole_turn() -> None:
    game = dealt(match_seconds=60, turn_seconds=90, on_timeout=OnTimeout.CALL)
    enforce_clock(game_id=game.pk, now=later(61))
    resume_game(game_id=game.pk, by=REFEREE, now=later(100))
    assert runs_out_at(again(game)) == later(190)
