"""Rooms and tables as an organiser types them, and where a match is put."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from tournaments.forms.names import NameField
from tournaments.forms.numbers import read_tables
from tournaments.models import Event, Purpose, Table
from tournaments.queries.hall import TABLE_MOST
from tournaments.words.labels import TABLE_PURPOSES


class RoomForm(forms.Form):
    """The name of a room."""

    name = NameField(label=_("Name of the room"), help_text=_("For example “Hall A”."))

    def __init__(self, data: Any = None, *, name: str = "", auto_id: str = "room-%s") -> None:
        super().__init__(data, initial={"name": name}, auto_id=auto_id)


def _rooms(event: Event) -> forms.ModelChoiceField[Any]:
    return forms.ModelChoiceField(
        label=_("Room"), queryset=event.rooms.order_by("name", "pk"), required=False, empty_label=_("No room")
    )


class TablesForm(forms.Form):
    """Tables that are put up, many at once."""

    numbers = forms.CharField(
        label=_("Numbers of the tables"),
        max_length=200,
        help_text=_("For example 1-12, or 5-8, 11."),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )

    def __init__(self, data: Any = None, *, event: Event) -> None:
        super().__init__(data, auto_id="tables-%s")
        if event.rooms.exists():
            self.fields["room"] = _rooms(event)

    def clean_numbers(self) -> tuple[int, ...]:
        found = read_tables(self.cleaned_data["numbers"])
        if not found:
            raise forms.ValidationError(_("Name tables by their numbers, for example 1-8, 12."))
        return found

    @property
    def room_id(self) -> int | None:
        room = self.cleaned_data.get("room")
        return None if room is None else int(room.pk)


class TableForm(forms.Form):
    """What a table is called and kept for."""

    name = NameField(label=_("Name"), required=False, help_text=_("For example “Stage”. Its number stays."))
    purpose = forms.ChoiceField(
        label=_("What it is kept for"),
        choices=[(str(key), TABLE_PURPOSES[key].text) for key in Purpose],
        required=False,
        help_text=_("The first match of a round gets the table people look at."),
    )

    def __init__(self, data: Any = None, *, table: Table) -> None:
        initial = {"name": table.name, "purpose": table.purpose, "room": table.room_id}
        super().__init__(data, initial=initial, auto_id="table-%s")
        self.fields["room"] = _rooms(table.event)

    @property
    def room_id(self) -> int | None:
        room = self.cleaned_data.get("room")
        return None if room is None else int(room.pk)


class FixedTableForm(forms.Form):
    """Where a player has to sit."""

    table = forms.IntegerField(
        label=_("Always at table"),
        min_value=1,
        max_value=TABLE_MOST,
        required=False,
        help_text=_("For somebody who cannot sit just anywhere. Empty: at any table."),
        widget=forms.NumberInput(attrs={"inputmode": "numeric", "autocomplete": "off"}),
    )

    def __init__(self, data: Any = None, *, table: int | None = None) -> None:
        super().__init__(data, initial={"table": table}, auto_id="fixed-%s")


NO_TABLE = "none"


class MoveForm(forms.Form):
    """Where a match goes: a free table, the place of another match, or nowhere for now.

    A choice is "7" (that table), "swap-12-3-7" (with match 12, seen while the two sat at 3 and 7) or "none". It `asks`
    whether somebody who sits elsewhere is to be called all the same, once that was said.
    """

    def __init__(
        self, data: Any = None, *, choices: Sequence[tuple[Any, Any]], likely: str = "", asks: bool = False
    ) -> None:
        super().__init__(data, initial={"to": likely}, auto_id="move-%s")
        gone = _("This table is not free any more, or not as you saw it. Choose another one.")
        self.fields["to"] = forms.ChoiceField(
            label=_("Where to"), choices=[("", _("Choose")), *choices], error_messages={"invalid_choice": gone}
        )
        self.fields["accept"] = forms.BooleanField(
            label=_("Give it the table all the same"),
            required=False,
            widget=forms.CheckboxInput() if asks else forms.HiddenInput(),
        )
