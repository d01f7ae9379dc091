"""Where a format seats somebody who comes late, how it lets them go again, and what extra matches settle."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from tests.tournaments.engine.test_laws import any_result, every_format, published, start
from tournaments.engine.formats import get_format
from tournaments.engine.formats.base import Format, Note, Seating
from tournaments.engine.formats.single_elimination import SingleEliminationOptions
from tournaments.engine.formats.swiss import SwissOptions
from tournaments.engine.snapshot import Entry, EntryStatus, Pairing, Result, ResultKind, Snapshot
from tournaments.engine.standings import rank, shared_places

NEW = 5000


def newcomer(stage: Snapshot) -> Entry:
    return Entry(NEW, len(stage.entries) + 1)


def with_all(tested: Format, stage: Snapshot) -> Snapshot:
    """Everything that can be paired is published."""
    while planned := tested.pair(stage):
        stage = replace(stage, pairings=stage.pairings + published(planned))
    return stage


def seated(stage: Snapshot, seating: Seating, late: Entry) -> Snapshot:
    """The stage once the newcomer has their place."""
    put = {(p.round, p.number) for p in seating.put}
    left = tuple(p for p in stage.pairings if p not in seating.gone and (p.round, p.number) not in put)
    entries = (*stage.entries, replace(late, since=seating.since))
    return replace(stage, entries=entries, pairings=(*left, *seating.put))


def cleared(stage: Snapshot, seating: Seating, gone: int) -> Snapshot:
    """The stage once somebody is out again."""
    put = {(p.round, p.number) for p in seating.put}
    smaller = replace(stage, pairings=tuple(p for p in stage.pairings if p not in seating.gone)).without(gone)
    left = tuple(p for p in smaller.pairings if (p.round, p.number) not in put)
    return replace(smaller, pairings=(*left, *seating.put))


@every_format
@pytest.mark.parametrize("size", range(2, 12))
def test_whoever_is_let_in_and_out_again_leaves_everything_as_it_was(tested: Format, size: int) -> None:
    rng = random.Random(f"{tested.key} {size}")
    for _ in range(12):
        stage = with_all(tested, start(tested, size, "seats"))
        for _ in range(rng.randint(0, size)):
            if waiting := list(stage.open_pairings()):
                pairing = rng.choice(waiting)
                done = replace(pairing, result=any_result(rng, tested.allows_ties))
                stage = replace(stage, pairings=(*(p for p in stage.pairings if p != pairing), done))
                if tested.has_bracket:
                    stage = with_all(tested, stage)
        late = newcomer(stage)
        seating = tested.let_in(stage, late)
        if seating is None:
            continue
        joined = seated(stage, seating, late)
        assert all(p.result is None for p in seating.gone)
        for pairings in joined.rounds.values():
            named = [side for p in pairings for side in (p.a, p.b) if side is not None]
            assert len(named) == len(set(named))
        if tested.has_bracket or tested.is_fixed:
            assert NEW in {side for p in joined.pairings for side in (p.a, p.b)}
        back = tested.let_out(joined, NEW)
        assert back is not None
        again = with_all(tested, cleared(joined, back, NEW))
        assert again.entries == stage.entries
        assert set(again.pairings) == set(with_all(tested, stage).pairings)


@every_format
def test_before_anything_is_published_everybody_finds_a_place(tested: Format) -> None:
    stage = start(tested, 4, "early")
    assert tested.let_in(stage, newcomer(stage)) == Seating()
    joined = stage.joined_by(newcomer(stage))
    assert tested.let_out(joined, NEW) == Seating()
    assert joined.without(NEW).entries == stage.entries


@every_format
def test_whoever_has_a_result_is_not_let_out(tested: Format) -> None:
    stage = with_all(tested, start(tested, 4, "played"))
    first = next(stage.open_pairings())
    done = replace(first, result=Result(ResultKind.SCORE, (3, 0), "a"))
    played = replace(stage, pairings=(*(p for p in stage.pairings if p != first), done))
    assert tested.let_out(played, first.a) is None


def test_the_seeds_behind_whoever_goes_move_up() -> None:
    stage = Snapshot(tuple(Entry(10 * seed, seed) for seed in (1, 2, 3)))
    assert [(entry.id, entry.seed) for entry in stage.without(20).entries] == [(10, 1), (30, 2)]


def test_a_starter_cannot_be_taken_out_of_a_swiss_that_has_begun() -> None:
    chosen = get_format("swiss")
    stage = replace(start(chosen, 4, "begun"), pairings=(Pairing(1, 1, 993, 986),))
    assert chosen.let_out(stage, stage.by_seed[3].id) is None


def test_nobody_joins_a_swiss_whose_last_round_is_out() -> None:
    chosen = get_format("swiss")
    stage = replace(start(chosen, 4, "late", SwissOptions(rounds=1)), pairings=(Pairing(1, 1, 993, 986),))
    assert chosen.let_in(stage, newcomer(stage)) is None


def test_somebody_free_by_hand_elsewhere_leaves_no_place_in_a_round_robin() -> None:
    chosen = get_format("round_robin")
    stage = with_all(chosen, start(chosen, 3, "hand"))
    first, *others = stage.pairings
    free = next(entry.id for entry in stage.entries if entry.id not in (first.a, first.b))
    by_hand = replace(stage, pairings=(replace(first, b=free), *others))
    assert chosen.let_in(by_hand, newcomer(stage)) is None


def test_the_place_of_somebody_who_has_left_is_none_in_a_bracket() -> None:
    chosen = get_format("single_elimination")
    stage = with_all(chosen, start(chosen, 3, "left"))
    best = stage.by_seed[0]
    gone = tuple(replace(e, status=EntryStatus.WITHDRAWN) if e.id == best.id else e for e in stage.entries)
    assert chosen.let_in(replace(stage, entries=gone), newcomer(stage)) is None
    assert chosen.let_out(stage, best.id) is None  # nobody would be left to have the bye
    stranger = stage.joined_by(newcomer(stage))
    assert chosen.let_out(stranger, NEW) is None  # not in any match


def test_a_bracket_that_would_be_drawn_otherwise_keeps_its_field() -> None:
    chosen = get_format("single_elimination")
    stage = with_all(chosen, start(chosen, 5, "size"))
    last = stage.by_seed[4].id
    assert chosen.let_out(stage, last) is None  # four are a smaller bracket


# --- extra matches


def round_robin(*results: tuple[int, int, str | None]) -> Snapshot:
    """Entries 1, 2, 3 with these results: side a, side b, winner."""
    sets = {"a": (3, 1), "b": (1, 3), None: (2, 2)}
    pairings = tuple(
        Pairing(number, 1, a, b, Result(ResultKind.SCORE, sets[winner], winner))
        for number, (a, b, winner) in enumerate(results, start=1)
    )
    return Snapshot(tuple(Entry(seed, seed) for seed in (1, 2, 3)), pairings)


CIRCLE = round_robin((1, 2, "a"), (2, 3, "a"), (3, 1, "a"))


def extra(number: int, a: int, b: int, winner: str = "a") -> Pairing:
    return Pairing(number, 1, a, b, Result(ResultKind.SCORE, (3, 2) if winner == "a" else (2, 3), winner))


def test_a_lot_does_not_keep_a_place_from_being_shared() -> None:
    assert shared_places(CIRCLE, "swiss", ("wins", "lot")) == ((1, (1, 2, 3)),)
    assert shared_places(round_robin((1, 2, "a"), (2, 3, "a"), (1, 3, "a")), "swiss", ("wins",)) == ()


def test_whoever_has_left_or_is_expelled_shares_no_place() -> None:
    statuses = {1: EntryStatus.WITHDRAWN, 2: EntryStatus.DISQUALIFIED}
    entries = tuple(replace(e, status=statuses.get(e.id, EntryStatus.ACTIVE)) for e in CIRCLE.entries)
    assert shared_places(replace(CIRCLE, entries=entries), "swiss", ()) == ()


def test_three_who_play_it_off_are_compared_again_by_their_own_matches() -> None:
    one = replace(CIRCLE, play_offs=(extra(4, 1, 2),))
    assert [(row.rank, row.entry) for row in rank(one, "swiss", ())] == [(1, 1), (2, 2), (2, 3)]
    both = replace(CIRCLE, play_offs=(extra(4, 1, 2), extra(5, 2, 3)))
    assert [(row.rank, row.entry) for row in rank(both, "swiss", ())] == [(1, 1), (2, 2), (3, 3)]


def bracket() -> Snapshot:
    """A single elimination of four that went by seeds: 3 and 4 share the third place."""
    win = Result(ResultKind.SCORE, (3, 0), "a")
    pairings = (Pairing(1, 1, 1, 4, win), Pairing(1, 2, 2, 3, win), Pairing(2, 1, 1, 2, win))
    return Snapshot(tuple(Entry(s, s) for s in (1, 2, 3, 4)), pairings, options=SingleEliminationOptions())


def test_an_extra_match_settles_a_place_a_bracket_lets_be_shared() -> None:
    assert shared_places(bracket(), "single_elimination", ()) == ((3, (3, 4)),)
    settled = replace(bracket(), play_offs=(extra(3, 3, 4, "b"),))
    rows = rank(settled, "single_elimination", ())
    assert [(row.rank, row.order, row.entry) for row in rows] == [(1, 1, 1), (2, 2, 2), (3, 3, 4), (4, 4, 3)]
    assert rows[2].reason == Note.of("play_off_won", entry=3)
    assert rows[3].reason == Note.of("play_off_lost", entry=4)


def test_it_settles_nothing_between_those_who_are_still_in() -> None:
    open_again = replace(bracket(), pairings=bracket().pairings[:2], play_offs=(extra(3, 1, 2),))
    assert [row.rank for row in rank(open_again, "single_elimination", ())] == [1, 1, 3, 3]


@every_format
def test_rounds_of_extra_matches_have_a_name_of_their_own(tested: Format) -> None:
    stage = replace(with_all(tested, start(tested, 2, "names")), play_offs=(extra(7, 993, 986), extra(9, 993, 986)))
    assert tested.name_of(stage, 7) == Note.of("play_off", n=1)
    assert tested.name_of(stage, 9) == Note.of("play_off", n=2)
    assert tested.name_of(stage, 1) == tested.round_name(stage, 1)


def test_a_late_player_of_a_table_is_paired_in_the_rounds_that_are_there() -> None:
    tested = get_format("round_robin")
    three = Snapshot(tuple(Entry(number, number) for number in (1, 2, 3)), options=tested.Options())
    first, *later = tested.pair(three)
    stage = replace(three, pairings=published((first,)))
    seating = tested.let_in(stage, newcomer(stage))
    assert seating is not None
    [free] = {1, 2, 3} - {side for pairing in stage.pairings for side in (pairing.a, pairing.b)}
    assert [(p.round, p.number, {p.a, p.b}) for p in seating.put] == [(1, 2, {free, NEW})]
    assert len(later) == 2


def test_a_rematch_by_hand_is_told_and_the_plan_of_the_format_is_not() -> None:
    tested = get_format("swiss")
    stage = Snapshot(tuple(Entry(number, number) for number in (1, 2, 3, 4)), options=SwissOptions(rounds=3))
    (first,) = tested.pair(stage)
    won = Result(ResultKind.SCORE, (3, 0), "a")
    stage = replace(stage, pairings=tuple(replace(p, result=won) for p in published((first,))))
    (plan,) = tested.pair(stage)
    assert tested.judge(stage, 2, plan.pairings) == ()
    again = tuple(replace(pairing, round=2, result=None) for pairing in stage.pairings)
    assert [note.code for note in tested.judge(stage, 2, again)] == ["rematch", "rematch"]
