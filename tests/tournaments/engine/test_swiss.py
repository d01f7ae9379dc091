"""Swiss rounds as an organiser meets them: byes, late and leaving players, dead ends, and what is said about them."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import pytest

from tests.crosstable import Sheet, sheet
from tournaments.engine.formats import get_format
from tournaments.engine.formats.base import Note, PlannedRound
from tournaments.engine.formats.swiss import Swiss, SwissOptions
from tournaments.engine.pairing import contenders, judge
from tournaments.engine.regulations import LateRounds
from tournaments.engine.snapshot import Bye, Entry, EntryStatus, Snapshot
from tournaments.engine.standings import rank

SWISS = Swiss()
MANY = SwissOptions(rounds=9)


def planned(stage: Sheet) -> PlannedRound:
    (found,) = SWISS.pair(stage.snapshot)
    return found


def spelled(stage: Sheet, found: PlannedRound) -> set[str]:
    """Pairs as two letters in order of the alphabet, a bye as one."""
    sides = ((p.a,) if p.b is None else (p.a, p.b) for p in found.pairings)
    return {"".join(sorted(stage.spell(side))) for side in sides}


def test_it_takes_as_many_rounds_as_leave_one_unbeaten() -> None:
    planned_rounds = [SWISS.rounds_planned(sheet("ABCDEFGHIJKLMNOPQ"[:n]).snapshot) for n in (2, 3, 4, 5, 8, 9, 16, 17)]
    assert planned_rounds == [1, 2, 2, 3, 3, 4, 4, 5]
    assert SWISS.rounds_planned(sheet("ABC", options=MANY).snapshot) == 9


def test_players_who_come_later_do_not_add_rounds() -> None:
    assert SWISS.rounds_planned(sheet("ABCDEFGHI", late={"I": 2}).snapshot) == 3


def test_sw_01_the_lowest_player_without_a_bye_sits_out() -> None:
    stage = sheet(
        "ABCDEFGHIJKLMNOPZ",
        "A-B 3:0  C-D 3:0  E-F 3:0  G-H 3:0  I-J 3:0  K-L 3:0  M-N 3:0  O-Z 3:0  P bye",
        "A-C 3:0  E-G 3:0  I-K 3:0  M-O 3:0  P-B 3:0  D-F 3:0  H-J 3:0  N-Z 3:0  L bye",
        "A-E 3:0  I-M 3:0  P-C 3:0  G-K 3:0  O-D 3:0  H-L 3:0  B-F 3:0  J-Z 3:0  N bye",
        options=MANY,
    )
    bye = planned(stage).pairings[-1]
    assert (stage.name(bye.a), bye.b) == ("Z", None)
    assert bye.why == Note.of("bye_lowest", entry=stage.id("Z"), points=0)


def test_sw_01_three_rounds_of_five_have_three_different_byes() -> None:
    stage = sheet("ABCDE", options=SwissOptions(rounds=3))
    byes = []
    for _ in range(3):
        found = planned(stage)
        points = {entry: record.points for entry, record in stage.snapshot.records.items()}
        sitting = found.pairings[-1].a
        byes.append(sitting)
        assert points[sitting] == min(points[i] for i in points if i not in byes[:-1])
        stage = stage.with_round(" ".join(_first_wins(stage, p.a, p.b) for p in found.pairings))
    assert len(set(byes)) == 3
    assert SWISS.pair(stage.snapshot) == ()
    assert SWISS.is_over(stage.snapshot)


def _first_wins(stage: Sheet, a: int, b: int | None) -> str:
    return f"{stage.name(a)} bye" if b is None else f"{stage.name(a)}-{stage.name(b)} 3:0"


def test_sw_01_when_all_have_had_a_bye_the_lowest_has_a_second_one_and_the_organiser_is_told() -> None:
    stage = sheet("ABC", "A-B 3:0 C bye", "A-C 3:0 B bye", "B-C 3:0 A bye", options=MANY)
    found = planned(stage)
    assert spelled(stage, found) == {"AB", "C"}
    a, b, c = (stage.id(name) for name in "ABC")
    first, second = found.pairings[0].a, found.pairings[0].b
    assert {first, second} == {a, b}
    assert found.notes == (
        Note.of("rematch_unavoidable", a=first, b=second, round=1),
        Note.of("second_bye_unavoidable", entry=c, byes=1),
    )
    assert found.pairings[0].why == Note.of("rematch", a=first, b=second, round=1)


def test_sw_01_the_bye_passes_over_whoever_is_needed_to_avoid_a_rematch() -> None:
    """A and E have each met all but one another: without either of them, the other could only meet somebody again."""
    stage = sheet("ABCDE", "A-B 3:0 C-E 3:0 D bye", "A-C 3:0 D-E 3:0 B bye", "A-D 3:0 B-E 3:0 C bye", options=MANY)
    found = planned(stage)
    assert spelled(stage, found) == {"AE", "BC", "D"}
    assert found.pairings[-1].why == Note.of("bye_lowest_possible", entry=stage.id("D"), points=6)
    assert found.notes == (Note.of("second_bye_unavoidable", entry=stage.id("D"), byes=1),)


def test_sw_02_a_bye_counts_as_soon_as_it_is_published() -> None:
    stage = sheet("ABC", "A-B  C bye")
    row = rank(stage.snapshot, "swiss", SWISS.default_tiebreaks)[0]
    assert (stage.name(row.entry), row.record.points, row.record.byes, row.record.wins) == ("C", 3, 1, 0)
    assert (row.record.sets_won, row.record.sets_lost) == (0, 0)
    assert row.reason == Note.of("alone_on_points", points=3)


def test_sw_03_a_legal_pairing_is_found_where_the_greedy_way_ends_in_a_rematch() -> None:
    stage = sheet(
        "123456",
        "2-1 3:0  4-3 3:0  6-5 3:0",
        "2-4 3:0  1-6 3:0  5-3 3:0",
        "2-5 3:0  4-1 3:0  3-6 3:0",
        options=SwissOptions(rounds=4),
    )
    found = planned(stage)
    assert spelled(stage, found) in ({"23", "46", "15"}, {"26", "45", "13"})
    assert found.notes == ()


def test_sw_04_without_a_legal_pairing_it_shows_the_one_with_fewest_rematches() -> None:
    stage = sheet(
        "123456",
        "1-4 3:0  2-5 3:0  3-6 3:0",
        "1-5 3:0  2-6 3:0  3-4 3:0",
        "1-6 3:0  2-4 3:0  3-5 3:0",
        options=SwissOptions(rounds=5),
    )
    found = planned(stage)
    assert [note.code for note in found.notes] == ["rematch_unavoidable"]
    met = {frozenset((p.a, p.b)) for p in stage.snapshot.pairings}
    assert sum(frozenset((p.a, p.b)) in met for p in found.pairings) == 1
    assert not SWISS.is_over(stage.snapshot)


@pytest.mark.parametrize(
    ("entries", "rounds", "codes"),
    [
        (6, 5, ["round_robin_instead"]),
        (6, 6, ["round_robin_instead", "rematches_certain"]),
        (5, 5, ["round_robin_instead"]),
        (5, 4, []),
        (3, None, []),
        (0, None, []),
        (37, 4, ["rounds_too_few"]),
        (37, 6, []),
        (37, None, []),
        (2, None, []),
    ],
)
def test_sw_04_advice_is_given_before_the_start(entries: int, rounds: int | None, codes: list[str]) -> None:
    assert [note.code for note in SWISS.advice(entries, SwissOptions(rounds=rounds))] == codes


def test_sw_06_tie_breaks_have_no_say_in_the_pairing() -> None:
    """The same points and meetings with other set points: another order of tie-breaks, the same round."""
    clear = sheet("ABCDEFGH", "A-B 3:0  C-D 3:0  E-F 3:0  G-H 3:0", "A-C 3:0  E-G 3:0  B-D 3:0  F-H 3:0")
    narrow = sheet("ABCDEFGH", "A-B 3:2  C-D 3:0  E-F 3:1  G-H 3:2", "A-C 3:1  E-G 3:2  B-D 3:2  F-H 3:0")
    order = [rank(s.snapshot, "swiss", ("set_difference",)) for s in (clear, narrow)]
    assert [row.entry for row in order[0]] != [row.entry for row in order[1]]
    assert planned(clear) == planned(narrow)


def test_sw_07_a_late_player_is_paired_from_his_first_round_on_without_false_history() -> None:
    stage = sheet("ABCDEFGHI", "A-B 3:0  C-D 3:0  E-F 3:0  G-H 3:0", late={"I": 2}, options=SwissOptions(rounds=3))
    found = planned(stage)
    assert sorted("".join(spelled(stage, found))) == list("ABCDEFGHI")
    assert [p.b for p in found.pairings].count(None) == 1
    assert stage.snapshot.games[stage.id("I")] == ()
    waiting = sheet("ABCDEFGHI", "A-B 3:0  C-D 3:0  E-F 3:0  G-H 3:0", late={"I": 3}, options=SwissOptions(rounds=3))
    assert "I" not in "".join(spelled(waiting, planned(waiting)))


def test_sw_10_nothing_is_paired_while_a_match_is_open() -> None:
    stage = sheet("ABCD", "A-B 3:0  C-D")
    assert SWISS.pair(stage.snapshot) == ()
    assert [(p.round, p.number) for p in stage.snapshot.open_pairings()] == [(1, 2)]


def test_sw_13_who_leaves_is_not_paired_again_and_keeps_his_place() -> None:
    stage = sheet("ABCDEFGH", "A-B 3:0  C-D 3:0  E-F 3:0  G-H 3:1f", options=MANY).without("H")
    assert sorted("".join(spelled(stage, planned(stage)))) == list("ABCDEFG")
    assert stage.id("H") in [row.entry for row in rank(stage.snapshot, "swiss", SWISS.default_tiebreaks)]


def test_sw_16_a_match_that_neither_side_came_to_blocks_nothing() -> None:
    stage = sheet("ABCDEFGH", "A-B -:-  C-D 3:0  E-F 3:0  G-H 3:0").without("AB", EntryStatus.DISQUALIFIED)
    assert sorted("".join(spelled(stage, planned(stage)))) == list("CDEFGH")


def test_floaters_are_named_with_the_points_they_fall_from_and_to() -> None:
    stage = sheet("ABCDEF", "A-B 3:0  C-D 3:0  E-F 3:0")
    whys = [p.why for p in planned(stage).pairings]
    assert [why.code for why in whys if why] == ["floated"]
    (why,) = (why for why in whys if why)
    assert dict(why.params)["points"] == 3
    assert dict(why.params)["to"] == 0
    assert stage.name(dict(why.params)["entry"]) in "ACE"


def test_a_player_who_floated_is_not_the_first_to_float_again() -> None:
    stage = sheet("ABCDEF", "A-B 3:0  C-D 3:0  E-F 3:0", "A-C 3:0  E-B 3:0  D-F 3:0", options=MANY)
    assert [c.floats for c in contenders(stage.snapshot, 3)] == [0, 0, 0, 0, 1, 0]


def test_tables_are_numbered_from_the_highest_score_down_and_the_bye_is_last() -> None:
    stage = sheet("ABCDEFG", "A-B 3:0  C-D 3:0  E-F 3:0  G bye", options=MANY)
    found = planned(stage)
    points = {entry: record.points for entry, record in stage.snapshot.records.items()}
    tables = [max(points[p.a], points[p.b or p.a]) for p in found.pairings]
    assert [p.number for p in found.pairings] == [1, 2, 3, 4]
    assert tables[:3] == sorted(tables[:3], reverse=True)
    assert found.pairings[-1].b is None


def test_the_first_round_can_slide_the_upper_half_against_the_lower() -> None:
    stage = sheet("ABCDEFGHI", options=SwissOptions(first_round="slide"))
    found = planned(stage)
    assert ["".join(sorted(stage.spell((p.a, p.b or p.a)))) for p in found.pairings] == ["AE", "BF", "CG", "DH", "II"]
    assert found == SWISS.pair(stage.snapshot)[0]
    by_lot = sheet("ABCDEFGHI")
    assert spelled(by_lot, planned(by_lot)) != spelled(stage, found)
    assert planned(by_lot).pairings[-1].a == by_lot.id("I")


@pytest.mark.parametrize("names", ["A", "AB", "ABC"])
def test_tiny_fields_always_get_a_round(names: str) -> None:
    stage = sheet(names, options=MANY)
    for number in range(1, 8):
        found = planned(stage)
        assert found.number == number
        assert sorted("".join(spelled(stage, found))) == list(names)
        stage = stage.with_round(" ".join(_first_wins(stage, p.a, p.b) for p in found.pairings))


def test_the_last_one_left_has_a_bye_and_nobody_left_has_no_round() -> None:
    stage = sheet("AB", "A-B 3:0", options=MANY).without("B")
    assert planned(stage).pairings[0].why == Note.of("bye_alone", entry=stage.id("A"))
    assert SWISS.pair(stage.without("A").snapshot) == ()


def test_four_players_who_have_all_met_meet_those_they_have_met_least() -> None:
    stage = sheet("ABCD", *["A-B 3:0 C-D 3:0", "A-C 3:0 B-D 3:0", "A-D 3:0 B-C 3:0", "A-B 3:0 C-D 3:0"], options=MANY)
    found = planned(stage)
    times = {
        pair: sum({p.a, p.b} == {stage.id(pair[0]), stage.id(pair[1])} for p in stage.snapshot.pairings)
        for pair in map("".join, combinations("ABCD", 2))
    }
    assert {times[pair] for pair in spelled(stage, found)} == {1}
    assert [note.code for note in found.notes] == ["rematch_unavoidable"] * 2


def test_co_05_published_rounds_stand_when_an_old_result_changes() -> None:
    stage = sheet("ABCD", "A-B 3:0 C-D 3:0", "A-C B-D")
    assert SWISS.dependents(stage.snapshot, stage.snapshot.pairings[0]) == ()


def test_rounds_wait_for_a_look_and_are_called_by_their_number() -> None:
    stage = sheet("ABCD")
    assert get_format("swiss").needs_draft(2) is True
    assert SWISS.round_name(stage.snapshot, 2) == Note.of("round", n=2)
    assert SWISS.bracket(stage.snapshot) == ()
    assert SWISS.places(stage.snapshot) is None
    assert SWISS.place_reasons(stage.snapshot) == {}


def test_it_can_go_on_until_one_is_unbeaten_and_end_as_soon_as_one_is() -> None:
    options = SwissOptions(until_unbeaten=True)
    stage = sheet("ABCDEF", options=options)
    assert SWISS.rounds_planned(stage.snapshot) == 3
    stage = stage.with_round("A-B 3:0  C-D 3:0  E-F 2:2")
    assert SWISS.rounds_planned(stage.with_round("A-C").snapshot) == 3
    early = stage.with_round("A-C 3:0  E-B 0:3  F-D 0:3")
    assert SWISS.rounds_planned(early.snapshot) == 2
    assert SWISS.is_over(early.snapshot)
    assert SWISS.pair(early.snapshot) == ()
    longer = stage.with_round("A-C 2:2  E-B 3:0  F-D 3:0").with_round("A-E 2:2  C-F 2:2  B-D 3:0")
    assert SWISS.rounds_planned(longer.snapshot) == 4
    assert planned(longer).number == 4
    assert SWISS.rounds_planned(longer.without("CEF").snapshot) == 3
    limit = replace(longer.snapshot, options=SwissOptions(rounds=3, until_unbeaten=True))
    assert SWISS.is_over(limit)


def asking(stage: Sheet, **rounds: int) -> Sheet:
    """The sheet with players who asked for a bye in one round."""
    wanted = {stage.id(name): ((number, Bye.HALF),) for name, number in rounds.items()}
    entries = tuple(replace(e, asked=wanted.get(e.id, ())) for e in stage.snapshot.entries)
    return Sheet(stage.names, replace(stage.snapshot, entries=entries))


def test_sw_08_a_player_who_asked_for_a_bye_has_it_and_the_others_play() -> None:
    found = planned(stage := asking(sheet("ABCDE"), A=1))
    assert sorted("".join(spelled(stage, found))) == list("ABCDE")
    (bye,) = (p for p in found.pairings if p.b is None)
    assert (stage.name(bye.a), bye.bye, bye.number) == ("A", Bye.HALF, 3)
    assert bye.why == Note.of("bye_asked", entry=stage.id("A"))
    assert found.notes == ()
    assert judge(stage.snapshot, found.pairings) == ()


def test_sw_08_the_one_left_over_by_the_others_byes_has_a_bye_of_the_pairing_and_nobody_plays() -> None:
    found = planned(stage := asking(sheet("ABCDE"), A=1, B=1, C=1, D=1))
    assert [(stage.name(p.a), p.bye) for p in found.pairings] == [
        ("E", Bye.GIVEN), ("A", Bye.HALF), ("B", Bye.HALF), ("C", Bye.HALF), ("D", Bye.HALF),
    ]  # fmt: skip
    assert found.pairings[0].why == Note.of("bye_alone", entry=stage.id("E"))
    assert found.notes == (Note.of("nobody_plays"),)
    everybody = planned(asking(sheet("ABCDE"), A=1, B=1, C=1, D=1, E=1))
    assert {p.bye for p in everybody.pairings} == {Bye.HALF}
    assert everybody.notes == (Note.of("nobody_plays"),)


def test_sw_08_the_next_round_remembers_who_had_a_bye() -> None:
    stage = asking(sheet("ABCDE"), A=1).with_round("B-C 3:0  D-E 3:0  A half")
    first = contenders(stage.snapshot, 2)[0]
    assert (first.id, first.byes, first.points) == (stage.id("A"), 1, 1)
    assert sorted("".join(spelled(stage, planned(stage)))) == list("ABCDE")


def test_sw_07_a_late_player_is_paired_by_the_points_for_the_rounds_before() -> None:
    rounds = ("A-B 3:0  C-D 3:0  E-F 3:0", "A-C 3:0  E-B 3:0  D-F 3:0")
    late = {"G": 3}
    worth: dict[LateRounds, int] = {"loss": 0, "tie": 2, "bye": 6}
    for policy, points in worth.items():
        stage = sheet("ABCDEFG", *rounds, late=late, options=SwissOptions(rounds=5, late_rounds=policy))
        found = {c.id: c for c in contenders(stage.snapshot, 3)}
        assert found[stage.id("G")].points == points
        assert found[stage.id("A")].floats == found[stage.id("G")].floats == 0
        after = stage.with_round("A-G 3:0  C-E 3:0  D-B 3:0  F bye")
        floats = {stage.name(c.id): c.floats for c in contenders(after.snapshot, 4)}
        assert floats["A"] == (points != 6)


def test_players_of_one_club_are_kept_apart_only_if_that_is_wanted() -> None:
    stage = sheet("ABCDEFGH")
    entries = tuple(replace(entry, club="Taris" if entry.seed % 2 else "Telos") for entry in stage.snapshot.entries)
    wanted = Sheet(stage.names, replace(stage.snapshot, entries=entries, options=SwissOptions(clubs_apart=True)))
    assert {len({name in "ACEG" for name in pair}) for pair in spelled(wanted, planned(wanted))} == {2}
    other = Sheet(stage.names, replace(stage.snapshot, entries=entries))
    assert planned(other) == planned(stage)


def test_the_same_field_and_seed_are_paired_alike_whatever_the_ids() -> None:
    def paired(first_id: int) -> list[tuple[int, int | None]]:
        entries = tuple(Entry(id=first_id + 3 * n, seed=n) for n in range(1, 10))
        seeds = {entry.id: entry.seed for entry in entries}
        (plan,) = get_format("swiss").pair(Snapshot(entries=entries, seed="StarCon"))
        return [(seeds[p.a], None if p.b is None else seeds[p.b]) for p in plan.pairings]

    assert paired(0) == paired(1000)
