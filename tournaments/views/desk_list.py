"""The roster as a list to check players in from: on the organiser's desk and on the entry desk's own page."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from urllib.parse import urlencode

from django.http import HttpRequest
from django.utils import timezone

from players.engine import looks_alike
from tournaments.engine.snapshot import EntryStatus
from tournaments.forms.roster import WalkInForm
from tournaments.live import topic_of
from tournaments.models import Entry, Tournament
from tournaments.models.tournament import State
from tournaments.queries import desk
from tournaments.queries.registration import waiting_list
from tournaments.queries.stages import stage_version

_SHOWN = 200  # rows of a list nobody has narrowed: in a longer one a player is looked for by name

Address = Callable[[int], str]
"""From an entry's id to where something is done about it."""


@dataclass(frozen=True, slots=True)
class RosterAddresses:
    """Where the list stands and where its acts are sent; without an address an act is not offered.

    With `outbox` a device keeps what is tapped there until the server has it.
    """

    page: str
    add: str
    check_in: Address
    undo_check_in: Address
    imports: str = ""
    entry: Address | None = None
    place: Address | None = None
    withdraw: Address | None = None
    return_entry: Address | None = None
    after_all: Address | None = None
    scan: str = ""
    outbox: bool = False


@dataclass(frozen=True, slots=True)
class RosterRow:
    """One player of the list. `act` is "check_in", "undo", "withdraw", "return" or ""."""

    entry: Entry
    is_here: bool
    has_left: bool
    act: str
    to: str
    href: str


@dataclass(frozen=True, slots=True)
class WaitingRow:
    """Somebody who waits for a place. `to` is where one is given, while there can be one."""

    entry: Entry
    to: str
    href: str


@dataclass(frozen=True, slots=True)
class GoneRow:
    """Somebody who left before the start, or was dropped when check-in closed. `to` is where they are checked in."""

    entry: Entry
    to: str


@dataclass(frozen=True, slots=True)
class RosterList:
    """What the partial `_roster.html` shows. `as_of` is when somebody began to work through it: its order stays.

    `alike` are entries to look at twice: their names mix alphabets, or look like another's. `more` are the rows that
    are left out until somebody asks for `all`.
    """

    rows: tuple[RosterRow, ...]
    waiting: tuple[WaitingRow, ...]
    gone: tuple[GoneRow, ...]
    capacity: int | None
    alike: frozenset[int]
    more: int
    all: str
    total: int
    here: int
    like: str
    as_of: str
    at: RosterAddresses
    is_open: bool
    is_check_in: bool
    topic: str
    version: str
    src: str

    @property
    def left(self) -> int:
        return max(0, (self.capacity or 0) - self.total)

    @property
    def over(self) -> int:
        return max(0, self.total - (self.capacity or 0))

    @property
    def missing(self) -> int:
        return self.total - self.here


def roster_list(*, request: HttpRequest, tournament: Tournament, at: RosterAddresses) -> RosterList:
    """The list as the request asks for it: `q` narrows it to names, `as_of` keeps its order, `all` its whole length."""
    asked = request.GET
    like, as_of, whole = asked.get("q", "")[:200], _instant(asked.get("as_of", "")), asked.get("all", "")[:1]
    everybody = desk.roster(tournament=tournament, as_of=as_of)
    shown = desk.roster(tournament=tournament, like=like, as_of=as_of) if like else everybody
    rows = shown if whole else shown[:_SHOWN]
    waiting = waiting_list(tournament=tournament)
    kept = as_of.isoformat(timespec="seconds")
    return RosterList(
        rows=tuple(_row(tournament, entry, at) for entry in rows),
        waiting=tuple(_waiting(tournament, entry, at) for entry in waiting),
        gone=_gone(tournament, at),
        capacity=tournament.capacity if tournament.is_open_roster else None,
        alike=_alike([*everybody, *waiting]),
        more=len(shown) - len(rows),
        all=whole,
        total=len(everybody),
        here=sum(1 for entry in everybody if entry.checked_in_at is not None),
        like=like,
        as_of=kept,
        at=at,
        is_open=tournament.is_open_roster,
        is_check_in=tournament.state == State.CHECK_IN,
        topic=topic_of(tournament.pk),
        version=stage_version(desk.current_stage(tournament=tournament)),
        src=f"{at.page}?{urlencode({'part': 'roster', 'as_of': kept, 'q': like, 'all': whole})}",
    )


def back_to_list(*, request: HttpRequest, page: str, entry: int | None = None) -> str:
    """Where a tap on the list leads back to: the same list, at the same player."""
    kept = {name: value for name in ("as_of", "q", "all") if (value := request.POST.get(name, "")[:200])}
    query = f"?{urlencode(kept)}" if kept else ""
    return f"{page}{query}" + (f"#entry-{entry}" if entry is not None else "")


def walk_in_form(*, tournament: Tournament) -> WalkInForm:
    """The empty form for somebody at the desk; while check-in is open they are here."""
    return WalkInForm(initial={"here": tournament.state == State.CHECK_IN})


def _instant(text: str) -> datetime:
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        return timezone.now()
    return found if found.tzinfo is not None else found.replace(tzinfo=UTC)


def _gone(tournament: Tournament, at: RosterAddresses) -> tuple[GoneRow, ...]:
    if at.after_all is None or not tournament.is_open_roster:
        return ()
    return tuple(GoneRow(entry, at.after_all(entry.pk)) for entry in desk.gone(tournament=tournament))


def _alike(entries: Sequence[Entry]) -> frozenset[int]:
    places = looks_alike([entry.name for entry in entries])
    return frozenset(entry.pk for place, entry in enumerate(entries) if place in places)


def _waiting(tournament: Tournament, entry: Entry, at: RosterAddresses) -> WaitingRow:
    return WaitingRow(
        entry=entry,
        to=at.place(entry.pk) if at.place is not None and tournament.is_open_roster else "",
        href=at.entry(entry.pk) if at.entry is not None else "",
    )


def _row(tournament: Tournament, entry: Entry, at: RosterAddresses) -> RosterRow:
    is_here, has_left = entry.checked_in_at is not None, entry.status != EntryStatus.ACTIVE
    act, to = "", None
    if tournament.is_open_roster:
        if is_here:
            act, to = "undo", at.undo_check_in
        elif tournament.state == State.CHECK_IN:
            act, to = "check_in", at.check_in
    elif tournament.state == State.RUNNING and entry.seed is not None:
        if entry.status == EntryStatus.WITHDRAWN:
            act, to = "return", at.return_entry
        elif not has_left:
            act, to = "withdraw", at.withdraw
    return RosterRow(
        entry=entry,
        is_here=is_here,
        has_left=has_left,
        act=act if to is not None else "",
        to=to(entry.pk) if to is not None else "",
        href=at.entry(entry.pk) if at.entry is not None else "",
    )
