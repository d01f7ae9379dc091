"""Who is here: check-in opened and closed, players checked in, and a mis-tap taken back."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction

from players.permissions import Actor, Refused
from tournaments.actions.roster.holding import announce_roster, hold, hold_entry, log_roster
from tournaments.models import Entry, Tournament
from tournaments.models.tournament import State


def open_check_in(*, tournament_id: int, by: Actor, now: datetime) -> Tournament | Refused:
    """Begin to check players in. Opening twice opens once. Refusals: tournament_unknown, roster_is_frozen."""
    return _set_state("open_check_in", tournament_id, State.CHECK_IN, by, now)


def close_check_in(*, tournament_id: int, by: Actor, now: datetime) -> Tournament | Refused:
    """Go back to collecting players; who is checked in stays so. Refusals: tournament_unknown, roster_is_frozen."""
    return _set_state("close_check_in", tournament_id, State.ROSTER, by, now)


@transaction.atomic
def _set_state(verb: str, tournament_id: int, state: State, by: Actor, now: datetime) -> Tournament | Refused:
    tournament = hold(tournament_id=tournament_id)
    if isinstance(tournament, Refused) or tournament.state == state:
        return tournament
    tournament.state = state
    tournament.save(update_fields=["state"])
    log_roster(verb=verb, tournament=tournament, by=by, now=now)
    announce_roster(tournament=tournament)
    return tournament


def check_in(*, entry_id: int, by: Actor, now: datetime) -> Entry | Refused:
    """Somebody is here. Again, it changes nothing: the first time stays. Refusals: entry_unknown, roster_is_frozen."""
    return _set_here("check_in", entry_id, here=True, by=by, now=now)


def undo_check_in(*, entry_id: int, by: Actor, now: datetime) -> Entry | Refused:
    """Somebody was not here after all. Again, it changes nothing. Refusals: entry_unknown, roster_is_frozen."""
    return _set_here("undo_check_in", entry_id, here=False, by=by, now=now)


@transaction.atomic
def _set_here(verb: str, entry_id: int, *, here: bool, by: Actor, now: datetime) -> Entry | Refused:
    held = hold_entry(entry_id=entry_id)
    if isinstance(held, Refused):
        return held
    tournament, entry = held
    if here is (entry.checked_in_at is not None):
        return entry
    entry.checked_in_at = now if here else None
    entry.save(update_fields=["checked_in_at"])
    log_roster(verb=verb, tournament=tournament, target=f"entry/{entry.pk}", by=by, now=now)
    announce_roster(tournament=tournament)
    return entry


@transaction.atomic
def check_in_all(*, tournament_id: int, by: Actor, now: datetime) -> int | Refused:
    """Everybody is here; the number of those who were not before. Refusals: tournament_unknown, roster_is_frozen."""
    tournament = hold(tournament_id=tournament_id)
    if isinstance(tournament, Refused):
        return tournament
    missing = list(tournament.entries.filter(checked_in_at=None).order_by("pk").values_list("pk", flat=True))
    if missing:
        tournament.entries.filter(checked_in_at=None).update(checked_in_at=now)
        log_roster(verb="check_in_all", tournament=tournament, by=by, now=now, after={"entries": missing})
        announce_roster(tournament=tournament)
    return len(missing)
