"""Bringing a tournament in from a file, on the desk."""

from __future__ import annotations

import hashlib

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _

from players.permissions import Actor, Refused
from tournaments.actions.answers import answer_once
from tournaments.actions.interchange import import_tournament
from tournaments.engine.interchange import Fault
from tournaments.forms.interchange import TournamentFileForm
from tournaments.importers.tournament import read_tournament
from tournaments.models import Event
from tournaments.views.access import for_event
from tournaments.views.desk_page import event_frame, page
from tournaments.words.faults import placed_fault_text


@for_event("create_tournament")
def bring(request: HttpRequest, event: Event, actor: Actor) -> HttpResponse:
    """A file is read and becomes a tournament, as a whole or not at all; the same form sent again makes one."""
    if request.method != "POST":
        return _show(request, event, TournamentFileForm())
    form = TournamentFileForm(request.POST, request.FILES)
    if not form.is_valid():
        return _show(request, event, form, status=400)
    data, ruleset = form.cleaned_data["file"].read(), form.cleaned_data["ruleset"]
    found = read_tournament(data)
    if isinstance(found, Fault):
        form.add_error("file", placed_fault_text(found))
        return _show(request, event, form, status=400)

    def act() -> tuple[int, bytes]:
        made = import_tournament(event_id=event.pk, document=found, ruleset=ruleset, by=actor, now=timezone.now())
        return 201, str(made.pk).encode()

    told = answer_once(
        caller=f"import/{event.pk}/{actor.account}",
        key=form.cleaned_data["key"],
        asked=hashlib.sha256(data + ruleset.encode()).digest(),
        act=act,
        now=timezone.now(),
    )
    if isinstance(told, Refused):
        form.add_error(None, _("Another file was sent with this form before. Open the page anew for this one."))
        return _show(request, event, form, status=told.status)
    return redirect("tournament_desk", int(told[1]))


def _show(request: HttpRequest, event: Event, form: TournamentFileForm, *, status: int = 200) -> HttpResponse:
    context = {**event_frame(event=event, here="event"), "form": form}
    return page(request, "tournaments/desk/tournament_file.html", context, status=status)
