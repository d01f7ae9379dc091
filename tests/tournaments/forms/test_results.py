"""A result as it is typed or sent."""

from __future__ import annotations

import pytest

from matches.models import Match
from tournaments.forms.results import ResultForm


@pytest.mark.parametrize(
    ("key", "wrong"),
    [("k" * 80, []), ("k" * 8, []), ("k" * 81, ["key"]), ("k" * 7, ["key"]), ("k" * 80 + "\n", ["key"])],
    ids=["longest", "shortest", "too long", "too short", "a line break behind"],
)
def test_a_key_is_one_that_can_be_kept(key: str, wrong: list[str]) -> None:
    form = ResultForm({"result": "3-1", "key": key, "version": "0"}, match=Match(pk=1, ruleset="standard/1"))
    assert list(form.errors) == wrong
