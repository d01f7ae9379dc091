"""The kill drill: a tournament of 64 while one part after another is killed. Run it with `./bin/test --drill`.

The same tournament is played twice on one copy, in peace and then with a part killed in the middle of each round.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import sqlite3
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, closing
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path
from typing import Any

import psycopg
import pytest
from playwright.sync_api import Page, expect

from tests.journeys.launched import Launched, launched, processes, until
from tests.journeys.patient import Drilled, Told
from tournaments.management.rehearsal.course import Plan

pytestmark = [pytest.mark.drill, pytest.mark.db, pytest.mark.timeout(900)]

PLAYERS = 64
STRUCK_AFTER = 6  # results of a round, of 32
VISIBLE_SECONDS = 10
SUBMISSIONS = (
    "SELECT g.tournament_id, s.key, s.kind, s.sets_a, s.sets_b, s.winner, s.match_id, s.is_confirmed"
    " FROM matches_submission s JOIN tournaments_pairing p ON p.match_id = s.match_id"
    " JOIN tournaments_round r ON r.id = p.round_id JOIN tournaments_stage g ON g.id = r.stage_id"
)
ACTS = "SELECT target, count(*) FROM players_act WHERE verb IN ('enter_result', 'correct_result') GROUP BY target"
BEHIND = re.compile(r"\d+ results? (is|are) not counted yet")


@dataclass
class Ground:
    """Where the drill goes on: the running copy, and how to start another in its place."""

    data: Path
    settings: dict[str, Any]
    copies: ExitStack
    copy: Launched

    @classmethod
    def prepare(cls, data: Path, copies: ExitStack) -> Ground:
        """A first copy, on the database of this run of the tests."""
        settings: dict[str, Any] = {name: os.environ[name] for name in ("DATABASE_URL",) if name in os.environ}
        return cls(data, settings, copies, copies.enter_context(launched(data, **settings)))

    def start_again(self) -> None:
        """What somebody does who finds the launcher gone; on the same port, where pages look for it."""
        self.copy = self.copies.enter_context(launched(self.data, port=self.copy.port, **self.settings))

    def get(self, path: str) -> Any:
        """What the API answers; None while it does not."""
        status, text = self.copy.get(f"/api/{path}")
        return json.loads(text) if status == HTTPStatus.OK else None

    def rows(self, query: str) -> list[tuple[Any, ...]]:
        """Rows of the database, read beside the product."""
        if url := self.settings.get("DATABASE_URL"):
            with psycopg.connect(url) as postgres:
                return postgres.execute(query).fetchall()
        with closing(sqlite3.connect(f"file:{self.data}/cantina.sqlite3?mode=ro", uri=True)) as sqlite:
            return sqlite.execute(query).fetchall()


# --- Faults. Each returns as soon as what it broke runs again.


def kill(ground: Ground, words: str) -> Callable[[], bool]:
    """Kill the one child with these words in its command line; whether another runs in its place."""
    before = ground.copy.child(words)
    os.kill(before, signal.SIGKILL)
    return lambda: ground.copy.child(words) not in (0, before)


def says_that_it_is_behind(ground: Ground, path: str) -> bool:
    return BEHIND.search(ground.copy.get(f"/{path}standings/")[1]) is not None


def the_worker_and_its_clock(ground: Ground, page: Page, path: str) -> None:
    is_back = kill(ground, "celery")
    until(lambda: says_that_it_is_behind(ground, path), saying="a page that says it is behind")
    until(is_back, saying="a new worker")


def the_web(ground: Ground, page: Page, path: str) -> None:
    kill(ground, "uvicorn")
    expect(page.locator("[data-live-state]")).not_to_have_text("Live", timeout=15_000)
    until(lambda: ground.copy.get("/")[0] == HTTPStatus.OK, saying="pages again")


def redis_with_all_it_held(ground: Ground, page: Page, path: str) -> None:
    is_back = kill(ground, "valkey-server")
    shutil.rmtree(ground.data / "redis" / "appendonlydir")
    until(lambda: says_that_it_is_behind(ground, path), saying="a page that says it is behind")
    until(is_back, saying="a new Redis")


def all_at_once(ground: Ground, page: Page, path: str) -> None:
    for words in ("celery", "uvicorn", "valkey-server"):
        kill(ground, words)
    expect(page.locator("[data-live-state]")).not_to_have_text("Live", timeout=15_000)
    until(lambda: ground.copy.get("/")[0] == HTTPStatus.OK, saying="pages again")


def the_launcher(ground: Ground, page: Page, path: str) -> None:
    family = ground.copy.family()
    assert ground.copy.stop(signal.SIGKILL) == -signal.SIGKILL
    expect(page.locator("[data-live-state]")).not_to_have_text("Live", timeout=15_000)
    until(lambda: not family.keys() & processes().keys(), saying="the end of every child")
    ground.start_again()


FAULTS = (the_worker_and_its_clock, the_web, redis_with_all_it_held, all_at_once, the_launcher)


# --- The drill.


def test_whatever_is_killed_nothing_is_lost_and_nothing_happens_twice(tmp_path: Path, desktop: Page) -> None:
    with ExitStack() as copies, ThreadPoolExecutor(1) as pool:
        ground = Ground.prepare(tmp_path / "data", copies)
        peace, drill = (copies.enter_context(closing(rehearsal(ground))) for _ in range(2))
        peace.mend(PLAYERS)
        peace.run()

        running = pool.submit(drill.run)
        try:
            for number, strike in enumerate(FAULTS, start=1):
                wait_for_round(drill, running, number)
                if number == 1:
                    desktop.goto(f"{ground.copy.url}/{public(drill)}standings/")
                    expect(desktop.locator("[data-live-state]")).to_have_text("Live")
                strike(ground, desktop, public(drill))
                seconds = seconds_to_see_everything(ground, drill, desktop)
                print(f"{strike.__name__}: all is visible {seconds:.1f} s after the restart")
                assert seconds < VISIBLE_SECONDS
                drill.mend(number)
        finally:
            drill.mend(PLAYERS)
        running.result()

        assert drill.table() == peace.table()
        check_the_record(ground, drill)


def rehearsal(ground: Ground) -> Drilled:
    plan = Plan(
        url=ground.copy.url,
        token=ground.copy.demo["organiser"]["token"],
        players=PLAYERS,
        format="swiss",
        referees=3,
        seed=1,
    )
    return Drilled(plan, say=lambda _line: None)


def public(drill: Drilled) -> str:
    """Where the public pages of the tournament are."""
    return f"t/{drill.path.split('/')[1]}/"


def wait_for_round(drill: Drilled, running: Future[None], number: int) -> None:
    """Until this round is being told. What went wrong in the rehearsal is raised at once."""

    def is_told(told: list[Told]) -> bool:
        return running.done() or (len(drill.begun) == number and len(told) >= drill.begun[-1] + STRUCK_AFTER)

    running.add_done_callback(lambda _done: drill.answered.wake())
    drill.answered.wait_for(is_told)
    if running.done():
        running.result()
        raise AssertionError(f"the rehearsal ended before round {number}")


def seconds_to_see_everything(ground: Ground, drill: Drilled, page: Page) -> float:
    """How long until nothing waits to be counted, and the page that was open all the time shows it."""
    began = time.monotonic()

    def counted() -> str:
        found = ground.get(f"{drill.path}standings/?page_size=1")
        return str(found["version"]) if found and not found["behind"] else ""

    version = until(counted, saying="standings with every result")
    page.wait_for_function(
        """least => Number.parseInt(document.querySelector("[data-live]").dataset.version) >= least
                    && document.querySelector("[data-live-state]").textContent === "Live" """,
        arg=int(version.partition(".")[0]),
        timeout=60_000,
    )
    return time.monotonic() - began


def check_the_record(ground: Ground, drill: Drilled) -> None:
    """Every answer is in the database as it was given, once; and whatever is there has one line in the log."""
    mine = int(drill.path.split("/")[1])
    kept = {
        key: (kind, (sets_a, sets_b), winner, match, bool(is_confirmed))
        for tournament, key, kind, sets_a, sets_b, winner, match, is_confirmed in ground.rows(SUBMISSIONS)
        if tournament == mine
    }
    told = {each.key: (each.kind, each.sets, each.winner) for each in drill.answered.told}
    assert {key: row[:3] for key, row in kept.items()} == told
    submissions = Counter(f"match/{match}" for *_, match, _is_confirmed in kept.values())
    confirmed = Counter(f"match/{match}" for *_, match, is_confirmed in kept.values() if is_confirmed)
    assert confirmed == dict.fromkeys(submissions, 1)
    assert {target: count for target, count in ground.rows(ACTS) if target in submissions} == submissions
