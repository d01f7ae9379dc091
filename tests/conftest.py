"""Fixtures of the services that all tests share."""

import os
from collections.abc import Iterator

import pytest
import redis
from django.core.cache import caches

from players.models import Act


@pytest.fixture(autouse=True)
def empty_redis() -> Iterator[redis.Redis]:
    """Redis, and what the process keeps by itself, as every test finds it: with nothing queued, cached or counted."""
    caches["here"].clear()
    with redis.Redis.from_url(os.environ["REDIS_URL"]) as client:
        client.flushall()
        yield client


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None) -> None:
    """The log of acts refuses to be emptied, so the flush after a test with real commits leaves it alone."""
    Act._meta.managed = False
