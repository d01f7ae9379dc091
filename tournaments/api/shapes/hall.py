"""What the API answers about rooms and tables."""

from __future__ import annotations

from rest_framework import serializers

from tournaments.api.shapes.base import PageShape, Shape


class RoomShape(Shape):
    """A room of the hall."""

    id = serializers.IntegerField()
    name = serializers.CharField()


class TableShape(Shape):
    """A table that stands in the hall, and the open match at it."""

    id = serializers.IntegerField()
    number = serializers.IntegerField()
    name = serializers.CharField()
    purpose = serializers.CharField(help_text="feature, stream, or empty for any match.")
    room = serializers.IntegerField(allow_null=True)
    out_since = serializers.DateTimeField(allow_null=True, help_text="Since when it is out of use.")
    match = serializers.IntegerField(allow_null=True, help_text="The open match at it.")


class RoomsPageShape(PageShape):
    """Rooms by name."""

    results = RoomShape(many=True)


class TablesPageShape(PageShape):
    """Tables by number."""

    results = TableShape(many=True)
