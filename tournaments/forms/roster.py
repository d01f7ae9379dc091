"""Players as somebody at the desk types them, lists as files, and an order by hand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from players.permissions import Refused
from tournaments.actions.roster import DROP, KEEP, EntryFacts, check_facts
from tournaments.importers import ENCODINGS
from tournaments.importers.base import BYTES_LIMIT
from tournaments.models import Entry
from tournaments.words.refusals import refusal_text

_TYPED_LENGTH = 2000  # characters; more is no name, address or town, and is not looked at


_FIELD_OF = {"already_entered": "email", "same_name": "name"}
"""Where the page shows a refusal; all others stand above the form."""


def _line(**kwargs: Any) -> forms.CharField:
    return forms.CharField(required=False, strip=False, max_length=_TYPED_LENGTH, **kwargs)


class EntryForm(forms.Form):
    """One player of a roster. Only the name is needed."""

    name = forms.CharField(
        label=pgettext_lazy("of a person", "Name"),
        strip=False,
        max_length=_TYPED_LENGTH,
        error_messages={"required": _("The name is missing.")},
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    email = _line(
        label=_("Address"),
        help_text=_("Tells the same person from another of the same name. Shown to nobody."),
        widget=forms.TextInput(attrs={"autocomplete": "off", "inputmode": "email"}),
    )
    city = _line(label=_("City"), widget=forms.TextInput(attrs={"autocomplete": "off"}))
    club = _line(label=_("Club"), widget=forms.TextInput(attrs={"autocomplete": "off"}))
    rating = _line(label=_("Rating"), widget=forms.TextInput(attrs={"autocomplete": "off", "inputmode": "numeric"}))

    def clean(self) -> dict[str, Any]:
        """Cleaned and checked as a list or the API would be: one rule for all ways in."""
        cleaned = super().clean() or {}
        said = {field.name: cleaned.get(field.name, "") for field in fields(EntryFacts)}
        self.facts, wrong = check_facts(**said)
        for refused in wrong:
            field = refused.code.partition("_")[0]
            if field not in self.errors:
                self.add_error(field, refusal_text(refused))
        return cleaned

    facts: EntryFacts
    """What was said, once the form is valid."""

    def refuse(self, refused: Refused) -> None:
        """Show why what was said could not be done, beside the field it is about."""
        self.add_error(_FIELD_OF.get(refused.code), refusal_text(refused))

    @classmethod
    def of(cls, entry: Entry, data: Any = None) -> EntryForm:
        """The form as it stands for an entry. Address and rating stay as they are once the tournament has started."""
        initial = {
            "name": entry.name,
            "email": entry.player.email,
            "city": entry.city,
            "club": entry.club,
            "rating": "" if entry.rating is None else entry.rating,
        }
        form = cls(data, initial=initial)
        for name in ("email", "rating"):
            form.fields[name].disabled = not entry.tournament.is_open_roster
        return form


class WalkInForm(EntryForm):
    """Somebody who stands at the desk."""

    here = forms.BooleanField(label=_("Check in at once"), required=False)
    name_again = forms.BooleanField(label=_("This is another person of the same name"), required=False)

    asks_again = False
    """Whether the page asks if this is another person: only once somebody of that name is there."""

    def refuse(self, refused: Refused) -> None:
        super().refuse(refused)
        self.asks_again = refused.code == "same_name"

    @property
    def has_more(self) -> bool:
        """Whether anything besides the name was typed or is wrong: that part of the form is then open."""
        return any(self[name].value() or name in self.errors for name in ("city", "club", "rating", "email"))


class ImportForm(forms.Form):
    """A list as a file."""

    file = forms.FileField(
        label=_("The list"),
        allow_empty_file=True,
        help_text=_("CSV, a text table or an Excel workbook (.xlsx). The first row says what the columns are."),
        widget=forms.ClearableFileInput(attrs={"accept": ".csv,.tsv,.txt,.xlsx,text/csv,text/plain"}),
    )

    encoding = forms.ChoiceField(
        label=_("Encoding"),
        choices=[("", _("Find out")), *((encoding, encoding) for encoding in ENCODINGS)],
        required=False,
        help_text=_("How the letters of a text file are written. Found out in nearly every case."),
    )

    def clean_file(self) -> Any:
        file = self.cleaned_data["file"]
        if file.size > BYTES_LIMIT:
            raise forms.ValidationError(refusal_text(Refused("too_large", {"megabytes": BYTES_LIMIT // 1_000_000})))
        return file


class CloseCheckInForm(forms.Form):
    """What becomes of whoever is not here when check-in closes, and who of them the organiser was shown."""

    missing = forms.ChoiceField(choices=[(KEEP, KEEP), (DROP, DROP)], required=False)
    named = forms.RegexField(r"\A(\d{1,18}(,\d{1,18})*)?\Z", required=False, max_length=100_000)

    def clean_named(self) -> list[int]:
        """Ids of entries."""
        return [int(part) for part in self.cleaned_data["named"].split(",") if part]


class SeedsForm(forms.Form):
    """An order by hand: a place beside each name, 1 for the best; without one, by lot behind the others."""

    def __init__(self, data: Any = None, *, entries: Sequence[Entry]) -> None:
        super().__init__(data)
        self.entries = entries
        for entry in entries:
            self.fields[f"place-{entry.pk}"] = forms.IntegerField(
                label=entry.staff_name,
                required=False,
                min_value=1,
                max_value=100_000,
                initial=entry.hand_seed,
                widget=forms.NumberInput(attrs={"inputmode": "numeric", "class": "place"}),
            )

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        taken: dict[int, Entry] = {}
        for entry in self.entries:
            place = cleaned.get(f"place-{entry.pk}")
            if place is None:
                continue
            if place in taken:
                self.add_error(f"place-{entry.pk}", _("This place is given twice."))
            taken[place] = entry
        return cleaned

    def order(self) -> list[int]:
        """Entries from the best down, by id, once the form is valid; gaps in the places do not matter."""
        placed = [(self.cleaned_data[f"place-{entry.pk}"], entry.pk) for entry in self.entries]
        return [entry for place, entry in sorted((place, entry) for place, entry in placed if place is not None)]

    def rows(self) -> list[tuple[Entry, Any]]:
        """Each entry with its field."""
        return [(entry, self[f"place-{entry.pk}"]) for entry in self.entries]
