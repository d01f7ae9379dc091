"""What is certain while a stage runs: who will be among the best so many whatever happens, and who cannot be any more.

Never "certain" or "out" when it is not so; "possible" whenever in doubt, and always where only tie-breaks would tell.
It is about matches that are played and won by one of the two: nobody is disqualified, and no match is left by both.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import replace
from enum import StrEnum
from itertools import combinations
from math import comb

import rustworkx

from tournaments.engine.formats import get_format
from tournaments.engine.formats.base import Format
from tournaments.engine.snapshot import EntryStatus, Pairing, Result, ResultKind, Snapshot

_SETS_OF_OTHERS = 2_000  # that are tried for an exact answer; more of them, and bounds have to do
_PLACES_PLAYED_OUT = 20_000  # entries times ways to the end


class Prospect(StrEnum):
    """What is known of an entry's chances."""

    CERTAIN = "certain"
    POSSIBLE = "possible"
    OUT = "out"


def prospects(snapshot: Snapshot, format_key: str, best: int, *, ties: bool = True) -> dict[int, Prospect]:
    """For every entry, whether it will be among the `best`. `ties` says whether a match may end tied.

    Exact by places in elimination, and by points in a round robin without ties unless it is large; by bounds on points
    elsewhere. In groups the `best` of each group are meant. Raises KeyError for a format nobody has.
    """
    stage_format = get_format(format_key)
    if stage_format.has_bracket:
        found = _in_bracket(stage_format, snapshot, best)
    else:
        counted = stage_format.counted(snapshot)
        found = {}
        for group in _tables(stage_format, snapshot, counted):
            found |= _in_table(stage_format, group, best, ties=ties)
    gone = {e.id for e in snapshot.entries if e.status is EntryStatus.DISQUALIFIED}
    return {entry: Prospect.OUT if entry in gone else found.get(entry, Prospect.OUT) for entry in snapshot.by_id}


def _judged(surely_below: bool, surely_above: bool) -> Prospect:
    return Prospect.CERTAIN if surely_above else Prospect.OUT if surely_below else Prospect.POSSIBLE


# --- Tables.


def _tables(stage_format: Format, snapshot: Snapshot, counted: Snapshot) -> Iterator[Snapshot]:
    """The stage as the tables it is decided in."""
    groups = stage_format.groups(snapshot)
    if not groups:
        yield counted
    for members in groups:
        yield replace(
            counted,
            entries=tuple(entry for entry in counted.entries if entry.id in members),
            pairings=tuple(pairing for pairing in counted.pairings if pairing.a in members),
        )


def _in_table(stage_format: Format, table: Snapshot, best: int, *, ties: bool) -> dict[int, Prospect]:
    ranked = [e.id for e in table.entries if e.status is not EntryStatus.DISQUALIFIED]
    if len(ranked) <= best:
        return dict.fromkeys(ranked, Prospect.CERTAIN)
    if stage_format.is_fixed and not table.pairings:
        return dict.fromkeys(ranked, Prospect.POSSIBLE)
    low = {entry: table.records[entry].points for entry in ranked}
    high = {entry: low[entry] + _most_to_come(stage_format, table, entry) for entry in ranked}
    lows, highs = sorted(low.values()), sorted(high.values())
    found = {
        entry: _judged(
            len(ranked) - bisect_right(lows, high[entry]) >= best,  # surely above it
            len(ranked) - bisect_left(highs, low[entry]) - 1 < best,  # perhaps level or above, without itself
        )
        for entry in ranked
    }
    if not stage_format.is_fixed or ties:
        return found
    race = _Race(table, ranked, best)
    unclear = [entry for entry, prospect in found.items() if prospect is Prospect.POSSIBLE and race.is_small]
    return found | {entry: race.of(entry) for entry in unclear}


def _most_to_come(stage_format: Format, table: Snapshot, entry: int) -> int:
    """The most points an entry can still get: of its open matches, or of the rounds that are not over for it."""
    points = table.points
    if stage_format.is_over(table):
        return 0
    if stage_format.is_fixed:
        return max(points.win, points.tie) * sum(p.is_open for p in table.games[entry])
    done = table.closed_rounds | {p.round for p in table.games[entry] if not p.is_open}
    rounds = max(0, stage_format.rounds_at_most(table) - len(done))
    return rounds * max(points.win, points.tie, points.bye)


class _Race:
    """A table in which every match that is open will be won by one of the two: exact by maximum flow.

    Whether an entry can finish with so many others ahead is a question for each set of those others: can all open
    matches be given winners so that those of the set have enough, or that nobody else has too much?
    """

    def __init__(self, table: Snapshot, ranked: list[int], best: int) -> None:
        self.points = table.points
        self.ranked = ranked
        self.best = best
        self.open = [(p.a, p.b) for p in table.open_pairings() if p.b is not None]
        lost = table.points.loss
        self.low = {entry: table.records[entry].points for entry in ranked}
        for sides in self.open:
            for entry in sides:
                self.low[entry] += lost
        self.gain = table.points.win - lost
        self.is_small = self.gain > 0 and comb(len(ranked) - 1, best) <= _SETS_OF_OTHERS

    def of(self, entry: int) -> Prospect:
        others = [other for other in self.ranked if other != entry]
        mine = sum(entry in sides for sides in self.open)
        rest = [sides for sides in self.open if entry not in sides]
        lost_all = Prospect.CERTAIN
        # Does not win again, and its opponents have what they win from it: can `best` others come level?
        met: defaultdict[int, int] = defaultdict(int)
        for one, other in self.open:
            if entry in (one, other):
                met[other if entry == one else one] += self.gain
        for ahead in combinations(others, self.best):
            need = {other: self.low[entry] - self.low[other] - met[other] for other in ahead}
            if self._can_reach(need, rest):
                lost_all = Prospect.POSSIBLE
                break
        if lost_all is Prospect.CERTAIN:
            return Prospect.CERTAIN
        # Wins everything: can all but `best` - 1 others be kept from having more?
        ceiling = self.low[entry] + mine * self.gain
        for free in combinations(others, self.best - 1):
            room = {other: ceiling - self.low[other] for other in others if other not in free}
            if self._can_hold(room, rest):
                return Prospect.POSSIBLE
        return Prospect.OUT

    def _can_reach(self, need: Mapping[int, int], rest: list[tuple[int, int]]) -> bool:
        """Whether each of these can win as much as it needs of the matches that are left."""
        wins = {entry: max(0, -(-points // self.gain)) for entry, points in need.items()}
        useful = [[side for side in sides if side in wins] for sides in rest]
        return _flow(useful, wins) == sum(wins.values())

    def _can_hold(self, room: Mapping[int, int], rest: list[tuple[int, int]]) -> bool:
        """Whether all matches that are left can have a winner without anybody here winning more than there is room."""
        if any(points < 0 for points in room.values()):
            return False
        wins = {entry: points // self.gain for entry, points in room.items()}
        bound = [list(sides) for sides in rest if room.keys() >= set(sides)]  # whoever is free can win the others
        return _flow(bound, wins) == len(bound)


def _flow(matches: list[list[int]], wins: Mapping[int, int]) -> int:
    """How many matches can be given to one of their sides without giving any side more than so many."""
    places = [entry for entry, count in wins.items() for _ in range(min(count, len(matches)))]
    nodes: defaultdict[int, list[int]] = defaultdict(list)
    for place, entry in enumerate(places):
        nodes[entry].append(len(matches) + place)
    graph: rustworkx.PyGraph[int, int] = rustworkx.PyGraph(multigraph=False)
    graph.add_nodes_from(range(len(matches) + len(places)))
    graph.add_edges_from(
        [(match, node, 1) for match, sides in enumerate(matches) for entry in sides for node in nodes[entry]]
    )
    return len(rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=int))


# --- Brackets.


def _in_bracket(stage_format: Format, snapshot: Snapshot, best: int) -> dict[int, Prospect]:
    """How many share or are above a place does not depend on who wins, so one way to the end tells it for all places.

    Everybody who is in the same match has the same before them: to win all that is left, or to lose it. What the latter
    comes to is played out for each match, unless there are too many in too large a field.
    """
    places = stage_format.places(snapshot) or {}
    reasons = stage_format.place_reasons(snapshot)
    if not snapshot.pairings:
        return dict.fromkeys(reasons, Prospect.CERTAIN if len(reasons) <= best else Prospect.POSSIBLE)
    waits_in = {
        entry: (match.round, match.number)
        for column in stage_format.bracket(snapshot)
        for match in column.matches
        for entry in (match.a.entry, match.b.entry)
        if entry is not None
    }
    alive = [entry for entry in reasons if entry not in places]
    is_small = len({waits_in[entry] for entry in alive}) * len(reasons) <= _PLACES_PLAYED_OUT
    places_in_the_end = sorted(_end(stage_format, snapshot).values())
    found = {}
    worst: dict[object, int] = {}
    for entry in reasons:
        if entry in places:
            highest = lowest = places[entry]
        else:
            highest = dict(reasons[entry].params)["best"]
            where = waits_in[entry]
            if where not in worst:
                worst[where] = _end(stage_format, snapshot, loser=entry)[entry] if is_small else len(reasons)
            lowest = worst[where]
        found[entry] = _judged(
            bisect_left(places_in_the_end, highest) >= best, bisect_right(places_in_the_end, lowest) - 1 < best
        )
    return found


def _end(stage_format: Format, snapshot: Snapshot, loser: int | None = None) -> Mapping[int, int]:
    """Places after one of the ways the stage can end, in which `loser` wins nothing any more."""
    stage = snapshot
    while True:
        if waiting := list(stage.open_pairings()):
            ended = {p: replace(p, result=_lost_by(p, loser, stage)) for p in waiting}
            stage = replace(stage, pairings=tuple(ended.get(p, p) for p in stage.pairings))
        elif planned := stage_format.pair(stage):
            made = (Pairing(r.number, p.number, p.a, p.b) for r in planned for p in r.pairings)
            stage = replace(stage, pairings=(*stage.pairings, *made))
        else:
            return stage_format.places(stage) or {}


def _lost_by(pairing: Pairing, loser: int | None, stage: Snapshot) -> Result:
    if pairing.a == loser:
        return Result(ResultKind.SCORE, (0, stage.sets_to_win), "b")
    return Result(ResultKind.SCORE, (stage.sets_to_win, 0), "a")
