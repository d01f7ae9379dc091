"""The topics open pages of a tournament listen to."""

from __future__ import annotations

from matches.live import announce

__all__ = ["announce", "topic_of"]


def topic_of(tournament_id: int) -> str:
    """The topic pages of a tournament listen to."""
    return f"tournament/{tournament_id}"
