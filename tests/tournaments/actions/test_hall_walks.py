"""Random days in a hall that calls and plans by itself: whatever happens in any order, nothing is ever wrong."""

from __future__ import annotations

import pytest

from tests.tournaments.hall_days import STEPS, Day, Forms
from tournaments.models.tournament import Seating

pytestmark = pytest.mark.django_db

QUEUE, ROUNDS = Seating.QUEUE, Seating.ROUNDS


def name_of(forms: Forms) -> str:
    return "-".join(f"{form}-{seating}" for form, seating in forms)


DAYS: tuple[Forms, ...] = (
    (("single_elimination", QUEUE), ("round_robin", QUEUE)),
    (("double_elimination", QUEUE), ("swiss", ROUNDS)),
    (("swiss", QUEUE), ("round_robin", ROUNDS)),
    (("double_elimination", ROUNDS), ("swiss", QUEUE)),
)


@pytest.mark.db
def test_a_morning_in_the_hall_keeps_all_rules_in_both_databases() -> None:
    day = Day(DAYS[1], "morning")
    for _ in range(12):
        day.step()
    assert len(day.done) >= 4


@pytest.mark.parametrize("forms", DAYS, ids=name_of)
@pytest.mark.parametrize(
    ("days", "steps"),
    [pytest.param(1, STEPS, id="ordinary"), pytest.param(8, 4 * STEPS, id="long", marks=pytest.mark.long)],
)
def test_whatever_happens_the_queue_and_the_plan_keep_all_rules(forms: Forms, days: int, steps: int) -> None:
    for number in range(days):
        day = Day(forms, f"{name_of(forms)} {number}")
        for _ in range(steps):
            day.step()
        assert day.done >= {"enter_result", "take_table_out"}
        assert len(day.done) >= 8
