"""The field of one round as numbers: everything the matching works on.

Contenders become indices 0, 1, 2 … in canonical order: by points, within the same points by lot. All later choices are
made on indices, so the outcome depends on the facts and the lot alone, never on the order the contenders came in.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import cast

import rustworkx

from tournaments.engine.lots import lots
from tournaments.engine.pairing import turns
from tournaments.engine.pairing.contenders import Contender

Pair = tuple[int, int]
SAME_CLUB = 2 * turns.DEAREST
_ABSENT: frozenset[int | None] = frozenset([None])


def enough_for(met: int) -> int:
    """How many players can always be paired without a rematch while nobody has met more than `met` of them."""
    return 2 * met + 2


@dataclass(frozen=True, slots=True)
class Field:
    """The contenders of one round, indexed in canonical order.

    `levels` are the score groups from the top; `level[i]` is the group of i. `met[i]` are the indices i has met.

    `enough` rests on a theorem of Dirac: a graph of n nodes in which every node has at least n/2 neighbours has a
    perfect matching. If nobody has met more than d of the others, any even set of at least 2d + 2 players can
    therefore be paired without a rematch. This is what lets the groups be settled from the top without looking back.
    `roomy` is the size from which a group stays able to do anything that could be asked of it: take in a player from
    above, let any other go, and still be paired within itself.
    """

    contenders: tuple[Contender, ...]
    lots: tuple[int, ...]
    level: tuple[int, ...]
    levels: tuple[tuple[int, ...], ...]
    met: tuple[frozenset[int], ...]
    wishes: tuple[int, ...]
    clubs: tuple[str, ...]
    has_clubs: bool
    most_met: int

    @classmethod
    def of(cls, contenders: Iterable[Contender], *, seed: str, number: int) -> Field:
        draw = lots(seed, number)
        drawn = sorted(((-c.points, draw(c.seed or c.id), c.id), c) for c in contenders)
        ordered = tuple([contender for _, contender in drawn])
        place = {contender.id: i for i, contender in enumerate(ordered)}.get
        points = [contender.points for contender in ordered]
        levels = tuple(tuple(group) for _, group in groupby(range(len(ordered)), key=points.__getitem__))
        met = cast("tuple[frozenset[int], ...]", tuple([frozenset(map(place, c.met)) - _ABSENT for c in ordered]))
        return cls(
            contenders=ordered,
            lots=tuple([key[1] for key, _ in drawn]),
            level=tuple([k for k, group in enumerate(levels) for _ in group]),
            levels=levels,
            met=met,
            wishes=tuple([turns.wish(contender.turns) for contender in ordered]),
            clubs=tuple([contender.club for contender in ordered]),
            has_clubs=any(contender.club for contender in ordered),
            most_met=max(map(len, met), default=0),
        )

    @property
    def size(self) -> int:
        return len(self.contenders)

    @property
    def enough(self) -> int:
        return enough_for(self.most_met)

    @property
    def roomy(self) -> int:
        return 2 * self.enough + 2

    @property
    def dearest(self) -> int:
        """The most that pairing two can cost in broken wishes."""
        return turns.DEAREST + (SAME_CLUB if self.has_clubs else 0)

    def clash(self, a: int, b: int) -> int:
        """What pairing a with b costs in broken wishes: in first-turn balance, and if they are of one club."""
        cost = turns.COSTS[self.wishes[a]][self.wishes[b]]
        return cost + SAME_CLUB if self.clubs[a] and self.clubs[a] == self.clubs[b] else cost

    def times_met(self, a: int, b: int) -> int:
        return self.contenders[a].met.get(self.contenders[b].id, 0)

    def fewest_rematches(self, players: Sequence[int]) -> int:
        """The fewest rematches a pairing of these players (an even number) can have.

        Whoever a largest rematch-free matching leaves over have all met each other, and are paired among themselves.
        """
        size = len(players)
        among = frozenset(players)
        if size >= 2 * max((len(self.met[i] & among) for i in players), default=0) + 2 or not size:
            return 0
        graph: rustworkx.PyGraph[int, int] = rustworkx.PyGraph(multigraph=False)
        graph.add_nodes_from(list(players))
        graph.add_edges_from(
            [(x, y, 1) for x in range(size) for y in range(x + 1, size) if players[y] not in self.met[players[x]]]
        )
        matched = rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=int)
        return size // 2 - len(matched)
