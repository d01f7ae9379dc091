"""A policy that stands from a fixed total on and never plays a hand card."""

from __future__ import annotations

from typing import ClassVar

from matches.engine.bots.base import Choice, Policy, Why, own_and_other
from matches.engine.moves import ENDS, STANDS
from matches.engine.views import View


class StandAt(Policy):
    """Stands at `limit` or more, otherwise ends the turn."""

    key: ClassVar[str] = "stand_at"

    def __init__(self, limit: int = 17) -> None:
        self.limit = limit

    def choose(self, view: View) -> Choice:
        seat, side, _ = own_and_other(view)
        if side.total >= self.limit:
            return Choice(STANDS[seat], Why("limit_reached"))
        return Choice(ENDS[seat], Why("below_limit"))
