"""What the API takes about helpers, tokens and what a player says of themselves."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from rest_framework import serializers

from tournaments.actions.staff import LINK_ROLES
from tournaments.api.bodies.base import TYPED, Body, IdField, InstantField, NameField
from tournaments.forms.staff import ENDS_BEFORE
from tournaments.models import StaffLink


class PlaceBody(Body):
    """Where a referee helps, and when somebody is there: to know it, for it locks nothing."""

    tables = serializers.ListField(
        child=serializers.IntegerField(min_value=1, max_value=9999), required=False, max_length=500
    )
    here_from = InstantField(required=False, allow_null=True, help_text="The link opens at other times too.")
    here_until = InstantField(required=False, allow_null=True)

    def facts(self, *, of: StaffLink | None = None) -> dict[str, Any]:
        """What was said over what stands, or over nothing."""
        stands: dict[str, Any] = {"tables": [], "here_from": None, "here_until": None}
        if of is not None:
            stands = {name: getattr(of, name) for name in stands}
        said = {name: self.validated_data.get(name, value) for name, value in stands.items()}
        if said["here_from"] and said["here_until"] and said["here_until"] <= said["here_from"]:
            raise serializers.ValidationError({"here_until": [ENDS_BEFORE]})
        return said


class LinkBody(PlaceBody):
    """A link for one helper: for the event, or one tournament; a referee's perhaps for some tables only.

    An organiser's is an invitation to the whole event: accepted once, by an account.
    """

    role = serializers.ChoiceField(choices=[str(each) for each in LINK_ROLES])
    name = NameField()
    tournament = IdField(required=False, allow_null=True, default=None)
    email = serializers.EmailField(
        max_length=254, required=False, allow_blank=True, default="", help_text="The link is mailed there as well."
    )
    expires_at = InstantField(required=False, help_text="The end of the day after the event unless said.")


class RenewBody(Body):
    """A helper's new address in place of the old one."""

    expires_at = InstantField(required=False, help_text="The end of the day after the event unless said.")


class TokenBody(Body):
    """A token for a script, acting in this event as whoever makes it."""

    name = NameField()


class SecretBody(Body):
    """A secret that was given to whoever asks: the last part of a link's address."""

    token = serializers.CharField(max_length=200)


class OwnBody(Body):
    """What a player says of themselves; what is left out stays."""

    name = serializers.CharField(max_length=TYPED, required=False)
    email = serializers.CharField(max_length=TYPED, required=False, allow_blank=True)
    city = serializers.CharField(max_length=TYPED, required=False, allow_blank=True)
    club = serializers.CharField(max_length=TYPED, required=False, allow_blank=True)
    is_shown = serializers.BooleanField(required=False, help_text="The consent to show the name to everybody.")
    language = serializers.ChoiceField(choices=[code for code, _name in settings.LANGUAGES], required=False)
    name_again = serializers.BooleanField(required=False, default=False)


class ComingBody(Body):
    """Whether somebody comes to the table they are called to."""

    coming = serializers.BooleanField(required=False, default=True)


class HereBody(Body):
    """Whether somebody sits at the table."""

    here = serializers.BooleanField(required=False, default=True)
