"""What tests start from: an organiser, an event, a tournament and its players, all made by the actions themselves."""

from __future__ import annotations

from datetime import UTC, date, datetime
from itertools import count
from typing import Any

from players.actions import create_account
from players.models import Account
from players.permissions import Actor, Refused, Role
from tournaments.actions import events, roster
from tournaments.actions.events import EventFacts, TournamentFacts
from tournaments.models import Entry, Event, Tournament

NOW = datetime(2027, 5, 22, 10, 0, tzinfo=UTC)
PASSWORD = "twenty-is-the-limit"

_numbers = count(1)


def make_account(*, email: str = "", name: str = "", password: str | None = PASSWORD) -> Account:
    """An organiser who can sign in; the address is a new one unless given."""
    return create_account(
        email=email or f"organiser{next(_numbers)}@example.org", password=password, name=name, now=NOW
    )


def make_event(
    *, owner: Account | None = None, name: str = "StarCon 2027", place: str = "Riga", zone: str = "Europe/Riga"
) -> Event:
    """A weekend's event; its owner is made when none is given."""
    owner = owner or make_account()
    facts = EventFacts(name=name, place=place, zone=zone, starts_on=date(2027, 5, 22), ends_on=date(2027, 5, 23))
    return events.create_event(
        facts=facts, owner=owner, by=Actor(role=Role.ORGANISER, name=str(owner), account=owner.pk), now=NOW
    )


def organiser(*, of: Event | Tournament) -> Actor:
    """The owner of an event as the actor most acts are done by."""
    event = of.event if isinstance(of, Tournament) else of
    return Actor(role=Role.ORGANISER, name=str(event.owner), account=event.owner_id, event=event.pk)


def make_tournament(*, event: Event | None = None, name: str = "Main", seed: str = "test", **facts: Any) -> Tournament:
    """A tournament that collects its roster. `facts` are fields of TournamentFacts; lots come from `seed`."""
    event = event or make_event()
    return events.create_tournament(
        event_id=event.pk, facts=TournamentFacts(name=name, **facts), by=organiser(of=event), now=NOW, seed=seed
    )


def make_entry(*, tournament: Tournament, name: str = "", here: bool = False, **facts: Any) -> Entry:
    """One player on the roster, checked in with `here`. `facts` are email, city, club, rating, name_again."""
    entry = roster.add_entry(
        tournament_id=tournament.pk,
        name=name or f"Player {next(_numbers)}",
        here=here,
        by=organiser(of=tournament),
        now=NOW,
        **facts,
    )
    assert not isinstance(entry, Refused), entry
    return entry


def make_field(*, size: int, tournament: Tournament | None = None, here: bool = True) -> list[Entry]:
    """A roster of `size` players named "Player 01" and so on, in order, checked in unless said otherwise.

    Ratings fall from 2000 by one, so that seeding by rating follows the numbers.
    """
    tournament = tournament or make_tournament()
    width = max(2, len(str(size)))
    rows = [
        {"line": n + 1, "name": f"Player {n:0{width}}", "email": "", "city": "", "club": "", "rating": 2001 - n}
        for n in range(1, size + 1)
    ]
    by = organiser(of=tournament)
    prepared = roster.prepare_import(
        tournament_id=tournament.pk, filename="field.csv", rows=rows, problems=[], source={}, by=by, now=NOW
    )
    assert not isinstance(prepared, Refused), prepared
    confirmed = roster.confirm_import(import_id=prepared.pk, by=by, now=NOW)
    assert not isinstance(confirmed, Refused), confirmed
    roster.apply_import(import_id=prepared.pk, now=NOW)
    if here:
        roster.check_in_all(tournament_id=tournament.pk, by=by, now=NOW)
    return list(tournament.entries.order_by("pk"))
