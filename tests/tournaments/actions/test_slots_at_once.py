"""A match is held in the moment it is called: it has no table in the end, whoever came first."""

from __future__ import annotations

from functools import partial

import pytest

from tests.factories import NOW, make_field, make_tournament, organiser
from tests.tournaments.at_once import one_behind_the_other
from tests.tournaments.halls import at, put_up, uses
from tests.tournaments.play import pairings, start
from tournaments.actions import plans, slots
from tournaments.actions.queue import call_matches
from tournaments.models import Pairing, Slot, Tournament

pytestmark = [pytest.mark.db, pytest.mark.django_db(transaction=True)]


def planned() -> tuple[Tournament, Slot, list[Pairing]]:
    """A bracket of four with a queue at one table, its plan made, nobody called."""
    tournament = make_tournament(seeding="rating", seating="queue", format="single_elimination")
    put_up(tournament, (7,))
    make_field(size=4, tournament=tournament)
    start(tournament)
    plans.ask_for_plan(event_id=tournament.event_id)
    plans.replan(event_id=tournament.event_id, now=NOW)
    return tournament, Slot.objects.get(stage__tournament=tournament, round=1, number=1), pairings(tournament, 1)


def test_a_match_is_held_while_it_is_called() -> None:
    tournament, slot, (first, second) = planned()
    hold = partial(slots.hold_match, slot_id=slot.pk, by=organiser(of=tournament), now=NOW)
    held, _called = one_behind_the_other(hold, partial(call_matches, event_id=tournament.event_id, now=NOW))
    assert held == slot
    call_matches(event_id=tournament.event_id, now=NOW)
    assert (at(first), at(second)) == ((None, False), (7, True))


def test_a_match_is_called_while_it_is_held() -> None:
    tournament, slot, (first, second) = planned()
    hold = partial(slots.hold_match, slot_id=slot.pk, by=organiser(of=tournament), now=NOW)
    called, held = one_behind_the_other(partial(call_matches, event_id=tournament.event_id, now=NOW), hold)
    assert (called, held) == ([first.match_id], slot)
    assert uses(tournament) == {}
    assert call_matches(event_id=tournament.event_id, now=NOW) == [second.match_id]
    assert (at(first), at(second)) == ((None, False), (7, True))
