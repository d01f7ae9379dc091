"""Players on a roster, the waiting list and imported lists as the API tells them."""

from __future__ import annotations

from rest_framework import serializers

from tournaments.api.shapes.base import PageShape, Shape, WordsShape


class EntryShape(Shape):
    """A player on a roster."""

    id = serializers.IntegerField()
    name = serializers.CharField()
    mark = serializers.CharField(help_text="What tells the same name apart from another; empty for most.")
    city = serializers.CharField()
    club = serializers.CharField()
    rating = serializers.IntegerField(allow_null=True)
    hand_seed = serializers.IntegerField(allow_null=True)
    seed = serializers.IntegerField(allow_null=True, help_text="The place in the seeding order, since the start.")
    checked_in_at = serializers.DateTimeField(allow_null=True)
    status = serializers.CharField()
    since = serializers.IntegerField(help_text="The first round they may be paired in.")
    fixed_table = serializers.IntegerField(allow_null=True, help_text="Where they have to sit.")
    asked = serializers.ListField(
        child=serializers.ListField(), help_text="Rounds they asked not to play in: [[3, `half`]]."
    )


class OwnLinkShape(Shape):
    """A player's own link. `token` and `url` are their own secret: `Authorization: Own …`."""

    id = serializers.IntegerField(help_text="The entry.")
    name = serializers.CharField()
    token = serializers.CharField()
    url = serializers.URLField(help_text="The player's own page.")


class RegisteredShape(Shape):
    """A player who registered. `token` and `url` are their own secret."""

    id = serializers.IntegerField(help_text="The entry.")
    name = serializers.CharField()
    status = serializers.CharField(help_text="active: has a place; waiting: waits for one.")
    place = serializers.IntegerField(allow_null=True, help_text="On the waiting list, from 1.")
    token = serializers.CharField()
    url = serializers.URLField(help_text="The player's own page.")


class ImportProblemShape(WordsShape):
    """Why a row cannot be taken; line 0 is the whole list."""

    line = serializers.IntegerField()


class ImportRowShape(Shape):
    """One row as it was understood."""

    line = serializers.IntegerField()
    name = serializers.CharField()
    city = serializers.CharField()
    club = serializers.CharField()
    rating = serializers.IntegerField(allow_null=True)


class ImportShape(Shape):
    """A list as it was read, and how far it has come: preview, waiting, done or refused."""

    id = serializers.IntegerField()
    filename = serializers.CharField()
    state = serializers.CharField()
    read_as = serializers.DictField(help_text="What kind of file it was, and which columns were understood.")
    row_count = serializers.IntegerField()
    rows = ImportRowShape(many=True, help_text="The first of them.")
    problems = ImportProblemShape(many=True)
    added = serializers.IntegerField(help_text="In a preview: how many would be.")
    already_there = serializers.IntegerField()
    done_at = serializers.DateTimeField(allow_null=True)


class EntriesPageShape(PageShape):
    """Entries, in the order they came."""

    results = EntryShape(many=True)


class ImportsPageShape(PageShape):
    """Lists of a tournament, the newest first."""

    results = ImportShape(many=True)


class SeedsShape(Shape):
    """The order by hand, from the best down."""

    order = serializers.ListField(child=serializers.IntegerField())
