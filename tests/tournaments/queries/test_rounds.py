"""Published rounds as plain rows: they say what the models say, and nothing of a draft."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.factories import NOW, make_field, make_tournament
from tests.tournaments.play import draft, pairings, play_open, publish, report, stage_of, start
from tournaments.models import Entry, Tournament
from tournaments.queries.rounds import RoundRow, published_rounds
from tournaments.queries.stages import rounds_of, standings_table

pytestmark = pytest.mark.django_db


def played(size: int) -> Tournament:
    """A first round with all results, a second one with one result."""
    tournament = make_tournament(seeding="rating")
    make_field(size=size, tournament=tournament)
    start(tournament)
    play_open(tournament)
    draft(tournament)
    publish(tournament)
    report(pairings(tournament, 2)[0], (3, 1))
    return tournament


def known(tournament: Tournament) -> dict[int, Entry]:
    return standings_table(stage=stage_of(tournament)).names


def rows_of(tournament: Tournament) -> list[RoundRow]:
    return published_rounds(stage=stage_of(tournament), known=known(tournament))


@pytest.mark.db
def test_rows_are_what_the_models_are_on_either_database() -> None:
    tournament = played(5)
    rows = rows_of(tournament)
    models = rounds_of(stage=stage_of(tournament))
    assert [(row.number, row.published_at, row.is_play_off) for row in rows] == [
        (each.number, each.published_at, each.is_play_off) for each in models
    ]
    assert [row.told_at for row in rows] == [NOW, NOW]
    names = ("pk", "number", "table", "why", "a_id", "b_id", "a", "b", "match_id")
    facts = ("pk", "kind", "sets_a", "sets_b", "winner", "is_void", "is_open")
    for row, model in zip(rows, models, strict=True):
        for ours, theirs in zip(row.pairings, model.pairings.all(), strict=True):
            assert [getattr(ours, name) for name in names] == [getattr(theirs, name) for name in names]
            if theirs.match is None:
                assert (ours.match, ours.b) == (None, None)
            else:
                assert [getattr(ours.match, fact) for fact in facts] == [getattr(theirs.match, fact) for fact in facts]


def test_a_draft_is_in_no_row() -> None:
    tournament = make_tournament(seeding="rating")
    make_field(size=4, tournament=tournament)
    start(tournament)
    play_open(tournament)
    before = rows_of(tournament)
    draft(tournament)
    assert rows_of(tournament) == before
    publish(tournament)
    assert [row.number for row in rows_of(tournament)] == [1, 2]


def test_somebody_the_standings_do_not_know_yet_is_read_then() -> None:
    tournament = played(4)
    told = rows_of(tournament)
    with CaptureQueriesContext(connection) as asked:
        assert published_rounds(stage=stage_of(tournament), known={}) == told
    assert len(asked) == 4  # the stage of this test, the rounds, the pairings, the players


@pytest.mark.parametrize("size", [4, 32])
def test_rounds_and_standings_of_any_size_take_two_statements_each(size: int) -> None:
    tournament = played(size)
    stage = stage_of(tournament)
    with CaptureQueriesContext(connection) as asked:
        table = standings_table(stage=stage)
    assert len(asked) == 2
    with CaptureQueriesContext(connection) as asked:
        rows = published_rounds(stage=stage, known=table.names)
    assert len(asked) == 2
    assert all(pairing.a is table.names[pairing.a_id] for row in rows for pairing in row.pairings)
