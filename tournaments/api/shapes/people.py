"""Helpers, tokens and a player's own view as the API tells them."""

from __future__ import annotations

from rest_framework import serializers

from tournaments.api.shapes.base import NamedShape, PageShape, Shape, WordsShape
from tournaments.api.shapes.matches import MatchShape
from tournaments.api.shapes.roster import OwnLinkShape
from tournaments.api.shapes.schedule import SlotSideShape


class StaffLinkShape(Shape):
    """A helper's link. `token` is the secret: `Authorization: Link …`, null once revoked."""

    id = serializers.IntegerField()
    role = serializers.CharField()
    name = serializers.CharField()
    tournament = serializers.IntegerField(allow_null=True)
    tables = serializers.ListField(child=serializers.IntegerField())
    here_from = serializers.DateTimeField(allow_null=True, help_text="When they are there: the link opens at any time.")
    here_until = serializers.DateTimeField(allow_null=True)
    email = serializers.CharField(help_text="Where it was mailed, if anywhere.")
    accepted_by = serializers.CharField(allow_null=True, help_text="Of an invitation: the organiser it made.")
    expires_at = serializers.DateTimeField()
    revoked_at = serializers.DateTimeField(allow_null=True)
    token = serializers.CharField(allow_null=True)
    url = serializers.URLField(allow_null=True)


class CallerShape(Shape):
    """Who you are here: role is account, player, or a helper's; null or empty is not narrowed."""

    role = serializers.CharField()
    name = serializers.CharField()
    event = serializers.IntegerField(allow_null=True)
    tournament = serializers.IntegerField(allow_null=True)
    tables = serializers.ListField(child=serializers.IntegerField())
    expires_at = serializers.DateTimeField(allow_null=True)
    entry = serializers.IntegerField(allow_null=True, help_text="The player whose own link asks.")


class StaffLinksPageShape(PageShape):
    """Links of an event, the oldest first."""

    results = StaffLinkShape(many=True)


class OrganiserShape(Shape):
    """Somebody who runs an event."""

    id = serializers.IntegerField(help_text="The account.")
    name = serializers.CharField()
    owns = serializers.BooleanField(help_text="Whether the event is theirs: the owner answers for players' data.")
    is_you = serializers.BooleanField()


class OrganisersPageShape(PageShape):
    """Who runs an event, the owner first."""

    results = OrganiserShape(many=True)


class TokenShape(Shape):
    """A token for scripts. `hint` are its first characters."""

    id = serializers.IntegerField()
    name = serializers.CharField()
    hint = serializers.CharField()
    account = serializers.CharField(help_text="Whom it acts as.")
    created_at = serializers.DateTimeField()
    revoked_at = serializers.DateTimeField(allow_null=True)


class NewTokenShape(TokenShape):
    """A token as it is told this once."""

    token = serializers.CharField(help_text="The secret: `Authorization: Bearer …`. It is nowhere to be seen again.")


class TokensPageShape(PageShape):
    """Tokens of an event, the oldest first."""

    results = TokenShape(many=True)


class MeetingShape(Shape):
    """A round of one player, from their side."""

    round = serializers.IntegerField()
    round_name = serializers.CharField()
    table = serializers.IntegerField(allow_null=True)
    side = serializers.CharField(help_text="Which side of the match you are: a or b. Side a opens the first set.")
    opponent = NamedShape(allow_null=True)
    bye = serializers.CharField(allow_null=True, help_text="Why there is no opponent: given, full, half or zero.")
    due_at = serializers.DateTimeField(allow_null=True, help_text="When to sit there, where that is known.")
    is_here = serializers.BooleanField(help_text="Whether you said that you sit there.")
    opponent_is_here = serializers.BooleanField()
    called_at = serializers.DateTimeField(allow_null=True, help_text="Since when it is called to its table.")
    is_coming = serializers.BooleanField(help_text="Whether you said that you come to the table.")
    opponent_is_coming = serializers.BooleanField()
    outcome = serializers.CharField(help_text="won, lost, tied, none (neither came), or empty while it is open.")
    match = MatchShape(allow_null=True)
    time_ends_at = serializers.DateTimeField(
        allow_null=True, help_text="When your table's time is over; null while no clock runs."
    )


class MeetingsPageShape(PageShape):
    """The rounds of one player, the first one first."""

    results = MeetingShape(many=True)


class MyEntryShape(OwnLinkShape):
    """An entry of an account, with its own link."""

    event = serializers.IntegerField()
    tournament = serializers.IntegerField()
    title = serializers.CharField(help_text="The tournament's name.")
    state = serializers.CharField(help_text="The tournament's: roster, check_in, running or finished.")
    rank = serializers.IntegerField(allow_null=True, help_text="Once the tournament is over.")


class MyEntriesPageShape(PageShape):
    """Entries of an account, the newest event first."""

    results = MyEntryShape(many=True)


class NoticeShape(Shape):
    """Something a player was told and that is still so."""

    kind = serializers.CharField(help_text="Stable, for programs.")
    at = serializers.DateTimeField()
    params = serializers.DictField()
    text = serializers.CharField()


class OwnNextShape(Shape):
    """The next match of a player that is not called yet, as it is planned."""

    round = serializers.IntegerField()
    round_name = serializers.CharField()
    number = serializers.IntegerField()
    opponent = SlotSideShape()
    starts_at = serializers.DateTimeField(allow_null=True, help_text="null while it is held.")
    has_time = serializers.BooleanField(help_text="Whether one may count on the time; else it is to five minutes.")
    table = serializers.IntegerField(allow_null=True)
    has_place = serializers.BooleanField(help_text="Whether one may count on the table.")
    held = serializers.BooleanField(help_text="An organiser holds it back.")


class OwnShape(Shape):
    """Everything one player asks about."""

    id = serializers.IntegerField(source="entry.pk")
    name = serializers.CharField(source="entry.staff_name")
    tournament = serializers.IntegerField()
    state = serializers.CharField(
        help_text="waiting, gone, registered, checking_in, here, left_out, withdrawn, disqualified, playing, finished."
    )
    waiting_place = serializers.IntegerField(allow_null=True)
    email = serializers.CharField()
    city = serializers.CharField()
    club = serializers.CharField()
    is_shown = serializers.BooleanField()
    language = serializers.CharField()
    current = MeetingShape(allow_null=True, help_text="The match to play now.")
    next = OwnNextShape(allow_null=True, help_text="null where nothing is planned.")
    asked_at = serializers.DateTimeField(allow_null=True, help_text="When the referee is asked about who is missing.")
    rank = serializers.IntegerField(allow_null=True)
    points = serializers.IntegerField(allow_null=True)
    reason = WordsShape(allow_null=True)
    notices = NoticeShape(many=True)
    version = serializers.CharField()
