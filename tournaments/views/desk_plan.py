"""The plan of an event on the desk: how the day goes on, and what is said of single matches of it."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from players.permissions import Actor, Refused
from tournaments.actions import slots
from tournaments.forms.slots import FixForm
from tournaments.forms.times import said_twice
from tournaments.live import topic_of
from tournaments.models import Event, Slot
from tournaments.queries.plan_grid import PlanRow
from tournaments.queries.plan_page import plan_page, plan_row, plan_version
from tournaments.queries.schedule import glimpse
from tournaments.views.access import for_event
from tournaments.views.desk_page import event_frame, is_unchanged, not_modified, page, part, refuse
from tournaments.views.desk_search import search_part
from tournaments.words.plan import both_sides, place_in_stage


@require_safe
@for_event("edit_plan")
def show(request: HttpRequest, event: Event, actor: Actor) -> HttpResponse:
    """When the day ends, what waits, what does not fit, who plays where and when."""
    seen = glimpse(event_id=event.pk)
    if seen is None:
        raise Http404
    version = f"{plan_version(seen)}-{get_language()}"
    is_part = request.GET.get("part") == "plan"
    if is_part and is_unchanged(request, version=version):
        return not_modified(version)
    now = timezone.now()
    context = {
        **event_frame(event=event, here="plan"),
        "plan": plan_page(event=event, now=now),
        "now": now,
        "topics": " ".join(topic_of(tournament.pk) for tournament in seen.tournaments),
        "version": version,
    }
    if is_part:
        return part(request, "tournaments/desk/_plan.html", context, version=version)
    return page(request, "tournaments/desk/plan.html", context | search_part(event=event))


@for_event("edit_plan")
def slot(request: HttpRequest, event: Event, actor: Actor, slot_id: int) -> HttpResponse:
    """One match of the plan: when and where it is to begin."""
    found = _slot_of(event, slot_id)
    if request.method != "POST":
        return _slot(request, event, found, FixForm(slot=found, zone=event.tzinfo))
    form = FixForm(request.POST, slot=found, zone=event.tzinfo, asks="accept" in request.POST)
    if not form.is_valid():
        return _slot(request, event, found, form, status=400)
    said = form.cleaned_data
    outcome = slots.fix_match(
        slot_id=found.pk,
        starts_at=said["starts_at"],
        table=said["table"],
        accept_clashes=said["accept"],
        by=actor,
        now=timezone.now(),
    )
    if isinstance(outcome, Refused):
        if outcome.code == "slot_clashes":
            form = FixForm(request.POST, slot=found, zone=event.tzinfo, asks=True)
            return _slot(request, event, found, form, clashes=outcome.params["clashes"], status=outcome.status)
        refuse(request, outcome)
        return _slot(request, event, found, form, status=outcome.status)
    for told in said_twice(form):
        messages.info(request, told)
    is_fixed = outcome.fixed_at is not None or outcome.fixed_table is not None
    text = (
        _("{match} is fixed. The rest follows.")
        if is_fixed
        else _("The plan decides when and where {match} is played.")
    )
    messages.success(request, format_html(text, match=_named(event, found)))
    return redirect("desk_plan", event.pk)


@require_POST
@for_event("edit_plan")
def hold(request: HttpRequest, event: Event, actor: Actor, slot_id: int) -> HttpResponse:
    """A match is not called until it is released."""
    found = _slot_of(event, slot_id)
    outcome = slots.hold_match(slot_id=found.pk, by=actor, now=timezone.now())
    return _done(request, event, found, outcome, _("{match} is held: it is not called until you release it."))


@require_POST
@for_event("edit_plan")
def release(request: HttpRequest, event: Event, actor: Actor, slot_id: int) -> HttpResponse:
    """A match that was held is called again."""
    found = _slot_of(event, slot_id)
    outcome = slots.release_match(slot_id=found.pk, by=actor, now=timezone.now())
    return _done(request, event, found, outcome, _("{match} is planned and called again."))


def _done(request: HttpRequest, event: Event, found: Slot, outcome: Slot | Refused, told: str) -> HttpResponse:
    if isinstance(outcome, Refused):
        refuse(request, outcome)
        return _slot(request, event, found, FixForm(slot=found, zone=event.tzinfo), status=outcome.status)
    messages.success(request, format_html(told, match=_named(event, found)))
    return redirect("desk_plan", event.pk)


def _slot_of(event: Event, slot_id: int) -> Slot:
    return get_object_or_404(Slot, pk=slot_id, stage__tournament__event=event)


def _row(event: Event, found: Slot) -> PlanRow:
    row = plan_row(event=event, slot_id=found.pk, now=timezone.now())
    if row is None:
        raise Http404
    return row


def _named(event: Event, found: Slot) -> SafeString | str:
    """Who plays; of a match nobody is in yet, which it is."""
    row = _row(event, found).row
    if row.a.entry is None and row.b.entry is None:
        return place_in_stage(row.name, row.label or row.number)
    return both_sides(row.a, row.b)


def _slot(
    request: HttpRequest,
    event: Event,
    found: Slot,
    form: FixForm,
    *,
    clashes: Any = (),
    status: int = 200,
) -> HttpResponse:
    row = _row(event, found)
    context = {**event_frame(event=event, here="plan"), "each": row, "form": form, "clashes": clashes}
    return page(request, "tournaments/desk/slot.html", context, status=status)
