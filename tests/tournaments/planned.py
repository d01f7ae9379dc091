"""Plans that stories read: slots as the planner leaves them, told line by line."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from tests.factories import NOW
from tests.tournaments.play import stage_of
from tournaments.models import Entry, Slot, Tournament

MADE = datetime(2027, 5, 22, 6, 0, tzinfo=UTC)


def minutes(count: int) -> datetime:
    """So many minutes after the stories begin, 13:00 in Riga."""
    return NOW + timedelta(minutes=count)


def make_slot(
    tournament: Tournament,
    round_: int,
    number: int,
    at: datetime | None = None,
    *,
    length: int = 20,
    a: Entry | None = None,
    b: Entry | None = None,
    **facts: Any,
) -> Slot:
    """A match of the plan. `at` None: it has no time. It is only expected unless `has_time` is said."""
    end = None if at is None else at + timedelta(minutes=length)
    said = {"state": "waiting", "changed_at": MADE, "starts_at": at, "ends_at": end, "a": a, "b": b, **facts}
    slot, _made = Slot.objects.update_or_create(stage=stage_of(tournament), round=round_, number=number, defaults=said)
    return slot
