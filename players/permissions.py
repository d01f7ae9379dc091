"""Who acts: the roles of the house, the actor every action is done by, the value that says no, and private links."""

from __future__ import annotations

import hashlib
import hmac
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any

from django.conf import settings

from players.models import MailedLink


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
    `link` the id of the staff link they came by, `entry` the id of the entry whose own link they came by. `event` and
    `tournament` narrow what they may touch (None: not narrowed by it); `tables` are the tables a referee is bound to
    (empty: all).
    """

    role: Role
    name: str = ""
    account: int | None = None
    link: int | None = None
    entry: int | None = None
    event: int | None = None
    tournament: int | None = None
    tables: frozenset[int] = frozenset()

    @property
    def key(self) -> str:
        """What tells an actor from another one of the same name: "account/3", "link/5", "entry/7"."""
        for kind in ("account", "link", "entry"):
            if (number := getattr(self, kind)) is not None:
                return f"{kind}/{number}"
        return str(self.role)


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


# --- Private links: "12-<mac>", an HMAC over what the link is and its version. Nothing is stored that could leak.


def mac(kind: str, pk: int, version: int | str) -> str:
    """128 bits in hex that only this server can make; another kind, id or version has others."""
    said = f"{kind}:{pk}:{version}".encode()
    return hmac.new(settings.SECRET_KEY.encode(), said, hashlib.sha256).hexdigest()[:32]


def token_parts(token: str) -> tuple[int, bytes] | None:
    """The id and the MAC a token claims to be of; None when it is no token."""
    number, _, said = token.partition("-")
    if not (number.isascii() and number.isdigit() and len(number) < 19):
        return None
    return int(number), said.encode(errors="replace")


def mailed_token(link: MailedLink) -> str:
    """The secret part of a mailed link's address."""
    return f"{link.pk}-{mac('mailed-link', link.pk, int(link.created_at.timestamp()))}"


def read_mailed(token: str, *, since: datetime) -> MailedLink | None:
    """The mailed link a token opens, if it is genuine and made after `since`; it may have been used."""
    parts = token_parts(token)
    if parts is None:
        return None
    number, said = parts
    link = MailedLink.objects.filter(pk=number, created_at__gt=since).first()
    if link is None or not hmac.compare_digest(said, mailed_token(link).partition("-")[2].encode()):
        return None
    return link
