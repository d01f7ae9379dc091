"""Opening hours, breaks, the times of rounds, and how far everything is shifted, as an organiser types it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime, time, timedelta
from itertools import pairwise
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from players.permissions import Refused
from tournaments.forms.events import DayField
from tournaments.forms.names import NameField
from tournaments.forms.times import VenueTimeField, at_the_venue, twice_text
from tournaments.models import Break, Event, Opening
from tournaments.queries.hours import RoundRow
from tournaments.words.reasons import round_name
from tournaments.words.refusals import refusal_text

MOST_MINUTES = 24 * 60
_ONE_DAY = timedelta(days=1)


class _ClockField(forms.TimeField):
    """What the clocks of the venue show, without a day."""

    def __init__(self, **kwargs: Any) -> None:
        widget = forms.TimeInput(format="%H:%M", attrs={"type": "time"})
        super().__init__(widget=widget, input_formats=["%H:%M", "%H:%M:%S"], **kwargs)


class SpanForm(forms.Form):
    """From when to when on a day of the venue; an end that is not after the beginning is on the next morning."""

    day = DayField(label=gettext_lazy("Day"))
    starts = _ClockField(label=gettext_lazy("From"))
    ends = _ClockField(label=gettext_lazy("Until"), help_text=gettext_lazy("Past midnight it is the next morning."))

    def __init__(
        self,
        data: Any = None,
        *,
        event: Event,
        span: tuple[datetime, datetime] | None = None,
        initial: Mapping[str, Any] | None = None,
        auto_id: str,
    ) -> None:
        self.event, self.span = event, span
        super().__init__(data, initial={**(_shown(event, *span) if span else {}), **(initial or {})}, auto_id=auto_id)
        self.starts_at: datetime | None = None
        self.ends_at: datetime | None = None

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        day, starts, ends = (cleaned.get(name) for name in ("day", "starts", "ends"))
        if day and starts is not None and ends is not None:
            stands = self.span or (None, None)
            self.starts_at = self._instant("starts", day, starts, stands[0])
            self.ends_at = self._instant("ends", day + _ONE_DAY if ends <= starts else day, ends, stands[1])
        return cleaned

    def _instant(self, name: str, day: date, clock: time, stands: datetime | None) -> datetime | None:
        """The instant the clocks of the venue show this; an error at the field where they never do."""
        field = VenueTimeField()
        field.zone, field.stands = self.event.tzinfo, stands
        try:
            return field.to_python(f"{day.isoformat()}T{clock:%H:%M}")
        except forms.ValidationError as wrong:
            self.add_error(name, wrong)
            return None

    def said_twice(self) -> list[str]:
        """A sentence for each end of a valid form that comes twice, for the clocks go back."""
        told = (
            "" if at is None else twice_text(at, self.event.tzinfo, self.fields[name].label or name)
            for name, at in (("starts", self.starts_at), ("ends", self.ends_at))
        )
        return [text for text in told if text]


def _shown(event: Event, starts_at: datetime, ends_at: datetime) -> dict[str, Any]:
    starts, ends = (at.astimezone(event.tzinfo) for at in (starts_at, ends_at))
    return {"day": starts.date(), "starts": starts.time(), "ends": ends.time()}


class OpeningForm(SpanForm):
    """When the hall is open."""

    def __init__(self, data: Any = None, *, event: Event, opening: Opening | None = None) -> None:
        span = None if opening is None else (opening.opens_at, opening.closes_at)
        initial = _next_opening(event) if opening is None else None
        super().__init__(data, event=event, span=span, initial=initial, auto_id="opening-%s")


def _next_opening(event: Event) -> dict[str, Any]:
    """The first day of the event that has no hours yet, with those of the day before."""
    found = event.openings.order_by("opens_at").values_list("opens_at", "closes_at")
    known = [_shown(event, *span) for span in found]
    days = {each["day"] for each in known}
    day = event.starts_on
    while day in days and day < event.ends_on:
        day += _ONE_DAY
    usual = {name: known[-1][name] for name in ("starts", "ends")} if known else {}
    return {"day": day, **usual}


class BreakForm(SpanForm):
    """When nobody plays."""

    field_order = ("name", "day", "starts", "ends", "tournament")

    name = NameField(
        label=gettext_lazy("What it is called"), required=False, help_text=gettext_lazy("For example “Lunch”.")
    )

    def __init__(self, data: Any = None, *, event: Event, pause: Break | None = None) -> None:
        span = None if pause is None else (pause.starts_at, pause.ends_at)
        told = {} if pause is None else {"name": pause.name, "tournament": pause.tournament_id}
        initial = {"day": event.starts_on} if pause is None else told
        super().__init__(data, event=event, span=span, initial=initial, auto_id="break-%s")
        of_one = pause is not None and pause.tournament_id is not None
        if of_one or event.tournaments.count() > 1:
            self.fields["tournament"] = _tournaments(event, gettext_lazy("Who has it"))
        self.order_fields(self.field_order)

    @property
    def tournament_id(self) -> int | None:
        return _chosen(self)


def _tournaments(event: Event, label: Any) -> forms.ModelChoiceField[Any]:
    return forms.ModelChoiceField(
        label=label,
        queryset=event.tournaments.order_by("pk"),
        required=False,
        empty_label=gettext_lazy("All tournaments"),
    )


def _chosen(form: forms.Form) -> int | None:
    tournament = form.cleaned_data.get("tournament")
    return None if tournament is None else int(tournament.pk)


class RoundTimesForm(forms.Form):
    """When each round of a stage is to begin; what is over is only shown."""

    def __init__(self, data: Any = None, *, event: Event, stage_id: int, rounds: Sequence[RoundRow]) -> None:
        initial = {_field_of(row.number): row.starts_at for row in rounds}
        super().__init__(data, initial=initial, auto_id=f"stage-{stage_id}-%s")
        self.rounds = rounds
        for row in rounds:
            self.fields[_field_of(row.number)] = VenueTimeField(label=round_name(row.name), disabled=row.is_over)
        self.fields["every"] = forms.IntegerField(
            label=_("Minutes from round to round"),
            required=False,
            min_value=1,
            max_value=MOST_MINUTES,
            help_text=_("Rounds left empty follow the one before by so many. Empty: they begin when that is over."),
            widget=forms.NumberInput(attrs={"inputmode": "numeric"}),
        )
        at_the_venue(self, event.tzinfo)

    @property
    def is_open(self) -> bool:
        """Whether there is something to see in it: a time that is set, or what somebody typed."""
        return self.is_bound or any(row.starts_at is not None for row in self.rounds)

    @property
    def shown(self) -> list[forms.BoundField]:
        """The rounds, in order."""
        return [self[_field_of(row.number)] for row in self.rounds]

    def times(self) -> dict[int, datetime | None]:
        """What was said, once the form is valid: the time of each round that is not over."""
        said = {row.number: self.cleaned_data[_field_of(row.number)] for row in self.rounds}
        every = self.cleaned_data["every"]
        if every is not None:
            for before, number in pairwise(said):
                if said[number] is None and said[before] is not None:
                    said[number] = said[before] + timedelta(minutes=every)
        return {row.number: said[row.number] for row in self.rounds if not row.is_over}

    def refuse(self, refused: Refused) -> None:
        """Say at the round it is about why the times cannot be like that."""
        name = _field_of(refused.params.get("round", 0))
        if name in self.fields:
            self.add_error(name, refusal_text(refused))


def _field_of(number: int) -> str:
    return f"round-{number}"


NOW, OTHER = "now", "other"
LATER, EARLIER = "later", "earlier"


class ShiftForm(forms.Form):
    """By how much everything planned is shifted, and from when on. `moments` are instants to choose, with words."""

    minutes = forms.IntegerField(
        label=gettext_lazy("Minutes"),
        min_value=1,
        max_value=MOST_MINUTES,
        widget=forms.NumberInput(attrs={"inputmode": "numeric", "autocomplete": "off"}),
    )
    way = forms.ChoiceField(
        label=gettext_lazy("Which way"),
        choices=[(LATER, gettext_lazy("Later")), (EARLIER, gettext_lazy("Earlier"))],
        initial=LATER,
    )
    since = forms.ChoiceField(label=gettext_lazy("From when on"))
    since_at = VenueTimeField(label=gettext_lazy("The other time"))
    seen = forms.CharField(required=False, max_length=40, widget=forms.HiddenInput)
    accept_late = forms.BooleanField(label=gettext_lazy("Shift all the same"), required=False)

    def __init__(self, data: Any = None, *, event: Event, moments: Iterable[tuple[datetime, str]]) -> None:
        super().__init__(data, auto_id="shift-%s")
        self.moments = {at.isoformat(): (at, text) for at, text in moments}
        choices = [(NOW, _("Now")), *((key, text) for key, (_at, text) in self.moments.items())]
        gone = gettext_lazy("Nothing is planned for this time any more. Choose again.")
        self.fields["since"] = forms.ChoiceField(
            label=self.fields["since"].label,
            choices=[*choices, (OTHER, _("Another time"))],
            error_messages={"invalid_choice": gone},
        )
        if event.tournaments.count() > 1:
            self.fields["tournament"] = _tournaments(event, gettext_lazy("What is shifted"))
        at_the_venue(self, event.tzinfo)

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if cleaned.get("since") == OTHER and cleaned.get("since_at") is None and "since_at" not in self.errors:
            self.add_error("since_at", _("Say from when on."))
        return cleaned

    @property
    def by(self) -> int:
        """The minutes, once the form is valid; less than 0 is earlier."""
        minutes = int(self.cleaned_data["minutes"])
        return -minutes if self.cleaned_data["way"] == EARLIER else minutes

    def since_when(self, *, now: datetime) -> datetime:
        """From when on, once the form is valid."""
        since = self.cleaned_data["since"]
        if since == OTHER:
            found: datetime = self.cleaned_data["since_at"]
            return found
        return now if since == NOW else self.moments[since][0]

    @property
    def tournament_id(self) -> int | None:
        return _chosen(self)

    @property
    def shown(self) -> list[forms.BoundField]:
        """The fields of the page, in order."""
        names = ("minutes", "way", "since", "since_at", "tournament")
        return [self[name] for name in names if name in self.fields]
