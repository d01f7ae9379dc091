"""The floor the schedule bench compares with: the plainest list scheduler over slots of one length.

It knows no hours, no promises, no tags and no referees, and gives no reasons: every slot, the tables take those with
the longest way to the end first, by what a match feeds or by what its players have still to play, with a slot of rest.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

Fixture = tuple[tuple[int, ...], tuple[int, ...]]
"""The matches that feed one, and the players known."""


def slots(fixtures: Sequence[Fixture], tables: int) -> int:
    """How many slots are needed. Each match stands after those that feed it."""
    count = len(fixtures)
    fed: list[list[int]] = [[] for _ in fixtures]
    tail = [1] * count
    for i in reversed(range(count)):
        for feed in fixtures[i][0]:
            tail[feed] = max(tail[feed], tail[i] + 2)
            fed[feed].append(i)
    left = Counter(player for _, players in fixtures for player in players)
    missing = [len(feeds) for feeds, _ in fixtures]
    ready = {i for i in range(count) if not missing[i]}
    earliest = [0] * count
    last: dict[int, int] = {}
    slot = done = 0
    while done < count:
        able = (i for i in ready if earliest[i] <= slot and all(last.get(p, -9) + 2 <= slot for p in fixtures[i][1]))

        def need(i: int) -> tuple[int, int, int]:
            loads = [left[player] for player in fixtures[i][1]]
            return -max([tail[i], *(2 * load - 1 for load in loads)]), -sum(loads), i

        busy: set[int] = set()
        free = tables
        for i in sorted(able, key=need):
            if free and busy.isdisjoint(fixtures[i][1]):
                free -= 1
                done += 1
                busy.update(fixtures[i][1])
                ready.discard(i)
                for player in fixtures[i][1]:
                    last[player] = slot
                    left[player] -= 1
                for j in fed[i]:
                    missing[j] -= 1
                    earliest[j] = max(earliest[j], slot + 2)
                    if not missing[j]:
                        ready.add(j)
        slot += 1
    return slot
