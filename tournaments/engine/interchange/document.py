"""A tournament as it travels: one stage, its format and tie-breaks, and the people behind the entries."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from tournaments.engine.formats import FORMATS
from tournaments.engine.snapshot import Snapshot
from tournaments.engine.tiebreaks import TIEBREAKS

FAULTS = (
    "not_json",  # what: the parser's own words
    "too_deep",
    "wrong_type",  # expected
    "missing_field",  # field
    "unknown_field",  # field
    "unknown_value",  # value
    "unknown_version",  # value
    "no_entries",
    "repeated",  # value: an id, a seed or a number that is there twice
    "seeds_not_in_order",
    "unknown_entry",  # entry
    "twice_in_round",  # entry
    "impossible_result",
    "not_a_number",  # value
    "unknown_result",  # value
    "sides_differ",  # opponent: the other side tells the match otherwise
    "not_text",  # byte: the first that is no UTF-8
    "too_many",  # most
    "not_a_name",
    "not_of_format",  # a pairing that cannot be in a tournament of this format
)
"""Every code a fault can have, with its parameters. Each needs words."""


@dataclass(frozen=True, slots=True)
class Fault:
    """Why a text is not a tournament: the place of the first fault, counted from 1, and a code with parameters."""

    line: int
    column: int
    code: str
    params: tuple[tuple[str, Any], ...] = ()

    @classmethod
    def of(cls, line: int, column: int, code: str, **params: Any) -> Fault:
        return cls(line, column, code, tuple(sorted(params.items())))


@dataclass(frozen=True, slots=True)
class Person:
    """Who an entry is."""

    name: str
    rating: int | None = None


@dataclass(frozen=True, slots=True)
class Document:
    """Everything needed to rebuild a tournament. `people` has a person for every entry of the stage."""

    name: str
    format: str
    tiebreaks: tuple[str, ...]
    stage: Snapshot
    people: Mapping[int, Person]
    ruleset: str = ""


Path = tuple[str | int, ...]
FORMAT_KEYS = frozenset(each.key for each in FORMATS)
TIEBREAK_KEYS = frozenset(each.key for each in TIEBREAKS)


def inconsistencies(stage: Snapshot) -> Iterator[tuple[Path, str, dict[str, Any]]]:
    """What does not hold together in a stage: the path to it in a document, a code, and its parameters.

    Entries and pairings are named by their position, so both must be in the order of the text.
    """
    known: set[int] = set()
    for place, entry in enumerate(stage.entries):
        if entry.id in known:
            yield ("entries", place, "id"), "repeated", {"value": entry.id}
        if entry.seed != place + 1:
            yield ("entries", place, "seed"), "seeds_not_in_order", {}
        known.add(entry.id)
    for kind, pairings in (("pairings", stage.pairings), ("play_offs", stage.play_offs)):
        numbers: set[tuple[int, int]] = set()
        named: Counter[tuple[int, int]] = Counter()
        for place, pairing in enumerate(pairings):
            if (pairing.round, pairing.number) in numbers:
                yield (kind, place, "number"), "repeated", {"value": pairing.number}
            numbers.add((pairing.round, pairing.number))
            for side, entry_id in (("a", pairing.a), ("b", pairing.b)):
                if entry_id is None:
                    continue
                if entry_id not in known:
                    yield (kind, place, side), "unknown_entry", {"entry": entry_id}
                named[pairing.round, entry_id] += 1
                if named[pairing.round, entry_id] > 1:
                    yield (kind, place, side), "twice_in_round", {"entry": entry_id}
