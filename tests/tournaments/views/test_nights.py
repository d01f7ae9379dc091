"""A hall that is open until the morning in the nights the clocks change: every page, file and calendar of its plan."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.test import Client
from django.urls import reverse

from tests.factories import NOW, make_event, make_field, make_tournament, organiser
from tests.tournaments.halls import put_up
from tests.tournaments.play import pairings, start
from tests.tournaments.views.desk import page_text
from tests.tournaments.views.test_schedule import events, get, shown
from tournaments.actions import hours, plans
from tournaments.models import Event, HallPlan, Opening, Slot, Tournament
from tournaments.permissions import entry_token

pytestmark = pytest.mark.django_db

MINUTE = timedelta(minutes=1)
STARTS = (0, 50, 105)  # minutes: two matches at the one table, five minutes of rest, and the final
ENDS = 155

NIGHTS = [
    # the zone, when the first match begins, what the clocks show at each start, and when the last match ends
    pytest.param(
        *("Europe/Berlin", "2027-03-28T01:30+01:00", ("01:30", "03:20", "04:15"), "05:05"), id="an-hour-is-left-out"
    ),
    pytest.param(
        *("Europe/Berlin", "2026-10-25T02:40+02:00", ("02:40 UTC+2", "02:30 UTC+1", "03:25"), "04:15"),
        id="an-hour-comes-twice",
    ),
    pytest.param(
        *("Australia/Lord_Howe", "2027-04-04T01:15+11:00", ("01:15", "01:35 UTC+10:30", "02:30"), "03:20"),
        id="half-an-hour-comes-twice",
    ),
    pytest.param(
        *(
            "America/St_Johns",
            "2027-11-07T00:30-02:30",
            ("00:30", "01:20 UTC\u22122:30", "01:15 UTC\u22123:30"),
            "02:05",
        ),
        id="half-hours-west-of-utc",
    ),
    pytest.param(
        *("Asia/Kathmandu", "2027-01-02T00:10+05:45", ("00:10", "01:00", "01:55"), "02:45"), id="no-clock-changes"
    ),
]


def night(zone: str, begins: datetime, *, open_for: int) -> Tournament:
    """Four players, one table, matches of fifty minutes; the hall is open from 18:00 until so long after the start."""
    event = make_event(zone=zone)
    evening = begins.astimezone(ZoneInfo(zone)).date() - timedelta(days=1)
    Event.objects.filter(pk=event.pk).update(starts_on=evening, ends_on=evening)
    event.refresh_from_db()
    put_up(event, (1,))
    tournament = make_tournament(
        event=event, seeding="rating", seating="queue", format="single_elimination", match_minutes=50, starts_at=begins
    )
    make_field(size=4, tournament=tournament)
    start(tournament)
    opened = hours.open_hall(
        event_id=event.pk,
        opens_at=datetime(evening.year, evening.month, evening.day, 18, tzinfo=ZoneInfo(zone)),
        closes_at=begins + open_for * MINUTE,
        by=organiser(of=event),
        now=NOW,
    )
    assert isinstance(opened, Opening), opened
    plans.replan(event_id=event.pk, now=begins - timedelta(hours=3))
    return tournament


def when(answer: Any) -> list[str]:
    """The time at the head of each line of a schedule."""
    return [line.partition(" after midnight")[0] for line in shown(answer)]


@pytest.mark.parametrize(("zone", "first", "clocks", "end"), NIGHTS)
def test_tz_04_everywhere_a_match_takes_as_long_as_it_takes_and_what_is_later_stands_later(
    zone: str, first: str, clocks: tuple[str, ...], end: str
) -> None:
    begins = datetime.fromisoformat(first)
    tournament = night(zone, begins, open_for=ENDS)
    instants = [begins + each * MINUTE for each in STARTS]

    page = get("schedule", tournament.pk)
    assert when(page) == [f"about {each}" for each in clocks]
    assert len(re.findall(r'<h2 id="day-', page.content.decode())) == 1  # it is all one evening
    morning = f"{(begins + ENDS * MINUTE).astimezone(ZoneInfo(zone)):%-d %B}"
    assert f"Ends about {morning}, {end}, as it looks now." in page_text(page)

    entries = events(get("calendar", tournament.pk))
    spans = [[each[name].dt.astimezone(UTC) for name in ("dtstart", "dtend")] for each in entries]
    assert spans == [[each, each + 50 * MINUTE] for each in instants]
    rows = Client().get(reverse("export", args=[tournament.pk, "schedule", "csv"])).content.decode("utf-8-sig")
    assert [row.split(";")[3][-5:] for row in rows.splitlines()[1:]] == [each[:5] for each in clocks]
    second = pairings(tournament, 1)[1].a
    own = page_text(Client().get(reverse("own_page", args=[entry_token(second)])))
    assert clocks[1][:5] in own

    plan = HallPlan.objects.get(event=tournament.event_id)
    assert (plan.ends_at, plan.without) == (begins + ENDS * MINUTE, 0)


@pytest.mark.parametrize(("zone", "first", "clocks", "end"), NIGHTS)
def test_the_hall_closes_when_its_clocks_say_so_and_what_does_not_fit_is_told(
    zone: str, first: str, clocks: tuple[str, ...], end: str
) -> None:
    tournament = night(zone, datetime.fromisoformat(first), open_for=ENDS - 1)
    assert list(Slot.objects.order_by("round", "number").values_list("why", flat=True)) == ["", "", "hall_closes"]
    assert shown(get("schedule", tournament.pk))[2].endswith("Does not fit into the hours of the hall.")
