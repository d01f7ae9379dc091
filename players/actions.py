"""Acts on accounts, and the one door through which every act is logged."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from django.db import IntegrityError, transaction

from players.models import Account, Act
from players.permissions import SYSTEM, Actor, Role


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


@transaction.atomic
def create_account(
    *, email: str, password: str | None, name: str = "", by: Actor = SYSTEM, now: datetime, is_demo: bool = False
) -> Account:
    """A new account that can sign in. Raises IntegrityError when the address is taken: ask first."""
    account = Account.objects.create_user(email=email, password=password, name=name, is_demo=is_demo)
    record_act(verb="create_account", target=f"account/{account.pk}", by=by, now=now)
    return account


def open_house(*, email: str, password: str, name: str, now: datetime) -> Account | None:
    """The very first account, made by the one-time link of the first start; None when somebody was first."""
    try:
        with transaction.atomic():
            account = Account.objects.create_user(email=email, password=password, name=name, is_first=True)
            by = Actor(role=Role.ORGANISER, name=str(account), account=account.pk)
            record_act(verb="open_house", target=f"account/{account.pk}", by=by, now=now)
            return account
    except IntegrityError:
        return None


@transaction.atomic
def close_demo_accounts(*, keep: Iterable[int], by: Actor, now: datetime) -> None:
    """Nobody signs in with the demo's logins any more, but for accounts in `keep`: they run something real by now."""
    closing = Account.objects.select_for_update().filter(is_demo=True, is_active=True).exclude(pk__in=list(keep))
    for account in closing.order_by("pk"):
        account.is_active = False
        account.set_unusable_password()
        account.save(update_fields=["is_active", "password"])
        record_act(verb="close_account", target=f"account/{account.pk}", by=by, now=now)
