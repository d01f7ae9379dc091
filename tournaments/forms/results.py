"""How a match ended, as a referee or an organiser tells it."""

from __future__ import annotations

import re
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from matches.actions import DOUBLE_NO_SHOW, FORFEIT, SCORE, TIME, WALKOVER, Report
from matches.engine import get_ruleset
from matches.models import Match
from tournaments.models import Pairing
from tournaments.queries.time_over import MatchTime, match_times
from tournaments.words.labels import RESULT_KINDS, ended_text, score_text

WHY_LENGTH = 500

_SCORE = re.compile(r"\s*(-?\d{1,3})\s*[-–:]\s*(-?\d{1,3})\s*")
_ON_TIME = re.compile(r"time-(\d{1,3})-(\d{1,3})")
_ENDED_EARLY: dict[str, tuple[str, str | None]] = {
    "walkover_a": (WALKOVER, "a"),
    "walkover_b": (WALKOVER, "b"),
    "forfeit_a": (FORFEIT, "a"),
    "forfeit_b": (FORFEIT, "b"),
    "double_no_show": (DOUBLE_NO_SHOW, None),
}
"""What can be chosen besides a score: the kind of the result, and the seat that wins by it."""


@dataclass(frozen=True, slots=True)
class Key:
    """One score to choose: the value the form sends, the words on it, and what is said besides them to a listener."""

    value: str
    text: str
    more: str = ""


def result_value(match: Match) -> str:
    """The choice that stands for the confirmed result of a match; "" while it is open."""
    if match.kind in (SCORE, TIME):
        return f"{'time-' if match.kind == TIME else ''}{match.sets_a}-{match.sets_b}"
    ended = (match.kind, match.winner or None)
    return next((value for value, meant in _ENDED_EARLY.items() if meant == ended), "")


class ResultForm(forms.Form):
    """One result of one match.

    `result` is a score ("3-1": seat a first), one on time ("time-2-1"), or "walkover_a", "walkover_b", "forfeit_a",
    "forfeit_b" (the seat named wins), or "double_no_show". `loser_sets` are the sets the one who gave up had won.
    Whether the score can be is for the rules to say, not for this form: it hands on whatever is two whole numbers.
    `key` makes sending twice one result, `version` is the version of the match that was looked at. `time` says what the
    clock of the round lets the match end with; None: none was started, and nothing of that is offered.
    """

    result = forms.CharField(max_length=20, error_messages={"required": _("Choose how the match ended.")})
    loser_sets = forms.IntegerField(
        label=_("Sets won by the one who gave up"), required=False, min_value=0, max_value=99
    )
    key = forms.RegexField(r"\A[\w.:-]{8,80}\Z", widget=forms.HiddenInput)
    version = forms.IntegerField(min_value=0, widget=forms.HiddenInput)

    def __init__(self, data: Any = None, *, match: Match, time: MatchTime | None = None, **kwargs: Any) -> None:
        initial = {"key": str(uuid.uuid4()), "version": match.version, "result": result_value(match)}
        if match.kind == FORFEIT:
            initial["loser_sets"] = match.sets_b if match.winner == "a" else match.sets_a
        super().__init__(data, initial=initial, auto_id=f"match-{match.pk}-%s", **kwargs)
        self.match = match
        self.time = time or (MatchTime(True, match.allows_tie) if match.kind == TIME else None)
        self.sets_to_win = get_ruleset(match.ruleset).sets_to_win
        self.fields["loser_sets"].widget.attrs["max"] = self.sets_to_win - 1

    @classmethod
    def at(cls, pairing: Pairing, match: Match, data: Any = None, *, now: datetime) -> ResultForm:
        """The form for one match as its time is now. The pairing has its round's clock and tournament loaded."""
        return cls(data, match=match, time=match_times(pairings=[pairing], now=now).get(match.pk))

    def clean_result(self) -> str:
        value = str(self.cleaned_data["result"])
        if value not in _ENDED_EARLY and not _SCORE.fullmatch(value) and not _ON_TIME.fullmatch(value):
            raise forms.ValidationError(_("A score is two whole numbers, for example 3–1."))
        return value

    def report(self) -> Report:
        """What was told, once the form is valid."""
        value = self.cleaned_data["result"]
        if found := _SCORE.fullmatch(value):
            return Report(kind=SCORE, sets=(int(found[1]), int(found[2])))
        if found := _ON_TIME.fullmatch(value):
            return Report(kind=TIME, sets=(int(found[1]), int(found[2])))
        kind, winner = _ENDED_EARLY[value]
        lost = self.cleaned_data["loser_sets"] or 0
        if kind != FORFEIT or not lost:
            return Report(kind=kind, winner=winner)
        return Report(kind=kind, sets=(0, lost) if winner == "a" else (lost, 0), winner=winner)

    @property
    def words(self) -> str:
        """What was told, once the form is valid, as it is said: "3–1", "2–1, on time", "Walkover"."""
        report = self.report()
        if report.kind in (SCORE, TIME) and report.sets is not None:
            return ended_text(report.kind, *report.sets)
        return str(RESULT_KINDS[report.kind])

    def again(self) -> ResultForm:
        """The same choice for the match as it is now, with a new key: what to show after a refusal."""
        typed = {"result": self.data.get("result", ""), "loser_sets": self.data.get("loser_sets", "")}
        data = {**typed, "key": str(uuid.uuid4()), "version": self.match.version}
        return ResultForm(data, match=self.match, time=self.time)

    @property
    def chosen(self) -> str:
        """The choice that is marked: what was sent, or the result there is."""
        return str(self["result"].value() or "")

    @property
    def wins_a(self) -> list[Key]:
        won = self.sets_to_win
        return [Key(f"{won}-{lost}", score_text(won, lost)) for lost in range(won)]

    @property
    def wins_b(self) -> list[Key]:
        won = self.sets_to_win
        return [Key(f"{lost}-{won}", score_text(lost, won)) for lost in range(won)]

    @property
    def ties(self) -> list[Key]:
        """Equal scores of a match that time cut short; none where a match goes on until it is won.

        Where a clock says whether time is over they are among those on time.
        """
        if not self.match.allows_tie or self.time is not None:
            return []
        return [Key(f"{each}-{each}", score_text(each, each)) for each in range(self.sets_to_win)]

    @property
    def on_time_a(self) -> list[Key]:
        """What the end of the time lets seat a win with; none as long as it is not over."""
        return self._on_time(lambda a, b: a > b)

    @property
    def on_time_b(self) -> list[Key]:
        return self._on_time(lambda a, b: a < b)

    @property
    def on_time_ties(self) -> list[Key]:
        """Level in sets, where the end of the time leaves it so."""
        may_tie = self.time is not None and self.time.may_tie
        return self._on_time(lambda a, b: a == b) if may_tie else []

    def _on_time(self, wanted: Callable[[int, int], bool]) -> list[Key]:
        if self.time is None or not self.ends_on_time:
            return []
        sets = [(a, b) for a in range(self.sets_to_win) for b in range(self.sets_to_win)]
        kept = [each for each in sets if wanted(*each) and self.time.stands in (None, each)]
        return [
            Key(f"time-{a}-{b}", score := score_text(a, b), ended_text(TIME, a, b).removeprefix(score))
            for a, b in sorted(kept, key=lambda each: (max(each), min(each)))
        ]

    @property
    def ends_on_time(self) -> bool:
        """Whether the match may end because its time is over."""
        return self.time is not None and self.time.can_end

    @property
    def ended_early(self) -> bool:
        """Whether the marked choice is none of the scores: its part of the form is then open."""
        return self.chosen in _ENDED_EARLY


class VersionForm(forms.Form):
    """The version of a match that was looked at, where one press says the rest."""

    version = forms.IntegerField(min_value=0, widget=forms.HiddenInput)


class ClearForm(forms.Form):
    """Taking a result back, so that the match is open again."""

    version = forms.IntegerField(min_value=0, widget=forms.HiddenInput)
    why = forms.CharField(
        label=_("Why"),
        max_length=WHY_LENGTH,
        required=False,
        help_text=_("Stands in the log beside what was taken back."),
    )


class WhyForm(forms.Form):
    """Why an organiser's word suffices where a second person has to confirm each result."""

    why = forms.CharField(
        label=_("Why it counts without a second person"),
        max_length=WHY_LENGTH,
        required=False,
        help_text=_("Left empty, the result waits until somebody else confirms it. A correction always says why."),
    )


class OwnReportForm(ResultForm):
    """What a player tells of their own match: a score, or that they gave up."""

    def __init__(
        self, data: Any = None, *, match: Match, seat: str, time: MatchTime | None = None, **kwargs: Any
    ) -> None:
        super().__init__(data, match=match, time=time, **kwargs)
        self.seat = seat
        self.fields["loser_sets"].label = _("Sets you had won by then")

    def again(self) -> OwnReportForm:
        typed = {"result": self.data.get("result", ""), "loser_sets": self.data.get("loser_sets", "")}
        data = {**typed, "key": str(uuid.uuid4()), "version": self.match.version}
        return OwnReportForm(data, match=self.match, seat=self.seat, time=self.time)

    @property
    def gives_up(self) -> str:
        """The choice that says so: the other seat wins by it."""
        return "forfeit_b" if self.seat == "a" else "forfeit_a"
