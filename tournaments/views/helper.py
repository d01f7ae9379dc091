"""The helper a browser belongs to: a desk phone that scans an own link checks its player in under its helper's name."""

from __future__ import annotations

from datetime import datetime

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.urls import reverse
from django.utils import timezone

from players.permissions import Actor
from tournaments.models import StaffLink, Tournament
from tournaments.permissions import actor_of_link, link_token, may, read_link
from tournaments.views.access import actor_in

COOKIE = "helper"


def home_of(link: StaffLink) -> str:
    """The page a helper's link opens."""
    return reverse("staff_link", args=[link_token(link)])


def kept_by_nobody(response: HttpResponse) -> HttpResponse:
    """A page only this helper may see: nothing keeps a copy of it."""
    response["Cache-Control"] = "private, no-store"
    return response


def remember_helper(request: HttpRequest, response: HttpResponseBase, link: StaffLink) -> None:
    """Let this browser be this helper's from now on, as long as the link is good.

    The cookie is the link's own secret, which carries its signature; it goes nowhere but to players' pages.
    """
    response.set_cookie(
        COOKIE,
        link_token(link),
        expires=link.expires_at,
        path="/p/",
        secure=request.is_secure(),
        httponly=True,
        samesite="Lax",
    )


def helper_at(request: HttpRequest, tournament: Tournament) -> Actor | None:
    """Whoever of staff this browser belongs to and may check players of this tournament in; asked anew each time.

    A helper by their link, or an organiser who is signed in.
    """
    actor = _by_link(request, now=timezone.now()) or actor_in(request, tournament.event)
    is_good = may(actor, "check_in", event=tournament.event_id, tournament=tournament.pk)
    return actor if is_good else None


def _by_link(request: HttpRequest, *, now: datetime) -> Actor | None:
    token = request.COOKIES.get(COOKIE, "")
    link = read_link(token, now=now) if token else None
    return None if link is None else actor_of_link(link)
