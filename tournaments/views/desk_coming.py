"""Calls to a table on the organiser's desk: somebody comes, is called again, or the match is put back for later."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from players.permissions import Actor, Refused
from tournaments.models import Tournament
from tournaments.views.access import for_tournament
from tournaments.views.coming import press_again, press_back, press_coming
from tournaments.views.desk_page import refuse
from tournaments.views.desk_results import closed_match, pairing_here, results_page


def _answer(request: HttpRequest, tournament: Tournament, outcome: str | Refused) -> HttpResponseBase:
    if isinstance(outcome, Refused):
        refuse(request, outcome, tournament=tournament)
        return results_page(request, tournament, status=outcome.status)
    if outcome:
        messages.success(request, outcome)
    return redirect("results", tournament.pk)


@require_POST
@for_tournament("call_players")
def coming(request: HttpRequest, tournament: Tournament, actor: Actor, match_id: int) -> HttpResponseBase:
    """A player said that they come, or with an empty `coming` that they do not after all."""
    pairing = pairing_here(tournament, actor, match_id)
    if pairing is None:
        return closed_match(request, tournament, actor, match_id)
    return _answer(request, tournament, press_coming(request, pairing, actor))


@require_POST
@for_tournament("call_players")
def again(request: HttpRequest, tournament: Tournament, actor: Actor, match_id: int) -> HttpResponseBase:
    """Whoever has not answered is called once more."""
    pairing = pairing_here(tournament, actor, match_id)
    if pairing is None:
        return closed_match(request, tournament, actor, match_id)
    return _answer(request, tournament, press_again(request, pairing, actor))


@require_POST
@for_tournament("call_players")
def back(request: HttpRequest, tournament: Tournament, actor: Actor, match_id: int) -> HttpResponseBase:
    """The match gives its table back and waits until it is released."""
    pairing = pairing_here(tournament, actor, match_id)
    if pairing is None:
        return closed_match(request, tournament, actor, match_id)
    return _answer(request, tournament, press_back(pairing, actor))
