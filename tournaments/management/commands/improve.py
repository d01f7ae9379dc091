"""Looks for a better plan of a hall, as it was asked for on the desk: `manage.py improve SEARCH`; the worker does."""

from __future__ import annotations

import os
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from tournaments.management.searching import search


class Command(BaseCommand):
    """Ends with the search. Run twice for one, the second does nothing."""

    help = "Look for a better plan of a hall, as it was asked for on the desk."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("search", type=int, help="the number of the search")
        parser.add_argument("--nice", type=int, default=0, help="by how much everything else on the machine goes first")

    def handle(self, *args: Any, **options: Any) -> None:
        os.nice(options["nice"])
        search(search_id=options["search"])
