"""Every address of the pages for one event with everything in it, opened by its organiser or by each private link."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import timedelta
from http.cookies import SimpleCookie
from typing import Any

from django.db import transaction
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver
from django.utils import timezone

from matches.models import Submission
from players.permissions import Role
from tests.factories import NOW, organiser
from tests.tournaments.play import pairings
from tournaments.actions import hours, plans, roster, staff
from tournaments.models import Break, Opening, Slot, Tournament
from tournaments.permissions import entry_token, link_token


def routes(of: URLResolver, before: str = "") -> Iterator[str]:
    """Every address there is, with its places."""
    for pattern in of.url_patterns:
        route = before + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from routes(pattern, route)
        elif isinstance(pattern, URLPattern):
            yield route


class Hall:
    """An event and those who come. Its tournaments are given, all of one event; a list and links are added."""

    def __init__(self, *tournaments: Tournament, name: str = "Marta") -> None:
        self.tournaments, self.event = tournaments, tournaments[0].event
        now, by = timezone.now(), organiser(of=self.event)
        for tournament in self.tournaments:
            row = {"line": 2, "name": name, "email": "", "city": "", "club": "", "rating": None}
            roster.prepare_import(
                tournament_id=tournament.pk, filename="a.csv", rows=[row], problems=[], source={}, by=by, now=NOW
            )
        end = NOW + timedelta(hours=1)
        pause = hours.add_break(event_id=self.event.pk, starts_at=NOW, ends_at=end, by=by, now=NOW)
        opening = hours.open_hall(
            event_id=self.event.pk, opens_at=NOW, closes_at=NOW + timedelta(hours=9), by=by, now=NOW
        )
        assert isinstance(pause, Break), pause
        assert isinstance(opening, Opening), opening
        self.pause, self.opening = pause, opening
        plans.ask_for_plan(event_id=self.event.pk)
        plans.replan(event_id=self.event.pk, now=now)
        self.links = {
            role: link_token(
                staff.create_link(
                    event_id=self.event.pk,
                    tournament_id=None,
                    role=role,
                    name=name,
                    expires_at=now + timedelta(days=1),
                    by=by,
                    now=now,
                )
            )
            for role in (Role.REFEREE, Role.DESK, Role.SCREEN, Role.ORGANISER)
        }
        self.organiser = Client()
        self.organiser.force_login(self.event.owner, backend="django.contrib.auth.backends.ModelBackend")
        self.cookies = {name: each.value for name, each in self.organiser.cookies.items()}

    def addresses(self, route: str, of: Tournament) -> list[str]:
        """The addresses of a route for this tournament: one for each link that may open it."""
        entry = of.entries.order_by("pk")[0]
        pairing = next(iter(pairings(of)), None)
        places: dict[str, Any] = {
            "pk": self.event.pk if "events/<" in route else of.pk,
            "entry_id": entry.pk,
            "match_id": pairing.match_id if pairing else 1,
            "submission_id": getattr(Submission.objects.order_by("pk").first(), "pk", 1),
            "import_id": getattr(of.imports.order_by("pk").first(), "pk", 1),
            "link_id": self.event.staff_links.order_by("pk")[0].pk,
            "token_id": getattr(self.event.api_tokens.order_by("pk").first(), "pk", 1),
            "account_id": self.event.owner_id,
            "round_id": pairing.round_id if pairing else 1,
            "number": 1,
            "passkey_id": 1,
            "slot_id": getattr(Slot.objects.filter(stage__tournament=of).order_by("pk").first(), "pk", 1),
            "stage_id": of.stages.order_by("pk")[0].pk,
            "opening_id": self.opening.pk,
            "break_id": self.pause.pk,
            "sheet": "standings",
            "kind": "csv",
        }
        tokens = [""]
        if "<str:token>" in route:
            tokens = list(self.links.values()) if route.startswith("s/") else [entry_token(entry)]
        filled = re.sub(r"<\w+:(\w+)>", lambda place: str(places.get(place[1], place[0])), route)
        return ["/" + filled.replace("<str:token>", token) for token in tokens]

    def send(self, address: str, **sent: Any) -> Any:
        """What an organiser's browser is answered; nothing of it lasts."""
        self.organiser.cookies = SimpleCookie(self.cookies)
        try:
            with transaction.atomic():
                answer = self.organiser.generic(**{"method": "POST", "path": address, **sent})
                transaction.set_rollback(True)
        except Exception as error:
            error.add_note(f"{address}: {str(sent)[:500]}")
            raise
        return answer


ROUTES = [route for route in routes(get_resolver()) if not route.startswith(("^static", "api/"))]
