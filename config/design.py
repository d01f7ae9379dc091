"""The page /design/: every component and every card once in each theme, with made-up data."""

from typing import Any

import segno
from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

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
    ("wait", "Waits"),
    ("call", "Called 14:31"),
    ("play", "Set 3"),
    ("late", "Over time by 4 minutes"),
    ("done", "Finished"),
    ("held", "Offline since 14:50"),
]
MAIN_CARDS = [str(n) for n in range(1, 11)]
SIDE_CARDS = [f"{sign}{n}" for sign in "+-*" for n in range(1, 7)]
GOLD_CARDS = ["D", "T1", "V12", "F24", "F36"]
ONE_OF_EACH = ["7", "+3", "-5", "*2", *GOLD_CARDS[:4], "back"]
PLAYED = [("*3", "+3"), ("*3", "-3"), ("V12", "-2"), ("T1", "+1"), ("D", "7"), ("4", "-4")]
QR = segno.make("https://starcon.example/me", error="m").svg_inline(omitsize=True, border=2)


class SampleForm(forms.Form):
    """One field of each kind; sent with a mistake, so that the mistake can be seen."""

    name = forms.CharField(max_length=120, help_text="As it should stand in the standings.")
    rating = forms.IntegerField(
        required=False,
        error_messages={"invalid": "A whole number, for example 1605."},
        widget=forms.TextInput(attrs={"inputmode": "numeric"}),
    )
    zone = forms.ChoiceField(choices=[("Europe/Moscow", "Moscow"), ("Europe/Helsinki", "Helsinki")])
    sets = forms.IntegerField(min_value=1, max_value=9, label="Sets to win")
    format = forms.ChoiceField(
        choices=[("swiss", "Swiss, 6 rounds"), ("all", "Everybody meets everybody")], widget=forms.RadioSelect
    )
    ties = forms.BooleanField(required=False, label="A match may end tied when time runs out")


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
        "scores": [{"value": text, "text": text.replace("-", "–")} for text in ("3-0", "3-1", "3-2")],
        "matches": _matches(),
        "bracket": _bracket(theme),
        "standings": _standings(theme),
        "board": _board(),
        "progress": _progress(),
        "step": _step(theme),
        "remove": {"text": "Remove it all", "kind": "main", "url": "#"},
        "add": {"text": "Import a list", "href": "#"},
        "qr": QR,
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
            "place": "Table 1",
            "state": "play",
            "state_text": "Set 4",
            "now": True,
            "sides": _sides(first=PADAWAN, second=SHADOW, score=(2, 1), over=False),
        },
        {
            "place": "Table 6",
            "state": "done",
            "state_text": "Finished",
            "sides": _sides(first=FALCON, second="Obi-2", score=(3, 2)),
        },
        {
            "place": "Final",
            "state": "wait",
            "state_text": "Waits",
            "sides": [{"tbd": "Winner of match 27"}, {"name": "Леди Малак"}],
        },
    ]


def _bracket(theme: str) -> Sample:
    def played(place: str, *, first: str, second: str, score: tuple[int, int]) -> Sample:
        return {
            "place": place,
            "state": "done",
            "state_text": "Finished",
            "sides": _sides(first=first, second=second, score=score),
        }

    semi_finals = [
        played("Match 5", first="Ученик Джоли", second="Mission", score=(3, 2)),
        played("Match 6", first=SHADOW, second=PADAWAN, score=(3, 1)),
    ]
    final = [played("Match 7", first="Ученик Джоли", second=SHADOW, score=(2, 3))]
    rounds = [{"title": "Semi-finals", "matches": semi_finals}, {"title": "Final", "current": True, "matches": final}]
    return {"key": f"{theme}-cup", "label": f"The cup, {theme}", "rounds": rounds}


def _standings(theme: str) -> Sample:
    columns = [
        {"key": "points", "text": "Points", "help": "A win is 3 points, a tied match 1, a loss 0."},
        {"key": "sets", "text": "Sets", "help": "Sets won minus sets lost.", "wide": True},
    ]
    placed = [
        (1, SHADOW, 12, "+5", f"Level with {PADAWAN}; the weakest opponent decides, 27 to 24."),
        (2, PADAWAN, 12, "+9", f"Level with {SHADOW}; the weakest opponent decides, 24 to 27."),
        (3, "Кореллианка", 9, "+4", "Level on points with Juhani; own opponents scored more, 30 to 27."),
        (4, "Juhani", 9, "+3", "Level on points with Кореллианка, whose opponents scored more: 30 to 27."),
    ]
    rows = [
        {
            "id": rank,
            "rank": rank,
            "name": name,
            "cells": [{"text": points, "strong": True, "unit": " points"}, {"text": sets, "wide": True}],
            "why": why,
            "cut": rank == 2,
            "me": rank == 4,
        }
        for rank, name, points, sets, why in placed
    ]
    return {"id": f"{theme}-standings", "label": f"Standings after round 4, {theme}", "columns": columns, "rows": rows}


def _board() -> Sample:
    cards = [{"token": "4"}, {"token": "*2", "played": "+2"}, {"token": "6"}, {"token": "5"}]
    return {
        "name": FALCON,
        "total": 17,
        "won": 2,
        "needed": 3,
        "state": "play",
        "state_text": "To play",
        "cards": cards,
        "hand": 3,
    }


def _progress() -> list[Sample]:
    done = [{"text": text, "state": "done"} for text in ("Roster", "Check-in", "1")]
    return [*done, {"text": "Round 2", "state": "now"}, {"text": "3"}, {"text": "Champion"}]


def _step(theme: str) -> Sample:
    block = {
        "title": "Table 8 would be a rematch.",
        "text": "Рыжая с Тариса and Йен-Йен met in round 2 (2–3).",
        "acts": [{"text": "Undo the change", "kind": "main", "href": "#"}, {"text": "Allow the rematch", "href": "#"}],
    }
    return {
        "id": f"{theme}-step",
        "title": "Publish round 5 and call 18 tables" if theme == "dark" else "Publish the last round",
        "act": {"text": "Publish round 5"},
        "waits": "It waits for your word on one thing:",
        "blocks": [block],
        "note": "Not in the way: Канто Байт has the bye, as the lowest score without one.",
    }


def _slip() -> Sample:
    return {
        "table": 5,
        "title": "Round 5 of 6",
        "event": "StarCon 2027 · Swiss, main event",
        "rules": "First to three sets. Begins 14:31.",
        "sides": ["Juhani", "Йен-Йен"],
        "sets": range(1, 8),
        "qr": QR,
    }
