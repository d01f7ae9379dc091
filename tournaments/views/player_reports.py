"""A player's own report, behind their private link: told, answered by the other one, taken back.

The player's page shows it by the partial `tournaments/player/_report.html` with what `report_context` gives; the page
has the outbox (`_components/outbox.html` and `outbox.js`), so that a report typed without network is sent later.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from http import HTTPStatus
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from matches.models import Match, Submission, Way
from players.permissions import Actor, Refused
from tournaments.actions import reports
from tournaments.forms.results import OwnReportForm
from tournaments.models import Entry, Pairing
from tournaments.models.tournament import State
from tournaments.permissions import entry_token, may
from tournaments.queries.games import way_of
from tournaments.queries.reports import (
    counts_unanswered,
    due_at,
    is_own_closed_match,
    own_pairing,
    seat_of,
    side_that_counts,
    waiting_reports,
)
from tournaments.queries.time_over import match_times
from tournaments.views.access import for_player
from tournaments.views.device import problem, taken, wants_json
from tournaments.views.said import without_addresses
from tournaments.words.labels import result_text
from tournaments.words.refusals import refusal_text


@dataclass(frozen=True, slots=True)
class OwnReport:
    """What a player is shown of the reports of their open match, and may say themselves.

    `mine`, `theirs` and `staffs` are the waiting reports, each with its address to take it back or to agree with it.
    `form` is None where players do not report. `due` is when the time to answer ends, where one waits for an answer;
    then it counts (`counts_then`), or the referee is asked.
    """

    pairing: Pairing
    a: str
    b: str
    opponent: str
    form: OwnReportForm | None
    url: str
    mine: Submission | None
    take_back: str
    theirs: Submission | None
    agree: str
    staffs: Submission | None
    agree_staffs: str
    due: datetime | None
    counts_then: bool
    is_late: bool

    @property
    def is_told(self) -> bool:
        """Whether anybody told how it ended."""
        return bool(self.mine or self.theirs or self.staffs)

    @property
    def asks(self) -> bool:
        """Whether something waits for this player's word."""
        return self.staffs is not None or (self.theirs is not None and self.mine is None)

    @property
    def is_disputed(self) -> bool:
        """Whether both players told something, which then is not the same."""
        return self.mine is not None and self.theirs is not None


def report_context(entry: Entry, pairing: Pairing) -> dict[str, Any]:
    """The context of `tournaments/player/_report.html` for a player and a pairing of theirs: `report` and `event`.

    `report` is an OwnReport, or None where there is nothing to report: a bye, a match that is decided, a tournament
    that does not run or where players do not report and nothing waits for their word. The pairing carries both entries,
    its match, and its round's stage with tournament and event.
    """
    event = pairing.round.stage.tournament.event
    return {"report": _own_report(entry, pairing), "event": event}


def _own_report(entry: Entry, pairing: Pairing, form: OwnReportForm | None = None) -> OwnReport | None:
    tournament, match = pairing.round.stage.tournament, pairing.match
    if match is None or pairing.b is None or not match.is_open or tournament.state != State.RUNNING:
        return None
    now = timezone.now()
    found = waiting_reports(pairings=[pairing], now=now).get(match.pk)
    waiting = {each.seat: each for each in found.reports} if found else {}
    reports_itself = way_of(pairing) == Way.HERE
    by_players = tournament.players_report and not reports_itself
    if not by_players and not (waiting if reports_itself else tournament.second_confirms and "" in waiting):
        return None
    seat, token = seat_of(entry=entry, pairing=pairing), entry_token(entry)
    other = pairing.b if seat == "a" else pairing.a
    mine, theirs, staffs = waiting.get(seat), waiting.get("b" if seat == "a" else "a"), waiting.get("")
    open_report = None if mine and theirs else mine or theirs
    due = due_at(open_report, tournament) if open_report else None

    def address(name: str, submission: Submission | None) -> str:
        return reverse(name, args=[token, submission.pk]) if submission else ""

    return OwnReport(
        pairing=pairing,
        a=_name(pairing.a, entry),
        b=_name(pairing.b, entry),
        opponent=other.display_name,
        form=(form or _form(pairing, match, seat)) if by_players else None,
        url=reverse("own_report", args=[token, match.pk]),
        mine=mine,
        take_back=address("own_take_back", mine),
        theirs=theirs,
        agree=address("own_agree", theirs),
        staffs=staffs,
        agree_staffs=address("own_agree", staffs),
        due=due,
        counts_then=counts_unanswered(tournament),
        is_late=due is not None and due <= now and not counts_unanswered(tournament),
    )


def _form(pairing: Pairing, match: Match, seat: str, data: Any = None) -> OwnReportForm:
    time = match_times(pairings=[pairing], now=timezone.now()).get(match.pk)
    return OwnReportForm(data, match=match, seat=seat, time=time)


def _name(side: Entry, reader: Entry) -> str:
    """Everybody knows their own name; another's as they let it be shown."""
    return side.staff_name if side.pk == reader.pk else side.display_name


def _pairing(entry: Entry, actor: Actor, match_id: int) -> Pairing | Refused:
    """The player's own pairing; 404 for anybody else's. Its round may have been taken back."""
    tournament = entry.tournament
    if not may(actor, "report_own_result", event=tournament.event_id, tournament=tournament.pk):
        raise Http404
    pairing = own_pairing(entry=entry, match_id=match_id)
    if pairing is None and is_own_closed_match(entry=entry, match_id=match_id):
        return Refused("match_void", {"match": match_id})
    if pairing is None:
        raise Http404
    return pairing


def _reported(entry: Entry, actor: Actor, submission_id: int) -> Pairing | Refused:
    match_id = Submission.objects.filter(pk=submission_id).values_list("match_id", flat=True).first()
    if match_id is None:
        raise Http404
    return _pairing(entry, actor, match_id)


# Without a token of the session: the secret path is the whole authority here, as on a referee's page.
@csrf_exempt
@for_player
def own_report(request: HttpRequest, entry: Entry, actor: Actor, match_id: int) -> HttpResponseBase:
    """A page to report one's own match (GET), and where reports are sent (POST)."""
    pairing = _pairing(entry, actor, match_id)
    if isinstance(pairing, Refused):
        return _refuse(request, entry, pairing)
    match = pairing.match
    if match is None:
        raise Http404
    if request.method != "POST":
        return _page(request, entry, pairing)
    form = _form(pairing, match, seat_of(entry=entry, pairing=pairing), request.POST)
    if not form.is_valid():
        text = " ".join(str(error) for errors in form.errors.values() for error in errors)
        if wants_json(request):
            return problem("invalid", text, HTTPStatus.BAD_REQUEST)
        return _page(request, entry, pairing, form=form.again(), refused=text, status=HTTPStatus.BAD_REQUEST)
    outcome = reports.report_own(
        entry_id=entry.pk,
        match_id=match_id,
        report=form.report(),
        by=actor,
        key=form.cleaned_data["key"],
        expected_version=form.cleaned_data["version"],
        now=timezone.now(),
    )
    if isinstance(outcome, Refused):
        return _refuse(request, entry, outcome, pairing=pairing, form=form)
    return _done(request, entry, outcome)


@csrf_exempt
@require_POST
@for_player
def own_agree(request: HttpRequest, entry: Entry, actor: Actor, submission_id: int) -> HttpResponseBase:
    """The player agrees with what was reported of their match."""
    pairing = _reported(entry, actor, submission_id)
    if isinstance(pairing, Refused):
        return _refuse(request, entry, pairing)
    outcome = reports.agree_own(entry_id=entry.pk, submission_id=submission_id, by=actor, now=timezone.now())
    if isinstance(outcome, Refused):
        return _refuse(request, entry, outcome, pairing=pairing)
    return _done(request, entry, outcome)


@csrf_exempt
@require_POST
@for_player
def own_take_back(request: HttpRequest, entry: Entry, actor: Actor, submission_id: int) -> HttpResponseBase:
    """The player takes their own waiting report back."""
    pairing = _reported(entry, actor, submission_id)
    if isinstance(pairing, Refused):
        return _refuse(request, entry, pairing)
    outcome = reports.take_back_own(entry_id=entry.pk, submission_id=submission_id, by=actor, now=timezone.now())
    if isinstance(outcome, Refused):
        return _refuse(request, entry, outcome, pairing=pairing)
    if not wants_json(request):
        messages.success(request, _("Your report is taken back."))
        return redirect("own_page", entry_token(entry))
    return JsonResponse(taken(outcome))


def _done(request: HttpRequest, entry: Entry, submission: Submission) -> HttpResponse:
    if wants_json(request):
        return JsonResponse(taken(submission))
    if submission.is_waiting:
        told = _("Reported: {result}. It counts once your opponent or the referee says the same.")
    else:
        told = _("The result is in: {result}.")
    messages.success(request, told.format(result=result_text(submission)))
    return redirect("own_page", entry_token(entry))


def _refuse(
    request: HttpRequest,
    entry: Entry,
    refused: Refused,
    *,
    pairing: Pairing | None = None,
    form: OwnReportForm | None = None,
) -> HttpResponse:
    """The refusal as a problem, or a page that says it with what was chosen kept."""
    text = refusal_text(_as_player_reads(refused, pairing))
    if wants_json(request):
        return problem(refused.code, text, refused.status)
    if pairing is not None and pairing.match is not None:
        pairing.match.refresh_from_db()
    again = form.again() if form is not None and pairing is not None and form.match.is_open else None
    if form is not None and again is None:
        told = _("You chose: {result}.").format(result=form.words)
        text = f"{text} {told}"
    return _page(request, entry, pairing, form=again, refused=text, status=refused.status)


def _as_player_reads(refused: Refused, pairing: Pairing | None) -> Refused:
    """The refusal with the name of who entered the result as this reader may know it."""
    if "by" not in refused.params or pairing is None:
        return refused
    side = side_that_counts(pairing)
    if side is None:
        return without_addresses(refused)
    return replace(refused, params={**refused.params, "by": side.display_name})


def _page(
    request: HttpRequest,
    entry: Entry,
    pairing: Pairing | None,
    *,
    form: OwnReportForm | None = None,
    refused: str = "",
    status: int = 200,
) -> HttpResponse:
    event = entry.tournament.event
    context = {
        "entry": entry,
        "event": event,
        "tournament": entry.tournament,
        "home": reverse("own_page", args=[entry_token(entry)]),
        "pairing": pairing,
        "report": None if pairing is None else _own_report(entry, pairing, form),
        "refused": refused,
        "demo": event.is_demo,
    }
    response = render(request, "tournaments/player/report.html", context, status=status)
    response["Cache-Control"] = "private, no-store"
    return response
