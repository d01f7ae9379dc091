"""Calls to a table as staff answer them: who does not come, who does after all, who is called again or put back."""

from __future__ import annotations

from typing import Any

from django.utils import timezone
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.actions import coming as actions
from tournaments.api.access import View, tournament_for
from tournaments.api.answers import match_row, named, open_match_row, page
from tournaments.api.bodies import CallAgainBody, PlayerComingBody
from tournaments.api.operation import PAGE, operation
from tournaments.api.problems import done
from tournaments.api.results import at_the_table
from tournaments.api.shapes import NotComingPageShape, OpenMatchShape
from tournaments.queries import coming as calls
from tournaments.queries.desk import open_pairings
from tournaments.queries.reports import waiting_reports


def _row(found: calls.NotComing) -> dict[str, Any]:
    pairing = found.pairing
    return {
        "round": pairing.round.number,
        "table": pairing.table,
        "called_at": found.called_at,
        "silent": [named(entry, staff=True) for entry in found.silent],
        "match": match_row(pairing.match),
    }


class NotComing(View):
    """Who does not answer."""

    @operation(
        "list_not_coming",
        "Called matches somebody of which did not answer in time",
        answer=NotComingPageShape,
        parameters=PAGE,
    )
    def get(self, request: Request, pk: int) -> Response:
        tournament, actor = tournament_for(request, pk, "see_open_matches")
        waiting, now = open_pairings(event=tournament.event, tournament=tournament, tables=actor.tables), timezone.now()
        reported = waiting_reports(pairings=waiting, now=now)
        found = calls.not_coming(pairings=waiting, reported=reported, now=now)
        return page(self, request, list(found.values()), NotComingPageShape, _row)


class PlayerComing(View):
    """A player said so."""

    @operation(
        "mark_coming",
        "Say that a player comes to the table they are called to, or does not after all",
        description="`not_called` where the match is called to no table, `has_begun` where it is played already.",
        body=PlayerComingBody,
        answer=OpenMatchShape,
    )
    def post(self, request: Request, pk: int, match_id: int) -> Response:
        tournament, actor = tournament_for(request, pk, "call_players")
        at_the_table(tournament, match_id, actor, "call_players")
        body = PlayerComingBody(data=request.data)
        body.is_valid(raise_exception=True)
        said = {"entry_id": body.validated_data["entry"], "coming": body.validated_data["coming"]}
        pairing = done(actions.say_coming(match_id=match_id, by=actor, now=timezone.now(), **said))
        return Response(OpenMatchShape(open_match_row(pairing)).data)


class CallAgain(View):
    """Once more."""

    @operation(
        "call_again",
        "Call whoever has not answered once more",
        description="Their time to answer begins anew, and they are told again.",
        body=CallAgainBody,
        answer=OpenMatchShape,
    )
    def post(self, request: Request, pk: int, match_id: int) -> Response:
        tournament, actor = tournament_for(request, pk, "call_players")
        at_the_table(tournament, match_id, actor, "call_players")
        body = CallAgainBody(data=request.data)
        body.is_valid(raise_exception=True)
        known = body.validated_data.get("called_at")
        pairing = done(actions.call_again(match_id=match_id, called_at=known, by=actor, now=timezone.now()))
        return Response(OpenMatchShape(open_match_row(pairing)).data)


class PutBack(View):
    """For later."""

    @operation(
        "put_back",
        "Let a called match give its table back and wait until it is released",
        description="Both players are told.",
        answer=OpenMatchShape,
    )
    def post(self, request: Request, pk: int, match_id: int) -> Response:
        tournament, actor = tournament_for(request, pk, "call_players")
        pairing = at_the_table(tournament, match_id, actor, "call_players")
        done(actions.put_back(match_id=match_id, by=actor, now=timezone.now()))
        pairing.refresh_from_db()
        return Response(OpenMatchShape(open_match_row(pairing)).data)
