"""What a tie-break is: an exact number for each entry, or an order within those still tied."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from tournaments.engine.notes import Note
from tournaments.engine.snapshot import Snapshot

Value = int | Fraction


@dataclass(frozen=True, slots=True)
class Compared:
    """Two entries that a tie-break sets apart: `entry` is told about `neighbour`, who is next above if `behind`.

    `tied` is how many were level before. `values` are those of the tie-break.
    """

    entry: int
    neighbour: int
    behind: bool
    tied: int
    values: Mapping[int, Value]


class Tiebreak(ABC):
    """One criterion of a ranking chain; higher is better. Stateless. `key` is stored and never changes.

    `among_tied` says that the value depends on who else is tied: it is an order within the group, not a number to put
    in a column. All others give an entry the same value whoever is asked for beside it.
    """

    key: ClassVar[str]
    among_tied: ClassVar[bool] = False

    @abstractmethod
    def values(self, snapshot: Snapshot, tied: Sequence[int]) -> dict[int, Value]:
        """A value for each of `tied` (entry ids level on everything before). Exact, and blind to input order."""

    def reason(self, snapshot: Snapshot, compared: Compared) -> Note:
        """Why the entry is ahead of its neighbour or behind: one of the codes of the standings."""
        return Note.of(
            "behind_by" if compared.behind else "ahead_by",
            entry=compared.neighbour,
            key=self.key,
            mine=str(compared.values[compared.entry]),
            theirs=str(compared.values[compared.neighbour]),
        )
