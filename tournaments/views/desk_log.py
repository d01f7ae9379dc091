"""Everything done in an event, in words, the newest first."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from players.permissions import Actor
from tournaments.models import Event
from tournaments.queries import desk
from tournaments.queries.log import LogLine, log_lines
from tournaments.views.access import for_event
from tournaments.views.desk_page import event_frame, page
from tournaments.words.acts import act_text, changes, target_text

_LINES = 100  # acts on one page


@require_safe
@for_event("see_log")
def show(request: HttpRequest, event: Event, actor: Actor) -> HttpResponse:
    """A page of the log; `before` is the act the page before it ended with."""
    acts = desk.log_of(event=event)
    older_than = request.GET.get("before", "")
    if older_than.isascii() and older_than.isdigit() and len(older_than) < 19:
        acts = acts.filter(pk__lt=int(older_than))
    found = list(acts[: _LINES + 1])
    lines = [_row(line) for line in log_lines(event=event, acts=found[:_LINES])]
    older = found[_LINES - 1].pk if len(found) > _LINES else None
    context = {**event_frame(event=event, here="log"), "lines": lines, "older": older, "is_first": not older_than}
    return page(request, "tournaments/desk/log.html", context)


def _row(line: LogLine) -> dict[str, Any]:
    act = line.act
    return {
        "act": act,
        "text": act_text(verb=act.verb, what=target_text(line), before=act.before, after=act.after),
        "changes": changes(before=act.before, after=act.after),
        "tournament": line.tournament,
    }
