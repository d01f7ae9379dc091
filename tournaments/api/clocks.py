"""The clock of a round, and extra time for one table."""

from __future__ import annotations

from typing import Any

from django.shortcuts import get_object_or_404
from django.utils import timezone
from rest_framework.request import Request
from rest_framework.response import Response

from players.permissions import Actor
from tournaments.actions import clocks as actions
from tournaments.api.access import View, tournament_for
from tournaments.api.answers import clock_row, open_match_row
from tournaments.api.bodies import ExtendBody, ExtraTimeBody
from tournaments.api.operation import operation
from tournaments.api.problems import done
from tournaments.api.results import at_the_table
from tournaments.api.shapes import ClockShape, OpenMatchShape
from tournaments.models import Round, Tournament
from tournaments.queries.desk import current_stage


class _Clock(View):
    """What the operations of one clock have in common."""

    def held(self, request: Request, pk: int, number: int) -> tuple[Tournament, Actor, Round]:
        """The published round of this number; 404 for any other."""
        tournament, actor = tournament_for(request, pk, "run_clock")
        stage = current_stage(tournament=tournament)
        round_ = get_object_or_404(stage.rounds, number=number, published_at__isnull=False)
        return tournament, actor, round_

    def answer(self, tournament: Tournament, outcome: Any) -> Response:
        return Response(ClockShape(clock_row(done(outcome, within=tournament))).data)


class Start(_Clock):
    """Time runs."""

    @operation("start_clock", "Start the clock of a published round; twice is once", answer=ClockShape)
    def post(self, request: Request, pk: int, number: int) -> Response:
        tournament, by, round_ = self.held(request, pk, number)
        return self.answer(tournament, actions.start_clock(round_id=round_.pk, by=by, now=timezone.now()))


class Pause(_Clock):
    """Time stands."""

    @operation("pause_clock", "Let the clock of a round stand; twice is once", answer=ClockShape)
    def post(self, request: Request, pk: int, number: int) -> Response:
        tournament, by, round_ = self.held(request, pk, number)
        return self.answer(tournament, actions.pause_clock(round_id=round_.pk, by=by, now=timezone.now()))


class Resume(_Clock):
    """Time goes on."""

    @operation("resume_clock", "Let the clock of a round go on; twice is once", answer=ClockShape)
    def post(self, request: Request, pk: int, number: int) -> Response:
        tournament, by, round_ = self.held(request, pk, number)
        return self.answer(tournament, actions.resume_clock(round_id=round_.pk, by=by, now=timezone.now()))


class Extend(_Clock):
    """More time for all."""

    @operation(
        "extend_clock",
        "Give a whole round more minutes",
        description="`version` is that of the clock that was seen: with another nothing is done (`clock_changed`).",
        body=ExtendBody,
        answer=ClockShape,
    )
    def post(self, request: Request, pk: int, number: int) -> Response:
        tournament, by, round_ = self.held(request, pk, number)
        body = ExtendBody(data=request.data)
        body.is_valid(raise_exception=True)
        minutes, version = body.validated_data["minutes"], body.validated_data["version"]
        outcome = actions.extend_clock(
            round_id=round_.pk, minutes=minutes, expected_version=version, by=by, now=timezone.now()
        )
        return self.answer(tournament, outcome)


class Reset(_Clock):
    """No time has run."""

    @operation(
        "reset_clock", "Take the clock of a round away, as if it had never been started", answer=None, status=204
    )
    def post(self, request: Request, pk: int, number: int) -> Response:
        tournament, by, round_ = self.held(request, pk, number)
        done(actions.reset_clock(round_id=round_.pk, by=by, now=timezone.now()), within=tournament)
        return Response(status=204)


class ExtraTime(View):
    """More time for one table."""

    @operation(
        "give_time",
        "Say how many minutes a table has beyond its round",
        description="All of them, whatever it had before: 0 takes them back, and twice is once.",
        body=ExtraTimeBody,
        answer=OpenMatchShape,
    )
    def put(self, request: Request, pk: int, match_id: int) -> Response:
        tournament, by = tournament_for(request, pk, "give_time")
        at_the_table(tournament, match_id, by, "give_time")
        body = ExtraTimeBody(data=request.data)
        body.is_valid(raise_exception=True)
        seconds = body.validated_data["minutes"] * 60
        outcome = actions.give_time(match_id=match_id, seconds=seconds, by=by, now=timezone.now())
        return Response(OpenMatchShape(open_match_row(done(outcome, within=tournament))).data)
