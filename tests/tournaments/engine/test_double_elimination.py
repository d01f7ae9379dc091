"""Double elimination: both brackets of every size, drops, byes, the second final, empty sides, places."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tournaments.engine.formats import get_format
from tournaments.engine.formats.base import Feed, Note, Slot
from tournaments.engine.formats.double_elimination import (
    DoubleElimination,
    DoubleEliminationOptions,
    GrandFinal,
    drop_order,
)
from tournaments.engine.formats.elimination import Elimination, Graph, Place, Seed
from tournaments.engine.formats.single_elimination import SingleEliminationOptions
from tournaments.engine.snapshot import Entry, EntryStatus, Pairing, Result, ResultKind, Snapshot
from tournaments.engine.standings import REASONS, rank

DOUBLE = DoubleElimination()
Choice = Callable[[Pairing], int | None]


def field(size: int, grand_final: GrandFinal = "reset") -> Snapshot:
    """Entries whose ids are their seeds."""
    entries = tuple(Entry(seed, seed) for seed in range(1, size + 1))
    return Snapshot(entries, options=DoubleEliminationOptions(grand_final=grand_final))


def publish(stage: Snapshot) -> Snapshot:
    while planned := DOUBLE.pair(stage):
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


def play(stage: Snapshot, choose: Choice = favourite, *, until: str = "") -> Snapshot:
    """The stage with every match played that can be, up to the round of that name."""
    stage = publish(stage)
    while waiting := [p for p in stage.open_pairings() if not until or name(stage, p.round) != until]:
        stage = publish(decide(stage, waiting[0], choose(waiting[0])))
    return stage


def name(stage: Snapshot, number: int) -> str:
    note = DOUBLE.round_name(stage, number)
    return " ".join([note.code, *(str(value) for _, value in note.params)])


def meetings(stage: Snapshot) -> dict[str, set[frozenset[int | None]]]:
    """Round name to who met in it, without byes."""
    found: dict[str, set[frozenset[int | None]]] = {}
    for pairing in stage.pairings:
        if pairing.b is not None:
            found.setdefault(name(stage, pairing.round), set()).add(frozenset((pairing.a, pairing.b)))
    return found


def leave(stage: Snapshot, *gone: int, status: EntryStatus = EntryStatus.WITHDRAWN) -> Snapshot:
    return replace(stage, entries=tuple(replace(e, status=status) if e.id in gone else e for e in stage.entries))


GRAPHS = [
    *(("double_elimination", DoubleEliminationOptions(grand_final=final)) for final in ("reset", "single", "none")),
    *(("single_elimination", SingleEliminationOptions(third_place=third)) for third in (False, True)),
]


@pytest.mark.parametrize(("key", "options"), GRAPHS)
def test_de_07_every_side_has_one_source_and_every_winner_and_loser_one_target(key: str, options: object) -> None:
    chosen = get_format(key)
    assert isinstance(chosen, Elimination)
    for size in range(2, 257):
        graph = chosen.graph(size, options)
        order = {node.place: place for place, node in enumerate(graph.nodes())}
        feeds: Counter[Feed] = Counter()
        seeds: list[int] = []
        for node in graph.nodes():
            for source in (node.a, node.b):
                if isinstance(source, Seed):
                    seeds.append(source.number)
                elif node.again is None:
                    feeds[source] += 1
                    assert order[source.place] < order[node.place]
        assert sorted(seeds) == list(range(1, len(seeds) + 1))
        assert set(feeds.values()) <= {1}
        winners = {source.place for source in feeds if not source.loser}
        last = {node.place for node in graph.nodes()} - winners
        assert last == _last_places(graph)
        expected = {
            node.place for node in graph.nodes() if node.goes_on is not None and _is_played(node.place, graph, size)
        }
        if key == "double_elimination":
            assert {source.place for source in feeds if source.loser} == expected
        assert _reach(graph, {column.nodes[0].place for column in graph.columns[:1]}) >= last


def _last_places(graph: Graph) -> set[Place]:
    """Those whose winner goes nowhere: the last matches of the whole event."""
    return {node.place for node in graph.nodes() if node.winner_place is not None}


def _is_played(place: Place, graph: Graph, size: int) -> bool:
    node = next(node for node in graph.nodes() if node.place == place)
    return not any(isinstance(source, Seed) and source.number > size for source in (node.a, node.b))


def _reach(graph: Graph, start: set[Place]) -> set[Place]:
    found, ahead = set(start), list(start)
    while ahead:
        new = set(graph.followers.get(ahead.pop(), ())) - found
        found |= new
        ahead += new
    return found


@pytest.mark.parametrize("size", [2, 3, 4, 5, 6, 7, 8, 9, 12, 16, 17, 31, 33, 64, 100])
def test_everybody_but_the_champion_loses_twice(size: int) -> None:
    calm = play(field(size))
    assert sum(p.b is not None for p in calm.pairings) == 2 * size - 2
    upset = play(field(size), lambda p: max(p.a, p.b or p.a))
    assert sum(p.b is not None for p in upset.pairings) in (2 * size - 2, 2 * size - 1)
    for stage in (calm, upset):
        assert DOUBLE.is_over(stage)
        losses = Counter(p.loser for p in stage.pairings if p.loser)
        places = DOUBLE.places(stage) or {}
        champion = next(entry for entry, place in places.items() if place == 1)
        assert all(losses[entry] == 2 for entry in places if entry != champion and places[entry] > 2)


def test_de_01_a_loser_beside_a_bye_waits_for_the_next_to_drop() -> None:
    stage = play(field(3))
    assert meetings(stage) == {
        "winners_semi_finals": {frozenset((2, 3))},
        "winners_final": {frozenset((1, 2))},
        "losers_final": {frozenset((2, 3))},
        "grand_final": {frozenset((1, 2))},
    }
    assert [column.name.code for column in DOUBLE.bracket(stage)] == [
        "winners_semi_finals", "winners_final", "losers_final", "grand_final",
    ]  # fmt: skip


def test_de_03_the_one_who_had_not_lost_gets_a_second_final_and_no_champion_is_named_before() -> None:
    stage = play(field(4), until="grand_final")
    (final,) = stage.open_pairings()
    assert {final.a, final.b} == {1, 2}
    stage = publish(decide(stage, final, 2))
    (again,) = stage.open_pairings()
    assert name(stage, again.round) == "grand_final_reset"
    assert {again.a, again.b} == {1, 2}
    assert (DOUBLE.is_over(stage), DOUBLE.places(stage)) == (False, {3: 3, 4: 4})
    assert DOUBLE.place_reasons(stage)[1] == DOUBLE.place_reasons(stage)[2] == Note.of("still_in", best=1)
    assert DOUBLE.dependents(stage, final) == (again,)
    assert DOUBLE.dependents(stage, stage.rounds[1][0])[-2:] == (
        next(p for p in stage.pairings if p.round == final.round), again,
    )  # fmt: skip
    ended = decide(stage, again, 1)
    assert DOUBLE.places(ended) == {1: 1, 2: 2, 3: 3, 4: 4}
    assert DOUBLE.place_reasons(ended)[1] == Note.of("place_final_won", entry=2, sets="3:1")
    single = play(field(4, "single"), until="grand_final")
    (final,) = single.open_pairings()
    assert DOUBLE.places(decide(single, final, 2)) == {1: 2, 2: 1, 3: 3, 4: 4}


def test_de_04_no_second_final_is_made_when_the_first_decides() -> None:
    stage = play(field(4))
    assert DOUBLE.is_over(stage)
    assert DOUBLE.places(stage) == {1: 1, 2: 2, 3: 3, 4: 4}
    assert DOUBLE.bracket(stage)[-1].name == Note.of("grand_final")
    assert DOUBLE.rounds_planned(stage) == stage.last_round


def test_a_corrected_final_takes_the_second_one_out_of_the_bracket() -> None:
    stage = play(field(4), until="grand_final")
    (final,) = stage.open_pairings()
    stage = publish(decide(stage, final, 2))
    (again,) = stage.open_pairings()
    corrected = decide(stage, next(p for p in stage.pairings if p.round == final.round), 1)
    assert DOUBLE.places(corrected) == {1: 1, 2: 2, 3: 3, 4: 4}
    assert DOUBLE.bracket(corrected)[-1].number == final.round
    assert again in corrected.pairings


def test_without_a_grand_final_the_winners_bracket_decides() -> None:
    stage = play(field(8, "none"))
    assert DOUBLE.is_over(stage)
    assert [column.side for column in DOUBLE.bracket(stage)].count("final") == 0
    assert DOUBLE.places(stage) == {1: 1, 2: 2, 3: 3, 4: 4, 5: 5, 6: 5, 7: 7, 8: 7}
    reasons = DOUBLE.place_reasons(stage)
    assert reasons[1] == Note.of("place_final_won", entry=2, sets="3:1")
    assert reasons[2] == Note.of("place_losers_final_won", entry=3, sets="3:1")
    assert reasons[3] == Note.of("place_losers_final_lost", entry=2, sets="1:3")
    half = play(field(8, "none"), until="losers_final")
    assert DOUBLE.place_reasons(half)[2] == Note.of("still_in", best=2)
    two = play(field(2, "none"))
    assert (DOUBLE.places(two), len(two.pairings)) == ({1: 1, 2: 2}, 1)
    assert DOUBLE.place_reasons(two)[2] == Note.of("place_final_lost", entry=1, sets="1:3")


def test_de_06_losers_drop_into_the_other_half() -> None:
    stage = play(field(8))
    assert meetings(stage)["losers_round 1"] == {frozenset((8, 5)), frozenset((7, 6))}
    assert meetings(stage)["losers_round 2"] == {frozenset((4, 6)), frozenset((3, 5))}


@pytest.mark.parametrize("size", [16, 32, 64])
def test_de_06_while_favourites_win_nobody_meets_again_before_the_last_rounds(size: int) -> None:
    stage = play(field(size))
    met: Counter[frozenset[int | None]] = Counter()
    rounds = [number for number in stage.rounds if not name(stage, number).startswith("grand")]
    for number in rounds[:-2]:
        met.update(frozenset((p.a, p.b)) for p in stage.rounds[number])
    assert set(met.values()) == {1}


def test_the_order_of_drops_changes_from_round_to_round() -> None:
    losers = [Feed((1, number)) for number in range(1, 9)]
    orders = [[feed.place[1] for feed in drop_order(losers, level)] for level in range(2, 7)]
    assert orders == [
        [8, 7, 6, 5, 4, 3, 2, 1],
        [4, 3, 2, 1, 8, 7, 6, 5],
        [5, 6, 7, 8, 1, 2, 3, 4],
        [1, 2, 3, 4, 5, 6, 7, 8],
        [8, 7, 6, 5, 4, 3, 2, 1],
    ]


def test_de_08_who_is_disqualified_leaves_no_hole_in_the_losers_bracket() -> None:
    stage = publish(field(8))
    match = next(p for p in stage.open_pairings() if {p.a, p.b} == {4, 5})
    walked = replace(match, result=Result(ResultKind.WALKOVER, (3, 0), "a"))
    gone = replace(stage, pairings=tuple(walked if p == match else p for p in stage.pairings))
    gone = play(leave(gone, 5, status=EntryStatus.DISQUALIFIED))
    assert all(5 not in pair for pair in meetings(gone)["losers_round 1"])
    assert meetings(gone)["losers_round 2"] == {frozenset((8, 3)), frozenset((6, 4))}
    assert DOUBLE.is_over(gone)
    forfeited = play(
        replace(gone, entries=stage.entries, pairings=tuple(walked if p == match else p for p in stage.pairings))
    )
    assert frozenset((5, 8)) in meetings(forfeited)["losers_round 1"]


def test_a_match_neither_side_came_to_lets_their_next_opponents_through() -> None:
    stage = publish(field(8))
    absent = next(p for p in stage.open_pairings() if {p.a, p.b} == {1, 8})
    stage = play(decide(stage, absent, None))
    assert DOUBLE.is_over(stage)
    assert meetings(stage)["winners_semi_finals"] == {frozenset((2, 3))}
    assert meetings(stage)["losers_round 1"] == {frozenset((7, 6))}
    assert DOUBLE.place_reasons(stage)[1] == Note.of("place_out_in", round="winners_round", n=1)
    assert DOUBLE.places(stage) == {2: 1, 3: 2, 4: 3, 6: 4, 5: 5, 1: 7, 7: 7, 8: 7}


def test_a_final_neither_side_came_to_has_no_champion_and_no_second_final() -> None:
    stage = play(field(4), until="grand_final")
    (final,) = stage.open_pairings()
    stage = publish(decide(stage, final, None))
    assert DOUBLE.is_over(stage)
    assert DOUBLE.places(stage) == {1: 2, 2: 2, 3: 3, 4: 4}


def test_who_leaves_before_the_final_leaves_the_other_one_unopposed() -> None:
    stage = play(field(4), until="losers_final")
    alone = play(leave(stage, 1))
    assert meetings(alone).get("grand_final") is None
    assert DOUBLE.places(alone) == {1: 2, 2: 1, 3: 3, 4: 4}
    assert DOUBLE.place_reasons(alone)[2] == Note.of("place_unopposed", round="grand_final")
    reset = play(field(4), until="grand_final")
    (final,) = reset.open_pairings()
    before = decide(reset, final, 2)
    assert DOUBLE.places(play(leave(before, 1))) == {1: 2, 2: 1, 3: 3, 4: 4}


def test_the_bracket_says_which_part_a_round_belongs_to_and_what_fills_a_side() -> None:
    columns = DOUBLE.bracket(field(4))
    assert [(c.number, c.side, c.name.code) for c in columns] == [
        (1, "winners", "winners_semi_finals"),
        (2, "winners", "winners_final"),
        (3, "losers", "losers_round"),
        (4, "losers", "losers_final"),
        (5, "final", "grand_final"),
    ]
    assert [(match.from_a, match.from_b) for match in columns[0].matches] == [(None, None), (None, None)]
    (losers_final,) = columns[3].matches
    assert (losers_final.from_a, losers_final.from_b) == (Feed((3, 1)), Feed((2, 1), loser=True))
    assert (losers_final.a, losers_final.b, losers_final.winner) == (Slot(), Slot(), None)


def test_places_are_shared_by_who_goes_out_in_the_same_round() -> None:
    places = sorted((DOUBLE.places(play(field(32))) or {}).values())
    assert places == [1, 2, 3, 4, 5, 5, 7, 7, *[9] * 4, *[13] * 4, *[17] * 8, *[25] * 8]


@settings(max_examples=60, deadline=None)
@given(
    size=st.integers(2, 33),
    grand_final=st.sampled_from(("reset", "single", "none")),
    seed=st.integers(0, 10**6),
    absent=st.sampled_from((0, 0, 0.2)),
)
def test_every_bracket_played_at_random_comes_to_an_end(
    size: int, grand_final: GrandFinal, seed: int, absent: float
) -> None:
    rng = random.Random(seed)

    def choose(pairing: Pairing) -> int | None:
        return None if rng.random() < absent else rng.choice((pairing.a, pairing.b))

    stage = play(field(size, grand_final), choose)
    assert DOUBLE.is_over(stage)
    places = DOUBLE.places(stage) or {}
    assert places.keys() == stage.by_id.keys()
    rows = rank(stage, "double_elimination", ())
    assert [row.rank for row in rows] == sorted(places.values())
    assert {row.reason.code for row in rows} <= set(REASONS)
    if not absent:
        counted = Counter(places.values())
        assert all(place == 1 + sum(counted[above] for above in counted if above < place) for place in counted)
        losses = Counter(p.loser for p in stage.pairings if p.loser)
        assert all(losses[entry] == 2 for entry, place in places.items() if place > 2)
    for column in DOUBLE.bracket(stage):
        for match in column.matches:
            if match.pairing is not None:
                assert {match.pairing.a, match.pairing.b} == {match.a.entry, match.b.entry}


def test_repeat_meetings_are_rare_when_results_are_random() -> None:
    rng = random.Random("drops")
    repeats = 0
    for _ in range(100):
        stage = play(field(16), lambda p: rng.choice((p.a, p.b)))
        times = Counter(pair for name_, pairs in meetings(stage).items() if name_[0] != "g" for pair in pairs)
        repeats += sum(count - 1 for count in times.values())
        met = [pair for pair in combinations(range(1, 17), 2) if times[frozenset(pair)] > 1]
        assert len(met) <= 4
    assert repeats < 120
