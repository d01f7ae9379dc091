"""Asking the server: one kept connection for each caller, every request timed, every surprise an error."""

from __future__ import annotations

import json
import time
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from threading import Lock
from typing import Any
from urllib.parse import urlsplit

IDLE_SECONDS = 2.0  # the server closes a connection that was quiet for five
PATIENCE_SECONDS = 30


class WentWrongError(Exception):
    """The server did something else than it should; the message says what."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back. `body` is the JSON of it, None when there is none."""

    status: int
    body: Any
    etag: str
    seconds: float


@dataclass
class Clock:
    """How long requests took, and how long results took to be seen, from all threads."""

    requests: list[float] = field(default_factory=list)
    visible: list[float] = field(default_factory=list)
    lock: Lock = field(default_factory=Lock)

    def note(self, kept: list[float], seconds: float) -> None:
        """Keep one measurement."""
        with self.lock:
            kept.append(seconds)


def percentile(values: list[float], share: int) -> float:
    """The value that `share` per cent of the values do not exceed; 0 for none."""
    ordered = sorted(values)
    return ordered[max(0, -(-len(ordered) * share // 100) - 1)] if ordered else 0.0


class Caller:
    """Somebody who asks, for use by one thread at a time. `authorization` "" is nobody in particular."""

    def __init__(self, *, url: str, authorization: str = "", clock: Clock) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise WentWrongError(f"{url} is no address of a server")
        kind = HTTPSConnection if parts.scheme == "https" else HTTPConnection
        self._connection = kind(parts.hostname, parts.port, timeout=PATIENCE_SECONDS)
        self._root = f"{parts.path.rstrip('/')}/api/"
        self._headers = {"Accept-Language": "en", "Content-Type": "application/json"}
        if authorization:
            self._headers["Authorization"] = authorization
        self._clock = clock
        self._used = 0.0

    def ask(
        self, method: str, path: str, body: Any = None, *, expect: int | tuple[int, ...] = 200, **headers: str
    ) -> Answer:
        """One request. An answer of another status than expected is an error; `headers` have _ for -."""
        said = self._headers | {name.replace("_", "-"): value for name, value in headers.items()}
        data = None if body is None else json.dumps(body).encode()
        answer = self._send(method, path, data, said)
        if answer.status not in (expect if isinstance(expect, tuple) else (expect,)):
            told = answer.body.get("detail", "") if isinstance(answer.body, dict) else ""
            raise WentWrongError(f"{method} {path}: {answer.status} in place of {expect}. {told}")
        return answer

    def _send(self, method: str, path: str, data: bytes | None, headers: dict[str, str]) -> Answer:
        began = time.perf_counter()
        if began - self._used > IDLE_SECONDS:
            self._connection.close()
        try:
            self._connection.request(method, self._root + path, body=data, headers=headers)
            with self._connection.getresponse() as response:
                raw = response.read()
        except (HTTPException, OSError) as error:
            self._connection.close()
            raise WentWrongError(f"{method} {path}: no answer ({error or type(error).__name__})") from error
        self._used = time.perf_counter()
        seconds = self._used - began
        self._clock.note(self._clock.requests, seconds)
        try:
            body = json.loads(raw) if raw else None
        except ValueError:
            raise WentWrongError(f"{method} {path}: {response.status} and no JSON") from None
        return Answer(response.status, body, response.headers.get("ETag", ""), seconds)

    def get(self, path: str) -> Any:
        """The body of what is there."""
        return self.ask("GET", path).body

    def rows(self, path: str) -> list[dict[str, Any]]:
        """Every row of a list, page by page."""
        found: list[dict[str, Any]] = []
        joint = "&" if "?" in path else "?"
        for number in range(1, 1000):
            page = self.get(f"{path}{joint}page_size=500&page={number}")
            found += page["results"]
            if page["next"] is None:
                break
        return found

    def close(self) -> None:
        """Hang up."""
        self._connection.close()
