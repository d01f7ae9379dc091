"""The roster until the start: players, lists of them, and who is here."""

from __future__ import annotations

from typing import Any

from django.db.models import Q
from django.shortcuts import get_object_or_404
from django.utils import timezone
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response

from players.engine import fold_name
from players.permissions import Actor, Refused
from tournaments.actions import roster as actions
from tournaments.api.access import View, entry_for, tournament_for
from tournaments.api.answers import page
from tournaments.api.bodies import CloseBody, EntryBody, FileBody, MergeBody, RowsBody, ScanBody
from tournaments.api.events import tournament_answer
from tournaments.api.operation import HERE, NAME, PAGE, STATUS, operation
from tournaments.api.problems import done
from tournaments.api.reading import JsonParser, choice_in, yes_in
from tournaments.api.shapes import (
    CountShape,
    EntriesPageShape,
    EntryShape,
    ImportShape,
    ImportsPageShape,
    TournamentShape,
)
from tournaments.engine.snapshot import EntryStatus
from tournaments.importers import Reading, read_roster, read_rows
from tournaments.models import Entry, RosterImport, Tournament
from tournaments.models.roster import ON_ROSTER, WAITING
from tournaments.words.refusals import refusal_text

_SHOWN = 50  # rows of a preview


class Entries(View):
    """The roster of a tournament."""

    @operation(
        "list_entries",
        "The roster, in the order players came; `status=waiting`: those who wait for a place, the first first",
        answer=EntriesPageShape,
        parameters=[*PAGE, NAME, STATUS, HERE],
    )
    def get(self, request: Request, pk: int) -> Response:
        tournament, _actor = tournament_for(request, pk, "see_roster")
        status = choice_in(request, "status", [*EntryStatus, WAITING])
        found = tournament.entries.filter(ON_ROSTER if status is None else Q(status=status))
        found = found.order_by(*(["waiting_since"] if status == WAITING else []), "pk")
        if (here := yes_in(request, "here")) is not None:
            found = found.filter(checked_in_at__isnull=not here)
        like = fold_name(request.query_params.get("name", ""))
        rows = [entry for entry in found if like in fold_name(entry.staff_name)] if like else found
        return page(self, request, rows, EntriesPageShape, lambda entry: entry)

    @operation(
        "add_entry",
        "Put a player on the roster",
        description="A name that is there already is asked about: say `name_again` when it is another person.",
        body=EntryBody,
        answer=EntryShape,
        status=201,
    )
    def post(self, request: Request, pk: int) -> Response:
        tournament, actor = tournament_for(request, pk, "edit_roster")
        body = EntryBody(data=request.data)
        body.is_valid(raise_exception=True)
        outcome = actions.add_entry(tournament_id=tournament.pk, by=actor, now=timezone.now(), **body.validated_data)
        return Response(EntryShape(done(outcome)).data, status=201)


class CheckIn(View):
    """A player is here."""

    @operation("check_in", "Check a player in", answer=EntryShape, makes=True)
    def post(self, request: Request, pk: int, entry_id: int) -> Response:
        tournament, actor = tournament_for(request, pk, "check_in")
        entry = entry_for(tournament, entry_id)
        return Response(EntryShape(done(actions.check_in(entry_id=entry.pk, by=actor, now=timezone.now()))).data)


class UndoCheckIn(View):
    """A player was not here after all."""

    @operation("undo_check_in", "Take a check-in back", answer=EntryShape, makes=True)
    def post(self, request: Request, pk: int, entry_id: int) -> Response:
        tournament, actor = tournament_for(request, pk, "check_in")
        entry = entry_for(tournament, entry_id)
        return Response(EntryShape(done(actions.undo_check_in(entry_id=entry.pk, by=actor, now=timezone.now()))).data)


class CheckInAfterAll(View):
    """Somebody is here who had left or was dropped."""

    @operation(
        "check_in_after_all",
        "Check a player in who had left before the start, or was dropped",
        description="They have a place again, however many there are. Whoever had not left is checked in as usual.",
        answer=EntryShape,
        makes=True,
    )
    def post(self, request: Request, pk: int, entry_id: int) -> Response:
        tournament, actor = tournament_for(request, pk, "check_in")
        entry = entry_for(tournament, entry_id)
        here = actions.check_in_after_all(entry_id=entry.pk, by=actor, now=timezone.now())
        return Response(EntryShape(done(here)).data)


class Scan(View):
    """Somebody shows their own link."""

    @operation(
        "check_in_scanned",
        "Check in whoever a scanned link is of",
        description="It may be of another tournament of this event, where whoever asks may check in there too.",
        body=ScanBody,
        answer=EntryShape,
        makes=True,
    )
    def post(self, request: Request, pk: int) -> Response:
        tournament, actor = tournament_for(request, pk, "check_in")
        body = ScanBody(data=request.data)
        body.is_valid(raise_exception=True)
        code = body.validated_data["code"]
        here = actions.check_in_scanned(code=code, tournament=tournament, by=actor, now=timezone.now())
        return Response(EntryShape(done(here)).data)


class Merge(View):
    """Two players are one person."""

    @operation(
        "merge_players",
        "Make the players of two entries one",
        description="Every entry of the other player is this one's from now on; names on rosters stay as they are.",
        body=MergeBody,
        answer=EntryShape,
    )
    def post(self, request: Request, pk: int, entry_id: int) -> Response:
        tournament, actor = tournament_for(request, pk, "merge_players")
        entry = entry_for(tournament, entry_id)
        body = MergeBody(data=request.data)
        body.is_valid(raise_exception=True)
        other = get_object_or_404(Entry, pk=body.validated_data["other"])
        tournament_for(request, other.tournament_id, "merge_players")
        done(actions.merge_players(keep=entry.player_id, drop=other.player_id, by=actor, now=timezone.now()))
        return Response(EntryShape(entry).data)


class CheckInAll(View):
    """Everybody is here."""

    @operation("check_in_all", "Check everybody in", answer=CountShape)
    def post(self, request: Request, pk: int) -> Response:
        tournament, actor = tournament_for(request, pk, "check_in")
        count = done(actions.check_in_all(tournament_id=tournament.pk, by=actor, now=timezone.now()))
        return Response(CountShape({"count": count}).data)


class OpenCheckIn(View):
    """Checking in begins."""

    @operation("open_check_in", "Open the check-in", answer=TournamentShape)
    def post(self, request: Request, pk: int) -> Response:
        tournament, actor = tournament_for(request, pk, "check_in")
        opened = done(actions.open_check_in(tournament_id=tournament.pk, by=actor, now=timezone.now()))
        return Response(tournament_answer(opened, actor))


class CloseCheckIn(View):
    """Back to collecting players."""

    @operation("close_check_in", "Close the check-in; who is here stays so", body=CloseBody, answer=TournamentShape)
    def post(self, request: Request, pk: int) -> Response:
        tournament, actor = tournament_for(request, pk, "check_in")
        body = CloseBody(data=request.data)
        body.is_valid(raise_exception=True)
        said = body.validated_data
        closed = done(actions.close_check_in(tournament_id=tournament.pk, by=actor, now=timezone.now(), **said))
        return Response(tournament_answer(closed, actor))


class Imports(View):
    """Lists of players."""

    parser_classes = [JsonParser, MultiPartParser]

    @operation("list_imports", "Lists of a tournament, the newest first", answer=ImportsPageShape, parameters=PAGE)
    def get(self, request: Request, pk: int) -> Response:
        tournament, _actor = tournament_for(request, pk, "import_roster")
        return page(self, request, tournament.imports.order_by("-pk"), ImportsPageShape, _import_answer)

    @operation(
        "import_roster",
        "Read a list of players",
        description="Nothing is done before the list is confirmed; with `apply` that happens at once when nothing is"
        " wrong with it. All or nothing, and the same list twice changes nothing.",
        body={"application/json": RowsBody, "multipart/form-data": FileBody},
        answer=ImportShape,
        status=201,
    )
    def post(self, request: Request, pk: int) -> Response:
        tournament, actor = tournament_for(request, pk, "import_roster")
        filename, reading, is_to_apply = _list_in(request)
        now = timezone.now()
        kept = done(
            actions.prepare_import(tournament_id=tournament.pk, filename=filename, by=actor, now=now, **reading.facts())
        )
        if is_to_apply and not kept.problems:
            kept = done(actions.confirm_import(import_id=kept.pk, by=actor, now=now))
        return Response(_import_answer(kept), status=201)


def _list_in(request: Request) -> tuple[str, Reading, bool]:
    """What was sent, read: its name, its rows and problems, and whether to apply it at once."""
    if (request.content_type or "").casefold().startswith("multipart/"):
        sent = FileBody(data=request.data)
        sent.is_valid(raise_exception=True)
        file = sent.validated_data["file"]
        said, name = sent.validated_data, str(file.name)
        return name, read_roster(name, file.read(), encoding=said["encoding"]), said["apply"]
    body = RowsBody(data=request.data)
    body.is_valid(raise_exception=True)
    said = body.validated_data
    return said["filename"], read_rows(said["rows"]), said["apply"]


def _import_answer(kept: RosterImport) -> dict[str, Any]:
    problems = [
        {**each, "text": refusal_text(Refused(each["code"], each["params"], status=400))} for each in kept.problems
    ]
    facts = ("id", "filename", "state", "added", "already_there", "done_at")
    row = {name: getattr(kept, name) for name in facts}
    found: dict[str, Any] = ImportShape(
        row | {"read_as": kept.source, "row_count": len(kept.rows), "rows": kept.rows[:_SHOWN], "problems": problems}
    ).data
    return found


def _import_of(request: Request, pk: int, import_id: int) -> tuple[Tournament, Actor, RosterImport]:
    tournament, actor = tournament_for(request, pk, "import_roster")
    return tournament, actor, get_object_or_404(tournament.imports, pk=import_id)


class OneImport(View):
    """One list."""

    @operation("get_import", "How far a list has come", answer=ImportShape)
    def get(self, request: Request, pk: int, import_id: int) -> Response:
        *_, kept = _import_of(request, pk, import_id)
        return Response(_import_answer(kept))


class ConfirmImport(View):
    """Bringing a list in."""

    @operation(
        "confirm_import",
        "Bring a list in",
        description="A short one at once; a long one waits for the worker: ask again until it is done.",
        answer=ImportShape,
    )
    def post(self, request: Request, pk: int, import_id: int) -> Response:
        _, actor, kept = _import_of(request, pk, import_id)
        outcome = actions.confirm_import(import_id=kept.pk, by=actor, now=timezone.now())
        return Response(_import_answer(done(outcome)))
