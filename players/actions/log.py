"""The one door through which every act is logged."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from players.models import Act
from players.permissions import Actor


def record_act(
    *,
    verb: str,
    target: str,
    by: Actor,
    now: datetime,
    event: int | None = None,
    tournament: int | None = None,
    before: dict[str, Any] | None = None,
    after: dict[str, Any] | None = None,
    why: str = "",
) -> Act:
    """Append one line to the log, inside the transaction of the act it tells of."""
    return Act.objects.create(
        at=now,
        verb=verb,
        role=by.role,
        who=by.name[:254],
        account=by.account,
        link=by.link,
        event=event if event is not None else by.event,
        tournament=tournament if tournament is not None else by.tournament,
        target=target,
        before=before or {},
        after=after or {},
        why=why[:500],
    )
