"""Tournament files read and checked for what can be kept of them: the document, or the first fault with its place."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, fields
from typing import Any

from matches.engine import get_ruleset
from players.engine import clean_name, name_problem
from tournaments.engine.formats import get_format
from tournaments.engine.formats.base import Format
from tournaments.engine.interchange import Document, Fault, read_json, read_trf
from tournaments.engine.interchange.document import Path
from tournaments.engine.interchange.positions import position_of
from tournaments.engine.snapshot import Pairing, Result, Snapshot

MOST_ENTRIES = 10_000
MOST_ROUNDS = 1_000
MOST_POINTS = 100
MOST_SETS = 99
MOST_PAIRINGS = 30_000  # in a round
MOST_RATING = 9_999
_LONGEST_SEED = 200
_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")

_Problem = tuple[Path, str, dict[str, Any]]


def read_tournament(data: bytes) -> Document | Fault:
    """The tournament in a file: our JSON, or FIDE's report format. All of it can be stored, or the first fault is told.

    A file that names rules of the game names those of this house, and has the sets to win they have.
    """
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        return Fault.of(1, 1, "not_text", byte=error.start)
    is_json = text.lstrip().startswith(("{", "["))
    found = read_json(text) if is_json else read_trf(text)
    if isinstance(found, Fault):
        return found
    for path, code, params in _problems(found):
        line, column = position_of(text, path) if is_json else _line_of(text, path)
        return Fault.of(line, column, code, **params)
    return found


def _line_of(text: str, path: Path) -> tuple[int, int]:
    """Where in FIDE's format the player at this path stands; the first line for anything else."""
    lines = [number for number, line in enumerate(text.splitlines(), start=1) if line[:3] == "001"]
    if path[0] != "entries" or len(path) < 2 or not isinstance(path[1], int):
        return 1, 1
    ids = {int(text.splitlines()[number - 1][4:8]): number for number in lines}
    return ids[sorted(ids)[path[1]]], 1


def _problems(document: Document) -> Iterator[_Problem]:
    yield from _of_head(document)
    yield from _of_entries(document)
    stage, chosen = document.stage, get_format(document.format)
    if len(stage.entries) < chosen.least_entries:
        yield ("entries",), "no_entries", {}
    for kind, pairings in (("pairings", stage.pairings), ("play_offs", stage.play_offs)):
        for place, pairing in enumerate(pairings):
            for path, code, params in _of_pairing(pairing, chosen, is_play_off=kind == "play_offs"):
                yield (kind, place, *path), code, params
    yield from _of_rounds(stage)
    yield from _of_format(stage, chosen)


def _of_head(document: Document) -> Iterator[_Problem]:
    stage = document.stage
    if name_problem(clean_name(document.name)):
        yield ("name",), "not_a_name", {}
    if document.ruleset:
        try:
            ruleset = get_ruleset(document.ruleset)
        except KeyError:
            yield ("ruleset",), "unknown_value", {"value": document.ruleset}
        else:
            if stage.sets_to_win != ruleset.sets_to_win:
                yield ("sets_to_win",), "unknown_value", {"value": stage.sets_to_win}
    for field in fields(stage.options):  # type: ignore[arg-type]  # every format's options are a dataclass
        value = getattr(stage.options, field.name)
        if isinstance(value, int) and value > MOST_ROUNDS:
            yield ("options", field.name), "unknown_value", {"value": value}
    for name, value in asdict(stage.points).items():
        if not 0 <= value <= MOST_POINTS:
            yield ("points", name), "unknown_value", {"value": value}
    if len(stage.seed) > _LONGEST_SEED or _UNSTORABLE.search(stage.seed):
        yield ("seed",), "unknown_value", {"value": _UNSTORABLE.sub("?", stage.seed[:_LONGEST_SEED])}
    for place, key in enumerate(document.tiebreaks):
        if key in document.tiebreaks[:place]:
            yield ("tiebreaks", place), "repeated", {"value": key}


def _of_entries(document: Document) -> Iterator[_Problem]:
    if len(document.stage.entries) > MOST_ENTRIES:
        yield ("entries",), "too_many", {"most": MOST_ENTRIES}
    for place, entry in enumerate(document.stage.entries):
        person = document.people[entry.id]
        if name_problem(clean_name(person.name)):
            yield ("entries", place, "name"), "not_a_name", {}
        if entry.club and name_problem(clean_name(entry.club)):
            yield ("entries", place, "club"), "not_a_name", {}
        if person.rating is not None and person.rating > MOST_RATING:
            yield ("entries", place, "rating"), "unknown_value", {"value": person.rating}
        if entry.since > MOST_ROUNDS:
            yield ("entries", place, "since"), "unknown_value", {"value": entry.since}
        rounds = Counter(number for number, _bye in entry.asked)
        if any(number > MOST_ROUNDS or count > 1 for number, count in rounds.items()):
            yield ("entries", place, "asked"), "unknown_value", {"value": max(rounds)}


def _of_pairing(pairing: Pairing, chosen: Format, *, is_play_off: bool) -> Iterator[_Problem]:
    if pairing.round > MOST_ROUNDS:
        yield ("round",), "unknown_value", {"value": pairing.round}
    if pairing.number > MOST_PAIRINGS:
        yield ("number",), "unknown_value", {"value": pairing.number}
    if is_play_off and pairing.b is None:
        yield ("b",), "not_of_format", {}
    if pairing.result is not None:
        goes_on = is_play_off or not chosen.allows_ties  # only with a winner
        yield from _of_result(pairing.result, goes_on=goes_on)


def _of_result(result: Result, *, goes_on: bool) -> Iterator[_Problem]:
    if max(result.sets) > MOST_SETS:
        yield ("result", "sets"), "unknown_value", {"value": max(result.sets)}
    if result.tied_sets:
        yield ("result", "tied_sets"), "unknown_value", {"value": result.tied_sets}
    first, second = result.sets
    ahead = "a" if first > second else "b" if second > first else None
    if result.kind in ("score", "time") and (ahead != result.winner or (goes_on and ahead is None)):
        yield ("result",), "impossible_result", {}


def _of_rounds(stage: Snapshot) -> Iterator[_Problem]:
    """Rounds follow each other without a gap, and extra matches come in rounds of their own after them."""
    for place, pairing in enumerate(stage.pairings):
        if pairing.round > len(stage.rounds):
            yield ("pairings", place, "round"), "unknown_value", {"value": pairing.round}
    for place, pairing in enumerate(stage.play_offs):
        if pairing.round <= stage.last_round:
            yield ("play_offs", place, "round"), "unknown_value", {"value": pairing.round}


def _of_format(stage: Snapshot, chosen: Format) -> Iterator[_Problem]:
    """Pairings a format cannot have: out of the places of its bracket, between two groups, beyond its last round."""
    stands = {
        (match.round, match.number): match.pairing for column in chosen.bracket(stage) for match in column.matches
    }
    group_of = {entry: group for group in chosen.groups(stage) for entry in group}
    last = chosen.rounds_at_most(stage) if chosen.is_fixed else MOST_ROUNDS
    for place, pairing in enumerate(stage.pairings):
        out_of_place = chosen.has_bracket and stands.get((pairing.round, pairing.number)) != pairing
        b = pairing.a if pairing.b is None else pairing.b
        between = bool(group_of) and (pairing.a not in group_of or group_of[pairing.a] != group_of.get(b))
        if out_of_place or between or pairing.round > last or (chosen.is_fixed and pairing.is_bye):
            yield ("pairings", place), "not_of_format", {}
