"""The course of a tournament: start, draft, publish, take back, finish."""

from __future__ import annotations

from typing import Any

from django.utils import timezone
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.actions import rounds as actions
from tournaments.api.access import View, tournament_for
from tournaments.api.bodies import FinishBody, PublishBody, StartBody, WhyBody
from tournaments.api.events import tournament_answer
from tournaments.api.operation import operation
from tournaments.api.problems import done
from tournaments.api.reads import rounds_answer
from tournaments.api.shapes import RoundsShape, TournamentShape
from tournaments.queries.desk import current_stage


def _said(body: Any) -> dict[str, Any]:
    body.is_valid(raise_exception=True)
    found: dict[str, Any] = body.validated_data
    return found


class Start(View):
    """The roster is frozen."""

    @operation(
        "start_tournament",
        "Start",
        description="Freezes the roster, seeds whoever is checked in and drafts the first round. Whoever is not here"
        " is left out, and has to be named: others missing mean that nothing happens.",
        body=StartBody,
        answer=TournamentShape,
    )
    def post(self, request: Request, pk: int) -> Response:
        tournament, actor = tournament_for(request, pk, "start")
        said = _said(StartBody(data=request.data))
        outcome = actions.start_tournament(tournament_id=tournament.pk, by=actor, now=timezone.now(), **said)
        return Response(tournament_answer(done(outcome, within=tournament), actor))


class Draft(View):
    """What can be paired is paired, for the organiser to look at."""

    @operation("draft_rounds", "Pair the next round as a draft", answer=RoundsShape)
    def post(self, request: Request, pk: int) -> Response:
        tournament, actor = tournament_for(request, pk, "draft")
        stage = current_stage(tournament=tournament)
        done(actions.draft_rounds(stage_id=stage.pk, by=actor, now=timezone.now()), within=tournament)
        return Response(rounds_answer(stage, actor))


class PairAgain(View):
    """Another draft."""

    @operation("pair_again", "Throw the draft away and pair again", answer=RoundsShape)
    def post(self, request: Request, pk: int) -> Response:
        tournament, actor = tournament_for(request, pk, "draft")
        stage = current_stage(tournament=tournament)
        done(actions.drop_drafts(stage_id=stage.pk, by=actor, now=timezone.now()), within=tournament)
        return Response(rounds_answer(stage, actor))


class Publish(View):
    """Everybody sees the draft, and its matches are open."""

    @operation("publish_rounds", "Publish the draft", body=PublishBody, answer=RoundsShape)
    def post(self, request: Request, pk: int) -> Response:
        tournament, actor = tournament_for(request, pk, "publish")
        stage = current_stage(tournament=tournament)
        said = _said(PublishBody(data=request.data))
        done(actions.publish_rounds(stage_id=stage.pk, by=actor, now=timezone.now(), **said), within=tournament)
        return Response(rounds_answer(stage, actor))


class TakeBack(View):
    """The last round is a draft again."""

    @operation("take_back_round", "Take the last round back", body=WhyBody, answer=RoundsShape)
    def post(self, request: Request, pk: int) -> Response:
        tournament, actor = tournament_for(request, pk, "publish")
        stage = current_stage(tournament=tournament)
        said = _said(WhyBody(data=request.data))
        done(actions.take_back_round(stage_id=stage.pk, by=actor, now=timezone.now(), **said), within=tournament)
        return Response(rounds_answer(stage, actor))


class Finish(View):
    """The last standings are final."""

    @operation("finish_tournament", "Finish", body=FinishBody, answer=TournamentShape)
    def post(self, request: Request, pk: int) -> Response:
        tournament, actor = tournament_for(request, pk, "finish")
        said = _said(FinishBody(data=request.data))
        outcome = actions.finish_tournament(tournament_id=tournament.pk, by=actor, now=timezone.now(), **said)
        return Response(tournament_answer(done(outcome, within=tournament), actor))


class Reopen(View):
    """The finish is taken back."""

    @operation("reopen_tournament", "Take the finish back", body=WhyBody, answer=TournamentShape)
    def post(self, request: Request, pk: int) -> Response:
        tournament, actor = tournament_for(request, pk, "finish")
        said = _said(WhyBody(data=request.data))
        outcome = actions.reopen_tournament(tournament_id=tournament.pk, by=actor, now=timezone.now(), **said)
        return Response(tournament_answer(done(outcome, within=tournament), actor))
