"""Before the start: what would go wrong, and the draw tried out and thrown away."""

from __future__ import annotations

from typing import Any

from django.utils import timezone
from rest_framework.request import Request
from rest_framework.response import Response

from players.permissions import Refused
from tournaments.actions.trial_draw import try_draw
from tournaments.api.access import View, tournament_for
from tournaments.api.answers import named, pairing_row
from tournaments.api.operation import operation
from tournaments.api.problems import done, refuse
from tournaments.api.shapes import PreflightShape, TrialDrawShape
from tournaments.api.texts import words
from tournaments.queries.drafts import DraftRound
from tournaments.queries.preflight import Finding, preflight
from tournaments.words.reasons import round_name


def _finding(found: Finding) -> dict[str, Any]:
    note = found.note
    return {
        "code": found.code,
        "params": found.params,
        "stops": found.stops,
        "entries": [named(entry, staff=True) for entry in found.entries],
        "note": None if note is None else words(note.code, dict(note.params), {}),
    }


class Check(View):
    """Everything that would go wrong."""

    @operation(
        "check_start",
        "What there is to know before the start",
        description="What `stops` would be refused at the start. `missing` are those it wants named in `leaving_out`.",
        answer=PreflightShape,
    )
    def get(self, request: Request, pk: int) -> Response:
        tournament, _actor = tournament_for(request, pk, "start")
        if not tournament.is_open_roster:
            raise refuse("roster_is_frozen", status=409, state=tournament.state)
        found = preflight(tournament=tournament, now=timezone.now())
        row = {
            "is_free": found.is_free,
            "missing": [named(entry, staff=True) for entry in found.missing],
            "findings": [_finding(each) for each in found.findings],
        }
        return Response(PreflightShape(row).data)


class TrialDraw(View):
    """The draw tried out."""

    @operation(
        "try_draw",
        "The rounds a start would draw now, and nothing kept of it",
        description="The same roster draws the same again, here and at the start.",
        answer=TrialDrawShape,
    )
    def post(self, request: Request, pk: int) -> Response:
        tournament, actor = tournament_for(request, pk, "start")
        drawn: list[DraftRound] | Refused = try_draw(tournament_id=tournament.pk, by=actor, now=timezone.now())
        rounds = [
            {
                "number": each.round.number,
                "name": round_name(each.name),
                "pairings": [pairing_row(row.pairing, staff=True) for row in each.rows],
            }
            for each in done(drawn, within=tournament)
        ]
        return Response(TrialDrawShape({"results": rounds}).data)
