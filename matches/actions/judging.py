"""What somebody tells of a match, and what it means by the rules of that match."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, replace
from typing import Self

from matches.engine import Ending, Refusal, Score, SetScore, State, check_score, get_ruleset, score_of
from matches.models import Match
from players.permissions import Refused

SCORE = "score"
TIME = "time"
"""The clock of the round ended the match: the sets stand as they were, and whoever led has won."""
WALKOVER = "walkover"
FORFEIT = "forfeit"
DOUBLE_NO_SHOW = "double_no_show"
KINDS = (SCORE, TIME, WALKOVER, FORFEIT, DOUBLE_NO_SHOW)
SEATS = ("a", "b")


@dataclass(frozen=True, slots=True)
class Report:
    """A result as somebody tells it.

    `sets` are set points of seat a and seat b, as played; `by_set` may tell the sets one by one (tied sets too) in
    place of them, or beside them and must then agree. `winner` ("a", "b") is told for a walkover and a forfeit; for a
    score, also one that time cut short, it may be told and must then agree with the sets, and for a double no-show it
    is None.
    """

    kind: str
    sets: tuple[int, int] | None = None
    winner: str | None = None
    by_set: tuple[SetScore, ...] = ()

    @classmethod
    def of_game(cls, state: State) -> Self:
        """What a match that was played through the engine to its end comes to.

        A match that a referee gave to one side, after too many ties, ends like one given up: the loser keeps the sets
        won. Raises `ValueError` while the match goes on.
        """
        if state.outcome is None:
            raise ValueError("the match is not over")
        score = score_of(state)
        kind = SCORE if state.outcome.ending is Ending.SETS else FORFEIT
        return cls(kind, score.won, SEATS[state.outcome.winner], score.by_set)

    def told_by_set(self) -> list[list[int | str]]:
        """The sets as they are kept: both totals, and how the set ended and who won it ("" for nobody) where told."""
        return [_kept(each) for each in self.by_set]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What counts of a report: two that mean the same are level, however many of their sets were told one by one."""

    kind: str
    sets: tuple[int, int]
    winner: str

    @property
    def meaning(self) -> Outcome:
        """What two have to agree in: with the same sets it is no matter who of them adds that time was over."""
        return replace(self, kind=SCORE) if self.kind == TIME else self


def judge(match: Match, report: Report) -> Outcome | Refused:
    """What the report means by the rules of the match: the sets that count and who won.

    Whether the time of a match is over is for whoever runs its clock to say, not for these rules.
    """
    ruleset = get_ruleset(match.ruleset)
    if report.kind == DOUBLE_NO_SHOW:
        return Outcome(DOUBLE_NO_SHOW, (0, 0), "")
    if report.kind not in KINDS:
        return Refused("kind_unknown", {"kind": report.kind}, status=400)
    if report.winner not in (None, "a", "b"):
        return Refused("winner_unknown", status=400)
    if report.kind in (SCORE, TIME):
        score = Score(
            won=report.sets,
            by_set=report.by_set,
            winner=None if report.winner is None else SEATS.index(report.winner),
        )
        checked = check_score(ruleset, score, allow_tie=match.allows_tie, on_time=report.kind == TIME)
        if isinstance(checked, Refusal):
            return Refused(checked.code, dict(checked.params), status=400)
        return Outcome(report.kind, checked.won, "" if checked.winner is None else SEATS[checked.winner])
    if report.winner is None:
        return Refused("winner_missing", status=400)
    return _given_up(report, ruleset.sets_to_win)


def _given_up(report: Report, goal: int) -> Outcome | Refused:
    """A walkover counts as a clean win; a forfeit leaves the loser what they had won."""
    seat = SEATS.index(report.winner or "")
    lost = report.sets[1 - seat] if report.kind == FORFEIT and report.sets else 0
    if not 0 <= lost < goal:
        return Refused("score_impossible", {"sets_to_win": goal}, status=400)
    return Outcome(report.kind, (goal, lost) if seat == 0 else (lost, goal), SEATS[seat])


def _kept(each: SetScore) -> list[int | str]:
    totals: list[int | str] = [*each.totals]
    if each.reason is None and each.winner is None:
        return totals
    return [*totals, each.reason.value if each.reason else "", "" if each.winner is None else SEATS[each.winner]]


def digest_of(match_id: int, report: Report, seat: str = "") -> str:
    """What a key stands for: the same key must say the same of the same match, from the same seat."""
    said = [match_id, report.kind, report.sets, report.winner, report.told_by_set(), *([seat] if seat else [])]
    return hashlib.sha256(json.dumps(said).encode()).hexdigest()
