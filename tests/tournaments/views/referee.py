"""A referee at work, as tests need one: a link, the page behind it, a result sent and taken back."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from uuid import uuid4

from django.http import HttpResponse
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from matches.models import Match
from players.permissions import Role
from tests.factories import NOW, make_field, make_tournament, organiser
from tests.tournaments.play import pairings, start
from tournaments.actions import staff
from tournaments.models import Event, Pairing, StaffLink, Tournament
from tournaments.permissions import link_token

JSON = {"Accept": "application/json"}


def running(size: int = 4, **facts: Any) -> Tournament:
    tournament = make_tournament(seeding="rating", **facts)
    make_field(size=size, tournament=tournament)
    start(tournament)
    return tournament


def link_for(
    event: Event,
    *,
    tournament: Tournament | None = None,
    role: Role = Role.REFEREE,
    tables: tuple[int, ...] = (),
    name: str = "Marta",
    hours: int = 8,
) -> StaffLink:
    return staff.create_link(
        event_id=event.pk,
        tournament_id=None if tournament is None else tournament.pk,
        role=role,
        name=name,
        tables=tables,
        expires_at=timezone.now() + timedelta(hours=hours),
        by=organiser(of=event),
        now=NOW,
    )


def referee(tournament: Tournament, **facts: Any) -> StaffLink:
    return link_for(tournament.event, tournament=tournament, **facts)


def page(link: StaffLink, **query: str) -> HttpResponse:
    answer = Client().get(reverse("staff_link", args=[link_token(link)]), query)
    assert isinstance(answer, HttpResponse)
    return answer


def send(
    link: StaffLink, match: int, *, client: Client | None = None, json: bool = True, **fields: Any
) -> HttpResponse:
    said = {"result": "3-1", "key": str(uuid4()), "version": 0} | fields
    answer = (client or Client(enforce_csrf_checks=True)).post(
        reverse("staff_result", args=[link_token(link), match]),
        {name: value for name, value in said.items() if value is not None},
        headers=JSON if json else {},
    )
    assert isinstance(answer, HttpResponse)
    return answer


def undo(link: StaffLink, match: int, *, version: int, json: bool = True) -> HttpResponse:
    address = reverse("staff_undo", args=[link_token(link), match])
    answer = Client(enforce_csrf_checks=True).post(address, {"version": version}, headers=JSON if json else {})
    assert isinstance(answer, HttpResponse)
    return answer


def first(tournament: Tournament) -> Pairing:
    return next(pairing for pairing in pairings(tournament) if pairing.match is not None and pairing.match.is_open)


def match_of(pairing: Pairing) -> int:
    assert pairing.match_id is not None
    return pairing.match_id


def stored(match: int) -> tuple[str, int, int, int]:
    found = Match.objects.get(pk=match)
    return (found.kind, found.sets_a, found.sets_b, found.version)
