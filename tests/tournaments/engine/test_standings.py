"""The ranking: shared ranks, order, records, and the reason given for each rank."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from tests.crosstable import Sheet, sheet
from tournaments.engine.formats import get_format
from tournaments.engine.notes import Note
from tournaments.engine.snapshot import EntryStatus, Points, Record
from tournaments.engine.standings import Row, rank
from tournaments.engine.tiebreaks import get_tiebreak

SWISS = get_format("swiss").default_tiebreaks


def ranked(stage: Sheet, *chain: str, format_key: str = "swiss") -> list[tuple[str, int]]:
    return [(stage.name(row.entry), row.rank) for row in rank(stage.snapshot, format_key, chain)]


def reasons(stage: Sheet, *chain: str) -> dict[str, Note]:
    return {stage.name(row.entry): row.reason for row in rank(stage.snapshot, "swiss", chain)}


def test_points_come_first_and_then_the_chain() -> None:
    stage = sheet("ABCD", "A-B 3:2  C-D 3:0", "A-D 3:0  C-B 3:0")
    assert ranked(stage) == [("A", 1), ("C", 1), ("B", 3), ("D", 3)]
    assert ranked(stage, "set_difference") == [("C", 1), ("A", 2), ("B", 3), ("D", 4)]
    rows = rank(stage.snapshot, "swiss", ("set_difference", "buchholz"))
    assert [dict(row.values) for row in rows][:2] == [
        {"set_difference": 6, "buchholz": 0},
        {"set_difference": 4, "buchholz": 0},
    ]


def test_rr_09_a_shared_rank_takes_up_as_many_places_as_share_it() -> None:
    stage = sheet("DCBA", "A-B 3:1  C-D 3:0", "B-C 3:1  A-D 3:0", "C-A 3:1  B-D 3:0")
    chain = get_format("round_robin").default_tiebreaks
    rows = rank(stage.snapshot, "round_robin", chain)
    assert [(stage.name(row.entry), row.rank, row.order) for row in rows] == [
        ("C", 1, 1),
        ("B", 1, 2),
        ("A", 1, 3),
        ("D", 4, 4),
    ]
    assert [row.reason.code for row in rows] == ["shared"] * 3 + ["alone_on_points"]
    shuffled = list(stage.snapshot.pairings)
    random.Random(9).shuffle(shuffled)
    again = replace(stage.snapshot, pairings=tuple(shuffled), entries=stage.snapshot.entries[::-1])
    assert rank(again, "round_robin", chain) == rows


def test_records_say_what_each_has_to_show() -> None:
    stage = sheet("ABCDEFG", "A-B 3:1  C-D 2:2  E-F -:-  G bye", "A-C 2:3f  B-D +:-  E-G")
    records = {stage.name(row.entry): row.record for row in rank(stage.snapshot, "swiss", SWISS)}
    assert records == {
        "A": Record(wins=1, losses=1, sets_won=5, sets_lost=4, points=3),
        "B": Record(wins=1, losses=1, sets_won=4, sets_lost=3, points=3),
        "C": Record(wins=1, ties=1, sets_won=5, sets_lost=4, points=4),
        "D": Record(ties=1, losses=1, sets_won=2, sets_lost=5, points=1),
        "E": Record(losses=1),
        "F": Record(losses=1),
        "G": Record(byes=1, points=3),
    }


def test_the_scale_of_points_is_the_stages_own() -> None:
    stage = sheet("ABCDE", "A-B 3:1  C-D 2:2  E bye", points=Points(win=5, tie=2, loss=1, bye=4))
    points = {stage.name(row.entry): row.record.points for row in rank(stage.snapshot, "swiss", ())}
    assert points == {"A": 5, "B": 1, "C": 2, "D": 2, "E": 4}


def test_before_anything_is_played_all_share_the_first_place() -> None:
    stage = sheet("BAC", "A-B")
    assert ranked(stage, *SWISS) == [("B", 1), ("A", 1), ("C", 1)]
    assert {note.code for note in reasons(stage, *SWISS).values()} == {"level_nothing_played"}


def test_each_rank_says_why_against_the_one_above_or_else_below() -> None:
    stage = sheet("ABCDEF", "A-B 3:0  C-D 3:1  E-F 3:2", "A-C 3:0  E-B 0:3  D-F 3:0", "A-E 3:0  C-F 3:0  B-D 3:0")
    a, b, c, d, e, f = (stage.id(name) for name in "ABCDEF")
    assert reasons(stage, "buchholz", "set_difference") == {
        "A": Note.of("alone_on_points", points=9),
        "B": Note.of("ahead_by", entry=c, key="buchholz", mine="15", theirs="12"),
        "C": Note.of("behind_by", entry=b, key="buchholz", mine="12", theirs="15"),
        "E": Note.of("ahead_by", entry=d, key="buchholz", mine="15", theirs="12"),
        "D": Note.of("behind_by", entry=e, key="buchholz", mine="12", theirs="15"),
        "F": Note.of("alone_on_points", points=0),
    }
    assert (a, f) == (101, 106)


def test_fractions_are_written_as_fractions() -> None:
    stage = sheet("ABCD", "A-B 3:1  C-D 3:2")
    assert reasons(stage, "set_ratio")["A"] == Note.of(
        "ahead_by", entry=stage.id("C"), key="set_ratio", mine="3/4", theirs="3/5"
    )


def test_the_one_match_of_two_who_are_level_is_the_reason() -> None:
    stage = sheet("ABCD", "A-B 3:2  C-D 3:0", "B-C 3:0  D-A 3:0", "A-C 3:0  B-D 3:0")
    found = reasons(stage, "head_to_head")
    assert found["A"] == Note.of("head_to_head_won", entry=stage.id("B"), sets="3:2")
    assert found["B"] == Note.of("head_to_head_lost", entry=stage.id("A"), sets="2:3")


def test_a_league_is_named_where_no_one_match_says_it() -> None:
    three = sheet("ABCD", "A-B 3:0  C-D 3:2", "B-C 3:1  A-D 3:0", "C-A 3:2  B-D 3:1")
    found = reasons(three, "head_to_head")
    assert found["A"] == Note.of("mini_league_ahead", entry=three.id("B"))
    assert found["C"] == Note.of("mini_league_behind", entry=three.id("B"))
    twice = sheet("ABC", "A-B 3:0", "C-A 3:1", "B-A 3:2", "A-C 3:0", "C-B 3:0", "B-C 3:0")
    assert ranked(twice, "head_to_head") == [("A", 1), ("C", 2), ("B", 3)]
    assert reasons(twice, "head_to_head")["C"] == Note.of("mini_league_behind", entry=twice.id("A"))
    two = sheet("AB", "A-B 3:0", "B-A 3:2")
    assert reasons(two, "head_to_head")["A"] == Note.of("mini_league_ahead", entry=two.id("B"))


def test_sharers_are_named_up_to_three_and_counted() -> None:
    stage = sheet("ABCDEFGHIJ", "A-B 3:0  C-D 3:0  E-F 3:0  G-H 3:0  I-J 3:0")
    assert reasons(stage)["C"] == Note.of("shared", entries=tuple(stage.id(n) for n in "AEG"), count=4)


def test_ff_04_who_is_disqualified_comes_after_everybody_and_is_not_paired() -> None:
    stage = sheet("ABCD", "A-B 3:0  C-D 3:0", "A-C 3:0  B-D 3:0").without("A", EntryStatus.DISQUALIFIED)
    assert ranked(stage) == [("B", 1), ("C", 1), ("D", 3), ("A", 4)]
    assert reasons(stage)["A"] == Note.of("disqualified")
    assert rank(stage.snapshot, "swiss", ())[-1].record.points == 6
    nobody = sheet("AB").without("AB", EntryStatus.DISQUALIFIED)
    assert ranked(nobody) == [("A", 1), ("B", 1)]


def test_tb_10_every_row_has_an_order_of_its_own() -> None:
    stage = sheet("ABCDEFGHIJ", "A-B 3:0  C-D 3:0  E-F 3:0  G-H 3:0  I-J 3:0")
    rows: tuple[Row, ...] = rank(stage.snapshot, "swiss", SWISS)
    assert [row.order for row in rows] == list(range(1, 11))
    assert stage.spell(row.entry for row in rows) == "ACEGIBDFHJ"


def test_unknown_keys_are_refused() -> None:
    stage = sheet("AB")
    with pytest.raises(KeyError, match="ladder"):
        rank(stage.snapshot, "ladder", ())
    with pytest.raises(KeyError, match="luck"):
        get_tiebreak("luck")
