"""What players do about their own entry: register, change it, leave, come back. Without an account."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction

from players.engine.names import fold_name
from players.permissions import Actor, Refused
from tournaments.actions.notices import tell_player
from tournaments.actions.roster.entries import entry_of, free_key, give_address, new_player, twins_of
from tournaments.actions.roster.facts import EntryFacts, check_facts
from tournaments.actions.roster.holding import announce_roster, hold, hold_entry, known_players, log_roster, set_marks
from tournaments.actions.roster.places import fill_places, take_place
from tournaments.actions.rounds import withdraw_entry
from tournaments.engine.snapshot import EntryStatus
from tournaments.models import Entry, Tournament
from tournaments.models.roster import WAITING
from tournaments.models.tournament import State
from tournaments.permissions import actor_of_entry
from tournaments.queries.registration import Window, window_of


@dataclass(frozen=True, slots=True)
class LinkMailed:
    """Somebody of this address is in the tournament: their own link is mailed to them and shown to nobody else."""


@transaction.atomic
def register(
    *,
    tournament_id: int,
    name: str,
    email: str = "",
    city: str = "",
    club: str = "",
    is_shown: bool,
    language: str,
    key: str,
    name_again: bool = False,
    now: datetime,
) -> Entry | LinkMailed | Refused:
    """Somebody registers: they get a place, or wait where none is left. The order is that of the commits.

    `key` is the form's own, at least 8 letters nobody can guess: sent again with the same name and address it is the
    same entry. Whoever is there by the same address is mailed their own link. A name that everybody can see on the list
    is asked about until `name_again` says that this is another person.
    Refusals: those of `check_facts`, tournament_unknown, registration_off, registration_not_yet, registration_closed,
    name_registered (name).
    """
    facts, wrong = check_facts(name=name, email=email, city=city, club=club)
    if wrong:
        return wrong[0]
    tournament = hold(tournament_id=tournament_id, frozen_too=True)
    if isinstance(tournament, Refused):
        return tournament
    once = _once(key, facts)
    if sent_before := Entry.objects.filter(tournament=tournament, notices__key=once).first():
        return sent_before
    if refused := _check_window(tournament, now):
        return refused
    known = known_players(tournament=tournament, emails=[facts.email], keep=True).get(facts.email)
    roster = list(tournament.entries.select_related("player").order_by("pk"))
    if there := entry_of(roster, facts.email, known):
        # At most one an hour: nobody's mailbox is filled by it.
        tell_player(entry_id=there.pk, kind="link", key=f"link/{now:%Y-%m-%dT%H}", now=now)
        return LinkMailed()
    if not name_again and (refused := _check_name(roster, facts.name)):
        return refused
    fill_places(tournament=tournament, now=now)
    entry = Entry(
        tournament=tournament,
        player=known or new_player(tournament, facts),
        name=facts.name,
        city=facts.city,
        club=facts.club,
        key=free_key(roster, facts),
        is_shown=is_shown,
        language=language,
        created_at=now,
    )
    take_place(tournament=tournament, entry=entry, now=now)
    entry.save()
    _tell(entry, key=once, now=now)
    _finish("register", entry, by=actor_of_entry(entry), now=now)
    return entry


def _once(key: str, facts: EntryFacts) -> str:
    """What a form was sent with: the same key with another name or address is another registration."""
    said = "|".join((key, fold_name(facts.name), facts.email))
    return f"registered/{hashlib.sha256(said.encode()).hexdigest()[:40]}"


def _check_window(tournament: Tournament, now: datetime) -> Refused | None:
    window = window_of(tournament=tournament, now=now)
    return None if window is Window.OPEN else Refused(f"registration_{window}")


def _check_name(roster: list[Entry], name: str) -> Refused | None:
    """Whether everybody can see this name on the list; one that is hidden is not given away by asking about it."""
    twins = [entry for entry in twins_of(roster, name) if entry.is_shown]
    return Refused("name_registered", {"name": name}) if twins else None


def _tell(entry: Entry, *, key: str, now: datetime) -> None:
    tell_player(entry_id=entry.pk, kind="waiting" if entry.is_waiting else "registered", key=key, now=now)


def _finish(verb: str, entry: Entry, *, by: Actor, now: datetime, **facts: dict[str, str | bool]) -> None:
    tournament = entry.tournament
    set_marks(tournament=tournament)
    log_roster(verb=verb, tournament=tournament, target=f"entry/{entry.pk}", by=by, now=now, **facts)
    announce_roster(tournament=tournament)
    entry.refresh_from_db(fields=["mark"])


@transaction.atomic
def change_own(
    *,
    entry_id: int,
    name: str,
    email: str,
    city: str,
    club: str,
    is_shown: bool,
    language: str,
    name_again: bool = False,
    by: Actor,
    now: datetime,
) -> Entry | Refused:
    """A player says anew who they are. After the start that is staff's, and only consent and language change.

    What is so already is no act.
    Refusals: those of `check_facts`, entry_unknown, name_registered (name), address_elsewhere.
    """
    facts, wrong = check_facts(name=name, email=email, city=city, club=club)
    if wrong:
        return wrong[0]
    held = hold_entry(entry_id=entry_id, frozen_too=True)
    if isinstance(held, Refused):
        return held
    tournament, entry = held
    before = _row(entry)
    is_said = not tournament.is_open_roster or facts == EntryFacts(
        entry.name, entry.player.email, entry.city, entry.club
    )
    if is_said and (is_shown, language) == (entry.is_shown, entry.language):
        return entry
    if tournament.is_open_roster:
        others = list(tournament.entries.exclude(pk=entry.pk))
        is_new = fold_name(facts.name) != fold_name(entry.name)
        if is_new and not name_again and (refused := _check_name(others, facts.name)):
            return refused
        if facts.email != entry.player.email and give_address(tournament, entry, facts) is not None:
            return Refused("address_elsewhere")  # whose it is, is nobody's business
        if entry.player.name == entry.name != facts.name:
            entry.player.name = facts.name
            entry.player.save(update_fields=["name"])
        entry.name, entry.city, entry.club = facts.name, facts.city, facts.club
    entry.is_shown, entry.language = is_shown, language
    entry.save(update_fields=["name", "city", "club", "is_shown", "language", "player", "key"])
    _finish("change_own", entry, by=by, now=now, before=before, after=_row(entry))
    return entry


def _row(entry: Entry) -> dict[str, str | bool]:
    """An entry as the log keeps it. Addresses stay out of it: they can be erased, the log cannot."""
    return {"name": entry.name, "city": entry.city, "club": entry.club, "is_shown": entry.is_shown}


@transaction.atomic
def withdraw_own(*, entry_id: int, by: Actor, now: datetime) -> Entry | Refused:
    """A player leaves: before the start their place is free, afterwards they are not paired any more.

    Whoever has left already stays away. Refusals: entry_unknown, finished, and those of `withdraw_entry`.
    """
    held = hold_entry(entry_id=entry_id, frozen_too=True)
    if isinstance(held, Refused):
        return held
    tournament, entry = held
    if tournament.state == State.FINISHED:
        return Refused("finished")
    if entry.status not in (EntryStatus.ACTIVE, WAITING):
        return entry
    if entry.seed is not None:
        return withdraw_entry(entry_id=entry.pk, by=by, now=now)
    entry.status, entry.waiting_since = EntryStatus.WITHDRAWN, None
    entry.checked_in_at = entry.hand_seed = None
    entry.save(update_fields=["status", "waiting_since", "checked_in_at", "hand_seed"])
    fill_places(tournament=tournament, now=now)
    _finish("withdraw_entry", entry, by=by, now=now)
    return entry


@transaction.atomic
def register_again(*, entry_id: int, by: Actor, now: datetime) -> Entry | Refused:
    """Somebody who left registers again, behind everybody who waits. Whoever is there already stays where they are.

    Refusals: entry_unknown, registration_off, registration_not_yet, registration_closed.
    """
    held = hold_entry(entry_id=entry_id, frozen_too=True)
    if isinstance(held, Refused):
        return held
    tournament, entry = held
    if not entry.is_gone:
        return entry
    if refused := _check_window(tournament, now):
        return refused
    fill_places(tournament=tournament, now=now)
    take_place(tournament=tournament, entry=entry, now=now)
    entry.save(update_fields=["status", "waiting_since"])
    _tell(entry, key=f"again/{now.isoformat()}", now=now)
    _finish("register_again", entry, by=by, now=now)
    return entry


@transaction.atomic
def renew_entry_link(*, entry_id: int, by: Actor, now: datetime, seen: int | None = None) -> Entry | Refused:
    """A player gets another link of their own; the old one opens nothing any more.

    `seen` is the version that is to be replaced: where it is another one by now, that is the new link already.
    Refusals: entry_unknown.
    """
    held = hold_entry(entry_id=entry_id, frozen_too=True)
    if isinstance(held, Refused):
        return held
    tournament, entry = held
    if seen is not None and seen != entry.link_version:
        return entry
    entry.link_version += 1
    entry.save(update_fields=["link_version"])
    log_roster(verb="renew_entry_link", tournament=tournament, target=f"entry/{entry.pk}", by=by, now=now)
    return entry
