"""The hall of an event: its rooms and tables, what is out of order, and who has to sit where."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from django.db import transaction

from players.actions import record_act
from players.engine import clean_name
from players.permissions import Actor, Refused
from tournaments.actions.plans import ask_for_plan
from tournaments.actions.tables import hold_hall
from tournaments.models import Entry, Purpose, Room, Stage, Table
from tournaments.queries.hall import TABLE_MOST, open_in, stages_at
from tournaments.signals import stage_changed


@transaction.atomic
def add_room(*, event_id: int, name: str, by: Actor, now: datetime) -> Room | Refused:
    """A part of the hall. Refusals: room_there (name)."""
    hold_hall(event_id=event_id)
    named = clean_name(name)
    if Room.objects.filter(event=event_id, name=named).exists():
        return Refused("room_there", {"name": named})
    room = Room.objects.create(event_id=event_id, name=named)
    _log("add_room", f"room/{room.pk}", event_id, by=by, now=now, after={"name": named})
    return room


@transaction.atomic
def rename_room(*, room_id: int, name: str, by: Actor, now: datetime) -> Room | Refused:
    """Another name for a room. Refusals: room_unknown (404), room_there (name)."""
    room = _hold_room(room_id)
    if isinstance(room, Refused):
        return room
    before, room.name = room.name, clean_name(name)
    if room.name == before:
        return room
    if Room.objects.filter(event=room.event_id, name=room.name).exists():
        return Refused("room_there", {"name": room.name})
    room.save(update_fields=["name"])
    _tell_pages(room.event_id, room.tables.values_list("number", flat=True))
    names = {"before": {"name": before}, "after": {"name": room.name}}
    _log("rename_room", f"room/{room.pk}", room.event_id, by=by, now=now, **names)
    return room


@transaction.atomic
def remove_room(*, room_id: int, by: Actor, now: datetime) -> Refused | None:
    """A room is no more; its tables stand in none. Refusals: room_unknown (404)."""
    room = _hold_room(room_id)
    if isinstance(room, Refused):
        return room
    _tell_pages(room.event_id, room.tables.values_list("number", flat=True))
    _log("remove_room", f"room/{room.pk}", room.event_id, by=by, now=now, before={"name": room.name})
    room.delete()
    return None


def _hold_room(room_id: int) -> Room | Refused:
    event_id = Room.objects.filter(pk=room_id).values_list("event", flat=True).first()
    if event_id is not None:
        hold_hall(event_id=event_id)
    return Room.objects.filter(pk=room_id).first() or Refused("room_unknown", {"room": room_id}, status=404)


@transaction.atomic
def add_tables(
    *, event_id: int, numbers: Iterable[int], room_id: int | None = None, by: Actor, now: datetime
) -> list[Table] | Refused:
    """Tables with these numbers stand in the hall from now on; those that stood already stay as they are.

    From the first one on matches of the event get tables that stand and no others.
    Refusals: tables_there (where every one of them stood), table_unknown (table, 400), room_unknown (404).
    """
    hold_hall(event_id=event_id)
    wanted = sorted(set(numbers))
    for number in wanted:
        if not 1 <= number <= TABLE_MOST:
            return Refused("table_unknown", {"table": number}, status=400)
    if room_id is not None and not Room.objects.filter(event=event_id, pk=room_id).exists():
        return Refused("room_unknown", {"room": room_id}, status=404)
    there = set(Table.objects.filter(event=event_id, number__in=wanted).values_list("number", flat=True))
    new = [number for number in wanted if number not in there]
    if not new:
        return Refused("tables_there")
    tables = Table.objects.bulk_create(Table(event_id=event_id, room_id=room_id, number=number) for number in new)
    ask_for_plan(event_id=event_id)
    _log("add_tables", f"event/{event_id}", event_id, by=by, now=now, after={"numbers": new})
    return tables


@transaction.atomic
def edit_table(
    *, table_id: int, name: str, purpose: str, room_id: int | None, by: Actor, now: datetime
) -> Table | Refused:
    """What a table is called, what it is kept for and where it stands.

    Refusals: table_gone (404), room_unknown (404).
    """
    table = _hold_table(table_id)
    if isinstance(table, Refused):
        return table
    if room_id is not None and not Room.objects.filter(event=table.event_id, pk=room_id).exists():
        return Refused("room_unknown", {"room": room_id}, status=404)
    before = _facts(table)
    table.name, table.purpose, table.room_id = clean_name(name), Purpose(purpose), room_id
    if _facts(table) == before:
        return table
    table.save(update_fields=["name", "purpose", "room"])
    _tell_pages(table.event_id, [table.number])
    _log_table("edit_table", table, by=by, now=now, before=before, after=_facts(table))
    return table


def _facts(table: Table) -> dict[str, Any]:
    return {"name": table.name, "purpose": str(table.purpose), "room": table.room_id}


@transaction.atomic
def take_table_out(*, table_id: int, by: Actor, now: datetime) -> Table | Refused:
    """A table is out of order: no match gets it. One that sits there stays until it is moved. Twice is once.

    Refusals: table_gone (404).
    """
    table = _hold_table(table_id)
    if isinstance(table, Refused) or table.out_since is not None:
        return table
    table.out_since = now
    table.save(update_fields=["out_since"])
    _log_table("take_table_out", table, by=by, now=now)
    return table


@transaction.atomic
def bring_table_back(*, table_id: int, by: Actor, now: datetime) -> Table | Refused:
    """A table is in order again. Twice is once. Refusals: table_gone (404)."""
    table = _hold_table(table_id)
    if isinstance(table, Refused) or table.out_since is None:
        return table
    table.out_since = None
    table.save(update_fields=["out_since"])
    _log_table("bring_table_back", table, by=by, now=now)
    return table


@transaction.atomic
def remove_table(*, table_id: int, by: Actor, now: datetime) -> Refused | None:
    """A table stands in the hall no more. Refusals: table_gone (404), table_in_use (table)."""
    table = _hold_table(table_id)
    if isinstance(table, Refused):
        return table
    if open_in(event_id=table.event_id).filter(table=table.number).exists():
        return Refused("table_in_use", {"table": table.number})
    _log_table("remove_table", table, by=by, now=now, before=_facts(table))
    table.delete()
    return None


def _hold_table(table_id: int) -> Table | Refused:
    event_id = Table.objects.filter(pk=table_id).values_list("event", flat=True).first()
    if event_id is not None:
        hold_hall(event_id=event_id)
    return Table.objects.filter(pk=table_id).first() or Refused("table_gone", status=404)


@transaction.atomic
def fix_table(*, entry_id: int, table: int | None, by: Actor, now: datetime) -> Entry | Refused:
    """Where a player has to sit, whatever the round says; None: anywhere. It holds from the next round on.

    Refusals: entry_unknown (404), table_unknown (table, 400).
    """
    entry = Entry.objects.select_for_update().filter(pk=entry_id).first()
    if entry is None:
        return Refused("entry_unknown", {"entry": entry_id}, status=404)
    event_id = entry.tournament.event_id
    standing = set(Table.objects.filter(event=event_id).values_list("number", flat=True))
    if table is not None and (not 1 <= table <= TABLE_MOST or (standing and table not in standing)):
        return Refused("table_unknown", {"table": table}, status=400)
    before, entry.fixed_table = entry.fixed_table, table
    if before == table:
        return entry
    entry.save(update_fields=["fixed_table"])
    ask_for_plan(event_id=event_id)
    record_act(
        verb="fix_table",
        target=f"entry/{entry.pk}",
        by=by,
        now=now,
        event=event_id,
        tournament=entry.tournament_id,
        before={"table": before},
        after={"table": table},
    )
    return entry


def _tell_pages(event_id: int, numbers: Iterable[int]) -> None:
    """Pages of those who sit there say where it is."""
    for stage in stages_at(event_id=event_id, numbers=numbers):
        stage_changed.send(sender=Stage, stage=stage, what="hall")


def _log_table(verb: str, table: Table, *, by: Actor, now: datetime, **facts: dict[str, Any]) -> None:
    ask_for_plan(event_id=table.event_id)
    _log(verb, f"table/{table.number}", table.event_id, by=by, now=now, **facts)


def _log(verb: str, target: str, event_id: int, *, by: Actor, now: datetime, **facts: Any) -> None:
    record_act(verb=verb, target=target, by=by, now=now, event=event_id, **facts)
