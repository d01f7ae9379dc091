"""Seeding: by lot from the stored seed, by rating, by hand; where those say nothing lots decide, the same each time."""

from __future__ import annotations

import pytest

from tests.factories import NOW, make_entry, make_tournament, organiser
from tests.tournaments.play import seeded
from tournaments.actions import roster, rounds
from tournaments.models import Tournament

pytestmark = pytest.mark.django_db

NAMES = ("Atton", "Bastila", "Carth", "Dustil", "Echo", "Fen")


def drawn(names: tuple[str, ...], *, seed: str, seeding: str = "random", **ratings: int) -> list[str]:
    """The order of a tournament of these players, who came in this order."""
    tournament = make_tournament(seed=seed, seeding=seeding)
    for name in names:
        make_entry(tournament=tournament, name=name, rating=ratings.get(name), here=True)
    return started(tournament)


def started(tournament: Tournament) -> list[str]:
    rounds.start_tournament(tournament_id=tournament.pk, by=organiser(of=tournament), now=NOW)
    return seeded(tournament)


def test_one_seed_is_one_order_whatever_the_order_players_came_in() -> None:
    order = drawn(NAMES, seed="StarCon 2027")
    assert order == ["Dustil", "Carth", "Atton", "Bastila", "Echo", "Fen"]
    assert drawn(NAMES[::-1], seed="StarCon 2027") == order


def test_another_seed_is_another_order_and_every_tournament_has_its_own() -> None:
    assert drawn(NAMES, seed="StarCon 2028") == ["Echo", "Bastila", "Fen", "Dustil", "Atton", "Carth"]
    made = [make_tournament(seed="") for _ in range(2)]
    assert len({tournament.seed for tournament in made}) == 2


def test_by_rating_the_unrated_come_last_and_equals_by_lot() -> None:
    lots = drawn(NAMES, seed="StarCon 2027")
    rated = {"Carth": 1900, "Echo": 1900, "Fen": 2000}
    order = drawn(NAMES, seed="StarCon 2027", seeding="rating", **rated)
    equals = sorted(("Carth", "Echo"), key=lots.index)
    unrated = sorted(("Atton", "Bastila", "Dustil"), key=lots.index)
    assert order == ["Fen", *equals, *unrated]


def test_by_hand_the_unplaced_come_last_by_lot() -> None:
    lots = drawn(NAMES, seed="StarCon 2027")
    tournament = make_tournament(seed="StarCon 2027", seeding="hand")
    entries = {name: make_entry(tournament=tournament, name=name, here=True) for name in NAMES}
    order = [entries["Echo"].pk, entries["Atton"].pk]
    roster.set_hand_seeds(tournament_id=tournament.pk, order=order, by=organiser(of=tournament), now=NOW)
    unplaced = sorted(("Bastila", "Carth", "Dustil", "Fen"), key=lots.index)
    assert started(tournament) == ["Echo", "Atton", *unplaced]
