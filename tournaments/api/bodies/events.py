"""What the API takes about events and tournaments."""

from __future__ import annotations

from datetime import date
from typing import Any

from django.forms import ValidationError as FormError
from django.utils.translation import gettext_lazy as _
from rest_framework import serializers

from matches.engine import RULESETS
from players.permissions import Refused
from tournaments.actions.events import LASTING, POINTS, UNTIL_THE_START, EventFacts, TournamentFacts
from tournaments.api.bodies.base import Body, InstantField, NameField
from tournaments.engine.formats import FORMATS, get_format
from tournaments.engine.tiebreaks import TIEBREAKS
from tournaments.forms.events import MOST_REST, zone_names
from tournaments.forms.options import option_fields
from tournaments.forms.tournaments import MOST_CUT, MOST_MINUTES, MOST_PLACES, NEWEST_RULESETS
from tournaments.importers.base import BYTES_LIMIT
from tournaments.models import Stage, Tournament
from tournaments.models.tournament import AtTime, Seating, Seeding, Unanswered
from tournaments.words.refusals import refusal_text

RULESET_KEYS = [each.key for each in RULESETS]
"""Rulesets with their version."""

RULESET_WORDS = [*dict.fromkeys(each.name for each in RULESETS), *RULESET_KEYS]
"""Rulesets as somebody may name them: without a version it is the newest."""


class EventBody(Body):
    """A gathering: its name, zone and first day suffice."""

    name = NameField()
    place = NameField(required=False, allow_blank=True, default="")
    zone = serializers.CharField(max_length=64, help_text="An IANA name, like Europe/Riga.")
    starts_on = serializers.DateField()
    ends_on = serializers.DateField(required=False, help_text="The same day unless you say so.")
    rest_minutes = serializers.IntegerField(
        min_value=0,
        max_value=MOST_REST,
        required=False,
        help_text="What every player has between two matches at least; 5 unless said.",
    )

    def validate_zone(self, value: str) -> str:
        if value not in zone_names():
            raise serializers.ValidationError(_("No zone has this name. Type the nearest big city, for example Riga."))
        return value

    def validate_starts_on(self, value: date) -> date:
        if not 2000 <= value.year <= 2100:
            raise serializers.ValidationError(_("Check the year."))
        return value

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        attrs.setdefault("ends_on", attrs["starts_on"])
        if attrs["ends_on"] < attrs["starts_on"]:
            raise serializers.ValidationError({"ends_on": _("The last day is before the first.")})
        self.validate_starts_on(attrs["ends_on"])
        return attrs

    def facts(self) -> EventFacts:
        """What was said, once it is valid."""
        return EventFacts(**self.validated_data)


class PointsBody(Body):
    """What an outcome is worth; what is left out is as usual."""

    win = serializers.IntegerField(min_value=0, max_value=100, required=False)
    tie = serializers.IntegerField(min_value=0, max_value=100, required=False)
    loss = serializers.IntegerField(min_value=0, max_value=100, required=False)
    bye = serializers.IntegerField(min_value=0, max_value=100, required=False)


class TournamentBody(Body):
    """A tournament: its name suffices. In a change what is left out stays; another format brings its own usual rest."""

    name = NameField()
    format = serializers.ChoiceField(choices=[each.key for each in FORMATS], required=False)
    ruleset = serializers.ChoiceField(choices=RULESET_WORDS, required=False)
    options = serializers.DictField(required=False, help_text="The format's own.")
    tiebreaks = serializers.ListField(
        child=serializers.ChoiceField(choices=[each.key for each in TIEBREAKS]),
        required=False,
        max_length=len(TIEBREAKS),
    )
    points = PointsBody(required=False)
    allows_tie = serializers.BooleanField(required=False)
    seeding = serializers.ChoiceField(choices=[str(each) for each in Seeding], required=False)
    first_table = serializers.IntegerField(min_value=1, max_value=9999, required=False)
    registration = serializers.BooleanField(required=False, help_text="Whether players register themselves.")
    registration_opens_at = InstantField(required=False, allow_null=True, help_text="null: at once.")
    registration_closes_at = InstantField(
        required=False, allow_null=True, help_text="null: when the tournament starts."
    )
    capacity = serializers.IntegerField(
        min_value=1, max_value=MOST_PLACES, required=False, allow_null=True, help_text="Beyond it people wait."
    )
    promotes_late = serializers.BooleanField(
        required=False, help_text="Whether the waiting list moves up after registration has closed."
    )
    self_check_in = serializers.BooleanField(required=False)
    players_report = serializers.BooleanField(required=False)
    report_minutes = serializers.IntegerField(min_value=1, max_value=MOST_MINUTES, required=False)
    unanswered = serializers.ChoiceField(choices=[str(each) for each in Unanswered], required=False)
    second_confirms = serializers.BooleanField(required=False)
    no_show_minutes = serializers.IntegerField(
        min_value=1, max_value=MOST_MINUTES, required=False, allow_null=True, help_text="null: nobody is asked."
    )
    cut = serializers.IntegerField(
        min_value=1, max_value=MOST_CUT, required=False, allow_null=True, help_text="How many play on, of each group."
    )
    starts_at = InstantField(
        required=False, allow_null=True, help_text="The first match begins no earlier; null: whenever people begin."
    )
    seating = serializers.ChoiceField(
        choices=[str(each) for each in Seating],
        required=False,
        help_text="`rounds`: a round gets its tables together; `queue`: the next match is called to the next free one.",
    )
    match_minutes = serializers.IntegerField(
        min_value=1, max_value=MOST_MINUTES, required=False, help_text="What the plan counts with until the day tells."
    )
    call_minutes = serializers.IntegerField(
        min_value=1,
        max_value=MOST_MINUTES,
        required=False,
        allow_null=True,
        help_text="For who is called to say that they come; after that the referee is told; null: nobody is asked.",
    )
    round_minutes = serializers.IntegerField(
        min_value=1, max_value=MOST_MINUTES, required=False, allow_null=True, help_text="null: rounds have no clock."
    )
    at_time = serializers.ChoiceField(
        choices=[str(each) for each in AtTime],
        required=False,
        help_text="What happens at a table when the time is over; `tie` only where a match may end tied.",
    )

    def validate_tiebreaks(self, value: list[str]) -> list[str]:
        if len(set(value)) < len(value):
            raise serializers.ValidationError(_("The same tie-break stands there twice."))
        return value

    def facts(self, *, of: Tournament | None = None, stage: Stage | None = None) -> TournamentFacts:
        """What was said over what stands (`of` with its stage), or over what is usual."""
        said = dict(self.validated_data)
        said.pop("seed", None)
        stands: dict[str, Any] = {}
        if of is not None and stage is not None:
            stands = {
                **{name: getattr(of, name) for name in LASTING + UNTIL_THE_START},
                "ruleset": of.ruleset,
                "format": stage.format,
                "points": stage.points,
            }
            if said.get("format", stage.format) == stage.format:
                stands |= {"options": stage.options, "tiebreaks": stage.tiebreaks}
        said["points"] = {**POINTS, **stands.get("points", {}), **said.get("points", {})}
        both = stands | said
        if "options" in both:
            both["options"] = _checked_options(both.get("format", "swiss"), both["options"])
        if both.get("tiebreaks") is not None:
            both["tiebreaks"] = tuple(both["tiebreaks"])
        opens, closes = both.get("registration_opens_at"), both.get("registration_closes_at")
        if opens and closes and closes <= opens:
            raise serializers.ValidationError({"registration_closes_at": [_("Registration closes before it opens.")]})
        facts = TournamentFacts(**both)
        if facts.ends_tied_without_ties:
            raise serializers.ValidationError({"at_time": [refusal_text(Refused("no_ties_at_time"))]})
        return facts


class NewTournamentBody(TournamentBody):
    """A tournament to be made. `seed` is the text its lots are drawn from; one is drawn unless given."""

    seed = serializers.CharField(max_length=64, required=False)


def _checked_options(format_key: str, said: dict[str, Any]) -> dict[str, Any]:
    """The options of a format, by the very fields its form is made of."""
    known = option_fields(get_format(format_key))
    wrong: dict[str, Any] = {name: [_("This format has no such option.")] for name in said if name not in known}
    checked = {}
    for name, value in said.items():
        try:
            if name in known:
                checked[name] = known[name].clean(value)
        except (FormError, TypeError) as error:
            wrong[name] = error.messages if isinstance(error, FormError) else [_("This cannot be read.")]
    if wrong:
        raise serializers.ValidationError({"options": wrong})
    return checked


class TournamentTextBody(Body):
    """A tournament file as text. `ruleset` holds for one that names no rules of the game."""

    text = serializers.CharField(max_length=BYTES_LIMIT, trim_whitespace=False)
    ruleset = serializers.ChoiceField(choices=RULESET_KEYS, required=False, default=NEWEST_RULESETS[0].key)


class TournamentFileBody(Body):
    """A tournament file. `ruleset` holds for one that names no rules of the game."""

    file = serializers.FileField(allow_empty_file=True)
    ruleset = serializers.ChoiceField(choices=RULESET_KEYS, required=False, default=NEWEST_RULESETS[0].key)

    def validate_file(self, value: Any) -> Any:
        if value.size > BYTES_LIMIT:
            raise serializers.ValidationError(
                _("The file is larger than %(most)s MB.") % {"most": BYTES_LIMIT // 10**6}
            )
        return value
