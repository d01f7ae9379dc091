"""What the API takes, field by field, checked by the same rules as forms and lists."""

from __future__ import annotations

from datetime import date, datetime
from typing import Any

from django.conf import settings
from django.forms import ValidationError as FormError
from django.utils.translation import gettext_lazy as _
from rest_framework import serializers

from matches.actions import KINDS, SEATS, Report
from matches.engine import RULESETS
from players.engine import clean_name, name_problem
from players.permissions import Refused
from tournaments.actions.asked_byes import KINDS as BYES
from tournaments.actions.events import LASTING, POINTS, UNTIL_THE_START, EventFacts, TournamentFacts
from tournaments.actions.roster import RATING_LIMIT
from tournaments.actions.staff import LINK_ROLES
from tournaments.api.reading import LAST_ID
from tournaments.engine.formats import FORMATS, get_format
from tournaments.engine.tiebreaks import TIEBREAKS
from tournaments.forms.events import zone_names
from tournaments.forms.options import option_fields
from tournaments.forms.tournaments import FIRST_YEAR, LAST_YEAR, MOST_CUT, MOST_MINUTES, MOST_PLACES, NEWEST_RULESETS
from tournaments.importers import ENCODINGS
from tournaments.importers.base import BYTES_LIMIT
from tournaments.models import Stage, Tournament
from tournaments.models.tournament import Seeding, Unanswered
from tournaments.words.refusals import refusal_text

Body = serializers.Serializer[Any]

_TYPED = 2000  # characters of a text before cleaning
_NUMBER = 1_000_000  # no number anybody means is larger; what it may be is for the rules to say
_ROWS = 10_000

RULESET_KEYS = [each.key for each in RULESETS]
"""Rulesets with their version."""

RULESET_WORDS = [*dict.fromkeys(each.name for each in RULESETS), *RULESET_KEYS]
"""Rulesets as somebody may name them: without a version it is the newest."""


class NameField(serializers.CharField):
    """A name, cleaned as every name here is; the limit counts what is left after cleaning."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(max_length=_TYPED, **kwargs)

    def to_internal_value(self, data: Any) -> str:
        cleaned = clean_name(super().to_internal_value(data))
        if not cleaned and self.allow_blank:
            return cleaned
        if (problem := name_problem(cleaned)) is not None:
            words = refusal_text(Refused(problem.code, dict(problem.params), status=400))
            raise serializers.ValidationError(words, code=problem.code)
        return cleaned


class IdField(serializers.IntegerField):
    """The id of something; larger than any database can count is a mistake, not a fault."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(min_value=1, max_value=LAST_ID, **kwargs)


class EventBody(Body):
    """A gathering: its name, zone and first day suffice."""

    name = NameField()
    place = NameField(required=False, allow_blank=True, default="")
    zone = serializers.CharField(max_length=64, help_text="An IANA name, like Europe/Riga.")
    starts_on = serializers.DateField()
    ends_on = serializers.DateField(required=False, help_text="The same day unless you say so.")

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
    registration_opens_at = serializers.DateTimeField(required=False, allow_null=True, help_text="null: at once.")
    registration_closes_at = serializers.DateTimeField(
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

    def validate_registration_opens_at(self, value: datetime | None) -> datetime | None:
        if value is not None and not FIRST_YEAR <= value.year <= LAST_YEAR:
            raise serializers.ValidationError(_("Check the year."))
        return value

    def validate_registration_closes_at(self, value: datetime | None) -> datetime | None:
        return self.validate_registration_opens_at(value)

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
        return TournamentFacts(**both)


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


class EntryBody(Body):
    """Somebody for the roster. `here` checks them in; `name_again` says that they are another of the same name."""

    name = serializers.CharField(max_length=_TYPED)
    email = serializers.CharField(max_length=_TYPED, required=False, allow_blank=True, default="")
    city = serializers.CharField(max_length=_TYPED, required=False, allow_blank=True, default="")
    club = serializers.CharField(max_length=_TYPED, required=False, allow_blank=True, default="")
    rating = serializers.IntegerField(
        min_value=0, max_value=RATING_LIMIT, required=False, allow_null=True, default=None
    )
    here = serializers.BooleanField(required=False, default=False)
    name_again = serializers.BooleanField(required=False, default=False)


class RegisterBody(Body):
    """A player who registers. `is_shown` is the consent to show the name to everybody; without it a number stands."""

    name = serializers.CharField(max_length=_TYPED)
    email = serializers.CharField(max_length=_TYPED, required=False, allow_blank=True, default="")
    city = serializers.CharField(max_length=_TYPED, required=False, allow_blank=True, default="")
    club = serializers.CharField(max_length=_TYPED, required=False, allow_blank=True, default="")
    is_shown = serializers.BooleanField()
    language = serializers.ChoiceField(
        choices=[code for code, _name in settings.LANGUAGES],
        required=False,
        help_text="What the player is written to in; that of the request unless said.",
    )
    name_again = serializers.BooleanField(required=False, default=False)


class EntryChangeBody(Body):
    """What is known of a player; what is left out stays."""

    name = serializers.CharField(max_length=_TYPED, required=False)
    email = serializers.CharField(max_length=_TYPED, required=False, allow_blank=True)
    city = serializers.CharField(max_length=_TYPED, required=False, allow_blank=True)
    club = serializers.CharField(max_length=_TYPED, required=False, allow_blank=True)
    rating = serializers.IntegerField(min_value=0, max_value=RATING_LIMIT, required=False, allow_null=True)


class SeedsBody(Body):
    """The order by hand: entries from the best down."""

    order = serializers.ListField(child=IdField(), max_length=_ROWS)


class RowBody(Body):
    """One row of a list; what is wrong with it is told in the answer, by its line."""

    name = serializers.CharField(max_length=_TYPED, allow_blank=True)
    email = serializers.CharField(max_length=_TYPED, required=False, allow_blank=True, default="")
    city = serializers.CharField(max_length=_TYPED, required=False, allow_blank=True, default="")
    club = serializers.CharField(max_length=_TYPED, required=False, allow_blank=True, default="")
    rating = serializers.CharField(max_length=_TYPED, required=False, allow_blank=True, allow_null=True, default="")


class RowsBody(Body):
    """A list as rows. `apply` brings it in at once when nothing is wrong with it; else it waits to be confirmed."""

    rows = serializers.ListField(child=RowBody(), max_length=_ROWS)
    filename = serializers.CharField(max_length=200, required=False, default="rows.json")
    apply = serializers.BooleanField(required=False, default=False)


class FileBody(Body):
    """A list as a file: CSV, a text table or an XLSX workbook. `encoding` settles what could be read two ways."""

    file = serializers.FileField(allow_empty_file=True)
    encoding = serializers.ChoiceField(choices=list(ENCODINGS), required=False, default="")
    apply = serializers.BooleanField(required=False, default=False)


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


class StartBody(Body):
    """The start. `leaving_out` are the entries the organiser knows to be missing; others mean that nothing happens."""

    leaving_out = serializers.ListField(child=IdField(), required=False, default=list, max_length=_ROWS)


class SwapBody(Body):
    """Two players of a draft who change places; one of them may have the bye."""

    round = serializers.IntegerField(min_value=1, max_value=_NUMBER, help_text="The number of the draft.")
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


class WhyBody(Body):
    """A word for the log."""

    why = serializers.CharField(max_length=500, required=False, allow_blank=True, default="")


class MergeBody(Body):
    """Two entries of one person."""

    other = serializers.IntegerField(
        min_value=1, max_value=_NUMBER, help_text="An entry in another tournament of the same organisers."
    )


class NewcomerBody(WhyBody):
    """Somebody new after the start; `name_again` says that they are another of the same name."""

    name = serializers.CharField(max_length=_TYPED)
    email = serializers.CharField(max_length=_TYPED, required=False, allow_blank=True, default="")
    city = serializers.CharField(max_length=_TYPED, required=False, allow_blank=True, default="")
    club = serializers.CharField(max_length=_TYPED, required=False, allow_blank=True, default="")
    rating = serializers.IntegerField(
        min_value=0, max_value=RATING_LIMIT, required=False, allow_null=True, default=None
    )
    name_again = serializers.BooleanField(required=False, default=False)


class SeatBody(WhyBody):
    """Who has a place from now on: somebody on the roster who does not play."""

    entry = IdField()


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


class ClearBody(WhyBody):
    """Taking a result back."""

    version = serializers.IntegerField(min_value=0, max_value=_NUMBER, required=False)


class _NumberField(serializers.IntegerField):
    def __init__(self, **kwargs: Any) -> None:
        super().__init__(min_value=-_NUMBER, max_value=_NUMBER, **kwargs)


class _PairField(serializers.ListField):
    def __init__(self, **kwargs: Any) -> None:
        super().__init__(child=_NumberField(), min_length=2, max_length=2, **kwargs)


class ResultBody(Body):
    """How a match ended. `sets` are those of side a and side b; `totals` may tell the sets one by one instead.

    `a` and `b` are the entries the sender believes to be at the table: others mean that the pairing changed.
    """

    kind = serializers.ChoiceField(choices=list(KINDS))
    sets = _PairField(required=False, allow_null=True)
    totals = serializers.ListField(child=_PairField(), required=False, max_length=100)
    winner = serializers.ChoiceField(choices=list(SEATS), required=False, allow_null=True)
    version = serializers.IntegerField(min_value=0, max_value=_NUMBER, required=False)
    a = IdField(required=False)
    b = IdField(required=False)
    why = serializers.CharField(
        max_length=500, required=False, allow_blank=True, help_text="For the log; and why no second person is needed."
    )

    def report(self) -> Report:
        """What was told, once it is valid."""
        said = self.validated_data
        sets = said.get("sets")
        return Report(
            kind=said["kind"],
            sets=None if sets is None else (sets[0], sets[1]),
            winner=said.get("winner"),
            totals=tuple((a, b) for a, b in said.get("totals", ())),
        )


class LinkBody(Body):
    """A link for one helper: for the event, or one tournament; a referee's perhaps for some tables only."""

    role = serializers.ChoiceField(choices=[str(each) for each in LINK_ROLES])
    name = NameField()
    tournament = IdField(required=False, allow_null=True, default=None)
    tables = serializers.ListField(
        child=serializers.IntegerField(min_value=1, max_value=9999), required=False, default=list, max_length=500
    )
    expires_at = serializers.DateTimeField(required=False, help_text="The end of the day after the event unless said.")


class RenewBody(Body):
    """A helper's new address in place of the old one."""

    expires_at = serializers.DateTimeField(required=False, help_text="The end of the day after the event unless said.")


class TokenBody(Body):
    """A token for a script, acting in this event as whoever makes it."""

    name = NameField()


class OwnBody(Body):
    """What a player says of themselves; what is left out stays."""

    name = serializers.CharField(max_length=_TYPED, required=False)
    email = serializers.CharField(max_length=_TYPED, required=False, allow_blank=True)
    city = serializers.CharField(max_length=_TYPED, required=False, allow_blank=True)
    club = serializers.CharField(max_length=_TYPED, required=False, allow_blank=True)
    is_shown = serializers.BooleanField(required=False, help_text="The consent to show the name to everybody.")
    language = serializers.ChoiceField(choices=[code for code, _name in settings.LANGUAGES], required=False)
    name_again = serializers.BooleanField(required=False, default=False)


class HereBody(Body):
    """Whether somebody sits at the table."""

    here = serializers.BooleanField(required=False, default=True)
