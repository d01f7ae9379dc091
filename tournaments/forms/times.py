"""Times as people type them: by the clocks of the venue, also in the nights these change."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta, tzinfo
from datetime import timezone as offset
from typing import Any

from django import forms
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.functional import Promise
from django.utils.translation import gettext as _

from tournaments.engine.walltime import Skipped, comes_twice, instant_of, offset_text

FIRST_YEAR, LAST_YEAR = 2000, 2100  # an instant outside is a typing mistake
_WALL = offset(timedelta(), "wall")  # of what was typed without a zone, unlike what names its own


class VenueTimeField(forms.DateTimeField):
    """A day and time by the clocks of the venue, whose zone the form sets; an instant in UTC once it is clean.

    A time the clocks skip is refused with the one they show instead; of one that comes twice the first is meant. What
    was not touched stays as it `stands`: a field shows no seconds, and not which of two such hours it is.
    """

    zone: tzinfo = UTC
    stands: datetime | None = None

    def __init__(self, *, required: bool = False, **kwargs: Any) -> None:
        widget = forms.DateTimeInput(format="%Y-%m-%dT%H:%M", attrs={"type": "datetime-local"})
        super().__init__(required=required, widget=widget, **kwargs)

    def prepare_value(self, value: Any) -> Any:
        with timezone.override(self.zone):
            return super().prepare_value(value)

    def to_python(self, value: Any) -> datetime | None:
        typed = str(value or "").strip()
        if typed[:4].isascii() and typed[:4].isdigit() and not FIRST_YEAR <= int(typed[:4]) <= LAST_YEAR:
            raise forms.ValidationError(_("Check the year."))
        with timezone.override(_WALL):
            said = super().to_python(typed)
        if said is None:
            return None
        if not FIRST_YEAR <= said.year <= LAST_YEAR:  # typed in another order: day, month, year
            raise forms.ValidationError(_("Check the year."))
        if said.tzinfo is not _WALL:
            return said.astimezone(UTC)
        wall = said.replace(tzinfo=None)
        if self.stands is not None and wall == _shown(self.stands, self.zone):
            return self.stands.astimezone(UTC)
        meant = instant_of(wall, self.zone)
        if isinstance(meant, Skipped):
            raise forms.ValidationError(skipped_text(wall, meant.instead))
        return meant


def _shown(instant: datetime, zone: tzinfo) -> datetime:
    """What the field shows of an instant."""
    return instant.astimezone(zone).replace(tzinfo=None, second=0, microsecond=0, fold=0)


def at_the_venue(form: forms.Form, zone: tzinfo, stands: Mapping[str, Any] | None = None) -> None:
    """Set the clocks the times of a form are by, and what they stand at now (unless said the form's own initial)."""
    standing = form.initial if stands is None else stands
    for name, field in form.fields.items():
        if isinstance(field, VenueTimeField):
            field.zone, field.stands = zone, standing.get(name)


def skipped_text(wall: datetime, instead: datetime) -> str:
    """What to say of a time the clocks skip."""
    told = f"{instead:%H:%M}" if instead.date() == wall.date() else f"{date_format(instead, 'j E')}, {instead:%H:%M}"
    return _("The clocks go forward then: there is no {time}. Did you mean {instead}?").format(
        time=f"{wall:%H:%M}", instead=told
    )


def twice_text(instant: datetime, zone: tzinfo, label: str | Promise) -> str:
    """What to say of a time that comes twice, once it is settled which is meant; "" of any other."""
    if not comes_twice(instant, zone):
        return ""
    there = instant.astimezone(zone)
    text = (
        _("{label}: {time} comes twice then, for the clocks go back. The second is meant, after that ({offset}).")
        if there.fold
        else _("{label}: {time} comes twice then, for the clocks go back. The first is meant, before that ({offset}).")
    )
    return text.format(label=label, time=f"{there:%H:%M}", offset=offset_text(instant, zone))


def said_twice(form: forms.Form) -> list[str]:
    """A sentence for each time of a valid form that comes twice: to be told when it was saved."""
    told = [
        twice_text(form.cleaned_data[name], field.zone, field.label or name)
        for name, field in form.fields.items()
        if isinstance(field, VenueTimeField) and form.cleaned_data.get(name) is not None
    ]
    return [text for text in told if text]
