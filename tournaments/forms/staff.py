"""Helpers' links and scripts' tokens, as an organiser asks for them."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from players.permissions import Role
from tournaments.actions.staff import LINK_ROLES
from tournaments.forms.events import DayField
from tournaments.forms.names import NameField
from tournaments.forms.numbers import read_tables
from tournaments.forms.times import VenueTimeField, at_the_venue
from tournaments.models import Event, StaffLink
from tournaments.words.hall import numbers_text
from tournaments.words.labels import ROLES

ENDS_BEFORE = _("That is before they come.")


def link_end(*, event: Event) -> datetime:
    """When a helper's link ends unless somebody says otherwise: the end of the day after the event, at its place."""
    return _end_of_day(event, event.ends_on + timedelta(days=1))


def _end_of_day(event: Event, day: date) -> datetime:
    return datetime.combine(day, time(23, 59), tzinfo=event.tzinfo)


class SeenForm(forms.Form):
    """Which version of a link a press is to replace: pressed twice it is replaced once."""

    seen = forms.IntegerField(min_value=0, required=False)

    @classmethod
    def version_in(cls, data: Any) -> int | None:
        """The version that was looked at; None where the form does not say."""
        form = cls(data)
        return form.cleaned_data["seen"] if form.is_valid() else None


class PlaceForm(forms.Form):
    """Where somebody helps, and when they are there: to know it, for it locks nothing."""

    tables = forms.CharField(
        label=_("Tables"),
        max_length=200,
        required=False,
        help_text=_("For a referee, for example 1-8, 12. Empty: every table."),
        widget=forms.TextInput(attrs={"inputmode": "text", "autocomplete": "off"}),
    )
    here_from = VenueTimeField(
        label=_("Here from"), help_text=_("By the clocks of the venue. The link opens at other times too.")
    )
    here_until = VenueTimeField(label=_("Here until"))

    def __init__(self, data: Any = None, *, event: Event, initial: dict[str, Any], auto_id: str = "place-%s") -> None:
        super().__init__(data, initial=initial, auto_id=auto_id)
        at_the_venue(self, event.tzinfo)

    @classmethod
    def of(cls, link: StaffLink, data: Any = None) -> PlaceForm:
        """The form for a link that is there."""
        hours = {"here_from": link.here_from, "here_until": link.here_until}
        form = PlaceForm(data, event=link.event, initial={"tables": numbers_text(link.tables), **hours})
        if link.role != Role.REFEREE:
            del form.fields["tables"]
        return form

    def clean_tables(self) -> tuple[int, ...]:
        """The tables that were named; () for all."""
        return read_tables(self.cleaned_data["tables"])

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        first, last = cleaned.get("here_from"), cleaned.get("here_until")
        if first and last and last <= first:
            self.add_error("here_until", ENDS_BEFORE)
        return cleaned


class LinkForm(PlaceForm):
    """A link for one helper, to one tournament of the event or to all of them."""

    field_order = ("name", "role", "tournament", "tables", "here_from", "here_until", "email", "expires_on")

    name = NameField(label=_("Who is it for"), help_text=_("As the log and the other organisers see them."))
    role = forms.ChoiceField(
        label=_("What for"),
        choices=[(str(role), ROLES[role].text) for role in LINK_ROLES],
        widget=forms.RadioSelect,
        initial=str(Role.REFEREE),
    )
    email = forms.EmailField(
        label=_("Address"),
        max_length=254,
        required=False,
        help_text=_("The link is mailed there as well."),
        widget=forms.EmailInput(attrs={"autocomplete": "off"}),
    )
    expires_on = DayField(label=_("Works until the end of"))

    def __init__(self, data: Any = None, *, event: Event) -> None:
        usual = {"expires_on": event.ends_on + timedelta(days=1)}
        super().__init__(data, event=event, initial=usual, auto_id="link-%s")
        self.event = event
        self.fields["tournament"] = forms.ModelChoiceField(
            label=_("Where"),
            queryset=event.tournaments.order_by("pk"),
            required=False,
            empty_label=_("The whole event"),
            help_text=_("An organiser is one of the whole event."),
        )
        self.order_fields(self.field_order)

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        if cleaned.get("role") != Role.REFEREE:
            cleaned["tables"] = ()
        return cleaned

    @property
    def expires_at(self) -> datetime:
        """The instant the link ends, once the form is valid."""
        return _end_of_day(self.event, self.cleaned_data["expires_on"])


class TokenForm(forms.Form):
    """A token for a script."""

    def __init__(self, data: Any = None) -> None:
        super().__init__(data, auto_id="token-%s")

    name = NameField(
        label=_("What uses it"), help_text=_("For example “score board”. It may do in this event whatever you may.")
    )
