"""What is said of the clock of a round, and of extra time for one table."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

MOST_EXTRA = 60
"""Minutes that can be given at once, to a round or to a table."""

STEP = 5
"""Minutes a press gives a whole round."""

ACTS = ("start", "pause", "resume", "extend", "reset")


class ClockForm(forms.Form):
    """One press: which round, and what of its clock. `version` is that of the clock it was pressed beside."""

    act = forms.ChoiceField(choices=[(act, act) for act in ACTS])
    round = forms.IntegerField(min_value=1, max_value=2**63 - 1)
    version = forms.IntegerField(min_value=0, max_value=2**31 - 1, required=False)


class ExtraTimeForm(forms.Form):
    """How many minutes a table has beyond its round."""

    minutes = forms.IntegerField(
        label=_("Minutes beyond the round"),
        min_value=0,
        max_value=MOST_EXTRA,
        help_text=_("For this table alone. 0 takes them back."),
    )

    def __init__(self, data: Any = None, *, seconds: int, match: int) -> None:
        super().__init__(data, initial={"minutes": seconds // 60}, auto_id=f"time-{match}-%s")
