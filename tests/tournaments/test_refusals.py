"""Every refusal has words: whatever an action or the rules can say no with, a reader is told in a sentence."""

from __future__ import annotations

import ast
from itertools import product
from pathlib import Path
from typing import cast

import pytest
from django.utils import translation

from matches.actions import KINDS, Report
from matches.engine import RULESETS, Reason, Refusal, Ruleset, Score, SetScore, check_score
from players.engine import clean_name, name_problem
from players.permissions import Refused
from tournaments.models import Entry
from tournaments.words.refusals import has_words, refusal_text

ROOT = Path(__file__).resolve().parents[2]
SOURCES = sorted(
    path
    for app in ("players", "matches", "tournaments")
    for path in (ROOT / app).rglob("*.py")
    if {"actions", "actions.py", "importers", "views"} & {*path.relative_to(ROOT).parts}
)
SAID_BY = {"Refused", "UnreadableError", "ImportProblem"}


def codes_in(path: Path) -> set[str]:
    """The codes a module refuses with: first argument, or the second where a line comes first."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in SAID_BY):
            continue
        place = 1 if node.func.id == "ImportProblem" else 0
        code = node.args[place] if len(node.args) > place else None
        if isinstance(code, ast.Constant):
            found.add(str(code.value))
    return found


CODES = sorted(set().union(*(codes_in(path) for path in SOURCES)))


def test_the_codes_of_the_house_are_found() -> None:
    assert {"stale_version", "roster_changed", "same_name", "no_rows", "draft_has_warnings"} <= set(CODES)
    assert len(CODES) > 50


@pytest.mark.parametrize("code", CODES)
def test_every_refusal_has_words(code: str) -> None:
    assert has_words(code)


@pytest.mark.parametrize("ruleset", RULESETS, ids=lambda each: each.key)
def test_every_score_the_rules_refuse_is_told_in_words(ruleset: Ruleset) -> None:
    codes = set()
    for won in product(range(-1, 6), range(-1, 6)):
        for winner in (None, 0, 1):
            outcome = check_score(ruleset, Score(won=won, winner=winner))
            if isinstance(outcome, Refusal):
                codes.add(outcome.code)
                assert "%" not in refusal_text(Refused(outcome.code, dict(outcome.params)))
    assert {code for code in codes if not has_words(code)} == set()


@pytest.mark.parametrize("ruleset", RULESETS, ids=lambda each: each.key)
def test_every_set_the_rules_refuse_is_told_in_words(ruleset: Ruleset) -> None:
    codes = set()
    for pair, reason, winner in product([(0, "x"), (0, 400), (12, 19), (21, 22)], (None, *Reason), (None, 0, 1)):
        told = SetScore(cast("tuple[int, int]", pair), reason, winner)
        for by_set in ((told,), (SetScore((20, 1)),) * 4):
            outcome = check_score(ruleset, Score(won=(3, 2), by_set=by_set))
            if isinstance(outcome, Refusal):
                codes.add(outcome.code)
                assert "%" not in refusal_text(Refused(outcome.code, dict(outcome.params)))
    assert {code for code in codes if not has_words(code)} == set()
    assert codes >= {
        *("sets_contradict_score", "set_malformed", "set_after_end", "total_impossible", "both_bust"),
        *("reason_contradicts_totals", "set_winner_missing", "set_winner_contradicts_totals"),
    }


@pytest.mark.parametrize("name", ["", "\u200b", "x" * 121, "\ufffd"])
def test_every_name_that_cannot_be_is_told_in_words(name: str) -> None:
    problem = name_problem(clean_name(name))
    assert problem is not None
    assert "%" not in refusal_text(Refused(problem.code, dict(problem.params)))


@pytest.mark.parametrize("kind", KINDS)
def test_a_result_that_is_there_already_is_named(kind: str) -> None:
    params = {"kind": kind, "sets": [3, 1], "winner": "a", "version": 1, "by": "Marta"}
    for code in ("stale_version", "already_decided"):
        text = refusal_text(Refused(code, params))
        assert "\u2068Marta\u2069" in text
        assert ("3–1" in text) is (Report(kind=kind).kind in ("score", "time"))


def test_names_in_a_refusal_keep_their_direction_to_themselves() -> None:
    names = {7: Entry(pk=7, name="אורח"), 8: Entry(pk=8, name="<b>Bold</b>")}
    text = refusal_text(Refused("roster_changed", {"entries": [7, 8]}), names=names)
    assert "\u2068אורח\u2069, \u2068<b>Bold</b>\u2069" in text
    assert "nobody is left out now" in refusal_text(Refused("roster_changed", {"entries": []}))
    unknown = refusal_text(Refused("roster_changed", {"entries": [9]}), names=names)
    assert "Left out would be: 1." in unknown


def test_a_code_nobody_knows_is_still_a_sentence() -> None:
    assert refusal_text(Refused("from_the_future", {"x": 1})) == "This was not done."


def test_the_language_is_the_readers() -> None:
    with translation.override("en"):
        assert refusal_text(Refused("open_matches", {"count": 1})) == "1 match has no result yet."
        assert refusal_text(Refused("open_matches", {"matches": [4, 5]})) == "2 matches have no result yet."
