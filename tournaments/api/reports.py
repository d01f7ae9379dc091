"""Reports that wait for somebody's word: confirmed by staff, told and answered by players with their own link."""

from __future__ import annotations

from typing import Any

from django.http import Http404
from django.utils import timezone
from django.utils.translation import gettext as _
from rest_framework.request import Request
from rest_framework.response import Response

from matches import actions as match_actions
from matches.models import Match, Submission
from players.permissions import Actor, Refused
from tournaments.actions import reports as actions
from tournaments.api.access import View, own_entry, pairing_for, tournament_for
from tournaments.api.answers import page
from tournaments.api.bodies import ResultBody
from tournaments.api.operation import IF_MATCH, KEY, PAGE, operation
from tournaments.api.problems import Problem
from tournaments.api.reading import key_of, version_of
from tournaments.api.shapes import SubmissionShape, WaitingPageShape, WaitingShape
from tournaments.models import Entry, Pairing
from tournaments.permissions import may
from tournaments.queries.desk import open_pairings
from tournaments.queries.reports import Waiting, is_own_closed_match, own_pairing, side_that_counts, waiting_reports


def submission_row(submission: Submission) -> dict[str, Any]:
    """A result as it was told."""
    return {
        "id": submission.pk,
        "match": submission.match_id,
        "number": submission.number,
        "kind": submission.kind,
        "sets": [submission.sets_a, submission.sets_b],
        "winner": submission.winner,
        "seat": submission.seat,
        "waits": submission.is_waiting,
        "at": submission.at,
    }


def _row(waiting: Waiting) -> dict[str, Any]:
    return {
        "match": waiting.pairing.match_id,
        "round": waiting.pairing.round.number,
        "table": waiting.pairing.table,
        "state": waiting.state,
        "due_at": waiting.due_at,
        "reports": [submission_row(each) for each in waiting.reports],
    }


def _taken(outcome: Submission) -> Response:
    response = Response(SubmissionShape(submission_row(outcome)).data)
    response["ETag"] = f'"{Match.objects.get(pk=outcome.match_id).version}"'
    return response


# --- Staff.


class Reports(View):
    """What waits at the tables of whoever asks."""

    @operation(
        "list_reports",
        "Open matches with a report that waits for somebody's word",
        description="`state` is disputed, unanswered (the other player did not answer in time), second (one of staff"
        " entered it and another person has to confirm) or reported (the other player has until `due_at`).",
        answer=WaitingPageShape,
        parameters=PAGE,
    )
    def get(self, request: Request, pk: int) -> Response:
        tournament, actor = tournament_for(request, pk, "confirm_report")
        found = open_pairings(event=tournament.event, tournament=tournament, tables=actor.tables)
        waiting = list(waiting_reports(pairings=found, now=timezone.now()).values())
        waiting.sort(key=lambda each: (each.pairing.round.number, each.pairing.table or 0, each.pairing.pk))
        return page(self, request, waiting, WaitingPageShape, _row)


def _reported(request: Request, pk: int, submission_id: int) -> Actor:
    """Whoever may confirm this very report; 404 for another tournament's and at another's table."""
    tournament, actor = tournament_for(request, pk, "confirm_report")
    match_id = Submission.objects.filter(pk=submission_id).values_list("match_id", flat=True).first()
    if match_id is None:
        raise Http404
    pairing = pairing_for(tournament, match_id)
    if not may(actor, "confirm_report", event=tournament.event_id, tournament=tournament.pk, table=pairing.table):
        raise Http404
    return actor


class Confirm(View):
    """A report is right."""

    @operation("confirm_report", "Confirm a waiting report: it becomes the result", answer=SubmissionShape)
    def post(self, request: Request, pk: int, submission_id: int) -> Response:
        actor = _reported(request, pk, submission_id)
        outcome = match_actions.confirm_report(submission_id=submission_id, by=actor, now=timezone.now())
        return _taken(_staff_done(outcome, actor))


class TakeBack(View):
    """A report was not right after all."""

    @operation("take_back_report", "Take a waiting report of your own back", answer=SubmissionShape)
    def post(self, request: Request, pk: int, submission_id: int) -> Response:
        actor = _reported(request, pk, submission_id)
        outcome = match_actions.take_back_report(submission_id=submission_id, by=actor, now=timezone.now())
        return _taken(_staff_done(outcome, actor))


def _staff_done(outcome: Submission | Refused, actor: Actor) -> Submission:
    if not isinstance(outcome, Refused):
        return outcome
    raise Problem(outcome if actor.account is not None else _without_address(outcome))


def _without_address(refused: Refused) -> Refused:
    """Who has given no name is known to other organisers by address, and to all others as an organiser."""
    if "@" not in str(refused.params.get("by", "")):
        return refused
    return Refused(refused.code, {**refused.params, "by": _("an organiser")}, refused.status)


# --- A player, by their own link.


class OwnReports(View):
    """What was reported of a match of one's own."""

    @operation("list_own_reports", "What waits for a word in a match of yours", answer=WaitingShape)
    def get(self, request: Request, match_id: int) -> Response:
        entry, _actor = own_entry(request, "report_own_result")
        pairing = _own(entry, match_id)
        found = waiting_reports(pairings=[pairing], now=timezone.now()).get(match_id)
        return Response(WaitingShape(_row(found or Waiting(pairing, (), "", None))).data)

    @operation(
        "report_own_result",
        "Say how a match of yours ended",
        description="It counts once your opponent or the referee says the same. A score, or that you gave up: a"
        " forfeit that your opponent wins.",
        body=ResultBody,
        answer=SubmissionShape,
        parameters=[KEY, IF_MATCH],
    )
    def post(self, request: Request, match_id: int) -> Response:
        entry, actor = own_entry(request, "report_own_result")
        pairing = _own(entry, match_id)
        body = ResultBody(data=request.data)
        body.is_valid(raise_exception=True)
        key = key_of(request)
        version, by_header = version_of(request, body.validated_data.get("version"))
        outcome = actions.report_own(
            entry_id=entry.pk,
            match_id=match_id,
            report=body.report(),
            by=actor,
            key=key,
            expected_version=version,
            now=timezone.now(),
        )
        return _taken(_player_done(outcome, pairing, by_header=by_header))


class Agree(View):
    """What was reported is right."""

    @operation("agree_own", "Agree with what was reported of a match of yours", answer=SubmissionShape)
    def post(self, request: Request, submission_id: int) -> Response:
        entry, actor = own_entry(request, "report_own_result")
        pairing = _own_of(entry, submission_id)
        outcome = actions.agree_own(entry_id=entry.pk, submission_id=submission_id, by=actor, now=timezone.now())
        return _taken(_player_done(outcome, pairing))


class TakeBackOwn(View):
    """What the player reported was not right after all."""

    @operation("take_back_own", "Take a waiting report of your own match back", answer=SubmissionShape)
    def post(self, request: Request, submission_id: int) -> Response:
        entry, actor = own_entry(request, "report_own_result")
        pairing = _own_of(entry, submission_id)
        outcome = actions.take_back_own(entry_id=entry.pk, submission_id=submission_id, by=actor, now=timezone.now())
        return _taken(_player_done(outcome, pairing))


def _own(entry: Entry, match_id: int) -> Pairing:
    """The player's own pairing; 404 for anybody else's, a refusal where its round was taken back."""
    pairing = own_pairing(entry=entry, match_id=match_id)
    if pairing is not None:
        return pairing
    if is_own_closed_match(entry=entry, match_id=match_id):
        raise Problem(Refused("match_void", {"match": match_id}))
    raise Http404


def _own_of(entry: Entry, submission_id: int) -> Pairing:
    match_id = Submission.objects.filter(pk=submission_id).values_list("match_id", flat=True).first()
    if match_id is None:
        raise Http404
    return _own(entry, match_id)


def _player_done(outcome: Submission | Refused, pairing: Pairing, *, by_header: bool = False) -> Submission:
    """What was taken; a refusal names who entered the result as this reader may know them."""
    if not isinstance(outcome, Refused):
        return outcome
    params = dict(_without_address(outcome).params)
    side = side_that_counts(pairing) if "by" in params else None
    if side is not None:
        params["by"] = side.display_name
    status = 412 if outcome.code == "stale_version" and by_header else outcome.status
    raise Problem(Refused(outcome.code, params, status))
