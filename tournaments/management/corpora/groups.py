"""Pools of round robin, then a double elimination of the best, some of whom may begin in its losers' bracket.

A match is [winner, loser, score of the winner, score of the loser, round, name, pool, "pool" or "bracket"]; rounds of
the losers' bracket are negative.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cmp_to_key
from itertools import combinations
from typing import Any

from tournaments.engine.formats import get_format
from tournaments.engine.snapshot import Entry, Pairing, Result, ResultKind, Snapshot
from tournaments.engine.standings import rank

_POOL = get_format("round_robin")
_NAMED = ("Losers Quarter-Final", "Losers Semi-Final", "Losers Final")
Match = Sequence[Any]


def differences(event: Mapping[str, Any]) -> Iterator[str]:
    """Pools are whole round robins in as many rounds as here, and places follow from the bracket and the pools."""
    pools: dict[str, list[Match]] = {}
    for match in event["matches"]:
        if match[7] == "pool":
            pools.setdefault(match[6], []).append(match)
    if len(pools) != event["pools"]:
        yield f"{event['pools']} pools published, {len(pools)} played"
    worth: dict[int, int] = {}
    for name, matches in pools.items():
        stage = _stage(matches)
        yield from (f"pool {name}: {problem}" for problem in _incomplete(stage))
        worth |= {row.entry: -row.rank for row in rank(stage, _POOL.key, _POOL.default_tiebreaks)}
    worth |= _ends([match for match in event["matches"] if match[7] == "bracket"])
    for place, player in event["placements"]:
        ahead = sum(other > worth[player] for other in worth.values())
        if place != 1 + ahead:
            yield f"place of {player}: {place} published, {1 + ahead} here"


def _stage(matches: Sequence[Match]) -> Snapshot:
    players = sorted({player for match in matches for player in match[:2]})
    pairings = []
    for number, match in enumerate(matches, start=1):
        result = Result(ResultKind.SCORE, (max(0, match[2]), max(0, match[3])), "a")
        pairings.append(Pairing(match[4], number, match[0], match[1], result))
    return Snapshot(tuple(Entry(player, seed) for seed, player in enumerate(players, start=1)), tuple(pairings))


def _incomplete(stage: Snapshot) -> Iterator[str]:
    met = Counter(frozenset((p.a, p.b)) for p in stage.pairings)
    for pair in combinations(sorted(stage.by_id), 2):
        if met[frozenset(pair)] != 1:
            yield f"{pair[0]} and {pair[1]} meet {met[frozenset(pair)]} times"
    if stage.last_round != _POOL.rounds_planned(stage):
        yield f"{stage.last_round} rounds published, {_POOL.rounds_planned(stage)} here"
    for number, pairings in stage.rounds.items():
        named = Counter(player for p in pairings for player in (p.a, p.b))
        yield from (f"round {number}: {player} plays {count} times" for player, count in named.items() if count > 1)


def _ends(matches: Sequence[Match]) -> dict[int, int]:
    """Player to how far they came in the bracket, more than 0: by the round of the losers' bracket they went out in."""
    rounds: dict[tuple[str, int], list[Match]] = {}
    for match in matches:
        if match[4] < 0:
            rounds.setdefault((match[5], match[4]), []).append(match)
    ordered = sorted(rounds.values(), key=cmp_to_key(_order))
    ends = {match[1]: place for place, played in enumerate(ordered, start=1) for match in played}
    finals = [match for match in matches if match[5].startswith("Grand Final")]
    final = max(finals, key=lambda match: "Reset" in match[5])
    return ends | {final[1]: len(ordered) + 1, final[0]: len(ordered) + 2}


def _order(one: Sequence[Match], other: Sequence[Match]) -> int:
    """Which of two rounds of the losers' bracket is first, below 0 for `one`.

    Named rounds come last. Numbers do not always tell: whoever won in a round and lost in another does.
    """
    names = [(_NAMED.index(played[0][5]) if played[0][5] in _NAMED else -1) for played in (one, other)]
    if names[0] != names[1]:
        return names[0] - names[1]
    if {match[0] for match in one} & {match[1] for match in other}:
        return -1
    if {match[0] for match in other} & {match[1] for match in one}:
        return 1
    return abs(int(one[0][4])) - abs(int(other[0][4]))
