"""Practice against a policy, without an account: whoever has the token of a game plays it."""

from __future__ import annotations

import secrets
from typing import Any

from django.conf import settings
from django.http import Http404
from django.urls import reverse
from django.utils import timezone
from rest_framework.request import Request
from rest_framework.response import Response

from matches.actions.games import GameTerms, make_move, open_practice, rule_game
from matches.engine import CLUB_DECK
from matches.engine.notation import format_record
from matches.models import Game, Way
from matches.permissions import practice_token, read_practice
from matches.queries.games import game_view, open_record, record_of
from players.permissions import PUBLIC, Refused
from tournaments.api.access import View
from tournaments.api.bodies import MoveBody, PracticeBody
from tournaments.api.often import too_often
from tournaments.api.operation import operation
from tournaments.api.problems import Problem, done
from tournaments.api.shapes import PracticeShape, RecordShape
from tournaments.api.tables import AGAIN, record_row, table_row

OWN_SEAT = 0


class Practice(View):
    """Somebody sits down against a policy."""

    @operation(
        "open_practice",
        "Sit down against a policy; you are side a",
        description="It touches no tournament, and is let go of a day later.",
        body=PracticeBody,
        answer=PracticeShape,
        status=201,
    )
    def post(self, request: Request) -> Response:
        if (later := too_often(request, "practice")) is not None:
            return later
        body = PracticeBody(data=request.data)
        body.is_valid(raise_exception=True)
        game = open_practice(
            **body.validated_data,
            terms=GameTerms(Way.HERE, (CLUB_DECK, CLUB_DECK)),
            seed=secrets.token_bytes(32),
            now=timezone.now(),
        )
        return Response(_row(done(game)), status=201)


class OnePractice(View):
    """The table of a game of practice."""

    @operation("get_practice", "The table of a game of practice", answer=PracticeShape)
    def get(self, request: Request, token: str) -> Response:
        return Response(_row(_game(token)))


class PracticeMoves(View):
    """A move."""

    @operation(
        "move_in_practice",
        "Move; the policy has answered when this answers",
        description="As `make_move`; `again` lets another set be played after too many ties in a row.",
        body=MoveBody,
        answer=PracticeShape,
        makes=True,
    )
    def post(self, request: Request, token: str) -> Response:
        game = _game(token)
        body = MoveBody(data=request.data)
        body.is_valid(raise_exception=True)
        now = timezone.now()
        if body.validated_data["move"] == AGAIN:
            outcome = rule_game(game_id=game.pk, winner=None, by=PUBLIC, now=now)
        else:
            outcome = make_move(game_id=game.pk, seat=OWN_SEAT, **body.validated_data, by=PUBLIC, now=now)
        game = _game(token)
        if isinstance(outcome, Refused):
            more: dict[str, Any] = {"now": _row(game)} if outcome.code == "position_moved" else {}
            raise Problem(outcome, position=game.position, **more)
        return Response(_row(game))


class PracticeRecord(View):
    """The record of a game of practice."""

    @operation(
        "get_practice_record",
        "What was played, in the notation; once it is over",
        answer=RecordShape,
    )
    def get(self, request: Request, token: str) -> Response:
        game = _game(token)
        if game.over_at is None:
            raise Http404  # the policy's hand is in it
        opened = open_record(game=game, decks_open=True)
        return Response(RecordShape(record_row(opened, format_record(opened.record), is_over=True)).data)


def _game(token: str) -> Game:
    game = read_practice(token)
    if game is None:
        raise Http404
    return game


def _row(game: Game) -> dict[str, Any]:
    token = practice_token(game)
    row: dict[str, Any] = PracticeShape(
        {
            **table_row(game_view(game=game, viewer=OWN_SEAT)),
            "token": token,
            "url": settings.PUBLIC_URL + reverse("practice_table", args=[token]),
            "policy": game.policy,
            "ruleset": record_of(game)[0].ruleset.key,
        }
    ).data
    return row
