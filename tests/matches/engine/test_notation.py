"""Records as text: what is written is read again, and what is no record is refused at its place."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from matches.engine import (
    CARDS,
    RULESETS,
    BadText,
    Draw,
    End,
    Ending,
    Forfeit,
    Move,
    OpenSet,
    Outcome,
    Play,
    Record,
    RecordError,
    Refusal,
    Ruleset,
    Ruling,
    SeedDeal,
    Stand,
    State,
    Timeout,
    declared,
    format_record,
    get_ruleset,
    parse_record,
    replay,
    with_overrides,
)
from matches.engine.notation import LONGEST_LINE, MOST_CHARACTERS
from matches.engine.record import MOST_MOVES, MOST_TAGS, RESERVED_TAGS
from tests.matches.engine.strategies import any_ruleset
from tests.matches.engine.table import DECK, PLAIN_DECK

DOCS = Path(__file__).parents[3] / "docs"
HEAD = '[Pazaak "1"]\n[Ruleset "kotor/1"]\n'
COMMITMENT = "ab" * 32
KOTOR = get_ruleset("kotor")

seats = st.sampled_from([0, 1])
tokens = st.sampled_from([card.token for card in CARDS])
hands = st.none() | st.lists(tokens, max_size=5).map(tuple)
texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)
names = st.from_regex(r"[A-Z][A-Za-z0-9]{0,9}", fullmatch=True).filter(lambda name: name not in RESERVED_TAGS)


@st.composite
def any_play(draw: st.DrawFn) -> Play:
    seat, token = draw(seats), draw(tokens)
    return draw(st.just(declared(seat, token)) | st.integers(-999, 999).map(lambda value: Play(seat, token, value)))


any_move: st.SearchStrategy[Move] = st.one_of(
    st.builds(OpenSet, st.none() | seats, st.none() | st.tuples(hands, hands)),
    st.builds(Draw, seats, st.integers(1, 10)),
    any_play(),
    st.builds(End, seats),
    st.builds(Stand, seats),
    st.builds(Forfeit, seats),
    st.builds(Timeout, seats),
    st.builds(Ruling, st.none() | seats),
)
keys = st.from_regex(r"[0-9a-f]{64}", fullmatch=True)
any_deal = st.none() | st.builds(SeedDeal, keys, st.tuples(texts, texts), st.none() | keys)


@settings(max_examples=150, deadline=None)
@given(
    ruleset=any_ruleset(),
    moves=st.lists(any_move, max_size=30),
    decks=st.tuples(hands, hands),
    deal=any_deal,
    tags=st.dictionaries(names, texts, max_size=4),
)
def test_every_record_that_can_be_made_is_read_as_it_was_written(
    ruleset: Any, moves: list[Move], decks: Any, deal: SeedDeal | None, tags: dict[str, str]
) -> None:
    record = Record(ruleset, tuple(moves), decks, deal, tuple(tags.items()))
    text = format_record(record)
    assert parse_record(text) == record
    assert parse_record(text.replace("\n", "\r\n")) == record


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=200) | st.text('AB123 open(?)[]"=+-*;\n', max_size=200).map(lambda text: HEAD + text))
def test_no_text_breaks_the_reader(text: str) -> None:
    read = parse_record(text)
    assert isinstance(read, BadText) or parse_record(format_record(read)) == read


def test_the_page_s_example_is_a_record_that_can_be_played() -> None:
    text = re.findall(r"```\n(.*?)```", (DOCS / "notation.md").read_text(), re.DOTALL)[0]
    record = parse_record(text)
    assert isinstance(record, Record)
    assert format_record(record) == text
    state = replay(record)
    assert isinstance(state, State)
    assert (state.outcome, state.sets) == (Outcome(0, Ending.FORFEIT), (1, 0))


def test_a_set_that_has_ended_gets_a_comment_which_reading_drops() -> None:
    text = HEAD + "\n1. open A () ()\n"
    opening = parse_record(text)
    assert isinstance(opening, Record)
    record = parse_record(HEAD + "1. open A (?) (?)\nA 10 stand\nB 10 stand\n2. open\nA 9 stand\nB 10 stand")
    assert isinstance(record, Record)
    written = format_record(record).splitlines()
    assert written[3:] == [
        "1. open A (?) (?)",
        "A 10 stand",
        "B 10 stand ; tie 10:10, sets 0:0",
        "2. open",
        "A 9 stand",
        "B 10 stand ; B total 9:10, sets 0:1",
    ]
    assert parse_record("\n".join(written)) == record


def test_r44_a_clock_that_runs_out_is_a_word_of_the_turn() -> None:
    written = [
        "1. open A (?) (?)",
        "A 10 +1 timeout ; B timeout 11:0, sets 0:1",
        "2. open",
        "A 9 end",
        "B timeout ; A timeout 9:0, sets 1:1",
        "3. open",
        "A 8 end",
        "B 7 stand",
        "A 6 end",
        "A timeout ; B timeout 14:7, sets 1:2",
    ]
    record = parse_record(HEAD + "\n".join(written))
    assert isinstance(record, Record)
    assert [index for index, move in enumerate(record.moves) if isinstance(move, Timeout)] == [3, 7, 15]
    assert format_record(record).splitlines()[3:] == written


def test_a_turn_may_go_on_over_several_lines_and_numbers_may_be_left_out() -> None:
    long = parse_record(HEAD + "open A (?) (?)\nA 10\nA +1 ; thinking\nA end")
    assert long == parse_record(HEAD + "1. open A (?) (?)\nA 10 +1 end")


def test_a_byte_order_mark_and_blank_lines_are_no_matter() -> None:
    assert parse_record("\ufeff" + HEAD + "\n\n  \nopen A (?) (?)\n") == parse_record(HEAD + "open A (?) (?)")


def test_options_are_json_values() -> None:
    overrides = {
        "special_cards": ["D", "T1"],
        "max_consecutive_ties": 2,
        "auto_stand_at_20": False,
        "flip_scope": "both",
        "card_prices": {"D": 1, "T1": 2, "minus": 3, "plus": 4, "plusminus": 5},
    }
    record = Record(with_overrides(KOTOR, overrides))
    text = format_record(record)
    assert '[Option special_cards ["D", "T1"]]' in text
    assert '[Option card_prices {"D": 1, "T1": 2, "minus": 3, "plus": 4, "plusminus": 5}]' in text
    assert parse_record(text) == record


@pytest.mark.parametrize(
    ("text", "line", "column", "code"),
    [
        ("", 1, 1, "no_header"),
        ("\n\n", 1, 1, "no_header"),
        ("A 10 end", 1, 1, "no_header"),
        ('[Ruleset "kotor/1"]', 1, 1, "no_header"),
        ("[Option sets_to_win 3]", 1, 1, "no_header"),
        ('[Pazaak "1"]', 1, 1, "tag_missing"),
        ('[Pazaak "2"]', 1, 9, "bad_version"),
        ('[Pazaak "1"]\n[Ruleset "sabacc/1"]', 2, 1, "unknown_ruleset"),
        ('[Pazaak "1"]\n[Ruleset "kotor"]', 2, 1, "unknown_ruleset"),
        (HEAD + "[Event]", 3, 1, "bad_tag"),
        (HEAD + '[event "x"]', 3, 1, "bad_tag"),
        (HEAD + '[Event "x"', 3, 1, "bad_tag"),
        (HEAD + "[Event x]", 3, 8, "bad_value"),
        (HEAD + "[Event 3]", 3, 8, "bad_value"),
        (HEAD + '[Event "x" "y"]', 3, 12, "bad_value"),
        (HEAD + '[Event "' + "x" * 501 + '"]', 3, 8, "bad_text"),
        (HEAD + '[Event "\\ud800"]', 3, 8, "bad_text"),
        (HEAD + '[Ruleset "kotor/1"]', 3, 2, "tag_twice"),
        (HEAD + "[Option sets_to_win 2]\n[Option sets_to_win 2]", 4, 21, "tag_twice"),
        (HEAD + "[Option sets_to_win]", 3, 21, "bad_value"),
        (HEAD + "[Option sets_to_win [[[[1]]]]]", 3, 21, "too_deep"),
        (HEAD + '[Option card_prices {"plus": [1]}]', 3, 21, "too_deep"),
        (HEAD + "[Option sets_to_win 0]", 3, 1, "option_out_of_range"),
        (HEAD + "[Option sets_to_win NaN]", 3, 1, "option_malformed"),
        (HEAD + "[Option stakes 3]", 3, 1, "option_unknown"),
        (HEAD + "[Option wager_min_exclusive true]", 2, 1, "exclusive_without_minimum"),
        (HEAD + '[SideDeckA "+1 +9"]', 3, 16, "unknown_card"),
        (HEAD + '[WordsA "x"]\n[Event "y"]', 3, 1, "tag_missing"),
        (HEAD + f'[Seed "{COMMITMENT}"]', 3, 1, "tag_missing"),
        (HEAD + '[Event "y"]\n[Commitment "123"]', 4, 1, "bad_deal"),
        (HEAD + f'[Commitment "{COMMITMENT}"]\n[Seed "x"]', 3, 1, "bad_deal"),
        ('[Pazaak "1"]\n[Ruleset "table/1"]\n' + f'[Commitment "{COMMITMENT}"]', 3, 1, "deal_from_outside"),
        (HEAD + '\nopen\n[Event "late"]', 5, 1, "tag_after_moves"),
        (HEAD + "C 10 end", 3, 1, "bad_seat"),
        (HEAD + "10 end", 3, 1, "bad_word"),
        (HEAD + "A", 3, 2, "bad_word"),
        (HEAD + "A 10 fold", 3, 6, "unknown_card"),
        (HEAD + "A 11", 3, 3, "bad_value"),
        (HEAD + "A 0", 3, 3, "bad_value"),
        (HEAD + "A 01", 3, 3, "bad_value"),
        (HEAD + "A 1234567", 3, 3, "bad_value"),
        (HEAD + "A ١", 3, 3, "unknown_card"),
        (HEAD + "A +7", 3, 3, "unknown_card"),
        (HEAD + "A *4=4", 3, 3, "bad_word"),
        (HEAD + "A *4=+1234", 3, 3, "bad_word"),
        (HEAD + "A (+1)", 3, 3, "unknown_card"),
        (HEAD + "2. open", 3, 1, "bad_set_number"),
        (HEAD + "1.", 3, 3, "bad_word"),
        (HEAD + "1. A 10", 3, 3, "bad_word"),
        (HEAD + "open A (?)", 3, 8, "bad_word"),
        (HEAD + "open A (?) (?) (?)", 3, 16, "bad_word"),
        (HEAD + "open A B", 3, 8, "bad_word"),
        (HEAD + "open A (+1 X) (?)", 3, 12, "unknown_card"),
        (HEAD + "open A (? (?)", 3, 8, "bad_word"),
        (HEAD + "ruling", 3, 1, "bad_word"),
        (HEAD + "ruling C", 3, 8, "bad_word"),
        (HEAD + "ruling A B", 3, 10, "bad_word"),
        (HEAD + "x" * (LONGEST_LINE + 1), 3, LONGEST_LINE + 1, "line_too_long"),
        (HEAD + "\n" * MOST_CHARACTERS, 1, 1, "too_long"),
        (HEAD + "A end end end end\n" * (MOST_MOVES // 4) + "A end", MOST_MOVES // 4 + 3, 1, "too_many_moves"),
        (HEAD + "".join(f'[T{number} "x"]\n' for number in range(MOST_TAGS + 1)), 1, 1, "too_many_tags"),
    ],
)  # fmt: skip
def test_a_text_that_is_no_record_is_refused_at_its_place(text: str, line: int, column: int, code: str) -> None:
    assert parse_record(text) == BadText(line, column, code)


def code_of(**parts: Any) -> Refusal:
    with pytest.raises(RecordError) as caught:
        Record(parts.pop("ruleset", KOTOR), **parts)
    assert str(caught.value) == caught.value.refusal.code
    return caught.value.refusal


@pytest.mark.parametrize(
    "move",
    [
        Draw(0, 11),
        Draw(2, 5),
        End(2),
        Timeout(2),
        Play(0, "+7", 7),
        Play(0, "+3"),
        Play(0, "*3", 1_000),
        Play(3, "*3", 3),
        OpenSet(2),
        OpenSet(0, (("5",), None)),
        Ruling(2),
    ],
)
def test_a_record_holds_only_moves_that_can_be_written(move: Move) -> None:
    assert code_of(moves=(End(0), move)) == Refusal.of("bad_move", move=1)


@pytest.mark.parametrize(
    ("parts", "code"),
    [
        ({"side_decks": (("+7",), None)}, "bad_side_deck"),
        ({"deal": SeedDeal("AB" * 32)}, "bad_deal"),
        ({"deal": SeedDeal(COMMITMENT, seed="0")}, "bad_deal"),
        ({"deal": SeedDeal(COMMITMENT, ("\ud800", ""))}, "bad_deal"),
        ({"ruleset": get_ruleset("table"), "deal": SeedDeal(COMMITMENT)}, "deal_from_outside"),
        ({"tags": (("event", "x"),)}, "bad_tag"),
        ({"tags": (("Seed", "x"),)}, "bad_tag"),
        ({"tags": (("Event", "x" * 501),)}, "bad_text"),
        ({"moves": (End(0),) * (MOST_MOVES + 1)}, "too_many_moves"),
        ({"tags": tuple((f"T{number}", "") for number in range(MOST_TAGS + 1))}, "too_many_tags"),
    ],
)
def test_a_record_that_cannot_be_written_is_not_made(parts: dict[str, Any], code: str) -> None:
    assert code_of(**parts).code == code


def test_a_ruleset_nobody_can_look_up_cannot_be_recorded() -> None:
    assert code_of(ruleset=Ruleset(key="house/1")) == Refusal("unknown_ruleset")


@pytest.mark.parametrize("ruleset", RULESETS, ids=lambda ruleset: ruleset.key)
def test_a_record_says_by_what_rules_it_was_played(ruleset: Any) -> None:
    assert format_record(Record(ruleset)) == f'[Pazaak "1"]\n[Ruleset "{ruleset.key}"]\n\n'


def test_replay_shows_any_prefix_and_names_the_first_move_that_is_refused() -> None:
    record = parse_record(HEAD + "open A (?) (?)\nA 10 end\nB 9 end\nB 9 end\nA 3")
    assert isinstance(record, Record)
    assert replay(record) == Refusal.of("not_your_turn", move=5)
    shown = replay(record, 2)
    assert isinstance(shown, State)
    assert (shown.sides[0].total, shown.drawn) == (10, True)


def test_replay_refuses_a_side_deck_the_ruleset_does_not_admit() -> None:
    assert replay(Record(KOTOR, (), (PLAIN_DECK, DECK))) == Refusal.of("card_not_allowed", card="V12", seat=1)
