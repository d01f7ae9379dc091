"""Before when no plan can end, whoever makes it: what a plan is measured by."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from tournaments.engine.scheduling.board import Board
from tournaments.engine.scheduling.facts import Bound, State
from tournaments.engine.scheduling.hours import FAR, Hours, filled, first_start, hall_hours

THRESHOLDS = 48
"""How many heads and tails the bound `stretch` tries at most; fewer make it weaker, never wrong."""


def lower_bound(board: Board) -> Bound:
    """The latest of several times before which the matches that have a place cannot all be over."""
    rest = [i for i, match in enumerate(board.matches) if match.state is State.WAITING and i in board.found]
    running = [a.end for a in board.found.values() if a.state is not State.WAITING]
    found = [Bound(end=max(running, default=board.now), kind="running")]
    if rest:
        heads = _heads(board, rest)
        tails = _tails(board, rest)
        found += [
            _path(board, rest, heads, tails),
            _load(board, rest, heads),
            _tables(board, rest, heads, tails),
            _player(board, rest, heads, tails),
            _stretch(board, rest, heads, tails),
        ]
    return max(found, key=lambda bound: bound.end)


def _heads(board: Board, rest: list[int]) -> dict[int, int]:
    """The earliest each match can begin, were there tables enough."""
    inside = set(rest)
    hours = {match.tournament: hall_hours(board.hall, match.tournament) for match in board.matches}
    busy: dict[str, int] = defaultdict(lambda: -FAR)
    for i, found in board.found.items():
        if found.state is not State.WAITING and found.end > found.start:
            for player in board.matches[i].players:
                busy[player] = max(busy[player], found.end + board.rest_of(player))
    heads: dict[int, int] = {}
    for i in board.flow:
        if i not in inside and not board.is_gate(i):
            continue
        after = [board.now]
        for feed in board.feeds[i]:
            if feed in heads:
                after.append(heads[feed] + board.length[feed] + board.gap(feed, i))
            elif feed in board.found and board.found[feed].end > board.found[feed].start:
                after.append(board.found[feed].end + board.gap(feed, i))
        heads[i] = max(after)
        if i in inside:
            match = board.matches[i]
            after += [match.start or -FAR, match.earliest or -FAR, *(busy[player] for player in match.players)]
            heads[i] = first_start(hours[match.tournament], match.length, max(after))
    return heads


def _tails(board: Board, rest: list[int]) -> dict[int, int]:
    """How long it is at least from the end of a match to the end of all that come of it."""
    tails = dict.fromkeys(rest, 0)
    for i in reversed(board.flow):
        after = [board.gap(i, j) + board.length[j] + tails[j] for j in board.fed[i] if j in tails]
        if after and (i in tails or board.is_gate(i)):
            tails[i] = max(after)
    return tails


def _path(board: Board, rest: list[int], heads: dict[int, int], tails: dict[int, int]) -> Bound:
    return Bound(end=max(heads[i] + board.matches[i].length + tails[i] for i in rest), kind="path")


def _capacity(board: Board, tables: Iterable[int]) -> list[Hours]:
    """When each table can be used by anybody, as far as hours go."""
    tournaments = {match.tournament for match in board.matches}
    only = next(iter(tournaments)) if len(tournaments) == 1 else None
    return [board.hours(only, k) if only is not None else None for k in tables]


def _used(board: Board, group: Iterable[int], tables: tuple[int, ...], after: int) -> int:
    """When matches have been played at tables at the earliest, from `after` on."""
    lengths = [board.matches[i].length for i in group]
    return _filled(board, sum(lengths), len(lengths), _capacity(board, tables), after)


def _filled(board: Board, seconds: int, count: int, capacity: list[Hours], after: int) -> int:
    """The same for so many matches of so many seconds. The turnover between two may fall into a break."""
    turnovers = board.hall.turnover * max(0, count - len(capacity))
    return max(filled(capacity, seconds, after), after + -(-(seconds + turnovers) // len(capacity)))


def _in_use(board: Board) -> tuple[int, ...]:
    return tuple(sorted({k for i in range(len(board.matches)) if i in board.found for k in board.allowed(i)}))


def _load(board: Board, rest: list[int], heads: dict[int, int]) -> Bound:
    return Bound(end=_used(board, rest, _in_use(board), min(heads[i] for i in rest)), kind="load")


def _tables(board: Board, rest: list[int], heads: dict[int, int], tails: dict[int, int]) -> Bound:
    """Matches that need some of the tables, on those alone."""
    groups: dict[tuple[int, ...], list[int]] = defaultdict(list)
    for i in rest:
        groups[tuple(sorted(board.allowed(i)))].append(i)
    ends = [
        _used(board, group, tables, min(heads[i] for i in group)) + min(tails[i] for i in group)
        for tables, group in groups.items()
    ]
    return Bound(end=max(ends), kind="tables")


def _player(board: Board, rest: list[int], heads: dict[int, int], tails: dict[int, int]) -> Bound:
    """All matches of one player one after the other, with the rests between them."""
    of: dict[str, list[int]] = defaultdict(list)
    for i in rest:
        for player in board.matches[i].players:
            of[player].append(i)
    ends = [
        min(heads[i] for i in group)
        + sum(board.matches[i].length for i in group)
        + (len(group) - 1) * board.rest_of(player)
        + min(tails[i] for i in group)
        for player, group in of.items()
    ]
    return Bound(end=max(ends, default=board.now), kind="player")


def _stretch(board: Board, rest: list[int], heads: dict[int, int], tails: dict[int, int]) -> Bound:
    """Matches that begin late and have much after them must all be played between the two."""
    tables = _in_use(board)
    every = sorted(set(tails.values()))
    step = -(-len(every) // THRESHOLDS)
    by_head = sorted(rest, key=lambda i: -heads[i])
    best = board.now
    capacity = _capacity(board, tables)
    is_plain = all(hours is None for hours in capacity)
    for tail in every[::step]:
        seconds = count = 0
        inside = [i for i in by_head if tails[i] >= tail]
        places = set(range(0, len(inside), max(1, len(inside) // THRESHOLDS)))
        for place, i in enumerate(inside):
            seconds += board.matches[i].length
            count += 1
            last = place + 1 == len(inside) or heads[inside[place + 1]] != heads[i]
            if not last or not (is_plain or place in places):
                continue
            end = _filled(board, seconds, count, capacity, heads[i])
            best = max(best, end + tail)
    return Bound(end=best, kind="stretch")
