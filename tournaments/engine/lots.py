"""Lots that anybody can draw again from the stored seed."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import blake2b


def lot(seed: str, number: int, place: int) -> int:
    """The lot of the entry at a place of the seeding in round `number` (0: for the stage as a whole), of 64 bits.

    Drawn for places and not for ids, so that the same field and seed give the same lots in every database.
    """
    return lots(seed, number)(place)


def lots(seed: str, number: int) -> Callable[[int], int]:
    """The lots of a round, by place in the seeding."""
    start = f"{seed}|{number}|".encode()

    def draw(place: int) -> int:
        return int.from_bytes(blake2b(b"%b%d" % (start, place), digest_size=8).digest())

    return draw
