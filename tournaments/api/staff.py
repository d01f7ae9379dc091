"""Helpers' links, shown to organisers with their secret, and scripts' tokens, shown once."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.conf import settings
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import get_language
from rest_framework.request import Request
from rest_framework.response import Response

from players.permissions import Role
from tournaments.actions import staff as actions
from tournaments.api.access import View, account_of, event_for
from tournaments.api.answers import CODE, code_answer, page
from tournaments.api.bodies import LinkBody, PlaceBody, RenewBody, TokenBody
from tournaments.api.once import if_seen
from tournaments.api.operation import IF_SEEN, PAGE, operation
from tournaments.api.problems import done, refuse
from tournaments.api.shapes import NewTokenShape, StaffLinkShape, StaffLinksPageShape, TokenShape, TokensPageShape
from tournaments.forms.staff import link_end
from tournaments.models import ApiToken, StaffLink
from tournaments.permissions import link_token

_LEAST = timedelta(days=1)  # a link for an event that is over still opens for a while


def _row(link: StaffLink) -> dict[str, Any]:
    token = link_token(link) if link.revoked_at is None else None
    facts = ("id", "role", "name", "tables", "here_from", "here_until", "email", "expires_at", "revoked_at")
    return {name: getattr(link, name) for name in facts} | {
        "accepted_by": None if link.accepted_by is None else str(link.accepted_by),
        "tournament": link.tournament_id,
        "token": token,
        "url": None if token is None else settings.PUBLIC_URL + reverse("staff_link", args=[token]),
    }


class StaffLinks(View):
    """The links of an event."""

    @operation("list_staff_links", "Helpers' links", answer=StaffLinksPageShape, parameters=PAGE)
    def get(self, request: Request, pk: int) -> Response:
        event, _actor = event_for(request, pk, "manage_staff")
        found = event.staff_links.select_related("accepted_by").order_by("pk")
        return page(self, request, found, StaffLinksPageShape, _row)

    @operation(
        "create_staff_link",
        "Make a link for a helper, or an organiser's invitation",
        body=LinkBody,
        answer=StaffLinkShape,
        status=201,
    )
    def post(self, request: Request, pk: int) -> Response:
        event, actor = event_for(request, pk, "manage_staff")
        body = LinkBody(data=request.data, context={"zone": event.tzinfo})
        body.is_valid(raise_exception=True)
        place = body.facts() | ({} if body.validated_data["role"] == Role.REFEREE else {"tables": ()})
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
            **place,
            email=said["email"],
            expires_at=expires_at,
            language=get_language() or "",
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


class OneStaffLink(View):
    """One link."""

    @operation("get_staff_link", "A helper's link", answer=StaffLinkShape)
    def get(self, request: Request, pk: int, link_id: int) -> Response:
        event, _actor = event_for(request, pk, "manage_staff")
        return Response(StaffLinkShape(_row(get_object_or_404(event.staff_links, pk=link_id))).data)

    @operation(
        "change_staff_link",
        "Say anew where and when somebody helps",
        description="What is left out stays. The address stays the same.",
        body=PlaceBody,
        answer=StaffLinkShape,
        parameters=[IF_SEEN],
    )
    def patch(self, request: Request, pk: int, link_id: int) -> Response:
        event, actor = event_for(request, pk, "manage_staff")
        get_object_or_404(event.staff_links, pk=link_id)
        body = PlaceBody(data=request.data, context={"zone": event.tzinfo})
        body.is_valid(raise_exception=True)

        def look() -> dict[str, Any]:
            found: dict[str, Any] = StaffLinkShape(_row(event.staff_links.get(pk=link_id))).data
            return found

        def act() -> StaffLink:
            facts = body.facts(of=event.staff_links.get(pk=link_id))
            return actions.edit_link(link_id=link_id, **facts, by=actor, now=timezone.now())

        return Response(StaffLinkShape(_row(if_seen(request, of=event, look=look, act=act))).data)


class StaffLinkCode(View):
    """A link, to be scanned."""

    @operation("get_staff_link_code", "A helper's link as a QR code", answer=CODE)
    def get(self, request: Request, pk: int, link_id: int) -> HttpResponse:
        event, _actor = event_for(request, pk, "manage_staff")
        url = _row(get_object_or_404(event.staff_links, pk=link_id))["url"]
        if url is None:
            raise Http404
        return code_answer(url)


class RenewStaffLink(View):
    """Another address for the same helper."""

    @operation(
        "renew_staff_link",
        "Give a helper a new link; the old one closes",
        body=RenewBody,
        answer=StaffLinkShape,
        makes=True,
    )
    def post(self, request: Request, pk: int, link_id: int) -> Response:
        event, actor = event_for(request, pk, "manage_staff")
        link = get_object_or_404(event.staff_links, pk=link_id)
        body = RenewBody(data=request.data, context={"zone": event.tzinfo})
        body.is_valid(raise_exception=True)
        now = timezone.now()
        expires_at = body.validated_data.get("expires_at") or max(link_end(event=event), now + _LEAST)
        if expires_at <= now:
            raise refuse("link_would_be_over", status=400)
        renewed = actions.renew_link(
            link_id=link.pk, expires_at=expires_at, language=get_language() or "", by=actor, now=now
        )
        return Response(StaffLinkShape(_row(renewed)).data)


def _token_row(token: ApiToken) -> dict[str, Any]:
    facts = ("id", "name", "hint", "created_at", "revoked_at")
    return {name: getattr(token, name) for name in facts} | {"account": str(token.account)}


class Tokens(View):
    """The tokens of an event."""

    @operation("list_tokens", "Scripts' tokens of an event", answer=TokensPageShape, parameters=PAGE)
    def get(self, request: Request, pk: int) -> Response:
        event, _actor = event_for(request, pk, "manage_tokens")
        found = event.api_tokens.select_related("account").order_by("pk")
        return page(self, request, found, TokensPageShape, _token_row)

    @operation(
        "create_token",
        "Make a token for a script, bound to this event",
        description="Its secret is told in this answer and nowhere else.",
        body=TokenBody,
        answer=NewTokenShape,
        status=201,
    )
    def post(self, request: Request, pk: int) -> Response:
        event, actor = event_for(request, pk, "manage_tokens")
        body = TokenBody(data=request.data)
        body.is_valid(raise_exception=True)
        token, secret = actions.create_token(
            account=account_of(request),
            event_id=event.pk,
            name=body.validated_data["name"],
            by=actor,
            now=timezone.now(),
        )
        return Response(NewTokenShape(_token_row(token) | {"token": secret}).data, status=201)


class RevokeToken(View):
    """The end of a token."""

    @operation("revoke_token", "Revoke a token", answer=TokenShape)
    def post(self, request: Request, pk: int, token_id: int) -> Response:
        event, actor = event_for(request, pk, "manage_tokens")
        token = get_object_or_404(event.api_tokens, pk=token_id)
        revoked = done(actions.revoke_token(token_id=token.pk, by=actor, now=timezone.now()))
        return Response(TokenShape(_token_row(revoked)).data)
