"""How a referee tells a result, with whatever goes wrong on the way; every answer is checked."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

from tournaments.management.rehearsal.asking import Answer, Caller, WentWrongError
from tournaments.management.rehearsal.fates import IMPOSSIBLE, Fate, Result, Twist
from tournaments.management.rehearsal.watching import Watch


@dataclass(frozen=True, slots=True)
class Job:
    """A match that waits for its result: the entries at the table, and how it ends.

    `played` are the matches of each with this one.
    """

    match: int
    table: int
    a: int
    b: int
    played: tuple[int, int]
    fate: Fate


class Referee:
    """Somebody with a link and two devices, and the organiser at hand for corrections."""

    def __init__(self, *, device: Caller, other: Caller, organiser: Caller, path: str, run: str) -> None:
        self._device, self._other, self._organiser = device, other, organiser
        self._path, self._run = path, run

    def work(self, jobs: list[Job], watch: Watch) -> None:
        """Tell the results of these matches, one after the other."""
        for job in jobs:
            watch.expect({job.a: job.played[0], job.b: job.played[1]}, began=time.perf_counter())
            self._tell(job)

    def _tell(self, job: Job) -> None:
        twist, result = job.fate.twist, job.fate.result
        if twist is Twist.WRONG:
            self._put(job, result.turned(), "wrong")
            self._correct(job, seen=1)
        elif twist is Twist.CONTESTED:
            self._contested(job)
        elif twist is Twist.AT_ONCE:
            with ThreadPoolExecutor(2) as pool:
                devices = (self._device, self._other)
                first, second = pool.map(lambda device: self._put(job, result, "told", device=device), devices)
            _same(first, second)
        else:
            if twist is Twist.IMPOSSIBLE:
                self._impossible(job)
            first = self._put(job, result, "told")
            if twist is Twist.TWICE:
                _same(first, self._put(job, result, "told"))
        self._look(job)

    def _put(
        self,
        job: Job,
        result: Result | dict[str, Any],
        word: str,
        *,
        device: Caller | None = None,
        expect: int | tuple[int, ...] = 200,
    ) -> Answer:
        body = result.body() if isinstance(result, Result) else result
        answer = (device or self._device).ask(
            "PUT",
            f"{self._path}matches/{job.match}/result/",
            {**body, "a": job.a, "b": job.b},
            expect=expect,
            Idempotency_Key=f"{self._run}-{job.match}-{word}",
            If_Match='"0"',
        )
        if answer.status == 200 and isinstance(result, Result):
            told = (answer.body["kind"], tuple(answer.body["sets"]), answer.body["winner"])
            if told != (result.kind, result.sets, result.winner):
                raise WentWrongError(f"match {job.match} was told as {result} and taken as {told}")
        return answer

    def _impossible(self, job: Job) -> None:
        for number, body in enumerate(IMPOSSIBLE):
            refused = self._put(job, body, f"impossible-{number}", expect=400)
            if not refused.body["detail"]:
                raise WentWrongError(f"{body} was refused without a reason")

    def _contested(self, job: Job) -> None:
        result = job.fate.result
        with ThreadPoolExecutor(2) as pool:
            mine = pool.submit(self._put, job, result, "mine", expect=(200, 412))
            theirs = pool.submit(self._put, job, result.turned(), "theirs", device=self._other, expect=(200, 412))
            answers = [mine.result(), theirs.result()]
        taken = [answer for answer in answers if answer.status == 200]
        refused = [answer for answer in answers if answer.status == 412]
        if len(taken) != 1:
            raise WentWrongError(f"of two results for match {job.match} at once {len(taken)} were taken")
        stands = refused[0].body
        if stands["code"] != "stale_version" or stands["params"]["sets"] != taken[0].body["sets"]:
            raise WentWrongError(f"who came second at match {job.match} was not told what stands: {stands['params']}")
        if tuple(taken[0].body["sets"]) != result.sets:
            self._correct(job, seen=1)

    def _correct(self, job: Job, *, seen: int) -> None:
        """The organiser puts it right; first from a page that is out of date."""
        path, body = f"{self._path}matches/{job.match}/correct/", job.fate.result.body()
        key = f"{self._run}-{job.match}-correction"
        stale = self._organiser.ask("POST", path, body, expect=412, Idempotency_Key=f"{key}-late", If_Match='"0"')
        if stale.body["params"]["version"] != seen:
            raise WentWrongError(f"a late correction of match {job.match} was told of {stale.body['params']}")
        right = self._organiser.ask("POST", path, body, Idempotency_Key=key, If_Match=f'"{seen}"')
        if right.etag != f'"{seen + 1}"':
            raise WentWrongError(f"match {job.match} is at version {right.etag} after its correction")

    def _look(self, job: Job) -> None:
        """The match as everybody can see it is as it should be."""
        match, result = self._device.get(f"{self._path}matches/{job.match}/")["match"], job.fate.result
        if (match["kind"], tuple(match["sets"]), match["winner"]) != (result.kind, result.sets, result.winner):
            raise WentWrongError(f"match {job.match} should be {result} and is {match}")

    def close(self) -> None:
        """Put the devices away."""
        for device in (self._device, self._other, self._organiser):
            device.close()


def _same(first: Answer, second: Answer) -> None:
    if first.body != second.body:
        raise WentWrongError(f"the same result sent twice was answered {first.body} and {second.body}")
