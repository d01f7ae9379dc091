"""Compares published events with what the engine makes of their results: `manage.py verify DIR…`."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from decimal import Decimal
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from tournaments.management.corpora import differences


class Command(BaseCommand):
    """Prints every difference and, last, how many events passed and how many failed."""

    help = "Work out published events anew and compare every value with what was published."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("folders", nargs="+", type=Path, metavar="DIR", help="folders with events as .json files")

    def handle(self, *args: Any, **options: Any) -> None:
        passed = failed = 0
        for folder in options["folders"]:
            if not folder.exists():
                raise CommandError(f"There is no {folder}.")
            for path in sorted(folder.rglob("*.json")) if folder.is_dir() else [folder]:
                found = _differences(path)
                for difference in found:
                    self.stdout.write(f"{path}: {difference}")
                passed += not found
                failed += bool(found)
        self.stdout.write(f"{passed} passed, {failed} failed")
        if failed or not passed:
            raise SystemExit(1)


def _differences(path: Path) -> list[str]:
    """Those of one file; a file that is no event, or an event that does not hold together, differs in that."""
    try:
        return list(differences(json.loads(path.read_text(encoding="utf-8"), parse_float=Decimal)))
    except (ValueError, KeyError, TypeError, IndexError) as error:
        return [f"cannot be read as an event: {type(error).__name__}: {error}"]
