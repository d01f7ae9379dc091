"""Players put on a roster by hand, changed there, taken off it and ordered."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from itertools import count

from django.db import IntegrityError, transaction

from matches.actions.side_decks import hand_over_side_decks
from players.engine.names import fold_name
from players.models import Act, Player
from players.permissions import Actor, Refused
from tournaments.actions.roster.facts import EntryFacts, check_facts
from tournaments.actions.roster.holding import (
    announce_roster,
    hold,
    hold_entry,
    known_players,
    log_roster,
    mail_key,
    name_key,
    set_marks,
)
from tournaments.actions.roster.places import fill_places, tell_promoted
from tournaments.engine.snapshot import EntryStatus
from tournaments.models import Entry, Tournament
from tournaments.queries.games import deck_occasion


@transaction.atomic
def add_entry(
    *,
    tournament_id: int,
    name: str,
    email: str = "",
    city: str = "",
    club: str = "",
    rating: str | int | None = None,
    here: bool = False,
    name_again: bool = False,
    by: Actor,
    now: datetime,
    key: str = "",
) -> Entry | Refused:
    """Put somebody on the roster, checked in at once when they are `here`.

    There may be more of them than places: the organiser knows best. Whoever waits for a place, or had left, has one by
    it. An address known to the event's organisers is that player; anybody else is a new one. A name that is there
    already is asked about, unless addresses tell the two apart or `name_again` says that this is another person.
    A device that kept this until it had a network names it by a `key` of its own, under which it is done once.
    Refusals: those of `check_facts`, tournament_unknown, roster_is_frozen, already_entered (entry, name),
    same_name (name, entries).
    """
    facts, wrong = check_facts(name=name, email=email, city=city, club=club, rating=rating)
    if wrong:
        return wrong[0]
    tournament = hold(tournament_id=tournament_id)
    if isinstance(tournament, Refused):
        return tournament
    if earlier := _added_under(tournament, key):
        return earlier
    entry = new_entry(tournament=tournament, facts=facts, name_again=name_again, here_at=now if here else None, now=now)
    if isinstance(entry, Refused):
        return entry
    _finish("add_entry", tournament, entry, by, now, after=_row(entry) | ({"key": key} if key else {}))
    entry.refresh_from_db(fields=["mark"])
    return entry


def _added_under(tournament: Tournament, key: str) -> Entry | None:
    """Whom a device put on this roster under this key already."""
    targets = Act.objects.filter(verb="add_entry", tournament=tournament.pk, after__key=key).values_list(
        "target", flat=True
    )
    target = targets.first() if key else None
    return None if target is None else tournament.entries.filter(pk=int(target.partition("/")[2])).first()


def new_entry(
    *, tournament: Tournament, facts: EntryFacts, name_again: bool, here_at: datetime | None, now: datetime
) -> Entry | Refused:
    """Somebody new in a tournament the caller holds, with marks and log left to the caller.

    Whoever waits or had left before the start gets a place under what is said of them now.
    Refusals: already_entered (entry, name), same_name (name, entries).
    """
    player = known_players(tournament=tournament, emails=[facts.email], keep=True).get(facts.email)
    roster = list(tournament.entries.select_related("player").order_by("pk"))
    if there := entry_of(roster, facts.email, player):
        if there.is_waiting or there.is_gone:
            return _bring_back(there, facts, here_at, now)
        return Refused("already_entered", {"entry": there.pk, "name": there.staff_name})
    twins = twins_of(roster, facts.name)
    if not name_again and not all(facts.email and twin.player.email for twin in twins):
        return Refused("same_name", {"name": facts.name, "entries": [twin.pk for twin in twins]})
    if player is None:
        player = new_player(tournament, facts)
    elif player.name != facts.name:
        player.name = facts.name
        player.save(update_fields=["name"])
    return Entry.objects.create(
        tournament=tournament,
        player=player,
        name=facts.name,
        city=facts.city,
        club=facts.club,
        rating=facts.rating,
        key=free_key(roster, facts),
        checked_in_at=here_at,
        created_at=now,
    )


def new_player(tournament: Tournament, facts: EntryFacts) -> Player:
    """A player nobody here knows."""
    owner = tournament.event.owner
    if not facts.email:
        return Player.objects.create(owner=owner, name=facts.name)
    # Another tournament of the same owner may be making this very player: then both get the one that came first.
    return Player.objects.get_or_create(owner=owner, email=facts.email, defaults={"name": facts.name})[0]


def _bring_back(entry: Entry, facts: EntryFacts, here_at: datetime | None, now: datetime) -> Entry:
    if entry.is_waiting:
        tell_promoted(entry=entry, now=now)
    entry.status, entry.waiting_since, entry.checked_in_at = EntryStatus.ACTIVE, None, here_at
    entry.name, entry.city, entry.club, entry.rating = facts.name, facts.city, facts.club, facts.rating
    entry.save()
    return entry


def twins_of(roster: Iterable[Entry], name: str) -> list[Entry]:
    """Those of this name, in any form of its letters, who play or wait."""
    folded = fold_name(name)
    return [entry for entry in roster if not entry.is_gone and fold_name(entry.name) == folded]


def entry_of(roster: Sequence[Entry], email: str, player: Player | None) -> Entry | None:
    """The entry that is already here under this address or as this player."""
    for entry in roster:
        if (email and entry.key == mail_key(email)) or (player is not None and entry.player_id == player.pk):
            return entry
    return None


def free_key(roster: Sequence[Entry], facts: EntryFacts) -> str:
    """The key of an entry that none on the roster has."""
    if facts.email:
        return mail_key(facts.email)
    taken, folded = {entry.key for entry in roster}, fold_name(facts.name)
    return next(key for number in count(1) if (key := name_key(folded, number)) not in taken)


def _row(entry: Entry) -> dict[str, str | int | None]:
    """An entry as the log keeps it. Addresses stay out of it: they can be erased, the log cannot."""
    return {"name": entry.name, "city": entry.city, "club": entry.club, "rating": entry.rating}


def _finish(
    verb: str,
    tournament: Tournament,
    entry: Entry,
    by: Actor,
    now: datetime,
    *,
    before: dict[str, str | int | None] | None = None,
    after: dict[str, str | int | None] | None = None,
) -> None:
    set_marks(tournament=tournament)
    log_roster(verb=verb, tournament=tournament, target=f"entry/{entry.pk}", by=by, now=now, before=before, after=after)
    announce_roster(tournament=tournament)


@transaction.atomic
def edit_entry(
    *,
    entry_id: int,
    name: str,
    email: str = "",
    city: str = "",
    club: str = "",
    rating: str | int | None = None,
    by: Actor,
    now: datetime,
) -> Entry | Refused:
    """Say anew what is known of a player here. After the start the name, city and club only.

    What is so already is no act. Another address is a correction of the player's address; when it is a known player's,
    the entry is theirs from now on. The entry keeps its key otherwise, so that the list it came from still finds it.
    Refusals: those of `check_facts`, entry_unknown, roster_is_frozen, already_entered (entry, name), address_taken
    (value).
    """
    facts, wrong = check_facts(name=name, email=email, city=city, club=club, rating=rating)
    if wrong:
        return wrong[0]
    held = hold_entry(entry_id=entry_id, frozen_too=True)
    if isinstance(held, Refused):
        return held
    tournament, entry = held
    moved = facts.email != entry.player.email
    if not tournament.is_open_roster and (moved or facts.rating != entry.rating):
        return Refused("roster_is_frozen", {"state": tournament.state})
    if facts == EntryFacts(entry.name, entry.player.email, entry.city, entry.club, entry.rating):
        return entry
    before, old_name = _row(entry), entry.name
    if moved and (refusal := give_address(tournament, entry, facts)):
        return refusal
    if entry.player.name == old_name != facts.name:
        entry.player.name = facts.name
        entry.player.save(update_fields=["name"])
    entry.name, entry.city, entry.club, entry.rating = facts.name, facts.city, facts.club, facts.rating
    entry.save(update_fields=["name", "city", "club", "rating", "player", "key"])
    _finish("edit_entry", tournament, entry, by, now, before=before, after=_row(entry))
    entry.refresh_from_db(fields=["mark"])
    return entry


def give_address(tournament: Tournament, entry: Entry, facts: EntryFacts) -> Refused | None:
    """Set the address of the entry's player, or the entry to the player who has it; the caller saves the entry."""
    others = list(tournament.entries.exclude(pk=entry.pk))
    known = known_players(tournament=tournament, emails=[facts.email], keep=True).get(facts.email)
    if there := entry_of(others, facts.email, known):
        return Refused("already_entered", {"entry": there.pk, "name": there.staff_name})
    entry.key = free_key(others, facts)
    if known is None:
        entry.player.email = facts.email
        try:
            with transaction.atomic():
                entry.player.save(update_fields=["email"])
        except IntegrityError:  # the player belongs to somebody who knows another one by this address
            return Refused("address_taken", {"value": facts.email})
        return None
    left, entry.player = entry.player, known
    Player.objects.select_for_update().get(pk=left.pk)  # no side deck comes in behind us
    entry.save(update_fields=["player", "key"])
    goes = None if _is_unused(left) else (deck_occasion(tournament),)
    hand_over_side_decks(of=left.pk, to=known.pk, occasions=goes)
    drop_if_unused(left)
    return None


def drop_if_unused(player: Player) -> None:
    """Forget a player who is in no tournament and sat in no match."""
    player = Player.objects.select_for_update().get(pk=player.pk)  # nobody enters them elsewhere while we look
    if _is_unused(player):
        player.delete()


def _is_unused(player: Player) -> bool:
    return not (player.entries.exists() or player.matches_a.exists() or player.matches_b.exists())


@transaction.atomic
def remove_entry(*, entry_id: int, by: Actor, now: datetime) -> Refused | None:
    """Take somebody off the roster, and forget them when that was all there was of them; their place is free.

    Refusals: entry_unknown, roster_is_frozen.
    """
    held = hold_entry(entry_id=entry_id)
    if isinstance(held, Refused):
        return held
    tournament, entry = held
    before, target = _row(entry), f"entry/{entry.pk}"
    entry.delete()
    drop_if_unused(entry.player)
    fill_places(tournament=tournament, now=now)
    set_marks(tournament=tournament)
    log_roster(verb="remove_entry", tournament=tournament, target=target, by=by, now=now, before=before)
    announce_roster(tournament=tournament)
    return None


@transaction.atomic
def set_hand_seeds(*, tournament_id: int, order: Sequence[int], by: Actor, now: datetime) -> list[Entry] | Refused:
    """Order the roster by hand: entry ids from the best down. Whoever is not named has no place any more.

    Refusals: tournament_unknown, roster_is_frozen, entry_twice (entry), entry_unknown (entry).
    """
    tournament = hold(tournament_id=tournament_id)
    if isinstance(tournament, Refused):
        return tournament
    roster = {entry.pk: entry for entry in tournament.entries.all()}
    places: dict[int, int] = {}
    for place, entry_id in enumerate(order, start=1):
        if entry_id not in roster:
            return Refused("entry_unknown", {"entry": entry_id}, status=404)
        if entry_id in places:
            return Refused("entry_twice", {"entry": entry_id}, status=400)
        places[entry_id] = place
    changed = [entry for entry in roster.values() if entry.hand_seed != places.get(entry.pk)]
    for entry in changed:
        entry.hand_seed = places.get(entry.pk)
    Entry.objects.bulk_update(changed, ["hand_seed"])
    log_roster(verb="set_hand_seeds", tournament=tournament, by=by, now=now, after={"order": list(order)})
    announce_roster(tournament=tournament)
    return [roster[entry_id] for entry_id in order]
