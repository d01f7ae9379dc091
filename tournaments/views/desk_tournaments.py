"""A tournament on the desk: made, set up, and the page that shows what is happening in it now."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from players.permissions import Actor, Refused
from tournaments.actions import events
from tournaments.engine.tiebreaks import TIEBREAKS
from tournaments.forms.tournaments import LastingForm, TournamentForm
from tournaments.models import Event, Pairing, Stage, Tournament
from tournaments.models.tournament import State
from tournaments.queries import desk, ties
from tournaments.queries.coming import held_ids, unanswered_calls
from tournaments.queries.decided import round_to_take_back
from tournaments.queries.drafts import draft_rounds
from tournaments.queries.reports import reports_to_look_at
from tournaments.queries.stages import round_names, standings_table
from tournaments.views.access import for_event, for_tournament
from tournaments.views.clocks import ClockDesk, clock_desks
from tournaments.views.desk_page import (
    event_frame,
    is_unchanged,
    not_modified,
    page,
    part,
    part_version,
    refuse,
    tell_twice,
    tournament_frame,
)
from tournaments.views.desk_words import posts
from tournaments.views.once import form_key, made_once, signed_in
from tournaments.words import labels
from tournaments.words.reasons import round_name


@for_event("create_tournament")
def new(request: HttpRequest, event: Event, actor: Actor) -> HttpResponse:
    """A new tournament: a name suffices."""
    if request.method != "POST":
        return _form_page(request, event, TournamentForm())
    form = TournamentForm(request.POST, zone=event.tzinfo)
    if not form.is_valid():
        return _form_page(request, event, form, status=400)
    facts, account = form.facts(), signed_in(request)

    def act() -> dict[str, Any]:
        return {"tournament": events.create_tournament(event_id=event.pk, facts=facts, by=actor, now=timezone.now()).pk}

    made = made_once(request, account, act)
    tell_twice(request, form)
    return redirect("roster", made["tournament"])


@for_tournament("edit_tournament")
def settings(request: HttpRequest, tournament: Tournament, actor: Actor) -> HttpResponse:
    """Everything about a tournament until it starts; what can change at any time always."""
    stage = desk.current_stage(tournament=tournament)
    kind = TournamentForm if tournament.is_open_roster else LastingForm
    if request.method != "POST":
        return _form_page(request, tournament.event, kind.of(tournament, stage), tournament=tournament)
    form = kind.sent(request.POST, tournament)
    if not form.is_valid():
        return _form_page(request, tournament.event, form, tournament=tournament, status=400)
    outcome = events.edit_tournament(
        tournament_id=tournament.pk, facts=form.facts_of(tournament, stage), by=actor, now=timezone.now()
    )
    if isinstance(outcome, Refused):
        refuse(request, outcome)
        return _form_page(request, tournament.event, form, tournament=tournament, status=outcome.status)
    messages.success(request, _("Saved."))
    tell_twice(request, form)
    return redirect("tournament_desk", tournament.pk)


def _form_page(
    request: HttpRequest,
    event: Event,
    form: LastingForm,
    *,
    tournament: Tournament | None = None,
    status: int = 200,
) -> HttpResponse:
    context = {
        **event_frame(event=event, here="settings"),
        "tournament": tournament,
        "form": form,
        "once": form_key(request),
        "has_all": isinstance(form, TournamentForm),
        "tiebreaks": [labels.TIEBREAKS[each.key] for each in TIEBREAKS],
        "remove": posts(_("Remove it"), "tournament_remove", tournament, kind="main") if tournament else None,
    }
    return page(request, "tournaments/desk/tournament_form.html", context, status=status)


@require_POST
@for_tournament("edit_tournament")
def remove(request: HttpRequest, tournament: Tournament, actor: Actor) -> HttpResponse:
    """A tournament that has not started goes, with its roster."""
    outcome = events.remove_tournament(tournament_id=tournament.pk, by=actor, now=timezone.now())
    if isinstance(outcome, Refused):
        refuse(request, outcome)
        return now_page(request, tournament, status=outcome.status)
    messages.success(request, _("“%(name)s” is gone.") % {"name": tournament.name})
    return redirect("event_desk", tournament.event_id)


@require_safe
@for_tournament("see_desk")
def show(request: HttpRequest, tournament: Tournament, actor: Actor) -> HttpResponseBase:
    """What is happening now. Until the start that is the roster, which has a page of its own."""
    if tournament.is_open_roster:
        return redirect("roster", tournament.pk)
    version = _version(
        part_version(desk.current_stage(tournament=tournament)),
        unanswered_calls(tournament=tournament, now=timezone.now()),
    )
    wanted = request.GET.get("part")
    if wanted is None:
        return now_page(request, tournament)
    if is_unchanged(request, version=version):
        return not_modified(version)
    template = "tournaments/desk/_top.html" if wanted == "top" else "tournaments/desk/_now.html"
    return part(request, template, _now(request, tournament), version=version)


def _version(version: str, silent: list[int]) -> str:
    """The version of the page: that a call has no answer comes as time goes by, without anything being done."""
    return "-".join([version, *map(str, silent)])


def now_page(request: HttpRequest, tournament: Tournament, *, status: int = 200) -> HttpResponse:
    """The page of the present moment, also when something was just refused."""
    return page(request, "tournaments/desk/now.html", _now(request, tournament), status=status)


def _now(request: HttpRequest, tournament: Tournament) -> dict[str, Any]:
    frame = tournament_frame(request=request, tournament=tournament, here="now")
    stage, step = frame["stage"], frame["next"]
    silent = unanswered_calls(tournament=tournament, now=timezone.now())
    return {
        **frame,
        "version": _version(frame["version"], silent),
        "silent": silent,
        "drafts": draft_rounds(stage=stage) if step.act == "publish" else [],
        "open": (waiting := _open_pairings(step)),
        "held": held_ids(pairings=waiting),
        "asking": reports_to_look_at(pairings=waiting, now=timezone.now()),
        "podium": podium(tournament) if tournament.state == State.FINISHED else [],
        "desks": _clocks(tournament, stage, waiting),
        **_less_usual(tournament, stage, step.act),
    }


def _clocks(tournament: Tournament, stage: Stage, waiting: list[Pairing]) -> list[ClockDesk]:
    """The clocks of the rounds that are played."""
    has_clock = tournament.round_minutes is not None or any(hasattr(each.round, "clock") for each in waiting)
    if not waiting or not has_clock:
        return []
    noted = round_names(stage=stage, numbers={pairing.round.number for pairing in waiting})
    names = {number: round_name(name) for number, name in noted.items()}
    return clock_desks(waiting, tournament=tournament, names=names, to=reverse("clock", args=[tournament.pk]))


def _less_usual(tournament: Tournament, stage: Stage, act: str) -> dict[str, Any]:
    """The acts one level down, as far as they are possible now."""
    acts: dict[str, Any] = {"pair_again": posts(_("Pair again"), "pair_again", tournament)}
    if tournament.state == State.FINISHED:
        acts["reopen"] = posts(_("Reopen the tournament"), "reopen", tournament, kind="link")
    if tournament.state != State.RUNNING:
        return acts
    acts["settles"] = bool(ties.play_offs(stage=stage) or ties.places_to_settle(stage=stage))
    if round_to_take_back(stage=stage) is not None:
        acts["take_back"] = posts(_("Take the last round back"), "take_back", tournament, kind="link")
    if act == "draft":
        acts["finish_early"] = posts(_("Finish now"), "finish", tournament, kind="main", early="on")
    return acts


def podium(tournament: Tournament) -> list[Any]:
    """The rows of the first three places, shared ones too."""
    table = standings_table(stage=desk.current_stage(tournament=tournament))
    return [row for row in table.rows if row.rank <= 3]


def _open_pairings(step: desk.NextStep) -> list[Pairing]:
    """The open matches the next step waits for, if it waits for results, by table; those without one last."""
    if step.act != "enter_results":
        return []
    found = (pairing for blocker in step.blockers for pairing in blocker.pairings)
    return sorted(found, key=lambda pairing: (pairing.table is None, pairing.table or 0))
