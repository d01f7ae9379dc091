"""The stream hub: tells open pages, as server-sent events, which topics have something newer; bare ASGI without Django.

`GET /live/?topic=tournament/7&topic=…` answers with a stream of

    event: hello     at connect, and whenever messages may have been missed: ask again for what you show
    event: change    `data: {"topic": "tournament/7", "version": "13"}`

Only topics and versions travel here, never content, so there is nothing to permit and no database to ask. Publishers
put `{"version": …}` on the Redis channel `live:<topic>`. It is part of `config.asgi`, and an application of its own for
a server that streams only: `uvicorn config.live:application`.
"""

import asyncio
import json
import logging
import os
import re
import signal
from collections import Counter
from collections.abc import Awaitable, Callable, MutableMapping
from contextlib import suppress
from types import FrameType
from typing import Any
from urllib.parse import parse_qsl

from redis.asyncio import Redis
from redis.exceptions import RedisError

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]

TOPIC = re.compile(r"[a-z]{1,20}/[0-9]{1,19}")
TOPICS_A_STREAM = 50
STREAMS_AN_ADDRESS = 200  # a hall behind one address; pages that get no stream poll instead
HEARTBEAT_SECONDS = 20
STALLED_SECONDS = 30  # a reader who takes nothing for so long is gone
PAUSE_SECONDS = 0.5  # before asking a Redis that is away again
PREFIX = "live:"

HELLO = b"event: hello\ndata: {}\n\n"
HEARTBEAT = b": still here\n\n"
SECURITY_HEADERS = [
    (b"cache-control", b"no-store"),
    (b"x-content-type-options", b"nosniff"),
    (b"content-security-policy", b"default-src 'none'; frame-ancestors 'none'"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"referrer-policy", b"same-origin"),
]
# x-accel-buffering asks a proxy in front to pass every frame on at once.
STREAM_HEADERS = [
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"x-accel-buffering", b"no"),
    *SECURITY_HEADERS,
]

log = logging.getLogger(__name__)


class Stream:
    """What one open page has still to be sent: the newest frame of each topic, so it never grows past its topics."""

    __slots__ = ("frames", "woken")

    def __init__(self) -> None:
        self.frames: dict[str, bytes] = {}
        self.woken = asyncio.Event()

    def put(self, key: str, frame: bytes) -> None:
        """Leave a frame to be sent; one of the same key that still waits is out of date and goes."""
        self.frames.pop(key, None)
        self.frames[key] = frame
        self.woken.set()

    def take(self) -> bytes:
        """Everything that waits, oldest first."""
        together = b"".join(self.frames.values())
        self.frames.clear()
        self.woken.clear()
        return together


class Hub:
    """All streams of one process and their one subscription to Redis."""

    def __init__(
        self, *, redis_url: str, streams_an_address: int = STREAMS_AN_ADDRESS, stalled_seconds: float = STALLED_SECONDS
    ) -> None:
        self._redis_url = redis_url
        self._streams_an_address = streams_an_address
        self._stalled_seconds = stalled_seconds
        self._listeners: dict[str, set[Stream]] = {}
        self._streams: set[Stream] = set()
        self._addresses: Counter[str] = Counter()
        self._closing = False
        self._subscriber: asyncio.Task[None] | None = None

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """The ASGI application."""
        if scope["type"] == "lifespan":
            await self._lifespan(receive, send)
        elif scope["type"] == "http":
            await self._answer(scope, receive, send)

    async def _lifespan(self, receive: Receive, send: Send) -> None:
        while True:
            message = await receive()
            if message["type"] == "lifespan.startup":
                self.open()
                await send({"type": "lifespan.startup.complete"})
            else:
                await self.close()
                await send({"type": "lifespan.shutdown.complete"})
                return

    def open(self) -> None:
        """Subscribe, and end all streams as soon as the process is asked to stop: a server waits for open answers."""
        loop = asyncio.get_running_loop()
        self._subscriber = loop.create_task(self._subscribe())
        for number in (signal.SIGTERM, signal.SIGINT):
            before = signal.getsignal(number)
            if callable(before):
                signal.signal(number, self._on_signal(loop, before))

    def _on_signal(
        self, loop: asyncio.AbstractEventLoop, before: Callable[[int, FrameType | None], Any]
    ) -> Callable[[int, FrameType | None], Any]:
        def handler(number: int, frame: FrameType | None) -> None:
            loop.call_soon_threadsafe(self._end_streams)
            before(number, frame)

        return handler

    def _end_streams(self) -> None:
        self._closing = True
        for stream in self._streams:
            stream.woken.set()

    async def close(self) -> None:
        """End all streams and the subscription."""
        self._end_streams()
        if self._subscriber:
            self._subscriber.cancel()
            with suppress(asyncio.CancelledError):
                await self._subscriber

    # --- from Redis to the streams

    async def _subscribe(self) -> None:
        """Pass messages on for ever. While Redis is away the streams stay open and pages keep what they show."""
        while True:
            try:
                client = Redis.from_url(self._redis_url, socket_connect_timeout=2, health_check_interval=15)
                async with client, client.pubsub() as bus:
                    await bus.psubscribe(f"{PREFIX}*")
                    while True:
                        message = await bus.get_message(timeout=15)
                        if message:
                            self._receive(message)
            except (RedisError, OSError) as error:
                log.warning("live: Redis is away (%s), trying again", error)
                await asyncio.sleep(PAUSE_SECONDS)

    def _receive(self, message: dict[str, Any]) -> None:
        if message["type"] == "psubscribe":
            # Subscribed anew, by us or by the client library: what was published in between is lost, so all ask again.
            for stream in self._streams:
                stream.put("", HELLO)
        elif message["type"] == "pmessage":
            self._pass_on(message["channel"].decode().removeprefix(PREFIX), message["data"])

    def _pass_on(self, topic: str, data: bytes) -> None:
        listeners = self._listeners.get(topic)
        if not listeners:
            return
        try:
            version = str(json.loads(data)["version"])
        except (ValueError, KeyError, TypeError):
            version = ""
        if not version.isprintable() or not version:  # a line break would end the frame
            log.warning("live: a message on %s without a version", topic)
            return
        # Encoded once and shared by all who listen.
        body = json.dumps({"topic": topic, "version": version})
        frame = f"event: change\nid: {topic}@{version}\ndata: {body}\n\n".encode()
        for stream in listeners:
            stream.put(topic, frame)

    # --- from the streams to the pages

    async def _answer(self, scope: Message, receive: Receive, send: Send) -> None:
        if scope["path"] != "/live/":
            return await plain(send, status=404, text="Nothing is here.")
        if scope["method"] != "GET":
            return await plain(send, status=405, text="Only GET.", headers=[(b"allow", b"GET")])
        topics = topics_of(scope["query_string"])
        if topics is None:
            return await plain(send, status=400, text=f"Name 1 to {TOPICS_A_STREAM} topics: /live/?topic=tournament/7")
        address = (scope.get("client") or ("",))[0]
        if self._closing or self._addresses[address] >= self._streams_an_address:
            return await plain(send, status=503, text="Too many streams.", headers=[(b"retry-after", b"30")])

        stream = Stream()
        stream.put("", b"retry: 3000\n" + HELLO)
        self._addresses[address] += 1
        self._streams.add(stream)
        for topic in topics:
            self._listeners.setdefault(topic, set()).add(stream)
        gone = asyncio.create_task(self._wait_for_end(receive, stream))
        try:
            await self._feed(stream, gone, send)
        finally:
            gone.cancel()
            for topic in topics:
                self._listeners[topic].discard(stream)
                if not self._listeners[topic]:
                    del self._listeners[topic]
            self._streams.discard(stream)
            self._addresses[address] -= 1
            if not self._addresses[address]:
                del self._addresses[address]
        return None

    async def _wait_for_end(self, receive: Receive, stream: Stream) -> None:
        while (await receive())["type"] != "http.disconnect":
            pass
        stream.woken.set()

    async def _feed(self, stream: Stream, gone: "asyncio.Task[None]", send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": STREAM_HEADERS})
        while not gone.done() and not self._closing:
            frames = stream.take()
            if not frames:
                try:
                    async with asyncio.timeout(HEARTBEAT_SECONDS):
                        await stream.woken.wait()
                    continue
                except TimeoutError:
                    frames = HEARTBEAT
            try:
                async with asyncio.timeout(self._stalled_seconds):
                    await send({"type": "http.response.body", "body": frames, "more_body": True})
            except TimeoutError:
                return  # the server closes the connection
        await send({"type": "http.response.body", "body": b"", "more_body": False})


def topics_of(query: bytes) -> list[str] | None:
    """The topics a query string names, each once; None if there are none, too many, or one is not a topic."""
    try:
        pairs = parse_qsl(query.decode("ascii"), strict_parsing=True, max_num_fields=TOPICS_A_STREAM)
    except ValueError:
        return None
    topics = list(dict.fromkeys(value for _, value in pairs))
    if any(name != "topic" for name, _ in pairs) or not all(TOPIC.fullmatch(topic) for topic in topics):
        return None
    return topics or None


async def plain(send: Send, *, status: int, text: str, headers: list[tuple[bytes, bytes]] | None = None) -> None:
    """A whole answer of plain text."""
    body = f"{text}\n".encode()
    own = [(b"content-type", b"text/plain; charset=utf-8"), (b"content-length", str(len(body)).encode())]
    everything = [*own, *(headers or []), *SECURITY_HEADERS]
    await send({"type": "http.response.start", "status": status, "headers": everything})
    await send({"type": "http.response.body", "body": body})


application = Hub(redis_url=os.environ.get("REDIS_URL", "redis://127.0.0.1:6379/0"))
