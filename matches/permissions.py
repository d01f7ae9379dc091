"""The private address of a game of practice."""

from __future__ import annotations

import hmac

from matches.models import Game
from players.permissions import mac, token_parts


def practice_token(game: Game) -> str:
    """The secret part of the address of a game of practice."""
    return f"{game.pk}-{mac('practice', game.pk, 1)}"


def read_practice(token: str) -> Game | None:
    """The game of practice a token opens, if the token is genuine and the game is still there."""
    parts = token_parts(token)
    if parts is None:
        return None
    game = Game.objects.filter(pk=parts[0], match__isnull=True).first()
    if game is None or not hmac.compare_digest(parts[1], practice_token(game).partition("-")[2].encode()):
        return None
    return game
