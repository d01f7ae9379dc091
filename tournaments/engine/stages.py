"""From one stage into the next: who goes through, who is level at the line, and how group-mates are kept apart."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

import rustworkx

from tournaments.engine.formats import get_format
from tournaments.engine.formats.elimination import seed_order
from tournaments.engine.prospects import Prospect, prospects
from tournaments.engine.snapshot import Entry, EntryStatus, Snapshot
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


@dataclass(frozen=True, slots=True)
class Passage:
    """Who goes through in tiers, best first: one tier without groups, else winners of groups, then seconds, and so on.

    `level` as in `Cut`, of all groups together; `groups` is the group of each, where there are any.
    """

    tiers: tuple[tuple[int, ...], ...]
    level: tuple[int, ...]
    groups: Mapping[int, str]

    @property
    def seeding(self) -> tuple[int, ...]:
        """Everybody who goes through in the order they are seeded in: by place, group-mates as far apart as can be."""
        if not self.groups:
            return tuple(entry for tier in self.tiers for entry in tier)
        return seeds_apart(self.tiers, self.groups)


def passage(rows: Sequence[Row], size: int) -> Passage:
    """The first `size` rows of the standings, of each group where there are groups.

    A group that has fewer sends all of them. Within a tier the order is that of the standings.
    """
    if not any(row.group for row in rows):
        found = cut(rows, size)
        return Passage((found.through,), found.level, {})
    tier_of: dict[int, int] = {}
    level: set[int] = set()
    for group in sorted({row.group for row in rows} - {0}):
        found = cut([replace(row, rank=row.place or len(rows) + 1) for row in rows if row.group == group], size)
        tier_of |= {entry: tier for tier, entry in enumerate(found.through)}
        level.update(found.level)
    tiers = [tuple(row.entry for row in rows if tier_of.get(row.entry) == tier) for tier in range(size)]
    return Passage(
        tiers=tuple(tier for tier in tiers if tier),
        level=tuple(row.entry for row in rows if row.entry in level),
        groups={row.entry: str(row.group) for row in rows if row.entry in tier_of},
    )


class Outlook(StrEnum):
    """What is said of playing on. The last two are said only of a stage that is closed, the first two before."""

    CERTAIN = "certain"
    POSSIBLE = "possible"
    OUT = "out"
    THROUGH = "through"
    LEVEL = "level"  # shares the place at the line: somebody has to decide


def outlooks(
    snapshot: Snapshot, format_key: str, rows: Sequence[Row], best: int, *, ties: bool, closed: bool
) -> dict[int, Outlook]:
    """For every entry, whether it plays on when the `best` do, of each group where there are groups.

    Whoever has left is passed over and is out. Until the stage is `closed` nobody is through: certain is who would be
    whatever results are missing, even if those who left should return. Raises KeyError for a format nobody has.
    """
    here = {entry.id for entry in snapshot.entries if entry.status is EntryStatus.ACTIVE}
    found = dict.fromkeys(snapshot.by_id, Outlook.OUT)
    if closed:
        passed = passage([row for row in rows if row.entry in here], best)
        found |= dict.fromkeys((entry for tier in passed.tiers for entry in tier), Outlook.THROUGH)
        return found | dict.fromkeys(passed.level, Outlook.LEVEL)
    gone = len(found) - len(here)
    now = back = without = prospects(snapshot, format_key, best, ties=ties)
    if gone:
        returned = tuple(_back(entry) for entry in snapshot.entries)
        back = prospects(replace(snapshot, entries=returned), format_key, best, ties=ties)
        room = gone if get_format(format_key).has_bracket else 0  # there nobody moves up: those who left keep a place
        stays = tuple(e if e.id in here else replace(e, status=EntryStatus.DISQUALIFIED) for e in snapshot.entries)
        without = prospects(replace(snapshot, entries=stays), format_key, best + room, ties=ties)
    for entry in here:
        if now[entry] is back[entry] is Prospect.CERTAIN:
            found[entry] = Outlook.CERTAIN
        elif without[entry] is not Prospect.OUT:
            found[entry] = Outlook.POSSIBLE
    return found


def _back(entry: Entry) -> Entry:
    return replace(entry, status=EntryStatus.ACTIVE) if entry.status is EntryStatus.WITHDRAWN else entry


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
