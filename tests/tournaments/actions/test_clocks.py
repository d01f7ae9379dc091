"""The clock of a round: started once, paused, let go on, given more time, taken away; extra time for one table."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest

from matches.models import Match
from players.models import Act
from players.permissions import Refused
from tests.factories import NOW, organiser
from tests.tournaments.play import draft, pairings, play_open, stage_of
from tests.tournaments.views.referee import running
from tournaments.actions import clocks, rounds
from tournaments.engine.clocks import ends_at, time_left
from tournaments.models import Pairing, Round, RoundClock, Tournament
from tournaments.queries.stages import stage_version

pytestmark = pytest.mark.django_db


def at(minutes: float) -> datetime:
    return NOW + timedelta(minutes=minutes)


def timed(**facts: Any) -> Tournament:
    return running(4, round_minutes=50, **facts)


def press(act: Callable[..., Any], tournament: Tournament, *, minute: float = 0, number: int = 1, **said: Any) -> Any:
    round_ = Round.objects.get(stage__tournament=tournament, number=number)
    return act(round_id=round_.pk, by=organiser(of=tournament), now=at(minute), **said)


def code(outcome: object) -> str:
    assert isinstance(outcome, Refused), outcome
    return outcome.code


def verbs() -> list[str]:
    return [verb for verb in Act.objects.order_by("pk").values_list("verb", flat=True) if "clock" in verb]


def clock() -> RoundClock:
    return RoundClock.objects.get()


def test_pressed_twice_it_is_started_once_and_every_page_has_another_version() -> None:
    tournament = timed()
    before = stage_version(stage_of(tournament))
    press(clocks.start_clock, tournament)
    press(clocks.start_clock, tournament, minute=2)
    found = clock()
    assert (found.seconds, found.started_at, found.paused_at, found.version) == (3000, NOW, None, 1)
    assert verbs() == ["start_clock"]
    assert stage_version(stage_of(tournament)) != before


def test_a_pause_and_more_time_move_the_end_and_nothing_is_done_twice() -> None:
    tournament = timed()
    press(clocks.start_clock, tournament)
    press(clocks.pause_clock, tournament, minute=20)
    press(clocks.pause_clock, tournament, minute=22)
    assert time_left(clock().as_clock, now=at(24)) == 30 * 60_000
    press(clocks.resume_clock, tournament, minute=25)
    press(clocks.resume_clock, tournament, minute=26)
    assert ends_at(clock().as_clock) == at(55)
    press(clocks.extend_clock, tournament, minute=56, minutes=5, expected_version=3)
    assert ends_at(clock().as_clock) == at(60)
    assert code(press(clocks.extend_clock, tournament, minutes=5, expected_version=3)) == "clock_changed"
    assert (ends_at(clock().as_clock), clock().version) == (at(60), 4)
    assert verbs() == ["start_clock", "pause_clock", "resume_clock", "extend_clock"]


def test_a_clock_that_was_forgotten_for_weeks_has_what_was_left() -> None:
    tournament = timed()
    press(clocks.start_clock, tournament)
    press(clocks.pause_clock, tournament, minute=20)
    late = 60 * 24 * 40
    press(clocks.resume_clock, tournament, minute=late)
    assert ends_at(clock().as_clock) == at(late + 30)


def test_taken_away_it_can_be_started_anew_from_the_full_time() -> None:
    tournament = timed()
    press(clocks.start_clock, tournament)
    press(clocks.reset_clock, tournament, minute=5)
    press(clocks.reset_clock, tournament, minute=5)
    assert RoundClock.objects.count() == 0
    press(clocks.start_clock, tournament, minute=7)
    assert ends_at(clock().as_clock) == at(57)
    assert verbs() == ["start_clock", "reset_clock", "start_clock"]


def test_what_cannot_be_says_why_and_does_nothing() -> None:
    untimed = running(4)
    assert code(press(clocks.start_clock, untimed)) == "no_round_time"
    tournament = timed()
    for act in (clocks.pause_clock, clocks.resume_clock):
        assert code(press(act, tournament)) == "clock_not_started"
    assert code(press(clocks.extend_clock, tournament, minutes=5, expected_version=0)) == "clock_not_started"
    unknown = clocks.start_clock(round_id=10**9, by=organiser(of=tournament), now=NOW)
    assert (code(unknown), isinstance(unknown, Refused) and unknown.status) == ("round_unknown", 404)
    play_open(tournament)
    assert code(press(clocks.start_clock, tournament)) == "round_is_played"
    draft(tournament)
    assert code(press(clocks.start_clock, tournament, number=2)) == "round_not_published"
    Tournament.objects.filter(pk=tournament.pk).update(state="finished")
    assert code(press(clocks.start_clock, tournament)) == "not_running"
    assert (RoundClock.objects.count(), verbs()) == (0, [])


def give(tournament: Tournament, pairing: Pairing, seconds: int) -> Any:
    return clocks.give_time(match_id=pairing.match_id or 0, seconds=seconds, by=organiser(of=tournament), now=NOW)


def test_extra_time_is_one_tables_own_and_can_be_taken_back() -> None:
    tournament = timed()
    first, second = pairings(tournament)
    for _twice in range(2):
        give(tournament, first, 180)
    assert [each.extra_seconds for each in pairings(tournament)] == [180, 0]
    give(tournament, first, 0)
    acts = Act.objects.filter(verb="give_time").order_by("pk")
    assert [(act.before["seconds"], act.after["seconds"]) for act in acts] == [(0, 180), (180, 0)]
    play_open(tournament)
    assert code(give(tournament, second, 60)) == "no_open_match"
    untimed = running(4)
    assert code(give(untimed, pairings(untimed)[0], 60)) == "no_round_time"


def test_a_round_taken_back_has_no_clock_and_no_extra_time() -> None:
    tournament = timed()
    press(clocks.start_clock, tournament)
    give(tournament, pairings(tournament)[0], 180)
    taken = rounds.take_back_round(stage_id=stage_of(tournament).pk, by=organiser(of=tournament), now=NOW)
    assert not isinstance(taken, Refused)
    assert RoundClock.objects.count() == 0
    assert [each.extra_seconds for each in pairings(tournament)] == [0, 0]


def test_the_end_of_time_changes_no_result() -> None:
    tournament = timed()
    press(clocks.start_clock, tournament)
    before = list(Match.objects.order_by("pk").values_list("kind", "sets_a", "sets_b", "version"))
    press(clocks.pause_clock, tournament, minute=90)
    assert time_left(clock().as_clock, now=at(90)) == -40 * 60_000
    assert list(Match.objects.order_by("pk").values_list("kind", "sets_a", "sets_b", "version")) == before
