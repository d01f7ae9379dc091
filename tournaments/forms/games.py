"""How matches are played: the settings of a tournament, the way of one match, and hands a referee was shown."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from matches.engine import CARDS, Ruleset, is_admitted
from matches.models import OnTimeout, Way
from matches.words import face_of
from tournaments.actions.games import PlayFacts, can_be_played_here
from tournaments.forms.times import VenueTimeField, at_the_venue
from tournaments.models import Tournament
from tournaments.models.tournament import DecksOpen
from tournaments.words import labels

SHORTEST_TURN, LONGEST_TURN = 5, 3600
MOST_MINUTES = 240


def ways_of(ruleset: str) -> list[Way]:
    """How matches by these rules can be played."""
    return [way for way in Way if way is not Way.HERE or can_be_played_here(ruleset)]


class PlayForm(forms.Form):
    """How matches of a tournament are played from now on.

    By rules that take their cards from outside the way alone is asked for: the rest is about matches played here.
    """

    way = forms.ChoiceField()
    turn_seconds = forms.IntegerField(
        label=_("Seconds for one turn"),
        required=False,
        min_value=SHORTEST_TURN,
        max_value=LONGEST_TURN,
        help_text=_("Empty: as long as it takes."),
    )
    match_minutes = forms.IntegerField(
        label=_("Minutes of each player for the whole match"),
        required=False,
        min_value=1,
        max_value=MOST_MINUTES,
        help_text=_("Only a player’s own turns count. Empty: no limit."),
    )
    on_timeout = forms.ChoiceField(
        label=_("When the time runs out"), choices=[(str(key), labels.TIMEOUTS[key].text) for key in OnTimeout]
    )
    decks_due_at = VenueTimeField(
        label=_("Side decks can be changed until"), help_text=_("Empty: until the player sits down to the match.")
    )
    decks_open = forms.ChoiceField(
        label=_("Side decks and hands can be seen by all"),
        choices=[(str(key), labels.DECKS_OPEN[key].text) for key in DecksOpen],
    )
    lends_decks = forms.BooleanField(
        label=_("The club lends a side deck to who has none"),
        required=False,
        help_text=_("Without it, nobody sits down to a match before they have built one."),
    )

    def __init__(self, tournament: Tournament, data: Any = None) -> None:
        names = ("way", "turn_seconds", "on_timeout", "decks_due_at", "decks_open", "lends_decks")
        self._seconds = tournament.match_seconds
        initial = {name: getattr(tournament, name) for name in names} | {"match_minutes": _minutes(self._seconds)}
        super().__init__(data, initial=initial)
        self._ways, self._kept = ways_of(tournament.ruleset), initial
        self.fields["way"] = forms.ChoiceField(
            label=_("A match is played"), choices=[(str(way), labels.WAYS[way].text) for way in self._ways]
        )
        if not self.is_here_possible:
            self.fields = {"way": self.fields["way"]}
        at_the_venue(self, tournament.event.tzinfo)

    def facts(self) -> PlayFacts:
        """What was said, once the form is valid. Minutes that were left as they stood keep their seconds."""
        said = {**self._kept, **self.cleaned_data}
        minutes = said.pop("match_minutes")
        kept = self._seconds if minutes == _minutes(self._seconds) else None
        return PlayFacts(match_seconds=kept or (minutes and minutes * 60), **said)

    def _choices(self, name: str, keys: Iterable[str], words: Mapping[str, labels.Label]) -> list[dict[str, Any]]:
        """The choices of a field, each with what it means."""
        chosen = self[name].value()
        return [
            {"value": str(key), "text": words[key].text, "hint": words[key].help, "checked": key == chosen}
            for key in keys
        ]

    @property
    def ways(self) -> list[dict[str, Any]]:
        return self._choices("way", self._ways, labels.WAYS)

    @property
    def is_here_possible(self) -> bool:
        """Whether these rules let the cards be dealt here."""
        return Way.HERE in self._ways

    @property
    def timeouts(self) -> list[dict[str, Any]]:
        return self._choices("on_timeout", OnTimeout, labels.TIMEOUTS)

    @property
    def openings(self) -> list[dict[str, Any]]:
        return self._choices("decks_open", DecksOpen, labels.DECKS_OPEN)


def _minutes(seconds: int | None) -> int | None:
    """Whole minutes, begun ones too."""
    return None if seconds is None else -(-seconds // 60)


class WayForm(forms.Form):
    """How one match is played."""

    way = forms.ChoiceField(choices=[(str(way), labels.WAYS[way].text) for way in Way])


class HandsForm(forms.Form):
    """Who opens a set, and the hands the players show: for each side all of its cards, or none where it is hidden."""

    opener = forms.ChoiceField(label=_("Who opens"), choices=[("A", "A"), ("B", "B")])

    def __init__(self, data: Any = None, *, ruleset: Ruleset) -> None:
        super().__init__(data)
        self.size = ruleset.hand_size
        tokens = [card.token for card in CARDS if is_admitted(ruleset, card.token)]
        choices = [("", "?"), *((token, face_of(token)) for token in tokens)]
        for letter in "ab":
            for place in range(1, self.size + 1):
                self.fields[f"{letter}{place}"] = forms.ChoiceField(
                    label=_("Card %(n)s") % {"n": place}, choices=choices, required=False
                )

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        for letter in "ab":
            if 0 < len(self._hand(letter)) < self.size:
                self.add_error(None, _("Name all %(n)s cards of a hand, or none of them.") % {"n": self.size})
                break
        return cleaned

    def _hand(self, letter: str) -> list[str]:
        said = (self.cleaned_data.get(f"{letter}{place}", "") for place in range(1, self.size + 1))
        return [token for token in said if token]

    @property
    def move(self) -> str:
        """The opening in the words of the notation, once the form is valid."""
        hands = (f"({' '.join(self._hand(letter)) or '?'})" for letter in "ab")
        return " ".join(["open", self.cleaned_data["opener"], *hands])

    @property
    def hands(self) -> list[list[forms.BoundField]]:
        """The fields of each side's hand."""
        return [[self[f"{letter}{place}"] for place in range(1, self.size + 1)] for letter in "ab"]
