"""Who sits at the desk in these stories: a signed-in browser, and what its pages say."""

from __future__ import annotations

import html
import re
from typing import Any, TypeAlias
from uuid import uuid4

from django.contrib.messages import get_messages
from django.test import Client

from players.models import Account
from tests.factories import make_account, make_field, make_tournament
from tests.tournaments.play import start
from tournaments.models import Event, Pairing, Tournament

Page: TypeAlias = Any
"""What a test client answers with; its stubs have no public name for that."""


def signed_in(account: Account) -> Client:
    client = Client()
    client.force_login(account)
    return client


def desk_of(where: Event | Tournament) -> Client:
    """The browser of the event's owner."""
    event = where.event if isinstance(where, Tournament) else where
    return signed_in(event.owner)


def stranger() -> Client:
    """The browser of somebody who organises other events."""
    return signed_in(make_account())


def running(size: int = 4, **facts: Any) -> Tournament:
    """A tournament whose first round is published."""
    tournament = make_tournament(seeding="rating", **facts)
    make_field(size=size, tournament=tournament)
    start(tournament)
    return Tournament.objects.select_related("event__owner").get(pk=tournament.pk)


def said(response: Page) -> list[str]:
    """The messages of an answer, as plain text."""
    return [text_of(str(message)) for message in get_messages(response.wsgi_request)]


def text_of(markup: str) -> str:
    """What a reader reads of a piece of HTML: one line, single spaces."""
    within_words = re.sub(r"</?(?:bdi|b|time|code)\b[^>]*>", "", markup)
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", within_words)).split())


def page_text(response: Page) -> str:
    return text_of(response.content.decode())


def heading(response: Page) -> str:
    found = re.search(r"<h1>(.*?)</h1>", response.content.decode(), re.DOTALL)
    assert found is not None
    return text_of(found[1])


def result(pairing: Pairing, chosen: str, **fields: Any) -> dict[str, Any]:
    """The form of a result as the page of this match would send it."""
    assert pairing.match is not None
    pairing.match.refresh_from_db()
    return {"result": chosen, "key": str(uuid4()), "version": pairing.match.version, **fields}
