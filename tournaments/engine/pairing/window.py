"""The exact pairing of a few score groups at once, as one matching of least weight.

The objective is lexicographic: for each group from the top, fewest players paired below it, then the smallest sum of
distances they fall; then wishes (clubs apart, first-turn balance); then the lot. Each part becomes a digit of one
integer weight, wide enough never to carry into the next. The matching library takes weights of 128 bits, so when the
digits of all groups do not fit, the leading ones are solved first: what they come to in the best pairing is then known,
possible pairs that exceed it are struck out, and the digits of a group that is already known are narrow, which makes
room for the next. Turns and lot come in last, if there is room for them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import rustworkx

from tournaments.engine.pairing import turns
from tournaments.engine.pairing.field import SAME_CLUB, Field, Pair

WEIGHT_BITS = 120
_LOT_BITS = 20
_LOT_MASK = (1 << _LOT_BITS) - 1


@dataclass(frozen=True, slots=True)
class _Digit:
    """How a group's fall weighs: `float_shift` for each player paired below it, `excess_shift` for each further step.

    No pair falls more than `reach` steps; 0 means that nobody leaves this group downwards in any best pairing.
    """

    float_shift: int
    excess_shift: int
    reach: int


def solve(
    field: Field,
    groups: Sequence[Sequence[int]],
    below: Sequence[int] = (),
    *,
    rematches: bool = False,
    weight_bits: int = WEIGHT_BITS,
    falls: Sequence[tuple[int, int]] = (),
) -> list[Pair]:
    """The best pairs that cover every player of `groups`, each pair written higher group first.

    `groups` are score groups from the top, `below` players of lower groups who may be taken as partners, nearest
    first. There must be such a cover without a rematch; with `rematches`, which takes no `below`, there may be none:
    then as few pairs as possible have met before, and of those the ones who have met least often.

    `falls` is what is known already of the first groups in the best pairs: how many fall, and how far together. It
    leaves fewer possible pairs to look at.
    """
    solver = _Window(field, groups, below, rematches, weight_bits)
    known = dict(enumerate(falls))
    while True:
        digits, bits = solver.digits(known)
        if len(digits) == len(groups) and bits + solver.fine_bits <= solver.budget:
            return solver.match(digits, bits, fine=True)
        pairs = solver.match(digits, bits, fine=False)
        if len(known) == len(groups):
            return pairs
        if len(digits) > len(known):
            falls = solver.falls(pairs)
            known = {place: falls[place] for place in range(len(digits))}
            continue
        # Even what is known fills the weight: settle the top half of it and go on with the others.
        settled = max(1, len(digits) // 2)
        fixed = [pair for pair in pairs if solver.place[pair[0]] < settled]
        paired = {player for pair in fixed for player in pair}
        others = [[i for i in group if i not in paired] for group in groups]
        left = [group for group in others if group]
        if not left:
            return fixed
        below = [i for i in below if i not in paired]
        return fixed + solve(field, left, below, rematches=rematches, weight_bits=weight_bits)


class _Window:
    """One call of `solve`: the players, and what the weights of their possible pairs are made of."""

    def __init__(
        self,
        field: Field,
        groups: Sequence[Sequence[int]],
        below: Sequence[int],
        rematches: bool,
        weight_bits: int,
    ) -> None:
        self.field = field
        self.groups = groups
        self.rematches = rematches
        self.inside = [i for group in groups for i in group]
        self.players = [*self.inside, *below]
        self.place = {i: place for place, group in enumerate(groups) for i in group}
        size = len(self.inside)
        self.lot_bits = _LOT_BITS + size.bit_length()
        self.fine_bits = self.lot_bits + (field.dearest * size).bit_length()
        self.often_bits = self.rematch_bits = 0
        if rematches:
            most = max(field.times_met(a, b) for a, b in self._all_pairs())
            self.often_bits = (size * most).bit_length()
            self.rematch_bits = size.bit_length()
        self.budget = weight_bits - self.often_bits - self.rematch_bits - 2

    def _all_pairs(self) -> Iterator[Pair]:
        """Every two players of whom at least the first must be covered."""
        for x, a in enumerate(self.inside):
            for b in self.players[x + 1 :]:
                yield a, b

    def digits(self, known: dict[int, tuple[int, int]]) -> tuple[list[_Digit], int]:
        """A digit for each group from the top, for as many as fit, and how many bits they take together."""
        level = self.field.level
        lowest = max(level[i] for i in self.players)
        under = len(self.players)
        shapes: list[tuple[int, int, int]] = []
        spent = 0
        for place, group in enumerate(self.groups):
            under -= len(group)
            most = min(len(group), under)
            reach = lowest - level[group[0]]
            if place in known:
                floats, distance = known[place]
                reach = min(reach, distance - floats + 1) if floats else 0
            float_bits = most.bit_length() if reach else 0
            excess_bits = (most * (reach - 1)).bit_length() if reach > 1 else 0
            spent += float_bits + excess_bits
            if spent > self.budget:
                break
            shapes.append((float_bits, excess_bits, reach))
        found: list[_Digit] = []
        shift = 0
        for float_bits, excess_bits, reach in reversed(shapes):
            found.append(_Digit(float_shift=shift + excess_bits, excess_shift=shift, reach=reach))
            shift += float_bits + excess_bits
        return found[::-1], shift

    def match(self, digits: list[_Digit], bits: int, *, fine: bool) -> list[Pair]:
        """The cover of least weight; groups without a digit fall as they like, turns and lot count only if `fine`."""
        field, place, players = self.field, self.place, self.players
        level, lots, wishes, clubs = field.level, field.lots, field.wishes, field.clubs
        low = self.fine_bits if fine else 0
        rematch_shift = low + bits + self.often_bits
        covered = 1 << (rematch_shift + self.rematch_bits)
        inside = len(self.inside)
        edges = []
        for x, a in enumerate(self.inside):
            met, top, lot, costs, club = field.met[a], level[a], lots[a], turns.COSTS[wishes[a]], clubs[a]
            digit = digits[place[a]] if place[a] < len(digits) else None
            for y in range(x + 1, len(players)):
                b = players[y]
                is_rematch = b in met
                if is_rematch and not self.rematches:
                    continue
                weight = covered * 2 if y < inside else covered
                distance = level[b] - top
                if distance and digit is not None:
                    if distance > digit.reach:
                        continue
                    weight -= ((1 << digit.float_shift) + ((distance - 1) << digit.excess_shift)) << low
                if is_rematch:
                    weight -= (1 << rematch_shift) + ((field.times_met(a, b) - 1) << (low + bits))
                if fine:
                    cost = costs[wishes[b]] + (SAME_CLUB if club and club == clubs[b] else 0)
                    weight -= (cost << self.lot_bits) + (lot * lots[b] >> 32 & _LOT_MASK)
                edges.append((x, y, weight))
        graph: rustworkx.PyGraph[int, int] = rustworkx.PyGraph(multigraph=False)
        graph.add_nodes_from(players)
        graph.add_edges_from(edges)
        matched = rustworkx.max_weight_matching(graph, max_cardinality=False, weight_fn=int)
        return sorted((players[min(pair)], players[max(pair)]) for pair in matched)

    def falls(self, pairs: list[Pair]) -> list[tuple[int, int]]:
        """For each group: how many of its players are paired below it, and the sum of distances."""
        found = [(0, 0)] * len(self.groups)
        for a, b in pairs:
            place, distance = self.place[a], self.field.level[b] - self.field.level[a]
            if distance:
                floats, total = found[place]
                found[place] = (floats + 1, total + distance)
        return found
