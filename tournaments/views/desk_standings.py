"""The standings on the desk, with every name as staff see it."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from players.permissions import Actor
from tournaments.live import topic_of
from tournaments.models import Tournament
from tournaments.queries.public import public_stage
from tournaments.views import showing
from tournaments.views.access import for_tournament
from tournaments.views.desk_page import event_frame, is_unchanged, not_modified, page, part, part_version
from tournaments.views.headline import standings_title


@require_safe
@for_tournament("see_desk")
def show(request: HttpRequest, tournament: Tournament, actor: Actor) -> HttpResponse:
    """The standings as they were last worked out, a table for each group, with who plays on."""
    public = public_stage(tournament=tournament)
    version = part_version(public.stage)
    if "part" in request.GET and is_unchanged(request, version=version):
        return not_modified(version)
    context = {
        **event_frame(event=tournament.event, here="standings"),
        "tournament": tournament,
        "public": public,
        "version": version,
        "topic": topic_of(tournament.pk),
        "title": standings_title(public),
        "standings": showing.standings(public, staff=True),
    }
    if "part" in request.GET:
        return part(request, "tournaments/desk/_standings.html", context, version=version)
    return page(request, "tournaments/desk/standings.html", context)
