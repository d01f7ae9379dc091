"""An entry that staff wrote down without an address, added to the account of whoever holds its own link."""

from __future__ import annotations

from datetime import datetime

from django.db import IntegrityError, transaction

from players.permissions import Actor, Refused
from tournaments.actions.roster.entries import entry_of, give_address
from tournaments.actions.roster.facts import EntryFacts
from tournaments.actions.roster.holding import announce_roster, hold_entry, known_players, log_roster
from tournaments.models import Entry, Tournament


@transaction.atomic
def claim_entry(*, entry_id: int, email: str, by: Actor, now: datetime) -> Entry | Refused:
    """Give the player of an entry this address, which the caller has seen proved. The name stays as staff wrote it.

    Until the start as when staff correct an address. After it matches are played under this player, so an address of
    another player the organisers know is refused: they may make the two one. Claiming twice is claiming once.
    Refusals: entry_unknown, entry_has_address, already_entered (entry, name), address_taken (value).
    """
    held = hold_entry(entry_id=entry_id, frozen_too=True)
    if isinstance(held, Refused):
        return held
    tournament, entry = held
    if entry.player.email == email:
        return entry
    if entry.player.email:
        return Refused("entry_has_address")
    give = _give_before_the_start if tournament.is_open_roster else _give_after_it
    if refusal := give(tournament, entry, email):
        return refusal
    log_roster(verb="claim_entry", tournament=tournament, target=f"entry/{entry.pk}", by=by, now=now)
    announce_roster(tournament=tournament)
    return entry


def _give_before_the_start(tournament: Tournament, entry: Entry, email: str) -> Refused | None:
    refusal = give_address(tournament, entry, EntryFacts(name=entry.name, email=email))
    if refusal is None:
        entry.save(update_fields=["player", "key"])
    return refusal


def _give_after_it(tournament: Tournament, entry: Entry, email: str) -> Refused | None:
    """The key stays: lots hang on it."""
    known = known_players(tournament=tournament, emails=[email], keep=True).get(email)
    if there := entry_of(list(tournament.entries.exclude(pk=entry.pk)), email, known):
        return Refused("already_entered", {"entry": there.pk, "name": there.staff_name})
    taken = Refused("address_taken", {"value": email})
    if known is not None:
        return taken
    entry.player.email = email
    try:
        with transaction.atomic():
            entry.player.save(update_fields=["email"])
    except IntegrityError:  # the player belongs to somebody who knows another one by this address
        return taken
    return None
