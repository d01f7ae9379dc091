"""What is settled before a stage starts about rounds that are not played and about percentages."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, Protocol, runtime_checkable

FideEdition = Literal["2026", "2023"]
LateRounds = Literal["loss", "tie", "bye"]
PercentFloor = Literal["1/3", "1/4", "0"]
PercentByes = Literal["win", "none"]


@dataclass(frozen=True, slots=True)
class Regulations:
    """How tie-breaks look at rounds without a match, and what those before a late entry are worth.

    `unplayed` is the edition of FIDE C.07 (article 16): that of March 2026 or that of 2023 and 2024. `late_rounds` is
    what each round before a late entry came is worth to it. `percent_floor` is the least a percentage counts for
    opponents; `percent_byes` says whether a bye is a clean win in one's own percentage or is not there at all.
    """

    unplayed: FideEdition = "2026"
    late_rounds: LateRounds = "loss"
    percent_floor: PercentFloor = "1/3"
    percent_byes: PercentByes = "win"

    @property
    def floor(self) -> Fraction:
        """The least a percentage counts, from 0 to 1."""
        return Fraction(self.percent_floor)


@runtime_checkable
class Regulated(Protocol):
    """Options of a format that settle these things."""

    @property
    def regulations(self) -> Regulations: ...


def regulations_of(options: object) -> Regulations:
    """Those of the options, or the usual ones where a format leaves nothing to settle."""
    return options.regulations if isinstance(options, Regulated) else Regulations()
