"""What the plan of an event costs in the database: reading its facts, planning, writing it down; and calling.

A Swiss of 512 in the fifth of nine rounds, everyone at once, and a double elimination of 251, 500 matches, half of them
played, from the queue to 32 tables. Milliseconds of processor time, which other work disturbs least, in a process with
a SQLite of its own, and statements. `first` writes every slot, `again` finds nothing changed, `result` follows one
result, `calls` calls to the tables that became free. `again_ms` has two sides: theirs is the planner alone, told the
same facts, so that the ratio says what of the whole is planning.
"""

from __future__ import annotations

import json
import logging
import subprocess
import sys
import time
from collections.abc import Callable
from datetime import datetime, timedelta
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import django

from bench.web import NO_REDIS
from tests.journeys.launched import ROOT, environment

if TYPE_CHECKING:
    from tournaments.models import Tournament

SWISS, ROUNDS, ROUND = 512, 9, 5
DOUBLE, TABLES = 251, 32


def run() -> dict[str, float]:
    """Everything, in a process with a database of its own."""
    with TemporaryDirectory() as folder:
        settings = {"DATA": folder, "REDIS_URL": NO_REDIS, "DJANGO_SETTINGS_MODULE": "config.settings"}
        said = subprocess.run(
            [sys.executable, "-m", "bench.plan"],
            cwd=ROOT,
            env=environment(**settings),
            stdout=subprocess.PIPE,
            text=True,
            check=True,
        ).stdout
    found: dict[str, float] = json.loads(said)
    return found


def main() -> dict[str, float]:
    """The measurements of both tournaments, each in an event of its own."""
    # Django has to be set up before anything of ours is imported.
    from django.core.management import call_command

    logging.disable(logging.WARNING)  # we speak to no Redis
    call_command("migrate", verbosity=0)
    found: dict[str, float] = {}
    for name, make in (("swiss_512", swiss), ("double_251", double)):
        tournament, now = make()
        found |= {f"{name}_{key}": value for key, value in measured(tournament, now).items()}
    return found


def swiss() -> tuple[Tournament, datetime]:
    """A Swiss with half of its fifth round played."""
    from tests.factories import NOW, make_field, make_tournament
    from tests.tournaments.play import draft, pairings, play_open, publish, report, start

    tournament = make_tournament(seeding="rating", options={"rounds": ROUNDS})
    make_field(size=SWISS, tournament=tournament)
    start(tournament)
    for _ in range(1, ROUND):
        play_open(tournament)
        draft(tournament)
        publish(tournament)
    for pairing in pairings(tournament, ROUND)[: SWISS // 4]:
        report(pairing, (3, 1))
    return tournament, NOW + timedelta(minutes=10)


def double() -> tuple[Tournament, datetime]:
    """A double elimination with half of its matches played and the next called."""
    from tests.factories import NOW, make_field, make_tournament
    from tests.tournaments.halls import put_up
    from tests.tournaments.play import count_up, report, start
    from tournaments.actions.queue import call_matches
    from tournaments.models import Pairing

    tournament = make_tournament(seeding="rating", format="double_elimination", seating="queue")
    put_up(tournament, range(1, TABLES + 1))
    make_field(size=DOUBLE, tournament=tournament)
    start(tournament)
    now, played = NOW, 0
    while played < DOUBLE - 1:
        call_matches(event_id=tournament.event_id, now=now)
        now += timedelta(minutes=20)
        sitting = Pairing.objects.filter(table_use__isnull=False).select_related("match", "round__stage__tournament")
        for pairing in sitting:
            report(pairing, (3, 1), now=now)
            played += 1
        count_up(tournament, now=now)
    return tournament, now


def measured(tournament: Tournament, now: datetime) -> dict[str, float]:
    """What each part takes, with what there is to do and without."""
    from tests.tournaments.play import count_up, report
    from tournaments.actions import plans
    from tournaments.actions.queue import call_matches
    from tournaments.engine import scheduling
    from tournaments.models import HallPlan, Pairing
    from tournaments.queries.plan_facts import plan_facts

    event = tournament.event_id

    def replan(minutes: int) -> Callable[[], None]:
        def again() -> None:
            HallPlan.objects.filter(event=event).update(made_at=None)
            plans.replan(event_id=event, now=now + timedelta(minutes=minutes))

        return again

    count_up(tournament, now=now)
    call_matches(event_id=event, now=now)
    facts = plan_facts(event_id=event, now=now)
    found = {"matches": float(len(facts.matches))}
    found |= _cost("facts", lambda: plan_facts(event_id=event, now=now))
    found |= _cost("first", replan(0), times=1)
    found |= _cost("again", replan(0))
    found["again_ms.ours"] = found.pop("again_ms")
    alone = _cost("alone", lambda: scheduling.plan(matches=facts.matches, hall=facts.hall, now=facts.now))
    found["again_ms.theirs"] = alone["alone_ms"]
    later = now + timedelta(minutes=6)
    open_now = Pairing.objects.filter(match__kind="", round__published_at__isnull=False, table__isnull=False)
    report(open_now.select_related("match", "round__stage__tournament").earliest("pk"), (3, 1), now=later)
    count_up(tournament, now=later)
    found |= _cost("result", replan(6), times=1)
    found |= _cost("calls", lambda: call_matches(event_id=event, now=later), times=1)
    found["called"] = Pairing.objects.filter(called_at=later).count()
    return found


def _cost(name: str, call: Callable[[], Any], times: int = 3) -> dict[str, float]:
    """The shortest of several runs in milliseconds, and the statements of one."""
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    took = []
    for _ in range(times):
        began = time.process_time()
        call()
        took.append(time.process_time() - began)
    found = {f"{name}_ms": min(took) * 1000}
    if times > 1:
        with CaptureQueriesContext(connection) as told:
            call()
        found[f"{name}_queries"] = len(told)
    return found


if __name__ == "__main__":
    django.setup()
    print(json.dumps(main()))
