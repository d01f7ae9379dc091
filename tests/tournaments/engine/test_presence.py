"""Who is missing at the table: asked about once the time to wait is over, and never of somebody who plays."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from tournaments.engine.presence import AtTable, asked_at, missing_side

DUE = datetime(2027, 5, 22, 14, 0, tzinfo=UTC)
LATE = DUE + timedelta(minutes=10)
ONLY_B = AtTable(due_at=DUE, here_b=True)


def test_the_one_who_did_not_come_is_missing_from_the_last_minute_on() -> None:
    assert asked_at(DUE, minutes=10) == LATE
    assert missing_side(ONLY_B, minutes=10, now=LATE - timedelta(seconds=1)) == ""
    assert missing_side(ONLY_B, minutes=10, now=LATE) == "a"
    assert missing_side(AtTable(due_at=DUE, here_a=True), minutes=10, now=LATE) == "b"


@pytest.mark.parametrize(
    "at",
    [
        pytest.param(AtTable(due_at=DUE), id="nobody pressed: both may sit there"),
        pytest.param(AtTable(due_at=DUE, here_a=True, here_b=True), id="both are here"),
        pytest.param(replace(ONLY_B, has_begun=True), id="they play"),
        pytest.param(replace(ONLY_B, is_reported=True), id="a result was told"),
        pytest.param(replace(ONLY_B, due_at=DUE + timedelta(hours=1)), id="moved to a later time"),
    ],
)
def test_nobody_is_missing(at: AtTable) -> None:
    assert missing_side(at, minutes=10, now=LATE) == ""


def test_where_nobody_is_asked_nobody_is_missing() -> None:
    assert missing_side(ONLY_B, minutes=None, now=LATE) == ""
