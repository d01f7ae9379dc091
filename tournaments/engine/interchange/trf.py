"""What FIDE's report format (TRF16, with the tags of 2026 that we know) is made of: columns, letters, codes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from tournaments.engine.snapshot import Bye

NUMBER: Final = slice(4, 8)
NAME: Final = slice(14, 47)
RATING: Final = slice(48, 52)
POINTS: Final = slice(80, 84)
RANK: Final = slice(85, 89)
FIRST_ROUND: Final = 91  # column of the first round, from 0
ROUND_WIDTH: Final = 10  # opponent in four columns, a space, the colour, a space, the result, two spaces
COLOUR: Final = 5  # within a round
RESULT: Final = 7

FIRST_TURN: Final = "w"
SECOND_TURN: Final = "b"

BYES: Final[Mapping[str, Bye]] = {"U": Bye.GIVEN, "F": Bye.FULL, "H": Bye.HALF, "Z": Bye.ZERO}
"""Letters of a round without an opponent; U is the bye the pairing gave."""

TIEBREAKS: Final[Mapping[str, str]] = {
    "BH": "buchholz",
    "BH/C1": "buchholz_cut_1",
    "BH/C2": "buchholz_cut_2",
    "BH/M1": "buchholz_median",
    "SB": "sonneborn_berger",
    "DE": "head_to_head",
    "WIN": "wins",
    "BWG": "wins_as_second",
    "PS": "progressive",
    "KS": "koya",
}
"""Codes of tags 202 and 212 for tie-breaks we have."""

ROUND_ROBIN: Final = "BERGER_ROUNDROBIN"
ROUND_ROBIN_TWICE: Final = "BERGER_DOUBLEROUNDROBIN"
SWISS: Final = "CUSTOM_SWISS"
