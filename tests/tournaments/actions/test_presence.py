"""Presence at the table: a proposal for the referee, worked out when somebody looks, confirmed by one press."""

from __future__ import annotations

from datetime import datetime, timedelta
from functools import partial
from typing import Any

import pytest

from matches.actions import SCORE, Report
from matches.models import Match, Submission
from players.models import Act
from players.permissions import Actor, Refused, Role
from tests.factories import NOW, make_field, make_tournament
from tests.tournaments.at_once import one_behind_the_other
from tests.tournaments.play import count_up, report, start
from tournaments.actions import presence, results
from tournaments.actions.reports import report_own
from tournaments.models import Entry, Pairing, Standing, Tournament
from tournaments.permissions import actor_of_entry
from tournaments.queries.presence import asked_times, due_times, newly_missing, no_shows

pytestmark = [pytest.mark.django_db, pytest.mark.db]

DUE = NOW + timedelta(hours=4)


def after(minutes: float) -> datetime:
    return DUE + timedelta(minutes=minutes)


def playing(size: int = 4, *, minutes: int | None = 10, due: datetime | None = DUE, **facts: Any) -> Tournament:
    """A running tournament whose first matches are due at 14:00."""
    tournament = make_tournament(seeding="rating", no_show_minutes=minutes, **facts)
    make_field(size=size, tournament=tournament)
    start(tournament)
    Pairing.objects.filter(round__stage__tournament=tournament).update(due_at=due)
    return tournament


def table_of(tournament: Tournament, place: int = 0) -> Pairing:
    found = Pairing.objects.select_related("a", "b", "match", "round__stage__tournament__event")
    return found.filter(round__stage__tournament=tournament).order_by("round__number", "number")[place]


def sit(pairing: Pairing, side: str, at: datetime, *, here: bool = True) -> Pairing | Refused:
    entry = pairing.a if side == "a" else pairing.b
    assert entry is not None
    by = actor_of_entry(Entry.objects.select_related("tournament").get(pk=entry.pk))
    return presence.say_here(entry_id=entry.pk, match_id=pairing.match_id or 0, here=here, by=by, now=at)


def referee(tournament: Tournament) -> Actor:
    return Actor(role=Role.REFEREE, name="Marta", link=7, event=tournament.event_id)


def confirm(pairing: Pairing, at: datetime, *, version: int = 0) -> Submission | Refused:
    tournament = pairing.round.stage.tournament
    return presence.confirm_no_show(
        match_id=pairing.match_id or 0, expected_version=version, by=referee(tournament), now=at
    )


def asked(tournament: Tournament, at: datetime) -> list[str]:
    """Who is proposed as missing, as the referee's page reads it."""
    rows = list(
        Pairing.objects.select_related("a", "b", "match", "round__stage__tournament")
        .filter(round__stage__tournament=tournament)
        .order_by("number")
    )
    waiting = Submission.objects.filter(is_waiting=True).values_list("match_id", flat=True)
    return [each.absent.name for each in no_shows(pairings=rows, reported=set(waiting), now=at).values()]


def state(pairing: Pairing) -> tuple[str, str]:
    match = Match.objects.get(pairing=pairing)
    return match.kind, match.winner


def test_ff_02_a_both_are_there_and_play_so_nothing_happens() -> None:
    tournament = playing()
    pairing = table_of(tournament)
    for side in ("a", "b"):
        sit(pairing, side, after(1))
    presence.say_begun(match_id=pairing.match_id or 0, by=referee(tournament), now=after(5))
    for _twice in range(2):
        assert asked(tournament, after(10)) == []
        assert confirm(pairing, after(10)) == Refused("no_show_gone")
    assert state(pairing) == ("", "")


def test_ff_02_b_moved_to_a_later_time_nothing_happens() -> None:
    tournament = playing()
    pairing = table_of(tournament)
    Pairing.objects.filter(pk=pairing.pk).update(due_at=after(60))
    sit(pairing, "b", after(0))
    for _twice in range(2):
        assert asked(tournament, after(10)) == []
        assert confirm(pairing, after(10)) == Refused("no_show_gone")
    assert asked(tournament, after(70)) == [pairing.a.name]


def test_ff_02_c_one_is_proposed_once_and_a_press_is_taken_back_with_one() -> None:
    tournament = playing()
    pairing = table_of(tournament)
    sit(pairing, "b", after(2))
    assert asked(tournament, after(9)) == []
    assert confirm(pairing, after(9)) == Refused("no_show_gone")
    assert asked(tournament, after(10)) == [pairing.a.name]
    assert state(pairing) == ("", "")  # asking is no result
    first = confirm(pairing, after(10))
    assert isinstance(first, Submission)
    assert (first.kind, first.winner, first.by_name, first.key) == (
        "walkover",
        "b",
        "Marta",
        f"no-show:{pairing.match_id}:0",
    )
    assert confirm(pairing, after(11)) == first
    assert Submission.objects.count() == 1
    assert asked(tournament, after(11)) == []
    count_up(tournament)
    assert Standing.objects.get(entry=pairing.b_id).wins == 1
    cleared = results.clear_result(
        match_id=pairing.match_id or 0, by=referee(tournament), expected_version=1, now=after(12)
    )
    assert isinstance(cleared, Match)
    assert state(pairing) == ("", "")
    assert isinstance(sit(pairing, "a", after(13)), Pairing)
    assert asked(tournament, after(14)) == []


def test_ff_02_c_in_a_bracket_the_one_who_came_advances() -> None:
    tournament = playing(format="single_elimination")
    pairing, other = table_of(tournament), table_of(tournament, 1)
    sit(pairing, "b", after(2))
    assert isinstance(confirm(pairing, after(10)), Submission)
    report(other, (3, 0))
    count_up(tournament)
    final = table_of(tournament, 2)
    assert {final.a_id, final.b_id} == {pairing.b_id, other.a_id}


def test_ff_05_a_told_result_counts_as_presence_of_both() -> None:
    tournament = playing(minutes=5, players_report=True)
    pairing = table_of(tournament)
    sit(pairing, "a", after(0))
    assert asked(tournament, after(5)) == ["Player 01"]
    assert pairing.b is not None
    told = report_own(
        entry_id=pairing.b.pk,
        match_id=pairing.match_id or 0,
        report=Report(SCORE, (3, 1)),
        by=actor_of_entry(Entry.objects.select_related("tournament").get(pk=pairing.b.pk)),
        key="told-by-b",
        expected_version=0,
        now=after(4),
    )
    assert isinstance(told, Submission)
    assert asked(tournament, after(5)) == []
    assert confirm(pairing, after(5)) == Refused("no_show_gone")


def test_ff_05_a_referees_word_that_they_play_counts_too_and_is_taken_back() -> None:
    tournament = playing(minutes=5)
    pairing = table_of(tournament)
    sit(pairing, "a", after(0))
    say = partial(presence.say_begun, match_id=pairing.match_id or 0, by=referee(tournament))
    for at in (after(2), after(3)):
        began = say(now=at)
        assert isinstance(began, Pairing)
        assert began.began_at == after(2)
    assert asked(tournament, after(5)) == []
    say(begun=False, now=after(6))
    assert asked(tournament, after(6)) == ["Player 01"]


def test_ff_05_nobody_pressed_so_nobody_is_proposed() -> None:
    tournament = playing(minutes=5)
    assert asked(tournament, after(60)) == []
    assert confirm(table_of(tournament), after(60)) == Refused("no_show_gone")


def test_ff_05_one_pressed_and_the_other_is_proposed_and_undo_is_possible_until_the_next_round() -> None:
    tournament = playing(minutes=5)
    pairing = table_of(tournament, 1)
    sit(pairing, "a", after(0))
    assert asked(tournament, after(5)) == ["Player 02"]
    assert isinstance(confirm(pairing, after(5)), Submission)
    assert state(pairing) == ("walkover", "a")
    clear = partial(results.clear_result, match_id=pairing.match_id or 0, by=referee(tournament))
    assert isinstance(clear(expected_version=1, now=after(6)), Match)
    again = confirm(pairing, after(7), version=2)
    assert isinstance(again, Submission)
    assert again.key == f"no-show:{pairing.match_id}:2"


def test_saying_it_twice_is_once_and_a_mis_tap_is_taken_back() -> None:
    tournament = playing()
    pairing = table_of(tournament)
    sit(pairing, "a", after(0))
    sit(pairing, "a", after(1))
    assert table_of(tournament).here_a_at == after(0)
    sit(pairing, "a", after(2), here=False)
    sit(pairing, "a", after(3), here=False)
    assert table_of(tournament).here_a_at is None
    acts = Act.objects.filter(target=f"entry/{pairing.a_id}", verb__contains="say").values_list("verb", "role")
    assert list(acts) == [("say_here", "player"), ("unsay_here", "player")]


def test_nobody_says_it_of_a_match_that_is_not_theirs_or_is_over() -> None:
    tournament = playing()
    pairing, other = table_of(tournament), table_of(tournament, 1)
    by = actor_of_entry(Entry.objects.select_related("tournament").get(pk=other.a_id))
    said = partial(presence.say_here, entry_id=other.a_id, by=by, now=after(0))
    assert said(match_id=pairing.match_id or 0) == Refused("no_open_match")
    assert said(match_id=0) == Refused("no_open_match")
    report(pairing, (3, 0))
    assert sit(pairing, "a", after(1)) == Refused("no_open_match")
    Tournament.objects.filter(pk=tournament.pk).update(state="finished")
    assert sit(other, "a", after(1)) == Refused("not_running")


def test_without_a_time_of_its_own_a_match_is_due_when_both_are_free() -> None:
    """In a round robin every round is out at the start: nobody is missing who still plays the round before."""
    tournament = playing(format="round_robin", due=None, minutes=10)
    second = table_of(tournament, 2)
    assert second.round.number == 2
    sit(second, "a", NOW)
    assert due_times(pairings=[second]) == {}
    assert asked_times(pairings=[second]) == {}
    assert asked(tournament, after(600)) == []
    for place in (0, 1):
        report(table_of(tournament, place), (3, 0))
    Match.objects.filter(pairing__round__number=1).update(decided_at=after(0))
    assert due_times(pairings=[second]) == {second.pk: after(0)}
    assert asked_times(pairings=[second]) == {second.pk: after(10)}
    assert asked(tournament, after(9)) == []
    assert second.b is not None
    assert asked(tournament, after(10)) == [second.b.name]


def test_where_the_tournament_asks_nobody_there_is_no_proposal() -> None:
    tournament = playing(minutes=None)
    pairing = table_of(tournament)
    sit(pairing, "a", after(0))
    assert asked(tournament, after(600)) == []
    assert asked_times(pairings=[pairing]) == {}


def test_pages_are_told_in_the_moment_there_is_something_to_ask() -> None:
    tournament = playing()
    sit(table_of(tournament), "a", after(0))
    within = timedelta(seconds=10)
    assert newly_missing(now=after(9.9), within=within) == []
    assert newly_missing(now=after(10), within=within) == [tournament.pk]
    assert newly_missing(now=after(11), within=within) == []


def test_how_many_matches_wait_costs_no_query_more(django_assert_num_queries: Any) -> None:
    counts = []
    for size in (4, 16):
        tournament = playing(size, due=None)
        for place in range(size // 2):
            sit(table_of(tournament, place), "a", NOW)
        rows = list(
            Pairing.objects.select_related("a", "b", "match", "round__stage__tournament").filter(
                round__stage__tournament=tournament
            )
        )
        with django_assert_num_queries(2):
            counts.append(len(no_shows(pairings=rows, reported=(), now=after(600))))
    assert counts == [2, 8]


@pytest.mark.db
@pytest.mark.django_db(transaction=True)
def test_ff_02_whoever_sits_down_while_the_referee_presses_is_there() -> None:
    tournament = playing()
    pairing = table_of(tournament)
    sit(pairing, "b", after(2))
    sat, told = one_behind_the_other(partial(sit, pairing, "a", after(10)), partial(confirm, pairing, after(10)))
    assert isinstance(sat, Pairing)
    assert told == Refused("no_show_gone")
    assert state(pairing) == ("", "")


@pytest.mark.db
@pytest.mark.django_db(transaction=True)
def test_ff_02_pressed_twice_at_once_it_is_one_result() -> None:
    tournament = playing()
    pairing = table_of(tournament)
    sit(pairing, "b", after(2))
    press = partial(confirm, pairing, after(10))
    first, second = one_behind_the_other(press, press)
    assert isinstance(first, Submission)
    assert first == second
    assert Submission.objects.count() == 1
