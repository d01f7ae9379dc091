"""What the API answers about who plays where and when."""

from __future__ import annotations

from rest_framework import serializers

from tournaments.api.shapes.base import NamedShape, PageShape, Shape


class OriginShape(Shape):
    """The match somebody comes of: its round and its number there."""

    round = serializers.IntegerField()
    number = serializers.IntegerField()
    outcome = serializers.CharField(help_text="winner or loser.")


class SlotSideShape(Shape):
    """One side: the player, or where they come from; both null as long as nobody knows."""

    entry = NamedShape(allow_null=True)
    origin = OriginShape(allow_null=True)


class SlotShape(Shape):
    """One match of the plan. Stage, round and number tell it from all others and never change."""

    tournament = serializers.IntegerField()
    stage = serializers.IntegerField()
    round = serializers.IntegerField()
    round_name = serializers.CharField()
    number = serializers.IntegerField()
    a = SlotSideShape()
    b = SlotSideShape()
    state = serializers.CharField(help_text="waiting, called, playing or over.")
    table = serializers.IntegerField(allow_null=True)
    has_place = serializers.BooleanField(help_text="Whether one may count on the table, or it only looks like it now.")
    starts_at = serializers.DateTimeField(allow_null=True, help_text="Null: it has no time, and `why` says why.")
    ends_at = serializers.DateTimeField(allow_null=True)
    has_time = serializers.BooleanField(help_text="Whether one may count on the time; else it is to five minutes.")
    held = serializers.BooleanField(help_text="An organiser holds it back.")
    why = serializers.CharField(help_text="Why it has no time, in the reader's language.")
    sequence = serializers.IntegerField(help_text="Rises with each change readers were shown.")
    changed_at = serializers.DateTimeField()


class SlotsPageShape(PageShape):
    """Matches by time; those without a time come last. `ends_at` is when the last one ends as it looks now."""

    version = serializers.CharField()
    ends_at = serializers.DateTimeField(allow_null=True)
    without = serializers.IntegerField(help_text="How many have no time.")
    results = SlotShape(many=True)
