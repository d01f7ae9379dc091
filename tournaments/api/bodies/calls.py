"""What the API takes about calls for a referee."""

from __future__ import annotations

from rest_framework import serializers

from tournaments.api.bodies.base import Body


class GoingBody(Body):
    """A referee goes; with `going` false they do not after all."""

    going = serializers.BooleanField(required=False, default=True)


class TableCodeBody(Body):
    """The code that stands on a table."""

    code = serializers.CharField(max_length=40)
