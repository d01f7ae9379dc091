"""Playing on with the best of a finished tournament, on the desk."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone

from players.permissions import Actor, Refused
from tournaments.actions import cuts
from tournaments.forms.cuts import PlayOnForm
from tournaments.models import Tournament
from tournaments.views.access import for_tournament
from tournaments.views.desk_page import event_frame, page, refuse


@for_tournament("create_tournament")
def play_on(request: HttpRequest, tournament: Tournament, actor: Actor) -> HttpResponse:
    """A cup whose roster are the first places of this tournament."""
    if request.method != "POST":
        return _show(request, tournament, PlayOnForm())
    form = PlayOnForm(request.POST)
    if not form.is_valid():
        return _show(request, tournament, form, status=400)
    outcome = cuts.play_on(tournament_id=tournament.pk, by=actor, now=timezone.now(), **form.cleaned_data)
    if isinstance(outcome, Refused):
        refuse(request, outcome, tournament=tournament)
        return _show(request, tournament, form, status=outcome.status)
    return redirect("roster", outcome.pk)


def _show(request: HttpRequest, tournament: Tournament, form: PlayOnForm, *, status: int = 200) -> HttpResponse:
    context = {**event_frame(event=tournament.event, here="now"), "tournament": tournament, "form": form}
    return page(request, "tournaments/desk/play_on.html", context, status=status)
