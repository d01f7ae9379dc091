"""The pairing of a whole field: score groups from the top, quickly where that is provably best, exactly elsewhere.

The objective is that of `window`. A run of groups is settled quickly if every group loses no more players downwards
than its size forces it to: none, or the one left over, to the next group. Nothing can be better than that, so it
stands, provided that those further down can still be paired without a rematch. Where a run fails, the groups from its
start are solved exactly together, in a window that grows until nothing outside could change what is inside.
"""

from __future__ import annotations

from dataclasses import dataclass
from heapq import nsmallest

from tournaments.engine.pairing import window
from tournaments.engine.pairing.field import Field, Pair
from tournaments.engine.pairing.pool import clashes, pair_pool

_AT_ONCE_UP_TO = 18  # players: so few are solved exactly in less time than it takes to try
_FLOATERS_TRIED = 6
_PARTNERS_TRIED = 40
_TURNS_BEST_UP_TO = 32  # players in a run; beyond that turns are balanced group by group


@dataclass(frozen=True, slots=True)
class _Run:
    """Pairs that settle the groups before `next`; they may take partners from group `next`, and from none below it."""

    pairs: list[Pair]
    next: int


def pair_levels(field: Field) -> list[Pair]:
    """Every player of a field of even size in one pair; rematches only if no pairing is free of them."""
    everybody = range(field.size)
    if field.size < field.enough and field.fewest_rematches(everybody):
        return window.solve(field, field.levels, rematches=True)
    if field.size <= _AT_ONCE_UP_TO:
        return window.solve(field, field.levels) if field.size else []
    left = [list(level) for level in field.levels]
    pairs: list[Pair] = []
    start = 0
    while start < len(left):
        run = _quick_run(field, left, start)
        if isinstance(run, int):
            run = _exact_run(field, left, start, failed=run)
        elif not _others_can_pair(field, left, run):
            run = _exact_run(field, left, start, failed=run.next - 1)
        else:
            run = _with_fewer_clashes(field, left, start, run)
        pairs += run.pairs
        start = run.next
        if start < len(left):
            paired = {player for pair in run.pairs for player in pair}
            left[start] = [i for i in left[start] if i not in paired]
    return pairs


def _others_can_pair(field: Field, left: list[list[int]], run: _Run) -> bool:
    """Whether those a run leaves over have a pairing without rematches."""
    if sum(map(len, left[run.next :])) > field.enough:  # one of them may be the last floater's partner
        return True
    paired = {player for pair in run.pairs for player in pair}
    return not field.fewest_rematches([i for group in left[run.next :] for i in group if i not in paired])


def _quick_run(field: Field, left: list[list[int]], start: int) -> _Run | int:
    """The groups from `start` to the first that pairs up with nobody left, or the group where that goes wrong."""
    pairs: list[Pair] = []
    carried: list[int] = []
    k = start
    while True:
        pool = carried + left[k]
        if len(pool) % 2 == 0:
            found = pair_pool(field, pool)
            return k if found is None else _Run(pairs + found, k + 1)
        k += 1  # there is such a group: all that is left is even in number
        below = left[k]
        step = _float_one(field, pool, left[k - 1], below)
        if step is None:
            return k - 1
        found, floater = step
        pairs += found
        if len(below) > field.roomy:
            return _Run([*pairs, (floater, _partner(field, floater, below))], k)
        carried = [floater]


def _with_fewer_clashes(field: Field, left: list[list[int]], start: int, run: _Run) -> _Run:
    """A quick run, paired anew if its choice of floaters may have cost turns."""
    groups = left[start : run.next]
    size = sum(map(len, groups))
    if len(groups) == 1 or size > _TURNS_BEST_UP_TO or 2 * len(run.pairs) > size or not clashes(field, run.pairs):
        return run
    return _Run(window.solve(field, groups), run.next)


def _float_one(field: Field, pool: list[int], group: list[int], below: list[int]) -> tuple[list[Pair], int] | None:
    """Pair `pool` but for one of `group` who can be paired in `below`; None if the likeliest floaters do not fit.

    Whoever has floated least goes first, then the lot decides.
    """
    for floater in nsmallest(_FLOATERS_TRIED, group, key=lambda i: (field.contenders[i].floats, i)):
        if all(i in field.met[floater] for i in below):
            continue
        found = pair_pool(field, [i for i in pool if i != floater])
        if found is not None:
            return found, floater
    return None


def _partner(field: Field, floater: int, group: list[int]) -> int:
    """The best opponent for a floater in a roomy group: one with the other wish, then by lot."""
    near = group[: field.most_met + _PARTNERS_TRIED]
    return min((i for i in near if i not in field.met[floater]), key=lambda i: (field.clash(floater, i), i))


def _exact_run(field: Field, left: list[list[int]], start: int, *, failed: int) -> _Run:
    """The best pairs of the groups from `start` up to a border that every best pairing of the field respects."""
    end = failed + 1
    known: list[tuple[int, int]] = []
    while True:
        head = _core(field, left, start)
        groups = [head, *left[start + 1 : end]]
        inside = sum(map(len, groups))
        below = [i for group in left[end:] for i in group]
        # Somebody in the nearest so many is always free and not yet met, and nobody further down is a better partner.
        pairs = window.solve(field, groups, below[: inside + field.most_met + 1], falls=known)
        if end == len(left):
            break
        taken = [b for _, b in pairs if field.level[b] >= end]
        if len(below) - len(taken) < field.enough:
            end = len(left)  # too few are left below to be sure of a pairing: take them all in
            continue
        # The others can be paired whatever else, so this is how far these groups fall in every best pairing.
        known = _falls(field, pairs, start, end)
        border = _border(known, start)
        if border is not None:
            pairs = [pair for pair in pairs if field.level[pair[0]] < border]
            end = border
            break
        if all(field.level[b] == end for b in taken) and len(left[end]) - len(taken) >= field.roomy:
            break
        end += 1
    if len(head) < len(left[start]):
        pairs = _with_the_rest(field, pairs, left[start])
    return _Run(pairs, end)


def _core(field: Field, left: list[list[int]], start: int) -> list[int]:
    """Those of the first group who may have to be paired below it: all, or enough of a large group to stand for it.

    A group sends down one player at most, unless so few are below that they need more partners than they have among
    themselves. Anybody to be paired with one of the core has met few enough of it to find another partner there.
    """
    group = left[start]
    below = sum(map(len, left[start + 1 :]))
    size = field.enough + 1 + (below if below < field.enough else 0)
    size += (len(group) - size) % 2
    if len(group) <= size:
        return group
    return sorted(nsmallest(size, group, key=lambda i: (field.contenders[i].floats, i)))


def _with_the_rest(field: Field, pairs: list[Pair], group: list[int]) -> list[Pair]:
    """Pair all of a large group that stay in it anew, where only its core has been paired."""
    members = frozenset(group)
    outward = [pair for pair in pairs if not members.issuperset(pair)]
    gone = {player for pair in outward for player in pair}
    staying = pair_pool(field, [i for i in group if i not in gone])
    return [*(staying or ()), *outward]  # a group of this size always has a pairing without rematches


def _falls(field: Field, pairs: list[Pair], start: int, end: int) -> list[tuple[int, int]]:
    """For each group in `start` … `end` - 1, how many fall in these pairs, and how far together."""
    floats = [0] * (end - start)
    distance = [0] * (end - start)
    for a, b in pairs:
        if fall := field.level[b] - field.level[a]:
            floats[field.level[a] - start] += 1
            distance[field.level[a] - start] += fall
    return list(zip(floats, distance, strict=True))


def _border(falls: list[tuple[int, int]], start: int) -> int | None:
    """The lowest border after one of the groups from `start` that no best pairing has a pair across, if there is one.

    All best pairings agree, for each group, on how many fall and how far together; one of them alone may have fallen
    all the steps but one for each of the others.
    """
    border = None
    deepest = start
    for k, (floats, distance) in enumerate(falls, start=start):
        if floats:
            deepest = max(deepest, k + distance - floats + 1)
        if deepest <= k:
            border = k + 1
    return border
