"""Standings as they are read while others still write."""

from __future__ import annotations

import pytest

from tests.factories import make_field, make_tournament
from tests.tournaments.play import pairings, play_open, report, stage_of, start
from tournaments.queries.stages import standings_table

pytestmark = pytest.mark.django_db


def test_what_standings_include_is_said_of_the_rows_and_not_of_an_older_stage() -> None:
    tournament = make_tournament(seeding="rating")
    make_field(size=4, tournament=tournament)
    start(tournament)
    report(pairings(tournament, 1)[0], (3, 1))
    read_before = stage_of(tournament)
    waiting = standings_table(stage=read_before)
    assert (waiting.counted_round, waiting.counted_open, waiting.behind) == (0, 0, 1)
    play_open(tournament)
    table = standings_table(stage=read_before)
    assert (table.counted_round, table.counted_open, table.behind) == (1, 0, 0)
    assert [row.points for row in table.rows] == [3, 3, 0, 0]
    assert table.refreshed_at == stage_of(tournament).refreshed_at
