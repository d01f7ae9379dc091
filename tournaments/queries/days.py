"""A schedule day by day of the venue, and table by table."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta, tzinfo

from tournaments.models import Break, Opening
from tournaments.queries.schedule import Schedule, ScheduleRow

_NIGHT_ENDS = 5  # o'clock: until then a hall nobody gave hours to is still in the evening before
_LONGEST_DAY = timedelta(hours=24)


def venue_day(instant: datetime, *, zone: tzinfo, openings: Iterable[Opening] = ()) -> date:
    """The day of the venue an instant belongs to: the one that began it, as long as the hall has not closed since.

    Where nobody said when the hall is open, or it does not close for a day and more, a day ends in the small hours.
    """
    there = instant.astimezone(zone)
    for opening in openings:
        if opening.opens_at <= instant < opening.closes_at and opening.closes_at - opening.opens_at < _LONGEST_DAY:
            return opening.opens_at.astimezone(zone).date()
    return there.date() - timedelta(days=1) if there.hour < _NIGHT_ENDS else there.date()


@dataclass(frozen=True, slots=True)
class Line:
    """What stands at one time of a day: a match, several of one round nobody knows the players of, or a break.

    `after_midnight`: the calendar says the next day already. `is_next`: nothing that waits is earlier.
    """

    starts_at: datetime
    ends_at: datetime | None
    row: ScheduleRow | None = None
    many: int = 1
    rest: Break | None = None
    day: date = date.min
    after_midnight: bool = False
    is_next: bool = False

    @property
    def is_sure(self) -> bool:
        """Whether readers may count on the time."""
        return self.row is None or self.row.is_sure


@dataclass(frozen=True, slots=True)
class Day:
    """One day of the venue: when the hall is open, what is over by then, and what is not."""

    date: date
    openings: tuple[Opening, ...]
    over: tuple[Line, ...]
    lines: tuple[Line, ...]

    @property
    def all(self) -> tuple[Line, ...]:
        """Everything in the order of time."""
        return tuple(sorted((*self.over, *self.lines), key=lambda line: line.starts_at))


def days_of(schedule: Schedule, *, zone: tzinfo, only_matches: bool = False) -> list[Day]:
    """The schedule day by day of the venue; with `only_matches` days without any are left out."""
    gathered = _gathered(schedule.rows)
    breaks = [Line(rest.starts_at, rest.ends_at, rest=rest) for rest in schedule.breaks]
    lines = _placed([*gathered, *breaks], schedule=schedule, zone=zone)
    days: dict[date, list[Line]] = {}
    hours: dict[date, list[Opening]] = {}
    for line in lines:
        days.setdefault(line.day, []).append(line)
    for opening in schedule.openings:
        hours.setdefault(opening.opens_at.astimezone(zone).date(), []).append(opening)
    shown = {line.day for line in lines if line.row is not None} if only_matches else {*days, *hours}
    return [_day(day, hours.get(day, ()), days.get(day, ())) for day in sorted(shown)]


def _placed(lines: Iterable[Line], *, schedule: Schedule, zone: tzinfo) -> list[Line]:
    """The same lines with the day they belong to, those marked that come next."""
    found = list(lines)
    waiting = [line.starts_at for line in found if line.row is not None and line.row.state == "waiting"]
    first = min(waiting, default=None)
    return [
        replace(
            line,
            day=(day := venue_day(line.starts_at, zone=zone, openings=schedule.openings)),
            after_midnight=line.starts_at.astimezone(zone).date() > day,
            is_next=line.row is not None and line.row.state == "waiting" and line.starts_at == first,
        )
        for line in found
    ]


def _day(day: date, openings: Sequence[Opening], lines: Iterable[Line]) -> Day:
    """What is over stands apart, with the breaks that came before what is not."""
    there = sorted(lines, key=lambda line: (line.starts_at, line.rest is None))
    ahead = min((line.starts_at for line in there if line.row is not None and not line.row.is_over), default=None)
    over: list[Line] = []
    rest: list[Line] = []
    for line in there:
        is_over = line.row.is_over if line.row is not None else ahead is None or line.starts_at < ahead
        (over if is_over else rest).append(line)
    return Day(day, tuple(openings), tuple(over), tuple(rest))


def _gathered(rows: Iterable[ScheduleRow]) -> list[Line]:
    """A line for each match with a time; one for all of a round of whom nothing is known, when the first is."""
    lines: list[Line] = []
    unknown: dict[tuple[int, int], list[ScheduleRow]] = {}
    for row in rows:
        if row.starts_at is None:
            continue
        if row.is_open_on_both_sides and not row.is_over:
            unknown.setdefault((row.stage, row.round), []).append(row)
        else:
            lines.append(Line(row.starts_at, row.ends_at, row))
    for several in unknown.values():
        first = min(row.starts_at for row in several if row.starts_at is not None)
        last = max((row.ends_at for row in several if row.ends_at is not None), default=None)
        lines.append(Line(first, last, several[0], many=len(several)))
    return lines


def by_table(schedule: Schedule, *, zone: tzinfo) -> list[tuple[int, list[Line]]]:
    """The matches at each table in order of time, tables by number."""
    at: dict[int, list[Line]] = {}
    for row in schedule.rows:
        if row.table is not None and row.starts_at is not None:
            at.setdefault(row.table, []).append(Line(row.starts_at, row.ends_at, row))
    return [(number, _placed(lines, schedule=schedule, zone=zone)) for number, lines in sorted(at.items())]
