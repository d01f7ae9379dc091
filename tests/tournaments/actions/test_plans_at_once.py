"""The plan is made, and a tournament comes, goes or is held, in the same moment: nothing is lost and nobody stuck."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from dataclasses import replace
from functools import partial

import pytest
from django.db import connection, connections, transaction

from players.permissions import Refused
from tests.factories import NOW, make_event, make_field, make_tournament, organiser
from tests.tournaments.at_once import one_behind_the_other
from tournaments.actions import events, plans, slots
from tournaments.actions.events import EventFacts
from tournaments.models import Event, HallPlan, Slot, Tournament

pytestmark = [pytest.mark.db, pytest.mark.django_db(transaction=True)]


def to_come() -> Tournament:
    """A tournament that has a start and has not started: it is planned, and can still be removed."""
    tournament = make_tournament(format="single_elimination", starts_at=NOW)
    make_field(size=4, tournament=tournament)
    return tournament


def remove(tournament: Tournament) -> partial[Refused | None]:
    return partial(events.remove_tournament, tournament_id=tournament.pk, by=organiser(of=tournament), now=NOW)


def test_a_tournament_is_removed_while_its_plan_is_made() -> None:
    tournament = to_come()
    removed, _made = one_behind_the_other(
        remove(tournament), partial(plans.replan, event_id=tournament.event_id, now=NOW)
    )
    assert removed is None
    assert (Slot.objects.count(), Tournament.objects.count()) == (0, 0)
    assert HallPlan.objects.get(event=tournament.event_id).made_at == NOW


def test_a_match_is_held_while_its_tournament_is_removed() -> None:
    tournament = to_come()
    plans.replan(event_id=tournament.event_id, now=NOW)
    slot = Slot.objects.order_by("pk")[0]
    hold = partial(slots.hold_match, slot_id=slot.pk, by=organiser(of=tournament), now=NOW)
    removed, held = one_behind_the_other(remove(tournament), hold)
    assert removed is None
    assert held == Refused("slot_unknown", {"slot": slot.pk}, status=404)


def test_a_plan_is_made_while_somebody_holds_a_tournament() -> None:
    tournament = to_come()

    def made() -> None:
        try:
            plans.replan(event_id=tournament.event_id, now=NOW)
        finally:
            connections.close_all()

    # SQLite has one writer and no locks of rows.
    with ThreadPoolExecutor(1) as pool, transaction.atomic() if connection.vendor == "postgresql" else nullcontext():
        list(Tournament.objects.select_for_update().filter(pk=tournament.pk))
        pool.submit(made).result(timeout=20)
    assert Slot.objects.filter(stage__tournament=tournament).count() == 3


def test_a_tournament_is_made_while_its_event_is_changed() -> None:
    event = make_event()
    plans.ask_for_plan(event_id=event.pk)
    facts = EventFacts(
        name=event.name, place=event.place, zone=event.zone, starts_on=event.starts_on, ends_on=event.ends_on
    )
    edit = partial(
        events.edit_event, event_id=event.pk, facts=replace(facts, place="Oslo"), by=organiser(of=event), now=NOW
    )
    tournament, changed = one_behind_the_other(partial(make_tournament, event=event), edit)
    assert (tournament.event_id, changed) == (event.pk, event)
    assert Event.objects.get(pk=event.pk).place == "Oslo"
