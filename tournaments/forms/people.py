"""Two entries of one person, as an organiser says it."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _


class MergeForm(forms.Form):
    """Who else a player is: `other` is an entry in another tournament."""

    other = forms.IntegerField(min_value=1, max_value=2**63 - 1, error_messages={"required": _("Choose who it is.")})
