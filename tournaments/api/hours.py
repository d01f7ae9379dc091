"""Opening hours and breaks of an event, the times of rounds, and shifting everything that is planned."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from django.shortcuts import get_object_or_404
from django.utils import timezone
from rest_framework.request import Request
from rest_framework.response import Response

from players.permissions import Actor
from tournaments.actions import hours as actions
from tournaments.actions.shifts import shift_plan
from tournaments.api.access import View, event_for, tournament_for
from tournaments.api.answers import page
from tournaments.api.bodies import BreakBody, OpeningBody, RoundTimesBody, ShiftBody
from tournaments.api.operation import PAGE, operation
from tournaments.api.problems import done
from tournaments.api.shapes import (
    BreakShape,
    BreaksPageShape,
    OpeningShape,
    OpeningsPageShape,
    PlannedPageShape,
    RoundTimeShape,
    RoundTimesPageShape,
    ShiftedShape,
)
from tournaments.models import Break, Event, Opening
from tournaments.queries.desk import current_stage
from tournaments.queries.hours import Planned, RoundRow, breaks_of, openings_of, planned, round_rows, version_of
from tournaments.words.reasons import round_name


def _opening_row(opening: Opening) -> dict[str, Any]:
    return {"id": opening.pk, "opens_at": opening.opens_at, "closes_at": opening.closes_at}


def _break_row(pause: Break) -> dict[str, Any]:
    facts = ("name", "starts_at", "ends_at")
    return {"id": pause.pk, "tournament": pause.tournament_id, **{name: getattr(pause, name) for name in facts}}


def _round_row(row: RoundRow) -> dict[str, Any]:
    return {"round": row.number, "name": round_name(row.name), "starts_at": row.starts_at, "is_over": row.is_over}


def _planned_row(each: Planned) -> dict[str, Any]:
    facts = ("kind", "round", "number", "name", "at", "until", "has_begun")
    tournament = None if each.tournament is None else each.tournament.pk
    return {"tournament": tournament, **{name: getattr(each, name) for name in facts}}


class Openings(View):
    """When the hall is open."""

    @operation(
        "list_openings",
        "When the hall is open, by time",
        description="Without any opening the hall never closes. One that begins where another ends goes on from it.",
        answer=OpeningsPageShape,
        parameters=PAGE,
    )
    def get(self, request: Request, pk: int) -> Response:
        event, _actor = event_for(request, pk, "see_public")
        return page(self, request, openings_of(event=event), OpeningsPageShape, _opening_row)

    @operation(
        "open_hall",
        "Say when the hall is open, also beyond midnight",
        body=OpeningBody,
        answer=OpeningShape,
        status=201,
    )
    def post(self, request: Request, pk: int) -> Response:
        event, by = event_for(request, pk, "edit_plan")
        body = OpeningBody(data=request.data, context={"zone": event.tzinfo})
        body.is_valid(raise_exception=True)
        outcome = actions.open_hall(event_id=event.pk, **body.validated_data, by=by, now=timezone.now())
        return Response(OpeningShape(_opening_row(done(outcome))).data, status=201)


class OneOpening(View):
    """One opening."""

    def held(self, request: Request, pk: int, opening_id: int) -> tuple[Event, Actor, Opening]:
        """The opening of this very event, else 404."""
        event, actor = event_for(request, pk, "edit_plan")
        return event, actor, get_object_or_404(Opening, pk=opening_id, event=event)

    @operation("change_opening", "Change an opening; what is left out stays", body=OpeningBody, answer=OpeningShape)
    def patch(self, request: Request, pk: int, opening_id: int) -> Response:
        event, by, opening = self.held(request, pk, opening_id)
        body = OpeningBody(data=request.data, partial=True, context={"zone": event.tzinfo})
        body.is_valid(raise_exception=True)
        said = {"opens_at": opening.opens_at, "closes_at": opening.closes_at, **body.validated_data}
        outcome = actions.change_opening(opening_id=opening.pk, **said, by=by, now=timezone.now())
        return Response(OpeningShape(_opening_row(done(outcome))).data)

    @operation("remove_opening", "The hall is not open then", answer=None, status=204)
    def delete(self, request: Request, pk: int, opening_id: int) -> Response:
        _event, by, opening = self.held(request, pk, opening_id)
        done(actions.remove_opening(opening_id=opening.pk, by=by, now=timezone.now()))
        return Response(status=204)


class Breaks(View):
    """When nobody plays."""

    @operation(
        "list_breaks", "Breaks of the event and of its tournaments, by time", answer=BreaksPageShape, parameters=PAGE
    )
    def get(self, request: Request, pk: int) -> Response:
        event, _actor = event_for(request, pk, "see_public")
        return page(self, request, breaks_of(event=event), BreaksPageShape, _break_row)

    @operation("add_break", "Add a break: no match reaches into it", body=BreakBody, answer=BreakShape, status=201)
    def post(self, request: Request, pk: int) -> Response:
        event, by = event_for(request, pk, "edit_plan")
        body = BreakBody(data=request.data, context={"zone": event.tzinfo})
        body.is_valid(raise_exception=True)
        said = dict(body.validated_data)
        tournament = said.pop("tournament")
        outcome = actions.add_break(event_id=event.pk, tournament_id=tournament, **said, by=by, now=timezone.now())
        return Response(BreakShape(_break_row(done(outcome))).data, status=201)


class OneBreak(View):
    """One break."""

    def held(self, request: Request, pk: int, break_id: int) -> tuple[Event, Actor, Break]:
        """The break of this very event, else 404."""
        event, actor = event_for(request, pk, "edit_plan")
        return event, actor, get_object_or_404(Break, pk=break_id, event=event)

    @operation("change_break", "Change a break; what is left out stays", body=BreakBody, answer=BreakShape)
    def patch(self, request: Request, pk: int, break_id: int) -> Response:
        event, by, pause = self.held(request, pk, break_id)
        body = BreakBody(data=request.data, partial=True, context={"zone": event.tzinfo})
        body.is_valid(raise_exception=True)
        said = {**_break_row(pause), **body.validated_data}
        outcome = actions.change_break(
            break_id=said.pop("id"), tournament_id=said.pop("tournament"), **said, by=by, now=timezone.now()
        )
        return Response(BreakShape(_break_row(done(outcome))).data)

    @operation("remove_break", "Remove a break", answer=None, status=204)
    def delete(self, request: Request, pk: int, break_id: int) -> Response:
        _event, by, pause = self.held(request, pk, break_id)
        done(actions.remove_break(break_id=pause.pk, by=by, now=timezone.now()))
        return Response(status=204)


class RoundTimes(View):
    """When the rounds of the stage that is played begin."""

    @operation(
        "list_round_times",
        "Every round there is or will be, and when it is to begin",
        description="Before the start these are the rounds a roster like the present one would play.",
        answer=RoundTimesPageShape,
        parameters=PAGE,
    )
    def get(self, request: Request, pk: int) -> Response:
        tournament, _actor = tournament_for(request, pk, "see_public")
        rows = round_rows(stage=current_stage(tournament=tournament))
        return page(self, request, rows, RoundTimesPageShape, _round_row)

    @operation(
        "set_round_times",
        "Say when rounds are to begin, paired or not; those left out stay",
        description="None of a round's matches begins earlier. Rounds begin one after the other: else"
        " `round_begins_too_early`. Players of a published round are told.",
        body=RoundTimesBody,
        answer=RoundTimeShape(many=True),
    )
    def put(self, request: Request, pk: int) -> Response:
        tournament, by = tournament_for(request, pk, "edit_plan")
        body = RoundTimesBody(data=request.data, context={"zone": tournament.event.tzinfo})
        body.is_valid(raise_exception=True)
        times = {row["round"]: row["starts_at"] for row in body.validated_data["times"]}
        stage = current_stage(tournament=tournament)
        done(actions.set_round_times(stage_id=stage.pk, times=times, by=by, now=timezone.now()))
        return Response([RoundTimeShape(_round_row(row)).data for row in round_rows(stage=stage)])


class PlannedTimes(View):
    """What a shift would move."""

    @operation(
        "list_planned",
        "Everything with a time of its own, by time: rounds, breaks, matches with a fixed start, tournaments",
        answer=PlannedPageShape,
        parameters=PAGE,
    )
    def get(self, request: Request, pk: int) -> Response:
        event, _actor = event_for(request, pk, "edit_plan")
        found = planned(event=event, now=timezone.now())
        return page(self, request, found, PlannedPageShape, _planned_row, version=version_of(found))


class Shift(View):
    """Everything at once."""

    @operation(
        "shift_plan",
        "Shift everything planned from some time on",
        description="Rounds, breaks, matches with a fixed start and tournaments move together; what has begun or is"
        " over stays, and so do the hours of the hall. Where matches then do not fit, that is told first"
        " (`closes_before_the_end`): send it again with `accept_late`.",
        body=ShiftBody,
        answer=ShiftedShape,
        makes=True,
    )
    def post(self, request: Request, pk: int) -> Response:
        event, by = event_for(request, pk, "edit_plan")
        body = ShiftBody(data=request.data, context={"zone": event.tzinfo})
        body.is_valid(raise_exception=True)
        said = body.validated_data
        outcome = shift_plan(
            event_id=event.pk,
            minutes=said["minutes"],
            since=said["since"],
            tournament_id=said["tournament"],
            expected=said["version"],
            accept_late=said["accept_late"],
            by=by,
            now=timezone.now(),
        )
        shifted = done(outcome)
        return Response(ShiftedShape(asdict(shifted) | {"back_since": shifted.back_since}).data)
