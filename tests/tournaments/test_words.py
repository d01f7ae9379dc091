"""Words for codes: everything the engine can say and every key that is stored has them, and they say it well."""

from __future__ import annotations

from dataclasses import fields
from fractions import Fraction
from typing import Any, Literal, get_args, get_origin, get_type_hints

import pytest
from django.utils import translation

from matches.engine import RULESETS
from matches.models import Match
from players.permissions import Role
from tournaments.engine import pairing, scheduling, standings
from tournaments.engine.formats import FORMATS
from tournaments.engine.formats.base import ADVICE, PLAN_NOTES, ROUND_NAMES, WHYS, Format
from tournaments.engine.formats.elimination import elimination_round_name
from tournaments.engine.notes import Note
from tournaments.engine.snapshot import EntryStatus, ResultKind
from tournaments.engine.tiebreaks import TIEBREAKS
from tournaments.models import Entry
from tournaments.models.roster import WAITING
from tournaments.models.tournament import Seeding, State, Unanswered
from tournaments.words import acts, labels, plan, reasons

NAMES = {
    1: Entry(pk=1, name="Juhani"),
    2: Entry(pk=2, name="Тень Дантуина"),
    3: Entry(pk=3, name="<b>Bold</b>"),
    4: Entry(pk=4, name="Скиталец", mark="Казань"),
}


def text(code: str, **params: Any) -> str:
    return reasons.note_text(code, params, NAMES)


# --- every code of the planner has words


BOUNDS = ("running", "path", "load", "tables", "player", "stretch", "search")


def test_everything_the_planner_says_has_words() -> None:
    assert set(plan.MISFITS) == set(scheduling.MISFITS)
    assert set(plan.NOTES) == set(scheduling.NOTES)
    assert set(plan.CLASHES) == set(scheduling.CLASHES)
    assert set(plan.BOUNDS) == set(BOUNDS)


def test_what_is_in_the_way_is_told_with_the_other_match() -> None:
    other = {"sides": ["Ann", "<Bo>"], "round": ["final", {}], "number": 7, "table": 3, "is_said": True}
    clash = {"code": "player_twice", "other": other | {"starts_at": "2027-05-22T14:20+03:00"}, "who": "Ann"}
    with translation.override("en"):
        told = plan.clash_text(clash | {"is_later": False, "moves": False})
        soft = plan.clash_text(clash | {"is_later": True, "moves": True})
        unknown = plan.match_text(other | {"sides": ["Ann", None], "starts_at": "2027-05-22T14:20", "is_said": False})
        waits = plan.clash_text(clash | {"code": "before_feed", "is_later": True, "moves": False})
    assert told == "<bdi>Ann</bdi> plays in <bdi>Ann</bdi> – <bdi>&lt;Bo&gt;</bdi> (table 3, 14:20) then."
    assert soft == f"{told} It is only planned there, and would move."
    assert unknown == "Final, match 7 (table 3, about 14:20)"
    assert waits.endswith("(table 3, 14:20) waits for this match, and is to begin before it is over.")


def test_acts_on_the_plan_say_what_was_decided() -> None:
    where = {"begins": "2027-05-22T14:20+03:00", "table": 3, "clashes": []}
    with translation.override("en"):
        said = [
            acts.act_text(verb="fix_match", what="Final", before={}, after=after)
            for after in (where, where | {"begins": None}, where | {"table": None}, {"begins": None, "table": None})
        ]
        against = acts.act_text(verb="fix_match", what="Final", before={}, after=where | {"clashes": ["in_break"]})
        held = acts.act_text(verb="hold_match", what="Final", before={"table": 3}, after={})
    assert said == [
        "Fixed Final: 2027-05-22 14:20, table 3.",
        "Fixed Final: table 3.",
        "Fixed Final: 2027-05-22 14:20.",
        "Left it to the plan when and where Final is played.",
    ]
    assert against == "Fixed Final: 2027-05-22 14:20, table 3. Something else was in the way."
    assert held == "Held Final, which gave table 3 back: it is not called until it is released."


# --- every key has a label


KEYS = [
    *(("format", each.key) for each in FORMATS),
    *(("tiebreak", each.key) for each in TIEBREAKS),
    *(("ruleset", each.key) for each in RULESETS),
    *(("seeding", each) for each in Seeding),
    *(("state", each) for each in State),
    *(("role", each) for each in Role),
    *(("result", each) for each in ResultKind),
    *(("status", each) for each in (*EntryStatus, WAITING)),
    *(("unanswered", each) for each in Unanswered),
]


@pytest.mark.parametrize("language", ["en", "ru"])
@pytest.mark.parametrize(("kind", "key"), KEYS)
def test_every_key_is_named_and_explained(kind: str, key: str, language: str) -> None:
    with translation.override(language):
        found = labels.label_of(kind, key)
        assert str(found)
        assert str(found.text) == str(found)
        assert bool(str(found.help)) is (key != EntryStatus.ACTIVE)


@pytest.mark.parametrize("chosen", FORMATS, ids=lambda each: each.key)
def test_every_option_of_a_format_and_each_of_its_values_is_named(chosen: Format) -> None:
    hints = get_type_hints(chosen.Options)
    for field in fields(chosen.Options):
        assert str(labels.option_label(chosen.key, field.name))
        if get_origin(hints[field.name]) is Literal:
            for value in get_args(hints[field.name]):
                assert str(labels.option_value_label(chosen.key, field.name, value))


# --- every note has a sentence


CODES = {*standings.REASONS, *pairing.ERRORS, *pairing.WARNINGS, *WHYS, *PLAN_NOTES, *ADVICE}


@pytest.mark.parametrize("code", sorted(CODES))
def test_every_code_of_the_engine_has_words(code: str) -> None:
    assert reasons.has_words(code)


@pytest.mark.parametrize("tiebreak", TIEBREAKS, ids=lambda each: each.key)
def test_every_tiebreak_says_why_it_decided(tiebreak: Any) -> None:
    assert tiebreak.among_tied or tiebreak.key in reasons.TIEBREAK_SENTENCES
    if not tiebreak.among_tied:
        assert "Juhani" in text("ahead_by", entry=1, key=tiebreak.key, mine="27", theirs="24")
        assert "Juhani" in text("behind_by", entry=1, key=tiebreak.key, mine="24", theirs="27")


SENTENCES = [
    ("alone_on_points", {"points": 12}, "Alone on 12 points."),
    ("alone_on_points", {"points": 1}, "Alone on 1 point."),
    (
        "behind_by",
        {"entry": 1, "key": "buchholz_cut_1", "mine": "27", "theirs": "30"},
        "Level on points with <bdi>Juhani</bdi>, whose opponents scored more: 30 to 27.",
    ),
    (
        "ahead_by",
        {"entry": 2, "key": "buchholz_cut_1", "mine": "30", "theirs": "27"},
        'Level on points with <bdi lang="ru">Тень Дантуина</bdi>; own opponents scored more, 30 to 27.',
    ),
    (
        "behind_by",
        {"entry": 1, "key": "buchholz", "mine": "24", "theirs": "27"},
        "Level with <bdi>Juhani</bdi>; with the weakest opponent counted too, it is 24 to 27.",
    ),
    (
        "behind_by",
        {"entry": 1, "key": "set_difference", "mine": "-4", "theirs": "0"},
        "Level with <bdi>Juhani</bdi> in all but sets: −4 to 0.",
    ),
    (
        "ahead_by",
        {"entry": 1, "key": "set_ratio", "mine": "5/8", "theirs": "3/5"},
        "Level with <bdi>Juhani</bdi>, and won more of the sets: 62.5 % to 60.0 %.",
    ),
    (
        "ahead_by",
        {"entry": 1, "key": "set_ratio", "mine": "37/53", "theirs": "30/43"},
        "Level with <bdi>Juhani</bdi>, and won more of the sets: 69.81 % to 69.77 %.",
    ),
    (
        "head_to_head_won",
        {"entry": 1, "sets": "3:2"},
        "Level with <bdi>Juhani</bdi>, but won their match 3–2.",
    ),
    (
        "head_to_head_lost",
        {"entry": 1, "sets": "2:3"},
        "Level with <bdi>Juhani</bdi>, who won their match 3–2.",
    ),
    (
        "shared",
        {"entries": [1], "count": 1},
        "Shares the place with <bdi>Juhani</bdi>: level in everything.",
    ),
    (
        "shared",
        {"entries": [1, 3, 4], "count": 3},
        (
            "Shares the place with <bdi>Juhani</bdi>, <bdi>&lt;b&gt;Bold&lt;/b&gt;</bdi> and"
            ' <bdi lang="ru">Скиталец (Казань)</bdi>: level in everything.'
        ),
    ),
    (
        "shared",
        {"entries": [1, 3, 4], "count": 9},
        (
            "Shares the place with <bdi>Juhani</bdi>, <bdi>&lt;b&gt;Bold&lt;/b&gt;</bdi>,"
            ' <bdi lang="ru">Скиталец (Казань)</bdi> and 6 others: level in everything.'
        ),
    ),
    ("level_nothing_played", {}, "Nothing is played yet."),
    ("place_final_lost", {"entry": 1, "sets": "2:3"}, "Lost the final to <bdi>Juhani</bdi>, 2–3."),
    ("place_out_in", {"round": "quarter_finals"}, "Out in the quarter-finals."),
    ("place_out_in", {"round": "round_of", "n": 32}, "Out in the round of 32."),
    ("still_in", {"best": 1}, "Still in."),
    ("still_in", {"best": 3}, "Can still be third."),
    ("place_unopposed", {"round": "final"}, "Nobody was left to meet in the final."),
    ("bye_lowest", {"entry": 1, "points": 0}, "Bye: the lowest score of those with the fewest byes."),
    (
        "rematch",
        {"a": 1, "b": 2, "round": 2},
        '<bdi>Juhani</bdi> and <bdi lang="ru">Тень Дантуина</bdi> have met before, in round 2.',
    ),
    ("floated", {"entry": 1, "points": 9, "to": 6}, "<bdi>Juhani</bdi>, on 9 points, meets somebody on 6."),
    ("rematches_certain", {"most": 1, "rounds": 2}, "Only 1 round can do without a rematch, and 2 are planned."),
    ("extra_byes", {"count": 3}, "3 players have a bye and could meet each other."),
    ("left_out", {"entry": 99}, "— meets nobody and has no bye."),
    ("no_third_place", {"entries": 3}, "With 3 players there is no match for third place."),
]


@pytest.mark.parametrize(("code", "params", "said"), SENTENCES)
def test_sentences(code: str, params: dict[str, Any], said: str) -> None:
    assert text(code, **params) == said


@pytest.mark.parametrize(("code", "params", "said"), SENTENCES)
def test_no_sentence_keeps_a_hole_in_any_language(code: str, params: dict[str, Any], said: str) -> None:
    with translation.override("ru"):
        assert "{" not in text(code, **params)


def test_a_code_from_a_note_stored_long_ago_says_nothing() -> None:
    assert text("of_another_age", entry=1) == ""


def test_a_stored_note_reads_like_the_engines_own() -> None:
    made = Note.of("alone_on_points", points=3)
    assert reasons.read_note(made) == reasons.read_note(["alone_on_points", {"points": 3}])


# --- rounds


def test_rounds_are_called_by_the_distance_to_the_final() -> None:
    assert [reasons.round_name(elimination_round_name(places)) for places in (2, 4, 8, 16, 64)] == [
        "Final",
        "Semi-finals",
        "Quarter-finals",
        "Round of 16",
        "Round of 64",
    ]
    assert reasons.round_name(["round", {"n": 5}]) == "Round 5"
    assert reasons.round_name(["third_place", {}]) == "Match for third place"


@pytest.mark.parametrize("code", ROUND_NAMES)
def test_every_name_of_a_round_has_words_wherever_a_round_is_told_of(code: str) -> None:
    note = [code, {"n": 16} if "round" in code else {}]
    told = {
        reasons.round_name(note),
        reasons.being_played(note, planned=20),
        reasons.is_finished(note, planned=20),
        reasons.after_round(note),
    }
    assert len(told) == 4


@pytest.mark.parametrize("code", sorted(set(ROUND_NAMES) - {"round", "play_off"}))
def test_every_round_of_a_bracket_is_one_to_go_out_in(code: str) -> None:
    assert text("place_out_in", round=code, n=16).startswith("Out in the ")


@pytest.mark.parametrize(
    ("note", "playing", "over", "after"),
    [
        (
            ["round", {"n": 5}],
            "Round 5 of 6 is being played",
            "Round 5 of 6 is finished",
            "Standings after round 5",
        ),
        (
            ["semi_finals", {}],
            "The semi-finals are being played",
            "The semi-finals are finished",
            "Standings after the semi-finals",
        ),
        (
            ["round_of", {"n": 16}],
            "The round of 16 is being played",
            "The round of 16 is finished",
            "Standings after the round of 16",
        ),
    ],
)
def test_headlines_of_rounds(note: list[Any], playing: str, over: str, after: str) -> None:
    assert reasons.being_played(note, planned=6) == playing
    assert reasons.is_finished(note, planned=6) == over
    assert reasons.after_round(note) == after


# --- numbers and results


@pytest.mark.parametrize(
    ("key", "value", "said"),
    [
        ("buchholz", Fraction(27), "27"),
        ("sonneborn_berger", Fraction(81, 2), "81/2"),
        ("set_difference", Fraction(5), "+5"),
        ("set_difference", Fraction(0), "0"),
        ("set_difference", Fraction(-3), "−3"),
        ("set_ratio", Fraction(2, 3), "66.7 %"),
    ],
)
def test_numbers_in_columns(key: str, value: Fraction, said: str) -> None:
    assert reasons.number_text(key, value) == said


@pytest.mark.parametrize(
    ("kind", "sets", "said"),
    [
        ("", (0, 0), ""),
        ("score", (3, 1), "3–1"),
        ("walkover", (3, 0), "3–0, walkover"),
        ("forfeit", (2, 3), "2–3, forfeit"),
        ("double_no_show", (0, 0), "Neither came"),
    ],
)
def test_results(kind: str, sets: tuple[int, int], said: str) -> None:
    assert labels.result_text(Match(kind=kind, sets_a=sets[0], sets_b=sets[1])) == said
