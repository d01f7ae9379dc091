"""Play a whole event against a running server, over HTTP alone, and check everything that comes of it."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from tournaments.management.rehearsal.asking import WentWrongError, percentile
from tournaments.management.rehearsal.course import FORMATS, LEAST_PLAYERS, Plan, Rehearsal


class Command(BaseCommand):
    """`manage.py rehearse`: exit code 0 only if all is right. Opens no database."""

    help = (
        "Play a whole event against a running server over HTTP: import, check-in, pairing, results from several"
        " referees with their mistakes, and a final table checked against a recomputation of its own."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--players", type=int, default=64)
        parser.add_argument("--format", choices=FORMATS, default="swiss")
        parser.add_argument("--referees", type=int, default=3)
        parser.add_argument("--seed", type=int, default=1)
        parser.add_argument("--url", help="the server; the demo's unless given")
        parser.add_argument("--token", help="a token for scripts; the demo's unless given")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["players"] < LEAST_PLAYERS or options["referees"] < 1:
            raise CommandError(f"A rehearsal takes at least {LEAST_PLAYERS} players and one referee.")
        plan = Plan(
            url=(options["url"] or _demo("url")).rstrip("/"),
            token=options["token"] or _demo("token"),
            players=options["players"],
            format=options["format"],
            referees=options["referees"],
            seed=options["seed"],
        )
        self._say(f"{plan.format}, {plan.players} players, seed {plan.seed}, at {plan.url}")
        try:
            rehearsal = Rehearsal(plan, say=lambda line: self._say(f"  {line}"))
            rehearsal.run()
        except WentWrongError as error:
            raise CommandError(f"Not right: {error}") from None
        self._tell(rehearsal)

    def _tell(self, rehearsal: Rehearsal) -> None:
        for twist, count in sorted(rehearsal.told.items()):
            self._say(f"  {count:5} {twist}")
        for name, seconds in (("requests", rehearsal.clock.requests), ("result to visible", rehearsal.clock.visible)):
            p50, p95 = (percentile(seconds, share) * 1000 for share in (50, 95))
            self._say(f"{name}: {len(seconds)}, p50 {p50:.1f} ms, p95 {p95:.1f} ms")
        self._say(f"All is right. Champion: {rehearsal.champion}")

    def _say(self, line: str) -> None:
        """A line at once, so that it stands before what goes wrong after it."""
        self.stdout.write(line)
        self.stdout.flush()


def _demo(what: str) -> str:
    """The address or the token of the demo, as the data folder keeps them."""
    path = Path(settings.DATA) / "demo.json"
    try:
        demo: dict[str, Any] = json.loads(path.read_text())
    except (OSError, ValueError):
        raise CommandError(f"There is no demo in {path}: say --url and --token.") from None
    return str(demo["url"] if what == "url" else demo["organiser"]["token"])
