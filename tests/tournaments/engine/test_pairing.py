"""The pairing of one round against an exact reference, and its promises one by one."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import combinations

import networkx as nx
import pytest

from tests.crosstable import sheet
from tournaments.engine.notes import Note
from tournaments.engine.pairing import (
    ERRORS,
    WARNINGS,
    Contender,
    contenders,
    is_error,
    judge,
    lot,
    pair_round,
    turns,
    window,
)
from tournaments.engine.pairing.field import Field
from tournaments.engine.snapshot import EntryStatus, Pairing, Result, ResultKind


def history(rng: random.Random, players: int, rounds: int) -> list[Contender]:
    """Contenders after some rounds of random results, roughly paired by score, some with friends they never meet."""
    points = [0] * players
    met: list[dict[int, int]] = [{} for _ in range(players)]
    had = [""] * players
    byes = [0] * players
    ties = rng.choice((0.0, 0.1, 0.4))
    for _ in range(rounds):
        waiting = sorted(range(players), key=lambda i: (-points[i], rng.random()))
        if players % 2:
            sitting = next((i for i in reversed(waiting) if not byes[i]), waiting[-1])
            waiting.remove(sitting)
            byes[sitting] += 1
            points[sitting] += 3
        while waiting:
            one = waiting.pop(0)
            other = next((i for i in waiting if i not in met[one]), waiting[0])
            waiting.remove(other)
            met[one][other] = met[other][one] = met[one].get(other, 0) + 1
            first, second = (one, other) if rng.random() < 0.5 else (other, one)
            had[first] += "F"
            had[second] += "S"
            if rng.random() < ties:
                points[one] += 1
                points[other] += 1
            else:
                points[rng.choice((one, other))] += 3
    friends = rng.choice((0.0, 0.0, 0.05, 0.15))
    for one, other in combinations(range(players), 2):
        if rng.random() < friends:
            met[one].setdefault(other, 1)
            met[other].setdefault(one, 1)
    left = [i for i in range(players) if rng.random() > rng.choice((0.0, 0.0, 0.05))]
    return [
        Contender(
            id=i + 1,
            points=points[i],
            seed=i + 1,
            byes=byes[i],
            turns=had[i],
            met={j + 1: n for j, n in met[i].items()},
        )
        for i in left
    ]


Objective = tuple[int, ...]


def objective(field: list[Contender], pairs: list[tuple[int, int]]) -> Objective:
    """Rematches; then for each score group from the top, how many are paired below it, and how far together."""
    by_id = {contender.id: contender for contender in field}
    scores = sorted({by_id[i].points for pair in pairs for i in pair}, reverse=True)
    falls = [[0, 0] for _ in scores]
    rematches = 0
    for a, b in pairs:
        rematches += b in by_id[a].met
        upper, lower = sorted(scores.index(by_id[i].points) for i in (a, b))
        if upper != lower:
            falls[upper][0] += 1
            falls[upper][1] += lower - upper
    return (rematches, *(part for fall in falls for part in fall))


def best_pairs(field: list[Contender], *, balanced: bool = False) -> list[tuple[int, int]]:
    """One matching over all possible pairs, with weights as long as they need to be; `balanced` with turns last."""
    scores = sorted({contender.points for contender in field}, reverse=True)
    base = 2 * len(field) * len(scores)
    most = base ** (2 * len(scores) + 2)
    graph: nx.Graph[int] = nx.Graph()
    graph.add_nodes_from(contender.id for contender in field)
    for one, other in combinations(field, 2):
        upper, lower = sorted((scores.index(one.points), scores.index(other.points)))
        weight = most
        if other.id in one.met:
            weight -= base ** (2 * len(scores) + 1)
        if upper != lower:
            weight -= (base + lower - upper) * base ** (2 * (len(scores) - 1 - upper))
        clash = turns.COSTS[turns.wish(one.turns)][turns.wish(other.turns)] if balanced else 0
        graph.add_edge(one.id, other.id, weight=weight * (12 * len(field) + 1) - clash)
    return list(nx.max_weight_matching(graph, maxcardinality=True))


def fewest_rematches(field: list[Contender]) -> int:
    graph: nx.Graph[int] = nx.Graph()
    graph.add_nodes_from(contender.id for contender in field)
    graph.add_edges_from((a.id, b.id) for a, b in combinations(field, 2) if b.id not in a.met)
    return len(field) // 2 - len(nx.max_weight_matching(graph, maxcardinality=True))


@pytest.mark.parametrize(
    ("states", "least", "most", "rounds"),
    [
        (120, 2, 18, 9),
        (160, 19, 32, 14),
        (20, 31, 90, 14),
        pytest.param(2000, 2, 18, 12, marks=pytest.mark.long),
        pytest.param(2000, 19, 40, 16, marks=pytest.mark.long),
        pytest.param(300, 31, 90, 14, marks=pytest.mark.long),
    ],
    ids=str,
)
def test_every_round_is_as_good_as_the_exact_reference(states: int, least: int, most: int, rounds: int) -> None:
    rng = random.Random(f"{states} {least}-{most}")
    for state in range(states):
        players = rng.randint(least, most)
        field = history(rng, players, rng.randint(0, min(rounds, max(1, players - 2))))
        rng.shuffle(field)
        paired = pair_round(field, seed=f"state {state}", number=1)
        seated = [i for pair in paired.pairs for i in pair] + ([] if paired.bye is None else [paired.bye])
        assert sorted(seated) == sorted(contender.id for contender in field)
        playing = [contender for contender in field if contender.id != paired.bye]
        if playing:
            assert objective(field, list(paired.pairs)) == objective(field, best_pairs(playing)), f"state {state}"


def test_the_bye_goes_to_the_first_candidate_who_leaves_fewest_rematches() -> None:
    rng = random.Random("byes")
    for state in range(150):
        field = history(rng, rng.choice((3, 5, 7, 9, 11)), rng.randint(0, 9))
        if len(field) % 2 == 0:
            continue
        candidates = sorted(field, key=lambda c: (c.byes, c.points, -c.seed))
        left = [fewest_rematches([c for c in field if c is not candidate]) for candidate in candidates]
        expected = candidates[left.index(min(left))].id
        assert pair_round(field, seed=f"state {state}", number=1).bye == expected


@pytest.mark.parametrize("bits", [100, 75, 60, 52])
def test_groups_whose_digits_do_not_fit_the_weight_are_still_paired_exactly(bits: int) -> None:
    """Weights too long for the matching library overflow without a word; they are cut into several matchings."""
    rng = random.Random("digits")
    for state in range(40):
        crowd = history(rng, rng.randrange(14, 31, 2), rng.randint(3, 12))
        field = Field.of(crowd[: len(crowd) // 2 * 2], seed=f"state {state}", number=1)
        pairs = window.solve(field, field.levels, rematches=True, weight_bits=bits)
        ids = [(field.contenders[a].id, field.contenders[b].id) for a, b in pairs]
        playing = list(field.contenders)
        assert objective(playing, ids) == objective(playing, best_pairs(playing)), f"state {state}"


def test_a_weight_too_narrow_for_anything_still_gives_everybody_an_opponent() -> None:
    rng = random.Random("narrow")
    for state in range(20):
        crowd = history(rng, 20, 6)
        field = Field.of(crowd[: len(crowd) // 2 * 2], seed=f"state {state}", number=1)
        pairs = window.solve(field, field.levels, rematches=True, weight_bits=1)
        assert sorted(i for pair in pairs for i in pair) == list(range(field.size))


def test_large_groups_lose_one_player_at_most_and_nobody_meets_twice() -> None:
    rng = random.Random("large")
    points = [9] * 301 + [6] * 3 + [3] * 2 + [2] * 300 + [0] * 5
    met: list[dict[int, int]] = [{} for _ in points]
    for _ in range(4):
        order = list(range(len(points)))
        rng.shuffle(order)
        for one, other in zip(order[::2], order[1::2], strict=False):
            met[one][other + 1] = met[other][one + 1] = 1
    for one, other in combinations(range(301, 306), 2):
        met[one][other + 1] = met[other][one + 1] = 1
    field = [
        Contender(id=i + 1, points=points[i], seed=i + 1, turns="FS"[i % 2] * (i % 3), met=met[i])
        for i in range(len(points))
    ]
    paired = pair_round(field, seed="large", number=5)
    assert paired.bye == 611
    # The three on 6 have met each other and the two on 3: one takes the floater from above, two go down to 2 points.
    assert objective(field, list(paired.pairs)) == (0, 1, 1, 2, 4, 2, 2, 0, 0, 0, 0)


def test_few_players_below_a_large_group_who_have_all_met_are_paired_into_it() -> None:
    crowd = [Contender(id=i, points=3, seed=i) for i in range(1, 61)]
    rest = range(61, 65)
    foes = [Contender(id=i, points=0, seed=i, met={j: 1 for j in rest if j != i}) for i in rest]
    paired = pair_round(crowd + foes, seed="below", number=2)
    assert objective(crowd + foes, list(paired.pairs)) == (0, 4, 4, 0, 0)


def test_the_round_depends_on_facts_and_seed_and_not_on_the_order_of_players() -> None:
    rng = random.Random("order")
    for _ in range(20):
        field = history(rng, 40, 6)
        one = pair_round(field, seed="s", number=7)
        rng.shuffle(field)
        assert pair_round(field, seed="s", number=7) == one
    assert pair_round(field, seed="t", number=7) != one


def test_the_lot_is_drawn_the_same_for_ever() -> None:
    assert lot("StarCon", 3, 42) == 15238916034492579830


def test_with_nobody_or_one_player_there_is_no_pair() -> None:
    assert pair_round([], seed="s", number=1).pairs == ()
    alone = pair_round([Contender(id=7)], seed="s", number=1)
    assert (alone.pairs, alone.bye) == ((), 7)


@pytest.mark.parametrize(
    ("had", "wish"),
    [
        ("", 0),
        ("F", -2),
        ("S", 2),
        ("FS", 1),
        ("SF", -1),
        ("FSF", -2),
        ("SFF", -3),
        ("SFSS", 3),
        ("FSFF", -3),
        ("SSFF", -3),
    ],
)
def test_wishes_grow_with_the_surplus_of_turns(had: str, wish: int) -> None:
    assert turns.wish(had) == wish


def test_equal_wishes_are_settled_by_who_opened_less_and_then_by_the_last_difference() -> None:
    assert turns.opens("FSS", "F") is True
    assert turns.opens("SFFSS", "SS") is False  # both absolute, but one has had two first turns
    assert turns.opens("SFSF", "FSSF") is False
    assert turns.opens("FSFS", "FSFS") is None


def test_sw_18_turns_stay_balanced_and_never_cost_a_rematch() -> None:
    rng = random.Random("turns")
    for event in range(12):
        stage = sheet("ABCDEFGHIJKL", seed=f"event {event}").snapshot
        for number in range(1, 7):
            field = list(contenders(stage, number))
            paired = pair_round(field, seed=stage.seed, number=number)
            assert clashes(field, list(paired.pairs)) == clashes(field, best_pairs(field, balanced=True))
            played = [won(number, table, a, b, rng.choice("ab")) for table, (a, b) in enumerate(paired.pairs, start=1)]
            stage = replace(stage, pairings=(*stage.pairings, *played))
        for contender in contenders(stage, 7):
            assert abs(turns.balance(contender.turns)) <= 2
            assert set(contender.met.values()) == {1}


def clashes(field: list[Contender], pairs: list[tuple[int, int]]) -> int:
    wishes = {contender.id: turns.wish(contender.turns) for contender in field}
    return sum(turns.COSTS[wishes[a]][wishes[b]] for a, b in pairs)


def won(number: int, table: int, a: int, b: int, side: str) -> Pairing:
    return Pairing(number, table, a, b, Result(ResultKind.SCORE, (3, 0) if side == "a" else (0, 3), side))


def test_a_round_changed_by_hand_is_judged() -> None:
    stage = sheet("ABCDEFGH", "A-B 3:0   C-D 3:0   E-F 3:0  G bye", late={"H": 2}).without("D")
    changed = sheet("ABCDEFGHX", "A-B   C-D   E-E  G bye   A bye   C-X").snapshot.pairings
    notes = judge(stage.snapshot, changed)
    assert notes == (
        Note.of("not_in_stage", entry=109),
        Note.of("not_active", entry=stage.id("D")),
        Note.of("self", entry=stage.id("E")),
        Note.of("paired_twice", entry=stage.id("A")),
        Note.of("paired_twice", entry=stage.id("C")),
        Note.of("rematch", a=stage.id("A"), b=stage.id("B"), round=1),
        Note.of("rematch", a=stage.id("C"), b=stage.id("D"), round=1),
        Note.of("bye_again", entry=stage.id("G")),
        Note.of("extra_byes", count=2),
        Note.of("left_out", entry=stage.id("F")),
        Note.of("left_out", entry=stage.id("H")),
    )
    assert [is_error(note) for note in notes] == [True] * 5 + [False] * 6
    assert tuple(dict.fromkeys(note.code for note in notes)) == ERRORS + WARNINGS


def test_a_round_as_the_engine_pairs_it_leaves_nothing_to_say() -> None:
    stage = sheet("ABCDEFG", "A-B 3:0   C-D 3:0   E-F 3:0  G bye", late={"G": 1}).without("D")
    assert stage.snapshot.by_id[stage.id("D")].status is EntryStatus.WITHDRAWN
    paired = pair_round(contenders(stage.snapshot, 2), seed="s", number=2)
    planned = [Pairing(2, table, a, b) for table, (a, b) in enumerate(paired.pairs, start=1)]
    assert judge(stage.snapshot, planned) == ()


@pytest.mark.parametrize("size", [8, 30, 120])
def test_players_of_one_club_are_kept_apart_where_nobody_floats_farther_for_it(size: int) -> None:
    rng = random.Random(f"clubs {size}")
    for state in range(12):
        crowd = history(rng, size, 3)
        field = [replace(c, club=rng.choice(("", "Taris", "Dantooine", "Telos", "Onderon"))) for c in crowd]
        club = {contender.id: contender.club for contender in field}
        seed = f"state {state}"
        apart = pair_round(field, seed=seed, number=4)
        before = pair_round(crowd, seed=seed, number=4)
        assert apart.bye == before.bye
        assert objective(field, list(apart.pairs)) == objective(crowd, list(before.pairs))
        clubmates = [sum(bool(club[a]) and club[a] == club[b] for a, b in p.pairs) for p in (apart, before)]
        assert clubmates[0] <= clubmates[1]
        assert clubmates[0] <= 1 or size == 8


def test_two_clubs_of_equal_size_meet_each_other_only() -> None:
    field = [Contender(id=i, points=3, seed=i, club="AB"[i % 2]) for i in range(1, 101)]
    assert all((a + b) % 2 for a, b in pair_round(field, seed="clubs", number=2).pairs)


def test_a_club_too_large_to_be_kept_apart_is_paired_all_the_same() -> None:
    field = [Contender(id=i, points=0, seed=i, club="A" if i > 20 else "B") for i in range(1, 101)]
    pairs = pair_round(field, seed="clubs", number=1).pairs
    assert sum(a > 20 and b > 20 for a, b in pairs) == 30
