"""Pairing a pool of players entirely among themselves, without a rematch, by their wishes for turns and clubs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import rustworkx

from tournaments.engine.pairing import turns
from tournaments.engine.pairing.field import SAME_CLUB, Field, Pair

_ALWAYS_BEST_UP_TO = 64  # players; in larger pools the quick pairing stands even if it costs a little more
_SWAPS_TRIED = 200
_LOT_BITS = 16
_LOT_MASK = (1 << _LOT_BITS) - 1


def pair_pool(field: Field, pool: Sequence[int]) -> list[Pair] | None:
    """All of `pool` in pairs, or None if no pairing is free of rematches. What broken wishes cost is least.

    Those who want the first turn meet those who want the second, which costs least while rematches are left out of
    account; then rematches are taken out by swapping partners with another pair. If that costs more, or gets stuck,
    a matching finds the best pairing.
    """
    pairs = _by_wish(field, pool)
    least = sum(turns.COSTS[field.wishes[a]][field.wishes[b]] for a, b in pairs)
    if _without_rematches(field, pairs):
        if field.has_clubs:
            _with_clubs_apart(field, pairs)
        if len(pool) > _ALWAYS_BEST_UP_TO or clashes(field, pairs) == least:
            return pairs
    return _by_matching(field, pool)


def clashes(field: Field, pairs: Iterable[Pair]) -> int:
    """What these pairs cost in broken wishes."""
    return sum(field.clash(a, b) for a, b in pairs)


def _by_wish(field: Field, pool: Sequence[int]) -> list[Pair]:
    """The pairs that cost least if nobody had met.

    Opposite wishes meet, the strongest of the larger side first; its next ones meet those who have no wish, and what
    is left of it meets among itself, strong with weak.
    """
    wishes = field.wishes
    first: list[int] = []
    second: list[int] = []
    free: list[int] = []
    for i in pool:
        (first if wishes[i] > 0 else second if wishes[i] else free).append(i)
    larger = first if len(first) >= len(second) else second
    larger.sort(key=lambda i: -abs(wishes[i]))
    matched = min(len(first), len(second))
    pairs = list(zip(first[:matched], second[:matched], strict=True))
    over = larger[matched:]
    served = min(len(over), len(free))
    pairs += zip(over[:served], free[:served], strict=True)
    rest = over[served:] + free[served:]
    pairs += zip(rest[: len(rest) // 2], reversed(rest[len(rest) // 2 :]), strict=True)
    return pairs


def _without_rematches(field: Field, pairs: list[Pair]) -> bool:
    """Swap partners in `pairs` until nobody meets an earlier opponent; False if a rematch cannot be swapped away."""
    for place, (a, b) in enumerate(pairs):
        if b not in field.met[a]:
            continue
        swap = _best_swap(field, pairs, place)
        if swap is None:
            return False
        other, pairs[place], pairs[other] = swap
    return True


def _with_clubs_apart(field: Field, pairs: list[Pair]) -> None:
    """Swap partners where two of a club meet, as far as that breaks no other wish that weighs as much."""
    for place, (a, b) in enumerate(pairs):
        if field.clash(a, b) < SAME_CLUB:
            continue
        swap = _best_swap(field, pairs, place, enough=-SAME_CLUB)
        if swap is None:
            continue
        other, one, two = swap
        if clashes(field, (one, two)) < clashes(field, (pairs[place], pairs[other])):
            pairs[place], pairs[other] = one, two


def _best_swap(field: Field, pairs: list[Pair], place: int, *, enough: int = 0) -> tuple[int, Pair, Pair] | None:
    """Another pair to swap partners with at least cost in wishes: its place and the two new pairs.

    A swap that changes the cost by no more than `enough` is good enough to look no further.
    """
    a, b = pairs[place]
    best: tuple[int, Pair, Pair] | None = None
    least = 0
    for step in range(1, len(pairs)):
        other = (place + step) % len(pairs)
        c, d = pairs[other]
        before = field.clash(a, b) + field.clash(c, d)
        for one, two in (((a, d), (c, b)), ((a, c), (d, b))):
            if one[1] in field.met[one[0]] or two[1] in field.met[two[0]]:
                continue
            change = field.clash(*one) + field.clash(*two) - before
            if best is None or change < least:
                best, least = (other, one, two), change
        if best is not None and (least <= enough or step > _SWAPS_TRIED):
            break
    return best


def _by_matching(field: Field, pool: Sequence[int]) -> list[Pair] | None:
    """The rematch-free pairing that costs least in wishes, equal ones by lot; None if there is none."""
    size = len(pool)
    lot_span = _LOT_BITS + size.bit_length()
    dearest = 1 << (lot_span + 8)
    graph: rustworkx.PyGraph[int, int] = rustworkx.PyGraph(multigraph=False)
    graph.add_nodes_from(list(pool))
    lots, wishes, clubs = field.lots, field.wishes, field.clubs
    edges = []
    for x, a in enumerate(pool):
        met, lot, costs, club = field.met[a], lots[a], turns.COSTS[wishes[a]], clubs[a]
        edges += [
            (
                x,
                y,
                dearest
                - (costs[wishes[b]] + (SAME_CLUB if club and club == clubs[b] else 0) << lot_span)
                - (lot * lots[b] >> 32 & _LOT_MASK),
            )
            for y, b in enumerate(pool[x + 1 :], start=x + 1)
            if b not in met
        ]
    graph.add_edges_from(edges)
    matched = rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=int)
    if 2 * len(matched) != size:
        return None
    return sorted((pool[x], pool[y]) if x < y else (pool[y], pool[x]) for x, y in matched)
