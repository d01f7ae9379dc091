"""What tests of better plans begin with: a hall whose usual plan can be beaten, and a solver that is there or not."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime, timedelta
from importlib.machinery import ModuleSpec
from types import ModuleType

import pytest

from tests.factories import NOW, make_event, make_field, make_tournament, organiser
from tests.tournaments.halls import put_up
from tests.tournaments.play import start
from tournaments.actions import plans, searches
from tournaments.actions.searches import Begun
from tournaments.engine import scheduling
from tournaments.engine.scheduling.improve import PACKAGE, Improved
from tournaments.models import Break, Event, PlanSearch
from tournaments.queries.plan_facts import PlanFacts

MINUTE = timedelta(minutes=1)


@contextmanager
def solver(*, is_there: bool) -> Iterator[None]:
    """Whether the package of the solver is found. One that is installed is left as it is."""
    stand_in = ModuleType(PACKAGE)
    stand_in.__spec__ = ModuleSpec(PACKAGE, None)
    with pytest.MonkeyPatch.context() as patch:
        if not is_there:
            patch.setitem(sys.modules, PACKAGE, None)
        elif sys.modules.get(PACKAGE) is None:
            patch.setitem(sys.modules, PACKAGE, stand_in)
        yield


def crowded(*, at: datetime = NOW, runs: bool = False) -> Event:
    """One table and lunch after 62 minutes: 40 minutes first leave no room for 30 and 30, which are an hour together.

    The usual plan takes the longest first and ends 160 minutes from the beginning; the best ends after 140. The three
    tournaments have not started unless it `runs`.
    """
    event = make_event()
    put_up(event, (1,))
    for name, length in (("Long", 40), ("Short", 30), ("Other", 30)):
        tournament = make_tournament(
            event=event,
            name=name,
            seeding="rating",
            seating="queue",
            format="single_elimination",
            match_minutes=length,
            starts_at=at,
        )
        make_field(size=2, tournament=tournament, here=runs)
        if runs:
            start(tournament)
    Break.objects.create(event=event, name="Lunch", starts_at=at + 62 * MINUTE, ends_at=at + 100 * MINUTE)
    plans.ask_for_plan(event_id=event.pk)
    plans.replan(event_id=event.pk, now=at)
    return event


def asked(event: Event, *, seconds: int = 20, now: datetime = NOW) -> PlanSearch:
    """A search the organiser asked for."""
    with solver(is_there=True):
        found = searches.ask_for_search(event_id=event.pk, seconds=seconds, by=organiser(of=event), now=now)
    assert isinstance(found, PlanSearch), found
    return found


def begun(event: Event, *, now: datetime = NOW) -> Begun:
    """A search that has just begun."""
    found = searches.begin_search(search_id=asked(event, now=now).pk, now=now)
    assert found is not None
    return found


def finished(event: Event, *lengths: int, now: datetime = NOW, is_best: bool = False) -> PlanSearch:
    """A search that found this order, as `in_order` has it."""
    one = begun(event, now=now)
    done = searches.finish_search(begun=one, found=in_order(one.facts, *lengths, is_best=is_best), now=now)
    assert done is not None
    return done


def in_order(facts: PlanFacts, *lengths: int, is_best: bool = False) -> Improved:
    """What a search says that found this order, by the minutes of the matches."""
    hall = replace(facts.hall, spread=0)
    waiting = [match for match in facts.matches if match.state is scheduling.State.WAITING]
    wanted: dict[str, int] = {}
    for at, length in enumerate(lengths):
        key = next(match.key for match in waiting if match.length == length * 60 and match.key not in wanted)
        wanted[key] = facts.now + at
    before = scheduling.plan(matches=facts.matches, hall=hall, now=facts.now)
    matches = [replace(match, wanted=wanted.get(match.key)) for match in facts.matches]
    found = scheduling.plan(matches=matches, hall=hall, now=facts.now)
    return Improved(before=before, plan=found, followed=found, is_best=is_best)
