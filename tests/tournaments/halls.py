"""Halls that stories sit in: their tables, and where the matches of a round are."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta
from typing import Any

from players.permissions import Refused
from tests.factories import NOW, organiser
from tests.tournaments.play import pairings
from tournaments.actions import hall
from tournaments.models import Event, Pairing, Table, TableUse, Tournament


def put_up(of: Event | Tournament, numbers: Iterable[int]) -> list[Table]:
    event = of.event if isinstance(of, Tournament) else of
    tables = hall.add_tables(event_id=event.pk, numbers=numbers, by=organiser(of=event), now=NOW)
    assert not isinstance(tables, Refused), tables
    return tables


def out(of: Tournament, number: int) -> Table | Refused:
    table = Table.objects.get(event=of.event_id, number=number)
    return hall.take_table_out(table_id=table.pk, by=organiser(of=of), now=NOW)


def given(tournament: Tournament, number: int) -> list[int | None]:
    """The tables of a round, in the order of its pairings."""
    return [pairing.table for pairing in pairings(tournament, number)]


def uses(of: Event | Tournament) -> dict[int, int]:
    """Which pairing has which table now."""
    event = of.event_id if isinstance(of, Tournament) else of.pk
    return dict(TableUse.objects.filter(event=event).order_by("number").values_list("number", "pairing"))


def at(pairing: Pairing) -> tuple[int | None, bool]:
    """The table of a pairing, and whether it is taken for it."""
    pairing.refresh_from_db()
    return pairing.table, TableUse.objects.filter(pairing=pairing, number=pairing.table or 0).exists()


LATER = NOW + timedelta(minutes=20)


def act(action: Any, tournament: Tournament, **said: Any) -> Any:
    """An act of the organiser, some time after the round came out."""
    return action(**{"by": organiser(of=tournament), "now": LATER, **said})
