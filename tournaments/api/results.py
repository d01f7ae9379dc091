"""Results: told by whoever is at the table, corrected and taken back by organisers."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any

from django.db.models import Q
from django.http import Http404
from django.utils import timezone
from django.utils.translation import gettext as _
from rest_framework.request import Request
from rest_framework.response import Response

from matches.models import Match, Submission
from players.permissions import Actor, Refused, Role
from tournaments.actions import results as actions
from tournaments.actions.result_lists import Told, enter_results
from tournaments.api.access import View, pairing_for, tournament_for
from tournaments.api.answers import match_row, open_match_row, page, pairing_row
from tournaments.api.bodies import ClearBody, ResultBody, ResultsBody, report_of
from tournaments.api.operation import IF_MATCH, KEY, PAGE, operation
from tournaments.api.problems import Problem, refuse
from tournaments.api.reading import key_of, version_of
from tournaments.api.reports import submission_row
from tournaments.api.shapes import CountShape, MatchShape, OpenMatchesPageShape, PairingShape, SubmissionShape
from tournaments.models import Pairing, Tournament
from tournaments.permissions import may
from tournaments.queries.desk import current_stage, entered_by, open_pairings
from tournaments.queries.stages import stage_version


class OpenMatches(View):
    """What a referee has to do."""

    @operation("list_open_matches", "Matches that wait for a result", answer=OpenMatchesPageShape, parameters=PAGE)
    def get(self, request: Request, pk: int) -> Response:
        tournament, actor = tournament_for(request, pk, "see_open_matches")
        found = open_pairings(event=tournament.event, tournament=tournament, tables=actor.tables)
        version = stage_version(current_stage(tournament=tournament))
        return page(self, request, found, OpenMatchesPageShape, open_match_row, version=version)


class OneMatch(View):
    """One match."""

    @operation("get_match", "A match; its ETag is its version", answer=PairingShape)
    def get(self, request: Request, pk: int, match_id: int) -> Response:
        tournament, actor = tournament_for(request, pk, "see_public")
        pairing = pairing_for(tournament, match_id)
        row = pairing_row(pairing, staff=_sees_names(tournament, actor))
        return _at_version(Response(PairingShape(row).data), pairing.match)


class Result(View):
    """The result of a match."""

    @operation(
        "submit_result",
        "Tell how a match ended",
        description="The same key with the same body is one result, however often it comes, and gets the first answer."
        " Where a second person confirms each result it waits for one (`waits`), unless an organiser says `why` it"
        " counts alone.",
        body=ResultBody,
        answer=SubmissionShape,
        parameters=[KEY, IF_MATCH],
    )
    def put(self, request: Request, pk: int, match_id: int) -> Response:
        tournament, actor, body = _told(request, pk, match_id, "enter_result")
        key = key_of(request)
        version, by_header = version_of(request, body.validated_data.get("version"))
        outcome = actions.enter_result(
            match_id=match_id,
            report=body.report(),
            by=actor,
            key=key,
            expected_version=version,
            now=timezone.now(),
            why=body.validated_data.get("why", ""),
        )
        return taken(outcome, tournament, actor, by_header=by_header)

    @operation(
        "submit_result_by_post",
        "Tell how a match ended, as PUT does",
        body=ResultBody,
        answer=SubmissionShape,
        parameters=[KEY, IF_MATCH],
    )
    def post(self, request: Request, pk: int, match_id: int) -> Response:
        return self.put(request, pk, match_id)


class Results(View):
    """The results of several matches."""

    @operation(
        "enter_results",
        "Tell how several matches ended: all of them, or none",
        description="Each as by itself; the same key with the same body enters them once. If one cannot be, none is:"
        " `list_refused` names each by its place in the list (`line`, from 1), with code and params.",
        body=ResultsBody,
        answer=CountShape,
        parameters=[KEY],
    )
    def post(self, request: Request, pk: int) -> Response:
        tournament, actor = tournament_for(request, pk, "enter_result")
        body = ResultsBody(data=request.data)
        body.is_valid(raise_exception=True)
        told = []
        for line, said in enumerate(body.validated_data["results"], start=1):
            _still_meet(said, at_the_table(tournament, said["match"], actor, "enter_result"), tournament, actor)
            told.append(Told(line, said["match"], said["version"], report_of(said)))
        # Each match has a key of its own made from it, which has to be short.
        key = hashlib.sha256(key_of(request).encode()).hexdigest()[:40]
        outcome = enter_results(tournament_id=tournament.pk, told=told, by=actor, key=key, now=timezone.now())
        if isinstance(outcome, Refused):
            problems = [_line(each, actor) for each in outcome.params["problems"]]
            raise Problem(Refused(outcome.code, {"problems": problems}, status=outcome.status))
        return Response(CountShape({"count": outcome}).data)


def _line(problem: dict[str, Any], actor: Actor) -> dict[str, Any]:
    return problem | {"params": without_address(problem["params"], actor)}


class Correct(View):
    """Another result in place of the confirmed one."""

    @operation(
        "correct_result",
        "Correct a result",
        description="Where the winner changes, bracket matches that rest on it and are open are made anew; a later"
        " result has to be taken back first.",
        body=ResultBody,
        answer=SubmissionShape,
        parameters=[KEY, IF_MATCH],
    )
    def post(self, request: Request, pk: int, match_id: int) -> Response:
        tournament, actor, body = _told(request, pk, match_id, "correct_result")
        key = key_of(request)
        version, by_header = version_of(request, body.validated_data.get("version"))
        outcome = actions.correct_result(
            match_id=match_id,
            report=body.report(),
            by=actor,
            key=key,
            expected_version=version,
            now=timezone.now(),
            why=body.validated_data.get("why", ""),
        )
        return taken(outcome, tournament, actor, by_header=by_header)


class Clear(View):
    """No result after all."""

    @operation("clear_result", "Take a result back", body=ClearBody, answer=MatchShape, parameters=[IF_MATCH])
    def post(self, request: Request, pk: int, match_id: int) -> Response:
        tournament, actor = tournament_for(request, pk, "correct_result")
        at_the_table(tournament, match_id, actor, "correct_result")
        body = ClearBody(data=request.data)
        body.is_valid(raise_exception=True)
        version, by_header = version_of(request, body.validated_data.get("version"))
        outcome = actions.clear_result(
            match_id=match_id, by=actor, expected_version=version, now=timezone.now(), why=body.validated_data["why"]
        )
        if isinstance(outcome, Refused):
            raise _refusal(outcome, tournament, actor, by_header=by_header)
        return _at_version(Response(MatchShape(match_row(outcome)).data), outcome)


class Undo(View):
    """A referee's own mistake."""

    @operation(
        "undo_result",
        "Take a result of your own back",
        description="For referees, while nobody has entered anything else since and no later round is out.",
        body=ClearBody,
        answer=MatchShape,
        parameters=[IF_MATCH],
    )
    def post(self, request: Request, pk: int, match_id: int) -> Response:
        tournament, actor = tournament_for(request, pk, "undo_own_result")
        pairing = at_the_table(tournament, match_id, actor, "undo_own_result")
        body = ClearBody(data=request.data)
        body.is_valid(raise_exception=True)
        version, by_header = version_of(request, body.validated_data.get("version"))
        mine = entered_by(actor=actor, event=tournament.event)
        if pairing.match is not None and pairing.match.kind and match_id not in {each.match_id for each in mine}:
            raise refuse("not_your_result", status=409)
        outcome = actions.clear_result(
            match_id=match_id, by=actor, expected_version=version, now=timezone.now(), why=body.validated_data["why"]
        )
        if isinstance(outcome, Refused):
            raise _refusal(outcome, tournament, actor, by_header=by_header)
        return _at_version(Response(MatchShape(match_row(outcome)).data), outcome)


def _told(request: Request, pk: int, match_id: int, act: str) -> tuple[Tournament, Actor, ResultBody]:
    """The tournament, the actor and the result told of a match whose players are still those the sender saw."""
    tournament, actor = tournament_for(request, pk, act)
    pairing = at_the_table(tournament, match_id, actor, act)
    body = ResultBody(data=request.data)
    body.is_valid(raise_exception=True)
    _still_meet(body.validated_data, pairing, tournament, actor)
    return tournament, actor, body


def _still_meet(said: dict[str, Any], pairing: Pairing, tournament: Tournament, actor: Actor) -> None:
    there = {"a": pairing.a_id, "b": pairing.b_id}
    if any(said.get(side, entry) != entry for side, entry in there.items()):
        row = pairing_row(pairing, staff=_sees_names(tournament, actor))
        current = PairingShape([row], many=True).data
        raise Problem(Refused("pairing_changed", {"match": pairing.match_id}), current=current)


def at_the_table(tournament: Tournament, match_id: int, actor: Actor, act: str) -> Pairing:
    """The pairing of a match the actor may do `act` at; 404 for another tournament's and at another's table.

    A match whose round was taken back has no pairing any more: a late result is told what its players do now.
    """
    try:
        pairing = pairing_for(tournament, match_id)
    except Http404:
        raise _closed(tournament, match_id, staff=_sees_names(tournament, actor)) from None
    if not may(actor, act, event=tournament.event_id, tournament=tournament.pk, table=pairing.table):
        raise Http404
    return pairing


def _sees_names(tournament: Tournament, actor: Actor) -> bool:
    return may(actor, "see_names", event=tournament.event_id, tournament=tournament.pk)


def _closed(tournament: Tournament, match_id: int, *, staff: bool) -> Exception:
    match = Match.objects.filter(pk=match_id, is_void=True).first()
    if match is None:
        return Http404()
    seats = [match.seat_a_id, match.seat_b_id]
    ours = list(tournament.entries.filter(player_id__in=seats).values_list("pk", flat=True))
    if len(ours) < len(seats):
        return Http404()
    now = Pairing.objects.filter(
        Q(a__in=ours) | Q(b__in=ours), round__stage__tournament=tournament, round__published_at__isnull=False
    )
    now = now.select_related("a", "b", "match", "round").order_by("-round__number", "number")
    newest = [pairing for pairing in now if pairing.round.number == now[0].round.number]
    current = PairingShape([pairing_row(pairing, staff=staff) for pairing in newest], many=True).data
    return Problem(Refused("match_void", {"match": match_id}), current=current)


def taken(outcome: Submission | Refused, tournament: Tournament, actor: Actor, *, by_header: bool) -> Response:
    """The answer to a result: what was taken, at the version the match has now. A refusal is raised for this reader."""
    if isinstance(outcome, Refused):
        raise _refusal(outcome, tournament, actor, by_header=by_header)
    return _at_version(Response(SubmissionShape(submission_row(outcome)).data), Match.objects.get(pk=outcome.match_id))


def _refusal(refused: Refused, tournament: Tournament, actor: Actor, *, by_header: bool) -> Problem:
    """The refusal of a result for this reader: a version that If-Match named failed as a precondition does."""
    status = 412 if refused.code == "stale_version" and by_header else refused.status
    params = without_address(refused.params, actor)
    return Problem(Refused(refused.code, params, status=status), within=tournament)


def without_address(params: Mapping[str, Any], actor: Actor) -> dict[str, Any]:
    """Who has given no name is known to other organisers by address, and to nobody else."""
    is_hidden = "@" in params.get("by", "") and actor.role is not Role.ORGANISER
    return {**params, "by": _("an organiser")} if is_hidden else dict(params)


def _at_version(response: Response, match: Match | None) -> Response:
    """The answer with the version of the match as its ETag, for the next If-Match."""
    if match is not None:
        response["ETag"] = f'"{match.version}"'
    return response
