"""The clock of a round on the desk, and extra time for one table."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from players.permissions import Actor, Refused
from tournaments.actions.clocks import give_time
from tournaments.forms.clocks import ExtraTimeForm
from tournaments.forms.results import ResultForm
from tournaments.models import Tournament
from tournaments.views.access import for_tournament
from tournaments.views.clocks import press
from tournaments.views.desk_page import refuse
from tournaments.views.desk_results import closed_match, match_page, pairing_here
from tournaments.views.desk_tournaments import now_page


@require_POST
@for_tournament("run_clock")
def run(request: HttpRequest, tournament: Tournament, actor: Actor) -> HttpResponse:
    """The clock is started, paused, let go on, given more minutes or taken away."""
    outcome = press(request.POST, tournament=tournament, by=actor)
    if not isinstance(outcome, Refused):
        return redirect("tournament_desk", tournament.pk)
    if outcome.code == "round_unknown":
        raise Http404
    refuse(request, outcome, tournament=tournament)
    return now_page(request, tournament, status=outcome.status)


@require_POST
@for_tournament("give_time")
def extra_time(request: HttpRequest, tournament: Tournament, actor: Actor, match_id: int) -> HttpResponse:
    """A table has some minutes beyond its round."""
    pairing = pairing_here(tournament, actor, match_id)
    if pairing is None or (match := pairing.match) is None:
        return closed_match(request, tournament, actor, match_id)
    form = ExtraTimeForm(request.POST, seconds=pairing.extra_seconds, match=match_id)
    if not form.is_valid():
        result = ResultForm.at(pairing, match, now=timezone.now())
        return match_page(request, tournament, pairing, result, time=form, status=400)
    seconds = form.cleaned_data["minutes"] * 60
    outcome = give_time(match_id=match_id, seconds=seconds, by=actor, now=timezone.now())
    if isinstance(outcome, Refused):
        refuse(request, outcome, tournament=tournament)
        match.refresh_from_db()
        result = ResultForm.at(pairing, match, now=timezone.now())
        return match_page(request, tournament, pairing, result, time=form, status=outcome.status)
    messages.success(request, _("Noted."))
    return redirect("match_result", tournament.pk, match_id)
