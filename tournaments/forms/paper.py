"""Results typed from paper slips: a table, a score, Enter."""

from __future__ import annotations

import re
import uuid
from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from matches.actions import DOUBLE_NO_SHOW, FORFEIT, SCORE, TIME, WALKOVER, Report
from tournaments.words.labels import RESULT_KINDS

_SCORE = re.compile(r"(\d{1,2})\s*[-–—:;,./\s]\s*(\d{1,2})|(\d)(\d)")
_ENDED_EARLY = re.compile(r"([wf])\s*([12])(?:\s+(\d{1,2}))?")
_ON_TIME = re.compile(r"t\s*(?P<before>\d.*)|(?P<after>.*\d)\s*t")
_SAME_KEYS = str.maketrans("цате", "wfnt")
"""The letters on the keys w, f, n and t of a Russian keyboard, for whoever did not switch it."""


def read_score(typed: str) -> Report | None:
    """What a line says of a match, first side first; None when it says nothing.

    "3 1", "3:1", "3-1", "31" a score · "t 2 1", "21t", and as pages say it "2–1, on time" a score on time · "w1", "w2"
    the first or second side wins, the other did not come · "f1", "f2" the first or second side wins, the other gave up,
    and "f1 2" had won two sets by then · "n" neither came.
    """
    said = typed.strip().casefold()
    words = f", {RESULT_KINDS[TIME]}".casefold()
    text = (f"{said.removesuffix(words)}t" if said.endswith(words) else said).translate(_SAME_KEYS)
    if found := _ON_TIME.fullmatch(text):
        sets = _sets(found["before"] or found["after"])
        return None if sets is None else Report(TIME, sets)
    if (sets := _sets(text)) is not None:
        return Report(SCORE, sets)
    if text == "n":
        return Report(DOUBLE_NO_SHOW)
    found = _ENDED_EARLY.fullmatch(text)
    if found is None or (found[1] == "w" and found[3]):
        return None
    winner = "a" if found[2] == "1" else "b"
    if found[1] == "w":
        return Report(WALKOVER, winner=winner)
    lost = int(found[3] or 0)
    return Report(FORFEIT, (0, lost) if winner == "a" else (lost, 0), winner=winner)


def _sets(text: str) -> tuple[int, int] | None:
    found = _SCORE.fullmatch(text)
    if found is None:
        return None
    first, second = (found[1], found[2]) if found[1] else (found[3], found[4])
    return int(first), int(second)


class PaperForm(forms.Form):
    """One slip. `round` (an id) pins which round was meant; with `key` pressing Enter twice is one result.

    `rounds` are all that are published, as (id, name), those that are `still_open` first; a choice of rounds is shown
    where several are.
    """

    round = forms.TypedChoiceField(label=_("Round"), coerce=int, choices=[])
    table = forms.IntegerField(
        label=_("Table"),
        min_value=0,
        max_value=32767,
        widget=forms.TextInput(
            attrs={"inputmode": "numeric", "autocomplete": "off", "list": "paper-tables", "size": 6, "autofocus": True}
        ),
    )
    score = forms.CharField(
        label=_("Score"),
        max_length=20,
        widget=forms.TextInput(
            attrs={
                "autocomplete": "off",
                "autocapitalize": "off",
                "spellcheck": "false",
                "size": 8,
                "placeholder": "3 1",
                "aria-describedby": "paper-help",
            }
        ),
    )
    key = forms.RegexField(r"\A[\w.:-]{8,80}\Z", widget=forms.HiddenInput)

    def __init__(
        self, data: Any = None, *, rounds: Sequence[tuple[int, str]], still_open: frozenset[int], **kwargs: Any
    ) -> None:
        self._rounds, self._open = rounds, still_open
        first = rounds[0][0] if rounds else None
        super().__init__(data, auto_id="paper-%s", initial={"round": first, "key": str(uuid.uuid4())}, **kwargs)
        self.fields["round"].choices = list(rounds)  # type: ignore[attr-defined]
        if len(still_open) < 2:
            self.fields["round"].widget = forms.HiddenInput()

    def clean_score(self) -> Report:
        report = read_score(str(self.cleaned_data["score"]))
        if report is None:
            raise forms.ValidationError(_("No score: type it like 3 1, or t 2 1, w1, w2, f1, f2, n as told below."))
        return report

    def again(self) -> PaperForm:
        """What was typed and what is wrong with it, under a new key, the cursor where it has to be mended.

        A round without open matches is not meant any longer: the next slip is of one that has some.
        """
        chosen = self.cleaned_data.get("round")
        if chosen not in self._open:
            chosen = self._rounds[0][0] if self._rounds else ""
        typed = {"round": chosen, "table": self.data.get("table", ""), "score": self.data.get("score", "")}
        form = PaperForm({**typed, "key": str(uuid.uuid4())}, rounds=self._rounds, still_open=self._open)
        for name, texts in self.errors.items():
            for text in texts:
                if text not in form.errors.get(name, ()):
                    form.add_error(name, str(text))
        place = "table" if "table" in self.errors else "score"
        for name in ("table", "score"):
            form.fields[name].widget.attrs.pop("autofocus", None)
        form.fields[place].widget.attrs["autofocus"] = True
        return form
