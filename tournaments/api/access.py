"""Who is asking for what: the actor of a request, checked against the very object, before anything is done."""

from __future__ import annotations

from functools import partial
from typing import Any

from django.http import Http404, HttpResponse, HttpResponseNotModified
from django.shortcuts import get_object_or_404
from django.utils.cache import patch_vary_headers
from rest_framework.exceptions import NotAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from players.models import Account
from players.permissions import PUBLIC, Actor, Role
from tournaments.api.problems import refuse
from tournaments.api.reading import LAST_ID, JsonParser, OneAnswer, check_query, content_tag, etags_in
from tournaments.models import ApiToken, Entry, Event, Pairing, StaffLink, Tournament
from tournaments.permissions import actor_of_entry, actor_of_link, may, organiser_of


class View(APIView):
    """What every operation has in common: how it reads, that it answers JSON, and who may keep the answer."""

    parser_classes = [JsonParser]
    content_negotiation_class = OneAnswer
    metadata_class = None

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Who asks is found out first; then an address with an id that no row can have is none."""
        super().initial(request, *args, **kwargs)
        if any(isinstance(number, int) and number > LAST_ID for number in kwargs.values()):
            raise Http404
        handler = getattr(self, (request.method or "").lower(), None)
        if handler is not None:
            check_query(request, getattr(handler, "query", ()))

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Response:
        """Anybody's answer may be kept as long as it is asked about each time; somebody's own is kept by nobody."""
        answer: Response = super().finalize_response(request, response, *args, **kwargs)
        is_public = (
            request.method in ("GET", "HEAD") and answer.status_code in (200, 304) and is_anonymous(self.request)
        )
        answer["Cache-Control"] = "public, max-age=0, must-revalidate" if is_public else "private, no-store"
        patch_vary_headers(answer, ["Authorization", "Cookie", "Accept-Language"])
        is_read = request.method in ("GET", "HEAD") and answer.status_code == 200
        if is_read and "ETag" not in answer and isinstance(answer, Response):
            answer.add_post_render_callback(partial(_told_already, request=self.request))
        return answer


def _told_already(answer: Any, *, request: Request) -> HttpResponse | None:
    """Give the answer the ETag of its content; 304 in its place for who has it already."""
    etag = f'"{content_tag(answer.content)}"'
    answer["ETag"] = etag
    if etag not in etags_in(request, "If-None-Match"):
        return None
    kept = ("ETag", "Cache-Control", "Vary")
    return HttpResponseNotModified(headers={name: answer[name] for name in kept if name in answer})


def is_anonymous(request: Request) -> bool:
    """Whether nobody in particular asks."""
    # The attributes of DRF's request authenticate anew and raise; after a refused token nobody in particular asks.
    if getattr(request, "_auth", None) is not None:
        return False
    return not getattr(getattr(request, "_user", None), "is_authenticated", False)


def account_of(request: Request) -> Account:
    """The account that asks. 401 when nobody does, 403 for a helper's or a player's link, which has none."""
    if isinstance(request.auth, StaffLink | Entry):
        raise refuse("not_allowed", status=403)
    if not isinstance(request.user, Account):
        raise NotAuthenticated
    return request.user


def own_account(request: Request) -> Account:
    """The account that asks about itself: by a session, or a token that is not for one event."""
    account = account_of(request)
    if isinstance(request.auth, ApiToken) and request.auth.event_id is not None:
        raise refuse("token_of_one_event", status=403)
    return account


def actor_in(request: Request, event: Event, tournament: Tournament | None = None) -> Actor:
    """Who asks is what here; one of the public outside of what their token or link is bound to."""
    if isinstance(request.auth, StaffLink):
        actor = actor_of_link(request.auth)
        is_elsewhere = tournament is not None and actor.tournament not in (None, tournament.pk)
        return PUBLIC if actor.event != event.pk or is_elsewhere else actor
    if isinstance(request.auth, Entry):
        actor = actor_of_entry(request.auth)
        is_elsewhere = tournament is not None and actor.tournament != tournament.pk
        return PUBLIC if actor.event != event.pk or is_elsewhere else actor
    if isinstance(request.auth, ApiToken) and request.auth.event_id not in (None, event.pk):
        return PUBLIC
    return organiser_of(account=request.user, event=event) if isinstance(request.user, Account) else PUBLIC


def event_for(request: Request, pk: int, act: str) -> tuple[Event, Actor]:
    """The event and the actor, who may do `act` there. 404 for what is not theirs, 401 for nobody."""
    event = get_object_or_404(Event.objects.select_related("owner"), pk=pk)
    actor = actor_in(request, event)
    _check(request, actor, act, event=event.pk)
    return event, actor


def tournament_for(request: Request, pk: int, *acts: str) -> tuple[Tournament, Actor]:
    """The tournament and the actor, who may do one of these acts, as `event_for`."""
    tournament = get_object_or_404(Tournament.objects.select_related("event__owner"), pk=pk)
    actor = actor_in(request, tournament.event, tournament)
    _check(request, actor, *acts, event=tournament.event_id, tournament=tournament.pk)
    return tournament, actor


def _check(request: Request, actor: Actor, *acts: str, event: int, tournament: int | None = None) -> None:
    # Which table it is about is asked once the match is known: here one of their own will do.
    table = min(actor.tables, default=None)
    who = (actor, PUBLIC)
    if any(may(each, act, event=event, tournament=tournament, table=table) for each in who for act in acts):
        return
    if is_anonymous(request):
        raise NotAuthenticated
    if actor.role is Role.PUBLIC:
        raise Http404
    raise refuse("not_allowed", status=403, act=acts[0], role=str(actor.role))


def entry_for(tournament: Tournament, entry_id: int) -> Entry:
    """An entry of this very tournament, else 404."""
    return get_object_or_404(Entry, tournament=tournament, pk=entry_id)


def own_entry(request: Request, act: str) -> tuple[Entry, Actor]:
    """The entry whose own link asks, and its player, who may do `act`. 401 for nobody, 403 for anybody else."""
    if is_anonymous(request):
        raise NotAuthenticated
    if not isinstance(request.auth, Entry):
        raise refuse("not_allowed", status=403)
    entry = request.auth
    actor = actor_of_entry(entry)
    if not may(actor, act, event=entry.tournament.event_id, tournament=entry.tournament_id):
        raise refuse("not_allowed", status=403, act=act, role=str(actor.role))
    return entry, actor


def pairing_for(tournament: Tournament, match_id: int) -> Pairing:
    """The pairing of a match of this very tournament, else 404. Only a published pairing has a match."""
    found = Pairing.objects.select_related("a", "b", "match", "round__stage__tournament")
    return get_object_or_404(found, round__stage__tournament=tournament, match_id=match_id)


class Nothing(View):
    """Every address below /api/ that is none."""

    schema = None

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        raise Http404
