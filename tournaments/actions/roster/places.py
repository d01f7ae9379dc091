"""Places and those who wait for one: whoever waits longest gets the first that is free."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Max

from players.permissions import SYSTEM, Actor, Refused
from tournaments.actions.notices import tell_player
from tournaments.actions.roster.holding import announce_roster, hold_entry, log_roster
from tournaments.engine.snapshot import EntryStatus
from tournaments.models import Entry, Tournament
from tournaments.models.roster import WAITING
from tournaments.queries.registration import Window, places_left, waiting_list, window_of

_TICK = timedelta(microseconds=1)


def take_place(*, tournament: Tournament, entry: Entry, now: datetime) -> None:
    """Give an entry that is not saved yet a place, or the end of the waiting list. The caller holds the tournament."""
    if places_left(tournament=tournament) == 0:
        last = tournament.entries.filter(status=WAITING).aggregate(last=Max("waiting_since"))["last"]
        # Requests are timed before they get the lock: the list is in the order in which they got it.
        entry.status, entry.waiting_since = WAITING, now if last is None else max(now, last + _TICK)
    else:
        entry.status, entry.waiting_since = EntryStatus.ACTIVE, None


def fill_places(*, tournament: Tournament, now: datetime) -> list[Entry]:
    """Give every free place to whoever waits longest, and tell them. The caller holds the tournament.

    Only while registration is open, afterwards only where the tournament says so, and never after the start.
    """
    may_move = tournament.promotes_late or window_of(tournament=tournament, now=now) is Window.OPEN
    if not tournament.is_open_roster or not may_move:
        return []
    moved = waiting_list(tournament=tournament)[: places_left(tournament=tournament)]
    for entry in moved:
        _promote(tournament, entry, by=SYSTEM, now=now)
    return moved


def _promote(tournament: Tournament, entry: Entry, *, by: Actor, now: datetime) -> None:
    tell_promoted(entry=entry, now=now)
    entry.status, entry.waiting_since = EntryStatus.ACTIVE, None
    entry.save(update_fields=["status", "waiting_since"])
    log_roster(verb="promote_entry", tournament=tournament, target=f"entry/{entry.pk}", by=by, now=now)


def tell_promoted(*, entry: Entry, now: datetime) -> None:
    """Tell somebody who waits that a place is theirs: once each time they wait."""
    since = entry.waiting_since.isoformat() if entry.waiting_since is not None else ""
    tell_player(entry_id=entry.pk, kind="promoted", key=f"promoted/{since}", now=now)


@transaction.atomic
def give_place(*, entry_id: int, by: Actor, now: datetime) -> Entry | Refused:
    """Give somebody who waits a place, whoever waits before them and however many places there are.

    Somebody who has one keeps it. Refusals: entry_unknown, roster_is_frozen, already_withdrawn.
    """
    held = hold_entry(entry_id=entry_id)
    if isinstance(held, Refused):
        return held
    tournament, entry = held
    if entry.is_gone:
        return Refused("already_withdrawn")
    if entry.is_waiting:
        _promote(tournament, entry, by=by, now=now)
        announce_roster(tournament=tournament)
    return entry
