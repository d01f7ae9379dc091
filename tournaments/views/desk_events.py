"""The organiser's events: the first page after signing in, and each event made, changed and looked at."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from players.models import Account
from players.permissions import Actor, Refused, Role
from players.views import ask_to_sign_in
from tournaments.actions import events
from tournaments.forms.events import EventForm, zone_names
from tournaments.models import Event, Tournament
from tournaments.models.tournament import State
from tournaments.permissions import first_organiser_token
from tournaments.queries import desk
from tournaments.queries.course import course_of
from tournaments.views.access import for_event
from tournaments.views.desk_page import event_frame, names_of, page, refuse
from tournaments.views.desk_words import progress_of, state_of, step_of
from tournaments.views.once import form_key, made_once


@require_safe
def home(request: HttpRequest) -> HttpResponseBase:
    """Every event of the account; before them what waits in the tournaments that are being played."""
    if not request.user.is_authenticated:
        return ask_to_sign_in(request)
    own = list(desk.events_of(account=request.user).prefetch_related("tournaments"))
    running = [
        tournament for event in own for tournament in event.tournaments.all() if tournament.state == State.RUNNING
    ]
    context = {"events": own, "waiting": [overview(tournament) for tournament in running], "here": "home"}
    return page(request, "tournaments/desk/home.html", context)


def overview(tournament: Tournament) -> dict[str, Any]:
    """A tournament in short: its state, its bar, its next step."""
    stage = desk.current_stage(tournament=tournament)
    course, step = course_of(stage=stage), desk.next_step(tournament=tournament)
    told = step_of(tournament=tournament, step=step, course=course, names=names_of(tournament=tournament))
    return {
        "tournament": tournament,
        "stage": stage,
        "state": state_of(tournament=tournament, stage=stage, step=step, course=course),
        "progress": progress_of(tournament=tournament, course=course),
        "step": {**told, "id": f"step-{tournament.pk}"} if told else None,
    }


def new(request: HttpRequest) -> HttpResponseBase:
    """A new event. Its zone is the one the organiser chose last: nobody guesses the first one.

    A player's account is sent back to the desk.
    """
    if not request.user.is_authenticated:
        return ask_to_sign_in(request)
    if not request.user.is_host:
        refuse(request, Refused("not_a_host"))
        return redirect("desk")
    if request.method != "POST":
        last = desk.events_of(account=request.user).order_by("-pk").first()
        initial = {"starts_on": timezone.localdate(), "zone": last.zone if last else ""}
        return _form_page(request, EventForm(initial=initial))
    form = EventForm(request.POST)
    if not form.is_valid():
        return _form_page(request, form, status=400)
    owner, facts = request.user, form.facts()
    by = Actor(role=Role.ORGANISER, name=str(owner), account=owner.pk)

    def act() -> dict[str, Any]:
        return {"event": events.create_event(facts=facts, owner=owner, by=by, now=timezone.now()).pk}

    return redirect("event_desk", made_once(request, owner, act)["event"])


@for_event("edit_event")
def edit(request: HttpRequest, event: Event, actor: Actor) -> HttpResponse:
    """What is said of an event."""
    if request.method != "POST":
        return _form_page(request, EventForm.of(event), event=event)
    form = EventForm(request.POST)
    if not form.is_valid():
        return _form_page(request, form, event=event, status=400)
    events.edit_event(event_id=event.pk, facts=form.facts(), by=actor, now=timezone.now())
    messages.success(request, _("Saved."))
    return redirect("event_desk", event.pk)


def _form_page(request: HttpRequest, form: EventForm, *, event: Event | None = None, status: int = 200) -> HttpResponse:
    frame = event_frame(event=event, here="edit") if event else {"here": "new"}
    context = {**frame, "form": form, "zones": zone_names(), "once": form_key(request)}
    return page(request, "tournaments/desk/event_form.html", context, status=status)


@require_safe
@for_event("edit_event")
def show(request: HttpRequest, event: Event, actor: Actor) -> HttpResponse:
    """An event with its tournaments, each with its next step."""
    return _event_page(request, event)


def _event_page(request: HttpRequest, event: Event, *, status: int = 200) -> HttpResponse:
    tournaments = [overview(tournament) for tournament in event.tournaments.select_related("event").order_by("pk")]
    context = {
        **event_frame(event=event, here="event"),
        "tournaments": tournaments,
        "remove": {"text": _("Remove it all"), "kind": "main", "url": reverse("remove_demo", args=[event.pk])},
    }
    return page(request, "tournaments/desk/event.html", context, status=status)


@require_POST
@for_event("remove_demo")
def remove_demo(request: HttpRequest, event: Event, actor: Actor) -> HttpResponse:
    """The demo goes, with everything in it."""
    outcome = events.remove_demo(event_id=event.pk, by=actor, now=timezone.now())
    if isinstance(outcome, Refused):
        refuse(request, outcome)
        return _event_page(request, event, status=outcome.status)
    messages.success(request, _("The demo event is gone."))
    if not Account.objects.filter(is_active=True).exists():
        # The only login went with it: whoever removed the demo opens the house, or nobody could sign in any more.
        return redirect("welcome", first_organiser_token())
    return redirect("desk")
