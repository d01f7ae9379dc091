"""Matches played at once on a launched copy: how soon a move is on the other side's screen, and what a match costs.

200 matches. Every player is a policy on a phone of its own: an event stream of the game, the table after each change,
and a move after some seconds of thought, all by their own link. `move_to_screen` are the milliseconds from the moment a
move is sent until the other side has the new table; `move` is the answer to who moved; `cpu_a_move` is the processor
time of the web process, which other work disturbs least, for the move and both sides' looking. `memory_a_match` are
kilobytes that the web process grew by for each match while all were played; `rows_a_match` counts what is in the
database afterwards, table by table. Any answer that should not be ends the measurement. `python -m bench.play 20` plays
fewer.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import resource
import sqlite3
import sys
import time
from collections import Counter
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from bench.load import ask, percentile, request
from bench.web import Organiser, cpu_seconds, megabytes
from tests.journeys.launched import Launched, launched

MATCHES = 200
THINK_SECONDS = (3.0, 11.0)  # about as people do
LONGEST_SECONDS = 1_800
NOT_COUNTED = ("sqlite_", "django_")


def run(matches: int = MATCHES) -> dict[str, float]:
    """Everything, on one copy that is started for it."""
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(4_096, hard) if hard > 0 else 4_096, hard))
    found: dict[str, float] = {"matches": matches, "machine_load_before": os.getloadavg()[0]}
    with TemporaryDirectory() as folder, launched(Path(folder) / "data") as copy:
        first, *tables = _tables(copy, matches + 1)
        web = copy.child("uvicorn")
        asyncio.run(_play([first], web, thinking=(0, 0)))  # so that everything is loaded
        rows, resident = _rows(copy), megabytes(web)[0]
        found |= asyncio.run(_play(tables, web, thinking=THINK_SECONDS))
        found["memory_a_match"] = (found.pop("resident_peak") - resident) / matches * 1_024
        found |= _rows_a_match(rows, _rows(copy), matches)
    return {**found, "machine_load_after": os.getloadavg()[0]}


# --- Before: a tournament whose first round is played here.


def _tables(copy: Launched, matches: int) -> list[Table]:
    organiser = Organiser(copy)
    tournament, _took = organiser.started(2 * matches)
    path = f"tournaments/{tournament}/"
    organiser.api.ask("PATCH", f"{path}play/", {"way": "here"})
    pairings = organiser.api.rows(f"{path}pairings/")
    found = []
    for number, pairing in enumerate(pairings):
        address = f"/api/{path}matches/{pairing['match']['id']}/game/"
        tokens = [organiser.api.get(f"{path}entries/{pairing[side]['id']}/own-link/")["token"] for side in "ab"]
        found.append(Table(copy.port, address, tuple(tokens), number))
    return found


def _rows(copy: Launched) -> Counter[str]:
    """How many rows are in each table."""
    with closing(sqlite3.connect(f"file:{copy.data / 'cantina.sqlite3'}?mode=ro", uri=True)) as database:
        names = [name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        counted = [name for name in names if not name.startswith(NOT_COUNTED)]
        return Counter({name: database.execute(f'SELECT count(*) FROM "{name}"').fetchone()[0] for name in counted})  # noqa: S608  # the names are the database's own


def _rows_a_match(before: Counter[str], after: Counter[str], matches: int) -> dict[str, float]:
    more = {name: (count - before[name]) / matches for name, count in after.items() if count != before[name]}
    return {"rows_a_match": sum(more.values()), **{f"rows_a_match_{name}": count for name, count in more.items()}}


# --- One match, and one of its players.


class Table:
    """A match, its two players, and what was measured of it."""

    def __init__(self, port: int, address: str, tokens: tuple[str, ...], number: int) -> None:
        self.players = [
            # Each phone has an address of its own: one network is not let have more streams than a hall.
            Player(self, port, address, token, seat, f"127.1.{number}.{seat + 1}")
            for seat, token in enumerate(tokens)
        ]
        self.sent: list[tuple[int, int, float]] = []
        """Moves the other side has not seen yet: who made them, how many were made before, and when."""
        self.posts: list[float] = []
        self.seen: list[float] = []

    def is_seen(self, by: int, position: str, now: float) -> None:
        """Whoever has the table at this position has seen every earlier move of the other side."""
        number = _number(position)
        for each in [each for each in self.sent if each[0] != by and each[1] < number]:
            self.sent.remove(each)
            self.seen.append((now - each[2]) * 1_000)


def _number(position: str) -> int:
    return int(position.partition(".")[2])


@dataclass(eq=False)
class Player:
    """A policy at a phone."""

    match: Table
    port: int
    address: str
    token: str
    seat: int
    place: str
    etag: str = ""
    table: dict[str, Any] = field(default_factory=dict)
    changed: asyncio.Event = field(default_factory=asyncio.Event)

    async def play(self, thinking: tuple[float, float]) -> None:
        """Sit down, and play until the match is over: look at every change at once, and move after some thought."""
        await self._post("open/", {})
        await self._post("ready/", {"words": "bench"})
        listening = asyncio.create_task(self._listen())
        moving = asyncio.create_task(self._think(random.Random(self.place), thinking))
        try:
            while self.table["state"] != "over":
                for task in (listening, moving):
                    if task.done() and self.table["state"] != "over":
                        raise RuntimeError(f"{self.address}: a player left") from task.exception()
                await self.changed.wait()
                self.changed.clear()
                await self._look()
            await moving  # the last answer may be on its way
        finally:
            for task in (listening, moving):
                task.cancel()
            await asyncio.gather(listening, moving, return_exceptions=True)

    async def _think(self, rng: random.Random, thinking: tuple[float, float]) -> None:
        """Move after some thought, whenever there is a move to make."""
        try:
            while self.table["state"] != "over":
                await asyncio.sleep(rng.uniform(*thinking) if self.table["moves"] else 0.1)
                if self.table["moves"]:
                    await self._move()
        finally:
            self.changed.set()

    async def _move(self) -> None:
        at, began = self.table["position"], time.perf_counter()
        self.match.sent.append((self.seat, _number(at), began))
        await self._post("moves/", {"move": choose(self.table, self.seat), "at": at})
        self.match.posts.append((time.perf_counter() - began) * 1_000)

    async def _look(self) -> None:
        headers = self._headers | ({"If-None-Match": self.etag} if self.etag else {})
        status, told, body = await ask(self.port, self.address, headers, place=self.place)
        if status != 304:
            self._take(self.address, status, told, body)

    async def _post(self, act: str, said: dict[str, str]) -> None:
        path, body = self.address + act, json.dumps(said).encode()
        status, told, answer = await ask(self.port, path, self._headers, body=body, place=self.place)
        self._take(path, status, told, answer)

    def _take(self, path: str, status: int, told: dict[str, str], body: bytes) -> None:
        if status != 200:
            raise RuntimeError(f"{path}: {status} {body.decode()[:300]}")
        table = json.loads(body)
        if self.table and _number(table["position"]) < _number(self.table["position"]):
            return  # an answer that was overtaken by a newer one
        self.table, self.etag = table, told.get("etag", "")
        self.match.is_seen(self.seat, table["position"], time.perf_counter())

    @property
    def _headers(self) -> dict[str, str]:
        return {"Authorization": f"Own {self.token}", "Accept-Language": "en", "Connection": "close"}

    async def _listen(self) -> None:
        """The stream of the game: whatever it says, the table is asked for."""
        topic = self.table["topic"]
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port, local_addr=(self.place, 0))
        writer.write(request(f"/live/?topic={topic}", {"Accept": "text/event-stream"}))
        try:
            while line := await reader.readline():
                if line.startswith((b"event: hello", b"event: change")):
                    self.changed.set()
        finally:
            self.changed.set()
            writer.close()


def choose(table: dict[str, Any], seat: int) -> str:
    """What a fair player does: plays a card that makes 18 to 20, stands from 17 on, else goes on."""
    makes: dict[str, int] = {each["move"]: each["makes"] for each in table["moves"]}
    total: int = table["sides"][seat]["total"]
    cards = [move for move, sum_ in makes.items() if move not in ("end", "stand", "next") and 18 <= sum_ <= 20]
    if cards and not 18 <= total <= 20:
        return max(cards, key=lambda move: makes[move])
    if "stand" in makes and 17 <= total <= 20:
        return "stand"
    return "end" if "end" in makes else next(iter(makes))


# --- All of them.


async def _play(tables: list[Table], web: int, *, thinking: tuple[float, float]) -> dict[str, float]:
    """What came of all matches; `resident_peak` is the most the web process had."""
    began, used, peaks = time.perf_counter(), cpu_seconds(web), [megabytes(web)[0]]

    async def watch() -> None:
        while True:
            await asyncio.sleep(1)
            peaks.append(megabytes(web)[0])

    watching = asyncio.create_task(watch())
    async with asyncio.timeout(LONGEST_SECONDS), asyncio.TaskGroup() as group:
        for table in tables:
            for player in table.players:
                group.create_task(player.play(thinking))
    watching.cancel()
    posts = [each for table in tables for each in table.posts]
    seen = [each for table in tables for each in table.seen]
    seconds = time.perf_counter() - began
    return {
        "seconds": seconds,
        "moves": len(posts),
        "moves_a_second": len(posts) / seconds,
        "cpu_a_move": (cpu_seconds(web) - used) / len(posts) * 1_000,
        "move_p50": percentile(posts, 0.5),
        "move_p95": percentile(posts, 0.95),
        "move_to_screen_p50": percentile(seen, 0.5),
        "move_to_screen_p95": percentile(seen, 0.95),
        "move_to_screen_p99": percentile(seen, 0.99),
        "moves_seen": len(seen),
        "resident_peak": max(peaks),
    }


if __name__ == "__main__":
    print(json.dumps(run(int(sys.argv[1])), indent=1))
