"""Days that stories plan: the hours of a hall, breaks, and the times of rounds, by the clocks of Riga."""

from __future__ import annotations

from datetime import date, datetime
from typing import Any
from zoneinfo import ZoneInfo

from players.permissions import Refused
from tests.factories import NOW, organiser
from tests.tournaments.play import stage_of
from tournaments.actions import hours
from tournaments.models import Break, Event, Opening, Tournament
from tournaments.queries.hours import planned_version

RIGA = ZoneInfo("Europe/Riga")


def at(clock: str, day: int = 22) -> datetime:
    """A time of the event's first day in Riga, or of another of May."""
    hour, minute = map(int, clock.split(":"))
    return datetime(2027, 5, day, hour, minute, tzinfo=RIGA)


AHEAD = 2099


def ahead(of: Event | Tournament) -> None:
    """Its days are still to come whenever the story is told: pages go by the clock on the wall."""
    Event.objects.filter(pk=event_of(of).pk).update(starts_on=date(AHEAD, 5, 22), ends_on=date(AHEAD, 5, 23))
    event_of(of).refresh_from_db()


def clock(instant: datetime | None) -> str:
    """What the clocks of Riga show: "10:35", with the day where it is not the first: "23 00:10"."""
    if instant is None:
        return "—"
    there = instant.astimezone(RIGA)
    return f"{there:%H:%M}" if (there.month, there.day) == (5, 22) else f"{there:%-d %H:%M}"


def event_of(of: Event | Tournament) -> Event:
    return of.event if isinstance(of, Tournament) else of


def do(action: Any, of: Event | Tournament, **said: Any) -> Any:
    """An act of the organiser in the evening before."""
    return action(**{"by": organiser(of=of), "now": NOW, **said})


def opened(of: Event | Tournament, opens: datetime, closes: datetime) -> Opening:
    opening = do(hours.open_hall, of, event_id=event_of(of).pk, opens_at=opens, closes_at=closes)
    assert isinstance(opening, Opening), opening
    return opening


def paused(of: Event | Tournament, starts: datetime, ends: datetime, name: str = "", **said: Any) -> Break:
    pause = do(hours.add_break, of, event_id=event_of(of).pk, name=name, starts_at=starts, ends_at=ends, **said)
    assert isinstance(pause, Break), pause
    return pause


def timed(tournament: Tournament, *clocks: str) -> None:
    """Rounds 1 and so on begin at these times of the first day."""
    times = {number: at(each) for number, each in enumerate(clocks, start=1)}
    outcome = do(hours.set_round_times, tournament, stage_id=stage_of(tournament).pk, times=times)
    assert not isinstance(outcome, Refused), outcome


def rounds(tournament: Tournament) -> list[str]:
    """When the rounds of a tournament are to begin, in order."""
    found = stage_of(tournament).round_times.order_by("number").values_list("starts_at", flat=True)
    return [clock(each) for each in found]


def breaks(of: Event | Tournament) -> list[tuple[str, str, str]]:
    found = event_of(of).breaks.order_by("starts_at", "pk")
    return [(each.name, clock(each.starts_at), clock(each.ends_at)) for each in found]


def hall_hours(of: Event | Tournament) -> list[tuple[str, str]]:
    found = event_of(of).openings.order_by("opens_at")
    return [(clock(each.opens_at), clock(each.closes_at)) for each in found]


def seen(of: Event | Tournament, now: datetime = NOW) -> str:
    """The times that are planned, as a page shows them."""
    return planned_version(event=event_of(of), now=now)
