"""The worker's doors: delivered twice, late, in another order or not at all, it comes to the same."""

from __future__ import annotations

from datetime import datetime
from functools import partial
from itertools import permutations

import pytest
from django.db import transaction

from players.models import Act
from tests.factories import NOW, make_field, make_tournament, organiser
from tests.tournaments.play import pairings, report, stage_of, start, table
from tournaments import tasks
from tournaments.actions import roster, rounds
from tournaments.models import Entry, RosterImport, StageChange, Standing, Tournament

pytestmark = pytest.mark.django_db


def running(size: int = 4, form: str = "swiss") -> Tournament:
    tournament = make_tournament(seeding="rating", format=form)
    make_field(size=size, tournament=tournament)
    start(tournament)
    return tournament


def waiting_list(tournament: Tournament, size: int = 201) -> RosterImport:
    """A list that is confirmed and too long to be applied at once."""
    by = organiser(of=tournament)
    rows = [
        {"line": n + 1, "name": f"Player {n:03}", "email": "", "city": "", "club": "", "rating": None}
        for n in range(1, size + 1)
    ]
    kept = roster.prepare_import(
        tournament_id=tournament.pk, filename="long.csv", rows=rows, problems=[], source={}, by=by, now=NOW
    )
    assert isinstance(kept, RosterImport)
    confirmed = roster.confirm_import(import_id=kept.pk, by=by, now=NOW)
    assert isinstance(confirmed, RosterImport)
    assert confirmed.state == "waiting"
    return confirmed


def counted(tournament: Tournament) -> tuple[int, datetime | None, list[int]]:
    """What another count would change: the version, its time and the rows themselves."""
    stage = stage_of(tournament)
    rows = Standing.objects.filter(stage=stage).order_by("pk").values_list("pk", flat=True)
    return stage.version, stage.refreshed_at, list(rows)


def test_bj_01_delivered_three_times_a_task_has_its_effect_once() -> None:
    tournament = running()
    report(pairings(tournament, 1)[0], (3, 1))
    tasks.refresh_standings(stage_of(tournament).pk)
    before = counted(tournament)
    for _ in range(2):
        tasks.refresh_standings(stage_of(tournament).pk)
    assert counted(tournament) == before

    kept = waiting_list(make_tournament())
    for _ in range(3):
        tasks.apply_import(kept.pk)
    assert Entry.objects.filter(tournament=kept.tournament).count() == 201
    assert Act.objects.filter(verb="import_roster", target=f"import/{kept.pk}").count() == 1


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_bj_01_in_whatever_order_tasks_come_it_comes_to_the_same(order: tuple[int, ...]) -> None:
    cup, swiss, kept = running(4, "single_elimination"), running(), waiting_list(make_tournament(), 201)
    for pairing in (*pairings(cup, 1), *pairings(swiss, 1)):
        report(pairing, (3, 1))
    sent = (
        partial(tasks.refresh_standings, stage_of(cup).pk),
        partial(tasks.refresh_standings, stage_of(swiss).pk),
        partial(tasks.apply_import, kept.pk),
    )
    for place in (*order, *reversed(order)):
        sent[place]()
    assert [{p.a.name, p.b.name} for p in pairings(cup, 2) if p.b is not None] == [{"Player 01", "Player 02"}]
    assert [points for _, _, points in table(swiss)] == [3, 3, 0, 0]
    assert kept.tournament.entries.count() == 201
    assert [stage_of(each).version for each in (cup, swiss)] == [2, 2]


def test_bj_01_a_task_that_comes_before_its_result_and_long_after_the_end_does_no_harm() -> None:
    tournament = running(2)
    early = counted(tournament)
    tasks.refresh_standings(stage_of(tournament).pk)
    assert counted(tournament) == early
    report(pairings(tournament, 1)[0], (3, 1))
    tasks.refresh_standings(stage_of(tournament).pk)
    rounds.finish_tournament(tournament_id=tournament.pk, by=organiser(of=tournament), now=NOW)
    tasks.refresh_standings(stage_of(tournament).pk)
    late = counted(tournament)
    for _ in range(2):
        tasks.refresh_standings(stage_of(tournament).pk)
    assert counted(tournament) == late
    assert Tournament.objects.get(pk=tournament.pk).state == "finished"


def test_bj_02_a_worker_that_ends_in_the_middle_leaves_the_work_to_the_next() -> None:
    tournament = running()
    report(pairings(tournament, 1)[0], (3, 1))
    before = counted(tournament)
    with transaction.atomic():
        tasks.refresh_standings(stage_of(tournament).pk)
        transaction.set_rollback(True)  # what the database does when the connection of a killed worker ends
    assert counted(tournament) == before
    assert StageChange.objects.filter(read_at__isnull=True).count() == 1
    tasks.sweep()
    assert [points for _, _, points in table(tournament)] == [3, 0, 0, 0]
    assert StageChange.objects.filter(read_at__isnull=True).count() == 0


def test_bj_02_messages_that_were_lost_are_picked_up_by_the_sweep() -> None:
    cup, kept = running(4, "single_elimination"), waiting_list(make_tournament())
    for pairing in pairings(cup, 1):
        report(pairing, (3, 0))
    assert (len(pairings(cup, 2)), kept.tournament.entries.count()) == (0, 0)
    tasks.sweep()
    assert (len(pairings(cup, 2)), kept.tournament.entries.count()) == (1, 201)
    before = counted(cup)
    tasks.sweep()
    assert counted(cup) == before


def test_tasks_about_what_is_gone_do_nothing() -> None:
    tasks.refresh_standings(987654)
    tasks.apply_import(987654)
    assert (Standing.objects.count(), Entry.objects.count()) == (0, 0)


def test_bj_11_what_cannot_be_done_is_told_and_keeps_nothing_else_waiting(caplog: pytest.LogCaptureFixture) -> None:
    broken, whole = running(), running()
    kept = waiting_list(make_tournament())
    stage = stage_of(broken)
    stage.tiebreaks = ["of an older version"]
    stage.save()
    for pairing in (*pairings(broken, 1), *pairings(whole, 1)):
        report(pairing, (3, 1))
    tasks.sweep()
    assert [points for _, _, points in table(whole)] == [3, 3, 0, 0]
    assert kept.tournament.entries.count() == 201
    assert [record.message for record in caplog.records] == [
        f"the sweep could not do tournaments.tasks.refresh_standings({stage.pk})"
    ]
    stage.tiebreaks = ["buchholz"]
    stage.save()
    tasks.sweep()
    assert [points for _, _, points in table(broken)] == [3, 3, 0, 0]
