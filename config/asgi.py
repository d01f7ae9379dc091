"""One door for everything on one port: `/live/` goes to the stream hub, all else to Django through WSGI threads."""

import asyncio
import os
from typing import Any, cast

from a2wsgi import WSGIMiddleware

from config import live
from config.live import Message, Receive, Send
from config.unreadable import too_large
from config.wsgi import application as pages

BODY_BYTES = 10 * 1024 * 1024
BODY_SECONDS = 60

# Django's own ASGI handler costs about six times as much a request as its WSGI handler. The queue holds a whole page or
# script, so that a phone that reads slowly does not keep a thread.
_pages: Any = WSGIMiddleware(cast("Any", pages), workers=int(os.environ.get("THREADS", "8")), send_queue_size=512)


async def application(scope: Message, receive: Receive, send: Send) -> None:
    """The ASGI application of the embedded server."""
    if scope["type"] == "lifespan" or (scope["type"] == "http" and scope["path"].startswith("/live/")):
        await live.application(scope, receive, send)
    elif scope["type"] == "http":
        await _answer(scope, receive, send)


async def _answer(scope: Message, receive: Receive, send: Send) -> None:
    """Read the whole request first, so that a phone that sends slowly does not keep a thread either."""
    body = bytearray()
    try:
        async with asyncio.timeout(BODY_SECONDS):
            more = True
            while more:
                message = await receive()
                if message["type"] == "http.disconnect":
                    return
                body += message.get("body", b"")
                more = message.get("more_body", False)
                if len(body) > BODY_BYTES:
                    await _refuse(scope, send)
                    return
    except TimeoutError:
        await live.plain(send, status=408, text="Too slow.")
        return

    async def whole_body() -> Message:
        return {"type": "http.request", "body": bytes(body), "more_body": False}

    await _pages(scope, whole_body, send)


async def _refuse(scope: Message, send: Send) -> None:
    """Tell whoever sends too much, without reading it to its end."""
    said = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
    answer = too_large(path=scope["path"], headers=said)
    headers = [(name.lower().encode(), value.encode()) for name, value in answer.items()]
    length = (b"content-length", str(len(answer.content)).encode())
    await send({"type": "http.response.start", "status": answer.status_code, "headers": [*headers, length]})
    await send({"type": "http.response.body", "body": answer.content})
