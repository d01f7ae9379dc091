"""The plan of an event as a grid: tables by time."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from tournaments.models import Break, Event, Slot
from tournaments.queries.schedule import ScheduleRow
from tournaments.queries.slot_clashes import Found

STEP = timedelta(minutes=5)
"""What a line of the grid is high."""

_QUARTER = timedelta(minutes=15)
_OVER_SINCE = timedelta(minutes=30)  # what ended longer ago is not in the grid
_PAUSE = timedelta(hours=3)  # nothing planned for so long: another grid


@dataclass(frozen=True, slots=True)
class PlanRow:
    """A match of the plan with what people decided of it, and with what is wrong with that.

    `match` is its match where it is published; `other` is the one that stands in its way where it has no place.
    """

    row: ScheduleRow
    slot: Slot
    match: int | None = None
    other: ScheduleRow | None = None
    clashes: tuple[Found, ...] = ()

    @property
    def is_fixed(self) -> bool:
        return self.slot.fixed_at is not None or self.slot.fixed_table is not None


@dataclass(frozen=True, slots=True)
class Cell:
    """What is at a table from one line on for some lines: a match, a break of all, or nothing."""

    span: int
    row: PlanRow | None = None
    rest: Break | None = None


@dataclass(frozen=True, slots=True)
class GridLine:
    """Five minutes of the grid: `quarter` is the time at its head, three lines high; `cells` those that begin here.

    `is_now`: this moment is in that quarter.
    """

    quarter: datetime | None
    cells: tuple[Cell, ...]
    is_now: bool


@dataclass(frozen=True, slots=True)
class Grid:
    """Tables by time from `begins_at` on."""

    begins_at: datetime
    tables: tuple[int, ...]
    out: frozenset[int]
    lines: tuple[GridLine, ...]


def grids_of(*, event: Event, rows: Iterable[PlanRow], breaks: Iterable[Break], now: datetime) -> list[Grid]:
    """Tables by time; where nothing is planned for hours another one begins. What ended a while ago is left out."""
    timed = [each for row in rows if (each := _timed(row, now)) is not None]
    if not any(not each.of.row.is_over for each in timed):
        return []
    standing = dict(event.tables.values_list("number", "out_since"))
    out = frozenset(number for number, since in standing.items() if since is not None)
    parts: list[list[_Timed]] = []
    last: datetime | None = None
    for each in sorted(timed, key=lambda each: (each.starts_at, each.table)):
        if last is None or each.starts_at > last + _PAUSE:
            parts.append([])
        parts[-1].append(each)
        last = each.ends_at if last is None else max(each.ends_at, last)
    return [_grid(part, sorted(standing), out, list(breaks), now) for part in parts]


@dataclass(frozen=True, slots=True)
class _Timed:
    """A match that has a table and a time."""

    table: int
    starts_at: datetime
    ends_at: datetime
    of: PlanRow


def _timed(of: PlanRow, now: datetime) -> _Timed | None:
    table, starts_at, ends_at = of.row.table, of.row.starts_at, of.row.ends_at
    if table is None or starts_at is None or ends_at is None or (of.row.is_over and ends_at < now - _OVER_SINCE):
        return None
    return _Timed(table, starts_at, ends_at, of)


def _grid(
    rows: Sequence[_Timed], standing: Sequence[int], out: frozenset[int], breaks: Sequence[Break], now: datetime
) -> Grid:
    first = min(each.starts_at for each in rows)
    begins = first - timedelta(seconds=first.timestamp() % _QUARTER.total_seconds())

    def line(instant: datetime) -> int:
        return round((instant - begins) / STEP)

    tables = tuple(sorted({*standing, *(each.table for each in rows)}))
    columns = [
        _column([(line(each.starts_at), line(each.ends_at), each.of) for each in rows if each.table == number])
        for number in tables
    ]
    height = max(end for column in columns for _begin, end, _each in column)
    height += -height % (_QUARTER // STEP)
    pauses = [(line(each.starts_at), line(each.ends_at), each) for each in breaks if each.tournament_id is None]
    cells: list[list[Cell]] = [[] for _ in range(height)]
    for column in columns:
        for begin, cell in _filled(column, pauses, height):
            cells[begin].append(cell)
    present = int((now - begins) / _QUARTER) * (_QUARTER // STEP)
    return Grid(
        begins_at=begins,
        tables=tables,
        out=out,
        lines=tuple(
            GridLine(
                quarter=begins + place * STEP if place % (_QUARTER // STEP) == 0 else None,
                cells=tuple(cells[place]),
                is_now=place == present,
            )
            for place in range(height)
        ),
    )


_Placed = tuple[int, int, PlanRow]


def _column(there: list[_Placed]) -> list[_Placed]:
    """The matches at one table line by line: none shorter than one, none over another."""
    found: list[_Placed] = []
    free = 0
    for wanted, end, each in sorted(there, key=lambda placed: placed[:2]):
        begin = max(wanted, free)
        free = max(end, begin + 1)
        found.append((begin, free, each))
    return found


def _filled(column: Sequence[_Placed], pauses: Sequence[tuple[int, int, Break]], height: int) -> list[tuple[int, Cell]]:
    """A column from top to bottom without holes: matches, breaks where no match is, nothing."""
    found: list[tuple[int, Cell]] = []
    at = 0
    for begin, end, each in (*column, (height, height, None)):
        for from_, until, rest in sorted(pauses, key=lambda pause: pause[:2]):
            start, stop = max(from_, at), min(until, begin)
            if start < stop:
                if start > at:
                    found.append((at, Cell(start - at)))
                found.append((start, Cell(stop - start, rest=rest)))
                at = stop
        if begin > at:
            found.append((at, Cell(begin - at)))
        if each is not None:
            found.append((begin, Cell(end - begin, row=each)))
        at = end
    return found
