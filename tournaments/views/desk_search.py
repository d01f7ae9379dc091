"""The search for a better plan on the desk: it is asked for, followed, stopped, and what it found can be dropped."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from players.permissions import Actor, Refused
from tournaments.actions import searches
from tournaments.forms.searches import SearchForm
from tournaments.live import search_topic, topic_of
from tournaments.models import Event
from tournaments.queries.searches import SearchPage, search_page
from tournaments.views.access import for_event
from tournaments.views.desk_page import event_frame, is_unchanged, not_modified, page, part, refuse


def search_part(*, event: Event, form: SearchForm | None = None) -> dict[str, Any]:
    """What `tournaments/desk/_search.html` needs beside the event."""
    return _part(event, search_page(event=event), form)


def _part(event: Event, found: SearchPage, form: SearchForm | None = None) -> dict[str, Any]:
    left = found.seconds_left(now=timezone.now())
    tournaments = event.tournaments.order_by("pk").values_list("pk", flat=True)
    return {
        "searching": found,
        "search": found.search,
        "search_form": form or SearchForm(),
        "search_left": left,
        "search_done": found.search.seconds - left if found.search else 0,
        "search_topics": " ".join([search_topic(event.pk), *map(topic_of, tournaments)]),
        "search_version": _version(found),
    }


def _version(found: SearchPage) -> str:
    return f"{found.version}-{get_language()}"


@require_safe
@for_event("edit_plan")
def show(request: HttpRequest, event: Event, actor: Actor) -> HttpResponse:
    """How far the search is, or what it found, on a page of its own; its part is what the page of the plan shows."""
    found = search_page(event=event)
    if request.GET.get("part") != "search":
        return _page(request, event, _part(event, found))
    version = _version(found)
    if is_unchanged(request, version=version):
        return not_modified(version)
    context = {"event": event, **_part(event, found)}
    return part(request, "tournaments/desk/_search.html", context, version=version)


@require_POST
@for_event("edit_plan")
def ask(request: HttpRequest, event: Event, actor: Actor) -> HttpResponse:
    """A better plan is looked for."""
    form = SearchForm(request.POST)
    if not form.is_valid():
        return _page(request, event, search_part(event=event, form=form), status=400)
    seconds = form.cleaned_data["seconds"]
    outcome = searches.ask_for_search(event_id=event.pk, seconds=seconds, by=actor, now=timezone.now())
    if isinstance(outcome, Refused):
        refuse(request, outcome)
        return _page(request, event, search_part(event=event, form=form), status=outcome.status)
    return _back(event)


@require_POST
@for_event("edit_plan")
def stop(request: HttpRequest, event: Event, actor: Actor) -> HttpResponse:
    """The search ends with what it has. One that has just ended by itself needs no word."""
    searches.stop_search(event_id=event.pk, by=actor, now=timezone.now())
    return _back(event)


@require_POST
@for_event("edit_plan")
def drop(request: HttpRequest, event: Event, actor: Actor) -> HttpResponse:
    """The day is planned as if nothing better had been found."""
    searches.drop_better_plan(event_id=event.pk, by=actor, now=timezone.now())
    messages.success(request, _("The plan is made by the usual rule again."))
    return _back(event)


def _page(request: HttpRequest, event: Event, context: dict[str, Any], *, status: int = 200) -> HttpResponse:
    context = {**event_frame(event=event, here="plan"), **context}
    return page(request, "tournaments/desk/search.html", context, status=status)


def _back(event: Event) -> HttpResponseRedirect:
    return redirect(reverse("desk_plan", args=[event.pk]) + "#plan-search")
