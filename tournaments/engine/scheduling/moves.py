"""Acts of an organiser on a plan: everything later, a match elsewhere, a round to its tables."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from tournaments.engine.scheduling.facts import Break, Hall, Match, State, Table, in_order
from tournaments.engine.scheduling.hours import suits


@dataclass(frozen=True, slots=True)
class Shifted:
    """Matches and hall as they are after a shift."""

    matches: tuple[Match, ...]
    hall: Hall


def shift(
    *,
    matches: Iterable[Match],
    hall: Hall,
    by: int,
    since: int,
    tournament: str | None = None,
    stays: frozenset[str] = frozenset(),
) -> Shifted:
    """Everything that was to begin at `since` or later begins `by` seconds later, breaks too; less than 0 is earlier.

    What has begun, is called or over keeps its times, and the hall its hours: plan anew to see what still fits. With
    `tournament` only its matches move, and the breaks that are its alone. `stays` are keys of matches and breaks that
    do not move.
    """
    moved = tuple(
        match
        if match.state is not State.WAITING or match.key in stays or tournament not in (None, match.tournament)
        else replace(match, start=_later(match.start, by, since), earliest=_later(match.earliest, by, since))
        for match in in_order(matches)
    )
    breaks = tuple(each if _is_kept(each, since, tournament, stays) else _moved(each, by) for each in hall.breaks)
    return Shifted(moved, replace(hall, breaks=breaks))


def _later(time: int | None, by: int, since: int) -> int | None:
    return time if time is None or time < since else time + by


def _is_kept(each: Break, since: int, tournament: str | None, stays: frozenset[str]) -> bool:
    return each.start < since or each.key in stays or (tournament is not None and each.tournaments != {tournament})


def _moved(each: Break, by: int) -> Break:
    return replace(each, start=each.start + by, end=each.end + by)


@dataclass(frozen=True, slots=True)
class RoundTables:
    """Match to table for a round that everybody begins together, and the matches there was no table for."""

    tables: dict[str, str]
    without: tuple[str, ...]


def seat_round(*, matches: Iterable[Match], hall: Hall) -> RoundTables:
    """A table for every match of a round, in the order of the matches (`Match.order`: standing, then table order).

    A promised table is kept. Those who need a feature of a table get one first, and as many as can are seated. Tables
    out of use, or with a match that is called or being played, are left out, and so are matches with less than two
    players: a bye takes no table.
    """
    every = tuple(in_order(matches))
    taken = {match.table for match in every if match.state in (State.CALLED, State.PLAYING)}
    tables = sorted(
        (table for table in hall.tables if not table.out_of_use and table.key not in taken),
        key=lambda table: (table.order, table.key),
    )
    waiting = [match for match in every if match.state is State.WAITING and len(match.players) > 1 and not match.held]
    seated: dict[str, Match] = {}
    for match in waiting:
        if match.table in {table.key for table in tables}:
            seated.setdefault(match.table or "", match)
    promised = {match.key for match in seated.values()}
    fitting = {match.key: [table for table in tables if suits(match, table)] for match in waiting}
    fewest_first = sorted(waiting, key=lambda match: len(fitting[match.key]) == len(tables))
    for match in fewest_first:
        if match.key not in promised:
            _seat(match, fitting, seated, promised, set())
    found = {match.key: table for table, match in seated.items()}
    return RoundTables(
        {match.key: found[match.key] for match in waiting if match.key in found},
        tuple(match.key for match in waiting if match.key not in found),
    )


def _seat(
    match: Match, fitting: dict[str, list[Table]], seated: dict[str, Match], promised: set[str], seen: set[str]
) -> bool:
    """Put a match to the first table that is free, or that whoever sits there can leave for another."""
    for table in fitting[match.key]:
        if table.key not in seated:
            seated[table.key] = match
            return True
    for table in fitting[match.key]:
        other = seated[table.key]
        if table.key in seen or other.key in promised:
            continue
        seen.add(table.key)
        if _seat(other, fitting, seated, promised, seen):
            seated[table.key] = match
            return True
    return False
