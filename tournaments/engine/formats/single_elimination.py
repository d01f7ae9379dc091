"""Single elimination: who loses is out; the winner of the last match is the champion."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from tournaments.engine.formats.base import Feed, Note
from tournaments.engine.formats.elimination import (
    Column,
    Elimination,
    Graph,
    Node,
    Seed,
    Source,
    elimination_round_name,
    seed_order,
)


@dataclass(frozen=True, slots=True)
class SingleEliminationOptions:
    """`third_place`: the losers of the semi-finals play for third place, in a round of their own before the final."""

    third_place: bool = False


class SingleElimination(Elimination):
    """A bracket for any field from 2, in the standard order of seeds; the best seeds have the byes of round 1.

    The winner of match m of a round plays in match (m + 1) // 2 of the next, on side a if m is odd. Places are 1, 2, 3,
    3, 5 …; with a match for third place 1, 2, 3, 4, 5 ….
    """

    key = "single_elimination"
    Options = SingleEliminationOptions

    def graph(self, entries: int, options: object) -> Graph:
        wanted = isinstance(options, SingleEliminationOptions) and options.third_place
        return _graph((entries - 1).bit_length(), wanted and entries > 3)

    def advice(self, entries: int, options: object) -> tuple[Note, ...]:
        """`no_third_place` (entries): too few for losing semi-finalists."""
        wanted = isinstance(options, SingleEliminationOptions) and options.third_place
        return (Note.of("no_third_place", entries=entries),) if wanted and entries < 4 else ()


@lru_cache(maxsize=8)
def _graph(depth: int, third_place: bool) -> Graph:
    """`depth` levels from round 1 to the final. Rounds count levels, with a match for third place before the final."""
    sides: list[Source] = [Seed(number) for number in seed_order(1 << depth)]
    columns: list[Column] = []
    for level in range(1, depth + 1):
        is_final, is_semi_final = level == depth, level == depth - 1
        number = level + (third_place and is_final)
        if third_place and is_final:
            a, b = (Feed(feed.place, loser=True) for feed in sides if isinstance(feed, Feed))
            node = Node((level, 1), a, b, 4, winner_place=3, won="place_third_won", lost="place_third_lost")
            columns.append(Column(level, Note.of("third_place"), (node,)))
        goes_on = 3 if third_place and is_semi_final else None
        loser_place = 4 if goes_on else (1 << (depth - level)) + 1
        nodes = tuple(
            Node((number, place), a, b, loser_place, goes_on)
            if not is_final
            else Node((number, place), a, b, 2, winner_place=1, won="place_final_won", lost="place_final_lost")
            for place, (a, b) in enumerate(zip(sides[::2], sides[1::2], strict=True), start=1)
        )
        columns.append(Column(number, elimination_round_name(2 << (depth - level)), nodes))
        sides = [Feed(node.place) for node in nodes]
    return Graph(tuple(columns))
