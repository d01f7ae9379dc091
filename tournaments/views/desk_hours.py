"""The hours of an event on the desk: opening hours, breaks, the times of rounds, and shifting everything at once."""

from __future__ import annotations

from itertools import groupby
from operator import attrgetter
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from players.permissions import Actor, Refused
from tournaments.actions import hours
from tournaments.actions.shifts import shift_plan
from tournaments.engine.formats.base import Note
from tournaments.forms.hours import BreakForm, OpeningForm, RoundTimesForm, ShiftForm, SpanForm
from tournaments.models import Break, Event, Opening, Stage
from tournaments.queries.hours import HoursPage, hours_page, round_rows
from tournaments.views.access import for_event
from tournaments.views.desk_page import event_frame, page, refuse, tell_twice
from tournaments.words.hours import back_text, moment_text, moved_text, shifted_text, wall_text
from tournaments.words.refusals import refusal_text


@require_safe
@for_event("edit_plan")
def show(request: HttpRequest, event: Event, actor: Actor) -> HttpResponse:
    """When the hall is open, when nobody plays, when rounds begin."""
    return _hours(request, event)


def _hours(
    request: HttpRequest,
    event: Event,
    *,
    opening: OpeningForm | None = None,
    pause: BreakForm | None = None,
    times: tuple[int, RoundTimesForm] | None = None,
    shift: ShiftForm | None = None,
    warning: str = "",
    status: int = 200,
) -> HttpResponse:
    found = hours_page(event=event, now=timezone.now())
    typed = dict([times] if times else [])
    context = {
        **event_frame(event=event, here="hours"),
        "hours": found,
        "opening_form": opening or OpeningForm(event=event),
        "break_form": pause or BreakForm(event=event),
        "stages": [
            (row, typed.get(row.stage.pk) or RoundTimesForm(event=event, stage_id=row.stage.pk, rounds=row.rounds))
            for row in found.stages
        ],
        "shift_form": shift or _shift_form(event, found),
        "warning": warning,
        **_last_shift(event, found),
    }
    return page(request, "tournaments/desk/hours.html", context, status=status)


def _last_shift(event: Event, found: HoursPage) -> dict[str, str]:
    """What was shifted last, in words, and the button that takes it back."""
    last = found.last
    if last is None:
        return {}
    since = wall_text(last.since.astimezone(event.tzinfo).isoformat())
    return {"last_text": shifted_text(last.minutes, since=since), "back": back_text(last.minutes)}


def _shift_form(event: Event, found: HoursPage, data: Any = None) -> ShiftForm:
    """The form of a shift with the times something is planned for."""
    names = {(row.stage.pk, each.number): each.name for row in found.stages for each in row.rounds}
    moments = []
    for at, group in groupby(found.planned, key=attrgetter("at")):
        several = list(group)
        told = [
            None if each.round is None else names.get((each.stage or 0, each.round), Note.of("round", n=each.round))
            for each in several
        ]
        moments.append((at, moment_text(several, told, event=event)))
    return ShiftForm(data, event=event, moments=moments)


def _unclear(request: HttpRequest, event: Event, **typed: Any) -> HttpResponse:
    """The page again, with what was typed and what is wrong with it."""
    messages.error(request, _("Nothing was changed: see what is marked below."))
    return _hours(request, event, status=400, **typed)


def _refused(request: HttpRequest, refused: Refused, event: Event, **typed: Any) -> HttpResponse:
    """The page again, with what was typed and why it was not done."""
    refuse(request, refused)
    return _hours(request, event, status=refused.status, **typed)


# --- When the hall is open.


@require_POST
@for_event("edit_plan")
def opening_add(request: HttpRequest, event: Event, actor: Actor) -> HttpResponse:
    """The hall is open on one more day."""
    form = OpeningForm(request.POST, event=event)
    if not form.is_valid() or form.starts_at is None or form.ends_at is None:
        return _unclear(request, event, opening=form)
    outcome = hours.open_hall(
        event_id=event.pk, opens_at=form.starts_at, closes_at=form.ends_at, by=actor, now=timezone.now()
    )
    if isinstance(outcome, Refused):
        return _refused(request, outcome, event, opening=form)
    return _saved(request, event, form, "opening")


@for_event("edit_plan")
def opening(request: HttpRequest, event: Event, actor: Actor, opening_id: int) -> HttpResponse:
    """Other hours for an opening."""
    found = get_object_or_404(Opening, pk=opening_id, event=event)
    if request.method != "POST":
        return _span(request, event, OpeningForm(event=event, opening=found), opening=found)
    form = OpeningForm(request.POST, event=event, opening=found)
    if not form.is_valid() or form.starts_at is None or form.ends_at is None:
        return _span(request, event, form, opening=found, status=400)
    outcome = hours.change_opening(
        opening_id=found.pk, opens_at=form.starts_at, closes_at=form.ends_at, by=actor, now=timezone.now()
    )
    if isinstance(outcome, Refused):
        refuse(request, outcome)
        return _span(request, event, form, opening=found, status=outcome.status)
    return _saved(request, event, form, "opening")


@require_POST
@for_event("edit_plan")
def opening_remove(request: HttpRequest, event: Event, actor: Actor, opening_id: int) -> HttpResponse:
    """The hall is not open then."""
    found = get_object_or_404(Opening, pk=opening_id, event=event)
    hours.remove_opening(opening_id=found.pk, by=actor, now=timezone.now())
    return redirect("desk_hours", event.pk)


def _span(request: HttpRequest, event: Event, form: SpanForm, *, status: int = 200, **found: Any) -> HttpResponse:
    """The page of one opening or one break."""
    context = {**event_frame(event=event, here="hours"), "form": form, **found}
    return page(request, "tournaments/desk/span.html", context, status=status)


def _saved(request: HttpRequest, event: Event, form: SpanForm, part: str) -> HttpResponse:
    for text in form.said_twice():
        messages.info(request, text)
    answer = redirect("desk_hours", event.pk)
    answer["Location"] += f"#{part}"
    return answer


# --- Breaks.


@require_POST
@for_event("edit_plan")
def break_add(request: HttpRequest, event: Event, actor: Actor) -> HttpResponse:
    """One more break."""
    form = BreakForm(request.POST, event=event)
    if not form.is_valid() or form.starts_at is None or form.ends_at is None:
        return _unclear(request, event, pause=form)
    outcome = hours.add_break(
        event_id=event.pk,
        tournament_id=form.tournament_id,
        name=form.cleaned_data["name"],
        starts_at=form.starts_at,
        ends_at=form.ends_at,
        by=actor,
        now=timezone.now(),
    )
    if isinstance(outcome, Refused):
        return _refused(request, outcome, event, pause=form)
    return _saved(request, event, form, "breaks")


@for_event("edit_plan")
def break_edit(request: HttpRequest, event: Event, actor: Actor, break_id: int) -> HttpResponse:
    """Another time or name for a break."""
    found = get_object_or_404(Break, pk=break_id, event=event)
    if request.method != "POST":
        return _span(request, event, BreakForm(event=event, pause=found), pause=found)
    form = BreakForm(request.POST, event=event, pause=found)
    if not form.is_valid() or form.starts_at is None or form.ends_at is None:
        return _span(request, event, form, pause=found, status=400)
    outcome = hours.change_break(
        break_id=found.pk,
        tournament_id=form.tournament_id,
        name=form.cleaned_data["name"],
        starts_at=form.starts_at,
        ends_at=form.ends_at,
        by=actor,
        now=timezone.now(),
    )
    if isinstance(outcome, Refused):
        refuse(request, outcome)
        return _span(request, event, form, pause=found, status=outcome.status)
    return _saved(request, event, form, "breaks")


@require_POST
@for_event("edit_plan")
def break_remove(request: HttpRequest, event: Event, actor: Actor, break_id: int) -> HttpResponse:
    """A break is none any more."""
    found = get_object_or_404(Break, pk=break_id, event=event)
    hours.remove_break(break_id=found.pk, by=actor, now=timezone.now())
    return redirect("desk_hours", event.pk)


# --- Rounds.


@require_POST
@for_event("edit_plan")
def round_times(request: HttpRequest, event: Event, actor: Actor, stage_id: int) -> HttpResponse:
    """When the rounds of a tournament begin."""
    stage = get_object_or_404(Stage.objects.select_related("tournament__event"), pk=stage_id, tournament__event=event)
    form = RoundTimesForm(request.POST, event=event, stage_id=stage.pk, rounds=round_rows(stage=stage))
    if not form.is_valid():
        return _unclear(request, event, times=(stage.pk, form))
    outcome = hours.set_round_times(stage_id=stage.pk, times=form.times(), by=actor, now=timezone.now())
    if isinstance(outcome, Refused):
        form.refuse(outcome)
        return _refused(request, outcome, event, times=(stage.pk, form))
    messages.success(request, _("Saved."))
    tell_twice(request, form)
    answer = redirect("desk_hours", event.pk)
    answer["Location"] += f"#stage-{stage.pk}"
    return answer


# --- Everything at once.


@require_POST
@for_event("edit_plan")
def shift(request: HttpRequest, event: Event, actor: Actor) -> HttpResponse:
    """Everything planned from some time on is shifted; what then does not fit is told first."""
    now = timezone.now()
    form = _shift_form(event, hours_page(event=event, now=now), request.POST)
    if not form.is_valid():
        return _unclear(request, event, shift=form)
    outcome = shift_plan(
        event_id=event.pk,
        minutes=form.by,
        since=form.since_when(now=now),
        tournament_id=form.tournament_id,
        expected=form.cleaned_data["seen"],
        accept_late=form.cleaned_data["accept_late"],
        by=actor,
        now=now,
    )
    if isinstance(outcome, Refused):
        if outcome.code == "closes_before_the_end":
            return _hours(request, event, shift=form, warning=refusal_text(outcome), status=outcome.status)
        return _refused(request, outcome, event, shift=form)
    messages.success(request, moved_text(outcome))
    tell_twice(request, form)
    return redirect("desk_hours", event.pk)
