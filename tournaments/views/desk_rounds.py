"""The course of a tournament on the desk: each act one button, each refusal said on the page that follows."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from players.permissions import Actor, Refused
from players.words import person
from tournaments.actions import rounds
from tournaments.forms.rounds import FinishForm, PublishForm, StartForm, WhyForm
from tournaments.models import Tournament
from tournaments.queries import desk
from tournaments.views.access import for_tournament
from tournaments.views.desk_list import back_to_list
from tournaments.views.desk_page import refuse
from tournaments.views.desk_roster import entry_of, roster_page
from tournaments.views.desk_tournaments import now_page


def _answer(request: HttpRequest, tournament: Tournament, outcome: object, said: str = "") -> HttpResponse:
    """The page of the present moment: with the refusal on it, or by a redirect with a word about what was done."""
    if isinstance(outcome, Refused):
        refuse(request, outcome, tournament=tournament)
        tournament.refresh_from_db()
        show = roster_page if tournament.is_open_roster else now_page
        return show(request, tournament, status=outcome.status)
    if said:
        messages.success(request, said)
    return redirect("tournament_desk", tournament.pk)


@require_POST
@for_tournament("start")
def start(request: HttpRequest, tournament: Tournament, actor: Actor) -> HttpResponse:
    """The roster is frozen, and the first round is a draft."""
    form = StartForm(request.POST)
    leaving_out = form.cleaned_data["leaving_out"] if form.is_valid() else []
    outcome = rounds.start_tournament(
        tournament_id=tournament.pk, by=actor, now=timezone.now(), leaving_out=leaving_out
    )
    return _answer(request, tournament, outcome)


@require_POST
@for_tournament("draft")
def draft(request: HttpRequest, tournament: Tournament, actor: Actor) -> HttpResponse:
    """The next round is paired, as a draft."""
    stage = desk.current_stage(tournament=tournament)
    return _answer(request, tournament, rounds.draft_rounds(stage_id=stage.pk, by=actor, now=timezone.now()))


@require_POST
@for_tournament("change_draft")
def pair_again(request: HttpRequest, tournament: Tournament, actor: Actor) -> HttpResponse:
    """The draft is thrown away and made anew."""
    stage = desk.current_stage(tournament=tournament)
    outcome = rounds.drop_drafts(stage_id=stage.pk, by=actor, now=timezone.now())
    return _answer(request, tournament, outcome, _("The draft was made anew, without changes by hand."))


@require_POST
@for_tournament("publish")
def publish(request: HttpRequest, tournament: Tournament, actor: Actor) -> HttpResponse:
    """The draft is everybody's from now on."""
    form = PublishForm(request.POST)
    accept = form.is_valid() and form.cleaned_data["accept_warnings"]
    stage = desk.current_stage(tournament=tournament)
    outcome = rounds.publish_rounds(stage_id=stage.pk, by=actor, now=timezone.now(), accept_warnings=accept)
    return _answer(request, tournament, outcome, _("Published: everybody sees it now."))


@require_POST
@for_tournament("publish")
def take_back(request: HttpRequest, tournament: Tournament, actor: Actor) -> HttpResponse:
    """The last published round is a draft again."""
    stage = desk.current_stage(tournament=tournament)
    outcome = rounds.take_back_round(stage_id=stage.pk, by=actor, now=timezone.now(), why=_why(request))
    return _answer(request, tournament, outcome, _("Taken back: only organisers see it now."))


@require_POST
@for_tournament("finish")
def finish(request: HttpRequest, tournament: Tournament, actor: Actor) -> HttpResponse:
    """The places are final."""
    form = FinishForm(request.POST)
    early = form.is_valid() and form.cleaned_data["early"]
    outcome = rounds.finish_tournament(tournament_id=tournament.pk, by=actor, now=timezone.now(), early=early)
    return _answer(request, tournament, outcome)


@require_POST
@for_tournament("finish")
def reopen(request: HttpRequest, tournament: Tournament, actor: Actor) -> HttpResponse:
    """The finish is taken back."""
    outcome = rounds.reopen_tournament(tournament_id=tournament.pk, by=actor, now=timezone.now(), why=_why(request))
    return _answer(request, tournament, outcome, _("Open again: correct what is wrong, then finish."))


def _why(request: HttpRequest) -> str:
    form = WhyForm(request.POST)
    return str(form.cleaned_data["why"]) if form.is_valid() else ""


@require_POST
@for_tournament("withdraw")
def withdraw(request: HttpRequest, tournament: Tournament, actor: Actor, entry_id: int) -> HttpResponse:
    """A player leaves."""
    entry = entry_of(tournament, entry_id)
    outcome = rounds.withdraw_entry(entry_id=entry.pk, by=actor, now=timezone.now(), why=_why(request))
    if isinstance(outcome, Refused):
        return _answer(request, tournament, outcome)
    told = _("{name} has left and is not paired any more. An open match stays open: enter how it ended.")
    messages.success(request, format_html(told, name=person(entry.staff_name)))
    return _back_to_roster(request, tournament, entry.pk)


@require_POST
@for_tournament("withdraw")
def return_entry(request: HttpRequest, tournament: Tournament, actor: Actor, entry_id: int) -> HttpResponse:
    """A player who had left is back."""
    entry = entry_of(tournament, entry_id)
    outcome = rounds.return_entry(entry_id=entry.pk, by=actor, now=timezone.now(), why=_why(request))
    if isinstance(outcome, Refused):
        return _answer(request, tournament, outcome)
    messages.success(
        request, format_html(_("{name} is paired again from the next round on."), name=person(entry.staff_name))
    )
    return _back_to_roster(request, tournament, entry.pk)


def _back_to_roster(request: HttpRequest, tournament: Tournament, entry: int) -> HttpResponse:
    return redirect(back_to_list(request=request, page=reverse("roster", args=[tournament.pk]), entry=entry))
