"""What the API takes about searches for a better plan."""

from __future__ import annotations

from rest_framework import serializers

from tournaments.api.bodies.base import Body
from tournaments.engine.scheduling.improve import LEAST_SECONDS, MOST_SECONDS


class SearchBody(Body):
    """How long to look."""

    seconds = serializers.IntegerField(min_value=LEAST_SECONDS, max_value=MOST_SECONDS)
