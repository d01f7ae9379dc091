"""From one stage into the next: the line, those level at it, group-mates apart in the bracket."""

from __future__ import annotations

import pytest

from tests.crosstable import Sheet, sheet
from tournaments.engine.formats import get_format
from tournaments.engine.formats.elimination import seed_order
from tournaments.engine.formats.groups import GroupsOptions
from tournaments.engine.notes import Note
from tournaments.engine.snapshot import Entry, EntryStatus, Snapshot
from tournaments.engine.stages import Cut, cut, outlooks, passage, seeds_apart
from tournaments.engine.standings import rank


def test_tb_07_the_best_go_through_in_the_order_of_the_standings() -> None:
    stage = sheet("ABCD", "A-B 3:0  C-D 3:1", "A-C 3:0  B-D 3:0", "A-D 3:0  B-C 3:2")
    rows = rank(stage.snapshot, "swiss", ("set_difference",))
    found = cut(rows, 2)
    assert found == Cut(tuple(row.entry for row in rows[:2]))
    assert stage.spell(found.through) == "AB"


def test_who_is_level_at_the_line_is_told_and_not_hidden() -> None:
    stage = sheet("ABCDEF", "A-B 3:0  C-D 3:0  E-F 3:0", "A-C 3:0  D-E 3:0  B-F 3:0")
    found = cut(rank(stage.snapshot, "swiss", ()), 3)
    assert stage.spell(found.through) == "ABC"
    assert stage.spell(found.level) == "BCDE"
    assert cut(rank(stage.snapshot, "swiss", ()), 5).level == ()
    assert cut(rank(stage.snapshot, "swiss", ()), 6).level == ()


def test_who_is_disqualified_does_not_go_through() -> None:
    stage = sheet("ABC", "A-B 3:0", "A-C 3:0", "B-C 3:0").without("A", EntryStatus.DISQUALIFIED)
    assert stage.spell(cut(rank(stage.snapshot, "round_robin", ()), 3).through) == "BC"


def tiers(groups: int, best: int) -> tuple[list[list[int]], dict[int, str]]:
    """Entries 11, 12 … of group A, 21 … of B: winners of all groups, then seconds, and so on."""
    names = {
        10 * group + place: "ABCDEFGH"[group - 1] for group in range(1, groups + 1) for place in range(1, best + 1)
    }
    return [[10 * group + place for group in range(1, groups + 1)] for place in range(1, best + 1)], names


def bracket(groups: int, best: int) -> list[str]:
    """The groups of the bracket's places from the top, "-" for a bye."""
    dealt, names = tiers(groups, best)
    seeding = seeds_apart(dealt, names)
    assert [sorted(seeding[t * groups : (t + 1) * groups]) for t in range(best)] == dealt
    size = 1 << (len(seeding) - 1).bit_length()
    return [names[seeding[seed - 1]] if seed <= len(seeding) else "-" for seed in seed_order(size)]


def test_gp_01_four_groups_of_two_are_in_opposite_halves() -> None:
    places = bracket(4, 2)
    assert sorted(places[:4]) == sorted(places[4:]) == list("ABCD")
    dealt, names = tiers(4, 2)
    winners = set(dealt[0])
    seeding = seeds_apart(dealt, names)
    order = seed_order(8)
    for one, other in zip(order[::2], order[1::2], strict=True):
        assert len({seeding[one - 1], seeding[other - 1]} & winners) == 1
        assert names[seeding[one - 1]] != names[seeding[other - 1]]


def test_gp_01_four_groups_of_four_have_one_player_in_each_quarter() -> None:
    places = bracket(4, 4)
    assert [sorted(places[quarter : quarter + 4]) for quarter in range(0, 16, 4)] == [list("ABCD")] * 4


def test_gp_01_two_groups_of_four_never_meet_inside_a_group_at_first() -> None:
    places = bracket(2, 4)
    assert [sorted(places[half : half + 4]) for half in (0, 4)] == [list("AABB")] * 2
    assert all(places[pair] != places[pair + 1] for pair in range(0, 8, 2))


@pytest.mark.parametrize(("groups", "best"), [(3, 2), (3, 3), (5, 2), (6, 2), (8, 2), (8, 4), (2, 3)])
def test_group_mates_do_not_meet_in_the_first_round_of_any_bracket(groups: int, best: int) -> None:
    places = bracket(groups, best)
    pairs = list(zip(places[::2], places[1::2], strict=True))
    assert all(one != other for one, other in pairs)
    if best == 2:
        half = len(places) // 2
        assert all(places[:half].count(name) == places[half:].count(name) == 1 for name in "ABCDEFGH"[:groups])


def test_without_groups_everybody_keeps_the_seed_they_had() -> None:
    assert seeds_apart([[1, 2, 3], [4, 5]], {}) == (1, 2, 3, 4, 5)


GROUPS = get_format("groups")


def groups_of(size: int, count: int) -> list[list[int]]:
    entries = tuple(Entry(seed, seed) for seed in range(1, size + 1))
    return [list(group) for group in GROUPS.groups(Snapshot(entries, options=GroupsOptions(groups=count)))]


def test_groups_are_dealt_in_a_snake_and_even() -> None:
    assert groups_of(8, 2) == [[1, 4, 5, 8], [2, 3, 6, 7]]
    assert groups_of(11, 3) == [[1, 6, 7], [2, 5, 8, 11], [3, 4, 9, 10]]
    assert groups_of(5, 4) == [[1, 4, 5], [2, 3]]
    assert groups_of(3, 2) == [[1, 2, 3]]
    assert GROUPS.advice(5, GroupsOptions(groups=4))[0].params == (("groups", 2),)
    assert GROUPS.advice(8, GroupsOptions(groups=4)) == ()


def test_the_standings_have_winners_of_groups_first_and_say_why() -> None:
    stage = sheet("ABCDEF", options=GroupsOptions(groups=2), late={"F": 2})
    pairs = [[stage.spell((p.a, p.b or 0)) for p in found.pairings] for found in GROUPS.pair(stage.snapshot)]
    assert sorted("".join(sorted(pair)) for found in pairs for pair in found) == ["AD", "AE", "BC", "DE"]
    assert GROUPS.pair(stage.snapshot)[0].pairings[-1].why == Note.of("in_group", group=2)
    played = stage.with_round("D-E 3:0  C-B 3:2").with_round("A-D 3:2").with_round("E-A 0:3")
    rows = rank(played.snapshot, "groups", GROUPS.default_tiebreaks)
    assert played.spell(row.entry for row in rows) == "ACDBEF"
    assert [row.rank for row in rows] == [1, 2, 3, 4, 5, 6]
    assert [(row.reason.code, dict(row.reason.params).get("group")) for row in rows] == [
        ("in_group", 1), ("in_group", 2), ("in_group", 1), ("in_group", 2), ("in_group", 1), ("in_no_group", None),
    ]  # fmt: skip
    assert dict(rows[0].reason.params)["why"].code == "alone_on_points"
    assert dict(rows[2].reason.params)["place"] == 2


# --- Through, of each group; and what is said before.


def group_stage() -> Sheet:
    """Two groups: A, D, E and B, C, F; A and B win theirs, and everybody else has won as much as lost."""
    made = sheet("ABCDEF", options=GroupsOptions(groups=2)).with_round("D-E 3:0  C-F 3:0")
    return made.with_round("A-D 3:0  B-C 3:0").with_round("A-E 3:0  B-F 3:0")


def test_the_best_of_each_group_go_through_in_tiers() -> None:
    played = group_stage()
    rows = rank(played.snapshot, "groups", GROUPS.default_tiebreaks)
    assert [(played.spell((row.entry,)), row.group, row.place) for row in rows] == [
        ("A", 1, 1), ("B", 2, 1), ("D", 1, 2), ("C", 2, 2), ("E", 1, 3), ("F", 2, 3),
    ]  # fmt: skip
    found = passage(rows, 2)
    assert [played.spell(tier) for tier in found.tiers] == ["AB", "DC"]
    assert played.spell(found.seeding) == "ABDC"
    assert {played.spell((entry,)) + group for entry, group in found.groups.items()} == {"A1", "D1", "B2", "C2"}
    assert found.level == ()


def test_a_group_with_fewer_sends_all_of_them() -> None:
    played = group_stage()
    rows = [row for row in rank(played.snapshot, "groups", ()) if row.group == 1 or row.place == 1]
    assert [played.spell(tier) for tier in passage(rows, 3).tiers] == ["AB", "D", "E"]


def test_without_groups_all_are_one_tier() -> None:
    stage = sheet("ABC", "A-B 3:0", "A-C 3:0", "B-C 3:0")
    found = passage(rank(stage.snapshot, "round_robin", ()), 2)
    assert (stage.spell(found.seeding), found.groups) == ("AB", {})


def said(stage: Sheet, key: str, best: int, *, closed: bool = False, ties: bool = False) -> str:
    """The first letter of what is said of each, in order of ids."""
    chosen = get_format(key)
    rows = rank(stage.snapshot, key, chosen.default_tiebreaks)
    found = outlooks(stage.snapshot, key, rows, best, ties=ties, closed=closed)
    return "".join(found[entry].value[0].upper() for entry in sorted(found))


def test_nobody_is_through_before_the_stage_is_closed() -> None:
    stage = sheet("ABC", "A-B 3:0", "A-C 3:0", "B-C 3:0")
    assert said(stage, "round_robin", 1) == "COO"
    assert said(stage, "round_robin", 1, closed=True) == "TOO"


def test_who_is_level_at_the_line_of_a_closed_stage_is_told() -> None:
    circle = sheet("ABC", "A-B 3:0", "C-A 3:0", "B-C 3:0")
    assert said(circle, "round_robin", 1) == "PPP"
    assert said(circle, "round_robin", 1, closed=True) == "LLL"
    assert said(circle, "round_robin", 3, closed=True) == "TTT"


def test_who_has_left_is_passed_over_but_could_come_back() -> None:
    stage = sheet("ABC", "A-B 3:0", "A-C 3:0", "B-C 3:0").without("A", EntryStatus.WITHDRAWN)
    assert said(stage, "round_robin", 1) == "OPO"
    assert said(stage, "round_robin", 2) == "OCP"
    assert said(stage, "round_robin", 1, closed=True) == "OTO"


def test_in_a_bracket_whoever_has_left_keeps_a_place() -> None:
    stage = sheet("ABCD", "A-D 3:0  B-C 3:0").without("A", EntryStatus.WITHDRAWN)
    assert said(stage, "single_elimination", 1) == "OPOO"
    assert said(stage, "single_elimination", 2) == "OCPP"
