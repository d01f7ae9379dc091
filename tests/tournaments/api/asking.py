"""Asking the API as a script, a helper, a browser or nobody."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

from django.test import Client
from django.utils import timezone

from players.permissions import Role
from tests.factories import make_account, make_event, organiser
from tournaments.actions import staff
from tournaments.models import Event, Tournament
from tournaments.permissions import link_token

Answer = Any
"""What the test client gives back: an HttpResponse that also reads JSON."""


class Api:
    """Somebody who asks: nobody in particular, or whoever `authorization` says."""

    def __init__(self, authorization: str = "", *, client: Client | None = None) -> None:
        self.client = client or Client(raise_request_exception=True)
        self.headers = {"Authorization": authorization} if authorization else {}

    def ask(self, method: str, path: str, body: Any = None, **headers: str) -> Answer:
        """One request; `headers` with underscores for dashes."""
        said = {name.replace("_", "-"): value for name, value in headers.items()}
        data = b"" if body is None else body if isinstance(body, bytes) else json.dumps(body).encode()
        return self.client.generic(
            method, f"/api/{path}", data, content_type="application/json", headers={**self.headers, **said}
        )

    def get(self, path: str, **headers: str) -> Answer:
        return self.ask("GET", path, **headers)

    def post(self, path: str, body: Any = None, **headers: str) -> Answer:
        return self.ask("POST", path, {} if body is None else body, **headers)

    def rows(self, path: str) -> list[dict[str, Any]]:
        """All rows of a list, page by page."""
        found: list[dict[str, Any]] = []
        number = 1
        while True:
            answer = self.get(f"{path}{'&' if '?' in path else '?'}page={number}").json()
            found += answer["results"]
            if answer["next"] is None:
                return found
            number += 1


def by_token(of: Event | Tournament, *, bound: bool = False) -> Api:
    """The organiser's script."""
    event = of.event if isinstance(of, Tournament) else of
    _, secret = staff.create_token(
        account=event.owner,
        event_id=event.pk if bound else None,
        name="script",
        by=organiser(of=event),
        now=timezone.now(),
    )
    return Api(f"Bearer {secret}")


def by_link(
    of: Tournament, *, role: Role = Role.REFEREE, tables: tuple[int, ...] = (), whole_event: bool = False
) -> Api:
    """A helper with a link for this tournament, or for its whole event."""
    now = timezone.now()
    link = staff.create_link(
        event_id=of.event_id,
        tournament_id=None if whole_event else of.pk,
        role=role,
        name="Marta",
        tables=tables,
        expires_at=now + timedelta(hours=1),
        by=organiser(of=of),
        now=now,
    )
    return Api(f"Link {link_token(link)}")


def by_session(of: Event | Tournament) -> Api:
    """The organiser's browser, with Django's check of forged forms switched on."""
    event = of.event if isinstance(of, Tournament) else of
    client = Client(enforce_csrf_checks=True)
    client.force_login(event.owner, backend="django.contrib.auth.backends.ModelBackend")
    return Api(client=client)


def by_stranger() -> Api:
    """The organiser of another event."""
    return by_token(make_event(owner=make_account()))


def code_of(answer: Answer) -> tuple[int, str]:
    """The status and the code of a problem, which has everything RFC 9457 asks for."""
    problem = answer.json()
    assert answer["Content-Type"] == "application/problem+json"
    assert problem["status"] == answer.status_code
    assert problem["type"] == f"urn:cantina:problem:{problem['code']}"
    assert problem["title"]
    assert problem["detail"]
    return answer.status_code, problem["code"]
