"""When and where one match of the plan is to begin, as an organiser types it."""

from __future__ import annotations

from datetime import tzinfo
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from tournaments.forms.times import VenueTimeField, at_the_venue
from tournaments.models import Slot
from tournaments.queries.hall import TABLE_MOST


class FixForm(forms.Form):
    """A time, a table, both or neither. What is in the way can be accepted once it was said."""

    starts_at = VenueTimeField(label=_("Begins at"), help_text=_("Empty: when its turn comes."))
    table = forms.IntegerField(
        label=_("At table"),
        min_value=1,
        max_value=TABLE_MOST,
        required=False,
        help_text=_("Empty: at the first that fits."),
        widget=forms.NumberInput(attrs={"inputmode": "numeric", "autocomplete": "off"}),
    )
    accept = forms.BooleanField(
        label=_("Save it all the same"),
        required=False,
        help_text=_("The plan keeps it as well as it can, and says where it cannot."),
    )

    def __init__(self, data: Any = None, *, slot: Slot, zone: tzinfo, asks: bool = False) -> None:
        super().__init__(data, initial={"starts_at": slot.fixed_at, "table": slot.fixed_table}, auto_id="fix-%s")
        at_the_venue(self, zone)
        if not asks:
            self.fields["accept"].widget = forms.HiddenInput()
