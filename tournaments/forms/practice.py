"""What practice asks before it begins: the rules and the opponent."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from matches.words import POLICIES
from tournaments.forms.tournaments import NEWEST_RULESETS
from tournaments.words.labels import label_of


class PracticeForm(forms.Form):
    """The rules and the opponent of a game of practice."""

    ruleset = forms.ChoiceField(label=_("Rules"), widget=forms.RadioSelect)
    policy = forms.ChoiceField(label=_("Opponent"), widget=forms.RadioSelect)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        rules, opponents = self.fields["ruleset"], self.fields["policy"]
        assert isinstance(rules, forms.ChoiceField)  # noqa: S101  # for the type checker
        assert isinstance(opponents, forms.ChoiceField)  # noqa: S101
        rules.choices = [(ruleset.key, label_of("ruleset", ruleset.key).text) for ruleset in NEWEST_RULESETS]
        opponents.choices = [(key, format_lazy("{}: {}", *said)) for key, said in POLICIES.items()]
        rules.initial, opponents.initial = NEWEST_RULESETS[0].key, "original"
