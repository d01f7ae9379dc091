"""What a player says of themselves: when they register, and when they change it."""

from __future__ import annotations

import re
from secrets import token_urlsafe
from typing import Any

from django import forms
from django.conf import settings
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from players.permissions import Refused
from tournaments.forms.roster import EntryForm
from tournaments.models import Entry
from tournaments.words.refusals import refusal_text

_KEY = re.compile(r"[A-Za-z0-9_-]{16,80}")
_FIELD_OF = {"name_registered": "name", "address_elsewhere": "email"}
"""Where the page shows a refusal; all others stand above the form."""


class PlayerForm(EntryForm):
    """A player as they describe themselves. Only the name and the consent are needed."""

    is_shown = forms.ChoiceField(
        label=_("May everybody see your name?"),
        choices=[
            ("yes", _("Yes: on pairings, standings and screens")),
            ("no", _("No: everybody sees a number instead; only the organisers and referees see my name")),
        ],
        widget=forms.RadioSelect,
        error_messages={"required": _("Choose one of the two.")},
    )
    language = forms.ChoiceField(label=_("Language of what you are told"), choices=settings.LANGUAGES)
    name_again = forms.BooleanField(label=_("I am another person of the same name"), required=False)

    field_order = ("name", "name_again", "email", "city", "club", "is_shown", "language")

    def __init__(self, data: Any = None, *, initial: dict[str, Any] | None = None) -> None:
        super().__init__(data, initial={"language": get_language(), **(initial or {})})
        del self.fields["rating"]
        self.fields["name"].label = _("Name or nickname")
        self.fields["name"].widget.attrs["autocomplete"] = "nickname"
        self.fields["email"].label = _("E-mail")
        self.fields["email"].help_text = _(
            "Your own link and your pairings are mailed there. Only the organisers see it."
        )
        self.fields["email"].widget.attrs["autocomplete"] = "email"

    asks_again = False
    """Whether the page asks if this is another person: only once somebody of that name is there."""

    def refuse(self, refused: Refused) -> None:
        self.add_error(_FIELD_OF.get(refused.code), refusal_text(refused))
        self.asks_again = refused.code == "name_registered"

    def said(self) -> dict[str, Any]:
        """What was said, as the actions take it, once the form is valid."""
        facts, said = self.facts, self.cleaned_data
        return {
            "name": facts.name,
            "email": facts.email,
            "city": facts.city,
            "club": facts.club,
            "is_shown": said["is_shown"] == "yes",
            "language": said["language"],
            "name_again": said["name_again"],
        }

    @property
    def shown(self) -> list[forms.BoundField]:
        """The fields of the page in order; whether this is another person is asked only where there is one."""
        return [field for field in self.visible_fields() if field.name != "name_again" or self.asks_again]


class RegisterForm(PlayerForm):
    """Somebody registers. `key` makes the form sent twice one registration; `website` is a trap only robots see."""

    key = forms.CharField(widget=forms.HiddenInput)
    website = forms.CharField(
        label=_("Leave this empty"),
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "off", "tabindex": "-1"}),
    )

    def __init__(self, data: Any = None) -> None:
        super().__init__(data, initial={"key": token_urlsafe(16)})

    def clean_key(self) -> str:
        key = str(self.cleaned_data["key"])
        if not _KEY.fullmatch(key):
            raise forms.ValidationError(_("Open this page again, and send the form from there."))
        return key

    def clean_website(self) -> str:
        if self.cleaned_data["website"]:
            raise forms.ValidationError(_("A field nobody should fill in was filled in. Empty it and send again."))
        return ""

    @property
    def shown(self) -> list[forms.BoundField]:
        return [field for field in super().shown if field.name != "website" or field.errors]


class OwnForm(PlayerForm):
    """What a player has said of themselves, to be changed. After the start only consent and language."""

    @classmethod
    def of(cls, entry: Entry, data: Any = None) -> OwnForm:
        """The form as it stands for an entry."""
        initial = {
            "name": entry.name,
            "email": entry.player.email,
            "city": entry.city,
            "club": entry.club,
            "is_shown": "yes" if entry.is_shown else "no",
        }
        if entry.language:
            initial["language"] = entry.language
        form = cls(data, initial=initial)
        for name in ("name", "email", "city", "club"):
            form.fields[name].disabled = not entry.tournament.is_open_roster
        return form
