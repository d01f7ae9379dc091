"""What a line typed from a paper slip means."""

from __future__ import annotations

import pytest

from matches.actions import DOUBLE_NO_SHOW, FORFEIT, SCORE, TIME, WALKOVER, Report
from tournaments.forms.paper import PaperForm, read_score


@pytest.mark.parametrize("typed", ["3 1", "3:1", "3-1", "3–1", "31", " 3 : 1 ", "3.1", "3,1", "3/1"])
def test_a_score_is_typed_in_many_ways(typed: str) -> None:
    assert read_score(typed) == Report(SCORE, (3, 1))


@pytest.mark.parametrize(
    ("typed", "report"),
    [
        ("w1", Report(WALKOVER, winner="a")),
        ("W 2", Report(WALKOVER, winner="b")),
        ("f1", Report(FORFEIT, (0, 0), winner="a")),
        ("f1 2", Report(FORFEIT, (0, 2), winner="a")),
        ("f2 1", Report(FORFEIT, (1, 0), winner="b")),
        ("n", Report(DOUBLE_NO_SHOW)),
        ("ц1", Report(WALKOVER, winner="a")),
        ("А2 1", Report(FORFEIT, (1, 0), winner="b")),
        ("т", Report(DOUBLE_NO_SHOW)),
        ("t 2 1", Report(TIME, (2, 1))),
        ("T2:1", Report(TIME, (2, 1))),
        ("21t", Report(TIME, (2, 1))),
        ("1-1 е", Report(TIME, (1, 1))),
        ("2–1, on time", Report(TIME, (2, 1))),
    ],
)
def test_other_ends_have_a_letter_on_either_keyboard(typed: str, report: Report) -> None:
    assert read_score(typed) == report


@pytest.mark.parametrize(
    "typed",
    ["", "3", "311", "w", "w3", "w1 2", "f", "x", "3 1 1", "-3 1", "three one", "n1", "t", "t 2", "t211", "t21t"],
)
def test_what_is_no_score_says_nothing(typed: str) -> None:
    assert read_score(typed) is None


def form(**typed: str) -> PaperForm:
    said = {"round": "5", "table": "7", "score": "3 1", "key": "0123456789"} | typed
    return PaperForm(said, rounds=[(5, "Round 2"), (4, "Round 1")], still_open=frozenset({5}))


def test_what_is_wrong_is_kept_with_the_cursor_on_it_and_a_new_key() -> None:
    refused = form(score="31x")
    assert not refused.is_valid()
    again = refused.again()
    assert (again["table"].value(), again["score"].value(), again["round"].value()) == ("7", "31x", 5)
    assert "autofocus" in again.fields["score"].widget.attrs
    assert "autofocus" not in again.fields["table"].widget.attrs
    assert again["key"].value() != "0123456789"
    assert list(again.errors) == ["score"]


def test_the_next_slip_is_of_a_round_that_is_still_played() -> None:
    refused = form(round="4")
    assert refused.is_valid()
    refused.add_error("table", "It has a result already.")
    again = refused.again()
    assert again["round"].value() == 5
    assert "autofocus" in again.fields["table"].widget.attrs


@pytest.mark.parametrize("table", ["", "x", "-1", "99999999999999999999"])
def test_a_table_is_a_number(table: str) -> None:
    refused = form(table=table)
    assert not refused.is_valid()
    assert list(refused.errors) == ["table"]
