"""A result as it is typed or sent."""

from __future__ import annotations

from typing import Any

import pytest

from matches.actions import TIME, Report
from matches.models import Match
from tournaments.forms.results import ResultForm
from tournaments.queries.time_over import MatchTime


@pytest.mark.parametrize(
    ("key", "wrong"),
    [("k" * 80, []), ("k" * 8, []), ("k" * 81, ["key"]), ("k" * 7, ["key"]), ("k" * 80 + "\n", ["key"])],
    ids=["longest", "shortest", "too long", "too short", "a line break behind"],
)
def test_a_key_is_one_that_can_be_kept(key: str, wrong: list[str]) -> None:
    form = ResultForm({"result": "3-1", "key": key, "version": "0"}, match=Match(pk=1, ruleset="standard/1"))
    assert list(form.errors) == wrong


ENDED = MatchTime(can_end=True, may_tie=True)


def of_match(*, time: MatchTime | None = None, result: str = "", **facts: Any) -> ResultForm:
    data = {"result": result, "key": "k" * 8, "version": "0"} if result else None
    return ResultForm(data, match=Match(**({"pk": 1, "ruleset": "standard/1"} | facts)), time=time)


def keys(form: ResultForm) -> list[list[str]]:
    """What is offered on time: won by side a, by side b, by nobody; and level without a word of time."""
    return [[key.value for key in found] for found in (form.on_time_a, form.on_time_b, form.on_time_ties, form.ties)]


def test_what_ends_on_time_is_offered_only_then() -> None:
    won = [["time-1-0", "time-2-0", "time-2-1"], ["time-0-1", "time-0-2", "time-1-2"]]
    level, plain = ["time-0-0", "time-1-1", "time-2-2"], ["0-0", "1-1", "2-2"]
    assert keys(of_match(allows_tie=True)) == [[], [], [], plain]
    assert keys(of_match(allows_tie=True, time=MatchTime(can_end=False, may_tie=True))) == [[], [], [], []]
    assert keys(of_match(allows_tie=True, time=ENDED)) == [*won, level, []]
    assert keys(of_match(time=MatchTime(can_end=True, may_tie=False))) == [*won, [], []]


def test_a_match_whose_cards_lie_here_ends_with_its_sets_and_no_others() -> None:
    assert keys(of_match(time=MatchTime(can_end=True, may_tie=True, stands=(1, 2)))) == [[], ["time-1-2"], [], []]
    assert keys(of_match(time=MatchTime(can_end=True, may_tie=True, stands=(1, 1)))) == [[], [], ["time-1-1"], []]
    assert keys(of_match(time=MatchTime(can_end=False, may_tie=True, stands=(1, 1)))) == [[], [], [], []]


def test_an_end_on_time_is_told_and_said() -> None:
    form = of_match(result="time-2-1", time=ENDED)
    assert form.is_valid()
    assert (form.report(), form.words) == (Report(TIME, (2, 1)), "2–1, on time")
    again = form.again()
    assert (again.chosen, again.ends_on_time) == ("time-2-1", True)
    assert [list(of_match(result=wrong).errors) for wrong in ("time-2", "time-2-x", "time 2-1")] == [["result"]] * 3


def test_a_result_on_time_can_be_corrected_though_its_clock_is_gone() -> None:
    form = of_match(kind=TIME, sets_a=2, sets_b=1, winner="a")
    assert (form.chosen, keys(form)[0]) == ("time-2-1", ["time-1-0", "time-2-0", "time-2-1"])
    assert [key.more for key in form.on_time_a] == [", on time"] * 3
