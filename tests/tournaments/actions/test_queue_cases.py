"""Cases of byes, walkovers and corrections where matches come to their tables from the queue."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from matches.actions import SCORE, WALKOVER, Report
from matches.models import Match
from players.permissions import Refused
from tests.factories import NOW, organiser
from tests.tournaments.actions.test_plans import planned
from tests.tournaments.actions.test_queue import called, queued
from tests.tournaments.halls import act, uses
from tests.tournaments.play import count_up, draft, pairings, play_open, publish
from tournaments.actions import results, tables
from tournaments.models import Notice, Pairing, Tournament

pytestmark = pytest.mark.django_db

HOUR = timedelta(hours=1)


def seats_of(tournament: Tournament, number: int) -> list[tuple[int | None, bool]]:
    """The table of each pairing of a round, and whether it is a bye."""
    return [(pairing.table, pairing.b_id is None) for pairing in pairings(tournament, number)]


def tell(tournament: Tournament, pairing: Pairing, report: Report, at: datetime) -> None:
    match = Match.objects.get(pairing=pairing)
    outcome = results.enter_result(
        match_id=match.pk,
        report=report,
        by=organiser(of=tournament),
        key=f"{match.pk}/{at}",
        expected_version=match.version,
        now=at,
    )
    assert not isinstance(outcome, Refused), outcome
    count_up(tournament, now=at)


def test_st_02_a_swiss_of_nine_is_called_to_four_tables_and_the_bye_to_none() -> None:
    tournament = queued(9, (5, 6, 7, 8))
    assert called(tournament) == {5: (7, 1), 6: (2, 8), 7: (3, 6), 8: (4, 5)}
    assert seats_of(tournament, 1) == [(5, False), (6, False), (7, False), (8, False), (None, True)]
    assert [slot.table for (number, _), slot in planned(tournament).items() if number == 1] == [5, 6, 7, 8]
    play_open(tournament)
    draft(tournament)
    publish(tournament)
    called(tournament, NOW + HOUR)
    assert sorted(seats_of(tournament, 2), key=str) == [(5, False), (6, False), (7, False), (8, False), (None, True)]


def test_st_02_in_a_double_elimination_of_eleven_with_many_walkovers_no_two_are_called_to_one_table() -> None:
    tournament = queued(11, (5, 6, 7, 8), format="double_elimination")
    at, played = NOW, 0
    while called(tournament, at):
        numbers = [pairing.table for pairing in pairings(tournament) if pairing.pk in uses(tournament).values()]
        assert sorted(numbers) == list(uses(tournament))  # type: ignore[type-var]
        assert set(uses(tournament)) <= {5, 6, 7, 8}
        for number, pk in uses(tournament).items():
            played += 1
            kind = Report(SCORE, (3, 1)) if played % 3 == 0 else Report(WALKOVER, winner="ab"[number % 2])
            tell(tournament, Pairing.objects.get(pk=pk), kind, at)
        at += HOUR
    byes = [pairing.table for pairing in pairings(tournament) if pairing.b_id is None]
    assert byes == [None] * len(byes)
    over = Match.objects.filter(pairing__round__stage__tournament=tournament).exclude(kind="").count()
    assert (over, played, tournament.entries.count()) == (played, played, 11)
    assert played >= 2 * 11 - 2  # everybody but one lost twice


def test_st_08_a_correction_leaves_whoever_is_called_where_they_are() -> None:
    tournament = queued(8, (3, 5, 7))
    for _ in range(2):
        play_open(tournament)
        draft(tournament)
        publish(tournament)
    sitting = called(tournament, NOW + HOUR)
    before = [(pairing.pk, pairing.table) for pairing in pairings(tournament, 3)]
    told = [slot.table for (number, _), slot in planned(tournament, NOW + HOUR).items() if number == 3]
    assert told[:3] == [table for _, table in before][:3] == [3, 5, 7]
    notices = Notice.objects.count()

    corrected = pairings(tournament, 2)[0]
    assert corrected.match is not None
    said = {"report": Report(SCORE, (1, 3)), "key": "the-correction", "expected_version": corrected.match.version}
    act(results.correct_result, tournament, match_id=corrected.match_id, **said)
    count_up(tournament)
    assert called(tournament, NOW + HOUR) == sitting
    again = [slot.table for (number, _), slot in planned(tournament, NOW + 2 * HOUR).items() if number == 3]
    assert ([(pairing.pk, pairing.table) for pairing in pairings(tournament, 3)], again[:3]) == (before, told[:3])
    assert Notice.objects.count() == notices

    one, other = pairings(tournament, 3)[:2]
    act(tables.swap_tables, tournament, match_id=one.match_id, with_match=other.match_id, seen=(3, 5))
    assert [pairing.table for pairing in pairings(tournament, 3)] == [5, 3, 7, None]
    new = Notice.objects.order_by("pk")[notices:]
    assert {notice.entry_id for notice in new} == {one.a_id, one.b_id, other.a_id, other.b_id}
