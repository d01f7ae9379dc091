"""How matches are played, on the desk: the tournament's settings, the way of one match, the console and the panel."""

from __future__ import annotations

from dataclasses import replace

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from players.permissions import Actor, Refused
from tournaments.actions.games import edit_play
from tournaments.forms.games import PlayForm
from tournaments.models import Tournament
from tournaments.queries.tables import is_closed_match, pairing_at
from tournaments.views import console as pages
from tournaments.views.access import for_tournament
from tournaments.views.console import Door
from tournaments.views.desk_page import event_frame, page, refuse, tell_twice
from tournaments.views.desk_results import results_page


@for_tournament("edit_play")
def settings(request: HttpRequest, tournament: Tournament, actor: Actor) -> HttpResponse:
    """How matches of a tournament are played."""
    if request.method != "POST":
        return _settings_page(request, tournament, PlayForm(tournament))
    form = PlayForm(tournament, request.POST)
    if not form.is_valid():
        return _settings_page(request, tournament, form, status=400)
    outcome = edit_play(tournament_id=tournament.pk, facts=form.facts(), by=actor, now=timezone.now())
    if isinstance(outcome, Refused):
        refuse(request, outcome)
        return _settings_page(request, tournament, form, status=outcome.status)
    messages.success(request, _("Saved."))
    tell_twice(request, form)
    return redirect("play_settings", tournament.pk)


def _settings_page(request: HttpRequest, tournament: Tournament, form: PlayForm, *, status: int = 200) -> HttpResponse:
    context = {**event_frame(event=tournament.event, here="settings"), "tournament": tournament, "form": form}
    return page(request, "tournaments/desk/play_settings.html", context, status=status)


def _door(request: HttpRequest, tournament: Tournament, actor: Actor, match_id: int) -> Door:
    """A match of this tournament, its round taken back or not; 404 for any other."""
    here = replace(actor, tournament=tournament.pk)
    pairing = pairing_at(actor=here, event=tournament.event, match_id=match_id, act="run_game")
    if pairing is not None and pairing.match is None:
        pairing = None
    if pairing is None and not is_closed_match(actor=here, event=tournament.event, match_id=match_id):
        raise Http404

    def show_refusal(refused: Refused) -> HttpResponse:
        refuse(request, refused, tournament=tournament)
        return results_page(request, tournament, status=refused.status)

    return Door(
        event=tournament.event,
        actor=actor,
        match_id=match_id,
        pairing=pairing,
        urls=lambda name: reverse(f"match_{name}", args=[tournament.pk, match_id]),
        home=reverse("results", args=[tournament.pk]),
        home_text=_("Results"),
        result_url=reverse("match_result", args=[tournament.pk, match_id]),
        refuse=show_refusal,
        has_session=True,
    )


@require_safe
@for_tournament("run_game")
def console(request: HttpRequest, tournament: Tournament, actor: Actor, match_id: int) -> HttpResponse:
    """The console of a match with real cards."""
    return pages.console_page(request, _door(request, tournament, actor, match_id))


@require_safe
@for_tournament("run_game")
def panel(request: HttpRequest, tournament: Tournament, actor: Actor, match_id: int) -> HttpResponse:
    """The panel of a match that is played here."""
    return pages.panel_page(request, _door(request, tournament, actor, match_id))


@require_POST
@for_tournament("run_game")
def way(request: HttpRequest, tournament: Tournament, actor: Actor, match_id: int) -> HttpResponse:
    """The match is played another way."""
    return pages.choose(request, _door(request, tournament, actor, match_id))


@require_POST
@for_tournament("run_game")
def open_(request: HttpRequest, tournament: Tournament, actor: Actor, match_id: int) -> HttpResponse:
    """The organiser begins to enter the match card by card."""
    return pages.open_(request, _door(request, tournament, actor, match_id))


@require_POST
@for_tournament("run_game")
def move(request: HttpRequest, tournament: Tournament, actor: Actor, match_id: int) -> HttpResponse:
    """One entry on the console."""
    return pages.enter(request, _door(request, tournament, actor, match_id))


@require_POST
@for_tournament("run_game")
def act(request: HttpRequest, tournament: Tournament, actor: Actor, match_id: int) -> HttpResponse:
    """The organiser's word at a game that is played here."""
    return pages.act(request, _door(request, tournament, actor, match_id))
