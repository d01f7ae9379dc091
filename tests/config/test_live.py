"""The stream hub on a real Redis: who hears what, and what happens when something is away, slow or too much."""

import asyncio
import os
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from functools import wraps
from pathlib import Path
from typing import Any

import pytest
import redis
from redis.asyncio import Redis

from bin.embedded import Valkey
from config.live import TOPICS_A_STREAM, Hub, topics_of
from tests.config.asgi_client import Visitor, in_a_loop, until

HELLO = "event: hello\ndata: {}\n\n"
WELCOME = f"retry: 3000\n{HELLO}"


def change(topic: str, version: str) -> str:
    return f'event: change\nid: {topic}@{version}\ndata: {{"topic": "{topic}", "version": "{version}"}}\n\n'


def story(told: Callable[..., Coroutine[Any, Any, None]]) -> Callable[..., None]:
    """Run a test in an event loop of its own."""

    @wraps(told)
    def run(*args: Any, **kwargs: Any) -> None:
        in_a_loop(told(*args, **kwargs))

    return run


@asynccontextmanager
async def open_hub(**options: Any) -> AsyncIterator[Hub]:
    """A hub that listens to Redis already."""
    hub = Hub(**{"redis_url": os.environ["REDIS_URL"]} | options)
    hub.open()
    async with Redis.from_url(os.environ["REDIS_URL"]) as client:
        while "redis_url" not in options and not await client.pubsub_numpat():
            await asyncio.sleep(0.005)
    yield hub
    await hub.close()


@asynccontextmanager
async def streaming(hub: Hub, *topics: str, **facts: Any) -> AsyncIterator[Visitor]:
    """A page that follows some topics."""
    visitor = Visitor(path="/live/", query="&".join(f"topic={topic}" for topic in topics), **facts)
    visit = asyncio.create_task(visitor.visit(hub))
    await until(lambda: visitor.text.endswith(HELLO) or visit.done())
    yield visitor
    visitor.reads.set()
    await visitor.leave()
    await visit


async def publish(topic: str, message: str) -> None:
    async with Redis.from_url(os.environ["REDIS_URL"]) as client:
        await client.publish(f"live:{topic}", message)


@story
async def test_a_page_is_greeted_and_then_hears_of_its_topics_alone() -> None:
    async with open_hub() as hub, streaming(hub, "tournament/7", "event/3") as page, streaming(hub, "event/3") as other:
        await publish("tournament/7", '{"topic": "tournament/7", "version": "13"}')
        await publish("tournament/8", '{"version": "1"}')
        await publish("event/3", '{"version": "2"}')
        await until(lambda: other.text.count("change") == 1 and page.text.count("change") == 2)
    assert page.status == 200
    assert page.sent_headers["content-type"] == "text/event-stream; charset=utf-8"
    assert page.sent_headers["cache-control"] == "no-store"
    assert page.sent_headers["x-content-type-options"] == "nosniff"
    assert page.text == WELCOME + change("tournament/7", "13") + change("event/3", "2")
    assert other.text == WELCOME + change("event/3", "2")


@story
async def test_only_topic_and_version_travel_whatever_a_publisher_says() -> None:
    async with open_hub() as hub, streaming(hub, "tournament/7") as page:
        await publish("tournament/7", '{"version": 13, "champion": "Ann"}')
        await until(lambda: "change" in page.text)
    assert page.text == WELCOME + change("tournament/7", "13")


@pytest.mark.parametrize("nonsense", ["", "13", "[]", "{}", '{"version": ""}', '{"version": "1\\n\\nevent: champion"}'])
@story
async def test_nonsense_on_the_bus_reaches_nobody_and_stops_nothing(nonsense: str) -> None:
    async with open_hub() as hub, streaming(hub, "tournament/7") as page:
        await publish("tournament/7", nonsense)
        await publish("tournament/7", '{"version": "14"}')
        await until(lambda: "change" in page.text)
    assert page.text == WELCOME + change("tournament/7", "14")


@story
async def test_a_page_that_reads_slowly_gets_the_newest_version_and_no_backlog() -> None:
    async with open_hub() as hub, streaming(hub, "tournament/7") as slow, streaming(hub, "tournament/7") as quick:
        slow.reads.clear()
        for number in range(1, 5):
            await publish("tournament/7", f'{{"version": "{number}"}}')
            await quick.hears("change", times=number)
        slow.reads.set()
        await until(lambda: change("tournament/7", "4") in slow.text)
    # The first one was on its way when the page stopped reading; of the rest only the last still mattered.
    assert slow.text == WELCOME + change("tournament/7", "1") + change("tournament/7", "4")
    assert quick.text == WELCOME + "".join(change("tournament/7", version) for version in ("1", "2", "3", "4"))


@story
async def test_a_page_that_stops_reading_altogether_is_let_go() -> None:
    async with open_hub(stalled_seconds=0.05) as hub:
        page = Visitor(path="/live/", query="topic=tournament/7")
        visit = asyncio.create_task(page.visit(hub))
        await until(lambda: page.text == WELCOME)
        page.reads.clear()
        await publish("tournament/7", '{"version": "1"}')
        await asyncio.wait_for(visit, 20)
    assert (page.text, page.ended) == (WELCOME, False)


@story
async def test_lp_07_an_address_gets_so_many_streams_and_one_more_when_one_ends() -> None:
    async with open_hub(streams_an_address=2) as hub, streaming(hub, "event/1"):
        async with streaming(hub, "event/1"):
            refused = Visitor(path="/live/", query="topic=event/1")
            await refused.visit(hub)
            async with streaming(hub, "event/1", address="192.0.2.8") as neighbour:
                assert neighbour.status == 200
        async with streaming(hub, "event/1") as next_one:
            assert next_one.status == 200
    assert (refused.status, refused.sent_headers["retry-after"]) == (503, "30")


@story
async def test_lp_06_streams_outlive_redis_and_are_told_to_look_again_when_it_is_back(tmp_path: Path) -> None:
    valkey = Valkey(folder=tmp_path, persistent=False)
    first = valkey.start()
    try:
        valkey.wait(first)
        async with open_hub(redis_url=valkey.url) as hub, streaming(hub, "tournament/7") as page:
            with redis.Redis.from_url(valkey.url) as client:
                await until(lambda: client.pubsub_numpat() == 1)
            greeted = page.text.count(HELLO)
            first.kill()
            first.wait()
            second = valkey.start()
            try:
                valkey.wait(second)
                await until(lambda: page.text.count(HELLO) == greeted + 1)
                with redis.Redis.from_url(valkey.url) as client:
                    client.publish("live:tournament/7", '{"version": "2"}')
                await until(lambda: "change" in page.text)
                assert page.text.endswith(HELLO + change("tournament/7", "2"))
            finally:
                second.kill()
                second.wait()
    finally:
        first.kill()
        first.wait()


@story
async def test_a_stopping_server_ends_its_streams_and_takes_no_new_ones() -> None:
    async with open_hub() as hub, streaming(hub, "event/1") as page:
        await hub.close()
        await until(lambda: page.ended)
        late = Visitor(path="/live/", query="topic=event/1")
        await late.visit(hub)
    assert (page.text, late.status) == (WELCOME, 503)


@pytest.mark.parametrize(
    ("method", "path", "query", "status"),
    [
        ("GET", "/live/stats", "", 404),
        ("GET", "/live/tournament/7", "", 404),
        ("POST", "/live/", "topic=event/1", 405),
        ("HEAD", "/live/", "topic=event/1", 405),
        ("GET", "/live/", "", 400),
        ("GET", "/live/", "topic=", 400),
        ("GET", "/live/", "topic=event/1&x=2", 400),
    ],
)
@story
async def test_anything_else_is_refused(method: str, path: str, query: str, status: int) -> None:
    visitor = Visitor(method=method, path=path, query=query)
    await visitor.visit(Hub(redis_url=os.environ["REDIS_URL"]))
    assert (visitor.status, visitor.ended) == (status, True)
    assert visitor.sent_headers["content-security-policy"] == "default-src 'none'; frame-ancestors 'none'"


MOST = [f"event/{number}" for number in range(TOPICS_A_STREAM)]


@pytest.mark.parametrize(
    ("query", "topics"),
    [
        ("topic=tournament/7", ["tournament/7"]),
        ("topic=tournament%2F7&topic=event/1&topic=tournament/7", ["tournament/7", "event/1"]),
        ("&".join(f"topic={topic}" for topic in MOST), MOST),
        ("&".join(f"topic={topic}" for topic in [*MOST, "event/99"]), None),
        ("topic=*", None),
        ("topic=tournament/", None),
        ("topic=tournament/7%0a", None),
        ("topic=Tournament/7", None),
        ("topic=tournament/7/8", None),
        ("topic=tournament/٧", None),
        ("topic", None),
        ("", None),
    ],
)
def test_topics_are_a_word_and_a_number(query: str, topics: list[str] | None) -> None:
    assert topics_of(query.encode()) == topics
