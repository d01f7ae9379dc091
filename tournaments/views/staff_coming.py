"""A referee and calls to a table: somebody comes, is called again, or the match is put back for later."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponseBase
from django.shortcuts import redirect
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from players.permissions import Actor, Refused
from tournaments.models import Pairing, StaffLink
from tournaments.queries.tables import is_closed_match, pairing_at
from tournaments.views.access import for_link
from tournaments.views.coming import press_again, press_back, press_coming
from tournaments.views.helper import home_of
from tournaments.views.staff import refuse


def _called(link: StaffLink, actor: Actor, match_id: int) -> Pairing | Refused:
    """A match at one of the referee's tables; refused where its round was taken back, 404 for any other."""
    pairing = pairing_at(actor=actor, event=link.event, match_id=match_id, act="call_players")
    if pairing is not None:
        return pairing
    if is_closed_match(actor=actor, event=link.event, match_id=match_id):
        return Refused("match_void", {"match": match_id})
    raise Http404


def _answer(request: HttpRequest, link: StaffLink, actor: Actor, outcome: str | Refused) -> HttpResponseBase:
    if isinstance(outcome, Refused):
        return refuse(request, link, actor, outcome)
    if outcome:
        messages.success(request, outcome)
    return redirect(home_of(link))


# Without a token of the session, as results are: the secret path is the whole authority here.
@csrf_exempt
@require_POST
@for_link
def coming(request: HttpRequest, link: StaffLink, actor: Actor, match_id: int) -> HttpResponseBase:
    """A player told the referee that they come, or with an empty `coming` that they do not after all."""
    pairing = _called(link, actor, match_id)
    outcome = pairing if isinstance(pairing, Refused) else press_coming(request, pairing, actor)
    return _answer(request, link, actor, outcome)


@csrf_exempt
@require_POST
@for_link
def again(request: HttpRequest, link: StaffLink, actor: Actor, match_id: int) -> HttpResponseBase:
    """Whoever has not answered is called once more."""
    pairing = _called(link, actor, match_id)
    outcome = pairing if isinstance(pairing, Refused) else press_again(request, pairing, actor)
    return _answer(request, link, actor, outcome)


@csrf_exempt
@require_POST
@for_link
def back(request: HttpRequest, link: StaffLink, actor: Actor, match_id: int) -> HttpResponseBase:
    """The match gives its table back and waits until it is released."""
    pairing = _called(link, actor, match_id)
    outcome = pairing if isinstance(pairing, Refused) else press_back(pairing, actor)
    return _answer(request, link, actor, outcome)
