"""How far a running import is."""

from __future__ import annotations

from django.core.cache import cache


def progress_key(import_id: int) -> str:
    """Where an import says how far it is: [rows done, rows in all]."""
    return f"import/{import_id}"


def import_progress(*, import_id: int) -> tuple[int, int] | None:
    """How many rows of how many an import has behind it; None when it has not said, or too long ago."""
    said = cache.get(progress_key(import_id))
    return None if said is None else (said[0], said[1])
