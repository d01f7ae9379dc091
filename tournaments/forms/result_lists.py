"""A list of results as a file, what its rows mean by the rules of their matches, and the list once it was looked at."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any
from uuid import uuid4

from django import forms
from django.utils.translation import gettext_lazy as _

from matches.actions import KINDS, SEATS, Report
from matches.actions.judging import judge
from players.permissions import Refused
from tournaments.actions.result_lists import Told
from tournaments.forms.paper import read_score
from tournaments.forms.roster import ImportForm
from tournaments.queries.result_lists import RowOfMatch, RowProblem
from tournaments.words.labels import result_text

_MOST = 2000
"""Results of one list."""


class ResultListForm(ImportForm):
    """A list of results as a file, and which round it is of where the list does not say. `rounds` are (id, name)."""

    round = forms.TypedChoiceField(label=_("Round"), coerce=int, empty_value=None, required=False)

    def __init__(self, *args: Any, rounds: Sequence[tuple[int, str]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["round"].choices = [("", _("As the list says")), *rounds]  # type: ignore[attr-defined]


@dataclass(frozen=True, slots=True)
class JudgedRow:
    """A row as it would be entered, from the first side of its match. `report` None: the match has this result."""

    found: RowOfMatch
    report: Report | None


def judge_rows(found: Sequence[RowOfMatch]) -> tuple[list[JudgedRow], list[RowProblem]]:
    """What the scores mean. Problems: score_unreadable (value), decided_otherwise (result), and those of the rules."""
    judged: list[JudgedRow] = []
    problems: list[RowProblem] = []
    for each in found:
        outcome = _judge(each)
        if isinstance(outcome, Refused):
            problems.append(RowProblem(each.row.line, outcome.code, outcome.params))
        else:
            judged.append(JudgedRow(each, outcome[0]))
    return judged, problems


def _judge(each: RowOfMatch) -> tuple[Report | None] | Refused:
    match = each.pairing.match
    if match is None:
        return Refused("match_unknown", status=404)
    if match.kind and not each.turned and each.row.score == result_text(match):
        return (None,)  # as the exported pairings tell it
    report = read_score(each.row.score)
    if report is None:
        return Refused("score_unreadable", {"value": each.row.score[:60]})
    report = _turned(report) if each.turned else report
    outcome = judge(match, report)
    if isinstance(outcome, Refused) or not match.kind:
        return outcome if isinstance(outcome, Refused) else (report,)
    if (outcome.kind, outcome.sets, outcome.winner) == (match.kind, (match.sets_a, match.sets_b), match.winner):
        return (None,)
    return Refused("decided_otherwise", {"result": result_text(match)})


def _turned(report: Report) -> Report:
    """The same from the other side."""
    sets = None if report.sets is None else (report.sets[1], report.sets[0])
    winner = None if report.winner is None else SEATS[1 - SEATS.index(report.winner)]
    return replace(report, sets=sets, winner=winner)


class ResultListConfirmForm(forms.Form):
    """The list once it was looked at: its rows with the versions that were seen. With `key` pressing twice is once."""

    key = forms.RegexField(r"\A[\w.:-]{8,40}\Z", widget=forms.HiddenInput)
    rows = forms.CharField(widget=forms.HiddenInput, max_length=400_000)

    @classmethod
    def of(cls, judged: Sequence[JudgedRow]) -> ResultListConfirmForm:
        """The form that enters these rows."""
        rows = [
            [each.found.row.line, match.pk, match.version, each.report.kind, each.report.sets, each.report.winner]
            for each in judged
            if each.report is not None and (match := each.found.pairing.match) is not None
        ]
        return cls(initial={"key": str(uuid4()), "rows": json.dumps(rows)})

    def clean_rows(self) -> list[Told]:
        """What is to be entered."""
        try:
            rows = json.loads(self.cleaned_data["rows"])
            told = [_told(row) for row in rows]
        except (ValueError, TypeError, RecursionError):
            told = []
        if not 0 < len(told) <= _MOST:
            raise forms.ValidationError(_("This list is damaged. Bring it again."))
        return told


def _told(row: Any) -> Told:
    """Raises ValueError or TypeError for what is no row."""
    line, match, version, kind, sets, winner = row
    numbers = [line, match, version, *(sets or [])]
    if not all(type(number) is int and 0 <= number < 2**31 for number in numbers):
        raise ValueError("no number")
    if kind not in KINDS or winner not in (None, *SEATS) or (sets is not None and len(sets) != 2):
        raise ValueError("no result")
    return Told(line, match, version, Report(kind, None if sets is None else (sets[0], sets[1]), winner))
