"""Telling open pages that there is something newer: the topic and its version, never the content."""

from __future__ import annotations

import json
import logging
from functools import cache

import redis
from django.conf import settings

log = logging.getLogger(__name__)


@cache
def _bus() -> redis.Redis:
    return redis.Redis.from_url(settings.REDIS_URL, socket_connect_timeout=0.5, socket_timeout=1)


def game_topic(game_id: int) -> str:
    """The topic pages of a game listen to."""
    return f"game/{game_id}"


def announce(topic: str, version: str) -> None:
    """Say that `topic` now stands at `version`. Called after commit; without the bus pages are late, no more."""
    try:
        _bus().publish(f"live:{topic}", json.dumps({"topic": topic, "version": version}))
    except redis.RedisError as error:
        log.warning("live bus is away: %s", error)
