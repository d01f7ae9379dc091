"""What staff do for one player: show their own link, replace it, give them a place."""

from __future__ import annotations

from django.http import HttpResponse
from django.utils import timezone
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.actions import registration, roster
from tournaments.api.access import View, entry_for, tournament_for
from tournaments.api.answers import CODE, code_answer, own_link
from tournaments.api.operation import operation
from tournaments.api.problems import done
from tournaments.api.shapes import EntryShape, OwnLinkShape


class OwnLink(View):
    """A player's own link."""

    @operation("show_own_link", "A player's own link, to be given to them", answer=OwnLinkShape)
    def get(self, request: Request, pk: int, entry_id: int) -> Response:
        tournament, _actor = tournament_for(request, pk, "show_own_link")
        return Response(OwnLinkShape(own_link(entry_for(tournament, entry_id))).data)


class OwnLinkCode(View):
    """A player's own link, to be scanned."""

    @operation("show_own_link_code", "A player's own link as a QR code", answer=CODE)
    def get(self, request: Request, pk: int, entry_id: int) -> HttpResponse:
        tournament, _actor = tournament_for(request, pk, "show_own_link")
        return code_answer(own_link(entry_for(tournament, entry_id))["url"])


class RenewOwnLink(View):
    """Another link for the same player."""

    @operation("renew_own_link", "Give a player another link; the old one closes", answer=OwnLinkShape, makes=True)
    def post(self, request: Request, pk: int, entry_id: int) -> Response:
        tournament, actor = tournament_for(request, pk, "show_own_link")
        entry = entry_for(tournament, entry_id)
        renewed = done(registration.renew_entry_link(entry_id=entry.pk, by=actor, now=timezone.now()))
        return Response(OwnLinkShape(own_link(renewed)).data)


class GivePlace(View):
    """Somebody who waits has a place."""

    @operation(
        "give_place",
        "Give somebody who waits a place",
        description="Whoever waits before them, and however many places there are. Somebody who has one keeps it.",
        answer=EntryShape,
    )
    def post(self, request: Request, pk: int, entry_id: int) -> Response:
        tournament, actor = tournament_for(request, pk, "edit_roster")
        entry = entry_for(tournament, entry_id)
        return Response(EntryShape(done(roster.give_place(entry_id=entry.pk, by=actor, now=timezone.now()))).data)
