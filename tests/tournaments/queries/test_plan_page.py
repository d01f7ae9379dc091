"""The plan as its organisers see it: what waits and why, the grid of tables by time, ends and what holds them up."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from tests.factories import NOW
from tests.tournaments.actions.test_plans import MINUTE, planned
from tests.tournaments.actions.test_queue import called, ends, of, queued
from tests.tournaments.halls import act, out
from tests.tournaments.play import pairings, stage_of
from tournaments.actions import slots
from tournaments.models import Break, HallPlan, Opening, RoundTime
from tournaments.queries.plan_grid import Grid
from tournaments.queries.plan_page import plan_page
from tournaments.queries.schedule import glimpse

pytestmark = pytest.mark.django_db


def drawn(grid: Grid) -> list[list[tuple[int, str]]]:
    """By line what begins there: how many lines it is high, and who plays or what is there."""
    found = []
    for line in grid.lines:
        cells = []
        for cell in line.cells:
            sides = () if cell.row is None else cell.row.row.sides
            names = " – ".join(side.entry.name[-2:] if side.entry else "?" for side in sides)
            cells.append((cell.span, names or (cell.rest.name if cell.rest else "")))
        found.append(cells)
    return found


def test_the_grid_has_every_match_where_and_when_it_is_and_breaks_where_none_is() -> None:
    tournament = queued(4, (1, 2), format="single_elimination")
    Break.objects.create(event=tournament.event, name="Lunch", starts_at=NOW + 30 * MINUTE, ends_at=NOW + 45 * MINUTE)
    called(tournament)
    planned(tournament)
    (grid,) = plan_page(event=tournament.event, now=NOW).grids
    assert (grid.begins_at, grid.tables, grid.out, len(grid.lines)) == (NOW, (1, 2), frozenset(), 15)
    lines = drawn(grid)
    assert lines[0] == [(4, "01 – 04"), (4, "02 – 03")]
    assert lines[4] == [(2, ""), (2, "")]
    assert lines[6] == [(3, "Lunch"), (3, "Lunch")]
    assert lines[9] == [(4, "? – ?"), (6, "")]
    assert lines[13] == [(2, "")]
    assert [place for place, cells in enumerate(lines) if cells] == [0, 4, 6, 9, 13]
    assert [place for place, line in enumerate(grid.lines) if line.quarter] == [0, 3, 6, 9, 12]
    assert [place for place, line in enumerate(grid.lines) if line.is_now] == [0]


def test_what_is_long_over_is_not_in_the_grid_and_what_begins_hours_later_has_one_of_its_own() -> None:
    tournament = queued(4, (1,), format="single_elimination")
    called(tournament)
    planned(tournament)
    ends(of(tournament, 1, 4), NOW + 20 * MINUTE)
    final = planned(tournament, NOW + 20 * MINUTE)[2, 1]
    act(slots.fix_match, tournament, slot_id=final.pk, starts_at=NOW + 300 * MINUTE, table=1, now=NOW + 20 * MINUTE)
    planned(tournament, NOW + 60 * MINUTE)
    now, later = plan_page(event=tournament.event, now=NOW + 60 * MINUTE).grids
    assert [cell for line in drawn(now) for cell in line] == [(4, "02 – 03"), (2, "")]
    assert (later.begins_at, drawn(later)[0]) == (NOW + 300 * MINUTE, [(4, "01 – ?")])


def test_what_waits_says_for_what_and_since_when() -> None:
    tournament = queued(8, (1, 2), format="double_elimination")
    planned(tournament)
    called(tournament)
    at = NOW + 10 * MINUTE
    ends(of(tournament, 1, 8), NOW + 3 * MINUTE)
    ends(of(tournament, 4, 5), at)
    act(slots.hold_match, tournament, slot_id=planned(tournament, at)[1, 3].pk, now=at)
    called(tournament, at)
    page = plan_page(event=tournament.event, now=at)
    told = {
        (each.pairing.a.seed, each.pairing.b.seed if each.pairing.b else None): (each.why, each.since, each.until)
        for each in page.waiting
    }
    assert told == {
        (2, 7): ("held", at, None),
        (1, 4): ("rest", None, at + 5 * MINUTE),
        (8, 5): ("rest", None, at + 5 * MINUTE),
    }
    assert [each.slot.number for each in page.held] == [3]
    assert page.free == (2,)
    later = plan_page(event=tournament.event, now=at + 20 * MINUTE)
    assert [(each.why, each.since) for each in later.waiting if each.why == "table"] == [
        ("table", at + 5 * MINUTE),
        ("table", at + 5 * MINUTE),
    ]


def test_a_match_waits_for_its_time_for_that_of_its_round_or_for_who_plays_elsewhere() -> None:
    tournament = queued(4, (1,), format="round_robin")
    planned(tournament)
    ((one, other),) = called(tournament).values()
    rest = [pairing for pairing in pairings(tournament) if pairing.table is None]
    free = next(pairing for pairing in rest if not {one, other} & {pairing.a.seed, pairing.b and pairing.b.seed})
    at = NOW + 10 * MINUTE
    RoundTime.objects.create(stage=stage_of(tournament), number=free.round.number, starts_at=NOW + 90 * MINUTE)

    def told() -> dict[int, tuple[str, datetime | None, int | None]]:
        found = plan_page(event=tournament.event, now=at).waiting
        return {each.pairing.pk: (each.why, each.until, each.table) for each in found}

    busy = {pairing.pk: ("playing", None, 1) for pairing in rest if pairing != free}
    assert told() == busy | {free.pk: ("fixed", NOW + 90 * MINUTE, None)}
    slot = planned(tournament, at)[free.round.number, free.number]
    fixed = act(slots.fix_match, tournament, slot_id=slot.pk, starts_at=NOW + 600 * MINUTE, table=None, now=at)
    assert fixed.fixed_at == NOW + 600 * MINUTE
    assert told() == busy | {free.pk: ("fixed", NOW + 600 * MINUTE, None)}


def test_ends_and_what_holds_them_up_are_told_to_five_minutes() -> None:
    tournament = queued(4, (1,), format="single_elimination")
    called(tournament)
    planned(tournament)
    page = plan_page(event=tournament.event, now=NOW)
    assert (page.ends_at, page.bound_at) == (NOW + 65 * MINUTE, NOW + 45 * MINUTE)
    assert page.plan is not None
    assert page.plan.bound_kind == "path"
    assert [(part.tournament.pk, part.ends_at, part.open) for part in page.parts] == [
        (tournament.pk, NOW + 65 * MINUTE, 3)
    ]
    assert page.is_behind is False
    out(tournament, 1)
    assert plan_page(event=tournament.event, now=NOW).is_behind is True


def test_a_match_without_a_place_says_what_it_waits_for() -> None:
    tournament = queued(4, (1,), format="single_elimination")
    first = planned(tournament)[1, 1]
    act(slots.hold_match, tournament, slot_id=first.pk, now=NOW)
    planned(tournament, NOW + 5 * MINUTE)
    page = plan_page(event=tournament.event, now=NOW + 5 * MINUTE)
    (final,) = page.misfits
    assert (final.row.why, final.other and final.other.pk) == ("waits_for", first.pk)
    assert (page.roots, page.without, [each.slot.pk for each in page.held]) == ([], 2, [first.pk])
    assert [(each.first, each.many) for each in page.followers] == [(final, 1)]
    assert [(part.ends_at, part.open) for part in page.parts] == [(None, 3)]
    assert HallPlan.objects.get(event=tournament.event).without == 2


def test_the_day_ends_when_its_last_match_does_and_no_bound_is_told_to_be_later() -> None:
    tournament = queued(4, (1,), format="single_elimination")
    called(tournament)
    planned(tournament)
    late = NOW + 65 * MINUTE + timedelta(seconds=170)
    HallPlan.objects.filter(event=tournament.event).update(ends_at=late, bound_at=late)
    page = plan_page(event=tournament.event, now=NOW)
    (part,) = page.parts
    assert (page.ends_at, page.bound_at, part.ends_at) == (NOW + 65 * MINUTE,) * 3
    seen = glimpse(event_id=tournament.event_id)
    assert seen is not None
    assert seen.ends_at == NOW + 65 * MINUTE


def test_matches_nobody_knows_the_players_of_are_gathered_by_round_and_reason() -> None:
    tournament = queued(4, (1,), format="swiss")
    Opening.objects.create(event=tournament.event, opens_at=NOW, closes_at=NOW + 50 * MINUTE)
    called(tournament)
    planned(tournament)
    page = plan_page(event=tournament.event, now=NOW)
    assert [(each.first.row.round, each.first.row.why, each.many) for each in page.roots] == [(2, "hall_closes", 2)]
    assert (page.followers, page.without) == ([], 2)
