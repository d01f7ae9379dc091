"""How answers are put together: pages of a list, and versions that spare a second reading."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db.models import QuerySet
from django.utils.translation import get_language
from rest_framework import serializers
from rest_framework.pagination import PageNumberPagination
from rest_framework.request import Request
from rest_framework.response import Response

from matches.models import Match
from players.permissions import Actor
from tournaments.api.access import View
from tournaments.models import Pairing, Stage
from tournaments.permissions import may
from tournaments.queries.stages import stage_version


class Pages(PageNumberPagination):
    """Pages by number. What is paged has to be in an order without ties."""

    page_size = 100
    page_size_query_param = "page_size"
    max_page_size = 500


def page(
    view: View,
    request: Request,
    rows: QuerySet[Any] | Sequence[Any],
    shape: type[serializers.Serializer[Any]],
    row: Any,
    **more: Any,
) -> Response:
    """The page of `rows` that was asked for, as the page shape says. `row` makes an answer's row of each."""
    pages = Pages()
    found = pages.paginate_queryset(rows, request, view=view) or []
    body = {
        "count": pages.page.paginator.count if pages.page else 0,
        "next": pages.get_next_link(),
        "previous": pages.get_previous_link(),
        "results": [row(each) for each in found],
    }
    return Response(shape(body | more).data)


def unchanged(request: Request, stage: Stage, actor: Actor) -> tuple[str, Response | None]:
    """The ETag of what the public sees of a stage, and the 304 for a client that has it; none for who sees drafts."""
    version = stage_version(stage)
    if sees_drafts(stage, actor):
        return version, None  # a draft comes and goes without a new version: it is nobody's business
    answer = Response(status=304, headers={"ETag": etag_of(version)})
    known = {tag.strip().removeprefix("W/") for tag in request.headers.get("If-None-Match", "").split(",")}
    return version, answer if etag_of(version) in known else None


def etag_of(version: str) -> str:
    """The entity tag of a version in the reader's language."""
    return f'"{version}-{get_language()}"'


def with_etag(response: Response, version: str, *, stage: Stage, actor: Actor) -> Response:
    """The answer with its ETag, where it has one."""
    if not sees_drafts(stage, actor):
        response["ETag"] = etag_of(version)
    return response


def sees_drafts(stage: Stage, actor: Actor) -> bool:
    """Whether the actor is shown rounds that are not published."""
    return may(actor, "see_draft", event=stage.tournament.event_id, tournament=stage.tournament_id)


# --- Rows that several operations answer with.


def match_row(match: Match | None) -> dict[str, Any] | None:
    """A match as the shape has it."""
    if match is None:
        return None
    return {
        "id": match.pk,
        "version": match.version,
        "kind": match.kind,
        "sets": [match.sets_a, match.sets_b],
        "winner": match.winner,
    }


def pairing_row(pairing: Pairing) -> dict[str, Any]:
    """A pairing with its round, players and match loaded."""
    return {
        "round": pairing.round.number,
        "number": pairing.number,
        "table": pairing.table,
        "a": pairing.a,
        "b": pairing.b,
        "match": match_row(pairing.match),
    }
