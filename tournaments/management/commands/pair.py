"""Pairs the next round of a tournament in a file: `manage.py pair FILE`."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from tournaments.engine.formats import get_format
from tournaments.management.reading import add_file, people_of, read, told
from tournaments.words.reasons import round_name


class Command(BaseCommand):
    """Prints every pairing that is decided now: table, seeds and names, who has the first turn first."""

    help = "Pair the next round of a tournament in a file, as JSON or in FIDE's report format."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        add_file(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        document = read(options["file"])
        stage, people = document.stage, people_of(document)
        chosen = get_format(document.format)
        rounds = chosen.pair(stage)
        if not rounds:
            waiting = sum(1 for _ in stage.open_pairings())
            raise CommandError(f"Nothing to pair: {waiting} matches are open." if waiting else "Everything is paired.")
        seeds = {entry.id: entry.seed for entry in stage.entries}
        for planned in rounds:
            self.stdout.write(round_name(chosen.round_name(stage, planned.number)))
            for note in planned.notes:
                self.stdout.write(f"! {told(note, people)}")
            for p in planned.pairings:
                sides = [f"{seeds[side]} {people[side].name}" for side in (p.a, p.b) if side is not None]
                self.stdout.write(f"{p.number}\t" + "\t".join(sides if p.b is not None else [*sides, p.bye.value]))
