"""A referee behind their private link answers calls: goes, does not after all, was there."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponseBase
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from players.permissions import Actor, Refused
from tournaments.actions import calls
from tournaments.models import RefereeCall, StaffLink
from tournaments.queries.calls import call_at
from tournaments.views.access import for_link
from tournaments.views.helper import home_of
from tournaments.views.staff import refuse


def _call(link: StaffLink, actor: Actor, call_id: int) -> RefereeCall:
    """A call from one of the referee's tables; 404 for any other."""
    call = call_at(actor=actor, event=link.event, call_id=call_id)
    if call is None:
        raise Http404
    return call


# Without a token of the session, as results are: the secret path is the whole authority here.
@csrf_exempt
@require_POST
@for_link
def take(request: HttpRequest, link: StaffLink, actor: Actor, call_id: int) -> HttpResponseBase:
    """The referee goes, or with an empty `going` does not after all."""
    call = _call(link, actor, call_id)
    going = bool(request.POST.get("going"))
    outcome = calls.take_call(call_id=call.pk, going=going, by=actor, now=timezone.now())
    if isinstance(outcome, Refused):
        return refuse(request, link, actor, outcome)
    return redirect(home_of(link))


@csrf_exempt
@require_POST
@for_link
def finish(request: HttpRequest, link: StaffLink, actor: Actor, call_id: int) -> HttpResponseBase:
    """The referee was there."""
    call = _call(link, actor, call_id)
    outcome = calls.finish_call(call_id=call.pk, by=actor, now=timezone.now())
    if isinstance(outcome, Refused):
        return refuse(request, link, actor, outcome)
    messages.success(request, _("Done: that call is over."))
    return redirect(home_of(link))
