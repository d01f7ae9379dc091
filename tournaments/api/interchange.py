"""Bringing a tournament in from a file."""

from __future__ import annotations

from django.utils import timezone
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response

from players.permissions import Refused
from tournaments.actions.interchange import import_tournament
from tournaments.api.access import View, event_for
from tournaments.api.bodies import TournamentFileBody, TournamentTextBody
from tournaments.api.events import tournament_answer
from tournaments.api.operation import operation
from tournaments.api.problems import Problem
from tournaments.api.reading import JsonParser
from tournaments.api.shapes import TournamentShape
from tournaments.engine.interchange import Fault
from tournaments.importers.tournament import read_tournament


class ImportTournament(View):
    """A tournament from a file."""

    parser_classes = [JsonParser, MultiPartParser]

    @operation(
        "import_tournament",
        "Make a tournament from a file",
        description="JSON as Cantina writes it, or FIDE's report format. With players, rounds and results, as a whole"
        " or not at all: `file_fault` tells line, column and reason of the first fault. A tournament in which"
        " everything is played is finished, any other runs on.",
        body={"application/json": TournamentTextBody, "multipart/form-data": TournamentFileBody},
        answer=TournamentShape,
        status=201,
    )
    def post(self, request: Request, pk: int) -> Response:
        event, actor = event_for(request, pk, "create_tournament")
        is_file = (request.content_type or "").casefold().startswith("multipart/")
        body = (TournamentFileBody if is_file else TournamentTextBody)(data=request.data)
        body.is_valid(raise_exception=True)
        said = body.validated_data
        found = read_tournament(said["file"].read() if is_file else said["text"].encode())
        if isinstance(found, Fault):
            params = {"line": found.line, "column": found.column, "fault": found.code, "params": dict(found.params)}
            raise Problem(Refused("file_fault", params, status=400))
        made = import_tournament(
            event_id=event.pk, document=found, ruleset=said["ruleset"], by=actor, now=timezone.now()
        )
        return Response(tournament_answer(made, actor), status=201)
