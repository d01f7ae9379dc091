"""How several come to organise one event in these stories."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from players.models import Account
from players.permissions import Refused, Role
from tests.factories import NOW, make_account, organiser
from tournaments.actions import organisers, staff
from tournaments.models import Event, StaffLink


def invite(event: Event, *, role: Role = Role.ORGANISER, now: datetime = NOW, **facts: Any) -> StaffLink:
    """A link for a day: unless told an invitation to organise."""
    expires_at = now + timedelta(days=1)
    said = {"event_id": event.pk, "tournament_id": None, "name": "Marta", **facts}
    return staff.create_link(role=role, expires_at=expires_at, by=organiser(of=event), now=now, **said)


def second_organiser(event: Event) -> Account:
    """Somebody who has accepted an invitation."""
    account = make_account()
    accepted = organisers.accept_invitation(link_id=invite(event).pk, account=account, now=NOW)
    assert not isinstance(accepted, Refused), accepted
    return account
