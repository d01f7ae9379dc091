"""What a change sets off: a row in the outbox with it, a task for the worker once it is committed and not before."""

from __future__ import annotations

import base64
import json
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any

import pytest
import redis
from celery import Celery
from django.conf import settings
from django.core.cache import cache
from django.db import transaction

from bin.embedded import free_port
from matches.actions import SCORE, Report, create_matches, submit_result
from matches.models import Match, Submission
from players.models import Player
from players.receivers import queue
from tests.factories import NOW, make_account, make_field, make_tournament, organiser
from tests.tournaments.play import pairings, publish, report, stage_of, start
from tournaments import tasks
from tournaments.actions import roster, rounds
from tournaments.models import RosterImport, Round, StageChange, Tournament

pytestmark = pytest.mark.django_db(transaction=True)

NAMES = {
    tasks.refresh_standings.name: "refresh",
    tasks.apply_import.name: "import",
    tasks.call_matches.name: "call",
    tasks.replan.name: "replan",
}


def queued(client: redis.Redis) -> list[tuple[str, int]]:
    """What waits for the worker, the oldest first: the task and the id it is about."""
    messages: list[Any] = [json.loads(each) for each in client.lrange("celery", 0, -1)]
    arguments = [json.loads(base64.b64decode(message["body"]))[0] for message in messages]
    told = [(NAMES[message["headers"]["task"]], *each) for message, each in zip(messages, arguments, strict=True)]
    return told[::-1]


def sent(client: Any, act: Callable[[], None]) -> list[str]:
    """How `act` puts tasks into the queue (LPUSH) and tells open pages (PUBLISH)."""
    with client.monitor() as ear:
        act()
        client.echo("that was all")
        found: list[str] = []
        while (verb := ear.next_command()["command"].split()[0]) != "ECHO":
            found += [verb] if verb in ("LPUSH", "PUBLISH") else []
    return found


def drafted(size: int = 4) -> Tournament:
    tournament = make_tournament(seeding="rating")
    make_field(size=size, tournament=tournament)
    rounds.start_tournament(tournament_id=tournament.pk, by=organiser(of=tournament), now=NOW)
    return tournament


def unread(tournament: Tournament) -> list[str]:
    changes = StageChange.objects.filter(stage__tournament=tournament, read_at__isnull=True).order_by("pk")
    return list(changes.values_list("what", flat=True))


def test_bj_03_a_task_leaves_with_the_commit_and_finds_everything_it_is_about(empty_redis: redis.Redis) -> None:
    tournament = drafted()
    stage = stage_of(tournament)
    tasks.refresh_standings(stage.pk)
    empty_redis.delete("celery")
    with transaction.atomic():
        rounds.publish_rounds(stage_id=stage.pk, by=organiser(of=tournament), now=NOW)
        assert (queued(empty_redis), unread(tournament)) == ([], ["published"])
    assert queued(empty_redis) == [("refresh", stage.pk)]
    tasks.refresh_standings(stage.pk)
    assert (unread(tournament), stage_of(tournament).version) == ([], stage.version + 2)


def test_bj_03_what_is_rolled_back_sends_no_task_and_tells_nobody(empty_redis: redis.Redis) -> None:
    tournament = drafted()
    stage = stage_of(tournament)
    tasks.refresh_standings(stage.pk)

    def publish(*, fails: bool) -> None:
        with suppress(ConnectionAbortedError), transaction.atomic():
            rounds.publish_rounds(stage_id=stage.pk, by=organiser(of=tournament), now=NOW)
            if fails:
                raise ConnectionAbortedError

    assert sent(empty_redis, partial(publish, fails=True)) == []
    assert unread(tournament) == []
    assert Round.objects.get(stage=stage).is_draft
    assert Match.objects.count() == 0
    assert sent(empty_redis, partial(publish, fails=False)) == ["LPUSH"]


def test_a_result_is_one_change_of_its_stage_and_one_task(empty_redis: redis.Redis) -> None:
    tournament, other = make_tournament(seeding="rating"), make_tournament(seeding="rating")
    for each in (tournament, other):
        make_field(size=4, tournament=each)
        start(each)
    empty_redis.delete("celery")
    report(pairings(tournament, 1)[1], (3, 1))
    assert (unread(tournament), unread(other)) == (["result"], [])
    assert queued(empty_redis) == [("refresh", stage_of(tournament).pk)]


def test_a_match_outside_of_every_tournament_changes_no_standings(empty_redis: redis.Redis) -> None:
    owner = make_account()
    one, two = Player.objects.bulk_create(Player(owner=owner, name=name) for name in ("Atton", "Mira"))
    (match,) = create_matches(seats=[(one, two)], ruleset="standard/1", allows_tie=False)
    by = organiser(of=make_tournament())
    empty_redis.delete("celery")  # a new tournament asks for a plan
    told = submit_result(
        match_id=match.pk,
        report=Report(SCORE, (3, 0)),
        by=by,
        key="friendly",
        expected_version=0,
        now=NOW,
    )
    assert isinstance(told, Submission)
    assert (queued(empty_redis), StageChange.objects.count()) == ([], 0)


def test_a_long_list_is_handed_to_the_worker_when_it_is_confirmed(empty_redis: redis.Redis) -> None:
    tournament = make_tournament()
    by = organiser(of=tournament)
    empty_redis.delete("celery")  # a new tournament asks for a plan
    rows = [
        {"line": n, "name": f"Player {n}", "email": "", "city": "", "club": "", "rating": None} for n in range(2, 203)
    ]
    kept = roster.prepare_import(
        tournament_id=tournament.pk, filename="long.csv", rows=rows, problems=[], source={}, by=by, now=NOW
    )
    assert isinstance(kept, RosterImport)
    assert queued(empty_redis) == []
    roster.confirm_import(import_id=kept.pk, by=by, now=NOW)
    assert queued(empty_redis) == [("import", kept.pk)]
    tasks.apply_import(kept.pk)
    assert tournament.entries.count() == len(rows)


def test_whoever_wrote_never_waits_for_a_broker_that_is_away(caplog: pytest.LogCaptureFixture) -> None:
    away = Celery(broker=f"redis://127.0.0.1:{free_port()}/0", set_as_current=False)
    away.conf.update(
        task_publish_retry=settings.CELERY_TASK_PUBLISH_RETRY,
        broker_transport_options=settings.CELERY_BROKER_TRANSPORT_OPTIONS,
    )

    @away.task
    def refresh(_: int) -> None: ...

    began = time.monotonic()
    with transaction.atomic():
        queue(refresh, 7)
    assert time.monotonic() - began < 2  # one more try would come after two seconds
    assert [record.message.split(":")[0] for record in caplog.records] == [
        "broker is away, the sweep will do it",
    ]


def test_bj_04_clearing_the_cache_leaves_every_queued_task(empty_redis: redis.Redis) -> None:
    for number in range(100):
        tasks.refresh_standings.delay(number)
    cache.set("seen", 23)
    cache.clear()
    assert cache.get("seen") is None
    assert queued(empty_redis) == [("refresh", number) for number in range(100)]


def test_bj_04_a_redis_full_of_what_was_cached_loses_no_task_and_refuses_no_result(empty_redis: redis.Redis) -> None:
    tournament = drafted()
    publish(tournament)
    waiting = queued(empty_redis)
    empty_redis.config_set("maxmemory", 1)
    try:
        cache.set("no room", 23)
        report(pairings(tournament, 1)[0], (3, 1))
    finally:
        empty_redis.config_set("maxmemory", 0)
    assert cache.get("no room") is None
    assert (queued(empty_redis), unread(tournament)) == (waiting, ["result"])
    tasks.sweep()
    assert unread(tournament) == []
