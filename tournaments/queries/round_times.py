"""When rounds and their matches begin, as far as it was said."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from tournaments.models import Round, Slot
from tournaments.models.tournament import Seating


def begins_at(*, round_: Round) -> datetime | None:
    """When everybody of a round is to be at their tables; None where it was not said, or each is called by itself.

    That is the time of the round; of the first one without its own, that of the tournament.
    """
    tournament = round_.stage.tournament
    if tournament.seating == Seating.QUEUE:
        return None
    own = round_.stage.round_times.filter(number=round_.number).values_list("starts_at", flat=True).first()
    return own or (tournament.starts_at if round_.number == 1 else None)


def expected_times(*, round_: Round, numbers: Iterable[int], after: datetime) -> dict[int, datetime | None]:
    """When the two of each of these matches of a round are to be at their table: the time their match is fixed for,
    else that of the round; None where neither was said, or is no later than `after`. At most two queries.
    """
    begins = begins_at(round_=round_)
    slots = Slot.objects.filter(stage=round_.stage_id, round=round_.number, fixed_at__isnull=False, dropped_at=None)
    fixed = dict(slots.values_list("number", "fixed_at"))
    said = {number: fixed.get(number) or begins for number in numbers}
    return {number: at if at is not None and at > after else None for number, at in said.items()}
