"""How a match ended, as a referee or an organiser tells it."""

from __future__ import annotations

import re
import uuid
from dataclasses import dataclass
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from matches.actions import DOUBLE_NO_SHOW, FORFEIT, SCORE, WALKOVER, Report
from matches.engine import get_ruleset
from matches.models import Match
from tournaments.words.labels import RESULT_KINDS, score_text

WHY_LENGTH = 500

_SCORE = re.compile(r"\s*(-?\d{1,3})\s*[-–:]\s*(-?\d{1,3})\s*")
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
    """One score to choose: the value the form sends, and the words on it."""

    value: str
    text: str


def result_value(match: Match) -> str:
    """The choice that stands for the confirmed result of a match; "" while it is open."""
    if match.kind == SCORE:
        return f"{match.sets_a}-{match.sets_b}"
    ended = (match.kind, match.winner or None)
    return next((value for value, meant in _ENDED_EARLY.items() if meant == ended), "")


class ResultForm(forms.Form):
    """One result of one match.

    `result` is a score ("3-1": seat a first), or "walkover_a", "walkover_b", "forfeit_a", "forfeit_b" (the seat named
    wins), or "double_no_show". `loser_sets` are the sets the one who gave up had won. Whether the score can be is for
    the rules to say, not for this form: it hands on whatever is two whole numbers.
    `key` makes sending twice one result, `version` is the version of the match that was looked at.
    """

    result = forms.CharField(max_length=20, error_messages={"required": _("Choose how the match ended.")})
    loser_sets = forms.IntegerField(
        label=_("Sets won by the one who gave up"), required=False, min_value=0, max_value=99
    )
    key = forms.RegexField(r"\A[\w.:-]{8,80}\Z", widget=forms.HiddenInput)
    version = forms.IntegerField(min_value=0, widget=forms.HiddenInput)

    def __init__(self, data: Any = None, *, match: Match, **kwargs: Any) -> None:
        initial = {"key": str(uuid.uuid4()), "version": match.version, "result": result_value(match)}
        if match.kind == FORFEIT:
            initial["loser_sets"] = match.sets_b if match.winner == "a" else match.sets_a
        super().__init__(data, initial=initial, auto_id=f"match-{match.pk}-%s", **kwargs)
        self.match = match
        self.sets_to_win = get_ruleset(match.ruleset).sets_to_win
        self.fields["loser_sets"].widget.attrs["max"] = self.sets_to_win - 1

    def clean_result(self) -> str:
        value = str(self.cleaned_data["result"])
        if value not in _ENDED_EARLY and not _SCORE.fullmatch(value):
            raise forms.ValidationError(_("A score is two whole numbers, for example 3–1."))
        return value

    def report(self) -> Report:
        """What was told, once the form is valid."""
        value = self.cleaned_data["result"]
        if found := _SCORE.fullmatch(value):
            return Report(kind=SCORE, sets=(int(found[1]), int(found[2])))
        kind, winner = _ENDED_EARLY[value]
        lost = self.cleaned_data["loser_sets"] or 0
        if kind != FORFEIT or not lost:
            return Report(kind=kind, winner=winner)
        return Report(kind=kind, sets=(0, lost) if winner == "a" else (lost, 0), winner=winner)

    @property
    def words(self) -> str:
        """What was told, once the form is valid, as it is said: "3–1", "Walkover"."""
        report = self.report()
        if report.kind == SCORE and report.sets is not None:
            return score_text(*report.sets)
        return str(RESULT_KINDS[report.kind])

    def again(self) -> ResultForm:
        """The same choice for the match as it is now, with a new key: what to show after a refusal."""
        typed = {"result": self.data.get("result", ""), "loser_sets": self.data.get("loser_sets", "")}
        return ResultForm({**typed, "key": str(uuid.uuid4()), "version": self.match.version}, match=self.match)

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
        """Equal scores of a match that time cut short; none where a match goes on until it is won."""
        if not self.match.allows_tie:
            return []
        return [Key(f"{each}-{each}", score_text(each, each)) for each in range(self.sets_to_win)]

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

    def __init__(self, data: Any = None, *, match: Match, seat: str, **kwargs: Any) -> None:
        super().__init__(data, match=match, **kwargs)
        self.seat = seat
        self.fields["loser_sets"].label = _("Sets you had won by then")

    def again(self) -> OwnReportForm:
        typed = {"result": self.data.get("result", ""), "loser_sets": self.data.get("loser_sets", "")}
        data = {**typed, "key": str(uuid.uuid4()), "version": self.match.version}
        return OwnReportForm(data, match=self.match, seat=self.seat)

    @property
    def gives_up(self) -> str:
        """The choice that says so: the other seat wins by it."""
        return "forfeit_b" if self.seat == "a" else "forfeit_a"
