"""What an organiser says on the way from the start to the champion."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _


class StartForm(forms.Form):
    """The start, and whom the organiser was told it leaves out."""

    leaving_out = forms.CharField(required=False, max_length=100_000, widget=forms.HiddenInput)

    def clean_leaving_out(self) -> list[int]:
        """Ids of entries; none when nobody was said to be missing."""
        try:
            return [int(part) for part in self.cleaned_data["leaving_out"].split(",") if part]
        except ValueError:
            raise forms.ValidationError(_("Look at the roster again, then start.")) from None

    @staticmethod
    def said(missing: Iterable[int]) -> str:
        """How the entries left out travel through the form."""
        return ",".join(str(entry) for entry in missing)


class PublishForm(forms.Form):
    """Publishing a draft, whether or not a change by hand is to be allowed."""

    accept_warnings = forms.BooleanField(required=False, widget=forms.HiddenInput)


class SwapForm(forms.Form):
    """Two players of a draft who change places. `entries` are the two to choose from, `others` all the rest."""

    def __init__(
        self, data: Any = None, *, entries: Iterable[tuple[int, str]], others: Iterable[tuple[int, str]]
    ) -> None:
        super().__init__(data)
        self.fields["entry"] = forms.TypedChoiceField(
            label=_("Who moves"), choices=list(entries), coerce=int, widget=forms.RadioSelect
        )
        self.fields["with_entry"] = forms.TypedChoiceField(
            label=_("Changes places with"), choices=[("", _("Choose a player")), *others], coerce=int
        )


class WhyForm(forms.Form):
    """A word for the log about something done outside the usual course."""

    why = forms.CharField(label=_("Why"), max_length=500, required=False, help_text=_("Stands in the log."))


class FinishForm(forms.Form):
    """The end, also before every planned round is played."""

    early = forms.BooleanField(required=False, widget=forms.HiddenInput)
