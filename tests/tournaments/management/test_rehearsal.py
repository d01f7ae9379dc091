"""The rehearsal's own table and the engine's, worked out apart from each other, agree on every tournament."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tournaments.engine.formats import get_format
from tournaments.engine.snapshot import Entry, Pairing, ResultKind, Snapshot
from tournaments.engine.snapshot import Result as EngineResult
from tournaments.engine.standings import rank
from tournaments.management.rehearsal.asking import WentWrongError, percentile
from tournaments.management.rehearsal.course import FORMATS, compare
from tournaments.management.rehearsal.fates import IMPOSSIBLE, Fates, Result, Twist
from tournaments.management.rehearsal.people import roster
from tournaments.management.rehearsal.table import Line, Meeting, Table


def played(form: str, size: int, seed: int) -> tuple[Snapshot, Table]:
    """A whole tournament under the engine, with the fates of a rehearsal, and the rehearsal's notes of it."""
    chosen = get_format(form)
    fates = Fates(seed=seed, somebody_wins=chosen.has_bracket)
    entries = tuple(Entry(id=place, seed=place) for place in range(1, size + 1))
    snapshot = Snapshot(entries, options=chosen.Options(), seed=str(seed))
    meetings: list[Meeting] = []
    while not chosen.is_over(snapshot):
        pairings = list(snapshot.pairings)
        for planned in chosen.pair(snapshot):
            for pair in planned.pairings:
                told = None
                if pair.b is None:
                    meetings.append(Meeting(planned.number, pair.a, None, None))
                else:
                    result = fates.of(pair.a, pair.b, round_number=planned.number).result
                    meetings.append(Meeting(planned.number, pair.a, pair.b, result))
                    told = EngineResult(ResultKind(result.kind), result.sets, result.winner or None)
                pairings.append(Pairing(planned.number, pair.number, pair.a, pair.b, told))
        snapshot = Snapshot(entries, tuple(pairings), chosen.Options(), seed=str(seed))
    return snapshot, Table(players=range(1, size + 1), meetings=meetings)


@pytest.mark.parametrize("form", FORMATS)
@settings(max_examples=40, deadline=None)
@given(size=st.integers(4, 20), seed=st.integers(0, 10**6))
def test_two_ways_to_work_a_final_table_out_come_to_the_same(form: str, size: int, seed: int) -> None:
    snapshot, table = played(form, size, seed)
    ours = {"swiss": table.swiss, "round_robin": table.round_robin, "single_elimination": table.elimination}[form]()
    theirs = {
        row.entry: Line(
            row.rank,
            row.record.points,
            row.record.wins,
            row.record.losses,
            row.record.byes,
            row.record.sets_won,
            row.record.sets_lost,
            tuple(int(value) for _, value in row.values),
        )
        for row in rank(snapshot, form, get_format(form).default_tiebreaks)
    }
    assert ours == theirs


def test_a_seed_decides_everything() -> None:
    assert roster(size=40, seed=7) == roster(size=40, seed=7)
    assert roster(size=40, seed=7) != roster(size=40, seed=8)
    one, other = (Fates(seed=7, somebody_wins=False) for _ in range(2))
    pairs = [(a, b) for a in range(10) for b in range(10) if a != b]
    assert [one.of(a, b, round_number=1) for a, b in pairs] == [other.of(a, b, round_number=1) for a, b in pairs]


def test_everything_that_can_go_wrong_goes_wrong_once_at_the_beginning() -> None:
    fates = Fates(seed=3, somebody_wins=False)
    first = [fates.of(2 * place, 2 * place + 1, round_number=1).twist for place in range(len(Twist))]
    assert sorted(first) == sorted(Twist)
    bracket = Fates(seed=3, somebody_wins=True)
    assert all(bracket.of(place, place + 1, round_number=1).twist is not Twist.NOBODY for place in range(200))


def test_a_row_that_is_not_as_it_should_be_is_found() -> None:
    line = Line(1, 3, 1, 0, 0, 3, 1, (0,))
    row: dict[str, Any] = {
        "rank": 1,
        "points": 3,
        "wins": 1,
        "ties": 0,
        "losses": 0,
        "byes": 0,
        "sets_won": 3,
        "sets_lost": 1,
    }
    row |= {"entry": {"name": "Juhani"}, "values": [{"exact": "0"}], "reason": {"text": "Alone."}}
    compare(row, line)
    wrongs: list[dict[str, Any]] = [{"rank": 2}, {"ties": 1}, {"values": [{"exact": "1/2"}]}, {"reason": {"text": ""}}]
    for wrong in wrongs:
        with pytest.raises(WentWrongError, match="Juhani"):
            compare(row | wrong, line)


def test_what_is_sent_as_impossible_is_not_what_a_match_can_end_with() -> None:
    possible = [Result("score", (3, lost), "a").body() for lost in range(3)]
    assert [body for body in IMPOSSIBLE if body in possible] == []


@pytest.mark.parametrize(("share", "value"), [(50, 2.0), (95, 4.0), (100, 4.0), (1, 1.0)])
def test_a_percentile_is_one_of_the_values(share: int, value: float) -> None:
    assert percentile([4.0, 1.0, 3.0, 2.0], share) == value
    assert percentile([], share) == 0.0
