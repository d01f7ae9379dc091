"""What the API takes about opening hours, breaks, the times of rounds, and a shift of everything."""

from __future__ import annotations

from rest_framework import serializers

from tournaments.api.bodies.base import Body, IdField, InstantField, NameField
from tournaments.forms.hours import MOST_MINUTES
from tournaments.queries.hours import LAST_ROUND


class OpeningBody(Body):
    """From when to when the hall is open."""

    opens_at = InstantField()
    closes_at = InstantField()


class BreakBody(Body):
    """From when to when nobody plays: in one tournament of the event, or (null) in all."""

    name = NameField(required=False, allow_blank=True, default="")
    tournament = IdField(required=False, allow_null=True, default=None)
    starts_at = InstantField()
    ends_at = InstantField()


class RoundTimeBody(Body):
    """When a round is to begin; null: when the one before is over."""

    round = serializers.IntegerField(min_value=1, max_value=LAST_ROUND)
    starts_at = InstantField(allow_null=True)


class RoundTimesBody(Body):
    """Times of rounds; those left out stay."""

    times = serializers.ListField(child=RoundTimeBody(), min_length=1, max_length=LAST_ROUND)


class ShiftBody(Body):
    """By how many minutes everything planned at `since` or later is shifted; less than 0 is earlier.

    `version` is that of `events/…/planned/` as it was seen: when times are others by now, nothing is shifted
    (`plan_changed`). `accept_late`: also where the hall then closes too early (`closes_before_the_end`).
    """

    minutes = serializers.IntegerField(min_value=-MOST_MINUTES, max_value=MOST_MINUTES)
    since = InstantField()
    tournament = IdField(required=False, allow_null=True, default=None)
    version = serializers.CharField(max_length=40, required=False, allow_null=True, default=None)
    accept_late = serializers.BooleanField(required=False, default=False)
