"""Acts of accounts on themselves, and of an event with a second organiser."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from players.actions import mailed
from players.models import Account
from players.permissions import Actor, Refused, Role
from tests.factories import NOW, make_account
from tests.players.proofs import SoftKey, add_key, code_at, enable
from tests.tournaments.actions.acts.worlds import World, empty
from tests.tournaments.organising import invite
from tournaments.actions import (
    organisers,
)


def of_account(action: Callable[..., Any], *, coded: bool = False, **said: Any) -> Callable[[World], Any]:
    """An act of the owner's account on itself; `coded` with a code of its authenticator app."""

    def act(world: World) -> Any:
        account = world.tournament.event.owner
        code = {"code": code_at(account, NOW)} if coded else {}
        return action(account_id=account.pk, now=NOW, **said, **code)

    return act


def use_mailed_link(_world: World) -> Any:
    link = mailed.ask_for_link(email="new@example.org", next_path="", language="en", place="127.0.0.1", now=NOW)
    assert not isinstance(link, Refused)
    return mailed.use_link(link_id=link.pk, now=NOW)


def with_two_step() -> World:
    world = empty()
    enable(world.tournament.event.owner)
    world.tournament.event.owner.refresh_from_db()
    return world


def with_passkey() -> World:
    world = empty()
    add_key(world.tournament.event.owner, SoftKey())
    return world


def invited() -> World:
    world = empty()
    invite(world.tournament.event)
    make_account(email="second@example.org")
    return world


def accept(world: World) -> Any:
    account = Account.objects.get(email="second@example.org")
    return organisers.accept_invitation(link_id=world.tournament.event.staff_links.get().pk, account=account, now=NOW)


def with_two() -> World:
    world = invited()
    accept(world)
    return world


def second_of(world: World) -> Actor:
    event = world.tournament.event
    account = event.memberships.exclude(account=event.owner).get().account
    return Actor(role=Role.ORGANISER, name=str(account), account=account.pk, event=event.pk)


def of_second(action: Callable[..., Any]) -> Callable[[World], Any]:
    return lambda world: world.do(action, event_id=world.tournament.event_id, account_id=second_of(world).account)
