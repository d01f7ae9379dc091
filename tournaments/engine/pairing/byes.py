"""Who gets the bye."""

from __future__ import annotations

from tournaments.engine.pairing.field import Field


def choose_bye(field: Field) -> int:
    """The index of the one to sit out, in a field of odd size.

    The pairing of the others must be free of rematches, or have as few as any choice leaves. Among those who leave
    such a pairing: fewest byes so far, then fewest points, then the lowest seed.
    """
    candidates = sorted(range(field.size), key=lambda i: _order(field, i))
    if field.size - 1 >= field.enough:
        return candidates[0]
    best = candidates[0]
    fewest = field.size
    for candidate in candidates:
        rematches = field.fewest_rematches([i for i in range(field.size) if i != candidate])
        if rematches < fewest:
            best, fewest = candidate, rematches
        if not rematches:
            break
    return best


def _order(field: Field, index: int) -> tuple[int, int, int, int]:
    contender = field.contenders[index]
    return (contender.byes, contender.points, -contender.seed, contender.id)
