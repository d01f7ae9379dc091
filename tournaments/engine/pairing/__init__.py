"""Pairing of one round: no rematch while one can be avoided, equal scores together, turns in balance.

In order of weight: fewest rematches; the bye to whoever had fewest, of the lowest score, of the lowest seed; from the
top score group down, fewest players paired outside their group and those as near as can be; then what is wished for,
players of one club apart (where that is asked) and first-turn balance; then the lot. The lot is drawn from a stored
seed, so the same facts give the same round wherever and whenever it is made.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from tournaments.engine.lots import lot
from tournaments.engine.pairing import turns
from tournaments.engine.pairing.byes import choose_bye
from tournaments.engine.pairing.contenders import Contender, asked_byes, contenders
from tournaments.engine.pairing.field import Field, Pair
from tournaments.engine.pairing.judge import ERRORS, WARNINGS, is_error, judge
from tournaments.engine.pairing.levels import pair_levels

__all__ = [
    "ERRORS",
    "WARNINGS",
    "Contender",
    "Paired",
    "asked_byes",
    "contenders",
    "is_error",
    "judge",
    "lot",
    "pair_round",
]


@dataclass(frozen=True, slots=True)
class Paired:
    """A round: pairs of entry ids, who has the first turn first, from the top table down; and who has the bye."""

    pairs: tuple[tuple[int, int], ...]
    bye: int | None = None


def pair_round(contenders: Iterable[Contender], *, seed: str, number: int) -> Paired:
    """Pair all `contenders`, in round `number` of a stage whose lots are drawn from `seed`."""
    field = tuple(contenders)
    bye = None
    if len(field) % 2:
        bye = choose_bye(field, seed=seed, number=number)
        field = tuple(contender for contender in field if contender.id != bye)
    numbered = Field.of(field, seed=seed, number=number)
    level, seeds = numbered.level, [contender.seed for contender in numbered.contenders]

    def table(pair: Pair) -> tuple[int, int, int]:
        """The order of tables: the higher score, then the other's score, then the better seed."""
        upper, lower = (pair[0], pair[1]) if pair[0] < pair[1] else (pair[1], pair[0])
        return (level[upper], level[lower], min(seeds[upper], seeds[lower]))

    pairs = sorted(pair_levels(numbered), key=table)
    return Paired(tuple([_by_turn(numbered, a, b) for a, b in pairs]), bye)


def _by_turn(field: Field, a: int, b: int) -> tuple[int, int]:
    one, other = field.contenders[a], field.contenders[b]
    opens = turns.opens(one.turns, other.turns)
    if opens is None:
        opens = field.lots[a] < field.lots[b]
    return (one.id, other.id) if opens else (other.id, one.id)
