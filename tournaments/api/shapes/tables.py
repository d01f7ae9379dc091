"""Standings and brackets as the API tells them."""

from __future__ import annotations

from rest_framework import serializers

from tournaments.api.shapes.base import NamedShape, PageShape, Shape, WordsShape
from tournaments.api.shapes.matches import MatchShape


class ValueShape(Shape):
    """A tie-break, exactly."""

    key = serializers.CharField()
    name = serializers.CharField()
    exact = serializers.CharField(help_text='A whole number or a fraction: "27", "5/7".')
    decimal = serializers.CharField(help_text="The same rounded to four places.")


class StandingShape(Shape):
    """A row of the ranking, and why it stands there. In groups `rank` is among all, `place` in the group."""

    rank = serializers.IntegerField()
    shared = serializers.BooleanField()
    entry = NamedShape()
    points = serializers.IntegerField()
    wins = serializers.IntegerField()
    ties = serializers.IntegerField()
    losses = serializers.IntegerField()
    byes = serializers.IntegerField()
    sets_won = serializers.IntegerField()
    sets_lost = serializers.IntegerField()
    values = ValueShape(many=True)
    reason = WordsShape()
    group = serializers.CharField(allow_null=True, help_text="The letter of the group played in: A, B …")
    place = serializers.IntegerField(allow_null=True, help_text="The place in the group.")
    prospect = serializers.CharField(
        help_text="Whether they play on when the tournament's `cut` do. While results are missing `certain`, whatever"
        " comes, `possible`, or `out`; of a finished tournament `through`, `out`, or `level` at the line. Empty without"
        " a cut.",
    )


class StandingsPageShape(PageShape):
    """The ranking as it was last worked out, labelled with what it includes."""

    version = serializers.CharField()
    round = serializers.IntegerField(help_text="The last round they include; 0 before the first result.")
    round_name = serializers.CharField()
    open = serializers.IntegerField(help_text="Matches up to that round that were still open.")
    behind = serializers.IntegerField(help_text="Changes that are not worked in yet.")
    is_final = serializers.BooleanField()
    refreshed_at = serializers.DateTimeField(allow_null=True)
    results = StandingShape(many=True)


class BracketSideShape(Shape):
    """One side of a match: a player, nobody for good (`void`), or not known yet."""

    entry = NamedShape(allow_null=True)
    void = serializers.BooleanField()
    bye = serializers.BooleanField(help_text="Whether they came here without a match.")
    sets = serializers.IntegerField(allow_null=True)
    won = serializers.BooleanField()


class BracketMatchShape(Shape):
    """One place of the bracket."""

    number = serializers.IntegerField()
    a = BracketSideShape()
    b = BracketSideShape()
    table = serializers.IntegerField(allow_null=True)
    match = MatchShape(allow_null=True)


class BracketRoundShape(Shape):
    """A column of the bracket."""

    number = serializers.IntegerField()
    name = serializers.CharField()
    part = serializers.CharField(
        help_text="Of a double elimination: winners, losers, or final. Empty where there is one tree.",
    )
    matches = BracketMatchShape(many=True)


class BracketShape(Shape):
    """The bracket, decided or not; no rounds where the format has none or nothing is published."""

    version = serializers.CharField()
    rounds = BracketRoundShape(many=True)
