"""What the API takes about the course of a tournament: rounds, matches and results."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext_lazy as _
from rest_framework import serializers

from matches.actions import KINDS, SEATS, Report
from matches.engine import SetScore
from tournaments.actions.asked_byes import KINDS as BYES
from tournaments.api.bodies.base import (
    NUMBER,
    ROWS,
    Body,
    IdField,
    InstantField,
    NameField,
    PairField,
    VersionBody,
    WhyBody,
)
from tournaments.forms.clocks import MOST_EXTRA
from tournaments.forms.tournaments import MOST_CUT


class StartBody(Body):
    """The start. `leaving_out` are the entries the organiser knows to be missing; others mean that nothing happens."""

    leaving_out = serializers.ListField(child=IdField(), required=False, default=list, max_length=ROWS)


class SwapBody(Body):
    """Two players of a draft who change places; one of them may have the bye."""

    round = serializers.IntegerField(min_value=1, max_value=NUMBER, help_text="The number of the draft.")
    entry = IdField()
    with_entry = IdField()


class PlayOnBody(Body):
    """A cup of the first places. Where the last of them is shared, `accept_tie` lets the shown order decide."""

    name = NameField()
    best = serializers.IntegerField(
        min_value=1, max_value=MOST_CUT, required=False, help_text="Of each group. The tournament's `cut` unless said."
    )
    accept_tie = serializers.BooleanField(required=False, default=False)


class PublishBody(Body):
    """Publishing; changes made by hand that want a second look are allowed only when it says so."""

    accept_warnings = serializers.BooleanField(required=False, default=False)


class FinishBody(Body):
    """The end; `early` before every planned round is played."""

    early = serializers.BooleanField(required=False, default=False)


class AskedByeBody(Body):
    """A round not to be played in, and what it is worth: the points of a win, of a tie or of a loss."""

    round = serializers.IntegerField(min_value=1, max_value=9999)
    bye = serializers.ChoiceField(choices=[str(each) for each in BYES])


class AskedByesBody(WhyBody):
    """Every round to come that an entry does not want to play in."""

    asked = serializers.ListField(child=AskedByeBody(), max_length=100)


class PlayOffBody(WhyBody):
    """Two entries that share a place."""

    a = IdField()
    b = IdField()


class BegunBody(Body):
    """Whether two play."""

    begun = serializers.BooleanField(required=False, default=True)


class PlayerComingBody(Body):
    """Whether a player comes to the table they are called to."""

    entry = IdField()
    coming = serializers.BooleanField(required=False, default=True)


class CallAgainBody(Body):
    """The call that is known, so that two who press at once call once."""

    called_at = InstantField(required=False, help_text="`called_at` of the match as it was read.")


class ExtendBody(Body):
    """More minutes for a round, beside the version of its clock that was seen."""

    minutes = serializers.IntegerField(min_value=1, max_value=MOST_EXTRA)
    version = serializers.IntegerField(min_value=0, max_value=NUMBER)


class ExtraTimeBody(Body):
    """How many minutes a table has beyond its round."""

    minutes = serializers.IntegerField(min_value=0, max_value=MOST_EXTRA)


class ClearBody(VersionBody, WhyBody):
    """Taking a result back."""


class ResultBody(Body):
    """How a match ended. `sets` are those of side a and side b; `totals` may tell the sets one by one instead.

    `a` and `b` are the entries the sender believes to be at the table: others mean that the pairing changed.
    """

    kind = serializers.ChoiceField(choices=list(KINDS))
    sets = PairField(required=False, allow_null=True)
    totals = serializers.ListField(child=PairField(), required=False, max_length=100)
    winner = serializers.ChoiceField(choices=list(SEATS), required=False, allow_null=True)
    version = serializers.IntegerField(min_value=0, max_value=NUMBER, required=False)
    a = IdField(required=False)
    b = IdField(required=False)
    why = serializers.CharField(
        max_length=500, required=False, allow_blank=True, help_text="For the log; and why no second person is needed."
    )

    def report(self) -> Report:
        """What was told, once it is valid."""
        return report_of(self.validated_data)


class ResultOfMatchBody(ResultBody):
    """How one of several matches ended. The version of each that was seen is wanted."""

    match = IdField()
    version = serializers.IntegerField(min_value=0, max_value=NUMBER)


class ResultsBody(Body):
    """Results of several matches, each once."""

    results = serializers.ListField(child=ResultOfMatchBody(), min_length=1, max_length=500)

    def validate_results(self, value: list[dict[str, Any]]) -> list[dict[str, Any]]:
        if len({each["match"] for each in value}) < len(value):
            raise serializers.ValidationError(_("The same match stands there twice."))
        return value


def report_of(said: Mapping[str, Any]) -> Report:
    """What a valid body tells of a match."""
    sets = said.get("sets")
    return Report(
        kind=said["kind"],
        sets=None if sets is None else (sets[0], sets[1]),
        winner=said.get("winner"),
        by_set=tuple(SetScore((a, b)) for a, b in said.get("totals", ())),
    )
