"""What the API takes about rooms and tables, and where a match is put."""

from __future__ import annotations

from rest_framework import serializers

from tournaments.api.bodies.base import Body, IdField, InstantField, NameField, WhyBody
from tournaments.forms.numbers import MOST_TABLES
from tournaments.models import Purpose
from tournaments.queries.hall import TABLE_MOST


class TableNumberField(serializers.IntegerField):
    """The number of a table."""

    def __init__(self, **kwargs: object) -> None:
        super().__init__(min_value=1, max_value=TABLE_MOST, **kwargs)  # type: ignore[arg-type]


class RoomBody(Body):
    """A room."""

    name = NameField()


class TablesBody(Body):
    """Tables that are put up, many at once, in a room or in none."""

    numbers = serializers.ListField(child=TableNumberField(), min_length=1, max_length=MOST_TABLES)
    room = IdField(required=False, allow_null=True, default=None)


class TableBody(Body):
    """What a table is called and kept for, and where it stands; what is left out stays."""

    name = NameField(required=False, allow_blank=True)
    purpose = serializers.ChoiceField(choices=[str(key) for key in Purpose], required=False, allow_blank=True)
    room = IdField(required=False, allow_null=True)


class FixedTableBody(Body):
    """Where a player has to sit; null: anywhere."""

    table = TableNumberField(allow_null=True)


class FixMatchBody(WhyBody):
    """When and where a match is to begin; null: when its turn comes, at the first table that fits."""

    starts_at = InstantField(allow_null=True)
    table = TableNumberField(allow_null=True)
    accept_clashes = serializers.BooleanField(default=False)


class MoveMatchBody(WhyBody):
    """Where a match is put; null: it is taken off its table and held until it is released or has one again.

    One that had none is refused one while a player sits at another match (`player_busy`) unless `accept_busy` is true.
    """

    table = TableNumberField(allow_null=True)
    accept_busy = serializers.BooleanField(default=False)


class SwapTablesBody(WhyBody):
    """The match whose table this one gets, and which gets this one's. `seen` are the two tables as they were seen: with
    others nothing is done (`changed_meanwhile`). `accept_busy` is that of a move.
    """

    with_match = IdField()
    accept_busy = serializers.BooleanField(default=False)
    seen = serializers.ListField(child=TableNumberField(allow_null=True), min_length=2, max_length=2, required=False)
