"""The search for a better plan of an event: how far it is, asked for, stopped, and what it found dropped."""

from __future__ import annotations

from typing import Any

from django.utils import timezone
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.actions import searches as actions
from tournaments.api.access import View, event_for
from tournaments.api.bodies import SearchBody
from tournaments.api.operation import operation
from tournaments.api.problems import done
from tournaments.api.shapes import SearchPageShape
from tournaments.models import Event
from tournaments.queries.searches import search_page

_FACTS = (
    *("seconds", "asked_at", "begun_at", "over_at", "before_at", "found_at", "bound_at"),
    *("without_before", "without_found", "is_best", "outcome"),
)


def _row(event: Event) -> dict[str, Any]:
    found = search_page(event=event)
    search = found.search
    return {
        "has_solver": found.has_solver,
        "is_followed": found.is_followed,
        "seconds_left": found.seconds_left(now=timezone.now()),
        "search": None if search is None else {name: getattr(search, name) for name in _FACTS},
    }


class PlanSearches(View):
    """The last search for a better plan."""

    @operation("get_plan_search", "How far the search for a better plan is, or what it found", answer=SearchPageShape)
    def get(self, request: Request, pk: int) -> Response:
        event, _by = event_for(request, pk, "edit_plan")
        return Response(SearchPageShape(_row(event)).data)

    @operation(
        "search_better_plan",
        "Look for a better plan",
        description="Kept only if the last match ends earlier or more matches have a place. While a search goes on,"
        " asking again is that one.",
        body=SearchBody,
        answer=SearchPageShape,
        status=202,
    )
    def post(self, request: Request, pk: int) -> Response:
        event, by = event_for(request, pk, "edit_plan")
        body = SearchBody(data=request.data)
        body.is_valid(raise_exception=True)
        seconds = body.validated_data["seconds"]
        done(actions.ask_for_search(event_id=event.pk, seconds=seconds, by=by, now=timezone.now()))
        return Response(SearchPageShape(_row(event)).data, status=202)


class StopPlanSearch(View):
    """An end to a search."""

    @operation(
        "stop_plan_search", "End the search with what it has found by now; twice is once", answer=SearchPageShape
    )
    def post(self, request: Request, pk: int) -> Response:
        event, by = event_for(request, pk, "edit_plan")
        done(actions.stop_search(event_id=event.pk, by=by, now=timezone.now()))
        return Response(SearchPageShape(_row(event)).data)


class DropBetterPlan(View):
    """Back to the usual plan."""

    @operation(
        "drop_better_plan", "Follow the better plan that was found no more; twice is once", answer=SearchPageShape
    )
    def post(self, request: Request, pk: int) -> Response:
        event, by = event_for(request, pk, "edit_plan")
        actions.drop_better_plan(event_id=event.pk, by=by, now=timezone.now())
        return Response(SearchPageShape(_row(event)).data)
