"""How long it takes to pair a Swiss round: by size, at round 5; and the worst round of tournaments with many rounds.

Times are in milliseconds, the best of several runs. The peers are measured beside ours where they are installed, as
`./bin/bench` does: `swisspair_over_ours_N` compares what a program calls, `compiled` is its compiled part alone,
without the objects it is fed with. `py4swiss` pairs by the rules of chess from a parsed TRF, and `full_graph` is one
matching over all possible pairs, both for sizes they can do.
"""

from __future__ import annotations

import gc
import random
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from itertools import combinations
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import rustworkx

from tournaments.engine.formats import get_format
from tournaments.engine.interchange import Document, Person, write_trf
from tournaments.engine.pairing import Contender, Paired, pair_round
from tournaments.engine.snapshot import Entry, Pairing, Points, Result, ResultKind, Snapshot

SIZES = (16, 64, 256, 1_024, 4_096, 10_000)
FULL_GRAPH_UP_TO = 256
CHESS_UP_TO = 64
LONG = ((200, 15), (210, 30))
ROUND = 5
TIES = 0.04


@dataclass
class Field:
    """Players of a tournament whose results are drawn, round by round."""

    size: int
    rng: random.Random
    players: list[Contender] = field(init=False)

    def __post_init__(self) -> None:
        self.players = [Contender(id=number, seed=number) for number in range(1, self.size + 1)]

    def play(self, paired: Paired) -> None:
        """Draw the results of a round."""
        by_id = {player.id: player for player in self.players}
        for a, b in paired.pairs:
            tied = self.rng.random() < TIES
            first_wins = self.rng.random() < 0.5
            for one, other, turn, wins in ((a, b, "F", first_wins), (b, a, "S", not first_wins)):
                player = by_id[one]
                by_id[one] = replace(
                    player,
                    points=player.points + (1 if tied else 3 if wins else 0),
                    turns=player.turns + turn,
                    met={**player.met, other: 1},
                )
        if paired.bye is not None:
            player = by_id[paired.bye]
            by_id[paired.bye] = replace(player, points=player.points + 3, byes=player.byes + 1)
        self.players = list(by_id.values())


def best_of(times: int, call: Callable[[], object]) -> float:
    """The shortest of several runs, in milliseconds; garbage is left until after them, as `timeit` does."""
    found = []
    gc.collect()
    gc.disable()
    try:
        for _ in range(times):
            began = time.perf_counter()
            call()
            found.append(time.perf_counter() - began)
    finally:
        gc.enable()
    return min(found) * 1000


def after(rounds: int, size: int, seed: str) -> list[Contender]:
    """A field after some rounds."""
    played = Field(size, random.Random(seed))
    for number in range(1, rounds + 1):
        played.play(pair_round(played.players, seed=seed, number=number))
    return played.players


class Peer:
    """`swisspair`, with its players made before the clock runs."""

    def __init__(self) -> None:
        self.module: Any = import_module("swisspair") if find_spec("swisspair") else None
        self.compiled: Any = import_module("swisspair._swisspair") if self.module else None

    def players(self, contenders: Iterable[Contender]) -> list[Any]:
        """The same field as its players, ranked."""
        ranked = sorted(contenders, key=lambda c: (-c.points, c.seed))
        return [
            self.module.Player(
                id=str(c.id),
                points=c.points,
                rank=rank,
                can_get_bye=not c.byes,
                cannot_be_paired_against_ids={str(other) for other in c.met},
            )
            for rank, c in enumerate(ranked, start=1)
        ]


def full_graph(contenders: list[Contender]) -> None:
    """One matching over all pairs that have not met, by the distance of their points."""
    graph: rustworkx.PyGraph[int, int] = rustworkx.PyGraph(multigraph=False)
    graph.add_nodes_from(range(len(contenders)))
    graph.add_edges_from(
        [
            (x, y, 1_000 - abs(a.points - b.points))
            for (x, a), (y, b) in combinations(enumerate(contenders), 2)
            if b.id not in a.met
        ]
    )
    rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=int)


def chess(size: int) -> float:
    """What `py4swiss` takes for round 5 of a Swiss of this size."""
    swiss = get_format("swiss")
    entries = tuple(Entry(number, number) for number in range(1, size + 1))
    rng = random.Random(size)
    stage = Snapshot(entries, options=swiss.Options(rounds=ROUND + 4), points=Points(1, 0, 0, 1), seed="chess")
    for _ in range(1, ROUND):
        (plan,) = swiss.pair(stage)
        drawn = (rng.choice((("a", (1, 0)), ("b", (0, 1)))) for _ in plan.pairings)
        made = tuple(
            Pairing(plan.number, p.number, p.a, p.b, None if p.b is None else Result(ResultKind.SCORE, sets, winner))
            for p, (winner, sets) in zip(plan.pairings, drawn, strict=True)
        )
        stage = replace(stage, pairings=(*stage.pairings, *made))
    people = {entry.id: Person(f"Player {entry.id}", 2500 - entry.id) for entry in entries}
    text = write_trf(Document("Chess", "swiss", (), stage, people))
    with TemporaryDirectory() as folder:
        file = Path(folder) / "chess.trf"
        file.write_text(text)
        parsed: Any = import_module("py4swiss.trf").TrfParser.parse(file)
    return best_of(3, partial(import_module("py4swiss.engines").DutchEngine.generate_pairings, parsed))


def run() -> dict[str, float]:
    """Milliseconds by size and engine, what swisspair takes for one of ours, and worst rounds of long tournaments."""
    peer = Peer()
    found: dict[str, float] = {}
    for size in SIZES:
        fields = [after(ROUND - 1, size, f"bench {number}") for number in range(5 if size < 1_000 else 2)]
        ours = [best_of(5, partial(pair_round, f, seed="bench", number=ROUND)) for f in fields]
        found[f"round_5_{size}.ours"] = sum(ours) / len(ours)
        if peer.module:
            ready = [peer.players(f) for f in fields]
            theirs = [best_of(5, partial(peer.module.create_matches, f)) for f in ready]
            found[f"round_5_{size}.theirs"] = sum(theirs) / len(theirs)
            found[f"swisspair_over_ours_{size}"] = sum(theirs) / sum(ours)
            raw = [[player.compile() for player in f] for f in ready]
            compiled = [best_of(5, partial(peer.compiled.create_matches, f, False)) for f in raw]
            found[f"compiled_{size}"] = sum(compiled) / len(compiled)
        if size <= CHESS_UP_TO and find_spec("py4swiss"):
            found[f"py4swiss_{size}"] = chess(size)
        if size <= FULL_GRAPH_UP_TO:
            found[f"full_graph_{size}"] = best_of(3, partial(full_graph, fields[0]))
    found["growth_64_to_10000"] = found["round_5_10000.ours"] / found["round_5_64.ours"]
    for size, rounds in LONG:
        found |= _worst_round(peer, size, rounds)
    return found


def _worst_round(peer: Peer, size: int, rounds: int) -> dict[str, float]:
    """The longest of all rounds of one tournament, ours and theirs on the same fields."""
    played = Field(size, random.Random(f"long {size}"))
    ours, theirs = [], []
    for number in range(1, rounds + 1):
        players = played.players
        ours.append(best_of(2, partial(pair_round, players, seed="long", number=number)))
        if peer.module:
            ready = peer.players(players)
            theirs.append(best_of(2, partial(peer.module.create_matches, ready)))
        played.play(pair_round(players, seed="long", number=number))
    name = f"worst_of_{size}x{rounds}"
    found = {f"{name}.ours": max(ours)}
    if theirs:
        found[f"{name}.theirs"] = max(theirs)
    return found
