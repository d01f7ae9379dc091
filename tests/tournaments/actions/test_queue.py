"""Stories of the queue: who is called to which table, and when."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest

from matches.actions import FORFEIT, TIME, WALKOVER, Report, submit_result
from players.models import Act
from players.permissions import Refused
from tests.factories import NOW, make_event, make_field, make_tournament, organiser
from tests.tournaments.actions.running import entry
from tests.tournaments.halls import act, out, put_up, uses
from tests.tournaments.play import count_up, pairings, report, start
from tournaments.actions import hall, results, rounds, slots, tables
from tournaments.actions.queue import call_matches
from tournaments.models import Notice, Pairing, Slot, Table, Tournament

pytestmark = pytest.mark.django_db

REST = timedelta(minutes=5)
SECOND = timedelta(seconds=1)


def queued(size: int, numbers: Any, **facts: Any) -> Tournament:
    """A tournament with a queue whose event has these tables, with its first round out; nobody is called yet."""
    tournament = make_tournament(seeding="rating", seating="queue", **facts)
    put_up(tournament, numbers)
    make_field(size=size, tournament=tournament)
    start(tournament)
    tournament.refresh_from_db()
    return tournament


def called(tournament: Tournament, at: datetime = NOW) -> dict[int, tuple[int, int]]:
    """Call what can be played; table to the seeds of those who sit there."""
    call_matches(event_id=tournament.event_id, now=at)
    found = Pairing.objects.select_related("a", "b").filter(table_use__event=tournament.event_id)
    return {p.table: (p.a.seed, p.b.seed) for p in found.order_by("table")}  # type: ignore[misc, union-attr]


def ends(pairing: Pairing, at: datetime) -> None:
    """Side a wins."""
    report(pairing, (3, 0), now=at)
    count_up(pairing.round.stage.tournament, now=at)


def of(tournament: Tournament, a: int, b: int) -> Pairing:
    return next(p for p in pairings(tournament) if {p.a.seed, p.b.seed if p.b else None} == {a, b})


def test_a_round_comes_out_without_tables_and_matches_are_called_one_after_the_other() -> None:
    tournament = queued(8, (3, 5, 7), format="single_elimination")
    assert [p.table for p in pairings(tournament, 1)] == [None] * 4
    assert called(tournament) == {3: (1, 8), 5: (4, 5), 7: (2, 7)}
    waits = of(tournament, 3, 6)
    assert (waits.table, waits.called_at, waits.due_at) == (None, None, None)
    ends(of(tournament, 4, 5), NOW + REST)
    assert called(tournament, NOW + REST) == {3: (1, 8), 5: (3, 6), 7: (2, 7)}
    first = of(tournament, 3, 6)
    assert (first.called_at, first.due_at) == (NOW + REST, NOW + REST)


def test_calling_twice_calls_once_and_is_in_the_log() -> None:
    tournament = queued(4, (1, 2), format="single_elimination")
    assert called(tournament) == called(tournament) == {1: (1, 4), 2: (2, 3)}
    acts = Act.objects.filter(verb="call_match").order_by("pk")
    assert [(each.after["table"], each.role) for each in acts] == [(1, "system"), (2, "system")]


def test_both_are_told_that_they_are_called() -> None:
    tournament = queued(4, (1,), format="single_elimination")
    called(tournament)
    told = Notice.objects.filter(kind="called").order_by("pk")
    assert [(each.entry.seed, each.params["table"]) for each in told] == [(1, 1), (4, 1)]  # type: ignore[union-attr]


def test_who_has_just_played_rests_before_the_next_call() -> None:
    tournament = queued(4, (1, 2), format="single_elimination")
    called(tournament)
    ends(of(tournament, 1, 4), NOW + 2 * REST)
    ends(of(tournament, 2, 3), NOW + 3 * REST)
    assert called(tournament, NOW + 3 * REST) == {}
    assert called(tournament, NOW + 4 * REST) == {1: (1, 2)}


@pytest.mark.parametrize(
    ("told", "soon"),
    [(Report(TIME, (2, 1)), {}), (Report(FORFEIT, winner="a"), {}), (Report(WALKOVER, winner="a"), {1: (1, 2)})],
    ids=["on time", "given up", "nobody came"],
)
def test_who_sat_at_the_table_rests_however_the_match_ended(told: Report, soon: dict[int, tuple[int, int]]) -> None:
    tournament = queued(3, (1,), format="round_robin")
    assert called(tournament) == {1: (2, 3)}
    first = of(tournament, 2, 3)
    submit_result(
        match_id=first.match_id or 0, report=told, by=organiser(of=tournament), key="told", expected_version=0, now=NOW
    )
    count_up(tournament)
    assert called(tournament, NOW + REST - SECOND) == soon
    assert called(tournament, NOW + REST) == {1: (1, 2)}


def test_a_table_out_of_use_is_passed_over() -> None:
    tournament = queued(4, (1, 2), format="single_elimination")
    out(tournament, 1)
    assert called(tournament) == {2: (1, 4)}


def test_a_held_match_is_not_called() -> None:
    tournament = queued(4, (1, 2), format="single_elimination")
    stage = tournament.stages.get()
    Slot.objects.create(stage=stage, round=1, number=1, changed_at=NOW, held_since=NOW)
    assert called(tournament) == {1: (2, 3)}


def test_a_player_in_two_tournaments_is_called_to_one_table() -> None:
    event = make_event()
    one, other = (make_tournament(event=event, name=name, seeding="rating", seating="queue") for name in ("A", "B"))
    put_up(event, (1, 2, 3, 4))
    make_field(size=2, tournament=one)
    make_field(size=2, tournament=other)
    other.entries.filter(name="Player 01").update(player=one.entries.get(name="Player 01").player_id)
    start(one)
    start(other)
    assert call_matches(event_id=event.pk, now=NOW) == [of(one, 1, 2).match_id]
    ends(of(one, 1, 2), NOW + REST)
    assert call_matches(event_id=event.pk, now=NOW + REST) == []
    assert call_matches(event_id=event.pk, now=NOW + 2 * REST) == [of(other, 1, 2).match_id]


def test_a_match_of_a_round_that_found_no_table_is_called_to_the_first_that_is_free() -> None:
    tournament = make_tournament(seeding="rating")
    put_up(tournament, (1, 2))
    make_field(size=6, tournament=tournament)
    start(tournament)
    assert [p.table for p in pairings(tournament, 1)] == [1, 2, None]
    assert call_matches(event_id=tournament.event_id, now=NOW) == []
    ends(pairings(tournament, 1)[0], NOW + REST)
    third = pairings(tournament, 1)[2]
    assert call_matches(event_id=tournament.event_id, now=NOW + REST) == [third.match_id]
    assert uses(tournament)[1] == third.pk


def test_a_draft_is_called_nowhere() -> None:
    tournament = make_tournament(seeding="rating", seating="queue", format="round_robin")
    put_up(tournament, (1, 2))
    make_field(size=4, tournament=tournament)
    act(rounds.start_tournament, tournament, tournament_id=tournament.pk)
    count_up(tournament)
    assert call_matches(event_id=tournament.event_id, now=NOW) == []


def test_a_fixed_seat_is_waited_for() -> None:
    tournament = queued(4, (1, 2), format="single_elimination")
    act(hall.fix_table, tournament, entry_id=entry(tournament, 4).pk, table=2)
    assert called(tournament) == {1: (2, 3), 2: (1, 4)}


def test_who_comes_on_in_a_bracket_waits_behind_those_who_wait_already() -> None:
    tournament = make_tournament(seeding="rating", format="single_elimination")
    put_up(tournament, (1, 2, 3))
    make_field(size=8, tournament=tournament)
    start(tournament)
    assert uses(tournament).keys() == {1, 2, 3}
    ends(of(tournament, 1, 8), NOW + REST)
    ends(of(tournament, 4, 5), NOW + REST)
    semi_final = of(tournament, 1, 4)
    assert semi_final.table is None
    assert called(tournament, NOW + REST) == {1: (3, 6), 3: (2, 7)}
    assert called(tournament, NOW + 2 * REST) == {1: (3, 6), 2: (1, 4), 3: (2, 7)}


def test_two_matches_of_a_round_robin_do_not_take_turns_at_a_table_of_the_queue() -> None:
    tournament = queued(4, (1, 2), format="round_robin")
    assert called(tournament) == {1: (1, 4), 2: (2, 3)}
    later = of(tournament, 1, 2)
    told = act(tables.move_match, tournament, match_id=later.match_id, table=2)
    assert isinstance(told, Refused)
    assert (told.code, told.params) == ("table_taken", {"table": 2, "match": of(tournament, 2, 3).match_id})


def test_whose_result_is_taken_back_waits_while_one_of_them_plays_elsewhere() -> None:
    tournament = queued(4, (1, 2, 3), format="round_robin")
    assert called(tournament) == {1: (1, 4), 2: (2, 3)}
    out(tournament, 1)
    first = of(tournament, 1, 4)
    ends(first, NOW)
    ends(of(tournament, 2, 3), NOW)
    assert called(tournament, NOW + REST) == {2: (4, 3), 3: (1, 2)}
    act(hall.bring_table_back, tournament, table_id=Table.objects.get(number=1).pk)
    act(results.clear_result, tournament, match_id=first.match_id, expected_version=1)
    count_up(tournament)
    first.refresh_from_db()
    assert (first.table, first.called_at) == (None, None)
    assert called(tournament, NOW + 2 * REST) == {2: (4, 3), 3: (1, 2)}


def test_a_match_that_was_told_a_table_waits_for_a_person_while_that_is_out_of_use() -> None:
    tournament = queued(4, (1, 2), format="single_elimination")
    slot = Slot.objects.create(stage=tournament.stages.get(), round=1, number=1, changed_at=NOW)
    act(slots.fix_match, tournament, slot_id=slot.pk, starts_at=None, table=2, now=NOW)
    out(tournament, 2)
    assert called(tournament) == {1: (2, 3)}
    ends(of(tournament, 2, 3), NOW + REST)
    assert called(tournament, NOW + REST) == {}
    act(tables.move_match, tournament, match_id=of(tournament, 1, 4).match_id, table=1)
    assert called(tournament, NOW + REST) == {1: (1, 4)}
