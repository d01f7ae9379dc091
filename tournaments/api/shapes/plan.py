"""What the API answers about the plan of an event to those who organise it."""

from __future__ import annotations

from rest_framework import serializers

from tournaments.api.shapes.base import PageShape, Shape
from tournaments.api.shapes.schedule import SlotSideShape


class PlanPartShape(Shape):
    """One tournament of the plan."""

    tournament = serializers.IntegerField()
    ends_at = serializers.DateTimeField(allow_null=True, help_text="When its last match is expected to end.")
    open = serializers.IntegerField(help_text="How many matches are not over.")


class UnattendedShape(Shape):
    """A time in which no referee is there for some of the matches."""

    starts_at = serializers.DateTimeField()
    ends_at = serializers.DateTimeField()
    tables = serializers.ListField(child=serializers.IntegerField())
    matches = serializers.IntegerField(help_text="How many matches are planned there then.")


class PlanShape(Shape):
    """The plan as a whole. What is only expected is to five minutes."""

    made_at = serializers.DateTimeField(allow_null=True)
    is_behind = serializers.BooleanField(help_text="Something has changed that it does not show yet.")
    ends_at = serializers.DateTimeField(allow_null=True, help_text="When the last match is expected to end.")
    bound_at = serializers.DateTimeField(allow_null=True, help_text="No plan ends earlier.")
    bound_kind = serializers.CharField(
        help_text="What holds it up: running, path, load, tables, player, stretch or search."
    )
    without = serializers.IntegerField(help_text="How many matches have no place.")
    tournaments = PlanPartShape(many=True)
    free_tables = serializers.ListField(child=serializers.IntegerField())
    without_referee = UnattendedShape(many=True, help_text="By the tables and hours of the referees who have links.")


class ClashShape(Shape):
    """One thing that is in the way of a match that was fixed."""

    code = serializers.CharField()
    other = serializers.IntegerField(allow_null=True, help_text="The match it clashes with, as an id of the plan.")
    text = serializers.CharField()


class PlanSlotShape(Shape):
    """One match of the plan. Its id stays; it is there before the match itself is."""

    id = serializers.IntegerField()
    tournament = serializers.IntegerField()
    stage = serializers.IntegerField()
    round = serializers.IntegerField()
    round_name = serializers.CharField()
    number = serializers.IntegerField()
    match = serializers.IntegerField(allow_null=True, help_text="The match, once its round is published.")
    a = SlotSideShape()
    b = SlotSideShape()
    state = serializers.CharField(help_text="waiting, called, playing or over.")
    table = serializers.IntegerField(allow_null=True)
    has_place = serializers.BooleanField(help_text="Whether one may count on the table, or it only looks like it now.")
    starts_at = serializers.DateTimeField(allow_null=True, help_text="Null: it has no place, and `why` says why.")
    ends_at = serializers.DateTimeField(allow_null=True)
    has_time = serializers.BooleanField(help_text="Whether one may count on the time; else it is to five minutes.")
    note = serializers.CharField(help_text="late (it cannot begin when it was to), moved (its table is out of use).")
    why = serializers.CharField(help_text="Why it has no place: a code, empty where it has one.")
    other = serializers.IntegerField(allow_null=True, help_text="The match of the plan that stands in its way.")
    held_since = serializers.DateTimeField(allow_null=True, help_text="It is not called until it is released.")
    fixed_at = serializers.DateTimeField(allow_null=True, help_text="When people said that it is to begin.")
    fixed_table = serializers.IntegerField(allow_null=True)
    clashes = ClashShape(many=True, help_text="Why the plan cannot keep what was fixed.")


class PlanSlotsPageShape(PageShape):
    """Matches by time; those without a time come last."""

    results = PlanSlotShape(many=True)
