"""Single elimination: brackets of every size, byes, empty sides, places, names, corrections."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.crosstable import Sheet, sheet
from tournaments.engine.formats.base import Note, Slot
from tournaments.engine.formats.elimination import elimination_round_name, seed_order
from tournaments.engine.formats.single_elimination import SingleElimination, SingleEliminationOptions
from tournaments.engine.snapshot import Entry, EntryStatus, Pairing, Result, ResultKind, Snapshot
from tournaments.engine.standings import rank

ELIMINATION = SingleElimination()
BRONZE = SingleEliminationOptions(third_place=True)
Choice = Callable[[Pairing], int | None]


def field(size: int, *, third_place: bool = False) -> Snapshot:
    """Entries whose ids are their seeds."""
    entries = tuple(Entry(seed, seed) for seed in range(1, size + 1))
    return Snapshot(entries, options=SingleEliminationOptions(third_place=third_place))


def publish(stage: Snapshot) -> Snapshot:
    """The stage with all that is decided published."""
    while planned := ELIMINATION.pair(stage):
        new = (Pairing(found.number, p.number, p.a, p.b) for found in planned for p in found.pairings)
        stage = replace(stage, pairings=(*stage.pairings, *new))
    return stage


def decide(stage: Snapshot, pairing: Pairing, winner: int | None) -> Snapshot:
    """The stage with a result; without a winner neither side came."""
    result = Result(ResultKind.DOUBLE_NO_SHOW, (0, 0), None)
    if winner is not None:
        won = winner == pairing.a
        result = Result(ResultKind.SCORE, (3, 1) if won else (1, 3), "a" if won else "b")
    others = (p for p in stage.pairings if p != pairing)
    return replace(stage, pairings=(*others, replace(pairing, result=result)))


def favourite(pairing: Pairing) -> int:
    return min(pairing.a, pairing.b or pairing.a)


def play(stage: Snapshot, choose: Choice = favourite, *, rounds: int = 99) -> Snapshot:
    """The stage with every match of its first rounds played, the next ones published."""
    stage = publish(stage)
    while waiting := [p for p in stage.open_pairings() if p.round <= rounds]:
        stage = publish(decide(stage, waiting[0], choose(waiting[0])))
    return stage


def pairs(stage: Snapshot, number: int) -> list[tuple[int, int | None]]:
    return [(p.a, p.b) for p in stage.rounds.get(number, ())]


@pytest.mark.parametrize("size", [2, 4, 8, 16, 32, 64, 128, 256])
def test_se_01_favourites_meet_as_late_as_they_can(size: int) -> None:
    stage = play(field(size))
    left = size
    for number in range(1, size.bit_length()):
        assert {a + (b or 0) for a, b in pairs(stage, number)} == {left + 1}
        left //= 2


def test_se_01_eight_seeds_stand_in_the_standard_order() -> None:
    assert seed_order(8) == (1, 8, 4, 5, 2, 7, 3, 6)
    stage = play(field(8))
    assert pairs(stage, 1) == [(1, 8), (4, 5), (2, 7), (3, 6)]
    assert pairs(stage, 2) == [(1, 4), (2, 3)]
    assert pairs(stage, 3) == [(1, 2)]


@pytest.mark.parametrize("entries", [2, 3, 5, 6, 7, 9, 11, 13, 17, 33, 100])
def test_se_02_byes_go_to_the_best_seeds_and_never_meet(entries: int) -> None:
    stage = publish(field(entries))
    byes = sorted(a for a, b in pairs(stage, 1) if b is None)
    size = 1 << (entries - 1).bit_length()
    assert byes == list(range(1, size - entries + 1))
    played = play(stage)
    assert sum(p.b is not None for p in played.pairings) == entries - 1
    assert all(p.b is not None for p in stage.open_pairings())
    assert ELIMINATION.places(played) is not None
    assert ELIMINATION.is_over(played)


def test_se_02_five_players_play_one_match_first() -> None:
    stage = sheet("ABCDE")
    (first,) = ELIMINATION.pair(stage.snapshot)
    assert [stage.spell(i for i in (p.a, p.b) if i) for p in first.pairings] == ["A", "DE", "B", "C"]
    assert first.pairings[0].why == Note.of("bye_seeded", entry=stage.id("A"))
    begun = stage.with_round("A bye  D-E  B bye  C bye")
    (second,) = ELIMINATION.pair(begun.snapshot)
    assert (second.number, [(p.number, begun.spell((p.a, p.b or 0))) for p in second.pairings]) == (2, [(2, "BC")])


def test_se_04_who_lost_the_first_round_is_out_with_a_place() -> None:
    stage = play(field(8), rounds=1)
    assert ELIMINATION.places(stage) == {8: 5, 5: 5, 7: 5, 6: 5}
    rows = rank(stage, "single_elimination", ())
    assert [(row.entry, row.rank, row.reason.code) for row in rows] == [
        *((seed, 1, "still_in") for seed in (1, 2, 3, 4)),
        *((seed, 5, "place_out_in") for seed in (5, 6, 7, 8)),
    ]
    assert {i for p in stage.open_pairings() for i in (p.a, p.b)} == {1, 2, 3, 4}


@pytest.mark.parametrize(
    ("third_place", "places"), [(False, [1, 2, 3, 3, *[5] * 4, *[9] * 8]), (True, [1, 2, 3, 4, *[5] * 4, *[9] * 8])]
)
def test_se_06_places_come_from_the_round_of_exit_only(third_place: bool, places: list[int]) -> None:
    """The losing finalist has won two of three matches without playing, and is second all the same."""
    stage = publish(field(16, third_place=third_place))
    for number, kind, sets in ((1, ResultKind.WALKOVER, (3, 0)), (2, ResultKind.FORFEIT, (3, 2))):
        stage = play(stage, rounds=number - 1)
        pairing = next(p for p in stage.rounds[number] if p.a == 2)
        others = (p for p in stage.pairings if p != pairing)
        stage = replace(stage, pairings=(*others, replace(pairing, result=Result(kind, sets, "a"))))
    stage = play(stage)
    rows = rank(stage, "single_elimination", ())
    assert [row.rank for row in rows] == places
    assert [row.order for row in rows] == list(range(1, 17))
    assert [row.entry for row in rows[:2]] == [1, 2]
    assert [row.reason.code for row in rows[:2]] == ["place_final_won", "place_final_lost"]
    thirds = ["place_third_won", "place_third_lost"] if third_place else ["place_out_in"] * 2
    assert [row.reason.code for row in rows[2:4]] == thirds


def test_se_07_empty_sides_resolve_by_themselves() -> None:
    stage = sheet("1234", "1-4 -:-  2-3 3:1", options=BRONZE)
    assert ELIMINATION.pair(stage.snapshot) == ()
    assert ELIMINATION.is_over(stage.snapshot)
    assert named_places(stage) == {"2": 1, "3": 3, "1": 4, "4": 4}
    third, final = ELIMINATION.bracket(stage.snapshot)[1:]
    assert (third.name.code, final.name.code) == ("third_place", "final")
    assert (third.matches[0].a, third.matches[0].winner) == (Slot(void=True), stage.id("3"))
    assert (final.matches[0].a, final.matches[0].winner) == (Slot(void=True), stage.id("2"))
    rows = rank(stage.without("14", EntryStatus.DISQUALIFIED).snapshot, "single_elimination", ())
    assert [(stage.name(row.entry), row.rank, row.reason) for row in rows] == [
        ("2", 1, Note.of("place_unopposed", round="final")),
        ("3", 3, Note.of("place_unopposed", round="third_place")),
        ("1", 4, Note.of("disqualified")),
        ("4", 4, Note.of("disqualified")),
    ]


def named_places(stage: Sheet) -> dict[str, int]:
    return {stage.name(entry): place for entry, place in (ELIMINATION.places(stage.snapshot) or {}).items()}


def test_se_07_when_nobody_comes_to_the_final_two_are_second_and_nobody_is_first() -> None:
    stage = sheet("1234", "1-4 3:0  2-3 3:0", "1-2 -:-")
    assert ELIMINATION.is_over(stage.snapshot)
    assert named_places(stage) == {"1": 2, "2": 2, "3": 3, "4": 3}


def test_se_08_one_helper_names_rounds_by_their_distance_from_the_final() -> None:
    def codes(size: int) -> list[str]:
        return [str(column.name.code) for column in ELIMINATION.bracket(field(size))]

    assert codes(2) == ["final"]
    assert codes(32) == ["round_of", "round_of", "quarter_finals", "semi_finals", "final"]
    assert elimination_round_name(32) == Note.of("round_of", n=32)
    for stage in (field(32), field(64), field(33, third_place=True)):
        names = [column.name for column in ELIMINATION.bracket(stage)]
        assert names == [ELIMINATION.round_name(stage, n) for n in range(1, ELIMINATION.rounds_planned(stage) + 1)]
    assert names[-3:] == [Note.of("semi_finals"), Note.of("third_place"), Note.of("final")]


def test_the_match_for_third_place_is_a_round_of_its_own_before_the_final() -> None:
    stage = play(field(5, third_place=True), rounds=2)
    assert [pairs(stage, number) for number in (2, 3, 4)] == [[(1, 4), (2, 3)], [(4, 3)], [(1, 2)]]
    rows = rank(stage, "single_elimination", ())
    assert [(row.entry, row.rank, row.reason) for row in rows] == [
        (1, 1, Note.of("still_in", best=1)),
        (2, 1, Note.of("still_in", best=1)),
        (3, 3, Note.of("still_in", best=3)),
        (4, 3, Note.of("still_in", best=3)),
        (5, 5, Note.of("place_out_in", round="quarter_finals")),
    ]


def test_too_few_for_losing_semi_finalists_means_no_match_for_third_place() -> None:
    assert ELIMINATION.advice(3, BRONZE) == (Note.of("no_third_place", entries=3),)
    assert ELIMINATION.advice(4, BRONZE) == ()
    assert ELIMINATION.advice(3, SingleEliminationOptions()) == ()
    assert ELIMINATION.rounds_planned(field(3, third_place=True)) == 2


def test_the_first_round_waits_for_a_look_and_the_others_follow_by_themselves() -> None:
    assert [ELIMINATION.needs_draft(number) for number in (1, 2, 3)] == [True, False, False]
    assert [found.number for found in ELIMINATION.pair(field(5))] == [1]


def test_a_first_round_changed_by_hand_is_the_bracket() -> None:
    stage = sheet("1234", "1-2 3:0  4-3 3:1")
    (final,) = ELIMINATION.pair(stage.snapshot)
    assert stage.spell((final.pairings[0].a, final.pairings[0].b or 0)) == "14"
    assert ELIMINATION.bracket(stage.snapshot)[0].matches[1].a == Slot(stage.id("4"))


def test_a_pairing_with_its_sides_turned_round_is_the_same_match() -> None:
    stage = sheet("1234", "1-4 3:0  2-3 3:1", "2-1 3:0")
    (match,) = ELIMINATION.bracket(stage.snapshot)[1].matches
    assert (match.a, match.b, match.winner) == (Slot(stage.id("2")), Slot(stage.id("1")), stage.id("2"))


def test_who_left_before_the_match_was_made_lets_the_other_through() -> None:
    stage = sheet("1234", "1-4 3:0  2-3", options=SingleEliminationOptions()).without("1")
    assert named_places(stage) == {"1": 2, "4": 3}
    through = sheet("1234", "1-4 3:0  2-3 3:0").without("1")
    assert ELIMINATION.pair(through.snapshot) == ()
    assert ELIMINATION.is_over(through.snapshot)
    assert named_places(through) == {"2": 1, "1": 2, "3": 3, "4": 3}
    empty = through.without("2")
    assert named_places(empty) == {"1": 2, "2": 2, "3": 3, "4": 3}
    assert ELIMINATION.is_over(empty.snapshot)


def test_who_went_through_stays_through_when_the_other_comes_back() -> None:
    names = "12345678"
    first = "1-8 3:0  4-5 3:0  2-7 3:0  3-6 3:0"
    gone = sheet(names, first).without("1")
    (second,) = ELIMINATION.pair(gone.snapshot)
    assert [(p.number, gone.spell((p.a, p.b or 0))) for p in second.pairings] == [(2, "23")]
    played = replace(gone.snapshot, pairings=(*gone.snapshot.pairings, Pairing(2, 2, gone.id("2"), gone.id("3"))))
    played = decide(played, played.rounds[2][0], gone.id("2"))
    assert [(p.a, p.b) for p in ELIMINATION.pair(played)[0].pairings] == [(gone.id("4"), gone.id("2"))]
    final = replace(played, pairings=(*played.pairings, Pairing(3, 1, gone.id("4"), gone.id("2"))))
    back = replace(final, entries=tuple(replace(e, status=EntryStatus.ACTIVE) for e in final.entries))
    assert ELIMINATION.pair(back) == ()
    assert (ELIMINATION.places(back) or {})[gone.id("1")] == 3


def test_a_match_that_is_open_when_somebody_leaves_waits_for_its_result() -> None:
    stage = sheet("1234", "1-4  2-3 3:0").without("1")
    assert named_places(stage) == {"3": 3}
    assert [stage.spell((p.a, p.b or 0)) for p in stage.snapshot.open_pairings()] == ["14"]


def test_a_tie_decides_nothing() -> None:
    stage = sheet("12", "1-2 2:2")
    assert not ELIMINATION.is_over(stage.snapshot)
    assert named_places(stage) == {}


def test_co_01_a_corrected_winner_replaces_the_old_one_in_the_next_match() -> None:
    stage = sheet("1234", "1-4 1:3  2-3 3:0", "1-2")
    (final,) = ELIMINATION.bracket(stage.snapshot)[1].matches
    assert (final.a, final.b, final.pairing) == (Slot(stage.id("4")), Slot(stage.id("2")), None)
    assert ELIMINATION.pair(stage.snapshot) == ()
    assert not ELIMINATION.is_over(stage.snapshot)
    cleared = sheet("1234", "1-4 1:3  2-3 3:0")
    (found,) = ELIMINATION.pair(cleared.snapshot)
    assert (found.number, cleared.spell((found.pairings[0].a, found.pairings[0].b or 0))) == (2, "42")


def test_co_02_what_rests_on_a_result_is_named() -> None:
    stage = play(field(8, third_place=True), rounds=2)
    quarter, semi = stage.rounds[1][0], stage.rounds[2][0]
    third, final = stage.rounds[3][0], stage.rounds[4][0]
    assert ELIMINATION.dependents(stage, quarter) == (semi, third, final)
    assert ELIMINATION.dependents(stage, semi) == (third, final)
    assert ELIMINATION.dependents(stage, third) == ()
    assert ELIMINATION.dependents(stage, final) == ()


def test_co_03_everything_on_the_path_rests_on_a_deep_result() -> None:
    stage = play(field(16))
    path = ELIMINATION.dependents(stage, stage.rounds[1][0])
    assert [(p.round, p.number) for p in path] == [(2, 1), (3, 1), (4, 1)]


def test_tb_08_a_late_entry_changes_no_bracket() -> None:
    stage = sheet("12345", "1-4 3:0  2-3 3:0", late={"5": 2})
    assert [stage.spell((p.a, p.b or 0)) for p in ELIMINATION.pair(stage.snapshot)[0].pairings] == ["12"]
    rows = rank(stage.snapshot, "single_elimination", ())
    assert (stage.name(rows[-1].entry), rows[-1].rank, rows[-1].reason) == ("5", 5, Note.of("not_in_bracket"))


@settings(max_examples=60, deadline=None)
@given(
    size=st.integers(2, 33), third_place=st.booleans(), seed=st.integers(0, 10**6), absent=st.sampled_from((0, 0, 0.2))
)
def test_every_bracket_played_at_random_comes_to_an_end(size: int, third_place: bool, seed: int, absent: float) -> None:
    rng = random.Random(seed)

    def choose(pairing: Pairing) -> int | None:
        return None if rng.random() < absent else rng.choice((pairing.a, pairing.b))

    stage = play(field(size, third_place=third_place), choose)
    assert ELIMINATION.is_over(stage)
    places = ELIMINATION.places(stage) or {}
    assert places.keys() == stage.by_id.keys()
    assert places == {entry: place for entry, place in places.items() if place in (1, 2, 3, 4, 5, 9, 17, 33)}
    rows = rank(stage, "single_elimination", ())
    assert [row.rank for row in rows] == sorted(places.values())
    if not absent:
        matches = size if third_place and size > 3 else size - 1
        assert sum(p.b is not None for p in stage.pairings) == matches
        counted = Counter(places.values())
        assert (counted[1], counted[2]) == (1, 1)
        if third_place and size > 3:
            assert (counted[3], counted[4]) == (1, 1)
    for column in ELIMINATION.bracket(stage):
        for match in column.matches:
            if match.pairing is not None:
                assert (match.pairing.a, match.pairing.b) == (match.a.entry, match.b.entry)
                assert match.winner == match.pairing.winner
