"""The Celery app: tasks are thin and live in the apps; a beat job sweeps whatever a lost message left behind."""

import logging
import os
import signal
from threading import Thread
from typing import Any

from celery import Celery, bootsteps
from celery.beat import Service
from celery.signals import before_task_publish
from click import Option

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

log = logging.getLogger(__name__)

app = Celery("cantina")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@before_task_publish.connect(sender="tournaments.tasks.sweep")
def say_the_clock_lives(**sent: Any) -> None:
    """The page of the house's health asks when the sweep was last sent: only the clock sends it."""
    # Once the apps are loaded: a task is sent long after this module is read.
    from django.core.cache import cache
    from django.utils import timezone

    from tournaments.queries.health import CLOCK, pulse_key

    cache.set(pulse_key(CLOCK), timezone.now(), None)


class Ticking(Thread):
    """Beat in a thread. Should it ever end by itself, the worker stops too, and whoever keeps it starts both anew."""

    def __init__(self, *, file: str) -> None:
        super().__init__(name="clock", daemon=True)
        options: dict[str, Any] = {"max_interval": 1, "schedule_filename": file, "remote_control": False}
        self._service = Service(app, **options)
        self._asked = False

    def run(self) -> None:
        """Tick until asked to stop."""
        try:
            self._service.start()
        except Exception:
            log.exception("the clock failed")
        finally:
            if not self._asked:
                os.kill(os.getpid(), signal.SIGTERM)

    def stop(self) -> None:
        """End with the next tick."""
        self._asked = True
        self._service.stop()
        self.join(timeout=2)


class Clock(bootsteps.StartStopStep):
    """`celery worker --clock FILE`: the worker has beat with it, and FILE keeps when each job ran last.

    `-B` would make beat a process that nobody starts again when it dies alone, with sixty megabytes of its own.
    """

    label = "Clock"
    conditional = True

    def __init__(self, worker: Any, clock: str = "", **options: Any) -> None:
        self.enabled = bool(clock)
        self._file = clock
        super().__init__(worker, **options)

    def create(self, worker: Any) -> Any:
        return Ticking(file=self._file)


app.user_options["worker"].add(Option(["--clock"], default="", help="Run beat too, with its schedule in this file."))
app.steps["worker"].add(Clock)
