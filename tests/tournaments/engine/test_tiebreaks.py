"""Tie-breaks, each on a sheet small enough to check by hand."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import permutations
from typing import Any

import pytest

from tests.crosstable import Sheet, sheet
from tournaments.engine.formats.swiss import SwissOptions
from tournaments.engine.notes import Note
from tournaments.engine.regulations import LateRounds
from tournaments.engine.snapshot import EntryStatus, Pairing, Points, Result, ResultKind
from tournaments.engine.standings import rank
from tournaments.engine.tiebreaks import TIEBREAKS, get_tiebreak

CHESS = Points(win=2, tie=1, loss=0, bye=2)  # half points, doubled


def values(stage: Sheet, key: str, tied: str = "", **options: Any) -> dict[str, object]:
    """What a tie-break says of the tied, or of all; `options` are those of a Swiss."""
    snapshot = replace(stage.snapshot, options=SwissOptions(**options)) if options else stage.snapshot
    return stage.values(dict(get_tiebreak(key).values(snapshot, [stage.id(name) for name in tied or stage.names])))


def test_buchholz_is_the_sum_of_opponents_points() -> None:
    stage = sheet("ABCD", "A-B 3:0  C-D 3:0", "A-C 3:0  B-D 2:2")
    assert values(stage, "buchholz") == {"A": 1 + 3, "B": 6 + 1, "C": 1 + 6, "D": 3 + 1}


def test_cut_1_leaves_out_the_weakest_opponent() -> None:
    stage = sheet("ABCD", "A-B 3:0  C-D 3:0", "A-C 3:0  B-D 2:2")
    assert values(stage, "buchholz_cut_1") == {"A": 3, "B": 6, "C": 6, "D": 3}


def test_sonneborn_berger_weighs_opponents_by_what_was_earned_against_them() -> None:
    stage = sheet("ABCD", "A-B 3:0  C-D 3:0", "A-C 3:0  B-D 2:2")
    assert values(stage, "sonneborn_berger") == {"A": 1 * 3 + 3 * 3, "B": 1, "C": 1 * 3, "D": 1}


def test_a_bye_counts_as_a_game_against_oneself_capped_since_2026() -> None:
    stage = sheet("ABC", "A-B 3:0 C bye", "A-C 3:0 B bye", "B-C 3:0 A bye", points=CHESS)
    assert values(stage, "buchholz", unplayed="2023") == {"A": 4 + 2 + 6, "B": 6 + 4 + 2, "C": 2 + 6 + 4}
    assert values(stage, "buchholz") == {"A": 4 + 2 + 3, "B": 6 + 3 + 2, "C": 2 + 6 + 4}
    assert values(stage, "sonneborn_berger", unplayed="2023")["A"] == 2 * 4 + 2 * 2 + 2 * 6
    assert values(stage, "sonneborn_berger")["A"] == 2 * 4 + 2 * 2 + 2 * 3


def test_a_walkover_is_a_game_against_oneself_capped_by_the_one_who_did_not_come() -> None:
    stage = sheet("ABCD", "A-B 3:0 C-D 3:0", "A-C +:- B-D 3:0", points=CHESS)
    assert values(stage, "buchholz") == {"A": 2 + 2, "B": 4 + 0, "C": 0 + 2, "D": 2 + 2}
    assert values(stage, "buchholz", unplayed="2023") == {"A": 2 + 4, "B": 4 + 0, "C": 0 + 2, "D": 2 + 2}


def test_a_forfeit_had_begun_and_counts_like_any_match() -> None:
    played = sheet("ABCD", "A-B 3:0 C-D 3:0", "A-C 3:1 B-D 3:0")
    given_up = sheet("ABCD", "A-B 3:0 C-D 3:0", "A-C 3:1f B-D 3:0")
    for key in ("buchholz", "buchholz_cut_1", "sonneborn_berger", "set_difference"):
        assert values(given_up, key) == values(played, key)


def test_the_round_one_stayed_away_from_is_cut_before_a_weaker_opponent() -> None:
    stage = sheet("ABCDE", "A-B 3:0  C-D -:+  E bye", "A-E 3:0  C-B 3:0", points=CHESS)
    # A met B (0) and E (2). C did not come to D, then beat B; D sat out round 2 unpaired.
    assert values(stage, "buchholz", unplayed="2023")["C"] == 2 + 0
    assert values(stage, "buchholz_cut_1", unplayed="2023") == {"A": 2, "B": 4, "C": 0, "D": 2, "E": 4}


def test_rounds_missed_at_the_end_count_as_ties_for_opponents_and_those_before_do_not() -> None:
    gone = sheet("ABCD", "A-B 3:0 C-D 3:0", "A-C 3:0", "A-D 3:0", points=CHESS).without("B")
    assert values(gone, "buchholz")["A"] == (0 + 2) + (2 + 1) + 0
    back = sheet("ABCD", "A-B 3:0 C-D 3:0", "A-C 3:0", "A-D 3:0 B-C 0:3", points=CHESS)
    assert values(back, "buchholz")["A"] == 0 + 4 + 0


def test_a_late_player_has_missed_the_rounds_before() -> None:
    stage = sheet("ABCDE", "A-B 3:0 C-D 3:0", "A-E 3:0 C-B 3:0", late={"E": 2}, points=CHESS)
    assert values(stage, "buchholz", unplayed="2023")["E"] == 0 + 4
    assert values(stage, "buchholz_cut_1", unplayed="2023")["E"] == 4


def test_in_a_round_robin_walkovers_are_games_and_free_rounds_nothing() -> None:
    stage = sheet("ABC", "B-C 3:0", "C-A -:+", "A-B 3:0")
    assert values(stage, "sonneborn_berger") == {"A": 0 * 3 + 3 * 3, "B": 0 * 3, "C": 0}
    assert values(stage, "buchholz") == {"A": 3, "B": 6, "C": 9}


@pytest.mark.parametrize("key", [tiebreak.key for tiebreak in TIEBREAKS])
def test_tb_04_a_published_round_changes_nothing_until_a_match_is_finished(key: str) -> None:
    before = sheet("ABCDEFGH", "A-B 3:0  C-D 3:1  E-F 3:2  G-H +:-", "A-C 3:0  E-G 1:3  B-D 3:2  F-H -:-").without("H")
    during = before.with_round("A-G  C-E  B-F")
    assert values(during, key) == values(before, key)
    assert rank(during.snapshot, "swiss", (key,)) == rank(before.snapshot, "swiss", (key,))


def test_tb_04_a_finished_match_of_the_running_round_counts() -> None:
    stage = sheet("ABCD", "A-B 3:0  C-D 3:0", "A-C 3:0  B-D")
    assert values(stage, "buchholz") == {"A": 0 + 3, "B": 6, "C": 0 + 6, "D": 3}


def test_tb_05_equal_ratios_are_equal_and_close_ones_are_not() -> None:
    stage = sheet("ABCXYZUVWPQ", *_ratio_rounds(), points=Points(win=0, tie=0, loss=0, bye=0))
    found = values(stage, "set_ratio", "ABC")
    assert found == {"A": Fraction(5, 7), "B": Fraction(5, 7), "C": Fraction(12, 17)}
    rows = rank(stage.snapshot, "swiss", ("set_ratio",))
    assert [(stage.name(row.entry), row.rank) for row in rows[:3]] == [("A", 1), ("B", 1), ("C", 3)]


def _ratio_rounds() -> tuple[str, ...]:
    """A wins 10 sets of 14, B 15 of 21, C 12 of 17."""
    return (
        "A-X 3:0  B-Y 3:2  C-Z 3:0",
        "A-Y 3:0  B-Z 3:2  C-X 3:1",
        "A-U 2:2  B-V 3:1  C-W 3:2",
        "A-P 2:2  B-Q 3:1  C-V 3:2",
        "A-Q 0:0  B-U 3:0  C-P 0:0",
    )


RR_05 = ("A-B 3:0  C-D 3:2", "B-C 3:1  A-D 3:0", "C-A 3:2  B-D 3:1")


def test_rr_05_a_cycle_of_three_is_resolved_whatever_the_order_of_players() -> None:
    for names in permutations("ABCD"):
        stage = sheet("".join(names), *RR_05)
        rows = rank(stage.snapshot, "round_robin", ("wins", "head_to_head", "set_difference"))
        assert [(stage.name(row.entry), row.rank) for row in rows] == [("A", 1), ("B", 2), ("C", 3), ("D", 4)]


def test_rr_05_the_league_of_the_tied_is_compared_again_among_those_still_level() -> None:
    stage = sheet("ABCD", *RR_05)
    assert values(stage, "head_to_head", "ABC") == {"A": 2, "B": 1, "C": 0}
    assert values(stage, "head_to_head", "BC") == {"B": 1, "C": 0}


def test_tb_03_whoever_an_earlier_tie_break_told_apart_is_in_nobodys_league() -> None:
    stage = sheet("ERT", "E-R 3:1", "T-E 3:2", "R-T 3:0")
    left = tuple(
        replace(entry, status=EntryStatus.WITHDRAWN) if entry.id == stage.id("T") else entry
        for entry in stage.snapshot.entries
    )
    rows = rank(replace(stage.snapshot, entries=left), "round_robin", ("set_difference", "head_to_head"))
    assert [(stage.name(row.entry), row.rank, dict(row.values)["set_difference"]) for row in rows] == [
        ("E", 1, 1),
        ("R", 2, 1),
        ("T", 3, -2),
    ]
    assert [dict(row.values).get("head_to_head") for row in rows][:2] == [1, 0]  # the loss to T is not in it


def test_rr_06_both_meetings_count() -> None:
    stage = sheet(
        "ABCD",
        "A-B 3:1 C-D 3:0",
        "A-C 3:0 B-D 3:0",
        "A-D 3:0 B-C 3:0",
        "B-A 3:0 D-C 3:0",
        "C-A 0:3 D-B 0:3",
        "D-A 0:3 C-B 0:3",
    )
    assert stage.snapshot.records[stage.id("A")].points == stage.snapshot.records[stage.id("B")].points
    assert values(stage, "head_to_head", "AB") == {"A": 0, "B": 1}


def test_a_perfect_cycle_stays_tied() -> None:
    stage = sheet("ABC", "A-B 3:1", "B-C 3:1", "C-A 3:1")
    assert values(stage, "head_to_head") == {"A": 0, "B": 0, "C": 0}


def test_in_a_swiss_whoever_beat_all_others_who_are_tied_is_first_and_the_rest_stay_tied() -> None:
    stage = sheet("ABCDEF", "A-B 3:0 C-D 3:0 E-F 3:0", "A-C 3:2 D-E 3:0 B-F 3:0")
    assert values(stage, "head_to_head", "ABC") == {"A": 2, "B": 0, "C": 0}
    assert values(stage, "head_to_head", "ABCD") == {"A": 0, "B": 0, "C": 0, "D": 0}
    assert values(stage, "head_to_head", "BD") == {"B": 0, "D": 0}


def test_behind_a_certain_first_the_others_are_compared_by_their_own_meetings() -> None:
    stage = sheet("ABCDE", "A-B 3:0 C-D 3:0 E bye", "A-C 3:0 D-B 3:0", "A-D 3:0 B-E 3:0", "E-A 0:3")
    assert values(stage, "head_to_head", "ABCD") == {"A": 3, "B": 0, "C": 0, "D": 0}
    assert values(stage, "head_to_head", "ACD") == {"A": 2, "C": 1, "D": 0}
    assert values(stage, "head_to_head", "BCD") == {"B": 0, "C": 0, "D": 0}


def test_in_a_swiss_a_walkover_is_no_meeting_and_in_a_round_robin_it_is() -> None:
    swiss = sheet("ABCD", "A-B +:- C-D 3:0", "B-C 3:0 A-D 0:3")
    assert values(swiss, "head_to_head", "AB") == {"A": 0, "B": 0}
    robin = sheet("ABC", "A-B +:-", "B-C 3:0", "C-A 3:0")
    assert values(robin, "head_to_head", "AB") == {"A": 1, "B": 0}


def test_in_a_round_robin_that_runs_a_lead_counts_only_if_it_cannot_be_lost() -> None:
    stage = sheet("ABC", "A-B 3:0", "C-A 0:3", "B-C")
    assert values(stage, "head_to_head") == {"A": 2, "B": 0, "C": 0}
    twice = sheet("AB", "A-B 3:0", "B-A")
    assert values(twice, "head_to_head") == {"A": 0, "B": 0}


def test_set_points_won_lost_and_shared() -> None:
    stage = sheet("ABCDE", "A-B 3:1  C-D 2:3f  E bye")
    assert values(stage, "set_difference") == {"A": 2, "B": -2, "C": -1, "D": 1, "E": 0}
    assert values(stage, "sets_won") == {"A": 3, "B": 1, "C": 2, "D": 3, "E": 0}
    assert values(stage, "set_ratio")["A"] == Fraction(3, 4)
    assert values(stage, "set_ratio")["E"] == 0


def test_wins_are_matches_won_and_byes_that_are_worth_a_win() -> None:
    rounds = ("A-B 3:0  C-D +:-  E bye", "A-C 2:2  B-D -:-")
    assert values(sheet("ABCDE", *rounds), "wins") == {"A": 1, "B": 0, "C": 1, "D": 0, "E": 1}
    assert values(sheet("ABCDE", *rounds, points=Points(bye=1)), "wins")["E"] == 0


def test_who_was_disqualified_still_counts_for_opponents() -> None:
    stage = sheet("ABCD", "A-B 3:0 C-D 3:0", "A-C 3:0 B-D 3:0")
    assert values(stage.without("C", EntryStatus.DISQUALIFIED), "buchholz") == values(stage, "buchholz")


FIVE = ("A-B 3:0  C-D 3:0  E bye", "A-C 3:2  E-B 3:1  D bye", "A-D 3:0  C-E 3:1  B bye")


def test_cut_2_and_the_median_leave_out_two_opponents() -> None:
    stage = sheet("ABCDEFGH", *_four_rounds())
    assert values(stage, "buchholz", "A") == {"A": 6 + 6 + 9 + 6}
    assert values(stage, "buchholz_cut_2", "A") == {"A": 6 + 9}
    assert values(stage, "buchholz_median", "A") == {"A": 6 + 6}
    alone = sheet("AB", "A-B 3:0")
    assert values(alone, "buchholz_cut_2") == values(alone, "buchholz_median") == {"A": 0, "B": 0}


def _four_rounds() -> tuple[str, ...]:
    return (
        "A-E 3:0  B-F 3:0  C-G 3:0  D-H 3:0",
        "A-B 3:0  C-D 3:0  E-F 3:0  G-H 3:0",
        "A-C 3:0  B-E 3:0  D-G 3:0  F-H 3:0",
        "A-D 3:0  B-C 0:3  E-G 3:0  F-H 3:0",
    )


def test_the_median_cuts_a_round_stayed_away_from_before_a_weaker_opponent() -> None:
    stage = sheet("ABCDE", "A-B 3:0  C-D -:+  E bye", "A-E 3:0  C-B 3:0", points=CHESS)
    assert values(stage, "buchholz_median", unplayed="2023")["C"] == 0
    assert values(stage, "buchholz_median", unplayed="2023")["A"] == 0


def test_early_points_count_longest_in_the_progressive_score() -> None:
    stage = sheet("ABCD", "A-B 3:0  C-D 3:0", "A-C 0:3  B-D 3:0", "A-D 3:0  B-C 3:0")
    assert values(stage, "progressive") == {"A": 3 + 3 + 6, "B": 0 + 3 + 6, "C": 3 + 6 + 6, "D": 0}


def test_a_round_without_a_match_adds_the_points_there_are_once_it_is_closed() -> None:
    stage = sheet("ABC", "A-B 3:0  C bye", "A-C 3:0").without("B")
    assert values(stage, "progressive") == {"A": 3 + 6, "B": 0, "C": 3 + 3}
    assert values(stage.with_round("A-C"), "progressive") == values(stage, "progressive")
    late = sheet("ABC", "A-B 3:0", "A-C 3:0  B bye", late={"C": 2})
    assert values(late, "progressive", late_rounds="tie") == {"A": 3 + 6, "B": 3, "C": 1 + 1}


def test_koya_counts_points_against_those_with_half_of_what_they_could_have() -> None:
    stage = sheet("ABCD", "A-B 3:0  C-D 3:0", "A-C 2:3  B-D 3:0", "A-D 3:0  B-C 3:0")
    assert values(stage, "koya") == {"A": 3, "B": 3, "C": 3, "D": 0}
    unplayed = sheet("ABCD", "A-B +:-  C-D 3:0", "A-C 2:3  B-D 3:0")
    assert values(unplayed, "koya") == {"A": 0, "B": 0, "C": 3, "D": 0}


def test_tb_01_a_bye_is_no_opponent_and_the_own_percentage_includes_it() -> None:
    stage = sheet("ABCDE", *FIVE)
    assert {name: stage.snapshot.records[stage.id(name)].points for name in "ABCDE"} == {
        "A": 9, "C": 6, "E": 6, "B": 3, "D": 3,
    }  # fmt: skip
    half = Fraction(1, 2)
    assert values(stage, "opponents_match_wins") == {
        "A": Fraction(4, 9), "B": Fraction(5, 6), "C": Fraction(2, 3), "D": Fraction(5, 6), "E": half,
    }  # fmt: skip
    order = rank(stage.snapshot, "swiss", ("opponents_match_wins",))
    assert [(stage.name(row.entry), row.rank) for row in order] == [("A", 1), ("C", 2), ("E", 3), ("B", 4), ("D", 4)]


def test_byes_can_be_left_out_of_percentages_and_the_floor_can_be_another() -> None:
    stage = sheet("ABCDE", *FIVE)
    # Without the bye B has nothing of two matches, D nothing of two, E three points of six.
    assert values(stage, "opponents_match_wins", "A", percent_byes="none", percent_floor="0") == {
        "A": (0 + Fraction(2, 3) + 0) / 3
    }
    assert values(stage, "opponents_match_wins", "A", percent_byes="none", percent_floor="1/4") == {
        "A": (Fraction(1, 4) + Fraction(2, 3) + Fraction(1, 4)) / 3
    }
    assert values(stage, "set_wins", "BD", percent_byes="none") == {"B": Fraction(1, 7), "D": 0}
    assert values(stage, "set_wins", "BD") == {"B": Fraction(4, 10), "D": Fraction(3, 9)}


def test_shares_of_sets_of_the_own_and_of_opponents() -> None:
    stage = sheet("ABCDEF", "A-B 3:1  C-D 3:0  E-F 3:0", "A-C 1:3  B-E 3:0")
    assert values(stage, "set_wins", "ABC") == {"A": Fraction(4, 8), "B": Fraction(4, 7), "C": Fraction(6, 7)}
    assert values(stage, "opponents_set_wins", "AF") == {
        "A": (Fraction(4, 7) + Fraction(6, 7)) / 2,
        "F": Fraction(1, 2),
    }
    assert values(stage, "opponents_set_wins", "D") == {"D": Fraction(6, 7)}


def test_a_tied_set_is_worth_a_third_of_a_won_one() -> None:
    stage = sheet("AB", "A-B 2:1").snapshot
    (played,) = stage.pairings
    assert played.result is not None
    drawn = replace(stage, pairings=(replace(played, result=replace(played.result, tied_sets=1)),))
    assert get_tiebreak("set_wins").values(drawn, [played.a]) == {played.a: Fraction(7, 12)}


def test_opening_and_winning_as_second_count_at_the_table_only() -> None:
    stage = sheet("ABCD", "A-B 3:0  C-D +:-", "A-C 1:3  D-B 2:3f", "A-D -:+  B-C 3:0")
    assert values(stage, "times_opening") == {"A": 2, "B": 1, "C": 0, "D": 1}
    assert values(stage, "wins_as_second") == {"A": 0, "B": 1, "C": 1, "D": 0}


def test_a_bye_somebody_asked_for_is_worth_what_it_says_and_is_cut_first() -> None:
    stage = sheet("ABCD", "A-B 3:0  C half  D zero", "A-C 3:0  B-D 3:0", "A-D 3:0  B full  C half", points=CHESS)
    points = {name: stage.snapshot.records[stage.id(name)].points for name in "ABCD"}
    assert points == {"A": 6, "B": 4, "C": 2, "D": 0}
    assert values(stage, "wins") == {"A": 3, "B": 2, "C": 0, "D": 0}
    # C stayed away at the end: its half point counts as the tie it is worth. D was there at the end.
    assert values(stage, "buchholz", "A") == {"A": (4 - 2 + 1) + 2 + 0}
    assert values(stage, "buchholz", "C", unplayed="2023") == {"C": 2 + 6 + 2}
    assert values(stage, "buchholz_cut_1", "C", unplayed="2023") == {"C": 6 + 2}
    assert values(stage, "set_wins", "CD") == {"C": 0, "D": 0}


def test_rounds_before_a_late_entry_are_worth_what_was_settled() -> None:
    stage = sheet("ABCDE", "A-B 3:0 C-D 3:0", "A-E 3:0 C-B 3:0", late={"E": 2}, points=CHESS)
    worth: dict[LateRounds, int] = {"loss": 0, "tie": 1, "bye": 2}
    for policy, points in worth.items():
        snapshot = replace(stage.snapshot, options=SwissOptions(late_rounds=policy))
        assert snapshot.records[stage.id("E")].points == points
        assert values(stage, "buchholz", "A", late_rounds=policy) == {"A": 0 + points}
        assert values(stage, "sonneborn_berger", "E", late_rounds=policy, unplayed="2023") == {"E": points * points}
    before = sheet("ABCDE", "A-B 3:0 C-D", late={"E": 2}, options=SwissOptions(late_rounds="bye"))
    assert before.snapshot.records[before.id("E")].points == 0


def test_an_extra_match_decides_before_the_lot_and_the_lot_decides_the_rest() -> None:
    stage = sheet("ABCD", "A-B 3:0  C-D 3:0")
    rows = rank(stage.snapshot, "swiss", ("lot",))
    assert [row.rank for row in rows] == [1, 2, 3, 4]
    first, second = rows[0].entry, rows[1].entry
    assert rows[0].reason == Note.of("lot_ahead", entry=second)
    assert rows[1].reason == Note.of("lot_behind", entry=first)
    extra = Pairing(1, 1, second, first, Result(ResultKind.SCORE, (3, 2), "a"))
    played = replace(stage.snapshot, play_offs=(extra,))
    for chain in (("lot",), ("set_difference", "lot"), ()):
        rows = rank(played, "swiss", chain)
        assert [row.entry for row in rows[:2]] == [second, first]
        assert rows[0].reason == Note.of("play_off_won", entry=first)
        assert rows[1].reason == Note.of("play_off_lost", entry=second)
        assert [key for key, _ in rows[0].values] == list(chain)
