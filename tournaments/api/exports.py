"""Files to take away: what there is, and each of them."""

from __future__ import annotations

from django.conf import settings
from django.http import Http404, HttpResponse
from drf_spectacular.types import OpenApiTypes
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.api.access import View, actor_in, tournament_for
from tournaments.api.operation import operation
from tournaments.api.shapes import ExportsShape
from tournaments.exporters import DOCUMENT_EXPORTERS, EXPORTERS, get_document_exporter, get_exporter
from tournaments.exporters.documents import DOCUMENT
from tournaments.exporters.sheets import PUBLIC_SHEETS, roster_sheet
from tournaments.permissions import may
from tournaments.queries.desk import current_stage
from tournaments.queries.interchange import document_of
from tournaments.queries.public import public_stage

_ROSTER = "roster"
_MEDIA_TYPES = [*(each.media_type for each in EXPORTERS), *(each.media_type for each in DOCUMENT_EXPORTERS)]


class Exports(View):
    """The files of a tournament."""

    @operation(
        "list_exports",
        "The files of a tournament",
        description="The roster, with its addresses, for those who may see it.",
        answer=ExportsShape,
    )
    def get(self, request: Request, pk: int) -> Response:
        tournament, _actor = tournament_for(request, pk, "see_public")
        actor = actor_in(request, tournament.event, tournament)
        sheets = list(PUBLIC_SHEETS)
        if may(actor, "see_addresses", event=tournament.event_id, tournament=tournament.pk):
            sheets.append(_ROSTER)
        files = [(sheet, each.key, each.media_type) for sheet in sheets for each in EXPORTERS]
        if not tournament.is_open_roster:
            format_key = current_stage(tournament=tournament).format
            files += [(DOCUMENT, each.key, each.media_type) for each in DOCUMENT_EXPORTERS if each.takes(format_key)]
        rows = [
            {
                "sheet": sheet,
                "kind": kind,
                "media_type": media_type,
                "url": f"{settings.PUBLIC_URL}/api/tournaments/{tournament.pk}/exports/{sheet}/{kind}/",
            }
            for sheet, kind, media_type in files
        ]
        return Response(ExportsShape({"results": rows}).data)


class Export(View):
    """One file."""

    @operation(
        "get_export",
        "A file of a tournament",
        description="`standings`, `pairings`, `schedule` and `roster` are sheets; `tournament` is all of it since the"
        " start, as JSON or, of a Swiss or a round robin, in FIDE's report format: it can be imported again.",
        answer={
            (200, media_type.partition(";")[0]): (
                OpenApiTypes.OBJECT if media_type == "application/json" else OpenApiTypes.BINARY
            )
            for media_type in _MEDIA_TYPES
        },
    )
    def get(self, request: Request, pk: int, sheet: str, kind: str) -> HttpResponse:
        if sheet == DOCUMENT:
            return _document(request, pk, kind)
        is_public = sheet in PUBLIC_SHEETS
        if not is_public and sheet != _ROSTER:
            raise Http404
        tournament, _actor = tournament_for(request, pk, "see_public" if is_public else "see_addresses")
        try:
            exporter = get_exporter(kind)
        except KeyError:
            raise Http404 from None
        table = PUBLIC_SHEETS[sheet](public_stage(tournament=tournament)) if is_public else roster_sheet(tournament)
        name = f"tournament-{tournament.pk}-{sheet}.{exporter.key}"
        headers = {"Content-Disposition": f'attachment; filename="{name}"'}
        return HttpResponse(exporter.write(table), content_type=exporter.media_type, headers=headers)


def _document(request: Request, pk: int, kind: str) -> HttpResponse:
    tournament, _actor = tournament_for(request, pk, "see_public")
    stage = current_stage(tournament=tournament)
    if tournament.is_open_roster:
        raise Http404
    try:
        exporter = get_document_exporter(kind, format_key=stage.format)
    except KeyError:
        raise Http404 from None
    headers = {"Content-Disposition": f'attachment; filename="tournament-{tournament.pk}.{exporter.key}"'}
    return HttpResponse(exporter.write(document_of(stage=stage)), content_type=exporter.media_type, headers=headers)
