"""Calendars to subscribe to: of an event, a tournament, a table and, behind their own link, a player."""

from __future__ import annotations

from collections.abc import Callable

from django.conf import settings
from django.core.cache import cache
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.utils.cache import get_conditional_response, patch_vary_headers
from django.utils.translation import get_language, override
from django.views.decorators.http import require_safe

from players.permissions import Actor
from tournaments.exporters import calendars
from tournaments.exporters.ical import MEDIA_TYPE, Calendar, write_calendar
from tournaments.models import Entry
from tournaments.queries.hall import TABLE_MOST
from tournaments.queries.schedule import Glimpse, glimpse, tables_in, where_tables_are
from tournaments.views.access import for_player
from tournaments.views.schedule import schedule_page

_KEPT_SECONDS = 55  # for everybody who asks after the same change
_PUBLIC = "public, max-age=0, must-revalidate"
_OWN = "private, no-store"  # nothing on the way keeps it; programs that hold it show its ETag all the same


@require_safe
def event_calendar(request: HttpRequest, pk: int) -> HttpResponse:
    """All matches of an event, and the starts of its tournaments."""
    seen = _seen(glimpse(event_id=pk))
    return _answer(request, seen, lambda: calendars.event_calendar(seen), f"event-{pk}.ics")


@require_safe
def calendar(request: HttpRequest, pk: int) -> HttpResponse:
    """All matches of a tournament."""
    seen = _seen(glimpse(tournament_id=pk))
    return _answer(request, seen, lambda: calendars.tournament_calendar(seen), f"tournament-{pk}.ics")


@require_safe
def table_calendar(request: HttpRequest, pk: int, number: int) -> HttpResponse:
    """What is played at a table. 404 for one that neither stands nor is in the plan."""
    seen = _seen(glimpse(event_id=pk))
    if number > TABLE_MOST or number not in tables_in(event=seen.event, tournaments=seen.tournaments):
        raise Http404
    return _answer(request, seen, lambda: calendars.table_calendar(seen, number), f"event-{pk}-table-{number}.ics")


@require_safe
@for_player
def own_calendar(request: HttpRequest, entry: Entry, actor: Actor) -> HttpResponseBase:
    """The matches of one player. Its address is as secret as their page."""
    seen = _seen(glimpse(tournament_id=entry.tournament_id))
    return _answer(request, seen, lambda: calendars.own_calendar(seen, entry), "matches.ics", own=entry)


def _seen(found: Glimpse | None) -> Glimpse:
    if found is None:
        raise Http404
    return found


def _answer(
    request: HttpRequest,
    seen: Glimpse,
    made: Callable[[], Calendar],
    filename: str,
    *,
    own: Entry | None = None,
) -> HttpResponse:
    """The calendar in the language its address says, the reader's otherwise; 304 where they have it already."""
    asked = request.GET.get("lang", "")
    language = asked if asked in dict(settings.LANGUAGES) else get_language()
    with override(language):
        facts = (own.name, own.mark, own.link_version) if own is not None else ()
        tables = where_tables_are(event=seen.event)
        page = schedule_page(seen, request.path, query={}, more=(*facts, *sorted(tables.items())))
        etag = f'W/"{page.tag}"'
        answer = get_conditional_response(request, etag=etag)
        if answer is None:
            content = write_calendar(made()) if own is not None else _kept(page.tag, made)
            answer = HttpResponse(content, content_type=MEDIA_TYPE)
            answer["Content-Disposition"] = f'attachment; filename="{filename}"'
            answer["Content-Language"] = language
    answer["ETag"] = etag
    answer["Cache-Control"] = _PUBLIC if own is None else _OWN
    patch_vary_headers(answer, ["Cookie", "Accept-Language"])
    return answer


def _kept(tag: str, made: Callable[[], Calendar]) -> bytes:
    kept: bytes | None = cache.get(f"calendar:{tag}")
    if kept is None:
        kept = write_calendar(made())
        cache.set(f"calendar:{tag}", kept, _KEPT_SECONDS)
    return kept
