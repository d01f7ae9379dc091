"""What the planner is fed with: the matches of a stage and how long they take."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tournaments.engine.formats import get_format
from tournaments.engine.scheduling import Fixtures, State, estimate_length, estimate_spread, expected_end, plan
from tournaments.engine.scheduling.facts import Hall, Table
from tournaments.engine.snapshot import Entry, EntryStatus, Pairing, Result, ResultKind, Snapshot

WON = Result(ResultKind.SCORE, (3, 1), "a")


def stage_of(key: str, size: int, **options: object) -> Snapshot:
    chosen = get_format(key)
    return Snapshot(tuple(Entry(seed, seed) for seed in range(1, size + 1)), options=chosen.Options(**options))


def told(key: str, snapshot: Snapshot, **more: object) -> dict[str, tuple[tuple[str, ...], tuple[str, ...]]]:
    """Key to players and feeds."""
    found = Fixtures(stage="s", length=60, **more).of(get_format(key), snapshot)  # type: ignore[arg-type]
    return {match.key: (match.players, match.feeds) for match in found}


def test_a_bracket_passes_byes_through() -> None:
    """ST-02: five in a double elimination, three of them with a bye: what is not played is no match."""
    assert told("double_elimination", stage_of("double_elimination", 5)) == {
        "s/1/2": (("4", "5"), ()),
        "s/2/1": (("1",), ("s/1/2",)),
        "s/2/2": (("2", "3"), ()),
        "s/3/1": ((), ("s/1/2", "s/2/2")),
        "s/4/1": ((), ("s/2/1", "s/2/2")),
        "s/5/1": ((), ("s/2/1", "s/3/1")),
        "s/6/1": ((), ("s/4/1", "s/5/1")),
        "s/7/1": ((), ("s/4/1", "s/6/1")),
    }


def test_a_bracket_fills_as_results_come() -> None:
    stage = stage_of("single_elimination", 4, third_place=True)
    played = replace(stage, pairings=(Pairing(1, 1, 1, 4, WON), Pairing(1, 2, 2, 3)))
    found = Fixtures(stage="s", length=60, tournament="t").of(get_format("single_elimination"), played)
    assert [(m.key, m.players, m.feeds, m.state, m.tournament) for m in found] == [
        ("s/1/1", ("1", "4"), (), State.OVER, "t"),
        ("s/1/2", ("2", "3"), (), State.WAITING, "t"),
        ("s/2/1", ("4",), ("s/1/1", "s/1/2"), State.WAITING, "t"),
        ("s/3/1", ("1",), ("s/1/1", "s/1/2"), State.WAITING, "t"),
    ]


def test_a_swiss_has_rounds_nobody_can_pair_yet() -> None:
    stage = stage_of("swiss", 5, rounds=3)
    left = replace(stage, entries=(*stage.entries[:4], replace(stage.entries[4], status=EntryStatus.WITHDRAWN)))
    round_one = replace(left, pairings=(Pairing(1, 1, 1, 3), Pairing(1, 2, 2, 4), Pairing(1, 3, 5, None)))
    first = ("s/1/1", "s/1/2")
    assert told("swiss", round_one, after=("groups/1/1",)) == {
        "s/1/1": (("1", "3"), ("groups/1/1",)),
        "s/1/2": (("2", "4"), ("groups/1/1",)),
        "s/2/1": ((), first),
        "s/2/2": ((), first),
        "s/3/1": ((), ("s/2/1", "s/2/2")),
        "s/3/2": ((), ("s/2/1", "s/2/2")),
    }


def test_a_round_robin_is_known_from_the_start_and_may_go_by_rounds() -> None:
    stage = stage_of("round_robin", 4)
    free = told("round_robin", stage)
    assert [feeds for _, feeds in free.values()] == [()] * 6
    by_rounds = told("round_robin", stage, by_rounds=True)
    assert {key: players for key, (players, _) in by_rounds.items()} == {k: players for k, (players, _) in free.items()}
    assert [feeds for _, feeds in by_rounds.values()] == [
        *[()] * 2,
        *[("s/1/1", "s/1/2")] * 2,
        *[("s/2/1", "s/2/2")] * 2,
    ]


def test_a_stage_that_follows_has_nobody_in_it_yet() -> None:
    found = told("single_elimination", stage_of("single_elimination", 4), person=lambda _: None, after=("g/1/1",))
    assert found == {
        "s/1/1": ((), ("g/1/1",)),
        "s/1/2": ((), ("g/1/1",)),
        "s/2/1": ((), ("s/1/1", "s/1/2")),
    }


def test_groups_take_as_many_slots_as_their_bound() -> None:
    chosen = get_format("groups")
    matches = Fixtures(stage="g", length=60).of(chosen, stage_of("groups", 32, groups=8))
    hall = Hall(tables=tuple(Table(key=str(n), order=n) for n in range(8)), rest=60)
    found = plan(matches=matches, hall=hall, now=0)
    assert (len(matches), found.end, found.bound.end) == (48, 360, 360)


# --- lengths


@pytest.mark.parametrize(
    ("played", "running", "expected"),
    [
        ([], [], 1500),
        ([1800], [], 1543),  # (6 × 1500 + 1800) / 7 = 1542.9
        ([1800] * 6, [], 1650),
        ([1800] * 60, [], 1773),
        ([90_000], [], 2143),  # a result told a day later is four of the middle one: (9000 + 6000) / 7
        ([1], [], 1339),  # and one told at once a quarter: (9000 + 375) / 7
        ([], [600, 1200], 1500),  # still within what is expected
        ([], [2400], 1629),  # (9000 + 2400) / 7
        ([1499, 1500], [], 1500),  # 1499.875
    ],
)
def test_the_length_of_a_match_is_learned_from_the_day(played: list[int], running: list[int], expected: int) -> None:
    assert estimate_length(planned=1500, played=played, running=running) == expected
    assert estimate_length(planned=1500, played=played[::-1], running=running[::-1]) == expected


@pytest.mark.parametrize(
    ("played", "expected"),
    [([], 375), ([1500] * 6, 265), ([1200, 1800], 357)],  # √(6 × 375² / 12), √((6 × 375² + 2 × 300²) / 8)
)
def test_how_much_lengths_differ_is_learned_too(played: list[int], expected: int) -> None:
    assert estimate_spread(planned=1500, played=played) == expected


@pytest.mark.parametrize(
    ("elapsed", "played", "expected"),
    [
        (0, [], 1200),  # between 10 and 30 minutes, 20 in the middle
        (1200, [], 1500),  # 1300, 1500 and 1700 are left
        (1750, [], 1900),  # nothing is left: an eighth more
        (1750, [2400, 2000, 900], 2200),
    ],
)
def test_what_is_played_ends_as_those_that_took_as_long(elapsed: int, played: list[int], expected: int) -> None:
    now = 36_000 + elapsed
    assert expected_end(start=36_000, now=now, planned=1200, played=played) == 36_000 + expected
