"""Dealing from a committed seed: the vectors of `docs/dealing.md`, fairness, and that nothing can be slipped in."""

from __future__ import annotations

import importlib.util
import re
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path
from random import Random
from types import ModuleType

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from matches.engine import (
    CARDS,
    RULESETS,
    Draw,
    Move,
    OpenSet,
    Phase,
    Record,
    Refusal,
    Ruleset,
    SeedDeal,
    State,
    Timeout,
    apply,
    commitment,
    format_record,
    get_ruleset,
    high_cards,
    legal_moves,
    match_key,
    new_match,
    next_from_outside,
    options_of,
    reveal,
    verify,
    with_overrides,
)
from matches.engine.cards import in_order
from matches.engine.dealing import Stream, next_draw, whole_deck
from tests.matches.engine.strategies import any_ruleset, any_side_deck
from tests.matches.engine.table import DECK, PLAIN_DECK, after, seated

DOCS = Path(__file__).parents[3] / "docs"
SEED = bytes(range(32))
WORDS = ("the ebon hawk", "Ястреб")
KEY = match_key(SEED, WORDS)


def verifier() -> ModuleType:
    spec = importlib.util.spec_from_file_location("verify_deal", DOCS / "verify_deal.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


VERIFIER = verifier()


def dealt(
    ruleset: Ruleset, rng: Random, seed: bytes = SEED, words: tuple[str, str] = WORDS, *, clocks: bool = False
) -> Record:
    """A match dealt from the seed and played at random, its seed revealed; with `clocks` some turns take too long."""
    ruleset = with_overrides(ruleset, {"draw_source": "engine_rng"})
    decks = (any_side_deck(ruleset, rng), any_side_deck(ruleset, rng))
    key, moves = match_key(seed, words), list[Move]()
    state = new_match(ruleset, decks)
    assert isinstance(state, State)
    while state.phase is not Phase.OVER:
        if clocks and state.turn is not None and rng.random() < 0.1:
            move: Move = Timeout(state.turn)
        else:
            move = next_from_outside(key, state, agreed=1) or rng.choice(legal_moves(state))
        moved = apply(state, move)
        assert isinstance(moved, State), (move, moved)
        moves.append(move)
        state = moved
    deal = reveal(SeedDeal(commitment(seed), words), seed)
    return Record(ruleset, tuple(moves), decks, deal)


def changed(record: Record, index: int, move: Move) -> Record:
    return replace(record, moves=(*record.moves[:index], move, *record.moves[index + 1 :]))


# ------------------------------------------------------------------------------------------------ the vectors


def vectors() -> dict[str, str]:
    """The tables of the last section of the page: what is in the first column, and what it should be."""
    text = (DOCS / "dealing.md").read_text().partition("## Test vectors")[2]
    rows = re.findall(r"^\| (.+?) \| (.+?) \|$", text, re.MULTILINE)
    return {name.replace("`", ""): value.replace("`", "") for name, value in rows}


def spaced(values: list[int] | list[str]) -> str:
    return " ".join(str(value) for value in values)


def test_the_page_s_test_vectors_come_out() -> None:
    found = vectors()
    deck = in_order(("*6", "+4", "-4", "-2", "+3", "-2", "D", "T1", "V12", "F24"))
    words = Stream(KEY, "deck/1")
    assert found == {
        "what": "value",
        "commitment": commitment(SEED),
        "key without words": match_key(SEED).hex(),
        "key with A the ebon hawk, B Ястреб": KEY.hex(),
        "label": "hand",
        "first nine words of deck/1": spaced([words.below(2**32) for _ in range(9)]),
        "whole deck deck/1": spaced(whole_deck(KEY, "deck/1")),
        "first ten of deck/A/2": spaced(whole_deck(KEY, "deck/A/2")[:10]),
        "high-card/1": "A {}, B {}".format(*high_cards(KEY)[-1]),
        "opener/1 to opener/8": spaced(["AB"[Stream(KEY, f"opener/{n}").below(2)] for n in range(1, 9)]),
        "draw/1 to draw/20": spaced([1 + Stream(KEY, f"draw/{n}").below(10) for n in range(1, 21)]),
        **{label: spaced(Stream(KEY, label).taken(deck, 4)) for label in ("hand/A", "hand/B", "hand/A/2")},
    }


# ------------------------------------------------------------------------------------------------ fairness


@given(seed=st.binary(min_size=32, max_size=32), words=st.tuples(st.text(max_size=20), st.text(max_size=20)))
@settings(max_examples=40, deadline=None)
def test_a_shuffle_is_forty_cards(seed: bytes, words: tuple[str, str]) -> None:
    deck = whole_deck(match_key(seed, words), "deck/1")
    assert Counter(deck) == dict.fromkeys(range(1, 11), 4)


def test_words_past_the_last_whole_multiple_are_skipped() -> None:
    """Below 3 * 2**30 one word in four is no good: the numbers left are those of the plain stream that are."""
    limit = 3 * 2**30
    plain = Stream(KEY, "x")
    words = [plain.below(2**32) for _ in range(200)]
    stream = Stream(KEY, "x")
    fair = [word for word in words if word < limit]
    assert 130 < len(fair) < 170
    assert [stream.below(limit) for _ in fair] == fair


def test_every_card_is_first_equally_often() -> None:
    """Three thousand decks: each value first three hundred times, give or take five standard deviations."""
    first = Counter(whole_deck(KEY, f"fair/{number}")[0] for number in range(3_000))
    assert all(abs(first[value] - 300) < 82 for value in range(1, 11))


def test_every_hand_of_two_is_equally_likely() -> None:
    hands = Counter(frozenset(Stream(KEY, f"pair/{number}").taken("abcde", 2)) for number in range(10_000))
    assert len(hands) == 10
    assert all(abs(times - 1_000) < 150 for times in hands.values())


def test_taking_more_than_there_is_gives_all_there_is() -> None:
    assert sorted(Stream(KEY, "all").taken("abc", 5)) == ["a", "b", "c"]
    assert Stream(KEY, "one").taken("a", 1) == ["a"]
    assert Stream(KEY, "none").taken("", 4) == []


def test_words_cannot_be_moved_from_one_player_to_the_other() -> None:
    assert match_key(SEED, ("ab", "c")) != match_key(SEED, ("a", "bc"))


def test_equal_high_cards_are_followed_by_the_next_pair() -> None:
    seeds = (number.to_bytes(32, "big") for number in range(1_000))
    pairs = next(found for seed in seeds if len(found := high_cards(match_key(seed))) > 2)
    assert [a == b for a, b in pairs] == [True] * (len(pairs) - 1) + [False]


@pytest.mark.parametrize("seed", [b"", b"short", bytes(33)])
def test_a_seed_has_thirty_two_bytes(seed: bytes) -> None:
    with pytest.raises(ValueError, match="32 bytes"):
        commitment(seed)


def test_only_the_seed_committed_to_can_be_revealed() -> None:
    with pytest.raises(ValueError, match="not the seed"):
        reveal(SeedDeal(commitment(SEED)), bytes(32))


# ------------------------------------------------------------------------------------------------ who gets what


def test_the_first_opener_follows_the_ruleset() -> None:
    a, b = high_cards(KEY)[-1]
    higher = 0 if a > b else 1
    rules = {"player_a": 0, "high_card": higher, "random": Stream(KEY, "opener/1").below(2), "agreed": 0}
    for rule, opener in rules.items():
        state = new_match(with_overrides(get_ruleset("standard"), {"first_player_first": rule}))
        assert isinstance(state, State)
        assert next_from_outside(KEY, state) == OpenSet(opener, (None, None))
    assert isinstance(state, State)
    assert next_from_outside(KEY, state, agreed=1) == OpenSet(1, (None, None))


def test_the_other_side_can_turn_the_higher_card() -> None:
    state = new_match(get_ruleset("standard"))
    assert isinstance(state, State)
    keys = [match_key(number.to_bytes(32, "big")) for number in range(20)]
    openers = {next_from_outside(key, state) for key in keys}
    assert openers == {OpenSet(0, (None, None)), OpenSet(1, (None, None))}


def test_a_later_lot_is_drawn_for_its_set() -> None:
    state = after(seated("standard", first_player_next="random"), "A 10 stand | B 9 stand")
    assert next_from_outside(KEY, state) == OpenSet(Stream(KEY, "opener/2").below(2))


def test_nothing_comes_from_outside_while_somebody_has_to_act() -> None:
    drawn = after(seated(), "A 5")
    assert next_from_outside(KEY, drawn) is None
    assert next_from_outside(KEY, after(drawn, "A forfeit")) is None
    tied = after(seated(max_consecutive_ties=1), "A 10 stand | B 10 stand")
    assert next_from_outside(KEY, tied) is None
    with pytest.raises(ValueError, match="no draw"):
        next_draw(KEY, drawn)
    with pytest.raises(ValueError, match="no draw"):
        next_draw(KEY, tied)


# ------------------------------------------------------------------------------------------------ verification


@pytest.mark.parametrize("clocks", [False, True])
@pytest.mark.parametrize("ruleset", RULESETS, ids=lambda ruleset: ruleset.key)
def test_a_match_dealt_from_its_seed_verifies(ruleset: Ruleset, clocks: bool) -> None:
    record = dealt(ruleset, Random(ruleset.key), clocks=clocks)
    assert any(isinstance(move, Timeout) for move in record.moves) is clocks
    assert verify(record) == ()
    assert list(VERIFIER.differences(format_record(record))) == []


@settings(max_examples=30, deadline=None)
@given(ruleset=any_ruleset(), seed=st.binary(min_size=32, max_size=32), choices=st.integers(0, 2**32))
def test_a_match_by_any_options_verifies_by_both_programs(ruleset: Ruleset, seed: bytes, choices: int) -> None:
    record = dealt(ruleset, Random(choices), seed, ("", "a"), clocks=choices % 2 == 0)
    assert verify(record) == ()
    assert list(VERIFIER.differences(format_record(record))) == []


def test_a_card_slipped_in_is_found_by_both_programs() -> None:
    record = dealt(get_ruleset("kotor"), Random(4))
    index = next(at for at, move in enumerate(record.moves) if isinstance(move, Draw))
    draw = record.moves[index]
    assert isinstance(draw, Draw)
    forged = changed(record, index, Draw(draw.seat, draw.value % 10 + 1))
    assert verify(forged)[0] == Refusal.of("dealt_otherwise", move=index)
    told = list(VERIFIER.differences(format_record(forged)))
    assert told[0].endswith(f"drew {draw.value % 10 + 1}, the seed gives {draw.value}")


def test_a_better_hand_is_found_by_both_programs() -> None:
    record = dealt(get_ruleset("kotor"), Random(4))
    opening = record.moves[0]
    assert isinstance(opening, OpenSet)
    assert opening.hands is not None
    deck, (a, b) = record.side_decks[0], opening.hands
    assert deck is not None
    other = next(hand for at in range(7) if sorted(hand := deck[at : at + 4]) != sorted(a or ()))
    forged = changed(record, 0, OpenSet(opening.opener, (other, b)))
    assert verify(forged)[0] == Refusal.of("dealt_otherwise", move=0)
    assert "the hand of A is" in next(iter(VERIFIER.differences(format_record(forged))))
    hidden = changed(record, 0, OpenSet(opening.opener, (None, b)))
    assert verify(hidden) == (Refusal.of("dealt_otherwise", move=0),)
    assert "the hand of A is unknown" in next(iter(VERIFIER.differences(format_record(hidden))))


def test_an_opener_who_is_not_the_one_drawn_is_found_by_both_programs() -> None:
    record = dealt(get_ruleset("standard"), Random(4))
    opening = record.moves[0]
    assert isinstance(opening, OpenSet)
    assert opening.opener is not None
    forged = replace(changed(record, 0, OpenSet(1 - opening.opener, opening.hands)), moves=record.moves[:0])
    forged = replace(forged, moves=(OpenSet(1 - opening.opener, opening.hands),))
    assert verify(forged) == (Refusal.of("dealt_otherwise", move=0),)
    assert len(list(VERIFIER.differences(format_record(forged)))) == 1


def test_an_opener_against_the_rules_is_found() -> None:
    record = dealt(get_ruleset("kotor"), Random(4))
    index = next(at for at, move in enumerate(record.moves) if isinstance(move, OpenSet) and at)
    forged = replace(record, moves=(*record.moves[:index], OpenSet(1)))
    assert verify(forged) == (Refusal.of("dealt_otherwise", move=index),)
    by_rule = replace(record, moves=(*record.moves[:index], OpenSet()))
    assert verify(by_rule) == ()


def test_another_seed_is_not_the_one_committed_to() -> None:
    record = dealt(get_ruleset("kotor"), Random(4))
    assert record.deal is not None
    forged = replace(record, deal=replace(record.deal, commitment=commitment(bytes(32))))
    assert verify(forged) == (Refusal("commitment_differs"),)
    assert list(VERIFIER.differences(format_record(forged))) == ["the seed is not the one committed to"]


def test_a_hand_whose_side_deck_is_not_known_is_taken_as_recorded() -> None:
    opening = OpenSet(0, (PLAIN_DECK[:4], None))
    record = Record(get_ruleset("kotor"), (opening,), (None, None), SeedDeal(commitment(SEED), WORDS, SEED.hex()))
    assert verify(record) == ()
    assert list(VERIFIER.differences(format_record(record))) == []


def test_a_record_that_cannot_be_played_is_not_verified() -> None:
    record = dealt(get_ruleset("kotor"), Random(4))
    twice = replace(record, moves=(record.moves[0], record.moves[0]))
    assert verify(twice) == (Refusal.of("set_open", move=1),)
    no_deck = replace(record, side_decks=(DECK, DECK))
    assert verify(no_deck) == (Refusal.of("card_not_allowed", card="V12", seat=0),)


def test_there_is_nothing_to_verify_without_a_revealed_seed() -> None:
    record = dealt(get_ruleset("kotor"), Random(4))
    assert verify(replace(record, deal=None)) == (Refusal("not_from_a_seed"),)
    assert verify(replace(record, deal=SeedDeal(commitment(SEED)))) == (Refusal("seed_not_revealed"),)


def test_the_verifier_knows_every_preset_and_every_card() -> None:
    assert [card.token for card in CARDS] == VERIFIER.HAND_CARDS
    assert {ruleset.key for ruleset in RULESETS} == set(VERIFIER.PRESETS)
    for ruleset in RULESETS:
        known = {**VERIFIER.USUAL, **VERIFIER.PRESETS[ruleset.key]}
        assert known.items() <= options_of(ruleset).items()


def run_verifier(path: Path) -> tuple[int, str]:
    done = subprocess.run(
        [sys.executable, "-I", DOCS / "verify_deal.py", path], capture_output=True, text=True, check=False
    )
    return done.returncode, done.stdout.splitlines()[-1]


def test_the_verifier_runs_by_itself(tmp_path: Path) -> None:
    record = dealt(get_ruleset("tsl"), Random(9))
    path = tmp_path / "match.pazaak"
    path.write_text(format_record(record))
    assert run_verifier(path) == (0, "everything dealt follows from the seed")
    path.write_text(format_record(replace(record, deal=SeedDeal(commitment(bytes(32)), WORDS, SEED.hex()))))
    assert run_verifier(path) == (1, "1 difference")
    path.write_text(format_record(replace(record, deal=None)))
    told = "cannot be checked: draws and hands were entered from outside: there is no seed to check them by"
    assert run_verifier(path) == (2, told)
