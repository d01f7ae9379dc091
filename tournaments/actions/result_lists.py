"""Results from a list: all of them entered, or none."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction

from matches.actions import Report
from players.permissions import Actor, Refused
from tournaments.actions.results import enter_result
from tournaments.models import Pairing


@dataclass(frozen=True, slots=True)
class Told:
    """A result of a list: the line it stands in, its match, and the version of that match that was looked at."""

    line: int
    match: int
    version: int
    report: Report


def enter_results(*, tournament_id: int, told: Sequence[Told], by: Actor, key: str, now: datetime) -> int | Refused:
    """Enter the results of a list that was looked at, each as `enter_result` does, in one transaction.

    `key` is the list's own: sent twice it is entered once. One that cannot be entered and nothing is.
    Returns how many there are. Refusals: list_refused (problems: line, code and params of each).
    """
    with transaction.atomic():
        own = set(
            Pairing.objects.filter(
                round__stage__tournament=tournament_id,
                round__published_at__isnull=False,
                match__in=[each.match for each in told],
            ).values_list("match", flat=True)
        )
        problems = []
        # In order of id, as everything that locks several matches.
        for each in sorted(told, key=lambda each: each.match):
            outcome = (
                enter_result(
                    match_id=each.match,
                    report=each.report,
                    by=by,
                    key=f"{key}-{each.match}",
                    expected_version=each.version,
                    now=now,
                )
                if each.match in own
                else Refused("match_unknown", {"match": each.match}, status=404)
            )
            if isinstance(outcome, Refused):
                problems.append({"line": each.line, "code": outcome.code, "params": outcome.params})
        if problems:
            transaction.set_rollback(True)
            return Refused("list_refused", {"problems": sorted(problems, key=lambda problem: problem["line"])})
    return len(told)
