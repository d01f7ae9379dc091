"""The process that looks for a better plan, with the solver itself."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.core.management import call_command
from django.utils import timezone

from tests.tournaments.solving import asked, crowded
from tournaments.models import HallPlan, Slot

pytestmark = pytest.mark.django_db


def test_a_better_plan_is_found_and_followed() -> None:
    now = timezone.now()
    event = crowded(at=now, runs=True)
    search = asked(event, seconds=5, now=now)
    call_command("improve", search.pk)
    search.refresh_from_db()
    assert (search.outcome, search.is_best) == ("better", True)
    assert search.before_at is not None
    assert search.found_at is not None
    assert round((search.before_at - search.found_at) / timedelta(minutes=1)) == 20
    assert search.bound_at == search.found_at
    firsts = Slot.objects.order_by("wanted_at").values_list("stage__tournament__name", flat=True)
    assert firsts[2] == "Long"
    plan = HallPlan.objects.get(event=event)
    assert plan.asked > plan.made
