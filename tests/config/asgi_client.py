"""A visitor who speaks ASGI to an application in the same event loop, without a network between them."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from dataclasses import dataclass, field
from typing import Any

from config.live import Message, Receive, Send

Application = Callable[[Message, Receive, Send], Awaitable[None]]
PATIENCE_SECONDS = 20


def in_a_loop(work: Coroutine[Any, Any, None]) -> None:
    """Run this to its end in an event loop of its own, also where a browser of other tests keeps one in this thread."""
    kept = asyncio._get_running_loop()
    asyncio._set_running_loop(None)
    try:
        asyncio.run(work)
    finally:
        asyncio._set_running_loop(kept)


async def until(condition: Callable[[], bool]) -> None:
    """Wait for a condition to hold; TimeoutError if it never does."""
    async with asyncio.timeout(PATIENCE_SECONDS):
        while not condition():
            await asyncio.sleep(0.005)


@dataclass(kw_only=True)
class Visitor:
    """One request and what comes back. `reads` may be cleared to stop reading, as a phone in a tunnel does."""

    path: str
    query: str = ""
    method: str = "GET"
    address: str = "192.0.2.7"
    headers: Sequence[tuple[bytes, bytes]] = ()
    body: Sequence[bytes] = (b"",)
    leaves_early: bool = False

    status: int = 0
    sent_headers: dict[str, str] = field(default_factory=dict)
    text: str = ""
    ended: bool = False
    gone: asyncio.Event = field(default_factory=asyncio.Event)
    reads: asyncio.Event = field(default_factory=asyncio.Event)

    def __post_init__(self) -> None:
        self.reads.set()

    async def visit(self, application: Application) -> None:
        """Send the request and take the answer to its end."""
        parts = list(self.body)
        scope: Message = {
            "type": "http",
            "http_version": "1.1",
            "method": self.method,
            "scheme": "http",
            "path": self.path,
            "query_string": self.query.encode(),
            "headers": [(b"host", b"localhost"), *self.headers],
            "client": (self.address, 50_000),
            "server": ("127.0.0.1", 8000),
        }

        async def receive() -> Message:
            if parts:
                part = parts.pop(0)
                return {"type": "http.request", "body": part, "more_body": bool(parts) or self.leaves_early}
            if not self.leaves_early:
                await self.gone.wait()
            return {"type": "http.disconnect"}

        async def send(message: Message) -> None:
            await self.reads.wait()
            if message["type"] == "http.response.start":
                self.status = message["status"]
                self.sent_headers = {name.decode(): value.decode() for name, value in message["headers"]}
            else:
                self.text += message.get("body", b"").decode()
                self.ended = not message.get("more_body", False)

        await application(scope, receive, send)

    async def hears(self, words: str, *, times: int = 1) -> None:
        """Wait until the answer holds some words so many times."""
        await until(lambda: self.text.count(words) == times)

    async def leave(self) -> None:
        """Close the page."""
        self.gone.set()
