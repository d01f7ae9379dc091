"""Lots that anybody can draw again from the stored seed."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import blake2b


def lot(seed: str, number: int, entry: int) -> int:
    """The lot of an entry in round `number` (0: for the stage as a whole), of 64 bits."""
    return lots(seed, number)(entry)


def lots(seed: str, number: int) -> Callable[[int], int]:
    """The lots of a round, by entry."""
    start = f"{seed}|{number}|".encode()

    def draw(entry: int) -> int:
        return int.from_bytes(blake2b(b"%b%d" % (start, entry), digest_size=8).digest())

    return draw
