"""Rooms and tables of an event, where a match sits, and where a player has to."""

from __future__ import annotations

from typing import Any

from django.http import Http404
from django.shortcuts import get_object_or_404
from django.utils import timezone
from rest_framework.request import Request
from rest_framework.response import Response

from players.permissions import Actor
from tournaments.actions import hall as actions
from tournaments.actions.tables import move_match, swap_tables
from tournaments.api.access import View, entry_for, event_for, pairing_for, tournament_for
from tournaments.api.answers import open_match_row, page
from tournaments.api.bodies import FixedTableBody, MoveMatchBody, RoomBody, SwapTablesBody, TableBody, TablesBody
from tournaments.api.operation import PAGE, operation
from tournaments.api.problems import done
from tournaments.api.shapes import (
    EntryShape,
    OpenMatchShape,
    RoomShape,
    RoomsPageShape,
    TableShape,
    TablesPageShape,
)
from tournaments.models import Event, Pairing, Room, Table, Tournament
from tournaments.permissions import may_move
from tournaments.queries.hall import matches_at, row_of


def _room_row(room: Room) -> dict[str, Any]:
    return {"id": room.pk, "name": room.name}


def _table_row(table: Table, match: int | None) -> dict[str, Any]:
    facts = ("id", "number", "name", "purpose", "out_since")
    return {**{name: getattr(table, name) for name in facts}, "room": table.room_id, "match": match}


def _told(table: Table) -> Response:
    found = row_of(table=table).pairing
    return Response(TableShape(_table_row(table, None if found is None else found.match_id)).data)


class Rooms(View):
    """The rooms of an event."""

    @operation("list_rooms", "Rooms of the hall, by name", answer=RoomsPageShape, parameters=PAGE)
    def get(self, request: Request, pk: int) -> Response:
        event, _actor = event_for(request, pk, "see_public")
        return page(self, request, event.rooms.order_by("name", "pk"), RoomsPageShape, _room_row)

    @operation("add_room", "Add a room", body=RoomBody, answer=RoomShape, status=201)
    def post(self, request: Request, pk: int) -> Response:
        event, by = event_for(request, pk, "edit_hall")
        body = RoomBody(data=request.data)
        body.is_valid(raise_exception=True)
        outcome = actions.add_room(event_id=event.pk, name=body.validated_data["name"], by=by, now=timezone.now())
        return Response(RoomShape(_room_row(done(outcome))).data, status=201)


class OneRoom(View):
    """One room."""

    @operation("rename_room", "Give a room another name", body=RoomBody, answer=RoomShape)
    def patch(self, request: Request, pk: int, room_id: int) -> Response:
        event, by = event_for(request, pk, "edit_hall")
        room = get_object_or_404(Room, pk=room_id, event=event)
        body = RoomBody(data=request.data)
        body.is_valid(raise_exception=True)
        outcome = actions.rename_room(room_id=room.pk, name=body.validated_data["name"], by=by, now=timezone.now())
        return Response(RoomShape(_room_row(done(outcome))).data)

    @operation("remove_room", "Remove a room; its tables stay", answer=None, status=204)
    def delete(self, request: Request, pk: int, room_id: int) -> Response:
        event, by = event_for(request, pk, "edit_hall")
        room = get_object_or_404(Room, pk=room_id, event=event)
        done(actions.remove_room(room_id=room.pk, by=by, now=timezone.now()))
        return Response(status=204)


class Tables(View):
    """The tables of an event."""

    @operation(
        "list_tables",
        "Tables of the hall, by number, with the open match at each",
        description="An event without tables gives its matches any numbers, as many as a round needs.",
        answer=TablesPageShape,
        parameters=PAGE,
    )
    def get(self, request: Request, pk: int) -> Response:
        event, _actor = event_for(request, pk, "see_public")
        at = matches_at(event=event)
        found = event.tables.order_by("number")
        return page(self, request, found, TablesPageShape, lambda table: _table_row(table, at.get(table.number)))

    @operation(
        "add_tables",
        "Put up tables; those that stand already stay as they are",
        body=TablesBody,
        answer=TableShape(many=True),
        status=201,
    )
    def post(self, request: Request, pk: int) -> Response:
        event, by = event_for(request, pk, "edit_hall")
        body = TablesBody(data=request.data)
        body.is_valid(raise_exception=True)
        said = body.validated_data
        outcome = actions.add_tables(
            event_id=event.pk, numbers=said["numbers"], room_id=said["room"], by=by, now=timezone.now()
        )
        at, rows = matches_at(event=event), done(outcome)
        return Response([TableShape(_table_row(row, at.get(row.number))).data for row in rows], status=201)


class _OneTable(View):
    """What the operations of one table have in common."""

    def held(self, request: Request, pk: int, table_id: int) -> tuple[Event, Actor, Table]:
        """The table of this very event, else 404."""
        event, actor = event_for(request, pk, "edit_hall")
        return event, actor, get_object_or_404(Table, pk=table_id, event=event)


class OneTable(_OneTable):
    """One table."""

    @operation("change_table", "Change a table; what is left out stays", body=TableBody, answer=TableShape)
    def patch(self, request: Request, pk: int, table_id: int) -> Response:
        _event, by, table = self.held(request, pk, table_id)
        body = TableBody(data=request.data)
        body.is_valid(raise_exception=True)
        said = {"name": table.name, "purpose": table.purpose, "room": table.room_id, **body.validated_data}
        outcome = actions.edit_table(
            table_id=table.pk,
            name=said["name"],
            purpose=said["purpose"],
            room_id=said["room"],
            by=by,
            now=timezone.now(),
        )
        return _told(done(outcome))

    @operation("remove_table", "Remove a table nobody sits at", answer=None, status=204)
    def delete(self, request: Request, pk: int, table_id: int) -> Response:
        _event, by, table = self.held(request, pk, table_id)
        done(actions.remove_table(table_id=table.pk, by=by, now=timezone.now()))
        return Response(status=204)


class TableOut(_OneTable):
    """A table out of use."""

    @operation("take_table_out", "A table is out of use, broken or kept free; twice is once", answer=TableShape)
    def post(self, request: Request, pk: int, table_id: int) -> Response:
        _event, by, table = self.held(request, pk, table_id)
        return _told(done(actions.take_table_out(table_id=table.pk, by=by, now=timezone.now())))


class TableBack(_OneTable):
    """A table in use again."""

    @operation("bring_table_back", "A table is in use again; twice is once", answer=TableShape)
    def post(self, request: Request, pk: int, table_id: int) -> Response:
        _event, by, table = self.held(request, pk, table_id)
        return _told(done(actions.bring_table_back(table_id=table.pk, by=by, now=timezone.now())))


class FixTable(View):
    """Where a player has to sit."""

    @operation(
        "fix_table", "Say where a player has to sit, from the next round on", body=FixedTableBody, answer=EntryShape
    )
    def post(self, request: Request, pk: int, entry_id: int) -> Response:
        tournament, by = tournament_for(request, pk, "edit_hall")
        entry = entry_for(tournament, entry_id)
        body = FixedTableBody(data=request.data)
        body.is_valid(raise_exception=True)
        table = body.validated_data["table"]
        outcome = actions.fix_table(entry_id=entry.pk, table=table, by=by, now=timezone.now())
        return Response(EntryShape(done(outcome, within=tournament)).data)


class _Moving(View):
    """What moving and swapping have in common."""

    def held(self, request: Request, pk: int, match_id: int) -> tuple[Tournament, Actor, Pairing]:
        """The pairing of this match, at a table of the caller's or without one."""
        tournament, actor = tournament_for(request, pk, "move_match")
        pairing = pairing_for(tournament, match_id)
        may_they(actor, pairing, pairing.table)
        return tournament, actor, pairing

    def answer(self, tournament: Tournament, outcome: Any) -> Response:
        moved = done(outcome, within=tournament)
        return Response(OpenMatchShape(open_match_row(pairing_for(tournament, moved.match_id))).data)


def may_they(actor: Actor, pairing: Pairing, *tables: int | None) -> None:
    """404 where a referee of some tables reaches for another one, or for another tournament."""
    tournament = pairing.round.stage.tournament
    if not may_move(actor, event=tournament.event_id, tournament=tournament.pk, tables=tables):
        raise Http404


class MoveMatch(_Moving):
    """Another table for a match."""

    @operation(
        "move_match",
        "Put an open match at a free table, or take it off its table",
        description="Both players are told. Of two who give the same table the second is refused (`table_taken`). One"
        " that is taken off is held: nothing calls it until it is released or has a table again.",
        body=MoveMatchBody,
        answer=OpenMatchShape,
    )
    def post(self, request: Request, pk: int, match_id: int) -> Response:
        tournament, by, pairing = self.held(request, pk, match_id)
        body = MoveMatchBody(data=request.data)
        body.is_valid(raise_exception=True)
        said = body.validated_data
        may_they(by, pairing, said["table"])
        outcome = move_match(
            match_id=match_id,
            table=said["table"],
            accept_busy=said["accept_busy"],
            why=said["why"],
            by=by,
            now=timezone.now(),
        )
        return self.answer(tournament, outcome)


class SwapTables(_Moving):
    """Two matches change tables."""

    @operation(
        "swap_tables",
        "Let two open matches of the event change tables; all four players are told",
        body=SwapTablesBody,
        answer=OpenMatchShape,
    )
    def post(self, request: Request, pk: int, match_id: int) -> Response:
        tournament, by, pairing = self.held(request, pk, match_id)
        body = SwapTablesBody(data=request.data)
        body.is_valid(raise_exception=True)
        said = body.validated_data
        found = Pairing.objects.select_related("round__stage__tournament")
        event = tournament.event_id
        other = get_object_or_404(found, match_id=said["with_match"], round__stage__tournament__event=event)
        may_they(by, other, other.table, pairing.table)
        outcome = swap_tables(
            match_id=match_id,
            with_match=said["with_match"],
            seen=tuple(said["seen"]) if "seen" in said else None,
            accept_busy=said["accept_busy"],
            why=said["why"],
            by=by,
            now=timezone.now(),
        )
        return self.answer(tournament, outcome)
