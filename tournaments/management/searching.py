"""One search for a better plan, as its process goes through it: the solver in a thread, what it finds written down."""

from __future__ import annotations

import logging
from collections.abc import Callable
from threading import Thread

from django.utils import timezone

from tournaments.actions import searches
from tournaments.actions.searches import Begun
from tournaments.engine.scheduling.improve import Improved, Progress, improve

log = logging.getLogger(__name__)

_TICK = 1.0  # seconds between two words of how far it is


class _Looking(Thread):
    """The solver at work. It asks no database."""

    def __init__(self, begun: Begun) -> None:
        super().__init__(name="solver", daemon=True)
        self.found: Improved | None = None
        self.progress: Progress | None = None
        self._begun = begun
        self._end: Callable[[], None] | None = None
        self._is_asked = False

    def run(self) -> None:
        """Look, and say why if nothing comes of it."""
        facts = self._begun.facts
        try:
            self.found = improve(
                matches=facts.matches,
                hall=facts.hall,
                now=facts.now,
                seconds=self._begun.search.seconds,
                progress=self._note,
                ready=self._ready,
            )
        except Exception:
            log.exception("search %s came to nothing", self._begun.search.pk)

    def end(self) -> None:
        """End with what was found by now."""
        self._is_asked = True
        if self._end is not None:
            self._end()

    def _ready(self, end: Callable[[], None]) -> None:
        self._end = end

    def _note(self, progress: Progress) -> bool:
        self.progress = progress
        return not self._is_asked


def search(*, search_id: int) -> None:
    """Look for the better plan that was asked for. Nothing where another process does, or it is over."""
    begun = searches.begin_search(search_id=search_id, now=timezone.now())
    if begun is None:
        return
    looking = _Looking(begun)
    looking.start()
    while looking.is_alive():
        looking.join(_TICK)
        seen = looking.progress
        end, bound = (None, None) if seen is None else (seen.followed, seen.bound)
        if not searches.note_progress(search_id=search_id, now=timezone.now(), end=end, bound=bound):
            looking.end()
    if looking.found is None:
        searches.fail_search(search_id=search_id, now=timezone.now())
    else:
        searches.finish_search(begun=begun, found=looking.found, now=timezone.now())
