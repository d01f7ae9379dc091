"""Files to take away: standings and pairings for everybody, the roster for those who may see it."""

from __future__ import annotations

from urllib.parse import quote

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404
from django.utils.cache import patch_vary_headers
from django.utils.text import slugify
from django.views.decorators.http import require_safe

from players.permissions import Actor
from tournaments.exporters import get_document_exporter, get_exporter
from tournaments.exporters.base import Exporter, Sheet
from tournaments.exporters.documents import DOCUMENT
from tournaments.exporters.sheets import PUBLIC_SHEETS, roster_sheet
from tournaments.models import Tournament
from tournaments.queries.desk import current_stage
from tournaments.queries.interchange import document_of
from tournaments.queries.public import public_stage
from tournaments.views.access import for_tournament

_LONGEST = 60  # letters of a tournament's name in the name of a file


@require_safe
def public_file(request: HttpRequest, pk: int, sheet: str, kind: str) -> HttpResponse:
    """The standings or the pairings of a tournament as a file, or with DOCUMENT all of it once it has started."""
    tournament = get_object_or_404(Tournament.objects.select_related("event"), pk=pk)
    if sheet == DOCUMENT:
        response = _document(tournament, kind)
    elif sheet in PUBLIC_SHEETS:
        shown = PUBLIC_SHEETS[sheet](public_stage(tournament=tournament))
        response = _file(_exporter(kind), shown, tournament, sheet)
    else:
        raise Http404
    signed_in = request.user.is_authenticated
    response["Cache-Control"] = "private, no-store" if signed_in else "public, max-age=0, must-revalidate"
    patch_vary_headers(response, ["Cookie", "Accept-Language"])
    return response


@require_safe
@for_tournament("see_roster")
def roster_file(request: HttpRequest, tournament: Tournament, actor: Actor, kind: str) -> HttpResponseBase:
    """The roster with its addresses as a file."""
    response = _file(_exporter(kind), roster_sheet(tournament), tournament, "roster")
    response["Cache-Control"] = "private, no-store"
    return response


def _exporter(kind: str) -> Exporter:
    try:
        return get_exporter(kind)
    except KeyError:
        raise Http404 from None


def _document(tournament: Tournament, kind: str) -> HttpResponse:
    stage = current_stage(tournament=tournament)
    if tournament.is_open_roster:
        raise Http404
    try:
        exporter = get_document_exporter(kind, format_key=stage.format)
    except KeyError:
        raise Http404 from None
    content = exporter.write(document_of(stage=stage))
    return _download(content, exporter.media_type, f"{DOCUMENT}.{exporter.key}", tournament)


def _file(exporter: Exporter, sheet: Sheet, tournament: Tournament, what: str) -> HttpResponse:
    return _download(exporter.write(sheet), exporter.media_type, f"{what}.{exporter.key}", tournament)


def _download(content: bytes, media_type: str, ending: str, tournament: Tournament) -> HttpResponse:
    """A download named after the tournament: in its own letters, and in plain ones for old browsers."""
    plain = slugify(tournament.name)[:_LONGEST] or f"tournament-{tournament.pk}"
    own = slugify(tournament.name, allow_unicode=True)[:_LONGEST] or plain
    disposition = f"attachment; filename=\"{plain}-{ending}\"; filename*=UTF-8''{quote(f'{own}-{ending}')}"
    return HttpResponse(content, content_type=media_type, headers={"Content-Disposition": disposition})
