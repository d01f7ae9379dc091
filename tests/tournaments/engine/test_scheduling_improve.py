"""The search for a better plan: never worse, never wrong, and it says how much better a plan could still be."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from threading import Timer
from time import monotonic

import pytest

from tests.tournaments.engine.schedules import SLOT, hall_of, matches_of, with_cameras
from tests.tournaments.engine.test_scheduling_laws import Day, nobody_is_twice_anywhere, promises_are_kept
from tournaments.engine.scheduling import Break, Hall, Match, Referee, State, Table, Window, clashes, plan
from tournaments.engine.scheduling.improve import Progress, improve


@pytest.mark.parametrize(
    ("name", "listed", "best"),
    [("double_64", 31, 30), ("groups_8x4", 7, 6), ("groups_2x16", 35, 29), ("single_128", 16, 16)],
)
def test_restricted_tables_are_used_better(name: str, listed: int, best: int) -> None:
    """A quarter of the tables has a camera, and the last matches need one."""
    matches, hall = with_cameras(matches_of(name)), hall_of(name, cameras=len(hall_of(name).tables) // 4)
    found = improve(matches=matches, hall=hall, now=0, seconds=20)
    assert (found.before.end, found.plan.end, found.plan.bound.end) == (listed * SLOT, best * SLOT, best * SLOT)
    assert (found.is_better, found.is_best) == (listed > best, True)
    assert clashes(matches=matches, hall=hall, places=found.plan.assignments) == ()
    assert (found.followed.end, found.followed.bound) == (best * SLOT, found.plan.bound)
    starts = {place.match: place.start for place in found.followed.assignments}
    ordered = [replace(match, wanted=starts[match.key]) for match in matches]
    assert plan(matches=ordered, hall=hall, now=0).end == best * SLOT


def test_the_same_seed_finds_the_same() -> None:
    matches, hall = with_cameras(matches_of("groups_8x4")), hall_of("groups_8x4", cameras=2)
    once, again = (improve(matches=m, hall=hall, now=0, seconds=20, seed=7) for m in (matches, matches[::-1]))
    assert once == again


def test_a_search_tells_how_far_it_is_and_can_be_stopped() -> None:
    matches, hall = with_cameras(matches_of("groups_4x8")), hall_of("groups_4x8", cameras=2)
    told: list[Progress] = []

    def stop(progress: Progress) -> bool:
        told.append(progress)
        return False

    found = improve(matches=matches, hall=hall, now=0, seconds=20, progress=stop)
    assert told[0].bound == 14 * SLOT
    assert told[0].end <= found.before.end
    assert (found.plan.end <= found.before.end, found.is_best) == (True, False)


def test_a_search_is_ended_from_another_thread() -> None:
    matches, hall = with_cameras(matches_of("groups_4x8")), hall_of("groups_4x8", cameras=2)
    ending: list[Timer] = []

    def ready(end: Callable[[], None]) -> None:
        ending.append(Timer(0.5, end))
        ending[0].start()

    begun = monotonic()
    found = improve(matches=matches, hall=hall, now=0, seconds=60, ready=ready)
    ending[0].join()
    assert monotonic() - begun < 20
    assert (found.plan.end <= found.before.end, found.is_best) == (True, False)


def test_more_matches_before_closing_are_better_than_fewer() -> None:
    """The list scheduler begins the long match at once, and the one that fits before lunch has to wait."""
    hall = Hall(
        tables=(Table(key="1"),),
        hours=(Window(0, 100),),
        breaks=(Break(key="lunch", start=40, end=50),),
        referees=(Referee(key="Ref", hours=(Window(0, 40),)),),
    )
    matches = (
        Match(key="a", length=30, players=("A", "B")),
        Match(key="b", length=40, players=("C", "D"), needs_referee=True),
        Match(key="c", length=20, players=("E", "F"), feeds=("a",)),
    )
    found = improve(matches=matches, hall=hall, now=0, seconds=20)
    assert len(found.plan.misfits) <= len(found.before.misfits)
    assert [(p.match, p.start, p.referee) for p in found.plan.assignments] == [
        ("b", 0, "Ref"),
        ("a", 50, None),
        ("c", 80, None),
    ]
    assert clashes(matches=matches, hall=hall, places=found.plan.assignments) == ()


@pytest.mark.parametrize("seed", range(12))
def test_whatever_happens_a_better_plan_is_a_plan(seed: int) -> None:
    day = Day(random.Random(seed))
    for _ in range(12):
        day.happens()()
    told = day.matches()
    found = improve(matches=told, hall=day.hall, now=day.now, seconds=0.4)
    assert clashes(matches=told, hall=day.hall, places=found.plan.assignments) == ()
    nobody_is_twice_anywhere(day, found.plan)
    promises_are_kept(day, {match.key: match for match in told}, found.plan)
    assert (len(found.plan.misfits), found.plan.end) <= (len(found.before.misfits), found.before.end)
    assert found.plan.bound.end <= found.plan.end
    assert clashes(matches=told, hall=day.hall, places=found.followed.assignments) == ()
    worths = [(len(each.misfits), each.end) for each in (found.plan, found.followed, found.before)]
    assert worths == sorted(worths)
    facts = [place for place in found.before.assignments if place.state is not State.WAITING]
    assert [place for place in found.plan.assignments if place.state is not State.WAITING] == facts
