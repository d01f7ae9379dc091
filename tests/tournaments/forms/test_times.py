"""Times as people type them at a venue whose clocks change."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django import forms

from tournaments.forms.times import VenueTimeField, at_the_venue, said_twice

BERLIN = ZoneInfo("Europe/Berlin")
SECOND = datetime(2026, 10, 25, 1, 30, 12, tzinfo=UTC)  # 02:30:12 after the clocks went back


class Form(forms.Form):
    opens = VenueTimeField(label="Opens")


def sent(typed: str, stands: datetime | None = None, zone: str = "Europe/Berlin") -> Form:
    form = Form({"opens": typed}, initial={"opens": stands})
    at_the_venue(form, ZoneInfo(zone))
    return form


def said(form: Form) -> Any:
    assert form.is_valid(), form.errors
    return form.cleaned_data["opens"]


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("2027-03-28T02:30", "The clocks go forward then: there is no 02:30. Did you mean 03:30?"),
        ("2027-02-30T10:00", "Enter a valid date/time."),
        ("2027-05-22T10:00:60", "Enter a valid date/time."),
        ("soon", "Enter a valid date/time."),
        ("1999-12-31T23:59", "Check the year."),
        ("01/01/0001 00:00", "Check the year."),
        ("12/31/9999 23:59", "Check the year."),
    ],
)
def test_what_is_no_time_there_is_refused_in_words(typed: str, told: str) -> None:
    form = sent(typed)
    assert not form.is_valid()
    assert form.errors == {"opens": [told]}
    assert f'value="{typed}"' in str(form["opens"])


def test_a_day_the_clocks_skip_is_told_with_the_day_that_follows() -> None:
    form = sent("2011-12-30T10:00", zone="Pacific/Apia")
    assert form.errors == {"opens": ["The clocks go forward then: there is no 10:00. Did you mean 31 December, 10:00?"]}


def test_of_a_time_that_comes_twice_the_first_is_meant_and_that_is_said() -> None:
    form = sent("2026-10-25T02:30")
    assert said(form) == datetime(2026, 10, 25, 0, 30, tzinfo=UTC)
    told = "Opens: 02:30 comes twice then, for the clocks go back. The first is meant, before that (UTC+2)."
    assert said_twice(form) == [told]


def test_what_was_not_touched_stays_as_it_stood() -> None:
    form = sent("2026-10-25T02:30", SECOND)
    assert said(form) == SECOND
    told = "Opens: 02:30 comes twice then, for the clocks go back. The second is meant, after that (UTC+1)."
    assert said_twice(form) == [told]
    assert said(sent("2026-10-25T02:31", SECOND)) == datetime(2026, 10, 25, 0, 31, tzinfo=UTC)


def test_other_times_are_said_without_more_words() -> None:
    for typed in ("2026-10-25T01:59", "2026-10-25T03:00", ""):
        form = sent(typed)
        assert form.is_valid()
        assert said_twice(form) == []


@pytest.mark.parametrize("typed", ["2027-03-28T02:30+02:00", "2027-03-28T00:30Z", "2027-03-28 00:30:00+00:00"])
def test_a_time_with_its_offset_is_that_instant(typed: str) -> None:
    assert said(sent(typed)) == datetime(2027, 3, 28, 0, 30, tzinfo=UTC)
