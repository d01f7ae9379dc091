"""Somebody in the hall who looks at the public standings all the time: how long until a result is there to be seen."""

from __future__ import annotations

import time
from dataclasses import dataclass
from threading import Condition, Event, Thread

from tournaments.management.rehearsal.asking import Caller, Clock, WentWrongError

LOOK_SECONDS = 0.02
PATIENCE_SECONDS = 60


@dataclass(frozen=True, slots=True)
class _Awaited:
    """A result that was sent at `began`: seen once each of these entries has so many matches in the table."""

    counts: dict[int, int]
    began: float


class Watch(Thread):
    """Reads the standings as anybody can, again and again, by ETag."""

    def __init__(self, *, caller: Caller, path: str, clock: Clock) -> None:
        super().__init__(name="watch", daemon=True)
        self._caller, self._path, self._clock = caller, f"{path}standings/", clock
        self._changed = Condition()
        self._awaited: list[_Awaited] = []
        self._error: WentWrongError | None = None
        self._over = Event()

    def run(self) -> None:
        etag = ""
        try:
            while not self._over.wait(LOOK_SECONDS):
                answer = self._caller.ask(
                    "GET", f"{self._path}?page_size=500", expect=(200, 304), **({"If_None_Match": etag} if etag else {})
                )
                if answer.status == 200:
                    etag = answer.etag
                    rows = answer.body["results"]
                    if answer.body["next"] is not None:
                        rows = self._caller.rows(self._path)
                    self._see({row["entry"]["id"]: row["wins"] + row["ties"] + row["losses"] for row in rows})
        except WentWrongError as error:
            with self._changed:
                self._error = error
                self._changed.notify_all()
        finally:
            self._caller.close()

    def _see(self, played: dict[int, int]) -> None:
        now = time.perf_counter()
        with self._changed:
            still = []
            for awaited in self._awaited:
                if all(played.get(entry, 0) >= count for entry, count in awaited.counts.items()):
                    self._clock.note(self._clock.visible, now - awaited.began)
                else:
                    still.append(awaited)
            self._awaited = still
            self._changed.notify_all()

    def expect(self, counts: dict[int, int], *, began: float) -> None:
        """A result is on its way; with it each of its entries has played so many matches."""
        with self._changed:
            self._awaited.append(_Awaited(counts, began))

    def wait(self) -> None:
        """Until everything that was sent has been seen."""
        with self._changed:
            seen = self._changed.wait_for(lambda: self._error is not None or not self._awaited, PATIENCE_SECONDS)
        if self._error is not None:
            raise self._error
        if not seen:
            raise WentWrongError(f"{len(self._awaited)} results were not in the standings after {PATIENCE_SECONDS} s")

    def stop(self) -> None:
        """Look no more."""
        self._over.set()
        self.join()
