"""What an organiser says to play on with the best."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from tournaments.forms.names import NameField
from tournaments.forms.tournaments import MOST_CUT


class PlayOnForm(forms.Form):
    """A cup for the first places: its name and how many play in it; `grouped`: how many of each group."""

    name = NameField(label=_("Name"), widget=forms.TextInput(attrs={"autocomplete": "off"}))
    best = forms.IntegerField(
        label=_("How many play on"),
        min_value=2,
        max_value=MOST_CUT,
        help_text=_("First meets last, and the first two can meet only in the final. 4, 8 or 16 leave nobody a bye."),
    )
    accept_tie = forms.BooleanField(
        label=_("If the last place is shared, the order of the table decides"), required=False
    )

    def __init__(self, data: Any = None, *, best: int, grouped: bool) -> None:
        super().__init__(data, initial={"best": best})
        if grouped:
            self.fields["best"] = forms.IntegerField(
                label=_("How many of each group play on"),
                min_value=1,
                max_value=MOST_CUT,
                help_text=_(
                    "Winners of groups get the best seeds. Whoever was in one group meets again as late as can be."
                ),
            )
