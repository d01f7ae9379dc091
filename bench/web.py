"""The main job on a launched copy: how soon a result is seen, what a public page costs, how long a big list takes.

A Swiss of 128 in round 7 with 200 open streams; pages also of a Swiss of 512 in round 7; a list of 1,000. Seconds that
say nothing else are milliseconds, memory is in megabytes: `resident` counts what processes share in each of them, as
the systems' own lists do, `proportional` shares it out, so that only its sum is what all of it takes. Compare ratios,
not times, between two machines: `page_*` and `unchanged` set our standings page beside a view that has the same bytes
ready, on a server of the same kind; `cpu` is the server's processor time for an answer, which other work on the machine
disturbs least. `machine_load` is how many programs wanted a processor in the minute before and in the last one.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import resource
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import redis
from playwright.sync_api import Page, sync_playwright

from bench.load import ask, hold_stream, load, percentile
from bin.embedded import free_port
from tests.journeys.conftest import FLAGS
from tests.journeys.launched import ROOT, Launched, environment, launched, until
from tests.services import chromium
from tournaments.management.rehearsal.asking import Answer, Caller, Clock

PLAYERS = 128
STREAMS = 199  # and one of the browser
COLD_PLAYERS = 512
COLD_TIMES = 10
LIST = 1_000
NO_REDIS = "redis://127.0.0.1:1/0"
PACKED = {"Accept-Encoding": "gzip", "Accept-Language": "en"}

# The first moment each version of the standings is in the page, by the machine's clock.
SEEN = """() => {
  window.seen = {};
  const look = () => {
    const version = Number.parseInt(document.querySelector("[data-live]").dataset.version);
    window.seen[version] ??= Date.now();
  };
  new MutationObserver(look).observe(document.body, {attributes: true, childList: true, subtree: true});
  look();
}"""


def run() -> dict[str, float]:
    """Everything, on one copy that is started for it."""
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(4_096, hard) if hard > 0 else 4_096, hard))
    found: dict[str, float] = {"machine_load_before": os.getloadavg()[0], "machine_cores": os.cpu_count() or 0}
    with TemporaryDirectory() as folder, launched(Path(folder) / "data") as copy:
        organiser = Organiser(copy)
        organiser.public_version(1)  # so that everything is loaded
        found |= memory(copy, "idle")
        found |= organiser.big_list(LIST)
        small = organiser.swiss(PLAYERS)
        found |= seen(copy, organiser, small)
        found |= pages(copy, small, Path(folder) / "bare")
        big = organiser.swiss(COLD_PLAYERS)
        found |= cold(copy, big)
        found |= memory(copy, "after")
        for size, of in ((PLAYERS, organiser.swiss(PLAYERS)), (COLD_PLAYERS, big)):
            found |= organiser.queries(of, size)
        found["machine_load_after"] = os.getloadavg()[0]
    return found


class Organiser:
    """Makes tournaments over the API."""

    def __init__(self, copy: Launched) -> None:
        self._copy = copy
        self._rng = random.Random("web")
        token = copy.demo["organiser"]["token"]
        self.api = Caller(url=copy.url, authorization=f"Bearer {token}", clock=Clock())
        self.event = self._post("events/", name="Bench", zone="Europe/Riga", starts_on="2027-05-22").body["id"]

    def _post(self, path: str, **body: Any) -> Answer:
        return self.api.ask("POST", path, body, expect=(200, 201))

    def public_version(self, tournament: int) -> int:
        """The number of times the standings were worked out; asked until nothing waits."""

        def settled() -> str:
            table = self.api.get(f"tournaments/{tournament}/standings/?page_size=1")
            return "" if table["behind"] else str(table["version"])

        return int(until(settled, saying="the standings").partition(".")[0])

    def started(self, size: int) -> tuple[int, dict[str, float]]:
        """A Swiss with its first round out, and how long each request took."""
        made = self._post(f"events/{self.event}/tournaments/", name=f"{size}", format="swiss", rounds=None, seed="web")
        path = f"tournaments/{made.body['id']}/"
        rows = [{"name": f"Player {number:04}", "rating": 3_000 - number} for number in range(1, size + 1)]
        kept = self._post(f"{path}imports/", rows=rows, filename="bench")
        took = {"import_read": kept.seconds}
        took["import_confirm"] = self._post(f"{path}imports/{kept.body['id']}/confirm/").seconds
        until(
            lambda: self.api.get(f"{path}imports/{kept.body['id']}/")["state"] == "done",
            saying="the list on the roster",
        )
        self._post(f"{path}open-check-in/")
        took["check_in_all"] = self._post(f"{path}check-in-all/").seconds
        took["start"] = self._post(f"{path}start/").seconds
        took["publish"] = self._post(f"{path}publish/").seconds
        self.public_version(made.body["id"])
        return made.body["id"], took

    def big_list(self, size: int) -> dict[str, float]:
        """Milliseconds of each request on the way from a list to a first round, and of the longest."""
        _tournament, took = self.started(size)
        found = {f"list_{size}_{name}": seconds * 1_000 for name, seconds in took.items()}
        return {**found, f"list_{size}_longest": max(found.values())}

    def swiss(self, size: int) -> int:
        """A Swiss in its seventh round."""
        (tournament,) = self._beside("bench.field", size)
        self.public_version(tournament)
        return tournament

    def queries(self, tournament: int, size: int) -> dict[str, float]:
        """The statements one of its results takes until it is answered, and then until it is in the standings."""
        told, counted = self._beside("bench.queries", tournament)
        return {f"queries_to_answer_a_result_{size}": told, f"queries_to_count_a_result_{size}": counted}

    def _beside(self, program: str, about: int) -> list[int]:
        """The numbers a program says that works on the same data."""
        settings = {"DATA": str(self._copy.data), "REDIS_URL": NO_REDIS, "DJANGO_SETTINGS_MODULE": "config.settings"}
        said = subprocess.run(
            [sys.executable, "-m", program, str(about)],
            cwd=ROOT,
            env=environment(**settings),
            stdout=subprocess.PIPE,
            text=True,
            check=True,
        ).stdout
        return [int(number) for number in said.split()]

    def open_matches(self, tournament: int) -> list[int]:
        """The matches that wait for a result."""
        rows = self.api.rows(f"tournaments/{tournament}/pairings/")
        return [row["match"]["id"] for row in rows if row["match"] is not None and not row["match"]["kind"]]

    def tell(self, tournament: int, match: int) -> Answer:
        """The result of a match."""
        lost = self._rng.randint(0, 2)
        return self.api.ask(
            "PUT",
            f"tournaments/{tournament}/matches/{match}/result/",
            {"kind": "score", "sets": self._rng.choice(([3, lost], [lost, 3])), "version": 0},
            Idempotency_Key=f"bench-{match}",
        )


# --- From the hand of a referee to an open page.


def seen(copy: Launched, organiser: Organiser, tournament: int) -> dict[str, float]:
    """One result after the other, each until the browser's page shows it, with all streams open."""
    with sync_playwright() as playwright, ThreadPoolExecutor(1) as pool:
        browser = playwright.chromium.launch(executable_path=chromium(), args=FLAGS.split())
        page = browser.new_page()
        page.goto(f"{copy.url}/t/{tournament}/standings/")
        page.wait_for_function("() => document.querySelector('[data-live-state]').textContent === 'Live'")
        page.evaluate(SEEN)
        hall = Hall(copy.port, tournament)
        running = pool.submit(asyncio.run, hall.run())
        until(lambda: hall.is_open, saying=f"{STREAMS} streams")
        found = _tell_all(organiser, tournament, page)
        hall.close()
        running.result()
        browser.close()
    return {**found, "regions_fetched_by_streams": len(hall.shown)}


def _tell_all(organiser: Organiser, tournament: int, page: Page) -> dict[str, float]:
    posts, waits = [], []
    for match in organiser.open_matches(tournament):
        before = organiser.public_version(tournament)
        began = time.time()
        posts.append(organiser.tell(tournament, match).seconds * 1_000)
        page.wait_for_function("version => window.seen[version]", arg=before + 1)
        waits.append(page.evaluate("version => window.seen[version]", before + 1) - began * 1_000)
    return {
        "post_p50": percentile(posts, 0.5),
        "post_p95": percentile(posts, 0.95),
        "post_to_dom_p50": percentile(waits, 0.5),
        "post_to_dom_p95": percentile(waits, 0.95),
        "post_to_dom_p95_over_post_p95": percentile(waits, 0.95) / percentile(posts, 0.95),
    }


class Hall:
    """Open pages without a browser, in a loop of their own."""

    def __init__(self, port: int, tournament: int) -> None:
        self._port, self._tournament = port, tournament
        self._over = False
        self._opened: list[asyncio.Event] = []
        self.shown: list[float] = []

    @property
    def is_open(self) -> bool:
        """Whether every stream has said hello."""
        return len(self._opened) == STREAMS and all(event.is_set() for event in self._opened)

    def close(self) -> None:
        """Leave."""
        self._over = True

    async def run(self) -> None:
        """Open the streams, and keep them until told to leave."""
        topic, region = f"tournament/{self._tournament}", f"/t/{self._tournament}/standings/?part=standings"
        streams = []
        for _ in range(STREAMS):
            self._opened.append(asyncio.Event())
            stream = hold_stream(self._port, topic, region, self._opened[-1], self.shown)
            streams.append(asyncio.create_task(stream))
        while not self._over:
            await asyncio.sleep(0.1)
        for each in streams:
            each.cancel()
        await asyncio.gather(*streams, return_exceptions=True)


# --- The public page.


def pages(copy: Launched, tournament: int, body: Path) -> dict[str, float]:
    """Our standings page, kept and unchanged, beside the bare view."""
    path = f"/t/{tournament}/standings/"
    _status, headers, packed = asyncio.run(ask(copy.port, path, PACKED))
    body.write_bytes(packed)
    found: dict[str, float] = {"page_bytes": len(packed)}
    web = copy.child("uvicorn")
    with bare(body, copy.data) as (port, bare_web):
        sides = (("ours", web, copy.port, path, headers["etag"]), ("theirs", bare_web, port, "/", '"bare"'))
        for name, status, header in (("page_warm", 200, None), ("unchanged", 304, "If-None-Match")):
            for side, pid, at, address, etag in sides:
                asked = PACKED | ({header: etag} if header else {})
                asyncio.run(load(at, address, asked, status=status, seconds=1))
                before = cpu_seconds(pid)
                told = asyncio.run(load(at, address, asked, status=status))
                found[f"{name}_cpu.{side}"] = (cpu_seconds(pid) - before) / told.answers * 1_000
                found[f"{name}_ms.{side}"] = 1_000 / told.rate
                found[f"{name}_p99.{side}"] = told.p99
                found[f"{name}_a_second_{side}"] = told.rate
    return found


@contextmanager
def bare(body: Path, data: Path) -> Iterator[tuple[int, int]]:
    """The bare view on a server like ours; its port and its process."""
    port = free_port()
    command = [sys.executable, "-m", "uvicorn", "config.asgi:application", "--port", str(port)]
    command += ["--log-level", "warning", "--no-access-log", "--no-server-header", "--lifespan", "off"]
    settings = {"DATA": str(data), "BARE": str(body), "DJANGO_SETTINGS_MODULE": "bench.bare"}
    # In a session of its own, as ours is: a busy machine shares its processors out by sessions.
    process = subprocess.Popen(command, cwd=ROOT, env=environment(**settings), start_new_session=True)

    def answers() -> bool:
        with suppress(OSError):
            return asyncio.run(ask(port, "/", PACKED))[0] == 200
        return False

    try:
        until(answers, saying="the bare view")
        yield port, process.pid
    finally:
        process.terminate()
        process.wait()


def cold(copy: Launched, tournament: int) -> dict[str, float]:
    """Pages that nobody asked for since the last change: processor time of the server, time, and bytes.

    What follows the question mark keeps a page from being shared, and the cache is emptied before each.
    """
    found = {}
    cache = redis.Redis.from_url(_cache_url(copy))
    for name, path in (("standings", f"/t/{tournament}/standings/?cold"), ("tournament", f"/t/{tournament}/?cold")):
        times, size = [], 0
        asyncio.run(ask(copy.port, path, PACKED))
        before = cpu_seconds(copy.child("uvicorn"))
        for _ in range(COLD_TIMES):
            cache.flushdb()
            began = time.perf_counter()
            _status, _headers, packed = asyncio.run(ask(copy.port, path, PACKED))
            times.append((time.perf_counter() - began) * 1_000)
            size = len(packed)
        key = f"cold_{name}_{COLD_PLAYERS}"
        found[f"{key}_cpu"] = (cpu_seconds(copy.child("uvicorn")) - before) / COLD_TIMES * 1_000
        found[f"{key}_p99"] = percentile(times, 0.99)
        found[f"{key}_a_second"] = 1_000 / (sum(times) / len(times))
        found[f"{key}_bytes"] = size
    return found


def _cache_url(copy: Launched) -> str:
    url: str = json.loads((copy.data / "run.json").read_text())["redis_url"]
    return url.removesuffix("/0") + "/1"


def cpu_seconds(pid: int) -> float:
    """Processor time a process has used, from Linux' own account."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


# --- Memory.


def memory(copy: Launched, when: str) -> dict[str, float]:
    """Megabytes of each process and of all together, in both ways of counting."""
    found: dict[str, float] = {}
    sums = {"resident": 0.0, "proportional": 0.0}
    names = (("valkey", "redis"), ("celery", "worker"), ("uvicorn", "web"), ("guard", "guard"))
    for pid, args in {copy.process.pid: "launcher", **copy.family()}.items():
        name = next((short for words, short in names if words in args), args)
        for way, size in zip(sums, megabytes(pid), strict=True):
            found[f"memory_{when}_{way}_{name}"] = size
            sums[way] += size
    return found | {f"memory_{when}_{way}_total": total for way, total in sums.items()}


def megabytes(pid: int) -> tuple[float, float]:
    """What a process has in memory, resident and proportional."""
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    sizes = {line.split()[0]: int(line.split()[1]) / 1_024 for line in lines[1:]}
    return sizes["Rss:"], sizes["Pss:"]
