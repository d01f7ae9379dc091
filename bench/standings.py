"""How long standings and brackets take: six tie-breaks after 15 rounds, a corrected result, a bracket of 4,096.

Times are in milliseconds. A correction works everything out anew: nothing is kept from before.
"""

from __future__ import annotations

import random
import time
from dataclasses import replace

from tournaments.engine.formats import get_format
from tournaments.engine.snapshot import Entry, Pairing, Result, ResultKind, Snapshot
from tournaments.engine.standings import rank

SIZES = (1_024, 10_000)
ROUNDS = 15
CHAIN = ("buchholz_cut_1", "buchholz", "sonneborn_berger", "head_to_head", "set_difference", "opponents_match_wins")
BRACKET = 4_096


def tournament(size: int) -> Snapshot:
    """A Swiss after 15 rounds, neighbours by points paired and results drawn."""
    rng = random.Random(f"standings {size}")
    points = [0] * size
    pairings = []
    for number in range(1, ROUNDS + 1):
        order = sorted(range(size), key=lambda i: (-points[i], rng.random()))
        for place, (a, b) in enumerate(zip(order[::2], order[1::2], strict=True), start=1):
            result = _drawn(rng)
            points[a if result.winner == "a" else b] += 3
            pairings.append(Pairing(number, place, a + 1, b + 1, result))
    entries = tuple(Entry(number, number) for number in range(1, size + 1))
    return Snapshot(entries, tuple(pairings), options=get_format("swiss").Options(rounds=ROUNDS), seed="bench")


def _drawn(rng: random.Random) -> Result:
    lost = rng.randint(0, 2)
    return rng.choice((Result(ResultKind.SCORE, (3, lost), "a"), Result(ResultKind.SCORE, (lost, 3), "b")))


def run() -> dict[str, float]:
    """Milliseconds for a whole ranking, for one after a correction, and for a bracket from its draw to its champion."""
    found = {}
    for size in SIZES:
        stage = tournament(size)
        found[f"standings_{size}"] = _timed(stage)
        first = stage.pairings[0]
        corrected = replace(first, result=Result(ResultKind.SCORE, (0, 3), "b"))
        found[f"corrected_{size}"] = _timed(replace(stage, pairings=(corrected, *stage.pairings[1:])))
    began = time.perf_counter()
    matches = _played(BRACKET)
    found[f"double_elimination_{BRACKET}"] = (time.perf_counter() - began) * 1000
    found[f"double_elimination_{BRACKET}_matches"] = matches
    return found


def _timed(stage: Snapshot) -> float:
    """One ranking of a snapshot nothing has been worked out of yet."""
    fresh = replace(stage)
    began = time.perf_counter()
    rank(fresh, "swiss", CHAIN)
    return (time.perf_counter() - began) * 1000


def _played(size: int) -> int:
    """Build a double elimination and play it to its end, round by round: how many matches there were."""
    rng = random.Random("bracket")
    chosen = get_format("double_elimination")
    stage = Snapshot(tuple(Entry(seed, seed) for seed in range(1, size + 1)), options=chosen.Options())
    while planned := chosen.pair(stage):
        made = [Pairing(r.number, p.number, p.a, p.b) for r in planned for p in r.pairings]
        played = tuple(p if p.is_bye else replace(p, result=_drawn(rng)) for p in made)
        stage = replace(stage, pairings=(*stage.pairings, *played))
    return sum(not pairing.is_bye for pairing in stage.pairings)
