"""Helpers' links and scripts' tokens: made, shown again, revoked."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

from django.db import transaction

from players.actions import record_act
from players.models import Account
from players.permissions import Actor, Refused, Role
from tournaments.actions.notices import tell_helper
from tournaments.models import ApiToken, StaffLink

LINK_ROLES = (Role.REFEREE, Role.DESK, Role.SCREEN, Role.ORGANISER)


@transaction.atomic
def create_link(
    *,
    event_id: int,
    tournament_id: int | None,
    role: Role,
    name: str,
    tables: Iterable[int] = (),
    here_from: datetime | None = None,
    here_until: datetime | None = None,
    email: str = "",
    expires_at: datetime,
    language: str = "",
    by: Actor,
    now: datetime,
) -> StaffLink:
    """A personal link for a helper. It opens one tournament, or with None the whole event.

    `here_from` and `here_until` say when they are there and lock nothing. For an organiser it is an invitation, to the
    whole event always, and knows neither tables nor hours. With an address it is mailed there, in `language`: that of
    whoever asks, for nobody knows the reader's yet.
    """
    if role is Role.ORGANISER:
        tournament_id, tables, here_from, here_until = None, (), None, None
    link = StaffLink.objects.create(
        event_id=event_id,
        tournament_id=tournament_id,
        role=role,
        name=name,
        tables=sorted(set(tables)),
        here_from=here_from,
        here_until=here_until,
        email=email,
        expires_at=expires_at,
        created_at=now,
    )
    _invite(link, language, now)
    record_act(
        verb="create_link",
        target=f"link/{link.pk}",
        by=by,
        now=now,
        event=event_id,
        tournament=tournament_id,
        after={"role": role, "name": name, **_place_row(link), "expires_at": expires_at.isoformat()},
    )
    return link


def _place_row(link: StaffLink) -> dict[str, Any]:
    """Where and when somebody helps, as the log keeps it: instants in ISO form, UTC."""
    hours = {"here_from": link.here_from, "here_until": link.here_until}
    return {"tables": link.tables} | {
        name: None if instant is None else instant.astimezone(UTC).isoformat() for name, instant in hours.items()
    }


@transaction.atomic
def edit_link(
    *,
    link_id: int,
    tables: Iterable[int],
    here_from: datetime | None,
    here_until: datetime | None,
    by: Actor,
    now: datetime,
) -> StaffLink:
    """Say anew at which tables a referee helps, and when anybody but an organiser does. The address stays the same.

    What is so already is no act.
    """
    link = StaffLink.objects.select_for_update().get(pk=link_id)
    before = _place_row(link)
    link.tables = sorted(set(tables)) if link.role == Role.REFEREE else []
    link.here_from, link.here_until = (None, None) if link.role == Role.ORGANISER else (here_from, here_until)
    after = _place_row(link)
    if after == before:
        return link
    link.save(update_fields=list(after))
    record_act(
        verb="edit_link",
        target=f"link/{link.pk}",
        by=by,
        now=now,
        event=link.event_id,
        tournament=link.tournament_id,
        before=before,
        after=after,
    )
    return link


@transaction.atomic
def revoke_link(*, link_id: int, by: Actor, now: datetime) -> StaffLink:
    """Close a link: whoever holds it is outside from now on. Revoking twice revokes once."""
    link = StaffLink.objects.select_for_update().get(pk=link_id)
    if link.revoked_at is None:
        link.revoked_at = now
        link.version += 1
        link.save(update_fields=["revoked_at", "version"])
        record_act(
            verb="revoke_link",
            target=f"link/{link.pk}",
            by=by,
            now=now,
            event=link.event_id,
            tournament=link.tournament_id,
        )
    return link


def _invite(link: StaffLink, language: str, now: datetime) -> None:
    """Mail the link to its helper, each new one once."""
    if link.email:
        key = f"invited/{link.version}"
        tell_helper(link_id=link.pk, kind="invited", key=key, now=now, language=language)


@transaction.atomic
def renew_link(
    *, link_id: int, expires_at: datetime, language: str = "", by: Actor, now: datetime, seen: int | None = None
) -> StaffLink:
    """Give a helper a new link in place of the old one, which is closed by it; mailed where the old one was.

    An invitation somebody has accepted invites somebody else then. `seen` is the version that is to be replaced: where
    it is another one by now, and not closed, that is the new link already.
    """
    link = StaffLink.objects.select_for_update().get(pk=link_id)
    if seen is not None and seen != link.version and link.revoked_at is None:
        return link
    link.version += 1
    link.revoked_at, link.expires_at, link.accepted_by = None, expires_at, None
    link.save(update_fields=["version", "revoked_at", "expires_at", "accepted_by"])
    _invite(link, language, now)
    record_act(
        verb="renew_link",
        target=f"link/{link.pk}",
        by=by,
        now=now,
        event=link.event_id,
        tournament=link.tournament_id,
        after={"expires_at": expires_at.isoformat()},
    )
    return link


def token_digest(token: str) -> str:
    """What is kept of a token."""
    return hashlib.sha256(token.encode()).hexdigest()


@transaction.atomic
def create_token(
    *, account: Account, event_id: int | None, name: str, by: Actor, now: datetime
) -> tuple[ApiToken, str]:
    """A token for scripts, and its secret, which is shown this once."""
    secret = f"cantina_{secrets.token_urlsafe(32)}"
    token = ApiToken.objects.create(
        account=account, event_id=event_id, name=name, digest=token_digest(secret), hint=secret[8:14], created_at=now
    )
    record_act(verb="create_token", target=f"token/{token.pk}", by=by, now=now, event=event_id, after={"name": name})
    return token, secret


@transaction.atomic
def revoke_token(*, token_id: int, by: Actor, now: datetime) -> ApiToken | Refused:
    """Close a token. Revoking twice revokes once."""
    token = ApiToken.objects.select_for_update().filter(pk=token_id).first()
    if token is None:
        return Refused("token_unknown", status=404)
    if token.revoked_at is None:
        token.revoked_at = now
        token.save(update_fields=["revoked_at"])
        record_act(verb="revoke_token", target=f"token/{token.pk}", by=by, now=now, event=token.event_id)
    return token
