"""The hall of an event as it is now: which tables stand, who sits at them, what waits for one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Exists, OuterRef, Q, QuerySet

from players.permissions import Actor
from tournaments.engine.tables import Hall, Want, give_tables
from tournaments.models import Entry, Event, Pairing, Room, Round, Table, TableUse, Tournament
from tournaments.models.tournament import Seating, State
from tournaments.permissions import may_move

TABLE_MOST = 9999
"""No number of a table is larger."""

OPEN = Q(round__published_at__isnull=False, match__kind="", match__is_void=False)
"""Pairings with a match that waits for its result."""


def open_in(*, event_id: int) -> QuerySet[Pairing]:
    """Every open match of an event."""
    return Pairing.objects.filter(OPEN, round__stage__tournament__event=event_id)


def hall_of(*, tournament: Tournament, published: Round | None = None) -> Hall:
    """What a round of a tournament finds now. An event without tables counts on any number.

    Where matches come to tables from the queue a round finds none: each is called when its turn comes. A round that is
    `published` already takes turns with those that came out with it.
    """
    event_id = tournament.event_id
    if tournament.seating == Seating.QUEUE:
        return Hall(first=tournament.first_table, tables=frozenset())
    rows = list(Table.objects.filter(event=event_id))
    usable = [row for row in rows if row.out_since is None]
    busy: set[int] = set()
    uses = TableUse.objects.filter(event=event_id).values_list("number", *(f"pairing__{name}" for name in _WHERE))
    for number, *where in (*uses, *open_in(event_id=event_id).values_list("table", *_WHERE)):
        if number is not None and (published is None or not _share(published, *where)):
            busy.add(number)
    return Hall(
        first=tournament.first_table,
        busy=frozenset(busy),
        tables=frozenset(row.number for row in usable) if rows else None,
        shown=frozenset(row.number for row in usable if row.purpose),
    )


def lacks_tables(*, tournament: Tournament) -> bool:
    """Whether nobody could be called: matches come to tables from the queue, and no table is in order."""
    if tournament.seating != Seating.QUEUE:
        return False
    return not Table.objects.filter(event=tournament.event_id, out_since__isnull=True).exists()


_WHERE = ("round", "round__stage", "round__published_at")


def _share(one: Round, other: int, stage: int, published_at: datetime | None) -> bool:
    """Whether two rounds came out at once: their matches play one after the other at the same tables."""
    return one.pk != other and one.stage_id == stage and one.published_at == published_at


def find_tables(*, pairings: Sequence[Pairing], hall: Hall) -> None:
    """Put a table to each pairing of one round that has two sides, in the hall as it is; nothing is stored.

    The first match of the round leads it.
    """
    ids = {side for pairing in pairings for side in (pairing.a_id, pairing.b_id) if side is not None}
    fixed = dict(Entry.objects.filter(pk__in=ids, fixed_table__isnull=False).values_list("pk", "fixed_table"))
    ordered = sorted(pairings, key=lambda pairing: pairing.number)
    wants: list[Want | None] = []
    for pairing in ordered:
        leads = pairing.number == 1 + len(wants) and not any(wants)
        want = Want((fixed.get(pairing.a_id), fixed.get(pairing.b_id or 0)), leads=leads)
        wants.append(None if pairing.b_id is None else want)
    for pairing, number in zip(ordered, give_tables(wants, hall), strict=True):
        pairing.table = number


@dataclass(frozen=True, slots=True)
class TableRow:
    """A table of the hall and the open match at it, where there is one."""

    table: Table
    pairing: Pairing | None

    @property
    def is_out(self) -> bool:
        return self.table.out_since is not None


@dataclass(frozen=True, slots=True)
class HallPage:
    """Everything the organiser sees of a hall. `waiting` are matches without a table, the oldest first.

    `loose` sit at numbers that do not stand in a hall that has tables.
    """

    rooms: tuple[tuple[Room | None, tuple[TableRow, ...]], ...]
    waiting: tuple[Pairing, ...]
    loose: tuple[Pairing, ...]


def hall_page(*, event: Event) -> HallPage:
    """The rooms of an event with their tables, in order, and who sits there. Tables of no room come first."""
    open_now = list(_told(open_in(event_id=event.pk)))
    at: dict[int, Pairing] = {}
    for pairing in open_now:  # of the rounds of a round robin the earliest is the one that is played
        if pairing.table is not None:
            at.setdefault(pairing.table, pairing)
    rows: dict[int | None, list[TableRow]] = {}
    for table in event.tables.order_by("number"):
        rows.setdefault(table.room_id, []).append(TableRow(table, at.get(table.number)))
    standing = {row.table.number for several in rows.values() for row in several}
    rooms: list[tuple[Room | None, tuple[TableRow, ...]]] = [
        (room, tuple(rows.get(room.pk, ()))) for room in event.rooms.order_by("name", "pk")
    ]
    if None in rows:
        rooms.insert(0, (None, tuple(rows[None])))
    return HallPage(
        rooms=tuple(rooms),
        waiting=tuple(pairing for pairing in open_now if pairing.table is None),
        loose=tuple(p for p in open_now if standing and p.table is not None and p.table not in standing),
    )


def _told(found: QuerySet[Pairing]) -> QuerySet[Pairing]:
    facts = ("a", "b", "match", "round__stage__tournament")
    return found.select_related(*facts).order_by("round__published_at", "round__number", "number", "pk")


def waiting_for_table(*, event: Event, tournament: Tournament | None) -> list[Pairing]:
    """Open matches that have no table, those that wait longest first."""
    found = open_in(event_id=event.pk).filter(table=None, round__stage__tournament__state=State.RUNNING)
    return list(_told(found if tournament is None else found.filter(round__stage__tournament=tournament)))


def waiting_halls() -> list[int]:
    """Ids of events in which a match waits for a table while one is free: there is something to work out."""
    waiting = Pairing.objects.filter(OPEN, table=None, round__stage__tournament__state=State.RUNNING)
    events = sorted(set(waiting.values_list("round__stage__tournament__event", flat=True)))
    used = TableUse.objects.filter(event=OuterRef("event"), number=OuterRef("number"))
    free = Table.objects.filter(~Exists(used), event__in=events, out_since=None)
    return sorted(set(free.values_list("event", flat=True))) if events else []


def rivals(pairing: Pairing, number: int) -> list[Pairing]:
    """The open matches at a table that keep another one from it.

    Rounds that are published at once share their tables: one after the other they play at the same one. From the queue
    each match is called to a table of its own.
    """
    event_id = pairing.round.stage.tournament.event_id
    there = _told(open_in(event_id=event_id).filter(table=number).exclude(pk=pairing.pk))
    return [each for each in there if not _take_turns(pairing, each)]


def _take_turns(one: Pairing, other: Pairing) -> bool:
    if one.round.stage.tournament.seating == Seating.QUEUE:
        return False
    return _share(one.round, other.round_id, other.round.stage_id, other.round.published_at)


@dataclass(frozen=True, slots=True)
class Choice:
    """A table a match can go to: `pairing` is the match that would change places with it, None where it is free."""

    number: int
    table: Table | None
    pairing: Pairing | None


def choices(*, pairing: Pairing, actor: Actor) -> list[Choice]:
    """The tables the actor may move a match to, the lowest first: free ones, and such where two would change places.

    Where an event has no tables: every number up to ten beyond the last in use.
    """
    tournament = pairing.round.stage.tournament
    event_id = tournament.event_id
    tables = {table.number: table for table in Table.objects.filter(event=event_id)}
    there: dict[int, list[Pairing]] = {}
    for each in _told(open_in(event_id=event_id).exclude(pk=pairing.pk)):
        if each.table is not None and not _take_turns(pairing, each):
            there.setdefault(each.table, []).append(each)
    numbers = {number for number, table in tables.items() if table.out_since is None}
    if not tables:
        numbers = set(range(1, max({*there, pairing.table or 1, tournament.first_table}) + 11))
    found = []
    for number in sorted(numbers - {pairing.table}):
        others = there.get(number, [])
        is_mine = all(
            may_move(actor, event=event_id, tournament=each.round.stage.tournament_id, tables=(number, pairing.table))
            for each in (pairing, *others)
        )
        if is_mine and number <= TABLE_MOST and len(others) < 2:
            found.append(Choice(number, tables.get(number), others[0] if others else None))
    return found


def misses_fixed(pairing: Pairing) -> tuple[tuple[str, int], ...]:
    """Who of a match has to sit at another table than it has: names and tables. Its entries are loaded."""
    sides = [side for side in (pairing.a, pairing.b) if side is not None]
    if len(sides) < 2:
        return ()
    return tuple((side.staff_name, side.fixed_table) for side in sides if side.fixed_table not in (None, pairing.table))


def row_of(*, table: Table) -> TableRow:
    """A table and who sits there."""
    return TableRow(table, _told(open_in(event_id=table.event_id).filter(table=table.number)).first())


def matches_at(*, event: Event) -> dict[int, int]:
    """The number of each table with an open match at it, and the id of that match."""
    found: dict[int, int] = {}
    for pairing in _told(open_in(event_id=event.pk).filter(table__isnull=False)):
        if pairing.table is not None and pairing.match_id is not None:
            found.setdefault(pairing.table, pairing.match_id)
    return found


def place_of(*, event_id: int, number: int) -> list[str]:
    """What is said of where a table stands: its own name and that of its room, as far as they have any."""
    table = Table.objects.select_related("room").filter(event=event_id, number=number).first()
    if table is None:
        return []
    return [name for name in (table.name, "" if table.room is None else table.room.name) if name]


def stages_at(*, event_id: int, numbers: Iterable[int]) -> list[int]:
    """The stages with an open match at one of these tables."""
    found = open_in(event_id=event_id).filter(table__in=list(numbers))
    return sorted(set(found.values_list("round__stage", flat=True)))
