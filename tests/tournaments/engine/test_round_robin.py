"""Round robin: Berger tables, free rounds, two cycles."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import pytest

from tests.crosstable import Sheet, sheet
from tournaments.engine.formats.base import Note
from tournaments.engine.formats.round_robin import RoundRobin, RoundRobinOptions
from tournaments.engine.standings import rank

ROUND_ROBIN = RoundRobin()
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def table(entries: int, *, twice: bool = False) -> list[str]:
    stage = sheet(LETTERS[:entries], options=RoundRobinOptions(twice=twice))
    rounds = ROUND_ROBIN.pair(stage.snapshot)
    assert [found.number for found in rounds] == list(range(1, ROUND_ROBIN.rounds_planned(stage.snapshot) + 1))
    return [" ".join(stage.spell((p.a, p.b or 0)) for p in found.pairings) for found in rounds]


def test_six_players_follow_the_table_of_fide() -> None:
    assert table(6) == ["AF BE CD", "FD EC AB", "BF CA DE", "FE AD BC", "CF DB EA"]


@pytest.mark.parametrize("entries", [3, 5, 7])
def test_rr_01_in_an_odd_field_everybody_is_free_once_and_that_is_no_pairing(entries: int) -> None:
    rounds = table(entries)
    assert len(rounds) == entries
    assert [len(found.split()) for found in rounds] == [entries // 2] * entries
    free = [set(LETTERS[:entries]) - set(found) for found in rounds]
    assert sorted("".join(sorted(names)) for names in free) == list(LETTERS[:entries])


@pytest.mark.parametrize("entries", range(2, 26))
def test_rr_02_every_two_meet_once_and_first_turns_are_even(entries: int) -> None:
    rounds = table(entries)
    assert len(rounds) == entries - 1 + entries % 2
    met = sorted("".join(sorted(pair)) for found in rounds for pair in found.split())
    assert met == ["".join(pair) for pair in combinations(LETTERS[:entries], 2)]
    opened = [sum(pair[0] == name for found in rounds for pair in found.split()) for name in LETTERS[:entries]]
    assert max(opened) - min(opened) == (1 if entries % 2 == 0 else 0)


@pytest.mark.parametrize("entries", range(2, 14))
def test_twice_means_once_each_way_round(entries: int) -> None:
    rounds = table(entries, twice=True)
    met = sorted(pair for found in rounds for pair in found.split())
    assert met == sorted(a + b for a in LETTERS[:entries] for b in LETTERS[:entries] if a != b)


@pytest.mark.parametrize("entries", range(4, 14, 2))
def test_nobody_has_the_same_turn_three_times_running_where_two_cycles_meet(entries: int) -> None:
    pairs = [pair for found in table(entries, twice=True) for pair in found.split()]
    for name in LETTERS[:entries]:
        had = "".join("F" if pair[0] == name else "S" for pair in pairs if name in pair)
        assert "FFF" not in had
        assert "SSS" not in had


def test_all_rounds_are_there_at_once_and_only_once() -> None:
    stage = sheet("ABCD", "A-D B-C", options=RoundRobinOptions())
    assert [found.number for found in ROUND_ROBIN.pair(stage.snapshot)] == [2, 3]
    whole = stage.with_round("D-C A-B").with_round("B-D C-A")
    assert ROUND_ROBIN.pair(whole.snapshot) == ()
    assert not ROUND_ROBIN.is_over(whole.snapshot)


def test_it_is_over_when_no_match_is_open() -> None:
    stage = sheet("ABC", "B-C 3:0", "C-A 3:0", "A-B +:-")
    assert ROUND_ROBIN.is_over(stage.snapshot)
    assert not ROUND_ROBIN.is_over(sheet("ABC", "B-C 3:0", "C-A 3:0").snapshot)


def test_leaving_and_coming_late_change_no_table() -> None:
    stage = sheet("ABCDE", late={"E": 2}).without("B")
    assert ROUND_ROBIN.rounds_planned(stage.snapshot) == 3
    assert {stage.spell((p.a, p.b or 0)) for p in ROUND_ROBIN.pair(stage.snapshot)[0].pairings} == {"AD", "BC"}


def test_rounds_wait_for_a_look_and_no_pairing_rests_on_a_result() -> None:
    stage = sheet("AB", "A-B 3:0")
    assert ROUND_ROBIN.needs_draft(1) is True
    assert ROUND_ROBIN.round_name(stage.snapshot, 1) == Note.of("round", n=1)
    assert ROUND_ROBIN.dependents(stage.snapshot, stage.snapshot.pairings[0]) == ()
    assert ROUND_ROBIN.advice(2, RoundRobinOptions()) == ()


def of_six(third: str = "C-F  A-B  D-E") -> Sheet:
    """Six players after two rounds; F has won one match and lost one."""
    first = ("A-F 1:3  B-E 3:0  C-D 3:0", "B-F 3:1  C-A 3:0  D-E 3:0")
    return sheet("ABCDEF", *first, third, "D-F  A-E  B-C", "E-F  A-D  B-D")


def test_rr_08_who_leaves_before_half_of_the_matches_is_annulled() -> None:
    stage = of_six().without("F")
    rows = {stage.name(row.entry): row for row in rank(stage.snapshot, "round_robin", ("head_to_head",))}
    assert (rows["A"].record.losses, rows["B"].record.wins) == (1, 1)
    assert rows["A"].record.sets_won == 0
    assert (rows["F"].rank, rows["F"].reason) == (6, Note.of("annulled"))
    back = rank(of_six().snapshot, "round_robin", ("head_to_head",))
    assert {row.entry for row in back if row.reason.code == "annulled"} == set()


def test_rr_08_after_half_of_them_what_was_played_stands_and_the_rest_is_given_up() -> None:
    stage = of_six("C-F 3:0  A-B  D-E").without("F")
    rows = {stage.name(row.entry): row for row in rank(stage.snapshot, "round_robin", ())}
    assert (rows["F"].record.wins, rows["F"].record.losses) == (1, 4)
    assert (rows["D"].record.wins, rows["E"].record.wins) == (2, 1)
    assert rows["D"].record.sets_won == 3 + 3


def test_what_is_played_can_always_stand() -> None:
    stage = of_six().without("F")
    kept = replace(stage.snapshot, options=RoundRobinOptions(withdrawn="forfeit"))
    rows = {stage.name(row.entry): row for row in rank(kept, "round_robin", ())}
    assert (rows["F"].record.wins, rows["F"].record.losses) == (1, 4)
    gone = sheet("ABC", "A-B", "C-A", "B-C", options=RoundRobinOptions(withdrawn="forfeit")).without("AB")
    rows = {gone.name(row.entry): row for row in rank(gone.snapshot, "round_robin", ())}
    assert [(rows[name].record.wins, rows[name].record.losses) for name in "ABC"] == [(0, 2), (0, 2), (2, 0)]
    assert ROUND_ROBIN.is_over(gone.snapshot)


def test_a_round_robin_is_over_when_only_matches_of_the_gone_are_open() -> None:
    stage = sheet("ABCD", "A-D 3:0  B-C 3:0", "D-C  A-B 3:0", "B-D  C-A 3:0")
    assert not ROUND_ROBIN.is_over(stage.snapshot)
    assert ROUND_ROBIN.is_over(stage.without("D").snapshot)
