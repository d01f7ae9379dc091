"""The tie-breaks a ranking chain can be made of. A new one is a class in a file here and a line in TIEBREAKS."""

from __future__ import annotations

from tournaments.engine.tiebreaks.base import Tiebreak
from tournaments.engine.tiebreaks.buchholz import Buchholz, BuchholzCut1, BuchholzCut2, BuchholzMedian
from tournaments.engine.tiebreaks.head_to_head import HeadToHead
from tournaments.engine.tiebreaks.last_resorts import Lot
from tournaments.engine.tiebreaks.percentages import OpponentsMatchWins, OpponentsSetWins, SetWins
from tournaments.engine.tiebreaks.running import Koya, Progressive
from tournaments.engine.tiebreaks.sets import SetDifference, SetRatio, SetsWon
from tournaments.engine.tiebreaks.sonneborn_berger import SonnebornBerger
from tournaments.engine.tiebreaks.wins import TimesOpening, Wins, WinsAsSecond

TIEBREAKS: tuple[Tiebreak, ...] = (
    BuchholzCut1(),
    Buchholz(),
    BuchholzCut2(),
    BuchholzMedian(),
    HeadToHead(),
    SetDifference(),
    SetsWon(),
    SetRatio(),
    SonnebornBerger(),
    Wins(),
    WinsAsSecond(),
    TimesOpening(),
    Progressive(),
    Koya(),
    OpponentsMatchWins(),
    SetWins(),
    OpponentsSetWins(),
    Lot(),
)


def get_tiebreak(key: str) -> Tiebreak:
    """The tie-break with this key. Raises KeyError for a key nobody has."""
    for candidate in TIEBREAKS:
        if candidate.key == key:
            return candidate
    raise KeyError(key)
