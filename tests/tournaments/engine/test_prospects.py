"""Certain, possible, out: compared with every way a small field can end."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from itertools import product

import pytest

from tests.crosstable import sheet
from tournaments.engine.formats import get_format
from tournaments.engine.formats.base import Format
from tournaments.engine.formats.double_elimination import DoubleEliminationOptions
from tournaments.engine.formats.groups import GroupsOptions
from tournaments.engine.formats.single_elimination import SingleEliminationOptions
from tournaments.engine.formats.swiss import SwissOptions
from tournaments.engine.prospects import Prospect, prospects
from tournaments.engine.snapshot import Entry, EntryStatus, Pairing, Result, ResultKind, Snapshot

WON, LOST, TIED = (
    Result(ResultKind.SCORE, (3, 1), "a"),
    Result(ResultKind.SCORE, (1, 3), "b"),
    Result(ResultKind.SCORE, (2, 2), None),
)


def spelled(found: dict[int, Prospect], names: dict[int, str] | None = None) -> str:
    """C, P or O for each entry in order of ids."""
    return "".join(found[entry].value[0].upper() for entry in sorted(found))


def start(size: int, options: object, seed: str = "p") -> Snapshot:
    return Snapshot(tuple(Entry(place, place) for place in range(1, size + 1)), options=options, seed=seed)


def publish(chosen: Format, stage: Snapshot) -> Snapshot:
    while planned := chosen.pair(stage):
        made = (Pairing(r.number, p.number, p.a, p.b) for r in planned for p in r.pairings)
        stage = replace(stage, pairings=(*stage.pairings, *made))
    return stage


def decide(stage: Snapshot, pairing: Pairing, result: Result) -> Snapshot:
    others = tuple(p for p in stage.pairings if p is not pairing)
    return replace(stage, pairings=(*others, replace(pairing, result=result)))


def begun(chosen: Format, stage: Snapshot, matches: int, rng: random.Random, results: tuple[Result, ...]) -> Snapshot:
    stage = publish(chosen, stage)
    for _ in range(matches):
        if waiting := list(stage.open_pairings()):
            stage = publish(chosen, decide(stage, rng.choice(waiting), rng.choice(results)))
    return stage


def ends(chosen: Format, stage: Snapshot, results: tuple[Result, ...]) -> Iterator[Snapshot]:
    """Every way the stage can end, new rounds as the format makes them."""
    stage = publish(chosen, stage)
    waiting = list(stage.open_pairings())
    if not waiting:
        yield stage
        return
    for combination in product(results, repeat=len(waiting)):
        ended = dict(zip((id(p) for p in waiting), combination, strict=True))
        pairings = tuple(replace(p, result=ended[id(p)]) if id(p) in ended else p for p in stage.pairings)
        yield from ends(chosen, replace(stage, pairings=pairings), results)


def truth(scores: list[dict[int, int]], best: int) -> dict[int, Prospect]:
    """By every end, as scores of which more is better: level with the last of the best is neither in nor out."""
    found = {}
    for entry in scores[0]:
        above = [sum(end[other] > end[entry] for other in end) for end in scores]
        level = [sum(end[other] >= end[entry] for other in end if other != entry) for end in scores]
        certain, out = max(level) < best, min(above) >= best
        found[entry] = Prospect.CERTAIN if certain else Prospect.OUT if out else Prospect.POSSIBLE
    return found


@pytest.mark.parametrize("size", [3, 4, 5])
@pytest.mark.parametrize("twice", [False, True])
def test_a_round_robin_without_ties_is_told_exactly_by_points(size: int, twice: bool) -> None:
    chosen = get_format("round_robin")
    rng = random.Random(f"robin {size} {twice}")
    stage = start(size, chosen.Options(twice=twice))
    total = size * (size - 1) // (1 if twice else 2)
    for matches in range(max(0, total - 8), total + 1):
        for _ in range(6):
            now = begun(chosen, stage, matches, rng, (WON, LOST))
            scores = [{e: r.points for e, r in end.records.items()} for end in ends(chosen, now, (WON, LOST))]
            for best in range(1, size):
                assert prospects(now, "round_robin", best, ties=False) == truth(scores, best)


def test_with_ties_a_round_robin_is_told_soundly() -> None:
    chosen = get_format("round_robin")
    rng = random.Random("ties")
    for matches in range(2, 7):
        now = begun(chosen, start(4, chosen.Options()), matches, rng, (WON, LOST, TIED))
        scores = [{e: r.points for e, r in end.records.items()} for end in ends(chosen, now, (WON, LOST, TIED))]
        _is_sound(prospects(now, "round_robin", 2), truth(scores, 2))


@pytest.mark.parametrize(
    ("key", "options"),
    [
        ("single_elimination", SingleEliminationOptions()),
        ("single_elimination", SingleEliminationOptions(third_place=True)),
        ("double_elimination", DoubleEliminationOptions(grand_final="single")),
        ("double_elimination", DoubleEliminationOptions()),
    ],
)
@pytest.mark.parametrize("size", [3, 4, 5])
def test_a_bracket_is_told_exactly_by_places(key: str, options: object, size: int) -> None:
    chosen = get_format(key)
    rng = random.Random(f"{key} {size}")
    for matches in range(3 if key.startswith("double") and size > 4 else 0, 2 * size - 1):
        now = begun(chosen, start(size, options), matches, rng, (WON, LOST))
        places = [chosen.places(end) or {} for end in ends(chosen, now, (WON, LOST))]
        scores = [{entry: -place for entry, place in end.items()} for end in places]
        for best in range(1, size + 1):
            assert prospects(now, key, best) == truth(scores, best)


def _is_sound(found: dict[int, Prospect], true: dict[int, Prospect]) -> None:
    for entry, prospect in found.items():
        assert prospect in (Prospect.POSSIBLE, true[entry])


@pytest.mark.parametrize("options", [SwissOptions(rounds=3), SwissOptions(rounds=4, until_unbeaten=True)])
def test_a_swiss_is_told_soundly(options: SwissOptions) -> None:
    chosen = get_format("swiss")
    rng = random.Random("swiss")
    told = set()
    for matches in range(3, 9):
        now = begun(chosen, start(5, options), matches, rng, (WON, LOST, TIED))
        scores = [{e: r.points for e, r in end.records.items()} for end in ends(chosen, now, (WON, LOST, TIED))]
        for best in (1, 2, 3):
            found = prospects(now, "swiss", best)
            told |= set(found.values())
            _is_sound(found, truth(scores, best))
    assert told == set(Prospect)


def test_in_groups_the_best_of_each_are_meant() -> None:
    chosen = get_format("groups")
    stage = publish(chosen, start(8, GroupsOptions(groups=2)))
    assert spelled(prospects(stage, "groups", 4)) == "CCCCCCCC"
    assert spelled(prospects(stage, "groups", 1)) == "PPPPPPPP"
    for pairing in list(stage.open_pairings()):
        stage = decide(stage, pairing, WON if pairing.a < (pairing.b or 0) else LOST)
    assert spelled(prospects(stage, "groups", 1, ties=False)) == "CCOOOOOO"
    assert spelled(prospects(stage, "groups", 2, ties=False)) == "CCCCOOOO"


def test_before_anything_is_published_nobody_is_in_or_out() -> None:
    for key in ("round_robin", "single_elimination", "groups"):
        stage = start(4, get_format(key).Options())
        assert spelled(prospects(stage, key, 1)) == "PPPP"
        assert spelled(prospects(stage, key, 4)) == "CCCC"


def test_who_is_disqualified_is_out_and_makes_room() -> None:
    stage = sheet("ABC", "A-B 3:0", "A-C 3:0", "B-C 3:0").without("A", EntryStatus.DISQUALIFIED)
    assert spelled(prospects(stage.snapshot, "round_robin", 1, ties=False)) == "OCO"


def test_a_field_too_large_for_an_exact_answer_is_told_by_bounds() -> None:
    chosen = get_format("round_robin")
    stage = publish(chosen, start(30, chosen.Options()))
    assert set(prospects(stage, "round_robin", 10, ties=False).values()) == {Prospect.POSSIBLE}
    for pairing in list(stage.open_pairings()):
        stage = decide(stage, pairing, WON if pairing.a < (pairing.b or 0) else LOST)
    assert spelled(prospects(stage, "round_robin", 10, ties=False)) == "C" * 10 + "O" * 20


def test_a_large_bracket_is_told_soundly_without_playing_every_match_out() -> None:
    chosen = get_format("single_elimination")
    stage = publish(chosen, start(256, chosen.Options()))
    assert set(prospects(stage, "single_elimination", 255).values()) == {Prospect.POSSIBLE}
    while len(list(stage.open_pairings())) != 1:
        for pairing in list(stage.open_pairings()):
            stage = decide(stage, pairing, WON if pairing.a < (pairing.b or 0) else LOST)
        stage = publish(chosen, stage)
    assert spelled(prospects(stage, "single_elimination", 2)) == "CC" + "O" * 254
    assert spelled(prospects(stage, "single_elimination", 1)) == "PP" + "O" * 254
