"""Helpers' links, shown to organisers with their secret."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.conf import settings
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils import timezone
from rest_framework.request import Request
from rest_framework.response import Response

from players.permissions import Role
from tournaments.actions import staff as actions
from tournaments.api.access import View, event_for
from tournaments.api.bodies import LinkBody
from tournaments.api.operation import operation
from tournaments.api.problems import refuse
from tournaments.api.shapes import StaffLinkShape, StaffLinksShape
from tournaments.forms.staff import link_end
from tournaments.models import StaffLink
from tournaments.permissions import link_token

_LEAST = timedelta(days=1)  # a link for an event that is over still opens for a while


def _row(link: StaffLink) -> dict[str, Any]:
    token = link_token(link) if link.revoked_at is None else None
    facts = ("id", "role", "name", "tables", "expires_at", "revoked_at")
    return {name: getattr(link, name) for name in facts} | {
        "tournament": link.tournament_id,
        "token": token,
        "url": None if token is None else settings.PUBLIC_URL + reverse("staff_link", args=[token]),
    }


class StaffLinks(View):
    """The links of an event."""

    @operation("list_staff_links", "Helpers' links", answer=StaffLinksShape)
    def get(self, request: Request, pk: int) -> Response:
        event, _actor = event_for(request, pk, "manage_staff")
        rows = [_row(link) for link in event.staff_links.order_by("pk")]
        return Response(StaffLinksShape({"results": rows}).data)

    @operation("create_staff_link", "Make a link for a helper", body=LinkBody, answer=StaffLinkShape, status=201)
    def post(self, request: Request, pk: int) -> Response:
        event, actor = event_for(request, pk, "manage_staff")
        body = LinkBody(data=request.data)
        body.is_valid(raise_exception=True)
        said, now = body.validated_data, timezone.now()
        if said["tournament"] is not None:
            get_object_or_404(event.tournaments, pk=said["tournament"])
        expires_at = said.get("expires_at") or max(link_end(event=event), now + _LEAST)
        if expires_at <= now:
            raise refuse("link_would_be_over", status=400)
        link = actions.create_link(
            event_id=event.pk,
            tournament_id=said["tournament"],
            role=Role(said["role"]),
            name=said["name"],
            tables=said["tables"] if said["role"] == Role.REFEREE else (),
            expires_at=expires_at,
            by=actor,
            now=now,
        )
        return Response(StaffLinkShape(_row(link)).data, status=201)


class RevokeStaffLink(View):
    """The end of a link."""

    @operation("revoke_staff_link", "Revoke a helper's link", answer=StaffLinkShape)
    def post(self, request: Request, pk: int, link_id: int) -> Response:
        event, actor = event_for(request, pk, "manage_staff")
        link = get_object_or_404(event.staff_links, pk=link_id)
        revoked = actions.revoke_link(link_id=link.pk, by=actor, now=timezone.now())
        return Response(StaffLinkShape(_row(revoked)).data)
