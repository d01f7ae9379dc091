"""Who acts: the roles of the house, the actor every action is done by, and the value that says no."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any


class Role(StrEnum):
    """What somebody is to an event, from the one who runs it to the one who looks."""

    ORGANISER = "organiser"
    REFEREE = "referee"
    DESK = "desk"
    DEALER = "dealer"
    PLAYER = "player"
    SCREEN = "screen"
    PUBLIC = "public"
    SYSTEM = "system"


@dataclass(frozen=True, slots=True)
class Actor:
    """Somebody doing something, as the log keeps it.

    `name` is how staff know them ("Marta", an account's address). `account` is the account's id where there is one,
    `link` the id of the staff link they came by, `entry` the id of the entry whose own link they came by. `event` and `tournament` narrow what they may touch (None: not
    narrowed by it); `tables` are the tables a referee is bound to (empty: all).
    """

    role: Role
    name: str = ""
    account: int | None = None
    link: int | None = None
    entry: int | None = None
    event: int | None = None
    tournament: int | None = None
    tables: frozenset[int] = frozenset()


SYSTEM = Actor(role=Role.SYSTEM, name="Cantina")
PUBLIC = Actor(role=Role.PUBLIC)


@dataclass(frozen=True, slots=True)
class Refused:
    """Why an act was not done; nothing was written. `code` is stable, words are put to it at the edge.

    `params` are plain facts for the sentence. `status` is what an HTTP answer says: 409 for a state that has moved
    on, 400 for something that can never be, 404 for what is not there.
    """

    code: str
    params: dict[str, Any] = field(default_factory=dict)
    status: int = 409
