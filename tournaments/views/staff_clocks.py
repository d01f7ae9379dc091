"""A referee and time: the clock of a round, for who has all its tables, and extra time for one table."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from players.permissions import Actor, Refused
from tournaments.actions.clocks import give_time
from tournaments.forms.clocks import ExtraTimeForm
from tournaments.forms.results import ResultForm
from tournaments.models import StaffLink, Tournament
from tournaments.permissions import link_token, may
from tournaments.queries.tables import is_closed_match, pairing_at
from tournaments.views.access import for_link
from tournaments.views.clocks import press
from tournaments.views.helper import home_of
from tournaments.views.staff import match_page, refuse


# Without a token of the session, as results are: the secret path is the whole authority here.
@csrf_exempt
@require_POST
@for_link
def run(request: HttpRequest, link: StaffLink, actor: Actor, pk: int) -> HttpResponseBase:
    """The clock is started, paused, let go on, given more minutes or taken away."""
    tournament = get_object_or_404(Tournament.objects.select_related("event"), pk=pk, event=link.event_id)
    if not may(actor, "run_clock", event=link.event_id, tournament=tournament.pk):
        raise Http404
    outcome = press(request.POST, tournament=tournament, by=actor)
    if not isinstance(outcome, Refused):
        return redirect(home_of(link))
    if outcome.code == "round_unknown":
        raise Http404
    return refuse(request, link, actor, outcome)


@csrf_exempt  # as above
@require_POST
@for_link
def extra_time(request: HttpRequest, link: StaffLink, actor: Actor, match_id: int) -> HttpResponseBase:
    """A table has some minutes beyond its round."""
    pairing = pairing_at(actor=actor, event=link.event, match_id=match_id, act="give_time")
    if pairing is None or pairing.match is None:
        if is_closed_match(actor=actor, event=link.event, match_id=match_id):
            return refuse(request, link, actor, Refused("match_void", {"match": match_id}))
        raise Http404
    form = ExtraTimeForm(request.POST, seconds=pairing.extra_seconds, match=match_id)
    if not form.is_valid():
        result = ResultForm.at(pairing, pairing.match, now=timezone.now())
        return match_page(request, link, pairing, result, time=form, status=400)
    seconds = form.cleaned_data["minutes"] * 60
    outcome = give_time(match_id=match_id, seconds=seconds, by=actor, now=timezone.now())
    if isinstance(outcome, Refused):
        return refuse(request, link, actor, outcome)
    messages.success(request, _("Noted."))
    return redirect("staff_result", link_token(link), match_id)
