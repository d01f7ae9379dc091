"""The roster as a list to check players in from: on the organiser's desk and on the entry desk's own page."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from urllib.parse import urlencode

from django.http import HttpRequest
from django.utils import timezone

from tournaments.engine.snapshot import EntryStatus
from tournaments.forms.roster import WalkInForm
from tournaments.live import topic_of
from tournaments.models import Entry, Tournament
from tournaments.models.tournament import State
from tournaments.queries import desk
from tournaments.queries.stages import stage_version

_SHOWN = 200  # rows of a list nobody has narrowed: in a longer one a player is looked for by name

Address = Callable[[int], str]
"""From an entry's id to where something is done about it."""


@dataclass(frozen=True, slots=True)
class RosterAddresses:
    """Where the list stands and where its acts are sent; without an address an act is not offered."""

    page: str
    add: str
    check_in: Address
    undo_check_in: Address
    imports: str = ""
    entry: Address | None = None
    withdraw: Address | None = None
    return_entry: Address | None = None


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
class RosterList:
    """What the partial `_roster.html` shows. `as_of` is when somebody began to work through it: its order stays.

    `more` are the rows that are left out until somebody asks for `all`.
    """

    rows: tuple[RosterRow, ...]
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
    def missing(self) -> int:
        return self.total - self.here


def roster_list(*, request: HttpRequest, tournament: Tournament, at: RosterAddresses) -> RosterList:
    """The list as the request asks for it: `q` narrows it to names, `as_of` keeps its order, `all` its whole length."""
    asked = request.GET
    like, as_of, whole = asked.get("q", "")[:200], _instant(asked.get("as_of", "")), asked.get("all", "")[:1]
    everybody = desk.roster(tournament=tournament, as_of=as_of)
    shown = desk.roster(tournament=tournament, like=like, as_of=as_of) if like else everybody
    rows = shown if whole else shown[:_SHOWN]
    kept = as_of.isoformat(timespec="seconds")
    return RosterList(
        rows=tuple(_row(tournament, entry, at) for entry in rows),
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


def _row(tournament: Tournament, entry: Entry, at: RosterAddresses) -> RosterRow:
    is_here, has_left = entry.checked_in_at is not None, entry.status != EntryStatus.ACTIVE
    act, to = "", None
    if tournament.is_open_roster:
        if is_here:
            act, to = "undo", at.undo_check_in
        elif tournament.state == State.CHECK_IN:
            act, to = "check_in", at.check_in
    elif tournament.state == State.RUNNING and entry.seed is not None:
        act, to = ("return", at.return_entry) if has_left else ("withdraw", at.withdraw)
    return RosterRow(
        entry=entry,
        is_here=is_here,
        has_left=has_left,
        act=act if to is not None else "",
        to=to(entry.pk) if to is not None else "",
        href=at.entry(entry.pk) if at.entry is not None else "",
    )
