"""How often something may be tried: counted in the database, so that no lost cache lets anybody guess on."""

from __future__ import annotations

from datetime import datetime, timedelta

from players.models import Attempt

WINDOW = timedelta(minutes=15)


def attempt(*, kind: str, who: str, limit: int, now: datetime) -> bool:
    """Count an attempt; False, and not counted, when there were `limit` of them in the last quarter of an hour.

    Outside of a transaction it holds at once too: the row is there before it is counted.
    """
    Attempt.objects.filter(at__lte=now - WINDOW).delete()
    mine = Attempt.objects.create(kind=kind, who=who, at=now)
    if Attempt.objects.filter(kind=kind, who=who).count() <= limit:
        return True
    mine.delete()
    return False


def forget_attempts(*, kind: str, who: str) -> None:
    """Count anew: it has gone well."""
    Attempt.objects.filter(kind=kind, who=who).delete()
