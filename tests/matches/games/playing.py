"""Games as stories need them: two players, a match, a sealed deal, and moves in words."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from matches.actions import create_matches
from matches.actions.games import GameTerms, get_ready, make_move, open_game
from matches.engine import CLUB_DECK, Hand
from matches.models import Game, Match, Way
from matches.queries.games import game_view
from players.models import Player
from players.permissions import Actor, Refused, Role
from tests.factories import NOW, make_account

SEED = bytes(range(32))
PLAYERS = tuple(Actor(role=Role.PLAYER, name=name) for name in ("Atton", "Brianna"))
REFEREE = Actor(role=Role.REFEREE, name="Marta")


def make_match(*, ruleset: str = "standard/1") -> Match:
    """An open match of two new players."""
    owner = make_account()
    a, b = (Player.objects.create(owner=owner, name=name) for name in ("Atton", "Brianna"))
    return create_matches(seats=[(a, b)], ruleset=ruleset, allows_tie=False)[0]


def opened(*, way: Way = Way.HERE, ruleset: str = "standard/1", match: Match | None = None, **terms: Any) -> Game:
    """The game of a new match: its deal is sealed, nobody is ready."""
    match = match or make_match(ruleset=ruleset)
    game = open_game(match_id=match.pk, terms=GameTerms(way, **terms), seed=SEED, by=REFEREE, now=NOW)
    assert isinstance(game, Game), game
    return game


def dealt(*, decks: tuple[Hand, Hand] = (CLUB_DECK, CLUB_DECK), **more: Any) -> Game:
    """A game played here, its first set dealt."""
    game = opened(**more)
    for seat, deck in enumerate(decks):
        ready = get_ready(game_id=game.pk, seat=seat, side_deck=deck, words="", now=NOW)
        assert isinstance(ready, Game), ready
    return again(game)


def match_of(game: Game) -> Match:
    """The match as it is now."""
    return Match.objects.get(game=game)


def again(game: Game) -> Game:
    """The game as it is now."""
    return Game.objects.select_related("match").get(pk=game.pk)


def acting(game: Game) -> int:
    """The seat that must choose now."""
    seat = game_view(game=again(game), viewer=0).table.turn
    assert seat is not None
    return seat


def play(
    game: Game, move: str, *, seat: int | None = None, at: str | None = None, now: datetime = NOW
) -> Game | Refused:
    """A move of whoever is to act, for the position that stands."""
    found = again(game)
    mover = acting(game) if seat is None else seat
    return make_move(
        game_id=game.pk,
        seat=mover,
        move=move,
        at=found.position if at is None else at,
        by=PLAYERS[mover],
        now=now,
    )


def play_out(game: Game) -> Game:
    """Both stand from 17 on, until the match is over."""
    for _ in range(500):
        seen = game_view(game=again(game), viewer=0)
        if seen.is_over:
            return again(game)
        if seen.is_between:
            outcome = play(game, "next", seat=0)
        else:
            seat = acting(game)
            outcome = play(game, "stand" if seen.table.sides[seat].total >= 17 else "end", seat=seat)
        assert isinstance(outcome, Game), outcome
    raise AssertionError("the match does not end")


def later(seconds: float) -> datetime:
    """So many seconds after the beginning."""
    return NOW + timedelta(seconds=seconds)
