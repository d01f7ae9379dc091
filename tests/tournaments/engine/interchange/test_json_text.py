"""A tournament as JSON: the same to the byte there and back, and the place of whatever is wrong."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from pathlib import Path

import pytest

from tests.tournaments.engine.test_laws import steps
from tournaments.engine.formats import FORMATS
from tournaments.engine.formats.base import Format
from tournaments.engine.interchange import Document, Fault, Person, read_json, write_json
from tournaments.engine.interchange.document import FAULTS
from tournaments.engine.interchange.positions import position_of
from tournaments.engine.snapshot import Bye, Entry, Pairing, Result, ResultKind, Snapshot

DOCS = Path(__file__).parents[4] / "docs" / "tournament-json.md"


def document(stage: Snapshot, key: str) -> Document:
    people = {entry.id: Person(f"Имя «{entry.id}»", entry.seed if entry.seed % 2 else None) for entry in stage.entries}
    return Document("Кубок", key, ("buchholz", "lot"), stage, people, ruleset="standard/1")


def reread(text: str) -> Document:
    found = read_json(text)
    assert isinstance(found, Document), found
    return found


@pytest.mark.parametrize("tested", FORMATS, ids=lambda tested: tested.key)
def test_what_is_written_is_read_again_to_the_byte(tested: Format) -> None:
    for stage in steps(tested, 7, "json", leaving=0.05):
        original = document(stage, tested.key)
        text = write_json(original)
        found = reread(text)
        assert write_json(found) == text
        assert set(found.stage.pairings) == set(stage.pairings)
        assert found.stage.entries == stage.by_seed
        assert replace(found, stage=stage) == original
        assert tested.pair(found.stage) == tested.pair(stage)


def test_the_order_of_facts_changes_no_byte() -> None:
    rng = random.Random("json")
    stage = steps(FORMATS[0], 7, "json")[-1]
    pairings = list(stage.pairings)
    rng.shuffle(pairings)
    shuffled = replace(stage, pairings=tuple(pairings), entries=stage.entries[::-1])
    assert write_json(document(shuffled, "swiss")) == write_json(document(stage, "swiss"))


def test_everything_an_entry_and_a_pairing_can_have_survives() -> None:
    stage = Snapshot(
        entries=(
            Entry(7, 1, club="Тарис", group="A", asked=((2, Bye.HALF), (3, Bye.ZERO))),
            Entry(3, 2, since=2),
        ),
        pairings=(
            Pairing(1, 1, 7, None, bye=Bye.FULL),
            Pairing(2, 1, 7, 3, Result(ResultKind.SCORE, (2, 2), None, tied_sets=1)),
        ),
        options=FORMATS[0].Options(rounds=4),
        play_offs=(Pairing(1, 1, 3, 7, Result(ResultKind.FORFEIT, (3, 2), "a")),),
        seed="x",
    )
    found = reread(write_json(document(stage, "swiss")))
    assert found.stage == stage


def test_the_example_of_the_documentation_is_one() -> None:
    text = DOCS.read_text(encoding="utf-8").partition("```json\n")[2].partition("```")[0]
    found = reread(text)
    assert [person.name for person in found.people.values()] == ["Atton", "Mission", "Suvam"]
    assert found.stage.entries[2].asked == ((2, Bye.HALF),)


GOOD = json.loads(DOCS.read_text(encoding="utf-8").partition("```json\n")[2].partition("```")[0])


def changed(*path: str | int, to: object = None, without: bool = False) -> str:
    """The example with one value changed, each field on a line of its own."""
    found = json.loads(json.dumps(GOOD))
    at = found
    for step in path[:-1]:
        at = at[step]
    if without:
        del at[path[-1]]
    else:
        at[path[-1]] = to
    return json.dumps(found, indent=1)


FIRST = ("pairings", 0)
RESULT = (*FIRST, "result")


@pytest.mark.parametrize(
    ("text", "code", "params"),
    [
        (changed("cantina", to=2), "unknown_version", {"value": 2}),
        (changed("cantina", to=True), "wrong_type", {"expected": "int"}),
        (changed("name", to=5), "wrong_type", {"expected": "str"}),
        (changed("name", without=True), "missing_field", {"field": "name"}),
        (changed("colour", to="red"), "unknown_field", {"field": "colour"}),
        (changed("format", to="ladder"), "unknown_value", {"value": "ladder"}),
        (changed("tiebreaks", 1, to="luck"), "unknown_value", {"value": "luck"}),
        (changed("options", "rounds", to="3"), "wrong_type", {"expected": "int"}),
        (changed("options", "first_round", to="fold"), "unknown_value", {"value": "fold"}),
        (changed("options", "until_unbeaten", to=1), "unknown_value", {"value": 1}),
        (changed("options", to=[]), "wrong_type", {"expected": "dict"}),
        (changed("points", "tie", without=True), "missing_field", {"field": "tie"}),
        (changed("sets_to_win", to=0), "unknown_value", {"value": 0}),
        (changed("entries", to={}), "wrong_type", {"expected": "list"}),
        (changed("entries", to=[]), "no_entries", {}),
        (changed("entries", 1, "id", to=1), "repeated", {"value": 1}),
        (changed("entries", 1, "seed", to=3), "seeds_not_in_order", {}),
        (changed("entries", 1, "status", to="asleep"), "unknown_value", {"value": "asleep"}),
        (changed("entries", 2, "asked", 0, to=[2]), "wrong_type", {"expected": "list"}),
        (changed("entries", 2, "asked", 0, 1, to="given"), "unknown_value", {"value": "given"}),
        (changed(*FIRST, "a", to=9), "unknown_entry", {"entry": 9}),
        (changed(*FIRST, "b", to=1), "twice_in_round", {"entry": 1}),
        (changed("pairings", 1, "number", to=1), "repeated", {"value": 1}),
        (changed(*RESULT, "kind", to="luck"), "unknown_value", {"value": "luck"}),
        (changed(*RESULT, "winner", to="c"), "unknown_value", {"value": "c"}),
        (changed(*RESULT, "sets", to=[3]), "impossible_result", {}),
        (changed(*RESULT, to={"kind": "walkover", "sets": [3, 0], "winner": None}), "impossible_result", {}),
        (changed(*RESULT, to={"kind": "double_no_show", "sets": [0, 0], "winner": "a"}), "impossible_result", {}),
    ],
)
def test_the_first_fault_is_told_and_nothing_is_read(text: str, code: str, params: dict[str, object]) -> None:
    found = read_json(text)
    assert isinstance(found, Fault)
    assert (found.code, dict(found.params)) == (code, params)
    assert found.code in FAULTS


def test_a_fault_has_its_line_and_column() -> None:
    assert read_json('{"cantina": 1,\n "x"}') == Fault.of(2, 5, "not_json", what="Expecting ':' delimiter")
    assert read_json("[" * 100_000) == Fault.of(1, 1, "too_deep")
    assert read_json("[]") == Fault.of(1, 1, "wrong_type", expected="dict")
    text = write_json(reread(json.dumps(GOOD))).replace('"winner": "a"', '"winner": 7')
    found = read_json(text)
    assert isinstance(found, Fault)
    assert (found.line, text.splitlines()[found.line - 1][found.column - 1 :][:1]) == (17, "7")


def test_the_position_of_a_value_is_found_as_far_as_its_path_goes() -> None:
    text = '{"a": [1, {"b": "x, ]"}],\n "c":  {} , "d" : 2}'
    assert position_of(text, ()) == (1, 1)
    assert position_of(text, ("a", 1, "b")) == (1, 17)
    assert position_of(text, ("c",)) == (2, 8)
    assert position_of(text, ("c", "e")) == (2, 8)
    assert position_of(text, ("d", "e")) == (2, 19)
    assert position_of(text, ("f",)) == (1, 1)
    assert position_of(text, ("a", 2)) == (1, 7)


def test_options_left_out_are_as_usual_and_null_is_too() -> None:
    assert reread(changed("options", to={})).stage.options == FORMATS[0].Options()
    assert reread(changed("options", to={"rounds": None})).stage.options == FORMATS[0].Options()
    assert reread(changed("options", to={"until_unbeaten": True})).stage.options == FORMATS[0].Options(
        until_unbeaten=True
    )


def test_a_number_nobody_can_read_is_a_fault() -> None:
    fault = read_json('{"version": ' + "1" * 5_000 + "}")
    assert isinstance(fault, Fault)
    assert (fault.line, fault.column, fault.code) == (1, 1, "not_json")
