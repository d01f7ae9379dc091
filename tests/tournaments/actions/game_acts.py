"""Acts at games of a tournament, for the test that each of them is one line in the log."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from matches.actions import games as match_games
from matches.models import Game, Way
from tests.factories import NOW, make_field, make_tournament, organiser
from tests.tournaments.play import pairings, start
from tournaments.actions import games
from tournaments.models import Tournament

SEED = bytes(range(32))


def played_here() -> Tournament:
    """A running tournament of two whose match is played here; nobody sits yet."""
    tournament = make_tournament(seeding="rating")
    make_field(size=2, tournament=tournament)
    start(tournament)
    Tournament.objects.filter(pk=tournament.pk).update(way=Way.HERE)
    tournament.refresh_from_db()
    return tournament


def match_id(tournament: Tournament) -> int:
    """The one match there is."""
    found = pairings(tournament)[0].match_id
    assert found is not None
    return found


def opened() -> Tournament:
    """The same with its deal sealed."""
    tournament = played_here()
    do(tournament, games.open_here, match_id=match_id(tournament), seed=SEED)
    return tournament


def seated() -> Tournament:
    """The same with both players ready and the first set dealt."""
    tournament = opened()
    for entry in tournament.entries.order_by("pk"):
        do(tournament, games.sit_down, entry=entry, match_id=match_id(tournament), words="")
    return tournament


def paused() -> Tournament:
    """The same, paused."""
    tournament = seated()
    of_game(match_games.pause_game)(tournament)
    return tournament


def do(tournament: Tournament, action: Callable[..., Any], **said: Any) -> Any:
    """An action as the organiser."""
    return action(by=organiser(of=tournament), now=NOW, **said)


def of_game(action: Callable[..., Any], **said: Any) -> Callable[[Tournament], Any]:
    """An act on the one game there is."""
    return lambda tournament: do(tournament, action, game_id=Game.objects.get().pk, **said)


def of_match(action: Callable[..., Any], **said: Any) -> Callable[[Tournament], Any]:
    """An act on the one match there is."""
    return lambda tournament: do(tournament, action, match_id=match_id(tournament), **said)


GAME_CASES: dict[str, tuple[Callable[[], Tournament], Callable[[Tournament], Any], list[str]]] = {
    "games.edit_play": (
        make_tournament,
        lambda t: do(t, games.edit_play, tournament_id=t.pk, facts=games.PlayFacts(way=Way.HERE)),
        ["edit_play"],
    ),
    "games.choose_way": (played_here, of_match(games.choose_way, way=Way.PAPER), ["choose_way"]),
    "games.open_here": (played_here, of_match(games.open_here, seed=SEED), ["open_game"]),
    "matches.pause_game": (seated, of_game(match_games.pause_game), ["pause_game"]),
    "matches.resume_game": (paused, of_game(match_games.resume_game), ["resume_game"]),
    "matches.call_referee": (seated, of_game(match_games.call_referee), ["call_referee"]),
    # Two acts in one: the game is given up, and that is the result of its match.
    "matches.concede_for": (seated, of_game(match_games.concede_for, seat=0), ["concede_for", "enter_result"]),
}
"""Name of an action to: the tournament before, the act, the verbs in the log."""

GAME_PARTS = {
    "games": {
        "can_be_played_here",
        "sit_down",
        "play_move",
        "open_console",
        "confirm_console",
        "save_own_deck",
        "change_own_deck",
        "save_collection",
    },
    "matches": {
        *("make_move", "enter_move", "undo_move", "get_ready", "open_practice", "drop_practice"),
        *("save_side_deck", "hand_over_side_decks"),
        *("enforce_clock", "lapsed_games", "hold", "read", "tell", "result_key"),
        *("open_game", "confirm_game", "rule_game", "answer_call", "tell_called"),
    },
}
"""What has the record of the game for its log, or is told by what it leads to."""
