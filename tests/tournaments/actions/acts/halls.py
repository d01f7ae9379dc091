"""What acts in a hall begin with: clocks that run, matches that are called or held, tables, calls for a referee."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.factories import NOW
from tests.tournaments.actions.acts.worlds import World, after, running
from tests.tournaments.play import pairings
from tournaments.actions import (
    calls,
    clocks,
    coming,
    hall,
    slots,
    tables,
)
from tournaments.models import Pairing, RefereeCall, Room, Slot, Table, Tournament


def timed() -> World:
    """The first round is played, and has a time."""
    world = running()
    Tournament.objects.filter(pk=world.tournament.pk).update(round_minutes=50)
    return world


def of_round(action: Callable[..., Any], **said: Any) -> Callable[[World], Any]:
    """What is done to the clock of the first round."""
    return lambda world: world.do(action, round_id=pairings(world.tournament, 1)[0].round_id, **said)


def on_time() -> World:
    """Its clock runs."""
    world = timed()
    of_round(clocks.start_clock)(world)
    return world


def paused() -> World:
    """Its clock stands."""
    world = on_time()
    of_round(clocks.pause_clock)(world)
    return world


def called() -> World:
    """The first match is called to its table."""
    world = running()
    Pairing.objects.filter(pk=pairings(world.tournament, 1)[0].pk).update(called_at=NOW, due_at=NOW)
    return world


def planned() -> World:
    """It is called, and the plan has it."""
    world = called()
    first = pairings(world.tournament, 1)[0]
    Slot.objects.create(stage=first.round.stage, round=1, number=first.number, state="called", changed_at=NOW)
    return world


def of_slot(action: Callable[..., Any], **said: Any) -> Callable[[World], Any]:
    return lambda world: world.do(action, slot_id=Slot.objects.get().pk, **said)


def waiting_for_table() -> World:
    """A match of the plan that has no table, and nobody has said anything of it."""
    world = in_hall()
    first = pairings(world.tournament, 1)[0]
    world.do(tables.move_match, match_id=first.match_id, table=None)
    Slot.objects.filter(stage=first.round.stage, round=1, number=first.number).update(held_since=None)
    return world


def held() -> World:
    return after(waiting_for_table(), of_slot(slots.hold_match))


def come(world: World) -> Any:
    pairing = pairings(world.tournament, 1)[0]
    return world.do(coming.say_coming, entry_id=pairing.a_id, match_id=pairing.match_id)


def calling() -> World:
    world = running()
    world.do(calls.call_to_match, match_id=world.first.pk)
    return world


def of_call(action: Callable[..., Any]) -> Callable[[World], Any]:
    return lambda world: world.do(action, call_id=RefereeCall.objects.get().pk)


def in_hall() -> World:
    """Its event has a room and tables, the matches sit at the first two."""
    world = running()
    world.do(hall.add_room, event_id=world.tournament.event_id, name="Hall A")
    world.do(hall.add_tables, event_id=world.tournament.event_id, numbers=range(1, 6))
    return world


def out_of_order() -> World:
    world = in_hall()
    of_table(hall.take_table_out)(world)
    return world


def of_room(action: Callable[..., Any], **said: Any) -> Callable[[World], Any]:
    return lambda world: world.do(action, room_id=Room.objects.get(event=world.tournament.event_id).pk, **said)


def of_table(action: Callable[..., Any], **said: Any) -> Callable[[World], Any]:
    """What is done to a table nobody sits at."""

    def act(world: World) -> Any:
        return world.do(action, table_id=Table.objects.get(event=world.tournament.event_id, number=5).pk, **said)

    return act


def swap_places(world: World) -> Any:
    one, other = pairings(world.tournament, 1)
    return world.do(tables.swap_tables, match_id=one.match_id, with_match=other.match_id)
