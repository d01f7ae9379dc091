"""Who may register now, how many places are left, and who waits for one."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Protocol

from tournaments.engine.snapshot import EntryStatus
from tournaments.models import Entry, Tournament
from tournaments.models.roster import WAITING


class Window(StrEnum):
    """Whether players can register themselves."""

    OFF = "off"  # the organiser alone puts players on the roster
    NOT_YET = "not_yet"
    OPEN = "open"
    CLOSED = "closed"  # the time is over, or the tournament has started


class Registers(Protocol):
    """What is known of a tournament whose window is asked for."""

    @property
    def registration(self) -> bool: ...
    @property
    def registration_opens_at(self) -> datetime | None: ...
    @property
    def registration_closes_at(self) -> datetime | None: ...
    @property
    def is_open_roster(self) -> bool: ...


def window_of(*, tournament: Registers, now: datetime) -> Window:
    """Whether players can register themselves now."""
    if not tournament.registration:
        return Window.OFF
    closes = tournament.registration_closes_at
    if not tournament.is_open_roster or (closes is not None and now >= closes):
        return Window.CLOSED
    opens = tournament.registration_opens_at
    return Window.NOT_YET if opens is not None and now < opens else Window.OPEN


def places_left(*, tournament: Tournament) -> int | None:
    """Places nobody has, never less than none; None where there are as many as come."""
    if tournament.capacity is None:
        return None
    return max(0, tournament.capacity - tournament.entries.filter(status=EntryStatus.ACTIVE).count())


def waiting_list(*, tournament: Tournament) -> list[Entry]:
    """Those who wait, the first to get a place first."""
    return list(tournament.entries.filter(status=WAITING).select_related("player").order_by("waiting_since", "pk"))


def waiting_place(*, entry: Entry) -> int:
    """The place on the waiting list, from 1; 0 for whoever does not wait."""
    if not entry.is_waiting or entry.waiting_since is None:
        return 0
    ahead = Entry.objects.filter(tournament=entry.tournament_id, status=WAITING, waiting_since__lt=entry.waiting_since)
    return ahead.count() + 1


@dataclass(frozen=True, slots=True)
class Registration:
    """Registration as the public sees it. `left` None: as many as come."""

    window: Window
    left: int | None
    waiting: int
    opens_at: datetime | None
    closes_at: datetime | None

    @property
    def is_open(self) -> bool:
        return self.window is Window.OPEN

    @property
    def is_full(self) -> bool:
        return self.left == 0


def registration_of(*, tournament: Tournament, now: datetime) -> Registration:
    """Registration as it stands. Two queries while there is one."""
    window = window_of(tournament=tournament, now=now)
    is_on = window in (Window.NOT_YET, Window.OPEN)
    return Registration(
        window=window,
        left=places_left(tournament=tournament) if is_on else None,
        waiting=tournament.entries.filter(status=WAITING).count() if is_on else 0,
        opens_at=tournament.registration_opens_at,
        closes_at=tournament.registration_closes_at,
    )
