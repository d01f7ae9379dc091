"""Who runs an event: listed, taken in by an invitation, taken out, gone, and whose it is."""

from __future__ import annotations

from typing import Any

from django.http import Http404
from django.shortcuts import get_object_or_404
from django.utils import timezone
from rest_framework.request import Request
from rest_framework.response import Response

from players.models import Account
from players.permissions import Role
from tournaments.actions import organisers as actions
from tournaments.api.access import View, event_for, own_account
from tournaments.api.answers import page
from tournaments.api.bodies import SecretBody
from tournaments.api.events import event_answer
from tournaments.api.operation import PAGE, operation
from tournaments.api.problems import done
from tournaments.api.shapes import EventShape, OrganiserShape, OrganisersPageShape
from tournaments.models import Event
from tournaments.permissions import read_link


def _row(account: Account, event: Event, request: Request) -> dict[str, Any]:
    is_you = request.user == account
    return {"id": account.pk, "name": str(account), "owns": account.pk == event.owner_id, "is_you": is_you}


def _organiser(event: Event, account_id: int) -> None:
    """404 for an account that does not run this event."""
    get_object_or_404(event.memberships, account=account_id, role=Role.ORGANISER)


class Organisers(View):
    """The organisers of an event."""

    @operation(
        "list_organisers",
        "Who runs an event, the owner first",
        description="Another one is invited by a link with the role `organiser`.",
        answer=OrganisersPageShape,
        parameters=PAGE,
    )
    def get(self, request: Request, pk: int) -> Response:
        event, _actor = event_for(request, pk, "manage_staff")
        members = event.memberships.filter(role=Role.ORGANISER).select_related("account").order_by("pk")
        accounts = sorted((each.account for each in members), key=lambda account: account.pk != event.owner_id)
        return page(self, request, accounts, OrganisersPageShape, lambda account: _row(account, event, request))


class Remove(View):
    """A fellow organiser is one no more."""

    @operation(
        "remove_organiser",
        "Take somebody out of the organisers",
        description="Their tokens open nothing here from then on. The owner stays.",
        answer=None,
        status=204,
    )
    def post(self, request: Request, pk: int, account_id: int) -> Response:
        event, actor = event_for(request, pk, "manage_staff")
        _organiser(event, account_id)
        done(actions.remove_organiser(event_id=event.pk, account_id=account_id, by=actor, now=timezone.now()))
        return Response(status=204)


class Leave(View):
    """Whoever asks runs the event no more."""

    @operation(
        "leave_event",
        "Organise this event no more",
        description="Your tokens, this one too, open nothing here from then on. The owner hands over first.",
        answer=None,
        status=204,
    )
    def post(self, request: Request, pk: int) -> Response:
        event, actor = event_for(request, pk, "manage_staff")
        done(actions.leave_event(event_id=event.pk, by=actor, now=timezone.now()))
        return Response(status=204)


class HandOver(View):
    """The event is another organiser's."""

    @operation(
        "hand_over",
        "Hand the event over to another organiser",
        description="For the owner alone. The event, and what is known of its players, is theirs from then on; you stay"
        " an organiser.",
        answer=OrganiserShape,
    )
    def post(self, request: Request, pk: int, account_id: int) -> Response:
        event, actor = event_for(request, pk, "hand_over")
        _organiser(event, account_id)
        handed = done(actions.hand_over(event_id=event.pk, account_id=account_id, by=actor, now=timezone.now()))
        return Response(OrganiserShape(_row(handed.owner, handed, request)).data)


class AcceptInvitation(View):
    """An account becomes an organiser by an invitation."""

    @operation(
        "accept_invitation",
        "Become an organiser by an invitation",
        description="`token` is the last part of its address. It is used up by the first account; the same account"
        " twice is once. For an account: a session, or a token that is not for one event.",
        body=SecretBody,
        answer=EventShape,
    )
    def post(self, request: Request) -> Response:
        account = own_account(request)
        body = SecretBody(data=request.data)
        body.is_valid(raise_exception=True)
        link = read_link(body.validated_data["token"], now=timezone.now())
        if link is None or link.role != Role.ORGANISER:
            raise Http404
        event = done(actions.accept_invitation(link_id=link.pk, account=account, now=timezone.now()))
        return Response(event_answer(event))
