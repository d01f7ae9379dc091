"""A referee's word on who is at a table: that they play, or that somebody did not come."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponseBase, JsonResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from players.permissions import Actor, Refused
from tournaments.actions import presence
from tournaments.forms.results import VersionForm
from tournaments.models import Pairing, StaffLink
from tournaments.queries.tables import is_closed_match, pairing_at
from tournaments.views.access import for_link
from tournaments.views.device import taken, wants_json
from tournaments.views.helper import home_of
from tournaments.views.staff import match_words, refuse


# Without a token of the session, as results are: the secret path is the whole authority here.
@csrf_exempt
@require_POST
@for_link
def begun(request: HttpRequest, link: StaffLink, actor: Actor, match_id: int) -> HttpResponseBase:
    """The two play, or with an empty `begun` do not yet."""
    pairing = pairing_at(actor=actor, event=link.event, match_id=match_id, act="say_begun")
    if pairing is None:
        return _gone(request, link, actor, match_id)
    outcome = presence.say_begun(match_id=match_id, begun=bool(request.POST.get("begun")), by=actor, now=timezone.now())
    if isinstance(outcome, Refused):
        return refuse(request, link, actor, outcome)
    if wants_json(request):
        return JsonResponse({"match": match_id, "begun": outcome.began_at is not None})
    return redirect(home_of(link))


@csrf_exempt
@require_POST
@for_link
def no_show(request: HttpRequest, link: StaffLink, actor: Actor, match_id: int) -> HttpResponseBase:
    """Whoever is proposed as missing did not come: the other one wins by a walkover."""
    pairing = pairing_at(actor=actor, event=link.event, match_id=match_id, act="enter_result")
    form = VersionForm(request.POST)
    if pairing is None:
        return _gone(request, link, actor, match_id)
    if not form.is_valid():
        return refuse(request, link, actor, Refused("changed_meanwhile"), pairing=pairing)
    outcome = presence.confirm_no_show(
        match_id=match_id, expected_version=form.cleaned_data["version"], by=actor, now=timezone.now()
    )
    if isinstance(outcome, Refused):
        return refuse(request, link, actor, outcome, pairing=_fresh(pairing))
    if wants_json(request):
        return JsonResponse(taken(outcome))
    messages.success(request, format_html(_("Taken: {match}."), match=match_words(_fresh(pairing))))
    return redirect(home_of(link))


def _fresh(pairing: Pairing) -> Pairing:
    if pairing.match is not None:
        pairing.match.refresh_from_db()
    return pairing


def _gone(request: HttpRequest, link: StaffLink, actor: Actor, match_id: int) -> HttpResponseBase:
    """A match whose round was taken back is told of; any other is not there."""
    if is_closed_match(actor=actor, event=link.event, match_id=match_id):
        return refuse(request, link, actor, Refused("match_void", {"match": match_id}))
    raise Http404
