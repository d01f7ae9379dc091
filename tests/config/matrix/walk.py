"""Going through the addresses of the house: each filled in and asked for, and what was written meanwhile."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from django.db import connection, transaction
from django.urls import URLPattern, URLResolver, get_resolver

from tournaments.models import FirstAnswer

if TYPE_CHECKING:
    from tests.config.matrix.roles import Row
    from tests.config.matrix.world import Caller

METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")
KEPT = {("two_step", "GET", "django_session"), ("two_step", "POST", "django_session")}
"""What is kept although nothing was done: the secret that was shown, until a code of it comes."""
_PART = re.compile(r"<(int|str):(\w+)>")
_WRITES = re.compile(r'\s*(?:INSERT(?: OR \w+)? INTO|UPDATE|DELETE FROM)\s+"?(\w+)', re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Route:
    """An address as the resolver knows it: `name` is a page's name, or what follows api/ of an operation's."""

    name: str
    path: str
    handlers: frozenset[str]
    """The methods a class has; none for a function."""

    @property
    def is_api(self) -> bool:
        return self.path.startswith("api/")

    @property
    def parts(self) -> list[tuple[str, str]]:
        """What is to be filled in, as (kind, name)."""
        return [(kind, name) for kind, name in _PART.findall(self.path)]

    @property
    def numbers(self) -> list[str]:
        return [name for kind, name in self.parts if kind == "int"]

    def address(self, values: dict[str, Any]) -> str:
        return "/" + _PART.sub(lambda part: str(values[part[2]]), self.path)


def routes() -> list[Route]:
    """Every address of the house but the one that catches what is none of the API's."""
    return [each for each in _below(get_resolver()) if each.path != "api/"]


def _below(resolver: URLResolver, before: str = "") -> Iterator[Route]:
    for each in resolver.url_patterns:
        path = before + str(each.pattern)
        if isinstance(each, URLResolver):
            yield from _below(each, path)
        elif isinstance(each, URLPattern):
            view = getattr(each.callback, "cls", None) or getattr(each.callback, "view_class", None)
            handlers = frozenset(m for m in METHODS if view is not None and hasattr(view, m.lower()))
            name = each.name if each.name else path.removeprefix("api/").replace("int:", "").replace("str:", "")
            yield Route(name, path, handlers)


@contextmanager
def written() -> Iterator[list[str]]:
    """The tables that are written to meanwhile, each as often as it is."""
    tables: list[str] = []

    def note(execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any) -> Any:
        if found := _WRITES.match(sql):
            tables.append(found[1])
        return execute(sql, params, many, context)

    with connection.execute_wrapper(note):
        yield tables


@contextmanager
def undone() -> Iterator[None]:
    """Whatever happens meanwhile is taken back."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


class Walk:
    """Requests one after the other; `wrong` is what was answered otherwise than declared, or written all the same."""

    def __init__(self) -> None:
        self.wrong: list[str] = []

    def ask(self, caller: Caller, row: Row, address: str, expected: Collection[int], *, may_write: bool = False) -> Any:
        """Ask, compare, take back. Only who is let in, sends something and is not refused may write."""
        with undone(), written() as tables:
            answer = caller.ask(row.method, address)
            let_go = {"tournaments_firstanswer"} if tables and not FirstAnswer.objects.exists() else set()
        said = f"{row.method} {row.name} ({shown(address)}) by {caller.name}"
        status = answer.status_code
        if status not in expected:
            self.wrong.append(f"{said}: {status} in place of {' or '.join(map(str, expected))}")
        refused = status >= 400 or (status == 302 and answer["Location"].startswith("/sign-in/?"))
        if row.method == "GET" or refused or not may_write:
            kept = {each for each in tables if (row.name, row.method, each) not in KEPT} - let_go
            if kept:
                self.wrong.append(f"{said}: {status}, and wrote to {sorted(kept)}")
        if status == 302 and row.method == "GET" and caller.name == "nobody" and row.asks("nobody"):
            wanted = f"/sign-in/?next={quote(address, safe='')}"
            if answer["Location"] != wanted:
                self.wrong.append(f"{said}: to {answer['Location']}, and not on the way back")
        is_own = row.method == "GET" and status == 200 and row.who not in ("everybody", "newcomers")
        if is_own and "no-store" not in answer.get("Cache-Control", ""):
            self.wrong.append(f"{said}: may be kept, {answer.get('Cache-Control')}")
        is_operation = address.startswith("/api/") and not row.name.startswith("api_")
        if status >= 400 and is_operation and answer["Content-Type"] != "application/problem+json":
            self.wrong.append(f"{said}: {status} as {answer['Content-Type']}")
        return answer


def shown(address: str) -> str:
    """An address short enough to read."""
    return address if len(address) < 90 else f"{address[:60]}…{address[-20:]}"
