"""What an organiser says of players while the tournament is played."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from players.permissions import Refused
from tournaments.engine.snapshot import Bye
from tournaments.forms.roster import EntryForm
from tournaments.models import Entry
from tournaments.words.refusals import refusal_text

Choices = Sequence[tuple[Any, Any]]

_PLAYS = "plays"


def _why() -> forms.CharField:
    return forms.CharField(label=_("Why"), max_length=500, required=False, help_text=_("Stands in the log."))


class ActForm(forms.Form):
    """One of the acts that are possible for a player now, and why."""

    def __init__(self, data: Any = None, *, acts: Choices) -> None:
        super().__init__(data)
        self.fields["act"] = forms.ChoiceField(label=_("What happens"), choices=acts, widget=forms.RadioSelect)
        self.fields["why"] = _why()


class NewcomerForm(EntryForm):
    """Somebody new who comes after the start."""

    name_again = forms.BooleanField(label=_("This is another person of the same name"), required=False)
    why = _why()

    asks_again = False
    """Whether the page asks if this is another person: only once somebody of that name is there."""

    def refuse(self, refused: Refused) -> None:
        super().refuse(refused)
        self.asks_again = refused.code == "same_name"

    def said(self) -> dict[str, Any]:
        """What the action is told, once the form is valid."""
        facts, said = self.facts, self.cleaned_data
        known = {name: getattr(facts, name) for name in ("name", "email", "city", "club", "rating")}
        return {**known, "name_again": said["name_again"], "why": said["why"]}


class OnRosterForm(forms.Form):
    """Somebody who is on the roster and does not play."""

    def __init__(self, data: Any = None, *, entries: Iterable[Entry]) -> None:
        super().__init__(data, auto_id="there_%s")
        choices = [("", _("Choose a player")), *((entry.pk, entry.staff_name) for entry in entries)]
        self.fields["entry"] = forms.TypedChoiceField(label=_("Player"), choices=choices, coerce=int)
        self.fields["why"] = _why()

    def refuse(self, refused: Refused) -> None:
        """Show why it could not be done, above the form."""
        self.add_error(None, refusal_text(refused))


class AskedByesForm(forms.Form):
    """For each round to come whether the player plays, and what the round is worth if not."""

    def __init__(self, data: Any = None, *, entry: Entry, rounds: Iterable[int]) -> None:
        super().__init__(data)
        self.rounds = tuple(rounds)
        self.kept = [(number, kind) for number, kind in entry.asked if number not in self.rounds]
        asked = dict(entry.asked)
        for number in self.rounds:
            self.fields[f"round-{number}"] = forms.ChoiceField(
                label=_("Round %(n)s") % {"n": number},
                initial=asked.get(number, _PLAYS),
                choices=[
                    (_PLAYS, _("Plays")),
                    (Bye.FULL, _("Bye with the points of a win")),
                    (Bye.HALF, _("Bye with the points of a tie")),
                    (Bye.ZERO, _("Bye with the points of a loss")),
                ],
            )
        self.fields["why"] = _why()

    def asked(self) -> list[tuple[int, str]]:
        """Rounds and kinds of byes, once the form is valid; what the form does not show stays as it is."""
        chosen = [(number, str(self.cleaned_data[f"round-{number}"])) for number in self.rounds]
        return [*self.kept, *((number, kind) for number, kind in chosen if kind != _PLAYS)]


class PlayOffForm(forms.Form):
    """Two of those who share a place."""

    def __init__(self, data: Any = None, *, entries: Sequence[Entry], place: int) -> None:
        super().__init__(data, auto_id=f"place{place}_%s")
        names = [(entry.pk, entry.staff_name) for entry in entries]
        for name, label, initial in (("a", _("First player"), names[0][0]), ("b", _("Second player"), names[1][0])):
            self.fields[name] = forms.TypedChoiceField(label=label, choices=names, coerce=int, initial=initial)
        self.fields["why"] = _why()
