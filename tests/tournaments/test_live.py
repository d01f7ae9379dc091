"""Telling open pages: a topic and its version on the bus, once what they are about is there, and never a word more."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from bin.embedded import free_port
from matches import live
from tests.factories import make_field, make_tournament
from tests.tournaments.play import draft, pairings, play_open, publish, report, stage_of, start
from tests.tournaments.views.at_table import do, here, sides
from tournaments import tasks
from tournaments.models import HallPlan, Tournament

pytestmark = pytest.mark.django_db


class Bus:
    """What the live bus has said since it was last asked."""

    def __init__(self, client: Any, listener: Any) -> None:
        self._client, self._listener = client, listener

    def said(self) -> list[tuple[str, Any]]:
        """Topics and what was told of them, up to a last word of our own: nothing is waited for in vain."""
        self._client.publish("live:", "null")
        found: list[tuple[str, Any]] = []
        for message in self._listener.listen():
            if message["type"] != "pmessage":
                continue
            if message["channel"] == b"live:":
                break
            found.append((message["channel"].decode(), json.loads(message["data"])))
        return found


@pytest.fixture
def bus(empty_redis: Any) -> Iterator[Bus]:
    with empty_redis.pubsub() as listener:
        listener.psubscribe("live:*")
        heard = Bus(empty_redis, listener)
        assert heard.said() == []
        yield heard


def test_pages_of_a_tournament_hear_that_cards_lie_at_one_of_its_tables(
    bus: Bus, django_capture_on_commit_callbacks: Any
) -> None:
    pairing = here()
    with django_capture_on_commit_callbacks(execute=True):
        for entry in sides(pairing):
            do("own_open", entry, pairing)
            do("own_ready", entry, pairing)
    topic = f"tournament/{pairing.round.stage.tournament_id}"
    begun = (f"live:{topic}", {"topic": topic, "version": f"game-{pairing.match_id}"})
    assert bus.said().count(begun) == 1


def running(size: int = 4) -> Tournament:
    tournament = make_tournament(seeding="rating")
    make_field(size=size, tournament=tournament)
    start(tournament)
    return tournament


def test_a_count_tells_the_topic_and_the_version_and_nothing_else(bus: Bus) -> None:
    tournament = running()
    stage = stage_of(tournament)
    topic = f"tournament/{tournament.pk}"
    assert bus.said() == [(f"live:{topic}", {"topic": topic, "version": f"{stage.version}.0"})]
    report(pairings(tournament, 1)[0], (3, 1))
    assert bus.said() == []  # the worker tells once it has counted
    tasks.refresh_standings(stage.pk)
    assert bus.said() == [(f"live:{topic}", {"topic": topic, "version": f"{stage.version + 1}.0"})]
    tasks.refresh_standings(stage.pk)
    assert bus.said() == []  # delivered again: there is nothing new


def test_lp_01_a_draft_is_told_to_nobody(bus: Bus) -> None:
    tournament = running()
    play_open(tournament)
    tasks.sweep()
    bus.said()  # the standings, and the plan in which these matches are over
    draft(tournament)
    HallPlan.objects.update(made_at=timezone.now() - timedelta(minutes=2))  # it is due again
    tasks.sweep()
    assert HallPlan.objects.filter(made_at__gt=timezone.now() - timedelta(minutes=1)).exists()
    assert bus.said() == []
    publish(tournament)
    assert [topic for topic, _ in bus.said()] == [f"live:tournament/{tournament.pk}"]


def test_a_bus_that_is_away_costs_nobody_anything(caplog: pytest.LogCaptureFixture, settings: Any) -> None:
    settings.REDIS_URL = f"redis://127.0.0.1:{free_port()}/0"
    live._bus.cache_clear()  # the connection is kept for the life of a process
    try:
        live.announce("tournament/1", "3.0")
    finally:
        live._bus.cache_clear()
    assert [record.message.split(":")[0] for record in caplog.records] == ["live bus is away"]
