"""What an organiser says to play on with the best."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from tournaments.forms.names import NameField


class PlayOnForm(forms.Form):
    """A cup for the first places: its name and how many play in it."""

    name = NameField(label=_("Name"), widget=forms.TextInput(attrs={"autocomplete": "off"}))
    best = forms.IntegerField(
        label=_("How many play on"),
        min_value=2,
        max_value=1024,
        initial=8,
        help_text=_("First meets last, and the first two can meet only in the final. 4, 8 or 16 leave nobody a bye."),
    )
    accept_tie = forms.BooleanField(
        label=_("If the last place is shared, the order of the table decides"), required=False
    )
