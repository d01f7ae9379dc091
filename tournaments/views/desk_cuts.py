"""Playing on with the best of a finished tournament, on the desk."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone

from players.permissions import Actor, Refused
from tournaments.actions import cuts
from tournaments.forms.cuts import PlayOnForm
from tournaments.models import Tournament
from tournaments.models.tournament import State
from tournaments.queries.cuts import qualified
from tournaments.queries.desk import current_stage
from tournaments.views.access import for_tournament
from tournaments.views.desk_page import event_frame, page, refuse

_USUAL = 8  # play on where nobody said how many


@for_tournament("create_tournament")
def play_on(request: HttpRequest, tournament: Tournament, actor: Actor) -> HttpResponse:
    """A cup whose roster are the first places of this tournament; with `look` they are only shown."""
    grouped = current_stage(tournament=tournament).format == "groups"
    form = PlayOnForm(
        request.POST if request.method == "POST" else None,
        best=tournament.cut or (2 if grouped else _USUAL),
        grouped=grouped,
    )
    if request.method != "POST":
        return _show(request, tournament, form, best=form.initial["best"])
    is_valid = form.is_valid()
    best = form.cleaned_data.get("best")
    if "look" in request.POST and best is not None:
        form.errors.pop("name", None)
        return _show(request, tournament, form, best=best)
    if not is_valid:
        return _show(request, tournament, form, best=best, status=400)
    outcome = cuts.play_on(tournament_id=tournament.pk, by=actor, now=timezone.now(), **form.cleaned_data)
    if isinstance(outcome, Refused):
        refuse(request, outcome, tournament=tournament)
        return _show(request, tournament, form, best=best, status=outcome.status)
    return redirect("roster", outcome.pk)


def _show(
    request: HttpRequest, tournament: Tournament, form: PlayOnForm, *, best: int | None, status: int = 200
) -> HttpResponse:
    is_shown = best is not None and tournament.state == State.FINISHED
    context = {
        **event_frame(event=tournament.event, here="now"),
        "tournament": tournament,
        "form": form,
        "found": qualified(stage=current_stage(tournament=tournament), best=best) if is_shown and best else None,
    }
    return page(request, "tournaments/desk/play_on.html", context, status=status)
