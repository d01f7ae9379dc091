"""Stories of a hall: its rooms and tables, what stands and what does not."""

from __future__ import annotations

from typing import Any

import pytest

from players.models import Act
from players.permissions import Refused
from tests.factories import make_entry, make_event, make_field, make_tournament, organiser
from tests.tournaments.halls import LATER, put_up
from tests.tournaments.play import pairings, play_open, start
from tournaments.actions import hall
from tournaments.models import Event, Room, Table
from tournaments.queries.hall import hall_page
from tournaments.queries.log import log_lines
from tournaments.words.acts import act_text, target_text

pytestmark = pytest.mark.django_db


def do(action: Any, event: Event, **said: Any) -> Any:
    return action(by=organiser(of=event), now=LATER, **said)


def code(outcome: Any) -> str:
    assert isinstance(outcome, Refused), outcome
    return outcome.code


def numbers(event: Event) -> list[tuple[str, list[int]]]:
    """Every room with the numbers of its tables."""
    rooms = hall_page(event=event).rooms
    return [("" if room is None else room.name, [row.table.number for row in rows]) for room, rows in rooms]


def told(event: Event) -> list[str]:
    """What the log says, oldest first, without marks."""
    acts = list(Act.objects.filter(event=event.pk).order_by("pk"))
    lines = log_lines(event=event, acts=acts)
    texts = [
        act_text(verb=line.act.verb, what=target_text(line), before=line.act.before, after=line.act.after)
        for line in lines
    ]
    return [text.replace("<bdi>", "").replace("</bdi>", "") for text in texts]


def test_tables_are_put_up_many_at_once_with_gaps_and_what_stands_stays() -> None:
    event = make_event()
    room = do(hall.add_room, event, event_id=event.pk, name="  Hall   A ")
    do(hall.add_tables, event, event_id=event.pk, numbers=(5, 6, 7, 8, 11), room_id=room.pk)
    do(hall.add_tables, event, event_id=event.pk, numbers=(1, 5))
    assert numbers(event) == [("", [1]), ("Hall A", [5, 6, 7, 8, 11])]
    assert code(do(hall.add_tables, event, event_id=event.pk, numbers=(1, 5))) == "tables_there"
    assert code(do(hall.add_tables, event, event_id=event.pk, numbers=(0,))) == "table_unknown"
    assert code(do(hall.add_tables, event, event_id=event.pk, numbers=(10000,))) == "table_unknown"
    assert code(do(hall.add_tables, event, event_id=event.pk, numbers=(2,), room_id=0)) == "room_unknown"
    assert told(event)[-3:] == ["Added the room Hall A.", "Put up tables 5–8, 11.", "Put up table 1."]


def test_rooms_have_names_of_their_own_and_their_tables_outlast_them() -> None:
    event = make_event()
    one = do(hall.add_room, event, event_id=event.pk, name="A")
    do(hall.add_room, event, event_id=event.pk, name="B")
    assert code(do(hall.add_room, event, event_id=event.pk, name="A")) == "room_there"
    assert code(do(hall.rename_room, event, room_id=one.pk, name="B")) == "room_there"
    do(hall.rename_room, event, room_id=one.pk, name="C")
    do(hall.rename_room, event, room_id=one.pk, name="C")
    assert sorted(Room.objects.values_list("name", flat=True)) == ["B", "C"]
    do(hall.add_tables, event, event_id=event.pk, numbers=(1,), room_id=one.pk)
    assert do(hall.remove_room, event, room_id=one.pk) is None
    assert code(do(hall.remove_room, event, room_id=one.pk)) == "room_unknown"
    assert numbers(event) == [("", [1]), ("B", [])]
    assert told(event)[-2:] == ["Put up table 1.", "Removed the room C."]


def test_a_table_has_a_name_and_a_purpose_and_goes_once_nobody_sits_there() -> None:
    tournament = make_tournament(seeding="rating")
    event = tournament.event
    put_up(tournament, (1, 2, 3))
    make_field(size=4, tournament=tournament)
    start(tournament)
    table = Table.objects.get(event=event, number=1)
    facts = {"name": "Stage", "purpose": "stream", "room_id": None}
    do(hall.edit_table, event, table_id=table.pk, **facts)
    do(hall.edit_table, event, table_id=table.pk, **facts)
    table.refresh_from_db()
    assert (table.name, table.purpose) == ("Stage", "stream")
    assert code(do(hall.edit_table, event, table_id=table.pk, **{**facts, "room_id": 0})) == "room_unknown"
    assert code(do(hall.remove_table, event, table_id=table.pk)) == "table_in_use"
    play_open(tournament)
    assert do(hall.remove_table, event, table_id=table.pk) is None
    assert [pairing.table for pairing in pairings(tournament, 1)] == [1, 2]
    assert code(do(hall.remove_table, event, table_id=table.pk)) == "table_gone"
    assert [each for each in told(event) if each.endswith("table 1.")] == ["Changed table 1.", "Removed table 1."]


def test_a_table_goes_out_of_order_and_comes_back_once() -> None:
    event = make_event()
    (table,) = put_up(event, (4,))
    for action, since in ((hall.take_table_out, LATER), (hall.bring_table_back, None)):
        for _ in range(2):
            do(action, event, table_id=table.pk)
        table.refresh_from_db()
        assert table.out_since == since
    assert told(event)[-2:] == ["Took table 4 out of use.", "Brought table 4 back into use."]


def test_a_fixed_seat_is_at_a_table_that_stands() -> None:
    tournament = make_tournament()
    entry = make_entry(tournament=tournament, name="Ann")
    event = tournament.event
    do(hall.fix_table, event, entry_id=entry.pk, table=12)
    put_up(event, (1, 2))
    assert code(do(hall.fix_table, event, entry_id=entry.pk, table=9)) == "table_unknown"
    assert code(do(hall.fix_table, event, entry_id=0, table=1)) == "entry_unknown"
    do(hall.fix_table, event, entry_id=entry.pk, table=2)
    do(hall.fix_table, event, entry_id=entry.pk, table=2)
    do(hall.fix_table, event, entry_id=entry.pk, table=None)
    entry.refresh_from_db()
    assert entry.fixed_table is None
    assert [each for each in told(event) if each.startswith("Ann ")] == [
        "Ann always sits at table 12.",
        "Ann always sits at table 2.",
        "Ann may sit anywhere.",
    ]
