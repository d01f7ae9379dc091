"""What the API answers about opening hours, breaks, the times of rounds, and a shift of everything."""

from __future__ import annotations

from rest_framework import serializers

from tournaments.api.shapes.base import PageShape, Shape


class OpeningShape(Shape):
    """From when to when the hall is open."""

    id = serializers.IntegerField()
    opens_at = serializers.DateTimeField()
    closes_at = serializers.DateTimeField()


class BreakShape(Shape):
    """From when to when nobody plays."""

    id = serializers.IntegerField()
    name = serializers.CharField()
    tournament = serializers.IntegerField(allow_null=True, help_text="Null: in all of the event.")
    starts_at = serializers.DateTimeField()
    ends_at = serializers.DateTimeField()


class RoundTimeShape(Shape):
    """A round of the stage that is played, and when it is to begin."""

    round = serializers.IntegerField()
    name = serializers.CharField()
    starts_at = serializers.DateTimeField(allow_null=True, help_text="Null: when the round before is over.")
    is_over = serializers.BooleanField(help_text="Every match of it has its result: its time stays.")


class PlannedShape(Shape):
    """Something that has a time."""

    kind = serializers.CharField(help_text="round, break, match (one with a fixed start) or tournament.")
    tournament = serializers.IntegerField(allow_null=True)
    round = serializers.IntegerField(allow_null=True, help_text="Of a round, or of a match with a fixed start.")
    number = serializers.IntegerField(allow_null=True, help_text="The place of a match in its round.")
    name = serializers.CharField(help_text="Of a break.")
    starts_at = serializers.DateTimeField(source="at")
    ends_at = serializers.DateTimeField(source="until", allow_null=True)
    has_begun = serializers.BooleanField(help_text="It goes on or is over: no shift moves it.")


class ShiftedShape(Shape):
    """What a shift moved: how many of each. Shifted by `-minutes` since `back_since` all is where it was."""

    minutes = serializers.IntegerField()
    since = serializers.DateTimeField()
    back_since = serializers.DateTimeField()
    rounds = serializers.IntegerField()
    breaks = serializers.IntegerField()
    matches = serializers.IntegerField()
    tournaments = serializers.IntegerField()
    version = serializers.CharField(help_text="Stands for the times as they are now.")


class OpeningsPageShape(PageShape):
    """Openings by time. Without any the hall never closes."""

    results = OpeningShape(many=True)


class BreaksPageShape(PageShape):
    """Breaks by time."""

    results = BreakShape(many=True)


class RoundTimesPageShape(PageShape):
    """Rounds by number."""

    results = RoundTimeShape(many=True)


class PlannedPageShape(PageShape):
    """What has a time, by time."""

    version = serializers.CharField(help_text="Stands for all of these times; for a shift.")
    results = PlannedShape(many=True)
