"""What the engine says to people: facts as codes, without words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Note:
    """A fact for people as a code and its parameters; words are put to it at the edge, in the reader's language.

    Parameters named `entry`, `a`, `b` are entry ids.
    """

    code: str
    params: tuple[tuple[str, Any], ...] = ()

    @classmethod
    def of(cls, code: str, **params: Any) -> Note:
        return cls(code, tuple(sorted(params.items())))
