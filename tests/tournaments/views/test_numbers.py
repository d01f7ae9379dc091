"""An address with a number no database can hold leads nowhere, for everybody and in every way of asking."""

from __future__ import annotations

from datetime import timedelta
from itertools import product

import pytest
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver
from django.utils import timezone

from players.permissions import Role
from tests.factories import NOW, organiser
from tests.tournaments.play import pairings
from tests.tournaments.views.desk import desk_of, running
from tournaments.actions import staff
from tournaments.models import Tournament
from tournaments.permissions import entry_token, link_token

pytestmark = pytest.mark.django_db

HUGE = 2**63
NUMBERS = ("pk", "entry_id", "match_id", "round_id", "link_id", "token_id", "import_id", "account_id", "submission_id")


def addresses(resolver: URLResolver, before: str = "") -> list[tuple[str, tuple[str, ...]]]:
    """Every address as a format string, with the names of the whole numbers in it."""
    found: list[tuple[str, tuple[str, ...]]] = []
    for each in resolver.url_patterns:
        route = before + str(each.pattern)
        if isinstance(each, URLResolver):
            found += addresses(each, route)
        elif isinstance(each, URLPattern) and "<int:" in route:
            names = tuple(part.partition(">")[0] for part in route.split("<int:")[1:])
            found.append((route, names))
    return found


def links_of(tournament: Tournament) -> dict[str, str]:
    """A private link of each kind."""
    links = {
        role: staff.create_link(
            event_id=tournament.event_id,
            tournament_id=None,
            role=role,
            name="Marta",
            expires_at=timezone.now() + timedelta(days=1),
            by=organiser(of=tournament),
            now=NOW,
        )
        for role in (Role.REFEREE, Role.DESK)
    }
    entry = tournament.entries.select_related("tournament__event").order_by("pk")[0]
    return {
        "referee": link_token(links[Role.REFEREE]),
        "desk": link_token(links[Role.DESK]),
        "own": entry_token(entry),
    }


def filled(route: str, numbers: dict[str, int], token: str) -> str:
    for name, number in numbers.items():
        route = route.replace(f"<int:{name}>", str(number))
    for name, word in (("token", token), ("sheet", "standings"), ("kind", "csv")):
        route = route.replace(f"<str:{name}>", word)
    return "/" + route


def test_a_number_nothing_can_have_is_not_found_anywhere() -> None:
    tournament = running(4)
    real = dict.fromkeys(NUMBERS, 1) | {
        "pk": tournament.pk,
        "entry_id": tournament.entries.order_by("pk")[0].pk,
        "match_id": pairings(tournament, 1)[0].match_id or 0,
        "number": 1,
    }
    tokens = links_of(tournament)
    clients = (Client(), desk_of(tournament))
    wrong = []
    for (route, names), client, method in product(addresses(get_resolver()), clients, ("get", "post")):
        for huge in names:
            for token in tokens.values() if "<str:token>" in route else [""]:
                address = filled(route, {**real, huge: HUGE}, token)
                real_pk = address.startswith("/desk/events/") and huge != "pk"
                if real_pk:
                    address = filled(route, {**real, "pk": tournament.event_id, huge: HUGE}, token)
                status = getattr(client, method)(address).status_code
                if status not in (302, 400, 401, 403, 404, 405):
                    wrong.append((method, address, status))
    assert wrong == []
