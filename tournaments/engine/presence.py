"""Who of two is missing at the table when the time to wait is over: a proposal for the referee, never a result."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta


@dataclass(frozen=True, slots=True)
class AtTable:
    """What is known of one match that waits for its result.

    `due_at` is when the two should sit there. `here_a` and `here_b` are those who said that they do. `has_begun` is a
    referee's word that they play; `is_reported` that somebody told a result already. Either means that both are there.
    """

    due_at: datetime
    here_a: bool = False
    here_b: bool = False
    has_begun: bool = False
    is_reported: bool = False


def asked_at(due_at: datetime, *, minutes: int) -> datetime:
    """When the referee is asked about whoever is still missing."""
    return due_at + timedelta(minutes=minutes)


def missing_side(at: AtTable, *, minutes: int | None, now: datetime) -> str:
    """The side, "a" or "b", that did not come in `minutes` while the other one did; "" where there is none.

    Where neither said that they are here nobody is missing: both may sit there and have forgotten to press.
    """
    if minutes is None or now < asked_at(at.due_at, minutes=minutes) or at.has_begun or at.is_reported:
        return ""
    if at.here_a == at.here_b:
        return ""
    return "b" if at.here_a else "a"
