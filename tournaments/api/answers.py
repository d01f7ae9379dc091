"""How answers are put together: pages of a list, and versions that spare a second reading."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from io import BytesIO
from typing import Any

from django.conf import settings
from django.db.models import QuerySet
from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import get_language
from drf_spectacular.types import OpenApiTypes
from rest_framework import serializers
from rest_framework.pagination import PageNumberPagination
from rest_framework.request import Request
from rest_framework.response import Response

from matches.models import Match
from players.permissions import Actor
from tournaments.api.access import View
from tournaments.api.reading import number_in
from tournaments.engine.clocks import ends_at, time_left
from tournaments.models import Entry, Pairing, RoundClock, Stage
from tournaments.permissions import entry_token, may
from tournaments.queries.names import StaffName, for_staff
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
    rows_of: Callable[[Sequence[Any]], Sequence[Any]] | None = None,
    **more: Any,
) -> Response:
    """The page of `rows` that was asked for, as the page shape says. `row` makes an answer's row of each.

    `rows_of` reads for a whole page at once what `row` then makes rows of.
    """
    number_in(request, "page")
    number_in(request, "page_size")
    pages = Pages()
    found = pages.paginate_queryset(rows, request, view=view) or []
    if rows_of is not None:
        found = list(rows_of(found))
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
    etag = etag_of(version, staff=sees_names(stage, actor))
    known = {tag.strip().removeprefix("W/") for tag in request.headers.get("If-None-Match", "").split(",")}
    return version, Response(status=304, headers={"ETag": etag}) if etag in known else None


def etag_of(version: str, *, staff: bool = False) -> str:
    """The entity tag of a version in the reader's language; staff read names that others do not."""
    return f'"{version}-{get_language()}{"-staff" if staff else ""}"'


def with_etag(response: Response, version: str, *, stage: Stage, actor: Actor) -> Response:
    """The answer with its ETag, where it has one."""
    if not sees_drafts(stage, actor):
        response["ETag"] = etag_of(version, staff=sees_names(stage, actor))
    return response


def sees_drafts(stage: Stage, actor: Actor) -> bool:
    """Whether the actor is shown rounds that are not published."""
    return may(actor, "see_draft", event=stage.tournament.event_id, tournament=stage.tournament_id)


def sees_names(stage: Stage, actor: Actor) -> bool:
    """Whether the actor is told the names of players who did not agree to have them shown."""
    return may(actor, "see_names", event=stage.tournament.event_id, tournament=stage.tournament_id)


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


def clock_row(clock: RoundClock | None) -> dict[str, Any] | None:
    """The clock of a round as the shape has it."""
    if clock is None:
        return None
    shown = clock.as_clock
    return {
        "seconds": clock.seconds,
        "started_at": clock.started_at,
        "paused_at": clock.paused_at,
        "ends_at": ends_at(shown),
        "left_ms": None if clock.paused_at is None else time_left(shown, now=clock.paused_at),
        "version": clock.version,
    }


def named(entry: Entry | None, *, staff: bool) -> Entry | StaffName | None:
    """An entry under the name its reader may see."""
    return for_staff(entry) if staff and entry is not None else entry


def pairing_row(pairing: Pairing, *, staff: bool = False) -> dict[str, Any]:
    """A pairing with its round, players and match loaded; `staff` are told every name."""
    return {
        "round": pairing.round.number,
        "number": pairing.number,
        "table": pairing.table,
        "a": named(pairing.a, staff=staff),
        "b": named(pairing.b, staff=staff),
        "bye": pairing.bye if pairing.b_id is None else None,
        "match": match_row(pairing.match),
        "extra_seconds": pairing.extra_seconds,
    }


def open_match_row(pairing: Pairing) -> dict[str, Any]:
    """A pairing that waits for its result, as staff see it: with who said that they come or sit there."""
    facts = ("here_a_at", "here_b_at", "called_at", "coming_a_at", "coming_b_at", "began_at")
    return pairing_row(pairing, staff=True) | {name: getattr(pairing, name) for name in facts}


def own_link(entry: Entry) -> dict[str, Any]:
    """A player with their own link, for whoever may have it."""
    token = entry_token(entry)
    url = settings.PUBLIC_URL + reverse("own_page", args=[token])
    return {"id": entry.pk, "name": entry.staff_name, "token": token, "url": url}


CODE = {(200, "image/svg+xml"): OpenApiTypes.BINARY}
"""How the schema tells of a QR code."""


def code_answer(address: str) -> HttpResponse:
    """An address as a QR code, in SVG."""
    import segno  # 2 MB that few answers need

    drawn = BytesIO()
    segno.make(address, error="m").save(drawn, kind="svg", omitsize=True, border=2)
    return HttpResponse(drawn.getvalue(), content_type="image/svg+xml")
