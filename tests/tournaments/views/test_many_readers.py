"""A hall of readers while something is saved: nobody keeps an old page, streams cost the database nothing."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection, connections, transaction
from django.test import Client
from django.urls import reverse

from matches.models import Match
from tests.config.asgi_client import in_a_loop
from tests.config.test_live import open_hub, streaming
from tests.tournaments.play import count_up, draft, pairings, play_open, publish, report
from tests.tournaments.views.desk import running
from tests.tournaments.views.referee import link_for, match_of, send
from tournaments.models import Pairing, Tournament
from tournaments.permissions import entry_token

pytestmark = [pytest.mark.db, pytest.mark.django_db(transaction=True)]

STREAMS = 200


def read(address: str) -> str:
    """What a visitor with a connection of their own is shown."""
    try:
        answer = Client().get(address)
        assert answer.status_code == 200
        return answer.content.decode()
    finally:
        connections.close_all()


def readers(address: str, count: int) -> list[str]:
    with ThreadPoolExecutor(8) as hall:
        return list(hall.map(read, [address] * count))


def test_lp_04_who_reads_while_a_result_is_saved_leaves_no_old_page_to_the_others() -> None:
    tournament = running(4)
    address = reverse("standings", args=[tournament.pk])
    with transaction.atomic():
        report(pairings(tournament, 1)[0], (3, 2))
        before = readers(address, 8)
    uncounted = readers(address, 8)
    count_up(tournament)
    after = readers(address, 8)
    told = "1 result is not counted yet"
    assert [{told in page for page in pages} for pages in (before, uncounted, after)] == [{False}, {True}, {False}]
    assert [len(set(pages)) for pages in (before, uncounted, after)] == [1, 1, 1]
    assert before[0] != after[0]


def test_lp_04_what_is_rolled_back_tells_nobody_and_makes_no_page_new(empty_redis: Any) -> None:
    tournament = running(4)
    address = reverse("standings", args=[tournament.pk])
    known = Client().get(address)["ETag"]
    with empty_redis.pubsub() as bus:
        bus.psubscribe("live:*")
        bus.get_message(timeout=5)
        with transaction.atomic():
            report(pairings(tournament, 1)[0], (3, 2))
            transaction.set_rollback(True)
        empty_redis.publish("live:", "the end")
        heard = bus.get_message(timeout=5)
    assert heard is not None
    assert heard["data"] == b"the end"
    assert Client().get(address, headers={"If-None-Match": known}).status_code == 304


def connections_to_the_database() -> int:
    """How many there are, this one among them."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()")
            count: int = cursor.fetchone()[0]
        return count
    connection.ensure_connection()
    name = str(connection.settings_dict["NAME"])
    return sum(1 for each in Path("/proc/self/fd").iterdir() if each.exists() and str(each.resolve()) == name)


def test_lp_08_streams_take_no_connection_and_results_come_in_beside_them() -> None:
    tournament = running(20)
    link = link_for(tournament.event)
    matches = [match_of(pairing) for pairing in pairings(tournament, 1)]
    before = connections_to_the_database()

    def tell(match: int) -> int:
        try:
            return send(link, match, key=str(uuid4())).status_code
        finally:
            connections.close_all()

    def told_by_four() -> list[int]:
        with ThreadPoolExecutor(4) as referees:
            return list(referees.map(tell, matches))

    held: list[int] = []
    answers: list[int] = []

    async def hall() -> None:
        async with open_hub(streams_an_address=STREAMS) as hub, AsyncExitStack() as pages:
            for _ in range(STREAMS):
                await pages.enter_async_context(streaming(hub, f"tournament/{tournament.pk}"))
            held.append(await asyncio.to_thread(counted))
            answers.extend(await asyncio.to_thread(told_by_four))

    def counted() -> int:
        try:
            return connections_to_the_database()
        finally:
            connections.close_all()

    in_a_loop(hall())
    assert held[0] <= before + 1  # the one that counted
    assert answers == [200] * 10
    assert Match.objects.filter(version=1).count() == 10


def second_round(size: int) -> Tournament:
    tournament = running(size)
    play_open(tournament)
    draft(tournament)
    return tournament


def test_lp_11_when_a_round_comes_out_everybody_who_looks_finds_their_table() -> None:
    tournament = second_round(12)
    address = reverse("pairings", args=[tournament.pk])
    publish(tournament)
    pages = readers(address, 24)  # nobody has looked before: nothing is kept yet
    assert len(set(pages)) == 1
    tables = {side: p.table for p in Pairing.objects.filter(round__number=2) for side in (p.a_id, p.b_id)}
    own = {entry.pk: reverse("own_page", args=[entry_token(entry)]) for entry in tournament.entries.all()}
    with ThreadPoolExecutor(8) as hall:
        found = dict(zip(own, hall.map(read, own.values()), strict=True))
    assert [pk for pk, page in found.items() if f"{tables[pk]}" not in page] == []
    assert "<noscript" not in pages[0]
