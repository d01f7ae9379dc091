"""Percentages as card games count them: matches and sets won of those there were, and those of the opponents.

As in the Magic tournament rules, appendix C: a percentage is points made of points there were to make; a bye counts as
a clean win in one's own, and is no opponent; what an opponent brings is never less than the floor, and it is the mean
over all matches that counts. Floor and byes are in the regulations of the stage. Nobody met yet is worth 0.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction

from tournaments.engine.snapshot import Bye, Snapshot
from tournaments.engine.tiebreaks.base import Tiebreak, Value

_SET_WON, _SET_TIED = 3, 1


class OpponentsMatchWins(Tiebreak):
    """The mean of the opponents' shares of match points, none less than the floor."""

    key = "opponents_match_wins"

    def values(self, snapshot: Snapshot, tied: Sequence[int]) -> dict[int, Value]:
        return _of_opponents(snapshot, tied, _match_wins)


class SetWins(Tiebreak):
    """The own share of set points: three for a set won, one for a tied one."""

    key = "set_wins"

    def values(self, snapshot: Snapshot, tied: Sequence[int]) -> dict[int, Value]:
        return {entry: _set_wins(snapshot, entry) for entry in tied}


class OpponentsSetWins(Tiebreak):
    """The mean of the opponents' shares of set points, none less than the floor."""

    key = "opponents_set_wins"

    def values(self, snapshot: Snapshot, tied: Sequence[int]) -> dict[int, Value]:
        return _of_opponents(snapshot, tied, _set_wins)


def _of_opponents(
    snapshot: Snapshot, tied: Sequence[int], share: Callable[[Snapshot, int], Fraction]
) -> dict[int, Value]:
    shares: dict[int, Fraction] | None = snapshot.worked_out.get(share)
    if shares is None:
        shares = {entry: max(snapshot.regulations.floor, share(snapshot, entry)) for entry in snapshot.games}
        snapshot.worked_out[share] = shares
    found: dict[int, Value] = {}
    for entry in tied:
        met = [p.b if p.a == entry else p.a for p in snapshot.games[entry] if p.result is not None]
        found[entry] = _mean([shares[opponent] for opponent in met if opponent is not None])
    return found


def _mean(shares: Sequence[Fraction]) -> Fraction:
    """The exact mean, 0 of nothing. Shares of equal denominator are added up as whole numbers: most have the same."""
    by_denominator: Counter[int] = Counter()
    for share in shares:
        by_denominator[share.denominator] += share.numerator
    total = sum((Fraction(numerator, denominator) for denominator, numerator in by_denominator.items()), Fraction(0))
    return total / max(1, len(shares))


def _match_wins(snapshot: Snapshot, entry: int) -> Fraction:
    """Match points made of those there were to make, in the rounds the entry took part in."""
    made = there = 0
    for pairing in snapshot.games[entry]:
        if not pairing.is_open and (not pairing.is_bye or snapshot.regulations.percent_byes == "win"):
            made += snapshot.points.earned(pairing, entry)
            there += snapshot.points.win
    return Fraction(made, there) if there else Fraction(0)


def _set_wins(snapshot: Snapshot, entry: int) -> Fraction:
    """Set points made of those there were to make; a bye is a clean win, one for no points a clean loss."""
    made = there = 0
    clean = snapshot.sets_to_win if snapshot.regulations.percent_byes == "win" else 0
    as_sets = {Bye.GIVEN: (clean, 0), Bye.FULL: (clean, 0), Bye.HALF: (0, 0), Bye.ZERO: (0, clean)}
    for pairing in snapshot.games[entry]:
        won, lost = as_sets[pairing.bye] if pairing.is_bye else pairing.sets_of(entry)
        tied = pairing.result.tied_sets if pairing.result is not None else 0
        made += _SET_WON * won + _SET_TIED * tied
        there += _SET_WON * (won + lost + tied)
    return Fraction(made, there) if there else Fraction(0)
