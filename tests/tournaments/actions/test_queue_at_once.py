"""The queue, the plan and people in the same moment: nothing is called twice, and the second follows the first."""

from __future__ import annotations

import random
from collections.abc import Callable
from datetime import datetime, timedelta
from functools import partial
from typing import Any

import pytest

from matches.actions import SCORE, Report
from matches.models import Submission
from players.permissions import Refused
from tests.factories import NOW, make_event, make_field, make_tournament, organiser
from tests.tournaments.at_once import one_behind_the_other
from tests.tournaments.halls import LATER, at, out, put_up, uses
from tests.tournaments.play import count_up, pairings, stage_of, start
from tournaments.actions import hall, plans, results, slots, standings, tables
from tournaments.actions.queue import call_matches
from tournaments.models import HallPlan, Notice, Pairing, Slot, Table, Tournament

pytestmark = [pytest.mark.db, pytest.mark.django_db(transaction=True)]


def queued(size: int, numbers: tuple[int, ...], form: str = "swiss") -> Tournament:
    """A tournament with a queue in a hall of such tables, its first round out and counted; nobody is called yet."""
    tournament = make_tournament(seeding="rating", seating="queue", format=form)
    put_up(tournament, numbers)
    make_field(size=size, tournament=tournament)
    start(tournament)
    return tournament


def call(tournament: Tournament, now: datetime = NOW) -> Callable[[], list[int]]:
    return partial(call_matches, event_id=tournament.event_id, now=now)


def do(action: Any, tournament: Tournament, **said: Any) -> Any:
    return partial(action, **{"by": organiser(of=tournament), "now": LATER, **said})


def end(tournament: Tournament, pairing: Pairing, key: str, now: datetime = LATER) -> Any:
    said = {"report": Report(SCORE, (3, 1)), "key": key, "expected_version": 0, "now": now}
    return do(results.enter_result, tournament, match_id=pairing.match_id, **said)


def test_st_04_10_ready_matches_6_tables_random_finishing_order_two_referees_end_table_3_at_the_same_time() -> None:
    tournament = queued(20, (1, 2, 3, 4, 5, 6, 7))
    out(tournament, 5)  # a blocked table is skipped
    ready = pairings(tournament, 1)
    call(tournament)()
    assert uses(tournament) == dict(zip((1, 2, 3, 4, 6, 7), [p.pk for p in ready[:6]], strict=True))

    third = ready[2]
    done, told = one_behind_the_other(end(tournament, third, "one"), end(tournament, third, "other"))
    assert isinstance(done, Submission)
    assert isinstance(told, Refused)
    assert (told.code, Submission.objects.count()) == ("stale_version", 1)
    first, second = one_behind_the_other(call(tournament, LATER), call(tournament, LATER))
    assert (first, second) == ([ready[6].match_id], [])
    assert at(ready[6]) == (3, True)

    rng, now, waiting = random.Random("ST-04"), LATER, [p.pk for p in ready[7:]]
    while sitting := uses(tournament):
        now += timedelta(minutes=1)
        table = rng.choice(sorted(sitting))
        end(tournament, Pairing.objects.get(pk=sitting.pop(table)), f"{now}", now)()
        if waiting:
            sitting[table] = waiting.pop(0)
        call(tournament, now)()
        assert uses(tournament) == sitting
    assert {pairing.table for pairing in pairings(tournament, 1)} == {1, 2, 3, 4, 6, 7}


def test_two_workers_call_at_once_and_nobody_is_called_twice() -> None:
    tournament = queued(8, (1, 2))
    first, second = one_behind_the_other(call(tournament), call(tournament))
    ready = pairings(tournament, 1)
    assert (first, second) == ([ready[0].match_id, ready[1].match_id], [])
    assert uses(tournament) == {1: ready[0].pk, 2: ready[1].pk}
    assert Notice.objects.filter(kind="called").count() == 4


def test_a_match_is_moved_to_a_table_while_another_is_called_there() -> None:
    tournament = queued(8, (1, 2))
    *_, last = ready = pairings(tournament, 1)
    moved, called = one_behind_the_other(
        do(tables.move_match, tournament, match_id=last.match_id, table=2, now=NOW), call(tournament)
    )
    assert (moved.pk, called) == (last.pk, [ready[0].match_id])
    assert uses(tournament) == {1: ready[0].pk, 2: last.pk}


def test_a_match_is_called_to_a_table_while_another_is_moved_there() -> None:
    tournament = queued(8, (1, 2))
    *_, last = ready = pairings(tournament, 1)
    called, moved = one_behind_the_other(
        call(tournament), do(tables.move_match, tournament, match_id=last.match_id, table=2)
    )
    assert called == [ready[0].match_id, ready[1].match_id]
    assert isinstance(moved, Refused)
    assert (moved.code, moved.params) == ("table_taken", {"table": 2, "match": ready[1].match_id})
    assert at(last) == (None, False)


def test_the_result_of_a_match_comes_while_it_is_called_and_the_next_has_its_table() -> None:
    tournament = queued(8, (1, 2))
    first, second, third, _fourth = pairings(tournament, 1)
    one_behind_the_other(end(tournament, first, "from paper", NOW), call(tournament))
    call(tournament)()
    assert uses(tournament) == {1: second.pk, 2: third.pk}
    assert (at(first), Notice.objects.filter(kind="called", entry=first.a_id).count()) == ((None, False), 0)


def test_a_match_is_called_while_its_result_comes_and_leaves_its_table() -> None:
    tournament = queued(8, (1, 2))
    first, second, third, _fourth = pairings(tournament, 1)
    one_behind_the_other(call(tournament), end(tournament, first, "from paper", NOW))
    assert (at(first), uses(tournament)) == ((1, False), {2: second.pk})
    assert call(tournament)() == [third.match_id]
    assert at(third) == (1, True)


def test_a_table_goes_out_of_use_while_a_match_is_called_there() -> None:
    tournament = queued(8, (1, 2))
    ready = pairings(tournament, 1)
    first = Table.objects.get(number=1)
    _, called = one_behind_the_other(do(hall.take_table_out, tournament, table_id=first.pk, now=NOW), call(tournament))
    assert called == [ready[0].match_id]
    assert uses(tournament) == {2: ready[0].pk}


@pytest.mark.parametrize("holds_first", [True, False])
def test_a_match_is_held_while_it_is_called_and_has_no_table_either_way(holds_first: bool) -> None:
    tournament = queued(8, (1,))
    first, second, *_ = pairings(tournament, 1)
    plans.replan(event_id=tournament.event_id, now=NOW)
    slot = Slot.objects.get(stage__tournament=tournament, round=1, number=1)
    pair = [do(slots.hold_match, tournament, slot_id=slot.pk, now=NOW), call(tournament)]
    one_behind_the_other(*(pair if holds_first else reversed(pair)))
    call(tournament)()
    assert (at(first), at(second)) == ((None, False), (1, True))


def test_a_match_is_called_while_its_stage_is_counted() -> None:
    tournament = queued(4, (1, 2), "single_elimination")
    for pairing in pairings(tournament, 1):
        end(tournament, pairing, f"{pairing.pk}", NOW)()
    count_up(tournament)
    final = pairings(tournament, 2)[0]
    end(tournament, pairings(tournament, 1)[0], "late")()
    plans.ask_for_plan(event_id=tournament.event_id)
    _, called = one_behind_the_other(
        partial(standings.refresh, stage_id=stage_of(tournament).pk, now=LATER), call(tournament, LATER)
    )
    assert called == [final.match_id]
    assert at(final) == (1, True)


def slots_of(tournament: Tournament) -> list[tuple[int, int, int, str]]:
    found = Slot.objects.filter(stage__tournament=tournament).order_by("round", "number")
    return list(found.values_list("round", "number", "sequence", "state"))


def test_two_workers_plan_at_once_and_every_match_has_one_slot() -> None:
    tournament = queued(4, (1, 2), "single_elimination")
    replan = partial(plans.replan, event_id=tournament.event_id, now=NOW)
    one_behind_the_other(replan, replan)
    assert slots_of(tournament) == [(1, 1, 0, "waiting"), (1, 2, 0, "waiting"), (2, 1, 0, "waiting")]
    plan = HallPlan.objects.get(event=tournament.event_id)
    assert (plan.made, plan.made_at) == (plan.asked, NOW)


def test_a_plan_that_was_begun_earlier_does_not_undo_a_newer_one() -> None:
    tournament = queued(4, (1, 2), "single_elimination")
    soon = NOW + timedelta(seconds=30)
    one_behind_the_other(*(partial(plans.replan, event_id=tournament.event_id, now=now) for now in (soon, NOW)))
    assert HallPlan.objects.get(event=tournament.event_id).made_at == soon


@pytest.mark.parametrize("counts_first", [True, False])
def test_a_stage_is_counted_while_its_event_is_planned_and_the_next_plan_knows(counts_first: bool) -> None:
    tournament = queued(4, (1, 2), "single_elimination")
    call(tournament)()
    end(tournament, pairings(tournament, 1)[0], "first")()
    pair = [
        partial(standings.refresh, stage_id=stage_of(tournament).pk, now=LATER),
        partial(plans.replan, event_id=tournament.event_id, now=LATER),
    ]
    one_behind_the_other(*(pair if counts_first else reversed(pair)))
    plans.replan(event_id=tournament.event_id, now=LATER + timedelta(seconds=5))
    plan = HallPlan.objects.get(event=tournament.event_id)
    assert plan.made == plan.asked
    assert [state for *_, state in slots_of(tournament)] == ["over", "playing", "waiting"]


def test_two_ask_for_the_first_plan_at_once_and_both_are_heard() -> None:
    event = make_event()
    ask = partial(plans.ask_for_plan, event_id=event.pk)
    one_behind_the_other(ask, ask)
    assert HallPlan.objects.get(event=event).asked == 2
