"""Lots that anybody can draw again from the stored seed."""

from __future__ import annotations

from hashlib import blake2b


def lot(seed: str, number: int, entry: int) -> int:
    """The lot of an entry in round `number` (0: for the stage as a whole), of 64 bits."""
    return int.from_bytes(blake2b(f"{seed}|{number}|{entry}".encode(), digest_size=8).digest())
