"""Who is asking: the actor of a request, checked against the very object, before any view does anything."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec

from django.http import Http404, HttpRequest, HttpResponseBase
from django.shortcuts import get_object_or_404
from django.utils import timezone

from players.permissions import PUBLIC, Actor
from players.views import ask_to_sign_in
from tournaments.models import Entry, Event, StaffLink, Tournament
from tournaments.permissions import actor_of_entry, actor_of_link, may, organiser_of, read_entry, read_link

P = ParamSpec("P")
View = Callable[..., HttpResponseBase]  # as the URL resolver calls it: the request, then what the path says by name
EventView = Callable[Concatenate[HttpRequest, Event, Actor, P], HttpResponseBase]
TournamentView = Callable[Concatenate[HttpRequest, Tournament, Actor, P], HttpResponseBase]
PlayerView = Callable[Concatenate[HttpRequest, Entry, Actor, P], HttpResponseBase]
LinkView = Callable[Concatenate[HttpRequest, StaffLink, Actor, P], HttpResponseBase]


def actor_in(request: HttpRequest, event: Event) -> Actor:
    """The signed-in account in this event; the public when nobody is signed in."""
    if request.user.is_authenticated:
        return organiser_of(account=request.user, event=event)
    return PUBLIC


def for_event(act: str) -> Callable[[EventView[P]], View]:
    """The view gets the event and the actor, who may do `act` there. Nobody signed in: sign in. Anybody else: 404."""

    def wrap(view: EventView[P]) -> View:
        @wraps(view)
        def inner(request: HttpRequest, pk: int, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
            if not request.user.is_authenticated:
                return ask_to_sign_in(request)
            event = get_object_or_404(Event.objects.select_related("owner"), pk=pk)
            actor = actor_in(request, event)
            if not may(actor, act, event=event.pk):
                raise Http404
            return view(request, event, actor, *args, **kwargs)

        return inner

    return wrap


def for_tournament(
    act: str,
) -> Callable[[TournamentView[P]], View]:
    """The view gets the tournament (with its event) and the actor, who may do `act` there; otherwise as `for_event`."""

    def wrap(view: TournamentView[P]) -> View:
        @wraps(view)
        def inner(request: HttpRequest, pk: int, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
            if not request.user.is_authenticated:
                return ask_to_sign_in(request)
            tournament = get_object_or_404(Tournament.objects.select_related("event__owner"), pk=pk)
            actor = actor_in(request, tournament.event)
            if not may(actor, act, event=tournament.event_id, tournament=tournament.pk):
                raise Http404
            return view(request, tournament, actor, *args, **kwargs)

        return inner

    return wrap


def for_link(view: LinkView[P]) -> View:
    """The view gets the helper's link and its actor. A forged, revoked or expired link: 404."""

    @wraps(view)
    def inner(request: HttpRequest, token: str, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
        link = read_link(token, now=timezone.now())
        if link is None:
            raise Http404
        return view(request, link, actor_of_link(link), *args, **kwargs)

    return inner


def for_player(view: PlayerView[P]) -> View:
    """The view gets the entry of a player's own link and its actor. A forged or replaced link: 404."""

    @wraps(view)
    def inner(request: HttpRequest, token: str, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
        entry = read_entry(token)
        if entry is None:
            raise Http404
        answer = view(request, entry, actor_of_entry(entry), *args, **kwargs)
        answer["X-Robots-Tag"] = "noindex"
        return answer

    return inner
