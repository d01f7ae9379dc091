"""What an organiser says of an event."""

from __future__ import annotations

from datetime import date
from functools import cache
from typing import Any
from zoneinfo import available_timezones

from django import forms
from django.utils.translation import gettext_lazy as _

from tournaments.actions.events import EventFacts
from tournaments.forms.names import NameField
from tournaments.models import Event

_FIRST_DAY, _LAST_DAY = date(2000, 1, 1), date(2100, 12, 31)  # a day outside is a typing mistake
MOST_REST = 240
_NOT_PLACES = ("Etc/", "SystemV/", "posix/", "right/")


@cache
def zone_names() -> tuple[str, ...]:
    """The zones to choose from, by name: UTC first, then the places."""
    places = sorted(name for name in available_timezones() if "/" in name and not name.startswith(_NOT_PLACES))
    return ("UTC", *places)


@cache
def _zone_words() -> dict[str, str]:
    """What may be typed for a zone: its whole name, or the place alone where only one zone has it."""
    words: dict[str, list[str]] = {}
    for name in zone_names():
        for word in {_folded(name), _folded(name.rpartition("/")[2])}:
            words.setdefault(word, []).append(name)
    return {word: names[0] for word, names in words.items() if len(names) == 1 or names[0] == "UTC"}


def _folded(name: str) -> str:
    return " ".join(name.casefold().replace("_", " ").split())


class DayField(forms.DateField):
    """A day, as the browser's calendar sends it."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(widget=forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"}), **kwargs)

    def validate(self, value: date | None) -> None:
        super().validate(value)
        if value is not None and not _FIRST_DAY <= value <= _LAST_DAY:
            raise forms.ValidationError(_("Check the year."))


class EventForm(forms.Form):
    """A gathering: its name, first day and zone suffice."""

    name = NameField(label=_("Name"), widget=forms.TextInput(attrs={"autocomplete": "off"}))
    starts_on = DayField(label=_("First day"))
    ends_on = DayField(label=_("Last day"), required=False, help_text=_("The same day unless you say so."))
    place = NameField(label=_("Place"), required=False, help_text=_("Where people go: a hall, a street, a town."))
    zone = forms.CharField(
        label=_("Time zone"),
        max_length=64,
        help_text=_("Type a city. Every time on the pages is the time there."),
        widget=forms.TextInput(attrs={"list": "zones", "autocomplete": "off", "spellcheck": "false"}),
    )

    rest_minutes = forms.IntegerField(
        label=_("Minutes of rest between two matches"),
        min_value=0,
        max_value=MOST_REST,
        initial=5,
        help_text=_("What every player has at least, in all tournaments of the event."),
    )

    def __init__(self, data: Any = None, *, initial: dict[str, Any] | None = None) -> None:
        if data is not None and "rest_minutes" not in data:
            data = data.copy()
            data["rest_minutes"] = self.base_fields["rest_minutes"].initial
        super().__init__(data, initial=initial)

    def clean_zone(self) -> str:
        typed = _folded(str(self.cleaned_data["zone"]))
        if (found := _zone_words().get(typed)) is None:
            raise forms.ValidationError(_("No zone has this name. Type the nearest big city, for example Riga."))
        return found

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        first, last = cleaned.get("starts_on"), cleaned.get("ends_on")
        if first and last and last < first:
            self.add_error("ends_on", _("The last day is before the first."))
        return cleaned

    @classmethod
    def of(cls, event: Event) -> EventForm:
        """The form as it stands for an event."""
        names = ("name", "starts_on", "ends_on", "place", "zone", "rest_minutes")
        return cls(initial={name: getattr(event, name) for name in names})

    def facts(self) -> EventFacts:
        """What was said, once the form is valid."""
        said = self.cleaned_data
        return EventFacts(
            name=said["name"],
            place=said["place"],
            zone=said["zone"],
            starts_on=said["starts_on"],
            ends_on=said["ends_on"] or said["starts_on"],
            rest_minutes=said["rest_minutes"],
        )
