"""The topics open pages of a tournament listen to."""

from __future__ import annotations

from matches.live import announce

__all__ = ["announce", "call_topic", "calls_topic", "search_topic", "topic_of"]


def topic_of(tournament_id: int) -> str:
    """The topic pages of a tournament listen to."""
    return f"tournament/{tournament_id}"


def calls_topic(event_id: int) -> str:
    """The topic of calls for a referee in an event: pages of staff and of tables listen to it."""
    return f"calls/{event_id}"


def call_topic(pairing_id: int) -> str:
    """The topic of calls from one match: pages of its players listen to it."""
    return f"call/{pairing_id}"


def search_topic(event_id: int) -> str:
    """The topic of searches for a better plan of an event: the desk listens to it."""
    return f"search/{event_id}"
