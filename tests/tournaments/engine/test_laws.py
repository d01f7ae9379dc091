"""Laws that every format and every tie-break keeps, whichever there are."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import fields, is_dataclass, replace
from fractions import Fraction
from typing import Literal, get_args, get_origin, get_type_hints

import pytest

from tournaments.engine.formats import FORMATS, get_format
from tournaments.engine.formats.base import ADVICE, PLAN_NOTES, ROUND_NAMES, WHYS, Format, PlannedRound
from tournaments.engine.snapshot import Entry, EntryStatus, Pairing, Result, ResultKind, Snapshot
from tournaments.engine.standings import REASONS, rank
from tournaments.engine.tiebreaks import TIEBREAKS, get_tiebreak
from tournaments.engine.tiebreaks.base import Tiebreak


def other_values(tested: Format) -> Iterator[tuple[str, object]]:
    """Every value but the default one of the options that are switches or choices."""
    hints = get_type_hints(tested.Options)
    for field in fields(tested.Options):
        choices = (True, False) if hints[field.name] is bool else get_args(hints[field.name])
        if get_origin(hints[field.name]) is Literal or hints[field.name] is bool:
            yield from ((field.name, value) for value in choices if value != field.default)


every_format = pytest.mark.parametrize("tested", FORMATS, ids=lambda tested: tested.key)
every_option = pytest.mark.parametrize(
    ("tested", "options"),
    [
        pytest.param(tested, options, id=f"{tested.key} {name}".strip())
        for tested in FORMATS
        for name, options in [
            ("", tested.Options()),
            *((f"{name}={value}", tested.Options(**{name: value})) for name, value in other_values(tested)),
        ]
    ],
)
every_tiebreak = pytest.mark.parametrize("tested", TIEBREAKS, ids=lambda tested: tested.key)


def start(tested: Format, size: int, seed: str, options: object = None) -> Snapshot:
    entries = tuple(Entry(1000 - 7 * place, place) for place in range(1, size + 1))
    return Snapshot(entries, options=options or tested.Options(), seed=seed)


def published(planned: tuple[PlannedRound, ...]) -> tuple[Pairing, ...]:
    return tuple(Pairing(found.number, p.number, p.a, p.b) for found in planned for p in found.pairings)


def any_result(rng: random.Random, ties: bool) -> Result:
    kind = rng.choices(list(ResultKind), weights=(15, 2, 2, 1, 1))[0]
    if kind is ResultKind.DOUBLE_NO_SHOW:
        return Result(kind, (0, 0), None)
    if kind in (ResultKind.SCORE, ResultKind.TIME) and ties and rng.random() < 0.1:
        return Result(kind, (2, 2), None)
    if kind is ResultKind.TIME:
        return rng.choice((Result(kind, (2, 1), "a"), Result(kind, (0, 1), "b")))
    lost = 0 if kind is ResultKind.WALKOVER else rng.randint(0, 2)
    return rng.choice((Result(kind, (3, lost), "a"), Result(kind, (lost, 3), "b")))


def steps(tested: Format, size: int, seed: str, *, options: object = None, leaving: float = 0.0) -> list[Snapshot]:
    """A whole stage of random results, as it stood after each publishing and each result."""
    rng = random.Random(seed)
    stage = start(tested, size, seed, options)
    found = [stage]
    while True:
        if planned := tested.pair(stage):
            assert {note.code for round_ in planned for note in round_.notes} <= set(PLAN_NOTES)
            assert {p.why.code for round_ in planned for p in round_.pairings if p.why} <= set(WHYS)
            stage = replace(stage, pairings=stage.pairings + published(planned))
        elif waiting := list(stage.open_pairings()):
            pairing = rng.choice(waiting)
            others = tuple(p for p in stage.pairings if p != pairing)
            done = replace(pairing, result=any_result(rng, tested.allows_ties))
            stage = replace(stage, pairings=(*others, done))
        else:
            return found
        if rng.random() < leaving:
            gone = rng.choice(stage.entries)
            status = rng.choice((EntryStatus.WITHDRAWN, EntryStatus.DISQUALIFIED))
            stage = replace(stage, entries=tuple(replace(e, status=status) if e == gone else e for e in stage.entries))
        found.append(stage)
        assert len(found) < 2000, "a stage has to end"


@every_option
@pytest.mark.parametrize("size", [2, 3, 4, 5, 8, 11])
def test_every_stage_comes_to_its_end_in_the_rounds_it_planned(tested: Format, options: object, size: int) -> None:
    stages = steps(tested, size, f"end {size}", options=options)
    assert [tested.is_over(stage) for stage in stages] == [False] * (len(stages) - 1) + [True]
    assert stages[-1].last_round <= tested.rounds_planned(stages[-1])
    for number in range(1, tested.rounds_planned(stages[-1]) + 1):
        assert tested.round_name(stages[-1], number).code in ROUND_NAMES


@every_option
@pytest.mark.parametrize("size", [2, 5, 8])
def test_nobody_has_two_pairings_in_a_round_or_meets_himself(tested: Format, options: object, size: int) -> None:
    last = steps(tested, size, f"once {size}", options=options)[-1]
    for pairings in last.rounds.values():
        named = Counter(entry for p in pairings for entry in (p.a, p.b) if entry is not None)
        assert set(named.values()) == {1}
        assert len({p.number for p in pairings}) == len(pairings)


@every_option
def test_every_stage_ends_however_many_leave(tested: Format, options: object) -> None:
    for size in (2, 3, 6, 9):
        stages = steps(tested, size, f"leaving {size}", options=options, leaving=0.15)
        rows = rank(stages[-1], tested.key, tested.default_tiebreaks)
        assert sorted(row.entry for row in rows) == sorted(stages[-1].by_id)


@every_option
def test_the_same_facts_give_the_same_round_in_whatever_order_they_come(tested: Format, options: object) -> None:
    rng = random.Random("order")
    for stage in steps(tested, 7, "order", options=options, leaving=0.02):
        entries, pairings = list(stage.entries), list(stage.pairings)
        rng.shuffle(entries)
        rng.shuffle(pairings)
        shuffled = replace(stage, entries=tuple(entries), pairings=tuple(pairings))
        assert tested.pair(shuffled) == tested.pair(stage)
        assert tested.bracket(shuffled) == tested.bracket(stage)
        assert rank(shuffled, tested.key, tested.default_tiebreaks) == rank(stage, tested.key, tested.default_tiebreaks)


@every_format
def test_a_pairing_planned_is_planned_until_it_is_published_and_then_no_more(tested: Format) -> None:
    stage = start(tested, 6, "plan")
    planned = tested.pair(stage)
    assert planned
    assert tested.pair(stage) == planned
    again = tested.pair(replace(stage, pairings=published(planned)))
    places = {(found.number, p.number) for found in planned for p in found.pairings}
    assert not places & {(found.number, p.number) for found in again for p in found.pairings}


@every_format
def test_ranks_share_and_skip_places_and_every_reason_is_on_the_list(tested: Format) -> None:
    for stage in steps(tested, 8, "rank", leaving=0.02):
        rows = rank(stage, tested.key, tested.default_tiebreaks)
        assert [row.order for row in rows] == list(range(1, 9))
        assert all(row.reason.code in REASONS for row in rows)
        ranks = [row.rank for row in rows]
        assert ranks == sorted(ranks)
        if tested.places(stage) is None:
            counted = [row for row in rows if row.reason.code != "disqualified"]
            above = [sum(other.rank < row.rank for other in counted) for row in counted]
            assert [row.rank - 1 for row in counted] == above


@every_format
def test_a_round_named_by_the_bracket_has_its_name_in_it(tested: Format) -> None:
    stage = start(tested, 7, "bracket")
    columns = tested.bracket(stage)
    assert bool(columns) is tested.has_bracket
    assert [column.name for column in columns] == [tested.round_name(stage, column.number) for column in columns]


@every_option
def test_a_stage_knows_how_many_rounds_it_can_have_and_what_rests_on_what(tested: Format, options: object) -> None:
    for stage in steps(tested, 6, "most", options=options):
        assert tested.rounds_at_most(stage) >= tested.rounds_planned(stage)
        for pairing in stage.pairings:
            later = tested.dependents(stage, pairing)
            assert set(later) <= {p for p in stage.pairings if p.round > pairing.round}
            assert tested.has_bracket or not later
    assert tested.needs_draft(1)


@every_format
def test_options_are_frozen_plain_and_have_defaults(tested: Format) -> None:
    options = tested.Options()
    assert is_dataclass(options)
    assert tested.Options(**{field.name: getattr(options, field.name) for field in fields(options)}) == options
    assert hash(options) == hash(tested.Options())
    assert {note.code for size in range(2, 9) for note in tested.advice(size, options)} <= set(ADVICE)
    assert all(get_tiebreak(key).key == key for key in tested.default_tiebreaks)
    assert tested.least_entries >= 2


def test_keys_are_there_once() -> None:
    assert [tested.key for tested in FORMATS] == [
        "swiss",
        "round_robin",
        "groups",
        "single_elimination",
        "double_elimination",
    ]
    assert [get_format(tested.key) for tested in FORMATS] == list(FORMATS)
    keys = [tested.key for tested in TIEBREAKS]
    assert sorted(set(keys)) == sorted(keys)
    with pytest.raises(KeyError, match="nothing"):
        get_format("nothing")


@every_tiebreak
def test_every_tiebreak_is_exact_total_and_blind_to_order(tested: Tiebreak) -> None:
    rng = random.Random("blind")
    for tested_format in FORMATS:
        for stage in steps(tested_format, 7, "blind", leaving=0.02):
            entries = [entry.id for entry in stage.entries]
            found = tested.values(stage, entries)
            assert found.keys() == set(entries)
            assert {type(value) for value in found.values()} <= {int, Fraction}
            pairings = list(stage.pairings)
            rng.shuffle(entries)
            rng.shuffle(pairings)
            shuffled = replace(stage, entries=stage.entries[::-1], pairings=tuple(pairings))
            assert tested.values(shuffled, entries) == found


@every_tiebreak
def test_only_tiebreaks_among_the_tied_depend_on_who_is_asked_for(tested: Tiebreak) -> None:
    stage = steps(get_format("round_robin"), 8, "asked")[-1]
    everybody = tested.values(stage, [entry.id for entry in stage.entries])
    one_by_one = {entry.id: tested.values(stage, [entry.id])[entry.id] for entry in stage.entries}
    assert (one_by_one == everybody) is not tested.among_tied


@pytest.mark.parametrize("tested", [t for t in TIEBREAKS if t.key != "lot"], ids=lambda tested: tested.key)
def test_before_anything_is_played_all_are_level(tested: Tiebreak) -> None:
    stage = start(get_format("swiss"), 6, "level")
    assert set(tested.values(stage, [entry.id for entry in stage.entries]).values()) == {0}
