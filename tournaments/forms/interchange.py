"""A tournament file, and what to take where it says nothing."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

from django import forms
from django.utils.translation import gettext_lazy as _

from tournaments.forms.tournaments import NEWEST_RULESETS
from tournaments.importers.base import BYTES_LIMIT
from tournaments.words import labels


class TournamentFileForm(forms.Form):
    """The file, and the rules of the game for one that names none. `key` tells a form that is sent again."""

    key = forms.CharField(widget=forms.HiddenInput, min_length=20, max_length=80)
    file = forms.FileField(
        label=_("The file"),
        allow_empty_file=True,
        help_text=_("JSON as Cantina writes it, or TRF, FIDE’s report format."),
        widget=forms.ClearableFileInput(attrs={"accept": ".json,.trf,.trfx,.txt,application/json,text/plain"}),
    )
    ruleset = forms.ChoiceField(
        label=_("Rules of the game"),
        choices=[(each.key, labels.RULESETS[each.name].text) for each in NEWEST_RULESETS],
        initial=NEWEST_RULESETS[0].key,
        help_text=_("For a file that does not say."),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.initial.setdefault("key", str(uuid4()))

    def clean_file(self) -> Any:
        file = self.cleaned_data["file"]
        if file.size > BYTES_LIMIT:
            raise forms.ValidationError(
                _("The file is larger than %(most)s MB."), params={"most": BYTES_LIMIT // 10**6}
            )
        return file
