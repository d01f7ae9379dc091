"""What the API takes about players on a roster, lists of them, and who is here."""

from __future__ import annotations

from django.conf import settings
from rest_framework import serializers

from tournaments.actions.roster import DROP, KEEP, RATING_LIMIT
from tournaments.api.bodies.base import NUMBER, ROWS, TYPED, Body, IdField, WhyBody
from tournaments.importers import ENCODINGS


class EntryBody(Body):
    """Somebody for the roster. `here` checks them in; `name_again` says that they are another of the same name."""

    name = serializers.CharField(max_length=TYPED)
    email = serializers.CharField(max_length=TYPED, required=False, allow_blank=True, default="")
    city = serializers.CharField(max_length=TYPED, required=False, allow_blank=True, default="")
    club = serializers.CharField(max_length=TYPED, required=False, allow_blank=True, default="")
    rating = serializers.IntegerField(
        min_value=0, max_value=RATING_LIMIT, required=False, allow_null=True, default=None
    )
    here = serializers.BooleanField(required=False, default=False)
    name_again = serializers.BooleanField(required=False, default=False)


class RegisterBody(Body):
    """A player who registers. `is_shown` is the consent to show the name to everybody; without it a number stands."""

    name = serializers.CharField(max_length=TYPED)
    email = serializers.CharField(max_length=TYPED, required=False, allow_blank=True, default="")
    city = serializers.CharField(max_length=TYPED, required=False, allow_blank=True, default="")
    club = serializers.CharField(max_length=TYPED, required=False, allow_blank=True, default="")
    is_shown = serializers.BooleanField()
    language = serializers.ChoiceField(
        choices=[code for code, _name in settings.LANGUAGES],
        required=False,
        help_text="What the player is written to in; that of the request unless said.",
    )
    name_again = serializers.BooleanField(required=False, default=False)


class EntryChangeBody(Body):
    """What is known of a player; what is left out stays."""

    name = serializers.CharField(max_length=TYPED, required=False)
    email = serializers.CharField(max_length=TYPED, required=False, allow_blank=True)
    city = serializers.CharField(max_length=TYPED, required=False, allow_blank=True)
    club = serializers.CharField(max_length=TYPED, required=False, allow_blank=True)
    rating = serializers.IntegerField(min_value=0, max_value=RATING_LIMIT, required=False, allow_null=True)


class SeedsBody(Body):
    """The order by hand: entries from the best down."""

    order = serializers.ListField(child=IdField(), max_length=ROWS)


class RowBody(Body):
    """One row of a list; what is wrong with it is told in the answer, by its line."""

    name = serializers.CharField(max_length=TYPED, allow_blank=True)
    email = serializers.CharField(max_length=TYPED, required=False, allow_blank=True, default="")
    city = serializers.CharField(max_length=TYPED, required=False, allow_blank=True, default="")
    club = serializers.CharField(max_length=TYPED, required=False, allow_blank=True, default="")
    rating = serializers.CharField(max_length=TYPED, required=False, allow_blank=True, allow_null=True, default="")


class RowsBody(Body):
    """A list as rows. `apply` brings it in at once when nothing is wrong with it; else it waits to be confirmed."""

    rows = serializers.ListField(child=RowBody(), max_length=ROWS)
    filename = serializers.CharField(max_length=200, required=False, default="rows.json")
    apply = serializers.BooleanField(required=False, default=False)


class FileBody(Body):
    """A list as a file: CSV, a text table or an XLSX workbook. `encoding` settles what could be read two ways."""

    file = serializers.FileField(allow_empty_file=True)
    encoding = serializers.ChoiceField(choices=list(ENCODINGS), required=False, default="")
    apply = serializers.BooleanField(required=False, default=False)


class CloseBody(Body):
    """The end of check-in. With `missing` drop whoever is not here leaves the roster; of those only the `named`, if any
    are: nobody is dropped unseen who came onto it meanwhile.
    """

    missing = serializers.ChoiceField(choices=[KEEP, DROP], required=False, default=KEEP)
    named = serializers.ListField(
        child=IdField(), required=False, allow_null=True, default=None, max_length=ROWS, help_text="null: all."
    )


class ScanBody(Body):
    """What a scanner read: a player's own link, whole or its last part."""

    code = serializers.CharField(max_length=TYPED)


class MergeBody(Body):
    """Two entries of one person."""

    other = serializers.IntegerField(
        min_value=1, max_value=NUMBER, help_text="An entry in another tournament of the same organisers."
    )


class NewcomerBody(WhyBody):
    """Somebody new after the start; `name_again` says that they are another of the same name."""

    name = serializers.CharField(max_length=TYPED)
    email = serializers.CharField(max_length=TYPED, required=False, allow_blank=True, default="")
    city = serializers.CharField(max_length=TYPED, required=False, allow_blank=True, default="")
    club = serializers.CharField(max_length=TYPED, required=False, allow_blank=True, default="")
    rating = serializers.IntegerField(
        min_value=0, max_value=RATING_LIMIT, required=False, allow_null=True, default=None
    )
    name_again = serializers.BooleanField(required=False, default=False)


class SeatBody(WhyBody):
    """Who has a place from now on: somebody on the roster who does not play."""

    entry = IdField()
