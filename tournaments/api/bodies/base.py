"""What all bodies are made of: names, ids, whole numbers, a word for the log."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from rest_framework import serializers

from players.engine import clean_name, name_problem
from players.permissions import Refused
from tournaments.api.reading import LAST_ID
from tournaments.engine.walltime import Skipped, instant_of
from tournaments.forms.times import FIRST_YEAR, LAST_YEAR, skipped_text
from tournaments.words.refusals import refusal_text

Body = serializers.Serializer[Any]

TYPED = 2000  # characters of a text before cleaning
NUMBER = 1_000_000  # no number anybody means is larger; what it may be is for the rules to say
ROWS = 10_000


class NameField(serializers.CharField):
    """A name, cleaned as every name here is; the limit counts what is left after cleaning."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(max_length=TYPED, **kwargs)

    def to_internal_value(self, data: Any) -> str:
        cleaned = clean_name(super().to_internal_value(data))
        if not cleaned and self.allow_blank:
            return cleaned
        if (problem := name_problem(cleaned)) is not None:
            words = refusal_text(Refused(problem.code, dict(problem.params), status=400))
            raise serializers.ValidationError(words, code=problem.code)
        return cleaned


class IdField(serializers.IntegerField):
    """The id of something; larger than any database can count is a mistake, not a fault."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(min_value=1, max_value=LAST_ID, **kwargs)


class NumberField(serializers.IntegerField):
    """A whole number somebody may mean, of either sign."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(min_value=-NUMBER, max_value=NUMBER, **kwargs)


class InstantField(serializers.DateTimeField):
    """An instant; without an offset a time by the clocks of the venue, whose zone is the context's `zone`.

    Of a time that comes twice the first is meant: the offset says which. One that the clocks skip is refused.
    """

    def enforce_timezone(self, value: datetime) -> datetime:
        if not FIRST_YEAR <= value.year <= LAST_YEAR:
            raise serializers.ValidationError(_("Check the year."))
        if timezone.is_aware(value):
            return super().enforce_timezone(value)
        if (zone := self.context.get("zone")) is None:
            raise serializers.ValidationError(_("Say how far it is from UTC, like 2027-05-22T10:00+03:00."))
        meant = instant_of(value, zone)
        if isinstance(meant, Skipped):
            raise serializers.ValidationError(skipped_text(value, meant.instead))
        return meant


class PairField(serializers.ListField):
    """Two numbers: of side a and of side b."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(child=NumberField(), min_length=2, max_length=2, **kwargs)


class WhyBody(Body):
    """A word for the log."""

    why = serializers.CharField(max_length=500, required=False, allow_blank=True, default="")


class VersionBody(Body):
    """The version of the match that was seen, unless If-Match says it."""

    version = serializers.IntegerField(min_value=0, max_value=NUMBER, required=False)
