"""Who plays where and when: of an event and of a tournament."""

from __future__ import annotations

from typing import Any

from django.http import Http404
from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request
from rest_framework.response import Response

from players.permissions import Actor
from tournaments.api.access import View, event_for, tournament_for
from tournaments.api.answers import etag_of, named, page
from tournaments.api.operation import ENTRY, IF_NONE_MATCH, PAGE, operation
from tournaments.api.reading import content_tag, etags_in, number_in
from tournaments.api.shapes import SlotsPageShape
from tournaments.permissions import may
from tournaments.queries.schedule import Glimpse, ScheduleRow, Side, glimpse, rows_of
from tournaments.words.reasons import round_name
from tournaments.words.schedule import why_text

_TABLE = OpenApiParameter("table", int, description="Only at this table, as far as it looks now.")
_PARAMETERS = [ENTRY, _TABLE, *PAGE, IF_NONE_MATCH]


class EventSchedule(View):
    """The schedule of an event."""

    @operation(
        "list_event_schedule",
        "Who plays where and when, in all tournaments of an event",
        answer=SlotsPageShape,
        parameters=_PARAMETERS,
    )
    def get(self, request: Request, pk: int) -> Response:
        event, actor = event_for(request, pk, "see_public")
        return _answer(self, request, glimpse(event_id=event.pk), actor)


class Schedule(View):
    """The schedule of a tournament."""

    @operation(
        "list_schedule",
        "Who plays where and when",
        description="What is not sure is to five minutes. Rounds that are not published have matches without players.",
        answer=SlotsPageShape,
        parameters=_PARAMETERS,
    )
    def get(self, request: Request, pk: int) -> Response:
        tournament, actor = tournament_for(request, pk, "see_public")
        return _answer(self, request, glimpse(tournament_id=tournament.pk), actor)


def _answer(view: View, request: Request, seen: Glimpse | None, actor: Actor) -> Response:
    if seen is None:
        raise Http404
    tournament = None if seen.tournament is None else seen.tournament.pk
    staff = may(actor, "see_names", event=seen.event.pk, tournament=tournament)
    etag = etag_of(content_tag(repr((seen.version, seen.facts)).encode()), staff=staff)
    if etag in etags_in(request, "If-None-Match"):
        return Response(status=304, headers={"ETag": etag})
    entry, table = number_in(request, "entry"), number_in(request, "table")
    rows = [
        row
        for row in rows_of(tournaments=seen.tournaments)
        if not row.is_dropped and (entry is None or row.has(entry)) and (table is None or row.table == table)
    ]
    more: dict[str, Any] = {"version": seen.version, "ends_at": seen.ends_at, "without": seen.without}
    answer = page(view, request, rows, SlotsPageShape, lambda row: _row(row, staff=staff), **more)
    answer["ETag"] = etag
    return answer


def _row(row: ScheduleRow, *, staff: bool) -> dict[str, Any]:
    facts = ("stage", "round", "number", "state", "table", "has_place", "starts_at", "ends_at", "sequence")
    return {name: getattr(row, name) for name in (*facts, "changed_at")} | {
        "has_time": row.is_sure,
        "tournament": row.tournament.pk,
        "round_name": round_name(row.name),
        "a": _side(row.a, staff=staff),
        "b": _side(row.b, staff=staff),
        "held": row.is_held,
        "why": why_text(row) if row.starts_at is None and not row.is_over else "",
    }


def _side(side: Side, *, staff: bool) -> dict[str, Any]:
    origin = side.origin
    return {
        "entry": named(side.entry, staff=staff),
        "origin": origin
        and {"round": origin.on, "number": origin.place, "outcome": "loser" if origin.loser else "winner"},
    }
