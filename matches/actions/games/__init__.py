"""Matches through the engine: opened, played move by move by players, a referee or a policy, timed, and ended."""

from matches.actions.games.clocks import enforce_clock, lapsed_games
from matches.actions.games.moves import enter_move, make_move, undo_move
from matches.actions.games.opening import GameTerms, drop_practice, get_ready, open_game, open_practice
from matches.actions.games.referee import (
    answer_call,
    call_referee,
    concede_for,
    confirm_game,
    pause_game,
    resume_game,
    rule_game,
)

__all__ = [
    "GameTerms",
    "answer_call",
    "call_referee",
    "concede_for",
    "confirm_game",
    "drop_practice",
    "enforce_clock",
    "enter_move",
    "get_ready",
    "lapsed_games",
    "make_move",
    "open_game",
    "open_practice",
    "pause_game",
    "resume_game",
    "rule_game",
    "undo_move",
]
