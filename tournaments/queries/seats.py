"""How somebody who plays came to their place: late, or in the place of another; told by the log."""

from __future__ import annotations

from players.models import Act
from tournaments.models import Entry


def came_late(*, entry: Entry) -> Act | None:
    """The line that tells how an entry came after the start, while it plays because of it."""
    return _line(entry, "late_entry")


def replaced_by(*, entry: Entry) -> Act | None:
    """The line that tells whose place an entry has, while it has it."""
    return _line(entry, "replace_entry")


def _line(entry: Entry, verb: str) -> Act | None:
    if entry.seed is None:
        return None
    return Act.objects.filter(target=f"entry/{entry.pk}", verb=verb).order_by("-pk").first()
