"""How each match of a rehearsal ends and what goes wrong on the way, decided by the seed and the two who meet."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from random import Random
from typing import Any

GOAL = 3
"""Sets that win a match under the standard ruleset."""


class Twist(StrEnum):
    """What happens while a result is told."""

    NONE = "told once"
    TWICE = "sent twice with one key"
    AT_ONCE = "sent twice with one key at the same moment"
    IMPOSSIBLE = "impossible first"
    WRONG = "wrong, and corrected by the organiser"
    CONTESTED = "told differently by two at the same moment"
    WALKOVER = "walkover"
    FORFEIT = "forfeit"
    NOBODY = "double no-show"


_RARE = 40  # per cent of the matches have a twist


@dataclass(frozen=True, slots=True)
class Result:
    """How a match ends. `sets` are those of side a and side b as they count; `winner` is "a", "b" or ""."""

    kind: str
    sets: tuple[int, int]
    winner: str

    def body(self) -> dict[str, Any]:
        """What a referee sends."""
        if self.kind == "double_no_show":
            return {"kind": self.kind}
        if self.kind == "walkover":
            return {"kind": self.kind, "winner": self.winner}
        if self.kind == "forfeit":
            lost = min(self.sets)
            return {"kind": self.kind, "winner": self.winner, "sets": [0, lost] if self.winner == "a" else [lost, 0]}
        return {"kind": self.kind, "sets": list(self.sets), "winner": self.winner}

    def turned(self) -> Result:
        """The same with the sides the wrong way round, as a tired referee writes it."""
        return Result(self.kind, (self.sets[1], self.sets[0]), "b" if self.winner == "a" else "a")


@dataclass(frozen=True, slots=True)
class Fate:
    """The end of a match and the way there."""

    result: Result
    twist: Twist


IMPOSSIBLE: tuple[dict[str, Any], ...] = (
    {"kind": "score", "sets": [3, 3]},
    {"kind": "score", "sets": [4, 1]},
    {"kind": "score", "sets": [2, 1]},
    {"kind": "score", "sets": [-1, 3]},
    {"kind": "score", "sets": [3, "x"]},
    {"kind": "score", "sets": [3, 1], "winner": "b"},
    {"kind": "walkover"},
    {"kind": "none"},
)


class Fates:
    """Decides match after match. The first matches have every twist once; later ones have some by lot."""

    def __init__(self, *, seed: int, somebody_wins: bool) -> None:
        """`somebody_wins` leaves out what leaves nobody for the next round of a bracket."""
        self._seed = seed
        self._twists = [each for each in Twist if not (somebody_wins and each is Twist.NOBODY)]
        self._first = list(self._twists)
        Random(f"twists {seed}").shuffle(self._first)  # noqa: S311

    def of(self, a: int, b: int, *, round_number: int) -> Fate:
        """The fate of the meeting of players `a` and `b` (places in the roster), sides as they sit."""
        rng = Random(f"match {self._seed} {round_number} {a} {b}")  # noqa: S311
        if self._first:
            twist = self._first.pop()
        else:
            twist = rng.choice(self._twists) if rng.randrange(100) < _RARE else Twist.NONE
        winner = "a" if rng.random() < 0.5 + (_strength(self._seed, a) - _strength(self._seed, b)) / 2 else "b"
        lost = rng.randrange(GOAL)
        if twist is Twist.NOBODY:
            return Fate(Result("double_no_show", (0, 0), ""), twist)
        if twist is Twist.WALKOVER:
            lost = 0
        kind = str(twist) if twist in (Twist.WALKOVER, Twist.FORFEIT) else "score"
        return Fate(Result(kind, (GOAL, lost) if winner == "a" else (lost, GOAL), winner), twist)


def _strength(seed: int, player: int) -> float:
    return Random(f"strength {seed} {player}").random()  # noqa: S311
