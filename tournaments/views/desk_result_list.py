"""Results from a list: a file is read and looked at, then entered as a whole or not at all."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Protocol

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST

from matches.actions import SCORE, TIME, Report
from players.permissions import Actor, Refused
from tournaments.actions.result_lists import enter_results
from tournaments.forms.result_lists import JudgedRow, ResultListConfirmForm, ResultListForm, judge_rows
from tournaments.importers.results import read_results
from tournaments.models import Tournament
from tournaments.queries import desk
from tournaments.queries.paper import rounds_on_paper
from tournaments.queries.result_lists import matches_of
from tournaments.queries.stages import round_names
from tournaments.views.access import for_tournament
from tournaments.views.desk_page import page, tournament_frame
from tournaments.words.labels import RESULT_KINDS, ended_text
from tournaments.words.reasons import round_name
from tournaments.words.refusals import refusal_text

_SHOWN_PROBLEMS = 200


class Problem(Protocol):
    """A row that cannot be taken, or with line 0 a file."""

    @property
    def line(self) -> int: ...
    @property
    def code(self) -> str: ...
    @property
    def params(self) -> dict[str, Any]: ...


@for_tournament("enter_result")
def bring(request: HttpRequest, tournament: Tournament, actor: Actor) -> HttpResponse:
    """A file is sent, read and shown; nothing is entered yet."""
    rounds = _rounds(tournament)
    if request.method != "POST":
        return _form_page(request, tournament, ResultListForm(rounds=rounds))
    form = ResultListForm(request.POST, request.FILES, rounds=rounds)
    if not form.is_valid():
        return _form_page(request, tournament, form, status=400)
    file = form.cleaned_data["file"]
    reading = read_results(file.name, file.read(), encoding=form.cleaned_data["encoding"])
    if of_file := [problem for problem in reading.problems if problem.line == 0]:
        for problem in of_file:
            form.add_error("file", refusal_text(Refused(problem.code, problem.params)))
        return _form_page(request, tournament, form, status=400)
    found, unclear = matches_of(tournament=tournament, rows=reading.rows, round_id=form.cleaned_data["round"])
    judged, wrong = judge_rows(found)
    new = [each for each in judged if each.report is not None]
    problems = _told([*reading.problems, *unclear, *wrong])
    context = {
        "filename": file.name,
        "rows": [_row(each, report) for each in new if (report := each.report) is not None],
        "again": len(judged) - len(new),
        "unplayed": reading.unplayed,
        "form": ResultListConfirmForm.of(new) if new and not problems else None,
    }
    return _list_page(request, tournament, problems, **context)


def _rounds(tournament: Tournament) -> list[tuple[int, str]]:
    stage = desk.current_stage(tournament=tournament)
    found, _open = rounds_on_paper(stage=stage)
    names = round_names(stage=stage, numbers=[round_.number for round_ in found])
    return [(round_.pk, round_name(names[round_.number])) for round_ in found]


def _row(each: JudgedRow, report: Report) -> dict[str, Any]:
    """A row of the preview, the first side of the match first."""
    pairing = each.found.pairing
    is_score = report.kind in (SCORE, TIME)
    score = ended_text(report.kind, *report.sets) if is_score and report.sets is not None else ""
    winner = {"a": pairing.a, "b": pairing.b}.get(report.winner or "")
    return {
        "line": each.found.row.line,
        "pairing": pairing,
        "score": score,
        "kind": "" if score else RESULT_KINDS[report.kind],
        "winner": winner,
    }


def _told(problems: Iterable[Problem]) -> list[dict[str, Any]]:
    """Problems in the order of their lines, in words."""
    return [
        {"line": each.line, "text": refusal_text(Refused(each.code, each.params))}
        for each in sorted(problems, key=lambda each: each.line)
    ]


@require_POST
@for_tournament("enter_result")
def confirm(request: HttpRequest, tournament: Tournament, actor: Actor) -> HttpResponse:
    """A list that was looked at is entered."""
    form = ResultListConfirmForm(request.POST)
    if not form.is_valid():
        again = ResultListForm(rounds=_rounds(tournament))
        for error in form.errors.get("rows", form.errors.get("key", [])):
            messages.error(request, str(error))
        return _form_page(request, tournament, again, status=400)
    told = form.cleaned_data["rows"]
    outcome = enter_results(
        tournament_id=tournament.pk, told=told, by=actor, key=form.cleaned_data["key"], now=timezone.now()
    )
    if isinstance(outcome, Refused):
        problems = [
            {"line": each["line"], "text": refusal_text(Refused(each["code"], each["params"]))}
            for each in outcome.params["problems"]
        ]
        return _list_page(request, tournament, problems, status=outcome.status)
    said = ngettext("%(n)s result of the list is in.", "%(n)s results of the list are in.", outcome)
    messages.success(request, said % {"n": outcome})
    return redirect("results", tournament.pk)


def _form_page(
    request: HttpRequest, tournament: Tournament, form: ResultListForm, *, status: int = 200
) -> HttpResponse:
    context = {**tournament_frame(request=request, tournament=tournament, here="results"), "form": form}
    return page(request, "tournaments/desk/result_list.html", context, status=status)


def _list_page(
    request: HttpRequest, tournament: Tournament, problems: list[dict[str, Any]], *, status: int = 200, **context: Any
) -> HttpResponse:
    shown = {
        **tournament_frame(request=request, tournament=tournament, here="results"),
        "problems": problems[:_SHOWN_PROBLEMS],
        "count": len(problems),
        "more_problems": max(0, len(problems) - _SHOWN_PROBLEMS),
        **context,
    }
    return page(request, "tournaments/desk/result_list_show.html", shown, status=status)
