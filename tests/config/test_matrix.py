"""Every address with every method, asked by everybody about what is theirs and what is not: the declared answer."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import pytest
from django.db import OperationalError, connection
from django.utils import timezone

from matches.permissions import practice_token
from players.actions import mailed
from players.models import MailedLink
from players.permissions import mailed_token
from tests.config.matrix.roles import OPERATION_ROWS, ROWS, Row, rows_of
from tests.config.matrix.walk import METHODS, Route, Walk, routes, undone
from tests.config.matrix.world import HELPERS, PAGE_ROLES, REPLAYS, Caller, Place, World, role_in
from tournaments.permissions import first_organiser_token, table_code

ROUTES = routes()
PAGES = [each for each in ROUTES if not each.is_api or each.name.startswith("api_")]
OPERATIONS = [each for each in ROUTES if each not in PAGES]
OF_LINKS = [each for each in PAGES if each.path.startswith(("s/", "p/"))]
HUGE = 2**63
SIGNED_IN = ("nobody", *PAGE_ROLES)
BY_HEADER = (*HELPERS, "player", "token")
"""Those who show what only the API looks at: to a page they are nobody."""
ASKING = {
    "home": (*SIGNED_IN, "bound token", *BY_HEADER),
    "sister": ("referee", "desk", "screen", "player"),
    "foreign": ("token", "bound token", "referee", "desk", "player"),
}
"""Who asks for operations where; whoever is an outsider at home is one everywhere."""
CLOSED = [f"{how} {kind}" for how in ("expired", "revoked", "renewed") for kind in ("referee", "desk")]
REFUSED = (*CLOSED, "renewed player", "revoked token", "closed account")
NO_NUMBERS = ("-1", "abc", "%00", "%D9%A1", "9" * 5000)
"""What may stand where an address has a number, and is none."""
NO_TOKENS = ("1", "1-", "-abc", "x-y", "1-%D0%B6", "%00", "1%00-ab", f"{HUGE}-ab", f"{'9' * 20}-ab", "1-" + "a" * 5000)
NEED_NO_DATABASE = {
    *("design", "set_language", "api_schema", "api_docs", "api_script", "api_client", "verifier", "practice"),
    "positions/",
    *("sign_in", "sign_in_code", "sign_in_mail", "mail_sent", "passkey_use"),
}
"""What is answered as ever while the database is away, to whoever is not signed in."""
PAGE, PROBLEM = "text/html; charset=utf-8", "application/problem+json"
CALM = {
    "en": ((PAGE, "We will be back in a moment"), (PROBLEM, "The database is away")),
    "ru": ((PAGE, "Мы скоро вернёмся"), (PROBLEM, "База данных недоступна")),
}
"""What pages and operations say while the database is away."""
NO_WORDS = ("nothing", "%00", "x" * 5000)


# --- Every address is declared, each once.


def test_every_address_is_declared_and_nothing_else() -> None:
    assert {row.name for row in ROWS} == {route.name for route in ROUTES}


def test_names_of_addresses_and_lines_of_the_tables_are_there_once() -> None:
    assert len({route.name for route in ROUTES}) == len(ROUTES)
    lines = [(row.name, row.method, row.kind) for row in ROWS]
    assert sorted(set(lines)) == sorted(lines)


def test_every_method_of_an_operation_is_declared_and_no_other() -> None:
    there = {(route.name, method) for route in OPERATIONS for method in route.handlers}
    assert {(row.name, row.method) for row in OPERATION_ROWS} == there


# --- How an address is filled in.


def values(world: World, place: Place, route: Route, token: str = "") -> dict[str, Any]:
    """What stands in the places of an address: what is there, in this place."""
    if route.path.startswith("welcome/"):
        token = first_organiser_token()
    elif route.path.startswith("sign-in/link/"):
        token = mailed_link()
    elif route.path.removeprefix("api/").startswith("practice/"):
        token = practice_token(world.practice_over if route.path.endswith(REPLAYS) else world.practice)
    code = table_code(event_id=place.event.pk, table=place.ids["number"])
    said = {"sheet": "standings", "kind": "csv", "code": code, "token": token}
    return {**place.ids_of(route.path), "pk": place.pk_of(route.path), **said}


def mailed_link() -> str:
    """The secret part of a link that was mailed a moment ago."""
    known = MailedLink.objects.first()
    link = known or mailed.ask_for_link(
        email="new@example.org", next_path="", language="en", place="192.0.2.1", now=timezone.now()
    )
    assert isinstance(link, MailedLink)
    return mailed_token(link)


def let_in(world: World, route: Route) -> Iterator[tuple[Caller, Row, str]]:
    """For each row of an address somebody who is let in at home, and the token they have in the address."""
    for row in rows_of(route):
        if row.kind:
            role = next(role for role in ("nobody", "account") if row.lets_in(role))
            yield world.callers[role], row, world.own if row.kind == "player" else world.links[row.kind]
            continue
        is_api = row in OPERATION_ROWS
        names = (
            ("nobody", "organiser", "fellow") if not is_api else ("nobody", "token", "player", "organiser", "fellow")
        )
        name = next(name for name in names if row.lets_in(role_in(name, "home", is_api=is_api)))
        yield world.callers[name], row, ""


# --- Who is answered what, at home and elsewhere.


@pytest.mark.django_db
def test_pages_are_answered_by_who_is_signed_in() -> None:
    world, walk = World(), Walk()
    for route in PAGES:
        for row in rows_of(route):
            if row.kind:
                continue
            address = route.address(values(world, world.home, route))
            for caller in SIGNED_IN if row.who != "everybody" else ("nobody", "account", "organiser"):
                role = role_in(caller, "home", is_api=False)
                walk.ask(world.callers[caller], row, address, {row.status(role)}, may_write=row.lets_in(role))
            if row.who == "everybody" or "pk" not in route.numbers:
                continue  # to everybody all places are the same, and of some things there is one
            address = route.address(values(world, world.foreign, route))
            for caller in ("organiser", "fellow"):
                role = role_in(caller, "foreign", is_api=False)
                walk.ask(world.callers[caller], row, address, {row.status(role)}, may_write=row.lets_in(role))
    assert not walk.wrong, "\n".join(walk.wrong)


@pytest.mark.django_db
def test_what_opens_the_api_opens_no_page() -> None:
    world, walk = World(), Walk()
    for route in PAGES:
        for row in rows_of(route)[:1]:
            if row.who == "everybody" or row.kind:
                continue
            address = route.address(values(world, world.home, route))
            for caller in BY_HEADER:
                walk.ask(world.callers[caller], row, address, {row.status("nobody")})
    assert not walk.wrong, "\n".join(walk.wrong)


def by_session(row: Row) -> Sequence[str]:
    """Who opens a link; to most pages behind one it is all the same."""
    return SIGNED_IN if row.kind == "invitation" or row.who == "claimant" else ("nobody", "account", "organiser")


@pytest.mark.django_db
def test_pages_behind_a_link_are_answered_by_the_link() -> None:
    world, walk = World(), Walk()
    tokens = {**world.links, "player": world.own, "token": world.callers["token"].headers["Authorization"][7:]}
    for route in OF_LINKS:
        for row in rows_of(route):
            kinds = {each.kind for each in rows_of(route) if each.method == row.method}
            for kind, token in tokens.items():
                if kind != row.kind and kind in kinds:
                    continue  # a row of its own says so
                if kind.startswith("elsewhere ") and not route.numbers:
                    continue  # at home in its own event, for there is no telling another one
                address = route.address(values(world, world.home, route, token))
                for caller in by_session(row) if kind == row.kind else ["nobody"]:
                    role = role_in(caller, "home", is_api=False)
                    expected, is_its = ({row.status(role)}, True) if kind == row.kind else ({404}, False)
                    asking = world.callers[caller]
                    walk.ask(asking, row, address, expected, may_write=is_its and row.lets_in(role))
    assert not walk.wrong, "\n".join(walk.wrong)


@pytest.mark.django_db
def test_operations_are_answered_by_who_asks() -> None:
    world, walk = World(), Walk()
    for route in OPERATIONS:
        for row in rows_of(route):
            for place, callers in ASKING.items():
                if place != "home" and (row.who == "everybody" or "pk" not in route.numbers):
                    continue  # to everybody all places are the same, and of some things there is one
                if place == "sister" and "events/" in route.path:
                    continue  # the very same event
                address = route.address(values(world, world.places[place], route))
                is_beside = place == "home" and "/check/" in route.path  # a roster that is open yet
                for caller in callers:
                    role = role_in(caller, "sister" if is_beside else place, is_api=True)
                    walk.ask(world.callers[caller], row, address, {row.status(role)}, may_write=row.lets_in(role))
    assert not walk.wrong, "\n".join(walk.wrong)


@pytest.mark.django_db
def test_what_was_closed_opens_nothing() -> None:
    world, walk = World(), Walk()
    for route in OPERATIONS:
        for row in rows_of(route)[:1]:
            address = route.address(values(world, world.home, route))
            for caller in REFUSED:
                walk.ask(world.callers[caller], row, address, {401})
    for route in OF_LINKS:
        for row in rows_of(route):
            closed = [token for name, token in world.closed.items() if name.endswith(f" {row.kind}")]
            assert closed
            for token in closed:
                address = route.address(values(world, world.home, route, token))
                for caller in ("nobody", "organiser"):
                    walk.ask(world.callers[caller], row, address, {404})
    assert not walk.wrong, "\n".join(walk.wrong)


# --- Numbers and words that lead nowhere.


@pytest.mark.django_db
def test_what_is_elsewhere_is_not_found_below_this() -> None:
    """One's own address with an entry, a match, a link or a report of another tournament or another event in it."""
    world, walk = World(), Walk()
    of_the_event = {
        *("link_id", "token_id", "account_id", "passkey_id"),
        *("table_id", "room_id", "opening_id", "break_id", "stage_id", "slot_id"),
    }
    for route in ROUTES:
        nested = [name for name in route.numbers if name not in ("pk", "number")]
        for caller, row, token in let_in(world, route) if nested else ():
            here = values(world, world.home, route, token)
            others = [world.foreign.ids] if of_the_event & set(nested) else [world.foreign.ids, world.sister.ids]
            if row.kind == "player" or row.who in ("players", "seats"):
                others.append(world.home.beside)
            for other in others:
                for name in nested:
                    walk.ask(caller, row, route.address({**here, name: other[name]}), {404})
    assert not walk.wrong, "\n".join(walk.wrong)


@pytest.mark.db
@pytest.mark.django_db
def test_what_is_no_number_and_no_word_of_ours_is_not_found() -> None:
    world, walk = World(), Walk()
    for route in ROUTES:
        unread: list[tuple[str, object]] = [(name, nothing) for name in route.numbers for nothing in NO_NUMBERS]
        read: list[tuple[str, object]] = [(name, nothing) for name in route.numbers for nothing in (0, HUGE)]
        words = [name for name in ("sheet", "kind", "code") if ("str", name) in route.parts]
        read += [(name, nothing) for name in words for nothing in NO_WORDS]
        read += [("token", nothing) for nothing in NO_TOKENS if ("str", "token") in route.parts]
        for number, (caller, row, token) in enumerate(let_in(world, route)):
            here = values(world, world.home, route, token)
            for name, nothing in read if number else read + unread:  # the resolver does not ask for the method
                walk.ask(caller, row, route.address({**here, name: nothing}), {404})
    assert not walk.wrong, "\n".join(walk.wrong)


@pytest.mark.django_db
@pytest.mark.parametrize("method", METHODS)
def test_what_is_none_of_the_apis_addresses_is_a_problem_for_everybody(method: str) -> None:
    world, walk = World(), Walk()
    row = Row("nothing", method, "everybody", 404, "", {})
    for caller in ("nobody", "organiser", "token", "referee", "player", "revoked token"):
        for address in ("/api/", "/api/nothing/", "/api/%00/", f"/api/{'x' * 5000}/"):
            walk.ask(world.callers[caller], row, address, {404})
    assert not walk.wrong, "\n".join(walk.wrong)


@pytest.mark.django_db
def test_other_methods_than_declared_are_none() -> None:
    world, walk = World(), Walk()
    for route in ROUTES:
        declared = {row.method for row in rows_of(route)}
        caller, row, token = next(
            let_in(world, route), (world.callers["nobody"], Row(route.name, "", "", 0, "", {}), "")
        )
        address = route.address(values(world, world.home, route, token))
        for method in METHODS:
            if method not in declared:
                walk.ask(caller, replace(row, method=method), address, {405})
    assert not walk.wrong, "\n".join(walk.wrong)


# --- While the database is away.


@contextmanager
def away() -> Iterator[None]:
    """The database answers nothing, as when its server is gone."""

    def gone(*_asked: Any) -> Any:
        raise OperationalError("connection refused")

    with connection.execute_wrapper(gone):
        yield


def said(answer: Any) -> str:
    """The title of a problem, or of a page."""
    if answer.get("Content-Type") == PROBLEM:
        return str(answer.json()["title"])
    found = re.search("<h1>(.*?)</h1>", answer.content.decode())
    return found[1] if found else ""


@pytest.mark.django_db
def test_while_the_database_is_away_everything_that_needs_it_is_told_to_come_again() -> None:
    world, wrong = World(), []
    for route in ROUTES:
        for caller, row, token in let_in(world, route):
            address = route.address(values(world, world.home, route, token))
            for language, told in CALM.items():
                with undone(), away():
                    answer = caller.ask(row.method, address, language=language)
                if route.name in NEED_NO_DATABASE:
                    if answer.status_code != row.answer:
                        wrong.append(f"{row.method} {row.name}: {answer.status_code}")
                    continue
                found = answer.status_code, answer.get("Retry-After"), answer.get("Content-Type"), said(answer)
                if found != (503, "5", *(told[1] if row in OPERATION_ROWS else told[0])):
                    wrong.append(f"{row.method} {row.name} in {language}: {found}")
    assert not wrong, "\n".join(wrong)


@pytest.mark.django_db
def test_while_the_database_is_away_nothing_turns_into_a_fault_of_ours() -> None:
    """What is looked for in vain, forged or sent too late says so with a page that asks who is signed in."""
    world = World()
    asked = [
        ("GET", "/nothing/", "organiser"),
        ("GET", f"/t/{HUGE}/", "organiser"),
        ("GET", f"/api/tournaments/{HUGE}/", "organiser"),
        ("DELETE", "/desk/", "organiser"),
        ("GET", "/s/x/", "nobody"),
        ("POST", "/sign-in/passkey/begin/", "nobody"),
        ("POST", "/sign-out/", "organiser"),
    ]
    answers = {}
    for method, address, caller in asked:
        with undone(), away():
            answers[f"{method} {address}"] = world.callers[caller].ask(method, address).status_code
    assert answers == {
        "GET /nothing/": 404,
        f"GET /t/{HUGE}/": 404,
        f"GET /api/tournaments/{HUGE}/": 503,
        "DELETE /desk/": 405,
        "GET /s/x/": 404,
        "POST /sign-in/passkey/begin/": 503,
        "POST /sign-out/": 503,
    }
