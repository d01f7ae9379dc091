"""Who plays where and when: of an event and of a tournament, on a page that keeps itself fresh and on paper."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.cache import patch_vary_headers
from django.views.decorators.http import require_safe

from players.permissions import Role
from tournaments.live import topic_of
from tournaments.models import Event
from tournaments.queries.days import by_table, days_of
from tournaments.queries.hall import TABLE_MOST
from tournaments.queries.public import EVENT_FACTS, public_stage_of
from tournaments.queries.schedule import Glimpse, Schedule, ScheduleRow, glimpse, schedule_of, tables_in
from tournaments.views.access import actor_in
from tournaments.views.live import LivePage, answer_live

_LONGEST_NAME = 120


@require_safe
def event_schedule(request: HttpRequest, pk: int) -> HttpResponse:
    """The schedule of all tournaments of an event."""
    return _live(request, _seen(event_id=pk))


@require_safe
def schedule(request: HttpRequest, pk: int) -> HttpResponse:
    """The schedule of one tournament."""
    return _live(request, _seen(tournament_id=pk))


@require_safe
def event_schedule_paper(request: HttpRequest, pk: int) -> HttpResponse:
    """The same for a wall: a list for each day, or with `?by=table` for each table."""
    return _paper(request, _seen(event_id=pk))


@require_safe
def schedule_paper(request: HttpRequest, pk: int) -> HttpResponse:
    """The same of one tournament."""
    return _paper(request, _seen(tournament_id=pk))


def schedule_page(
    seen: Glimpse, path: str, *, query: Mapping[str, str], more: tuple[object, ...] = (), kept: bool = True
) -> LivePage:
    """What tells one state of a schedule from another: its ETag. `more` are facts beyond those of the schedule."""
    facts = tuple(getattr(seen.event, name) for name in EVENT_FACTS)
    return LivePage(
        path=path,
        topics=tuple(topic_of(each.pk) for each in seen.tournaments),
        version=seen.version,
        query=query,
        facts=(*facts, *seen.facts, *more),
        kept=kept,
    )


def _seen(**of: int) -> Glimpse:
    found = glimpse(**of)
    if found is None:
        raise Http404
    return found


def _asked(request: HttpRequest) -> tuple[int | None, str]:
    """The table and the name somebody looks for. 404 for a table that cannot be."""
    table, name = request.GET.get("table", ""), request.GET.get("q", "").strip()[:_LONGEST_NAME]
    if not table:
        return None, name
    if not (table.isascii() and table.isdigit() and len(table) < 5 and 0 < int(table) <= TABLE_MOST):
        raise Http404
    return int(table), name


def _live(request: HttpRequest, seen: Glimpse) -> HttpResponse:
    table, name = _asked(request)
    query = {**({"table": str(table)} if table else {}), **({"q": name} if name else {})}
    page = schedule_page(seen, request.path, query=query, kept=not query)

    frame = {"seen": seen, "event": seen.event, "tournament": seen.tournament, "table": table, "asked": name}

    def plan() -> dict[str, Any]:
        found = schedule_of(event=seen.event, tournaments=seen.tournaments, table=table, name=name)
        return {
            **frame,
            "days": days_of(found, zone=seen.event.tzinfo, only_matches=bool(query)),
            "placeless": _placeless(found),
            "is_filtered": bool(query),
        }

    return answer_live(
        request,
        page,
        template="tournaments/public/schedule.html",
        regions={"plan_head": lambda: frame, "plan": plan},
        context=lambda: {
            **frame,
            "page": "schedule",
            "demo": seen.event.is_demo,
            "is_organiser": _is_organiser(request, seen.event),
            "public": public_stage_of(tournament_id=seen.tournament.pk) if seen.tournament else None,
            "tables": tables_in(event=seen.event, tournaments=seen.tournaments),
        },
    )


def _paper(request: HttpRequest, seen: Glimpse) -> HttpResponse:
    table, name = _asked(request)
    found = schedule_of(event=seen.event, tournaments=seen.tournaments, table=table, name=name)
    zone = seen.event.tzinfo
    is_by_table = request.GET.get("by") == "table"
    context = {
        "seen": seen,
        "event": seen.event,
        "tournament": seen.tournament,
        "demo": seen.event.is_demo,
        "printed_at": timezone.now(),
        "is_by_table": is_by_table,
        "days": [] if is_by_table else days_of(found, zone=zone, only_matches=True),
        "lists": by_table(found, zone=zone) if is_by_table else [],
        "placeless": _placeless(found),
    }
    response = render(request, "tournaments/public/schedule_paper.html", context)
    response["Cache-Control"] = "private, no-store"  # it says when it was printed
    patch_vary_headers(response, ["Cookie", "Accept-Language"])
    return response


def _placeless(found: Schedule) -> list[ScheduleRow]:
    """What has no time and is to be played."""
    return [row for row in found.rows if row.starts_at is None and not row.is_over]


def _is_organiser(request: HttpRequest, found: Event) -> bool:
    return actor_in(request, found).role is Role.ORGANISER
