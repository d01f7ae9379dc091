"""A referee's word on who is at a table: that they play, or that somebody did not come."""

from __future__ import annotations

from typing import Any

from django.utils import timezone
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.actions import presence as actions
from tournaments.api.access import View, tournament_for
from tournaments.api.answers import match_row, named, open_match_row, page
from tournaments.api.bodies import BegunBody, VersionBody
from tournaments.api.operation import IF_MATCH, PAGE, operation
from tournaments.api.problems import done
from tournaments.api.reading import version_of
from tournaments.api.results import at_the_table, taken
from tournaments.api.shapes import NoShowsPageShape, OpenMatchShape, SubmissionShape
from tournaments.queries.desk import open_pairings
from tournaments.queries.presence import NoShow, no_shows
from tournaments.queries.reports import waiting_reports


def _row(found: NoShow) -> dict[str, Any]:
    return {
        "round": found.pairing.round.number,
        "table": found.pairing.table,
        "absent": named(found.absent, staff=True),
        "present": named(found.present, staff=True),
        "seat": found.seat,
        "match": match_row(found.pairing.match),
    }


class NoShows(View):
    """Who did not come in time."""

    @operation(
        "list_no_shows",
        "Open matches where one player came and the other did not in time",
        description="A proposal: nothing happens until somebody confirms it. `seat` is the side that would win.",
        answer=NoShowsPageShape,
        parameters=PAGE,
    )
    def get(self, request: Request, pk: int) -> Response:
        tournament, actor = tournament_for(request, pk, "see_open_matches")
        waiting, now = open_pairings(event=tournament.event, tournament=tournament, tables=actor.tables), timezone.now()
        found = no_shows(pairings=waiting, reported=waiting_reports(pairings=waiting, now=now), now=now)
        return page(self, request, list(found.values()), NoShowsPageShape, _row)


class Begun(View):
    """Two have begun to play."""

    @operation("say_begun", "Say that the two play, or do not yet", body=BegunBody, answer=OpenMatchShape)
    def post(self, request: Request, pk: int, match_id: int) -> Response:
        tournament, actor = tournament_for(request, pk, "say_begun")
        at_the_table(tournament, match_id, actor, "say_begun")
        body = BegunBody(data=request.data)
        body.is_valid(raise_exception=True)
        begun = body.validated_data["begun"]
        said = done(actions.say_begun(match_id=match_id, begun=begun, by=actor, now=timezone.now()))
        return Response(OpenMatchShape(open_match_row(said)).data)


class ConfirmNoShow(View):
    """Somebody did not come."""

    @operation(
        "confirm_no_show",
        "Say that whoever is proposed as missing did not come",
        description="The other one wins by a walkover. Twice is once; `no_show_gone` when nobody is missing any more.",
        body=VersionBody,
        answer=SubmissionShape,
        parameters=[IF_MATCH],
    )
    def post(self, request: Request, pk: int, match_id: int) -> Response:
        tournament, actor = tournament_for(request, pk, "enter_result")
        at_the_table(tournament, match_id, actor, "enter_result")
        body = VersionBody(data=request.data)
        body.is_valid(raise_exception=True)
        version, by_header = version_of(request, body.validated_data.get("version"))
        outcome = actions.confirm_no_show(match_id=match_id, expected_version=version, by=actor, now=timezone.now())
        return taken(outcome, tournament, actor, by_header=by_header)
