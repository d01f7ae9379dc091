"""The page /design/: every component and every card once in each theme, with made-up data."""

from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext_lazy
from django.views.decorators.http import require_safe

from tournaments.models import Entry
from tournaments.words.labels import COLUMNS, FORMATS, TIEBREAKS, score_text
from tournaments.words.reasons import note_text

Sample = dict[str, Any]

PADAWAN, SHADOW, FALCON = "Последний падаван", "Тень Дантуина", "Капитан «Чёрного Ястреба»"
COLOURS = (
    "bg",
    "sheet",
    "well",
    "line",
    "edge",
    "ink",
    "soft",
    "amber",
    "bad",
    "good",
    "lamp",
    "green",
    "blue",
    "red",
    "gold",
)
STATES = [
    ("wait", gettext_lazy("Waits")),
    ("call", gettext_lazy("Called 14:31")),
    ("play", gettext_lazy("Set 3")),
    ("late", gettext_lazy("Over time by 4 minutes")),
    ("done", gettext_lazy("Finished")),
    ("held", gettext_lazy("Offline since 14:50")),
    ("gone", gettext_lazy("out")),
]
MAIN_CARDS = [str(n) for n in range(1, 11)]
SIDE_CARDS = [f"{sign}{n}" for sign in "+-*" for n in range(1, 7)]
GOLD_CARDS = ["D", "T1", "V12", "F24", "F36"]
ONE_OF_EACH = ["7", "+3", "-5", "*2", *GOLD_CARDS[:4], "back"]
PLAYED = [("*3", "+3"), ("*3", "-3"), ("V12", "-2"), ("T1", "+1"), ("D", "7"), ("4", "-4")]


def _qr() -> str:
    import segno  # 2 MB that this page alone would keep in every process

    drawn: str = segno.make("https://starcon.example/me", error="m").svg_inline(omitsize=True, border=2)
    return drawn


class SampleForm(forms.Form):
    """One field of each kind; sent with a mistake, so that the mistake can be seen."""

    name = forms.CharField(
        label=pgettext_lazy("of a person", "Name"),
        max_length=120,
        help_text=gettext_lazy("As it should stand in the standings."),
    )
    rating = forms.IntegerField(
        label=gettext_lazy("Rating"),
        required=False,
        error_messages={"invalid": gettext_lazy("A whole number, for example 1605.")},
        widget=forms.TextInput(attrs={"inputmode": "numeric"}),
    )
    zone = forms.ChoiceField(
        label=gettext_lazy("Time zone"), choices=[("Europe/Moscow", "Moscow"), ("Europe/Helsinki", "Helsinki")]
    )
    sets = forms.IntegerField(min_value=1, max_value=9, label=gettext_lazy("Sets to win"))
    format = forms.ChoiceField(
        label=gettext_lazy("Format"),
        choices=[("swiss", gettext_lazy("Swiss")), ("all", gettext_lazy("Round robin"))],
        widget=forms.RadioSelect,
    )
    ties = forms.BooleanField(required=False, label=gettext_lazy("A match may end tied when time runs out"))


@require_safe
def design(request: HttpRequest) -> HttpResponse:
    """The sheet of all components."""
    return render(request, "design.html", {"panes": [_pane("dark"), _pane("light")], "demo": True})


def _pane(theme: str) -> Sample:
    """All samples of one theme; ids and names of radio groups differ between the two."""
    given = {"name": "Vrook", "rating": "16o5", "zone": "Europe/Moscow", "sets": "3", "format": "swiss"}
    return {
        "theme": theme,
        "colours": COLOURS,
        "faces": MAIN_CARDS + SIDE_CARDS + GOLD_CARDS + ["back"],
        "one_of_each": ONE_OF_EACH,
        "played": PLAYED,
        "states": STATES,
        "form": SampleForm({f"{theme}-{key}": value for key, value in given.items()}, prefix=theme),
        "scores": [{"value": f"3-{lost}", "text": score_text(3, lost)} for lost in range(3)],
        "matches": _matches(),
        "bracket": _bracket(theme),
        "standings": _standings(theme),
        "board": _board(),
        "progress": _progress(),
        "step": _step(theme),
        "remove": {"text": _("Remove it all"), "kind": "main", "url": "#"},
        "add": {"text": _("Import a list"), "href": "#"},
        "qr": _qr(),
        "slip": _slip(),
    }


def _sides(*, first: str, second: str, score: tuple[int, int], over: bool = True) -> list[Sample]:
    ahead = score[0] > score[1]
    return [
        {"name": first, "sets": score[0], "won": over and ahead, "out": over and not ahead},
        {"name": second, "sets": score[1], "won": over and not ahead, "out": over and ahead},
    ]


def _matches() -> list[Sample]:
    return [
        {
            "place": _("Table {n}").format(n=1),
            "state": "play",
            "state_text": _("Set %(set)s") % {"set": 4},
            "now": True,
            "sides": _sides(first=PADAWAN, second=SHADOW, score=(2, 1), over=False),
        },
        {
            "place": _("Table {n}").format(n=6),
            "state": "done",
            "state_text": _("Finished"),
            "sides": _sides(first=FALCON, second="Obi-2", score=(3, 2)),
        },
        {
            "place": _("Final"),
            "state": "wait",
            "state_text": _("Waits"),
            "sides": [{"tbd": _("Winner of match {n}").format(n=27)}, {"name": "Леди Малак"}],
        },
    ]


def _bracket(theme: str) -> Sample:
    def played(number: int, *, first: str, second: str, score: tuple[int, int]) -> Sample:
        return {
            "place": _("Match {n}").format(n=number),
            "state": "done",
            "state_text": _("Finished"),
            "sides": _sides(first=first, second=second, score=score),
        }

    semi_finals = [
        played(5, first="Ученик Джоли", second="Mission", score=(3, 2)),
        played(6, first=SHADOW, second=PADAWAN, score=(3, 1)),
    ]
    final = [played(7, first="Ученик Джоли", second=SHADOW, score=(2, 3))]
    rounds = [
        {"title": _("Semi-finals"), "matches": semi_finals},
        {"title": _("Final"), "current": True, "matches": final},
    ]
    return {"key": f"{theme}-cup", "label": _("Bracket"), "rounds": rounds}


def _standings(theme: str) -> Sample:
    scale, difference = (
        _("A win is worth {win}, a loss {loss}. A bye gives {bye} and no sets."),
        TIEBREAKS["set_difference"],
    )
    columns = [
        {"key": "points", "text": COLUMNS["points"].text, "help": scale.format(win=3, loss=0, bye=3)},
        {"key": "sets", "text": difference.text, "help": difference.help, "wide": True},
    ]
    level = {"key": "buchholz", "mine": 27, "theirs": 24}
    above = {"key": "buchholz_cut_1", "mine": 30, "theirs": 27}
    placed = [
        (1, SHADOW, 12, "+5", _why("ahead_by", PADAWAN, level)),
        (2, PADAWAN, 12, "+9", _why("behind_by", SHADOW, {**level, "mine": 24, "theirs": 27})),
        (3, "Кореллианка", 9, "+4", _why("ahead_by", "Juhani", above)),
        (4, "Juhani", 9, "+3", _why("behind_by", "Кореллианка", {**above, "mine": 27, "theirs": 30})),
    ]
    rows = [
        {
            "id": rank,
            "rank": rank,
            "name": name,
            "outlook": {"state": "wait", "text": _("may play on")} if rank == 2 else None,
            "cells": [
                {"text": points, "strong": True, "unit": ngettext(" point", " points", points)},
                {"text": sets, "wide": True},
            ],
            "why": why,
            "cut": rank == 2,
            "me": rank == 4,
        }
        for rank, name, points, sets, why in placed
    ]
    label = _("Standings after round {n}").format(n=4)
    return {"id": f"{theme}-standings", "label": label, "columns": columns, "rows": rows}


def _why(code: str, other: str, params: Sample) -> str:
    return note_text(code, {"entry": 1, **params}, {1: Entry(name=other)})


def _board() -> Sample:
    cards = [{"token": "4"}, {"token": "*2", "played": "+2"}, {"token": "6"}, {"token": "5"}]
    return {
        "name": FALCON,
        "total": 17,
        "won": 2,
        "needed": 3,
        "state": "play",
        "state_text": _("To play"),
        "cards": cards,
        "hand": 3,
    }


def _progress() -> list[Sample]:
    done = [{"text": text, "state": "done"} for text in (_("Roster"), _("Check-in"), "1")]
    return [*done, {"text": _("Round {n}").format(n=2), "state": "now"}, {"text": "3"}, {"text": _("Champion")}]


def _step(theme: str) -> Sample:
    names = {1: Entry(name="Рыжая с Тариса"), 2: Entry(name="Йен-Йен")}
    tables = 18 if theme == "dark" else 1
    title = ngettext("Publish round {round} and call {n} table", "Publish round {round} and call {n} tables", tables)
    block = {
        "title": note_text("rematch", {"a": 1, "b": 2, "round": 2}, names),
        "acts": [
            {"text": _("Pair again, without the changes"), "kind": "main", "href": "#"},
            {"text": _("Publish all the same"), "href": "#"},
        ],
    }
    return {
        "id": f"{theme}-step",
        "title": title.format(round=5, n=tables),
        "act": {"text": _("Publish")},
        "waits": ngettext("It waits for your word on one thing:", "It waits for your word on {n} things:", 1).format(
            n=1
        ),
        "blocks": [block],
        "note": format_html(
            _("Not in the way: {}"), note_text("bye_again", {"entry": 1}, {1: Entry(name="Канто Байт")})
        ),
    }


def _slip() -> Sample:
    return {
        "table": 5,
        "title": _("Round {n} of {planned}").format(n=5, planned=6),
        "event": f"StarCon 2027 · {FORMATS['swiss']}",
        "rules": _("First to three sets. Begins 14:31."),
        "sides": ["Juhani", "Йен-Йен"],
        "sets": range(1, 8),
        "qr": _qr(),
    }
