"""Behind links that are for no table and no desk: an organiser's invitation, and what a hall screen shows."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST

from players.actions import register_account
from players.forms import WelcomeForm
from players.permissions import Actor, Refused, Role
from players.views import ask_to_sign_in, enter, sign_in_path
from tournaments.actions import organisers
from tournaments.models import StaffLink
from tournaments.permissions import link_token
from tournaments.views.access import actor_in, for_link
from tournaments.words.refusals import refusal_text


def invitation(
    request: HttpRequest, link: StaffLink, *, form: WelcomeForm | None = None, refused: str = "", status: int = 200
) -> HttpResponse:
    """Who is invited to what: first sign in or make an account, then one button."""
    token = link_token(link)
    if not refused and actor_in(request, link.event).role is Role.ORGANISER:
        return redirect("event_desk", link.event_id)
    context = {
        "link": link,
        "event": link.event,
        "demo": link.event.is_demo,
        "token": token,
        "is_used": link.accepted_by_id is not None,
        "sign_in": sign_in_path(reverse("staff_link", args=[token])),
        "form": form or WelcomeForm(auto_id="new-%s"),
        "refused": refused,
    }
    return _own(render(request, "tournaments/staff/invitation.html", context, status=status))


def _own(response: HttpResponse) -> HttpResponse:
    response["Cache-Control"] = "private, no-store"
    return response


@require_POST
@for_link
def accept(request: HttpRequest, link: StaffLink, actor: Actor) -> HttpResponseBase:
    """The account that is signed in becomes an organiser."""
    _only_invitations(link)
    if not request.user.is_authenticated:
        return ask_to_sign_in(request)
    outcome = organisers.accept_invitation(link_id=link.pk, account=request.user, now=timezone.now())
    if isinstance(outcome, Refused):
        link.refresh_from_db()
        return invitation(request, link, refused=refusal_text(outcome), status=outcome.status)
    return redirect("event_desk", outcome.pk)


@require_POST
@for_link
def new_account(request: HttpRequest, link: StaffLink, actor: Actor) -> HttpResponseBase:
    """Whoever was invited makes an account with a password, and comes back to the invitation."""
    _only_invitations(link)
    form = WelcomeForm(request.POST, auto_id="new-%s")
    if link.accepted_by_id is not None or not form.is_valid():
        return invitation(request, link, form=form, status=400)
    said: dict[str, Any] = form.cleaned_data
    outcome = register_account(email=said["email"], password=said["password"], name=said["name"], now=timezone.now())
    if isinstance(outcome, Refused):
        form.add_error("email", refusal_text(outcome))
        return invitation(request, link, form=form, status=outcome.status)
    return enter(request, outcome, next_path=reverse("staff_link", args=[link_token(link)]))


def _only_invitations(link: StaffLink) -> None:
    if link.role != Role.ORGANISER:
        raise Http404


def screens(request: HttpRequest, link: StaffLink) -> HttpResponse:
    """The hall screen of the link's tournament; of an event with several, a choice of them."""
    if link.tournament_id is not None:
        return redirect("hall", link.tournament_id)
    tournaments = list(link.event.tournaments.order_by("pk"))
    if len(tournaments) == 1:
        return redirect("hall", tournaments[0].pk)
    context = {"link": link, "event": link.event, "demo": link.event.is_demo, "tournaments": tournaments}
    return _own(render(request, "tournaments/staff/screens.html", context))
