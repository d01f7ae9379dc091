"""Calls for a referee, and the codes of tables, as the API tells them."""

from __future__ import annotations

from rest_framework import serializers

from tournaments.api.shapes.base import PageShape, Shape


class CallShape(Shape):
    """Somebody at a table asks for a referee."""

    id = serializers.IntegerField()
    table = serializers.IntegerField(allow_null=True, help_text="Where to go.")
    match = serializers.IntegerField(allow_null=True, help_text="The match that is played there, where it is known.")
    entry = serializers.IntegerField(allow_null=True, help_text="The player who called; null for the table's own code.")
    called_at = serializers.DateTimeField()
    taken_by = serializers.CharField(help_text="Who goes there. Empty while nobody does.")
    taken_at = serializers.DateTimeField(allow_null=True)
    over_at = serializers.DateTimeField(allow_null=True)


class CallsPageShape(PageShape):
    """Open calls, the oldest first."""

    results = CallShape(many=True)


class TableCodeShape(Shape):
    """A table, and the address its code leads to."""

    table = serializers.IntegerField()
    code = serializers.CharField(help_text="Whoever sits there sends it with a call.")
    url = serializers.URLField(help_text="For a QR code.")


class TableCodesPageShape(PageShape):
    """The tables of an event in their order."""

    results = TableCodeShape(many=True)
