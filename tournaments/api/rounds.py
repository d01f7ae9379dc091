"""The course of a tournament: start, draft, publish, take back, finish."""

from __future__ import annotations

from typing import Any

from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.utils.translation import gettext as _
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.actions import cuts
from tournaments.actions import rounds as actions
from tournaments.api.access import View, tournament_for
from tournaments.api.bodies import FinishBody, PlayOnBody, PublishBody, StartBody, SwapBody, WhyBody
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


class Swap(View):
    """A draft changed by hand."""

    @operation("swap_in_draft", "Let two players of a draft change places", body=SwapBody, answer=RoundsShape)
    def post(self, request: Request, pk: int) -> Response:
        tournament, actor = tournament_for(request, pk, "change_draft")
        stage = current_stage(tournament=tournament)
        said = _said(SwapBody(data=request.data))
        round_ = get_object_or_404(stage.rounds, number=said["round"], is_play_off=False)
        outcome = actions.swap_in_draft(
            round_id=round_.pk, entry=said["entry"], with_entry=said["with_entry"], by=actor, now=timezone.now()
        )
        done(outcome, within=tournament)
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


class PlayOn(View):
    """The best go on."""

    @operation(
        "play_on",
        "Play on with the best, in a new tournament",
        description="A single elimination of the first places of a finished tournament, seeded by their place. "
        "After groups the best of each, seeded so that group-mates meet as late as can be.",
        body=PlayOnBody,
        answer=TournamentShape,
        status=201,
    )
    def post(self, request: Request, pk: int) -> Response:
        tournament, actor = tournament_for(request, pk, "create_tournament")
        said = {"best": tournament.cut, **_said(PlayOnBody(data=request.data))}
        if said["best"] is None:
            raise ValidationError({"best": [_("Say how many play on.")]}, code="required")
        cup = cuts.play_on(tournament_id=tournament.pk, by=actor, now=timezone.now(), **said)
        return Response(tournament_answer(done(cup, within=tournament), actor), status=201)
