"""Who is here: check-in opened and closed, players checked in, and a mis-tap taken back."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

from django.db import transaction

from players.models import Act
from players.permissions import Actor, Refused
from tournaments.actions.notices import tell_check_in
from tournaments.actions.roster.holding import announce_roster, hold, hold_entry, log_roster, set_marks
from tournaments.actions.roster.places import fill_places
from tournaments.engine.snapshot import EntryStatus
from tournaments.models import Entry, Tournament
from tournaments.models.tournament import State

KEEP, DROP = "keep", "drop"
"""What becomes of whoever is not here when check-in closes."""


@transaction.atomic
def open_check_in(*, tournament_id: int, by: Actor, now: datetime) -> Tournament | Refused:
    """Begin to check players in. Opening twice opens once. Refusals: tournament_unknown, roster_is_frozen."""
    tournament = hold(tournament_id=tournament_id)
    if isinstance(tournament, Refused) or tournament.state == State.CHECK_IN:
        return tournament
    _set_state(tournament, State.CHECK_IN)
    tell_check_in(tournament_id=tournament.pk, now=now)
    log_roster(verb="open_check_in", tournament=tournament, by=by, now=now)
    announce_roster(tournament=tournament)
    return tournament


@transaction.atomic
def close_check_in(
    *, tournament_id: int, missing: str = KEEP, named: Collection[int] | None = None, by: Actor, now: datetime
) -> Tournament | Refused:
    """Go back to collecting players; who is checked in stays so, and who is not stays on the roster, or leaves it.

    With `missing` "drop" whoever is not here leaves as if they had withdrawn, and whoever waits may move up. Of those
    only the `named` go (None: all): somebody who came onto the roster since the list was read is not dropped unseen.
    A dropped player comes back by `check_in_after_all`. Closing what is closed changes nothing.
    Refusals: tournament_unknown, roster_is_frozen.
    """
    tournament = hold(tournament_id=tournament_id)
    if isinstance(tournament, Refused) or tournament.state == State.ROSTER:
        return tournament
    _set_state(tournament, State.ROSTER)
    dropped = _drop_missing(tournament, named, now) if missing == DROP else []
    after = {"entries": dropped} if dropped else None
    log_roster(verb="close_check_in", tournament=tournament, by=by, now=now, after=after)
    announce_roster(tournament=tournament)
    return tournament


def _set_state(tournament: Tournament, state: State) -> None:
    tournament.state = state
    tournament.save(update_fields=["state"])


def _drop_missing(tournament: Tournament, named: Collection[int] | None, now: datetime) -> list[int]:
    missing = tournament.entries.filter(status=EntryStatus.ACTIVE, checked_in_at=None)
    if named is not None:
        missing = missing.filter(pk__in=list(named))
    ids = list(missing.order_by("pk").values_list("pk", flat=True))
    Entry.objects.filter(pk__in=ids).update(status=EntryStatus.WITHDRAWN, hand_seed=None)
    if ids:
        fill_places(tournament=tournament, now=now)
        set_marks(tournament=tournament)
    return ids


# --- By staff.


def check_in(*, entry_id: int, by: Actor, now: datetime, key: str = "") -> Entry | Refused:
    """Somebody is here. Again, it changes nothing: the first time stays.

    A device that kept this until it had a network names it by a `key` of its own: what came before with the same one is
    not done a second time, whatever was done in between.
    Refusals: entry_unknown, roster_is_frozen, no_place_yet, already_withdrawn.
    """
    return _set_here("check_in", entry_id, here=True, by=by, now=now, key=key)


def undo_check_in(*, entry_id: int, by: Actor, now: datetime, key: str = "") -> Entry | Refused:
    """Somebody was not here after all. Again, it changes nothing. Refusals: entry_unknown, roster_is_frozen."""
    return _set_here("undo_check_in", entry_id, here=False, by=by, now=now, key=key)


@transaction.atomic
def check_in_after_all(*, entry_id: int, by: Actor, now: datetime, key: str = "") -> Entry | Refused:
    """Somebody is here who had left before the start, or was dropped: they have a place again, however many there are.

    Whoever had not left is checked in like everybody. `key` and refusals are those of `check_in`, but for
    already_withdrawn.
    """
    held = hold_entry(entry_id=entry_id)
    if isinstance(held, Refused):
        return held
    tournament, entry = held
    if entry.is_gone and not _was_done(entry, key):
        entry.status = EntryStatus.ACTIVE
        entry.save(update_fields=["status"])
        log_roster(verb="return_entry", tournament=tournament, target=f"entry/{entry.pk}", by=by, now=now)
        set_marks(tournament=tournament)
    return _set_here("check_in", entry_id, here=True, by=by, now=now, key=key)


@transaction.atomic
def _set_here(verb: str, entry_id: int, *, here: bool, by: Actor, now: datetime, key: str = "") -> Entry | Refused:
    held = hold_entry(entry_id=entry_id)
    if isinstance(held, Refused):
        return held
    tournament, entry = held
    if _was_done(entry, key):
        return entry
    if here and (entry.is_waiting or entry.is_gone):
        return Refused("no_place_yet" if entry.is_waiting else "already_withdrawn")
    if here is (entry.checked_in_at is not None):
        return entry
    entry.checked_in_at = now if here else None
    entry.save(update_fields=["checked_in_at"])
    after = {"key": key} if key else None
    log_roster(verb=verb, tournament=tournament, target=f"entry/{entry.pk}", by=by, now=now, after=after)
    announce_roster(tournament=tournament)
    return entry


def _was_done(entry: Entry, key: str) -> bool:
    """Whether a device's own key stands in the log of this entry already."""
    return bool(key) and Act.objects.filter(target=f"entry/{entry.pk}", after__key=key).exists()


@transaction.atomic
def check_in_all(*, tournament_id: int, by: Actor, now: datetime) -> int | Refused:
    """Everybody is here; the number of those who were not before. Refusals: tournament_unknown, roster_is_frozen."""
    tournament = hold(tournament_id=tournament_id)
    if isinstance(tournament, Refused):
        return tournament
    absent = tournament.entries.filter(status=EntryStatus.ACTIVE, checked_in_at=None)
    missing = list(absent.order_by("pk").values_list("pk", flat=True))
    if missing:
        absent.update(checked_in_at=now)
        log_roster(verb="check_in_all", tournament=tournament, by=by, now=now, after={"entries": missing})
        announce_roster(tournament=tournament)
    return len(missing)


# --- By the players themselves.


@transaction.atomic
def check_in_own(*, entry_id: int, language: str = "", by: Actor, now: datetime) -> Entry | Refused:
    """A player says by their own link that they are here. Again, it changes nothing: the first time stays.

    `language` is the one they read their page in: whoever was put down by staff is written to in it from then on.
    Refusals: entry_unknown, roster_is_frozen, check_in_not_open, check_in_at_desk, no_place_yet, already_withdrawn.
    """
    entry = _set_own("check_in", entry_id, here=True, by=by, now=now)
    if isinstance(entry, Entry) and language and not entry.language:
        entry.language = language
        entry.save(update_fields=["language"])
    return entry


def undo_check_in_own(*, entry_id: int, by: Actor, now: datetime) -> Entry | Refused:
    """A player says that they are not here after all.

    Refusals: entry_unknown, roster_is_frozen, check_in_not_open, check_in_at_desk.
    """
    return _set_own("undo_check_in", entry_id, here=False, by=by, now=now)


@transaction.atomic
def _set_own(verb: str, entry_id: int, *, here: bool, by: Actor, now: datetime) -> Entry | Refused:
    held = hold_entry(entry_id=entry_id)
    if isinstance(held, Refused):
        return held
    tournament, _entry = held
    if tournament.state != State.CHECK_IN:
        return Refused("check_in_not_open")
    if not tournament.self_check_in:
        return Refused("check_in_at_desk")
    return _set_here(verb, entry_id, here=here, by=by, now=now)
