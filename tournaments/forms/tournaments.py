"""What an organiser says of a tournament: a name suffices, the rest has a usual answer and can wait."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from matches.engine import RULESETS
from tournaments.actions.events import POINTS, TournamentFacts
from tournaments.engine.formats import FORMATS, get_format
from tournaments.engine.tiebreaks import TIEBREAKS
from tournaments.forms.names import NameField
from tournaments.forms.options import option_fields
from tournaments.models import Stage, Tournament
from tournaments.models.tournament import Seeding
from tournaments.words import labels

NEWEST_RULESETS = tuple({ruleset.name: ruleset for ruleset in RULESETS}.values())
"""What a new tournament may be played by: the newest version of each ruleset."""

_PLACES = 5  # tie-breaks in a chain of one's own
_MOST_POINTS = 100


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


class NameAndTablesForm(forms.Form):
    """What can change at any time: the name, and where the tables begin."""

    name = NameField(label=_("Name"), widget=forms.TextInput(attrs={"autocomplete": "off"}))
    first_table = forms.IntegerField(
        label=_("First table"),
        min_value=1,
        max_value=9999,
        initial=1,
        help_text=_("Tables are numbered from here up."),
    )

    @classmethod
    def of(cls, tournament: Tournament, stage: Stage) -> NameAndTablesForm:
        return cls(initial={"name": tournament.name, "first_table": tournament.first_table})

    def facts_of(self, tournament: Tournament, stage: Stage) -> TournamentFacts:
        """What was said, the rest as it stands."""
        return TournamentFacts(
            name=self.cleaned_data["name"],
            ruleset=tournament.ruleset,
            format=stage.format,
            options=stage.options,
            tiebreaks=tuple(stage.tiebreaks),
            points=stage.points,
            allows_tie=tournament.allows_tie,
            seeding=tournament.seeding,
            first_table=self.cleaned_data["first_table"],
        )


class TournamentForm(NameAndTablesForm):
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
    win = forms.IntegerField(label=_("A win"), min_value=0, max_value=_MOST_POINTS, initial=POINTS["win"])
    tie = forms.IntegerField(label=_("A tie"), min_value=0, max_value=_MOST_POINTS, initial=POINTS["tie"])
    loss = forms.IntegerField(label=_("A loss"), min_value=0, max_value=_MOST_POINTS, initial=POINTS["loss"])
    bye = forms.IntegerField(label=_("A bye"), min_value=0, max_value=_MOST_POINTS, initial=POINTS["bye"])

    def __init__(self, data: Any = None, *, initial: dict[str, Any] | None = None) -> None:
        super().__init__(initial=initial)
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

    def _with_the_usual(self, data: Any) -> Any:
        """What was sent, and for what was not sent at all the usual answer: a name suffices."""
        whole = data.copy()
        for name, field in self.fields.items():
            if field.required and field.initial is not None and name not in whole:
                whole[name] = field.initial
        return whole

    @classmethod
    def of(cls, tournament: Tournament, stage: Stage) -> TournamentForm:
        """The form as it stands for a tournament."""
        initial = {
            "name": tournament.name,
            "first_table": tournament.first_table,
            "format": stage.format,
            "ruleset": tournament.ruleset,
            "seeding": tournament.seeding,
            "allows_tie": tournament.allows_tie,
            **stage.points,
            **{f"{stage.format}-{name}": value for name, value in stage.options.items()},
        }
        if tuple(stage.tiebreaks) != get_format(stage.format).default_tiebreaks:
            initial |= {f"tiebreak-{place}": key for place, key in enumerate(stage.tiebreaks, start=1)}
        return cls(initial=initial)

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
        return cleaned

    def _chain(self) -> tuple[str, ...]:
        chosen = (self.cleaned_data.get(f"tiebreak-{place}", "") for place in range(1, _PLACES + 1))
        return tuple(key for key in chosen if key)

    def facts(self) -> TournamentFacts:
        """What was said, once the form is valid; what was left empty is as usual."""
        said = self.cleaned_data
        options = {name: said[field] for name, field in self._option_names[said["format"]].items()}
        return TournamentFacts(
            name=said["name"],
            ruleset=said["ruleset"],
            format=said["format"],
            options=options,
            tiebreaks=self._chain() or None,
            points={name: said[name] for name in POINTS},
            allows_tie=said["allows_tie"],
            seeding=said["seeding"],
            first_table=said["first_table"],
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
        chosen = self["seeding"].value()
        return [
            Choice(str(each), labels.SEEDINGS[each].text, labels.SEEDINGS[each].help, each == chosen)
            for each in Seeding
        ]

    @property
    def chain(self) -> list[forms.BoundField]:
        return [self[f"tiebreak-{place}"] for place in range(1, _PLACES + 1)]

    @property
    def points(self) -> list[forms.BoundField]:
        return [self[name] for name in POINTS]
