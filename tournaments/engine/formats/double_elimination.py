"""Double elimination: who loses once goes on in the losers' bracket, who loses twice is out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final, Literal

from tournaments.engine.formats.base import BracketSide, Feed, Note
from tournaments.engine.formats.elimination import Column, Elimination, Graph, Node, Place, Seed, Source, seed_order

GrandFinal = Literal["reset", "single", "none"]

_DROPS_FROM: Final = 2  # losers of round 1 meet each other, as they stand
_LEFT_AFTER_LAST: Final = 2


@dataclass(frozen=True, slots=True)
class DoubleEliminationOptions:
    """`grand_final`: the winners of both brackets meet; with "reset" a second time if the one who had lost once wins.

    "single" makes whoever wins the one final the champion; "none" makes the winner of the winners' bracket champion
    and that of the losers' bracket second.
    """

    grand_final: GrandFinal = "reset"


class DoubleElimination(Elimination):
    """Two brackets for any field from 2, in the standard order of seeds.

    Losers' rounds come in twos: in the first those already there meet, in the second they meet the losers of the next
    winners' round. Those drop in an order that crosses the halves, and a different one each time, so that two who have
    met meet again as late as can be: reversed, reversed within each half, halves exchanged, as they stand, and again.
    (As start.gg and Challonge have it.) Rounds are numbered in the order they can be played; a round in which nothing
    can be played, because its places are all byes, is left out. Whoever goes out in the same losers' round shares a
    place: 1, 2, 3, 4, 5, 5, 7, 7, 9 ….
    """

    key = "double_elimination"
    Options = DoubleEliminationOptions

    def graph(self, entries: int, options: object) -> Graph:
        grand_final = options.grand_final if isinstance(options, DoubleEliminationOptions) else "reset"
        return _graph(entries, grand_final)


def drop_order(losers: Sequence[Feed], level: int) -> list[Feed]:
    """The losers of winners' round `level` from the top of the losers' bracket down."""
    half = len(losers) // 2
    upper, lower = losers[:half], losers[half:]
    orders = (losers[::-1], [*upper[::-1], *lower[::-1]], [*lower, *upper], losers)
    return list(orders[(level - _DROPS_FROM) % len(orders)])


@lru_cache(maxsize=8)
def _graph(entries: int, grand_final: GrandFinal) -> Graph:
    depth = (entries - 1).bit_length()
    drawing = _Drawing(depth, grand_final)
    sides: list[Source] = [Seed(number) for number in seed_order(1 << depth)]
    survivors: list[Source | None] = []
    for level in range(1, depth + 1):
        losers = drawing.winners_round(level, sides)
        sides = [Feed(loser.place) for loser in losers]
        if level == 1:
            lower_seeds = seed_order(1 << depth)[1::2]
            survivors = [loser if seed <= entries else None for loser, seed in zip(losers, lower_seeds, strict=True)]
            continue
        survivors = drawing.losers_round(survivors[::2], survivors[1::2], 3 << (depth - level))
        survivors = drawing.losers_round(survivors, drop_order(losers, level), 2 << (depth - level))
    if grand_final != "none" and survivors and survivors[0] is not None:
        drawing.grand_final(sides[0], survivors[0])
    return drawing.graph()


class _Drawing:
    """The rounds of a bracket as they are drawn one after the other."""

    def __init__(self, depth: int, grand_final: GrandFinal) -> None:
        self.depth = depth
        self.grand = grand_final
        self.columns: list[Column] = []
        self.losers_rounds = 0

    def _add(self, name: Note, side: BracketSide, nodes: Iterable[Node]) -> None:
        self.columns.append(Column(len(self.columns) + 1, name, tuple(nodes), side))

    def winners_round(self, level: int, sides: Sequence[Source]) -> list[Feed]:
        """A round of the winners' bracket; its losers from the top. Their place is known once they are drawn on."""
        number = len(self.columns) + 1
        pairs = list(zip(sides[::2], sides[1::2], strict=True))
        is_last = level == self.depth and self.grand == "none"
        self._add(
            _winners_name(level, self.depth),
            "winners",
            (
                Node((number, place), a, b, 0, 2 if self.grand == "none" else 1)
                if not is_last
                else Node(
                    (number, place),
                    a,
                    b,
                    2,
                    2 if level > 1 else None,
                    winner_place=1,
                    won="place_final_won",
                    lost="place_final_lost",
                )
                for place, (a, b) in enumerate(pairs, start=1)
            ),
        )
        return [Feed((number, place), loser=True) for place in range(1, len(pairs) + 1)]

    def losers_round(
        self, upper: Sequence[Source | None], lower: Sequence[Source | None], left: int
    ) -> list[Source | None]:
        """A round of the losers' bracket, after which `left` are still in: who goes on from the top.

        A side without an opponent goes on without a match, so that only matches there can be are drawn.
        """
        number = len(self.columns) + 1
        nodes: list[Node] = []
        going_on: list[Source | None] = []
        for a, b in zip(upper, lower, strict=True):
            if a is None or b is None:
                going_on.append(a or b)
                continue
            nodes.append(Node((number, len(nodes) + 1), a, b, left + 1))
            going_on.append(Feed(nodes[-1].place))
        if nodes:
            self.losers_rounds += 1
            name = Note.of("losers_round", n=self.losers_rounds)
            if left == _LEFT_AFTER_LAST:
                name = Note.of("losers_final")
                if self.grand == "none":
                    won, lost = "place_losers_final_won", "place_losers_final_lost"
                    nodes = [replace(node, winner_place=2, won=won, lost=lost) for node in nodes]
            self._add(name, "losers", nodes)
        return going_on

    def grand_final(self, champion: Source, once_beaten: Source) -> None:
        """The final of both brackets, and with "reset" the one that may follow it."""
        place: Place | None = None
        for name in ("grand_final", "grand_final_reset")[: 2 if self.grand == "reset" else 1]:
            number = len(self.columns) + 1
            node = Node(
                (number, 1),
                champion,
                once_beaten,
                2,
                winner_place=1,
                won="place_final_won",
                lost="place_final_lost",
                again=place,
            )
            self._add(Note.of(name), "final", (node,))
            place = node.place

    def graph(self) -> Graph:
        """All rounds; who loses in the winners' bracket has the place of the round they drop to, should they leave."""
        drops = {
            source.place: node.loser_place
            for column in self.columns
            for node in column.nodes
            for source in (node.a, node.b)
            if isinstance(source, Feed) and source.loser
        }
        return Graph(
            tuple(
                replace(
                    column,
                    nodes=tuple(
                        replace(node, loser_place=drops.get(node.place, node.loser_place)) for node in column.nodes
                    ),
                )
                for column in self.columns
            )
        )


def _winners_name(level: int, depth: int) -> Note:
    names = {depth: "winners_final", depth - 1: "winners_semi_finals"}
    return Note.of(names[level]) if level in names else Note.of("winners_round", n=level)
