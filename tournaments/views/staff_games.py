"""Matches a referee runs through the engine, behind their private link: how each is played, the console, the panel."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponseBase
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST, require_safe

from players.permissions import Actor
from tournaments.models import StaffLink
from tournaments.permissions import link_token
from tournaments.queries.tables import is_closed_match, pairing_at
from tournaments.views import console as pages
from tournaments.views.access import for_link
from tournaments.views.console import Door
from tournaments.views.helper import home_of
from tournaments.views.staff import refuse


def _door(request: HttpRequest, link: StaffLink, actor: Actor, match_id: int) -> Door:
    """The match, if it is at the referee's tables, its round taken back or not; 404 for any other."""
    pairing = pairing_at(actor=actor, event=link.event, match_id=match_id, act="run_game")
    if pairing is not None and pairing.match is None:
        pairing = None
    if pairing is None and not is_closed_match(actor=actor, event=link.event, match_id=match_id):
        raise Http404
    token = link_token(link)
    return Door(
        event=link.event,
        actor=actor,
        match_id=match_id,
        pairing=pairing,
        urls=lambda name: reverse(f"staff_{name}", args=[token, match_id]),
        home=home_of(link),
        home_text=_("My tables"),
        result_url=reverse("staff_result", args=[token, match_id]),
        refuse=lambda refused: refuse(request, link, actor, refused),
        has_session=False,
    )


@require_safe
@for_link
def console(request: HttpRequest, link: StaffLink, actor: Actor, match_id: int) -> HttpResponseBase:
    """The console of a match with real cards."""
    return pages.console_page(request, _door(request, link, actor, match_id))


@require_safe
@for_link
def panel(request: HttpRequest, link: StaffLink, actor: Actor, match_id: int) -> HttpResponseBase:
    """The panel of a match that is played here."""
    return pages.panel_page(request, _door(request, link, actor, match_id))


# Without a token of the session, as results are: the secret path is the whole authority here.
@csrf_exempt
@require_POST
@for_link
def way(request: HttpRequest, link: StaffLink, actor: Actor, match_id: int) -> HttpResponseBase:
    """The match is played another way."""
    return pages.choose(request, _door(request, link, actor, match_id))


@csrf_exempt
@require_POST
@for_link
def open_(request: HttpRequest, link: StaffLink, actor: Actor, match_id: int) -> HttpResponseBase:
    """The referee begins to enter the match card by card."""
    return pages.open_(request, _door(request, link, actor, match_id))


@csrf_exempt
@require_POST
@for_link
def move(request: HttpRequest, link: StaffLink, actor: Actor, match_id: int) -> HttpResponseBase:
    """One entry on the console."""
    return pages.enter(request, _door(request, link, actor, match_id))


@csrf_exempt
@require_POST
@for_link
def act(request: HttpRequest, link: StaffLink, actor: Actor, match_id: int) -> HttpResponseBase:
    """The referee's word at a game that is played here."""
    return pages.act(request, _door(request, link, actor, match_id))
