"""Golden records, one for each preset and each special card: they replay to the same state for ever."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from matches.engine import RULESETS, Play, Record, State, format_record, parse_record, replay, verify
from matches.engine.cards import SPECIAL_TOKENS

GOLDEN = Path(__file__).parent / "golden"
RECORDS = sorted(GOLDEN.glob("*.pazaak"))


def facts(state: State) -> dict[str, object]:
    """A state as plain values, whatever shape the engine gives it."""
    return {
        "sets": list(state.sets),
        "winner": None if state.outcome is None else state.outcome.winner,
        "ending": None if state.outcome is None else state.outcome.ending.value,
        "results": [[result.winner, result.reason.value, list(result.totals)] for result in state.results],
        "sides": [
            {
                "board": [[placed.token, placed.value] for placed in side.board],
                "total": side.total,
                "stood": side.stood,
                "hand": list(side.hand),
                "spent": list(side.spent),
                "draws": side.draws,
            }
            for side in state.sides
        ],
    }


def read(path: Path) -> Record:
    record = parse_record(path.read_text())
    assert isinstance(record, Record), record
    return record


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_it_replays_to_the_same_state(path: Path) -> None:
    state = replay(read(path))
    assert isinstance(state, State), state
    assert facts(state) == json.loads(path.with_suffix(".json").read_text())


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_it_is_written_as_it_was(path: Path) -> None:
    assert format_record(read(path)) == path.read_text()


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_it_still_follows_from_its_seed(path: Path) -> None:
    record = read(path)
    found = [refusal.code for refusal in verify(record)]
    assert found == ([] if record.deal else ["not_from_a_seed"])


def test_there_is_one_for_every_preset_and_every_special_card() -> None:
    records = [read(path) for path in RECORDS]
    assert {record.ruleset.key for record in records} == {ruleset.key for ruleset in RULESETS}
    played = {move.token for record in records for move in record.moves if isinstance(move, Play)}
    assert played >= SPECIAL_TOKENS
