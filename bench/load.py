"""A plain HTTP client for load: kept connections that ask for one address as fast as they are answered, and streams."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Mapping
from dataclasses import dataclass

SPREAD_SECONDS = 0.15  # as `static/js/live.js` spreads the questions of a hall


@dataclass(frozen=True, slots=True)
class Load:
    """What came of it: answers, how many a second, and the 99th percentile of their milliseconds."""

    answers: int
    rate: float
    p99: float


def percentile(values: list[float], share: float) -> float:
    """The value that this share, up to 1, of the values does not exceed."""
    return sorted(values)[max(0, round(len(values) * share) - 1)]


def request(path: str, headers: Mapping[str, str], *, body: bytes | None = None) -> bytes:
    """A GET, or with a body in JSON a POST, as it goes over the wire."""
    method, said = "GET", dict(headers)
    if body is not None:
        method, said = "POST", said | {"Content-Type": "application/json", "Content-Length": str(len(body))}
    lines = [f"{method} {path} HTTP/1.1", "Host: 127.0.0.1", *(f"{name}: {value}" for name, value in said.items())]
    return "\r\n".join([*lines, "", ""]).encode() + (body or b"")


async def read_answer(reader: asyncio.StreamReader) -> tuple[int, dict[str, str], bytes]:
    """Status, headers and body of one answer with a length."""
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
    headers = {name.lower(): value for name, _colon, value in (line.partition(": ") for line in head[1:] if line)}
    return int(head[0].split()[1]), headers, await reader.readexactly(int(headers.get("content-length", "0")))


async def ask(
    port: int, path: str, headers: Mapping[str, str], *, body: bytes | None = None, place: str | None = None
) -> tuple[int, dict[str, str], bytes]:
    """One request on a connection of its own, from an address of this machine such as 127.0.0.7."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=(place, 0) if place else None)
    writer.write(request(path, headers, body=body))
    try:
        return await read_answer(reader)
    finally:
        writer.close()


async def load(
    port: int, path: str, headers: Mapping[str, str], *, status: int, connections: int = 8, seconds: float = 3
) -> Load:
    """Ask for one address over several connections. Every answer has to have this status."""
    times: list[float] = []
    sent = request(path, headers)
    end = time.perf_counter() + seconds

    async def one() -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        while (began := time.perf_counter()) < end:
            writer.write(sent)
            found, _headers, _body = await read_answer(reader)
            times.append(time.perf_counter() - began)
            if found != status:
                raise RuntimeError(f"{path}: {found} in place of {status}")
        writer.close()

    await asyncio.gather(*(one() for _ in range(connections)))
    return Load(len(times), len(times) / seconds, percentile(times, 0.99) * 1000)


async def hold_stream(port: int, topic: str, region: str, opened: asyncio.Event, shown: list[float]) -> None:
    """An open page: listen, and ask for the region after every change, as `live.js` does. Runs until cancelled.

    `shown` gets the time of every region that came.
    """
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(request(f"/live/?topic={topic}", {"Accept": "text/event-stream"}))
    etag = ""
    try:
        while line := await reader.readline():
            if line.startswith(b"event: hello"):
                opened.set()
            elif line.startswith(b"event: change"):
                await asyncio.sleep(random.random() * SPREAD_SECONDS)
                headers = {"Accept-Encoding": "gzip", **({"If-None-Match": etag} if etag else {})}
                status, found, _body = await ask(port, region, headers)
                if status == 200:
                    etag = found.get("etag", "")
                    shown.append(time.time())
    finally:
        writer.close()
