"""What a pairing is worth to each side, before and after its result."""

from __future__ import annotations

from tests.crosstable import sheet
from tournaments.engine.snapshot import Pairing, Points


def test_a_pairing_says_who_won_and_what_it_is_worth() -> None:
    stage = sheet("ABCDEFGHIJK", "A-B 3:1  C-D 2:2  E-F -:-  G-H  I-J 2:3f  K bye")
    rows = []
    for pairing in stage.snapshot.pairings:
        sides = [pairing.a] if pairing.b is None else [pairing.a, pairing.b]
        earned = [Points(5, 2, 1, 4).earned(pairing, side) for side in sides]
        winner, loser = (stage.name(i) if i else "" for i in (pairing.winner, pairing.loser))
        rows.append((stage.spell(sides), winner, loser, earned, [pairing.sets_of(side) for side in sides]))
    assert rows == [
        ("AB", "A", "B", [5, 1], [(3, 1), (1, 3)]),
        ("CD", "", "", [2, 2], [(2, 2), (2, 2)]),
        ("EF", "", "", [1, 1], [(0, 0), (0, 0)]),
        ("GH", "", "", [0, 0], [(0, 0), (0, 0)]),
        ("IJ", "J", "I", [1, 5], [(2, 3), (3, 2)]),
        ("K", "K", "", [4], [(0, 0)]),
    ]


def test_what_was_played_is_open_or_tied() -> None:
    pairings = sheet("ABCDEFGHIJK", "A-B 3:1  C-D 2:2  E-F -:-  G-H  I-J 2:3f  K bye").snapshot.pairings
    assert [p.was_played for p in pairings] == [True, True, False, False, True, False]
    assert [p.is_tie for p in pairings] == [False, True, False, False, False, False]
    assert [p.is_open for p in pairings] == [False, False, False, True, False, False]
    assert [p.is_bye for p in pairings] == [False, False, False, False, False, True]


def test_a_match_that_time_ended_counts_as_played_with_the_sets_as_they_stood() -> None:
    stage = sheet("ABCD", "A-B 2:1t  C-D 1:1t")
    assert [(p.was_played, p.is_tie) for p in stage.snapshot.pairings] == [(True, False), (True, True)]
    records = [stage.snapshot.records[entry.id] for entry in stage.snapshot.by_seed]
    assert [(r.points, r.wins, r.ties, r.losses, r.sets_won, r.sets_lost) for r in records] == [
        (3, 1, 0, 0, 2, 1),
        (0, 0, 0, 1, 1, 2),
        (1, 0, 1, 0, 1, 1),
        (1, 0, 1, 0, 1, 1),
    ]


def test_a_round_robin_is_known_by_its_facts() -> None:
    assert sheet("ABC", "B-C 3:0", "C-A", "A-B").snapshot.all_play_all
    assert not sheet("ABC", "B-C 3:0", "C-A", "C-B").snapshot.all_play_all
    assert not sheet("ABC", "B-C 3:0 A bye", "C-A B bye", "A-B C bye").snapshot.all_play_all
    assert not sheet("A").snapshot.all_play_all


def test_rounds_and_pairings_come_in_order_whatever_the_input() -> None:
    stage = sheet("ABCD", "A-B 3:0 C-D", "A-C B-D").snapshot
    assert [(p.round, p.number) for p in stage.open_pairings()] == [(1, 2), (2, 1), (2, 2)]
    assert (stage.last_round, stage.closed_rounds, sheet("A").snapshot.last_round) == (2, frozenset(), 0)
    assert stage.games[101] == (stage.pairings[0], stage.pairings[2])
    assert Pairing(1, 1, 5, 6).opponent(6) == 5
