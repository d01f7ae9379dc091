"""Ranks a tournament in a file: `manage.py standings FILE [--tiebreaks KEY,KEY]`."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from tournaments.engine.formats import get_format
from tournaments.engine.standings import rank
from tournaments.engine.tiebreaks import TIEBREAKS, get_tiebreak
from tournaments.management.reading import add_file, people_of, read, told


class Command(BaseCommand):
    """Prints a row for every entry, its values exact, and with --reasons why it has its place."""

    help = "Rank a tournament in a file, as JSON or in FIDE's report format."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        add_file(parser)
        keys = ", ".join(each.key for each in TIEBREAKS)
        parser.add_argument("--tiebreaks", help=f"instead of those of the file, with commas: {keys}")
        parser.add_argument("--reasons", action="store_true", help="why each one has their place")

    def handle(self, *args: Any, **options: Any) -> None:
        document = read(options["file"])
        people = people_of(document)
        chain = document.tiebreaks or get_format(document.format).default_tiebreaks
        if options["tiebreaks"] is not None:
            chain = tuple(key for key in options["tiebreaks"].split(",") if key)
        unknown = [key for key in chain if key not in {each.key for each in TIEBREAKS}]
        if unknown:
            raise CommandError(f"There is no tie-break {', '.join(unknown)}.")
        shown = [key for key in chain if not get_tiebreak(key).among_tied]
        self.stdout.write("\t".join(["rank", "seed", "name", "points", "won-tied-lost", *shown]))
        seeds = {entry.id: entry.seed for entry in document.stage.entries}
        for row in rank(document.stage, document.format, chain):
            record = f"{row.record.wins}-{row.record.ties}-{row.record.losses}"
            values = dict(row.values)
            cells = [row.rank, seeds[row.entry], people[row.entry].name, row.record.points, record]
            cells += [values.get(key, "") for key in shown]
            reason = [told(row.reason, people)] if options["reasons"] else []
            self.stdout.write("\t".join(map(str, [*cells, *reason])))
