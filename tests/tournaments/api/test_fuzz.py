"""Every operation as the schema tells of it, with what fits and with what does not, asked by everybody: no answer is a
fault of ours, each is as the schema says, and what was refused has written nothing.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

import pytest
import redis
import schemathesis
from django.apps import apps
from django.core.signals import request_finished, request_started
from django.core.wsgi import get_wsgi_application
from django.db import close_old_connections, connection, transaction
from django.utils import timezone
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from schemathesis import Case, GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi import checks

from matches.models import Match, Submission
from players.permissions import Role
from tests.factories import NOW, make_entry, make_tournament, organiser
from tests.tournaments.api.asking import Api, by_link, by_stranger, by_token
from tests.tournaments.api.test_permissions import running
from tournaments.actions import hours, plans
from tournaments.models import Entry, Event, RosterImport, Slot, Tournament
from tournaments.permissions import entry_token

pytestmark = pytest.mark.django_db

EXAMPLES = {"organiser": 3, "player": 2}  # of each operation; 1 for those who are refused most
LONG = 8  # times as many
AS_TOLD: list[Any] = [
    not_a_server_error,
    checks.status_code_conformance,
    checks.content_type_conformance,
    checks.response_schema_conformance,
    checks.response_headers_conformance,
]
WRITES = re.compile(r"\s*(INSERT|UPDATE|DELETE|REPLACE)\b", re.IGNORECASE)
ROLES: dict[str, Callable[[Tournament], Api]] = {
    "nobody": lambda of: Api(),
    "organiser": by_token,
    "referee": by_link,
    "desk": lambda of: by_link(of, role=Role.DESK),
    "player": lambda of: Api(f"Own {entry_token(of.entries.order_by('pk')[0])}"),
    "stranger": lambda of: by_stranger(),
}


def collecting(event: Event) -> Tournament:
    """A tournament whose roster is open to everybody."""
    tournament = make_tournament(event=event, name="Open", registration=True, capacity=3)
    for _ in range(2):
        make_entry(tournament=tournament)
    return tournament


def planned(event: Event) -> None:
    """Hours, a break and a plan."""
    by, now = organiser(of=event), timezone.now()
    hours.open_hall(event_id=event.pk, opens_at=NOW, closes_at=NOW + timedelta(hours=9), by=by, now=now)
    hours.add_break(event_id=event.pk, starts_at=NOW, ends_at=NOW + timedelta(hours=1), by=by, now=now)
    plans.replan(event_id=event.pk, now=now)


def real_ids(event: Event) -> dict[str, list[Any]]:
    """What there is for the places of an address and the fields of a body."""
    within = {"tournament__event": event}
    entries = list(Entry.objects.filter(**within).order_by("pk").values_list("pk", flat=True))
    slots = Slot.objects.filter(stage__tournament__event=event).order_by("pk")
    return {
        "tournaments": list(event.tournaments.order_by("pk").values_list("pk", flat=True)),
        "events": [event.pk],
        "entry_id": entries,
        "match_id": list(Match.objects.order_by("pk").values_list("pk", flat=True)),
        "submission_id": list(Submission.objects.order_by("pk").values_list("pk", flat=True)),
        "import_id": list(RosterImport.objects.filter(**within).order_by("pk").values_list("pk", flat=True)),
        "link_id": list(event.staff_links.order_by("pk").values_list("pk", flat=True)),
        "token_id": list(event.api_tokens.order_by("pk").values_list("pk", flat=True)),
        "opening_id": list(event.openings.order_by("pk").values_list("pk", flat=True)),
        "break_id": list(event.breaks.order_by("pk").values_list("pk", flat=True)),
        "slot_id": list(slots.values_list("pk", flat=True)),
        "sheet": ["standings", "pairings", "tournament"],
        "kind": ["csv", "xlsx", "json", "trf"],
        **dict.fromkeys(("entry", "with_entry", "other", "by", "entries", "order"), entries),
        "round": [1, 2],
        "version": [0, 1],
        "page": ["1"],
    }


class Real:
    """Puts what there is in the place of what was made up, most of the time."""

    def __init__(self, ids: dict[str, list[Any]], draw: Callable[..., Any]) -> None:
        self.ids, self.draw = ids, draw

    def one(self, name: str, made_up: Any) -> Any:
        known = self.ids.get(name)
        return self.draw(st.sampled_from([*known * 4, made_up])) if known else made_up

    def address(self, path: str, made_up: dict[str, Any]) -> dict[str, Any]:
        room = path.removeprefix("/api/").partition("/")[0]
        return {name: self.one(room if name == "id" else name, value) for name, value in made_up.items()}

    def body(self, made_up: Any, name: str = "") -> Any:
        if isinstance(made_up, dict):
            return {each: self.body(value, each) for each, value in made_up.items()}
        if isinstance(made_up, list):
            return [self.body(each, name) for each in made_up]
        return self.one(name, made_up) if isinstance(made_up, int) else made_up


def stored() -> str:
    """All rows of ours, as one word."""
    found = hashlib.sha256()
    for app in ("players", "matches", "tournaments"):
        for model in apps.get_app_config(app).get_models():
            found.update(repr(list(model._default_manager.order_by("pk").values_list())).encode())
    return found.hexdigest()


class Watch:
    """Whether a statement wrote, so that not everything need be read again after each request."""

    def __init__(self) -> None:
        self.wrote = False

    def __call__(self, execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any) -> Any:
        self.wrote = self.wrote or bool(WRITES.match(sql))
        return execute(sql, params, many, context)


@contextmanager
def undone() -> Iterator[Watch]:
    """Whatever happens in it is taken back at its end."""
    watch = Watch()
    with connection.execute_wrapper(watch), transaction.atomic():
        yield watch
        transaction.set_rollback(True)


@pytest.fixture
def connection_kept() -> Iterator[None]:
    """A server drops a connection in the middle of a transaction when a request ends; that one is the test's own."""
    signals = (request_started, request_finished)
    for signal in signals:
        signal.disconnect(close_old_connections)
    yield
    for signal in signals:
        signal.connect(close_old_connections)


@pytest.fixture
def schema(connection_kept: None) -> Any:
    """The schema as it is served."""
    return schemathesis.openapi.from_wsgi("/api/schema/?format=json", get_wsgi_application())


@pytest.mark.parametrize("role", ROLES)
def test_whoever_asks_whatever_gets_an_answer_as_the_schema_says(
    role: str, schema: Any, empty_redis: redis.Redis, pytestconfig: pytest.Config
) -> None:
    tournament = running()
    collecting(tournament.event)
    planned(tournament.event)
    said = {"Accept-Encoding": "identity", **ROLES[role](tournament).headers}
    ids, before = real_ids(tournament.event), stored()
    examples = EXAMPLES.get(role, 1) * (LONG if pytestconfig.getoption("long") else 1)

    def check(operation: Any) -> None:
        @seed(list(ROLES).index(role))
        @settings(
            max_examples=examples,
            deadline=None,
            database=None,
            phases=[Phase.generate, Phase.shrink],
            suppress_health_check=list(HealthCheck),
        )
        @given(
            case=operation.as_strategy(GenerationMode.POSITIVE) | operation.as_strategy(GenerationMode.NEGATIVE),
            data=st.data(),
        )
        def asked(case: Case[Any], data: st.DataObject) -> None:
            real = Real(ids, data.draw)
            case.path_parameters = real.address(case.path, case.path_parameters)
            case.query = {name: real.one(name, value) for name, value in (case.query or {}).items()}
            case.body = real.body(case.body)
            case.headers.pop("Authorization", None)
            if data.draw(st.sampled_from([True, True, False])):
                case.headers.pop("If-Match", None)
                case.headers["Idempotency-Key"] = "the-key-of-one-request"
            empty_redis.flushall()  # whoever asks too often is told so, and nothing else
            with undone() as watch:
                answer = case.call(headers=said)
                assert answer.status_code < 400 or not watch.wrote or stored() == before
            case.validate_response(answer, checks=AS_TOLD)

        asked()

    for found in schema.get_all_operations():
        check(found.ok())
