"""What an organiser says of a tournament: a name suffices, the rest has a usual answer and can wait."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, tzinfo
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from matches.engine import RULESETS
from players.permissions import Refused
from tournaments.actions.events import LASTING, POINTS, UNTIL_THE_START, TournamentFacts
from tournaments.engine.formats import FORMATS, get_format
from tournaments.engine.tiebreaks import TIEBREAKS
from tournaments.forms.names import NameField
from tournaments.forms.options import option_fields
from tournaments.forms.times import VenueTimeField, at_the_venue
from tournaments.models import Stage, Tournament
from tournaments.models.tournament import AtTime, Seating, Seeding, Unanswered
from tournaments.words import labels
from tournaments.words.refusals import refusal_text

NEWEST_RULESETS = tuple({ruleset.name: ruleset for ruleset in RULESETS}.values())
"""What a new tournament may be played by: the newest version of each ruleset."""

_PLACES = 5  # tie-breaks in a chain of one's own
_MOST_POINTS = 100
MOST_PLACES = 10_000
MOST_MINUTES = 240
MOST_CUT = 1024


@dataclass(frozen=True, slots=True)
class FormatChoice:
    """A format to choose, with the fields of its own options."""

    key: str
    text: Any
    help: Any
    chosen: bool
    options: tuple[forms.BoundField, ...]


@dataclass(frozen=True, slots=True)
class Choice:
    """One of several, with a sentence for whoever meets it the first time."""

    value: str
    text: Any
    help: Any
    chosen: bool


def _choices(keys: Iterable[str], words: Mapping[str, labels.Label], chosen: Any) -> list[Choice]:
    return [Choice(str(key), words[key].text, words[key].help, key == chosen) for key in keys]


class LastingForm(forms.Form):
    """What can change at any time: name, when and at which tables it is played, how people come, how results count."""

    name = NameField(label=_("Name"), widget=forms.TextInput(attrs={"autocomplete": "off"}))
    first_table = forms.IntegerField(
        label=_("First table"),
        min_value=1,
        max_value=9999,
        initial=1,
        help_text=_("Tables are numbered from here up."),
    )
    self_check_in = forms.BooleanField(
        label=_("Players check themselves in by their own link"),
        required=False,
        initial=True,
        help_text=_("While check-in is open. The desk can always check anybody in."),
    )
    no_show_minutes = forms.IntegerField(
        label=_("Minutes an absent player is waited for"),
        required=False,
        min_value=1,
        max_value=MOST_MINUTES,
        help_text=_("After that the referee is asked what becomes of the match. Empty: nobody is asked."),
    )
    players_report = forms.BooleanField(
        label=_("Players report their own results"),
        required=False,
        help_text=_("A result counts once both players report the same. The referee decides where they differ."),
    )
    report_minutes = forms.IntegerField(
        label=_("Minutes to answer a report"),
        min_value=1,
        max_value=MOST_MINUTES,
        initial=10,
        help_text=_("How long the other player has to agree or to disagree."),
    )
    unanswered = forms.ChoiceField(
        label=_("A report nobody answers"),
        choices=[(str(each), labels.UNANSWERED[each].text) for each in Unanswered],
        initial=str(Unanswered.REFEREE),
    )
    second_confirms = forms.BooleanField(
        label=_("A second person confirms each result"),
        required=False,
        help_text=_("A result waits until somebody other than the one who entered it has looked at it."),
    )

    cut = forms.IntegerField(
        label=_("The best … go on"),
        required=False,
        min_value=1,
        max_value=MOST_CUT,
        help_text=_(
            "Of each group, if there are groups. The standings then say who is through. Empty: nobody plays on."
        ),
    )

    starts_at = VenueTimeField(
        label=_("Start"), help_text=_("The first match begins no earlier, and pages say it. Empty: whenever you begin.")
    )
    seating = forms.ChoiceField(
        label=_("How matches come to tables"),
        choices=[(str(each), labels.SEATINGS[each].text) for each in Seating],
        initial=str(Seating.ROUNDS),
    )
    match_minutes = forms.IntegerField(
        label=_("Minutes for a match"),
        min_value=1,
        max_value=MOST_MINUTES,
        initial=20,
        help_text=_("What the plan counts with until the matches of the day tell better."),
    )
    call_minutes = forms.IntegerField(
        label=_("Minutes to answer a call"),
        required=False,
        min_value=1,
        max_value=MOST_MINUTES,
        initial=3,
        help_text=_(
            "For whoever is called to a table to say that they come. After that the referee is told. "
            "Empty: nobody is asked."
        ),
    )
    round_minutes = forms.IntegerField(
        label=_("Minutes for a round"),
        required=False,
        min_value=1,
        max_value=MOST_MINUTES,
        help_text=_("The clock is started by hand once a round is published. Empty: rounds have no clock."),
    )
    at_time = forms.ChoiceField(
        label=_("When time is over"),
        choices=[(str(each), labels.AT_TIME[each].text) for each in AtTime],
        initial=str(AtTime.FINISH_SET),
        help_text=_("Pages say it to everybody. “The sets as they stand” only where a match may end tied."),
    )

    def __init__(self, data: Any = None, *, initial: dict[str, Any] | None = None, zone: tzinfo = UTC) -> None:
        super().__init__(initial=initial)
        at_the_venue(self, zone)
        if data is not None:
            self.is_bound, self.data = True, self._with_the_usual(data)

    def _with_the_usual(self, data: Any) -> Any:
        """What was sent, and for what was not sent at all the usual answer: a name suffices."""
        whole = data.copy()
        for name, field in self.fields.items():
            is_usual = field.initial is not None and not isinstance(field, forms.BooleanField)
            if is_usual and name not in whole:
                whole[name] = field.initial
        return whole

    @classmethod
    def of(cls, tournament: Tournament, stage: Stage) -> LastingForm:
        """The form as it stands for a tournament."""
        return cls(initial={name: getattr(tournament, name) for name in LASTING}, zone=tournament.event.tzinfo)

    @classmethod
    def sent(cls, data: Any, tournament: Tournament) -> LastingForm:
        """The form as it was sent for a tournament: its times that were not touched stay to the second."""
        stands = {name: getattr(tournament, name) for name in LASTING + UNTIL_THE_START}
        return cls(data, initial=stands, zone=tournament.event.tzinfo)

    def facts_of(self, tournament: Tournament, stage: Stage) -> TournamentFacts:
        """What was said, the rest as it stands."""
        return TournamentFacts(
            ruleset=tournament.ruleset,
            format=stage.format,
            options=stage.options,
            tiebreaks=tuple(stage.tiebreaks),
            points=stage.points,
            **{name: getattr(tournament, name) for name in UNTIL_THE_START},
            **{name: self.cleaned_data[name] for name in LASTING},
        )

    @property
    def lasting_is_wrong(self) -> bool:
        """Whether the page has to show how people come and how results are told, for something there is wrong."""
        return any(field.errors for field in (self["cut"], *self.about_check_in, *self.about_results))

    @property
    def time_is_wrong(self) -> bool:
        """Whether the page has to show tables and times, for something there is wrong."""
        return any(field.errors for field in self.about_time)

    @property
    def about_check_in(self) -> list[forms.BoundField]:
        return [self["self_check_in"], self["no_show_minutes"]]

    @property
    def about_time(self) -> list[forms.BoundField]:
        return [self["starts_at"], self["seating"], self["first_table"], *self.minutes]

    @property
    def minutes(self) -> list[forms.BoundField]:
        return [self[name] for name in ("match_minutes", "call_minutes", "round_minutes", "at_time")]

    @property
    def seatings(self) -> list[Choice]:
        return _choices(Seating, labels.SEATINGS, self["seating"].value())

    @property
    def about_results(self) -> list[forms.BoundField]:
        return [self[name] for name in ("players_report", "report_minutes", "unanswered", "second_confirms")]


class TournamentForm(LastingForm):
    """Everything that can be said of a tournament before it starts."""

    format = forms.ChoiceField(
        label=_("Format"), choices=[(each.key, labels.FORMATS[each.key].text) for each in FORMATS], initial="swiss"
    )
    ruleset = forms.ChoiceField(
        label=_("Rules of the game"),
        choices=[(each.key, labels.RULESETS[each.name].text) for each in NEWEST_RULESETS],
        initial=NEWEST_RULESETS[0].key,
    )
    seeding = forms.ChoiceField(
        label=_("Seeding"),
        choices=[(str(each), labels.SEEDINGS[each].text) for each in Seeding],
        initial=str(Seeding.RANDOM),
    )
    allows_tie = forms.BooleanField(
        label=_("A match may end tied when time runs out"),
        required=False,
        help_text=_("Where the format has no use for ties, a match goes on until it is won."),
    )
    registration = forms.BooleanField(
        label=_("Players register themselves on the public page"),
        required=False,
        help_text=_("Without an account: each gets a private link to their own page."),
    )
    registration_opens_at = VenueTimeField(label=_("Registration opens"), help_text=_("Empty: at once."))
    registration_closes_at = VenueTimeField(
        label=_("Registration closes"), help_text=_("Empty: when the tournament starts.")
    )
    capacity = forms.IntegerField(
        label=_("Places"),
        required=False,
        min_value=1,
        max_value=MOST_PLACES,
        help_text=_("Whoever registers beyond them waits. Empty: as many as come."),
    )
    promotes_late = forms.BooleanField(
        label=_("The waiting list moves up after registration has closed"),
        required=False,
        help_text=_("Until the start. Otherwise you give free places away by hand."),
    )
    win = forms.IntegerField(label=_("A win"), min_value=0, max_value=_MOST_POINTS, initial=POINTS["win"])
    tie = forms.IntegerField(label=_("A tie"), min_value=0, max_value=_MOST_POINTS, initial=POINTS["tie"])
    loss = forms.IntegerField(label=_("A loss"), min_value=0, max_value=_MOST_POINTS, initial=POINTS["loss"])
    bye = forms.IntegerField(label=_("A bye"), min_value=0, max_value=_MOST_POINTS, initial=POINTS["bye"])

    def __init__(self, data: Any = None, *, initial: dict[str, Any] | None = None, zone: tzinfo = UTC) -> None:
        super().__init__(initial=initial, zone=zone)
        self._option_names: dict[str, dict[str, str]] = {}
        for each in FORMATS:
            made = option_fields(each)
            self._option_names[each.key] = {name: f"{each.key}-{name}" for name in made}
            self.fields.update({f"{each.key}-{name}": field for name, field in made.items()})
        tiebreaks = [("", "—"), *((each.key, labels.TIEBREAKS[each.key].text) for each in TIEBREAKS)]
        for place in range(1, _PLACES + 1):
            label = _("Tie-break %(place)s") % {"place": place}
            self.fields[f"tiebreak-{place}"] = forms.ChoiceField(choices=tiebreaks, label=label, required=False)
        if data is not None:
            self.is_bound, self.data = True, self._with_the_usual(data)

    @classmethod
    def of(cls, tournament: Tournament, stage: Stage) -> TournamentForm:
        """The form as it stands for a tournament."""
        initial = {
            "format": stage.format,
            "ruleset": tournament.ruleset,
            **{name: getattr(tournament, name) for name in LASTING + UNTIL_THE_START},
            **stage.points,
            **{f"{stage.format}-{name}": value for name, value in stage.options.items()},
        }
        if tuple(stage.tiebreaks) != get_format(stage.format).default_tiebreaks:
            initial |= {f"tiebreak-{place}": key for place, key in enumerate(stage.tiebreaks, start=1)}
        return cls(initial=initial, zone=tournament.event.tzinfo)

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        chosen = cleaned.get("format", "")
        for format_key, names in self._option_names.items():
            if format_key != chosen:
                for name in names.values():
                    self.errors.pop(name, None)  # what another format would not take is not asked for
        chain = self._chain()
        if len(set(chain)) < len(chain):
            self.add_error(f"tiebreak-{len(chain)}", _("The same tie-break stands there twice."))
        opens, closes = cleaned.get("registration_opens_at"), cleaned.get("registration_closes_at")
        if opens and closes and closes <= opens:
            self.add_error("registration_closes_at", _("Registration closes before it opens."))
        can_tie = cleaned.get("allows_tie") and chosen and get_format(chosen).allows_ties
        if cleaned.get("at_time") == AtTime.TIE and not can_tie:
            self.add_error("at_time", refusal_text(Refused("no_ties_at_time")))
        return cleaned

    def _chain(self) -> tuple[str, ...]:
        chosen = (self.cleaned_data.get(f"tiebreak-{place}", "") for place in range(1, _PLACES + 1))
        return tuple(key for key in chosen if key)

    def facts(self) -> TournamentFacts:
        """What was said, once the form is valid; what was left empty is as usual."""
        said = self.cleaned_data
        options = {name: said[field] for name, field in self._option_names[said["format"]].items()}
        return TournamentFacts(
            ruleset=said["ruleset"],
            format=said["format"],
            options=options,
            tiebreaks=self._chain() or None,
            points={name: said[name] for name in POINTS},
            **{name: said[name] for name in LASTING + UNTIL_THE_START},
        )

    def facts_of(self, tournament: Tournament, stage: Stage) -> TournamentFacts:
        return self.facts()

    # --- What the page shows beside the fields.

    @property
    def formats(self) -> list[FormatChoice]:
        chosen = self["format"].value()
        return [
            FormatChoice(
                key=each.key,
                text=labels.FORMATS[each.key].text,
                help=labels.FORMATS[each.key].help,
                chosen=each.key == chosen,
                options=tuple(self[field] for field in self._option_names[each.key].values()),
            )
            for each in FORMATS
        ]

    @property
    def rulesets(self) -> list[Choice]:
        chosen = self["ruleset"].value()
        return [
            Choice(each.key, labels.RULESETS[each.name].text, labels.RULESETS[each.name].help, each.key == chosen)
            for each in NEWEST_RULESETS
        ]

    @property
    def seedings(self) -> list[Choice]:
        return _choices(Seeding, labels.SEEDINGS, self["seeding"].value())

    @property
    def registration_is_wrong(self) -> bool:
        return any(field.errors for field in self.about_registration)

    @property
    def about_registration(self) -> list[forms.BoundField]:
        names = ("registration", "registration_opens_at", "registration_closes_at", "capacity", "promotes_late")
        return [self[name] for name in names]

    @property
    def chain(self) -> list[forms.BoundField]:
        return [self[f"tiebreak-{place}"] for place in range(1, _PLACES + 1)]

    @property
    def points(self) -> list[forms.BoundField]:
        return [self[name] for name in POINTS]
