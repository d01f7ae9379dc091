"""Who gets the bye."""

from __future__ import annotations

from collections.abc import Sequence

from tournaments.engine.pairing.contenders import Contender
from tournaments.engine.pairing.field import Field, enough_for


def choose_bye(contenders: Sequence[Contender], *, seed: str, number: int) -> int:
    """The id of the one to sit out, of an odd number of contenders.

    The pairing of the others must be free of rematches, or have as few as any choice leaves. Among those who leave
    such a pairing: fewest byes so far, then fewest points, then the lowest seed.
    """
    lowest = min(contenders, key=_order)
    if len(contenders) - 1 >= enough_for(max(len(contender.met) for contender in contenders)):
        return lowest.id
    field = Field.of(contenders, seed=seed, number=number)
    best, fewest = lowest, field.size
    for candidate in sorted(contenders, key=_order):
        others = [i for i, contender in enumerate(field.contenders) if contender.id != candidate.id]
        rematches = field.fewest_rematches(others)
        if rematches < fewest:
            best, fewest = candidate, rematches
        if not rematches:
            break
    return best.id


def _order(contender: Contender) -> tuple[int, int, int, int]:
    return (contender.byes, contender.points, -contender.seed, contender.id)
