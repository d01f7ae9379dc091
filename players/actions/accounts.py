"""Accounts: made, proved by their address, given a password, closed."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from django.db import IntegrityError, transaction

from players.actions.log import record_act
from players.models import Account
from players.permissions import SYSTEM, Actor, Refused, Role


@transaction.atomic
def create_account(
    *,
    email: str,
    password: str | None,
    name: str = "",
    by: Actor = SYSTEM,
    now: datetime,
    is_demo: bool = False,
    is_host: bool = True,
) -> Account:
    """A new account that can sign in. Raises IntegrityError when the address is taken: ask first."""
    account = Account.objects.create_user(email=email, password=password, name=name, is_demo=is_demo, is_host=is_host)
    record_act(verb="create_account", target=f"account/{account.pk}", by=by, now=now)
    return account


def register_account(*, email: str, password: str, name: str, now: datetime) -> Account | Refused:
    """An account somebody makes for themselves, who was asked to. Nobody has proved its address yet.

    Refusals: address_has_account.
    """
    by = Actor(role=Role.PLAYER, name=name or email)
    try:
        with transaction.atomic():
            return create_account(email=email, password=password, name=name, by=by, now=now, is_host=False)
    except IntegrityError:
        return Refused("address_has_account")


def open_house(*, email: str, password: str, name: str, now: datetime) -> Account | None:
    """The very first account, made by the one-time link of the first start; None when somebody was first."""
    try:
        with transaction.atomic():
            account = Account.objects.create_user(email=email, password=password, name=name, is_first=True)
            record_act(verb="open_house", target=f"account/{account.pk}", by=own_actor(account), now=now)
            return account
    except IntegrityError:
        return None


def own_actor(account: Account) -> Actor:
    """An account that does something to itself."""
    return Actor(role=Role.ORGANISER if account.is_host else Role.PLAYER, name=str(account), account=account.pk)


@transaction.atomic
def set_password(*, account_id: int, password: str, now: datetime) -> Account:
    """Give the account this password; every other session of it ends."""
    account = Account.objects.select_for_update().get(pk=account_id)
    account.set_password(password)
    account.save(update_fields=["password"])
    record_act(verb="set_password", target=f"account/{account.pk}", by=own_actor(account), now=now)
    return account


@transaction.atomic
def rename_account(*, account_id: int, name: str, now: datetime) -> Account:
    """Give the account this name, or none. What rosters say of a player is theirs and stays."""
    account = Account.objects.select_for_update().get(pk=account_id)
    if account.name != name:
        before, account.name = account.name, name
        account.save(update_fields=["name"])
        record_act(
            verb="rename_account",
            target=f"account/{account.pk}",
            by=own_actor(account),
            now=now,
            before={"name": before},
            after={"name": name},
        )
    return account


def make_host(*, account_id: int) -> None:
    """Let the account make events of its own from now on. Part of the act by which an organiser takes it in."""
    Account.objects.filter(pk=account_id).update(is_host=True)


@transaction.atomic
def close_demo_accounts(*, keep: Iterable[int], by: Actor, now: datetime) -> None:
    """Nobody signs in with the demo's logins any more, but for accounts in `keep`: they run something real by now."""
    closing = Account.objects.select_for_update().filter(is_demo=True, is_active=True).exclude(pk__in=list(keep))
    for account in closing.order_by("pk"):
        account.is_active = False
        account.set_unusable_password()
        account.save(update_fields=["is_active", "password"])
        record_act(verb="close_account", target=f"account/{account.pk}", by=by, now=now)
