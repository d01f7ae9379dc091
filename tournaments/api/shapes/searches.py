"""What the API answers about searches for a better plan."""

from __future__ import annotations

from rest_framework import serializers

from tournaments.api.shapes.base import Shape


class SearchShape(Shape):
    """A search: how long it may take, the ends of both plans, and before when no plan can end."""

    seconds = serializers.IntegerField()
    asked_at = serializers.DateTimeField()
    begun_at = serializers.DateTimeField(allow_null=True)
    over_at = serializers.DateTimeField(allow_null=True)
    before_at = serializers.DateTimeField(allow_null=True, help_text="When the plan ends without it.")
    found_at = serializers.DateTimeField(allow_null=True, help_text="When the best plan found so far ends.")
    bound_at = serializers.DateTimeField(allow_null=True, help_text="No plan can end before.")
    without_before = serializers.IntegerField(help_text="Matches without a place in the plan without it.")
    without_found = serializers.IntegerField(help_text="Matches without a place in the best plan, once it is over.")
    is_best = serializers.BooleanField(help_text="Whether no plan is better.")
    outcome = serializers.CharField(
        help_text="Empty while it goes on; then better (it is followed), same, late (the hall had changed meanwhile),"
        " stopped or failed."
    )


class SearchPageShape(Shape):
    """The last search, null where there was none."""

    has_solver = serializers.BooleanField(help_text="Whether a search is possible on this server.")
    is_followed = serializers.BooleanField(help_text="Whether the day goes by a better plan that was found.")
    seconds_left = serializers.IntegerField()
    search = SearchShape(allow_null=True)
