"""What every page of the organiser's desk has: its frame, its headers, and how it says that something was refused."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import get_language

from players.permissions import Refused
from tournaments.forms.times import said_twice
from tournaments.live import topic_of
from tournaments.models import Event, Stage, Tournament
from tournaments.queries import desk
from tournaments.queries.course import course_of
from tournaments.queries.names import StaffName, staff_names
from tournaments.queries.stages import stage_version
from tournaments.views.desk_words import progress_of, state_of, step_of
from tournaments.words.refusals import refusal_text


def page(request: HttpRequest, template: str, context: dict[str, Any], *, status: int = 200) -> HttpResponse:
    """A page only this organiser may see: nothing keeps a copy of it."""
    response = render(request, template, context, status=status)
    response["Cache-Control"] = "private, no-store"
    return response


def event_frame(*, event: Event, here: str) -> dict[str, Any]:
    """What pages of an event show around what they are about. `here` marks the present link of the masthead."""
    return {"event": event, "demo": event.is_demo, "here": here}


def tournament_frame(*, request: HttpRequest, tournament: Tournament, here: str) -> dict[str, Any]:
    """What pages of a tournament show above what they are about: its state, its way, its one next step."""
    stage = desk.current_stage(tournament=tournament)
    names = names_of(tournament=tournament)
    course = course_of(stage=stage)
    step = desk.next_step(tournament=tournament)
    return {
        **event_frame(event=tournament.event, here=here),
        "tournament": tournament,
        "stage": stage,
        "names": names,
        "topic": topic_of(tournament.pk),
        "version": part_version(stage),
        "top_src": reverse("roster" if tournament.is_open_roster else "tournament_desk", args=[tournament.pk])
        + "?part=top",
        "state": state_of(tournament=tournament, stage=stage, step=step, course=course),
        "progress": progress_of(tournament=tournament, course=course),
        "step": step_of(tournament=tournament, step=step, course=course, names=names),
        "next": step,
    }


def names_of(*, tournament: Tournament) -> dict[int, StaffName]:
    """Every entry of a tournament by id: whoever a sentence may speak of."""
    return staff_names(tournament.entries.all())


def part_version(stage: Stage) -> str:
    """What a live part of a page carries as its ETag: where the stage stands, and the language it is told in."""
    return f"{stage_version(stage)}-{get_language()}"


def is_unchanged(request: HttpRequest, *, version: str) -> bool:
    """Whether the page has this version of the part already."""
    return f'"{version}"' in request.headers.get("If-None-Match", "")


def not_modified(version: str) -> HttpResponse:
    """The answer to a page that has this version of a part already."""
    response = HttpResponse(status=304)
    response["ETag"] = f'"{version}"'
    return response


def part(request: HttpRequest, template: str, context: dict[str, Any], *, version: str) -> HttpResponse:
    """A live part of a page, under its version."""
    response = page(request, template, context)
    response["ETag"] = f'"{version}"'
    return response


def tell_twice(request: HttpRequest, form: forms.Form) -> None:
    """Say on the page that follows which is meant of each time in a form that comes twice."""
    for text in said_twice(form):
        messages.info(request, text)


def refuse(request: HttpRequest, refused: Refused, *, tournament: Tournament | None = None) -> None:
    """Say on the page that follows why something was not done. Http404 where the page itself is gone by now."""
    if refused.code in ("tournament_unknown", "event_unknown"):
        raise Http404
    names = names_of(tournament=tournament) if tournament is not None else {}
    messages.error(request, refusal_text(refused, names=names))
