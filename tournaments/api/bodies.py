"""What the API takes, field by field, checked by the same rules as forms and lists."""

from __future__ import annotations

from datetime import date
from typing import Any

from django.forms import ValidationError as FormError
from django.utils.translation import gettext_lazy as _
from rest_framework import serializers

from matches.actions import KINDS, SEATS, Report
from matches.engine import RULESETS
from players.engine import clean_name, name_problem
from players.permissions import Refused
from tournaments.actions.events import POINTS, EventFacts, TournamentFacts
from tournaments.actions.roster import RATING_LIMIT
from tournaments.actions.staff import LINK_ROLES
from tournaments.api.reading import LAST_ID
from tournaments.engine.formats import FORMATS, get_format
from tournaments.engine.tiebreaks import TIEBREAKS
from tournaments.forms.events import zone_names
from tournaments.forms.options import option_fields
from tournaments.importers import ENCODINGS
from tournaments.models import Stage, Tournament
from tournaments.models.tournament import Seeding
from tournaments.words.refusals import refusal_text

Body = serializers.Serializer[Any]

_TYPED = 2000  # characters of a text before cleaning
_NUMBER = 1_000_000  # no number anybody means is larger; what it may be is for the rules to say
_ROWS = 10_000


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
    ruleset = serializers.ChoiceField(
        choices=[*dict.fromkeys(each.name for each in RULESETS), *(each.key for each in RULESETS)], required=False
    )
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
                "name": of.name,
                "ruleset": of.ruleset,
                "allows_tie": of.allows_tie,
                "seeding": of.seeding,
                "first_table": of.first_table,
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


class StartBody(Body):
    """The start. `leaving_out` are the entries the organiser knows to be missing; others mean that nothing happens."""

    leaving_out = serializers.ListField(child=IdField(), required=False, default=list, max_length=_ROWS)


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
