"""From one stage into the next: who goes through, who is level at the line, and how group-mates are kept apart."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import rustworkx

from tournaments.engine.formats.elimination import seed_order
from tournaments.engine.standings import Row


@dataclass(frozen=True, slots=True)
class Cut:
    """The best of a stage, in the order of its standings.

    `level` are all who share the place the line goes through, on both sides of it: somebody has to decide between
    them before they are told. Empty if the line goes between two places.
    """

    through: tuple[int, ...]
    level: tuple[int, ...] = ()


def cut(rows: Sequence[Row], size: int) -> Cut:
    """The first `size` rows of the standings; who is disqualified or annulled never goes through."""
    ranked = [row for row in rows if row.reason.code not in ("disqualified", "annulled")]
    through = tuple(row.entry for row in ranked[:size])
    if not 0 < size < len(ranked) or ranked[size - 1].rank != ranked[size].rank:
        return Cut(through)
    shared = ranked[size].rank
    return Cut(through, tuple(row.entry for row in ranked if row.rank == shared))


def seeds_apart(tiers: Sequence[Sequence[int]], groups: Mapping[int, str]) -> tuple[int, ...]:
    """A seeding for a bracket in which members of a group meet as late as can be.

    `tiers` are entries that may change places among themselves, best first: winners of groups, then seconds, and so
    on. Nobody leaves their tier. Tier by tier, entries are given the seeds on which those already seeded of their own
    group are farthest away; where that is the same, the seeds they had.
    """
    seeding: list[int] = []
    total = sum(map(len, tiers))
    depth = max(1, (total - 1).bit_length())
    position = {seed: place for place, seed in enumerate(seed_order(1 << depth), start=0)}
    for tier in tiers:
        first = len(seeding) + 1
        seeds = range(first, first + len(tier))
        taken = dict(enumerate(seeding, start=1))
        nearness = {
            (entry, seed): sum(
                _nearness(position[seed], position[other], depth, total)
                for other, mate in taken.items()
                if groups.get(mate) == groups.get(entry) is not None
            )
            for entry in tier
            for seed in seeds
        }
        seeding += _assigned(tier, list(seeds), nearness)
    return tuple(seeding)


def _nearness(one: int, other: int, depth: int, total: int) -> int:
    """How bad it is that two places of the bracket meet when they do: each round earlier outweighs all later ones."""
    meet_in = (one ^ other).bit_length()
    worth: int = (2 * total) ** (depth - meet_in)
    return worth


def _assigned(tier: Sequence[int], seeds: Sequence[int], nearness: Mapping[tuple[int, int], int]) -> list[int]:
    """The entries of a tier in order of the seeds they get: least nearness in all, then least change."""
    size = len(tier)
    change = 2 * size**3  # more than all changes of place together
    dearest = (max(nearness.values(), default=0) + 1) * change
    graph: rustworkx.PyGraph[int, int] = rustworkx.PyGraph(multigraph=False)
    graph.add_nodes_from(range(2 * size))
    graph.add_edges_from(
        [
            (x, size + y, dearest - nearness[entry, seed] * change - (x - y) ** 2)
            for x, entry in enumerate(tier)
            for y, seed in enumerate(seeds)
        ]
    )
    matched = rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=int)
    at = {max(pair) - size: tier[min(pair)] for pair in matched}
    return [at[y] for y in range(size)]
