"""A name as somebody types it, in any script: of a player, an event, a tournament, a helper."""

from __future__ import annotations

from typing import Any

from django import forms

from players.engine import clean_name, name_problem
from players.permissions import Refused
from tournaments.words.refusals import refusal_text

_TYPED_LENGTH = 2000  # characters before cleaning; whoever pastes a novel is stopped before it is looked at one by one


class NameField(forms.CharField):
    """A name, cleaned as every name here is. The limit counts what is left after cleaning."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(strip=False, **kwargs)

    def to_python(self, value: Any) -> str:
        text = "" if value is None else str(value)
        if len(text) > _TYPED_LENGTH:
            text = text[:_TYPED_LENGTH]
        return clean_name(text)

    def validate(self, value: str) -> None:
        super().validate(value)
        if value and (problem := name_problem(value)) is not None:
            raise forms.ValidationError(refusal_text(Refused(problem.code, dict(problem.params), status=400)))
