"""A refusal as a value: a stable code for programs, its parameters, and no words for people."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why something was not accepted.

    `code` never changes its meaning once published; `params` are pairs sorted by name, for the text made of the code.
    Whoever shows a refusal to a person puts words to the code in that person's language.
    """

    code: str
    params: tuple[tuple[str, int | str], ...] = ()

    @classmethod
    def of(cls, code: str, **params: int | str) -> Self:
        """The refusal `code` with its parameters in the one order in which equal refusals compare equal."""
        return cls(code, tuple(sorted(params.items())))
