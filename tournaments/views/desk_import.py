"""Lists brought into a roster: a file is read and looked at, then applied as a whole or not at all."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_POST, require_safe

from players.permissions import Actor, Refused
from tournaments.actions import roster
from tournaments.forms.roster import ImportForm
from tournaments.importers import read_roster
from tournaments.models import Entry, RosterImport, Tournament
from tournaments.models.roster import ImportState
from tournaments.queries.imports import import_progress
from tournaments.views.access import for_tournament
from tournaments.views.desk_page import page, refuse, tournament_frame
from tournaments.words.refusals import refusal_text

_SHOWN = 20  # rows of the preview; the file itself is where the rest is looked at
_SHOWN_PROBLEMS = 200


@for_tournament("import_roster")
def new(request: HttpRequest, tournament: Tournament, actor: Actor) -> HttpResponse:
    """A file is sent and read; nothing is done with it yet."""
    if request.method != "POST":
        return _form_page(request, tournament, ImportForm())
    form = ImportForm(request.POST, request.FILES)
    if not form.is_valid():
        return _form_page(request, tournament, form, status=400)
    file = form.cleaned_data["file"]
    reading = read_roster(file.name, file.read(), encoding=form.cleaned_data["encoding"])
    if not reading.rows and all(problem.line == 0 for problem in reading.problems):
        for problem in reading.problems:
            form.add_error("file", refusal_text(Refused(problem.code, problem.params)))
        return _form_page(request, tournament, form, status=400)
    outcome = roster.prepare_import(
        tournament_id=tournament.pk, filename=file.name, by=actor, now=timezone.now(), **reading.facts()
    )
    if isinstance(outcome, Refused):
        refuse(request, outcome)
        return _form_page(request, tournament, form, status=outcome.status)
    return redirect("import_show", tournament.pk, outcome.pk)


def _form_page(request: HttpRequest, tournament: Tournament, form: ImportForm, *, status: int = 200) -> HttpResponse:
    context = {**tournament_frame(request=request, tournament=tournament, here="roster"), "form": form}
    return page(request, "tournaments/desk/import.html", context, status=status)


@require_safe
@for_tournament("import_roster")
def show(request: HttpRequest, tournament: Tournament, actor: Actor, import_id: int) -> HttpResponseBase:
    """A list as it stands: to be looked at, on its way, or done."""
    return _import_page(request, tournament, import_of(tournament, import_id))


def import_of(tournament: Tournament, import_id: int) -> RosterImport:
    """A list of this tournament; 404 for any other."""
    return get_object_or_404(RosterImport, pk=import_id, tournament=tournament)


def _import_page(
    request: HttpRequest, tournament: Tournament, kept: RosterImport, *, status: int = 200
) -> HttpResponse:
    problems = [_problem(each) for each in kept.problems[:_SHOWN_PROBLEMS]]
    same_names = set(kept.source.get("same_names", ()))
    done, total = import_progress(import_id=kept.pk) or (0, len(kept.rows))
    context = {
        **tournament_frame(request=request, tournament=tournament, here="roster"),
        "list": kept,
        "is_preview": kept.state == ImportState.PREVIEW,
        "is_waiting": kept.state == ImportState.WAITING,
        "is_done": kept.state == ImportState.DONE,
        "rows": [{**row, "same_name": row["line"] in same_names} for row in kept.rows[:_SHOWN]],
        "more_rows": max(0, len(kept.rows) - _SHOWN),
        "same_names": len(same_names),
        "placeless": _placeless(tournament, kept),
        "problems": problems,
        "more_problems": max(0, len(kept.problems) - _SHOWN_PROBLEMS),
        "separator": _SEPARATORS.get(kept.source.get("separator", ""), ""),
        "columns": list(kept.source.get("columns", {}).items()),
        "rows_done": done,
        "rows_total": total,
    }
    return page(request, "tournaments/desk/import_show.html", context, status=status)


def _placeless(tournament: Tournament, kept: RosterImport) -> list[tuple[int, Entry]]:
    """The lines of those who are there already without a place, as far as they have none by now."""
    lines = {each["entry"]: each["line"] for each in kept.source.get("placeless", ())}
    entries = Entry.objects.filter(tournament=tournament, pk__in=lines) if tournament.is_open_roster else ()
    return sorted((lines[each.pk], each) for each in entries if each.is_waiting or each.is_gone)[:_SHOWN_PROBLEMS]


def _problem(stored: dict[str, Any]) -> dict[str, Any]:
    return {"line": stored["line"], "text": refusal_text(Refused(stored["code"], stored["params"]))}


_SEPARATORS = {";": _("semicolons"), ",": _("commas"), "\t": _("tabs")}


@require_POST
@for_tournament("import_roster")
def confirm(request: HttpRequest, tournament: Tournament, actor: Actor, import_id: int) -> HttpResponse:
    """A list that was looked at goes into the roster."""
    kept = import_of(tournament, import_id)
    outcome = roster.confirm_import(import_id=kept.pk, by=actor, now=timezone.now())
    if isinstance(outcome, Refused):
        refuse(request, outcome)
        return _import_page(request, tournament, kept, status=outcome.status)
    return redirect("import_show", tournament.pk, kept.pk)
