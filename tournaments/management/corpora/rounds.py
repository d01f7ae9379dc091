"""The rounds of a real Swiss, paired anew from the same facts: what was published is never better."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from tournaments.engine.pairing import Contender, contenders, pair_round
from tournaments.engine.snapshot import Snapshot

Objective = tuple[int, ...]


def better_rounds(snapshot: Snapshot, rounds: int) -> Iterator[str]:
    """Rounds among the first so many whose published pairing has fewer rematches, or falls less, than ours.

    Whoever had the bye has it here too, and whoever was away is away, so that both pair the same players.
    """
    for number in range(2, min(rounds, snapshot.last_round) + 1):
        before = replace(
            snapshot,
            entries=tuple(replace(entry, since=1, asked=()) for entry in snapshot.entries),
            pairings=tuple(pairing for pairing in snapshot.pairings if pairing.round < number),
        )
        theirs = [(p.a, p.b) for p in snapshot.rounds[number] if p.b is not None]
        playing = {side for pair in theirs for side in pair}
        field = [contender for contender in contenders(before, number) if contender.id in playing]
        ours = pair_round(field, seed=snapshot.seed, number=number).pairs
        if _objective(field, theirs) < _objective(field, ours):
            yield f"round {number}: the published pairing is better than the one made here"


def _objective(field: Iterable[Contender], pairs: Iterable[tuple[int, int]]) -> Objective:
    """Rematches; then for each score group from the top, how many are paired below it, and how far together."""
    by_id = {contender.id: contender for contender in field}
    levels = {points: level for level, points in enumerate(sorted({c.points for c in by_id.values()}, reverse=True))}
    falls = [[0, 0] for _ in levels]
    rematches = 0
    for a, b in pairs:
        rematches += b in by_id[a].met
        upper, lower = sorted(levels[by_id[side].points] for side in (a, b))
        if upper != lower:
            falls[upper][0] += 1
            falls[upper][1] += lower - upper
    return (rematches, *(part for fall in falls for part in fall))
