"""The plan of a hall: who plays where and when, to the last match; when that ends; what has no place, and why."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from tournaments.engine.scheduling.board import Board
from tournaments.engine.scheduling.bounds import lower_bound
from tournaments.engine.scheduling.facts import Assignment, Hall, Match, Misfit, Plan, State
from tournaments.engine.scheduling.hours import FAR, both, first_start, hall_hours, suits

__all__ = ["Call", "calls", "next_call", "plan"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """A match to be called to a table now."""

    match: str
    table: str
    referee: str | None = None


def plan(*, matches: Iterable[Match], hall: Hall, now: int) -> Plan:
    """Where and when everything is played from `now` on, as it looks now.

    Told the facts of a later moment it is the plan of that moment: what is over, called or being played stays, so does
    what was promised, and the rest follows. It is the same for the same facts in any order, and nothing that could be
    played waits while a table it fits is free. ValueError where a key is there twice.
    """
    board = Board(matches, hall, now)
    board.fill()
    return plan_of(board)


def plan_of(board: Board) -> Plan:
    """What a filled board says."""
    found = [board.found[i] for i in sorted(board.found)]
    return Plan(
        assignments=by_time(found, board.hall),
        misfits=misfits(board),
        end=max((each.end for each in found), default=board.now),
        bound=lower_bound(board),
    )


def by_time(assignments: Iterable[Assignment], hall: Hall) -> tuple[Assignment, ...]:
    """Assignments in order of start, and of their tables where they start together."""
    place = {table.key: (table.order, table.key) for table in hall.tables}
    return tuple(
        sorted(assignments, key=lambda a: (a.start, place.get(a.table or "", (0, a.table or "")), a.end, a.match))
    )


def calls(*, matches: Iterable[Match], hall: Hall, now: int, tables: frozenset[str] | None = None) -> tuple[Call, ...]:
    """What to call now: for every table that is free (of `tables`, where they are named) the match that is next.

    A match can be called when all that feeds it is over, both players are known, rested and not busy, and it is not
    held. What is called or being played takes its table and its people until it is over. The order is that of `plan`.
    """
    board = Board(matches, hall, now, live=True)
    board.fill(tables)
    starting = (a for i, a in sorted(board.found.items()) if a.state is State.WAITING and a.start == now)
    return tuple(
        Call(match=a.match, table=a.table, referee=a.referee) for a in by_time(starting, hall) if a.table is not None
    )


def next_call(*, matches: Iterable[Match], hall: Hall, now: int, table: str) -> Call | None:
    """What to call to one table now; None where there is nothing, or the table is not free."""
    found = calls(matches=matches, hall=hall, now=now, tables=frozenset({table}))
    return next((call for call in found if call.table == table), None)


def misfits(board: Board) -> tuple[Misfit, ...]:
    """Matches without a place, each with the first reason there is."""
    without = [
        i
        for i in (*board.order, *sorted(board.circle))
        if i not in board.found and board.matches[i].state is State.WAITING
    ]
    missing = set(without)
    found = []
    for i in without:
        code, other = _why(board, i, missing)
        found.append(Misfit(match=board.matches[i].key, code=code, other=other))
    return tuple(found)


def _why(board: Board, i: int, missing: set[int]) -> tuple[str, str]:
    match = board.matches[i]
    if match.held:
        return "held", ""
    fed_by = next((feed for feed in board.sources(i) if feed in missing), None)
    if i in board.circle:
        return "in_circle", "" if fed_by is None else board.matches[fed_by].key
    if fed_by is not None:
        return "waits_for", board.matches[fed_by].key
    tables = board.allowed(i)
    if not tables:
        return "tables_out" if any(suits(match, table) for table in board.tables) else "no_table", ""
    refereed = match.needs_referee or match.referee is not None
    if refereed and not any(board.can_referee(match, board.tables[k]) for k in tables):
        return "no_referee", match.referee or ""
    return _no_time(board, i, tables)


def _no_time(board: Board, i: int, tables: tuple[int, ...]) -> tuple[str, str]:
    """Whose hours are in the way."""
    match = board.matches[i]
    after = max(board.ready[i], board.now, match.start or board.now)
    hall = hall_hours(board.hall, match.tournament)
    if first_start(hall, match.length, -FAR) == FAR:
        return "too_long", ""
    if first_start(hall, match.length, after) == FAR:
        return "hall_closes", ""
    hours = [board.hours(match.tournament, k) for k in tables]
    if all(first_start(each, match.length, after) == FAR for each in hours):
        return "table_closes", board.tables[tables[0]].key if len(tables) == 1 else ""
    for player in match.players:
        if all(first_start(both(h, board.person_hours.get(player)), match.length, after) == FAR for h in hours):
            return "player_leaves", player
    return "no_room", ""
