"""Two press a clock in the same moment: it is done once, and a round taken back has no clock."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from players.models import Act
from players.permissions import Refused
from tests.factories import NOW, organiser
from tests.tournaments.at_once import one_behind_the_other
from tests.tournaments.play import pairings, stage_of
from tests.tournaments.views.referee import running
from tournaments.actions import clocks, rounds
from tournaments.models import Round, RoundClock, Tournament

pytestmark = [pytest.mark.db, pytest.mark.django_db(transaction=True)]


def press(act: Callable[..., Any], tournament: Tournament, **said: Any) -> Callable[[], Any]:
    """What is done to the clock of the first round, when it is called."""
    round_ = Round.objects.get(stage__tournament=tournament)
    return partial(act, round_id=round_.pk, by=organiser(of=tournament), now=NOW, **said)


def take_back(tournament: Tournament) -> Callable[[], Any]:
    return partial(rounds.take_back_round, stage_id=stage_of(tournament).pk, by=organiser(of=tournament), now=NOW)


def test_two_who_start_or_extend_it_at_once_do_it_once() -> None:
    tournament = running(2, round_minutes=50)
    start = press(clocks.start_clock, tournament)
    first, second = one_behind_the_other(start, start)
    assert first == second
    more = press(clocks.extend_clock, tournament, minutes=5, expected_version=1)
    _, refused = one_behind_the_other(more, more)
    assert refused == Refused("clock_changed")
    assert RoundClock.objects.get().seconds == 55 * 60
    assert Act.objects.filter(verb__in=["start_clock", "extend_clock"]).count() == 2


def test_a_round_that_is_just_taken_back_gets_no_clock() -> None:
    tournament = running(2, round_minutes=50)
    _, started = one_behind_the_other(take_back(tournament), press(clocks.start_clock, tournament))
    assert started == Refused("round_not_published")
    assert RoundClock.objects.count() == 0


def test_a_round_is_taken_back_with_the_clock_that_is_just_started_and_the_time_that_is_just_given() -> None:
    tournament = running(2, round_minutes=50)
    _, taken = one_behind_the_other(press(clocks.start_clock, tournament), take_back(tournament))
    assert taken == Round.objects.get(stage__tournament=tournament)
    assert RoundClock.objects.count() == 0
    rounds.publish_rounds(stage_id=stage_of(tournament).pk, by=organiser(of=tournament), now=NOW)
    match = pairings(tournament)[0].match_id
    give = partial(clocks.give_time, match_id=match or 0, seconds=60, by=organiser(of=tournament), now=NOW)
    _, taken = one_behind_the_other(give, take_back(tournament))
    assert not isinstance(taken, Refused)
    assert [each.extra_seconds for each in pairings(tournament)] == [0]
