"""A rehearsal by people who ask again until they are answered, and whoever breaks things while it goes on."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from http import HTTPStatus
from threading import Condition
from typing import Any

from tournaments.management.rehearsal.asking import Answer, Caller, Clock, WentWrongError
from tournaments.management.rehearsal.course import Plan, Rehearsal
from tournaments.management.rehearsal.telling import Job, Referee
from tournaments.management.rehearsal.watching import Watch

PATIENCE_SECONDS = 120
PAUSE_SECONDS = 0.2
KEY = "Idempotency-Key"


@dataclass(frozen=True, slots=True)
class Told:
    """A result that was answered with success: its key, and what the answer says of the match."""

    key: str
    kind: str
    sets: tuple[int, int]
    winner: str


@dataclass
class Answered:
    """Every result that was answered with success, from all threads."""

    told: list[Told] = field(default_factory=list)
    changed: Condition = field(default_factory=Condition)

    def note(self, told: Told) -> None:
        """Keep one."""
        with self.changed:
            self.told.append(told)
            self.changed.notify_all()

    def wake(self) -> None:
        """Let everybody who waits look again."""
        with self.changed:
            self.changed.notify_all()

    def wait_for(self, is_so: Callable[[list[Told]], bool]) -> None:
        """Until it is so; TimeoutError if it never is."""
        with self.changed:
            if not self.changed.wait_for(lambda: is_so(self.told), PATIENCE_SECONDS):
                raise TimeoutError("the rehearsal stands still")


class Patient(Caller):
    """Sends a request again, under the same key, while nobody answers or the server says that it cannot now."""

    def __init__(self, *, url: str, authorization: str, clock: Clock, answered: Answered) -> None:
        super().__init__(url=url, authorization=authorization, clock=clock)
        self._answered = answered

    def _send(self, method: str, path: str, data: bytes | None, headers: dict[str, str]) -> Answer:
        deadline = time.monotonic() + PATIENCE_SECONDS
        while True:
            try:
                answer = super()._send(method, path, data, headers)
            except WentWrongError:
                if time.monotonic() > deadline:
                    raise
            else:
                if answer.status != HTTPStatus.SERVICE_UNAVAILABLE or time.monotonic() > deadline:
                    break
            time.sleep(PAUSE_SECONDS)
        if KEY in headers and answer.status == HTTPStatus.OK:
            said = answer.body
            self._answered.note(Told(headers[KEY], said["kind"], tuple(said["sets"]), said["winner"]))
        return answer


class Drilled(Rehearsal):
    """Runs with patience, and ends no round before whatever was broken in it works again."""

    def __init__(self, plan: Plan, *, say: Callable[[str], object]) -> None:
        self.answered = Answered()
        self.begun: list[int] = []  # for each round so far, how many results had been told before it
        self.mended = 0  # rounds that may end
        self._callers: list[Caller] = []
        super().__init__(plan, say=say)

    def _caller(self, authorization: str) -> Caller:
        made = Patient(url=self.plan.url, authorization=authorization, clock=self.clock, answered=self.answered)
        self._callers.append(made)
        return made

    def close(self) -> None:
        """Hang up, everybody."""
        for each in self._callers:
            each.close()

    def _jobs(self) -> list[Job]:
        jobs = super()._jobs()
        self.begun.append(len(self.answered.told))
        return jobs

    def _play_round(self, referees: list[Referee], watch: Watch) -> None:
        super()._play_round(referees, watch)
        self.answered.wait_for(lambda _told: self.mended >= len(self.begun))

    def mend(self, number: int) -> None:
        """Rounds up to this one may end."""
        self.mended = number
        self.answered.wake()

    def table(self) -> list[tuple[Any, ...]]:
        """The final standings without anything that differs between two runs: ids and times."""
        return [
            (row["rank"], row["entry"]["name"], *(row[name] for name in COLUMNS), json.dumps(row["values"]))
            for row in self.public.rows(f"{self.path}standings/")
        ]


COLUMNS = ("points", "wins", "ties", "losses", "byes", "sets_won", "sets_lost")
