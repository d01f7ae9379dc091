"""How long a better plan is looked for."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from tournaments.engine.scheduling.improve import LEAST_SECONDS, MOST_SECONDS

USUAL = 20


class SearchForm(forms.Form):
    """For how many seconds."""

    seconds = forms.IntegerField(
        label=_("Seconds to look for"),
        min_value=LEAST_SECONDS,
        max_value=MOST_SECONDS,
        widget=forms.NumberInput(attrs={"step": 5}),
    )

    def __init__(self, data: Any = None) -> None:
        super().__init__(data, initial={"seconds": USUAL}, auto_id="search-%s")
