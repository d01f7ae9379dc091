"""Positions tried out on the engine: what is on the table after some moves, and which of them the rules refuse."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _
from rest_framework.exceptions import ErrorDetail, ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from matches.engine import Refusal, Ruleset, RulesetError, get_ruleset, with_overrides
from matches.engine.scenarios import try_position
from matches.words import REFUSALS
from players.permissions import Refused
from tournaments.api.access import View
from tournaments.api.bodies import PositionBody
from tournaments.api.often import too_often
from tournaments.api.operation import operation
from tournaments.api.shapes import PositionShape
from tournaments.words.refusals import refusal_text


class Positions(View):
    """A position that is tried."""

    @operation(
        "try_position",
        "What is on the table after these moves",
        description="In the schema `pazaak-scenarios/1`: from a set that opens with these hands, entry by entry. What"
        " the rules refuse changes nothing and is named, and the next entry is tried all the same. Nothing is kept.",
        body=PositionBody,
        answer=PositionShape,
    )
    def post(self, request: Request) -> Response:
        if (later := too_often(request, "position")) is not None:
            return later
        body = PositionBody(data=request.data)
        body.is_valid(raise_exception=True)
        said = body.validated_data
        ruleset = _changed(get_ruleset(said["ruleset"]), said.get("overrides", {}))
        tried = try_position(ruleset, setup=said.get("setup", {}), moves=said["moves"])
        if isinstance(tried, Refusal):
            raise ValidationError({"setup": [_error(tried)]})
        refused = [{"move": number, "code": code} for number, code in tried.refused]
        return Response(PositionShape({"table": tried.table, "refused": refused}).data)


def _changed(ruleset: Ruleset, overrides: dict[str, Any]) -> Ruleset:
    try:
        return with_overrides(ruleset, overrides)
    except RulesetError as error:
        wrong: dict[str, list[ErrorDetail]] = {}
        for refusal in error.refusals:
            wrong.setdefault(str(dict(refusal.params).get("option", "")), []).append(_error(refusal))
    general = wrong.pop("", [])
    raise ValidationError({"overrides": wrong or general})


def _error(refusal: Refusal) -> ErrorDetail:
    known = refusal.code in REFUSALS
    text = refusal_text(Refused(refusal.code, dict(refusal.params))) if known else _("The rules cannot be so.")
    return ErrorDetail(text, code=refusal.code)
