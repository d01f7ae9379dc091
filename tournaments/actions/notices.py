"""What players and invited helpers are told: put down once, with the act it is about, in its transaction."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from tournaments.models import Notice


def tell_player(*, entry_id: int, kind: str, key: str, now: datetime, **params: Any) -> None:
    """Tell a player something: on their own page, and by mail where they gave an address. The same key tells once."""
    _tell({"entry_id": entry_id}, kind, key, now, params)


def tell_helper(*, link_id: int, kind: str, key: str, now: datetime, **params: Any) -> None:
    """Tell somebody a staff link was made for, by mail, where there is an address. The same key tells once."""
    _tell({"link_id": link_id}, kind, key, now, params)


def _tell(reader: Mapping[str, int], kind: str, key: str, now: datetime, params: dict[str, Any]) -> None:
    Notice.objects.bulk_create(
        [Notice(**reader, kind=kind, key=key, params=params, created_at=now, wants_mail=True)], ignore_conflicts=True
    )
