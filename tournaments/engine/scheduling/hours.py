"""When something can be played: windows cut with windows, less the breaks; None is always."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence

from tournaments.engine.scheduling.facts import Break, Hall, Match, Table, Window

FAR = 1 << 60
"""Later than any time there is."""

Hours = tuple[Window, ...] | None
"""Windows that neither touch nor overlap, in order; None for always, () for never."""


def tidy(windows: Iterable[Window]) -> tuple[Window, ...]:
    """The same seconds in windows that neither touch nor overlap."""
    found: list[Window] = []
    for window in sorted(windows):
        if found and window.start <= found[-1].end:
            found[-1] = Window(found[-1].start, max(found[-1].end, window.end))
        else:
            found.append(window)
    return tuple(found)


def both(a: Hours, b: Hours) -> Hours:
    """The seconds in both."""
    if a is None or b is None:
        return b if a is None else a
    return tuple(
        Window(max(x.start, y.start), min(x.end, y.end))
        for x in a
        for y in b
        if max(x.start, y.start) < min(x.end, y.end)
    )


def less(hours: Hours, breaks: Iterable[Break]) -> Hours:
    """The seconds that are in no break."""
    for gap in tidy(each.window for each in breaks):
        outside = (Window(-FAR, gap.start), Window(gap.end, FAR))
        hours = both(hours, outside)
    return hours


def hours_of(windows: Iterable[Window]) -> Hours:
    """Windows as they are told, where none means always."""
    return tidy(windows) or None


def hall_hours(hall: Hall, tournament: str) -> Hours:
    """When a tournament can be played in the hall."""
    return less(hours_of(hall.hours), (b for b in hall.breaks if not b.tournaments or tournament in b.tournaments))


def table_hours(hall: Hall, tournament: str, table: Table) -> Hours:
    """When a tournament can be played at a table."""
    return both(hall_hours(hall, tournament), hours_of(table.hours))


def fits(hours: Hours, start: int, end: int) -> bool:
    """Whether all of `start` up to `end` is inside."""
    if hours is None:
        return True
    place = bisect_right(hours, start, key=lambda window: window.start) - 1
    return place >= 0 and end <= hours[place].end


def first_start(hours: Hours, length: int, after: int) -> int:
    """The first start from `after` on at which `length` seconds fit; FAR if there is none."""
    if hours is None:
        return after
    return next((max(w.start, after) for w in hours if max(w.start, after) + length <= w.end), FAR)


def filled(hours: Sequence[Hours], seconds: int, after: int) -> int:
    """When so many seconds can have been used at most, by all of these side by side from `after` on; FAR for never."""
    if seconds <= 0:
        return after
    steps: dict[int, int] = {}
    for each in hours:
        for window in (Window(after, FAR),) if each is None else each:
            if window.end > after:
                steps[max(window.start, after)] = steps.get(max(window.start, after), 0) + 1
                steps[window.end] = steps.get(window.end, 0) - 1
    open_now, at = 0, after
    for time in sorted(steps):
        if open_now:
            if open_now * (time - at) >= seconds:
                return at + -(-seconds // open_now)
            seconds -= open_now * (time - at)
        open_now, at = open_now + steps[time], time
    return FAR


def suits(match: Match, table: Table) -> bool:
    """Whether a table has what a match asks for, promises and hours aside."""
    return match.tags <= table.tags and (not table.tournaments or match.tournament in table.tournaments)
