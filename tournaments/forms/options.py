"""Form fields made from the options of any format: a new format needs no form of its own."""

from __future__ import annotations

import types
from dataclasses import MISSING, Field, fields
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from django import forms

from tournaments.engine.formats.base import Format
from tournaments.words import labels

_MOST = 1000  # no whole number among options counts more of anything than this


def option_fields(chosen: Format) -> dict[str, forms.Field]:
    """A form field for each option of a format, by its name, in the order they are declared.

    bool: a checkbox. int, and int or None (may stay empty): a number. Literal of texts: a choice.
    """
    hints = get_type_hints(chosen.Options)
    return {field.name: _form_field(chosen.key, field, hints[field.name]) for field in fields(chosen.Options)}


def _form_field(format_key: str, field: Field[Any], hint: Any) -> forms.Field:
    label = labels.option_label(format_key, field.name)
    default = None if field.default is MISSING else field.default
    said: dict[str, Any] = {"label": label.text, "help_text": label.help, "initial": default}
    if hint is bool:
        return forms.BooleanField(required=False, **said)
    if hint is int:
        return forms.IntegerField(min_value=0, max_value=_MOST, **said)
    if get_origin(hint) in (Union, types.UnionType) and set(get_args(hint)) == {int, type(None)}:
        return forms.IntegerField(required=False, min_value=1, max_value=_MOST, **said)
    if get_origin(hint) is Literal:
        choices = [(value, labels.option_value_label(format_key, field.name, value)) for value in get_args(hint)]
        return forms.ChoiceField(choices=choices, **said)
    raise TypeError(f"no form field for option {field.name}: {hint}")
