"""What an exporter is: it makes a file of one sheet."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

Cell = str | int | Fraction | None
"""Text, a whole number, an exact fraction, or no number where there could be one."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """A table ready to be written: a title of at most 31 letters, the names of the columns, rows of as many cells.

    Text is cleaned as names are: no control characters but tab and line break, nothing that is no character.
    """

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]


class Exporter(ABC):
    """One kind of file. Stateless.

    `key` never changes: addresses and file names end in it, and its label is found by it.
    """

    key: ClassVar[str]
    media_type: ClassVar[str]

    @abstractmethod
    def write(self, sheet: Sheet) -> bytes:
        """The file. Text stays text whatever it looks like, numbers stay numbers, fractions exact: "n/d"."""
