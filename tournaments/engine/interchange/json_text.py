"""A tournament as JSON, version 1: `docs/tournament-json.md` describes it.

What is written is the same to the byte for the same tournament, and reading it gives that tournament again. Fields with
their usual value are left out of entries and pairings, each of which is one line.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, fields
from typing import Any, Literal, get_args, get_origin, get_type_hints

from tournaments.engine.formats import get_format
from tournaments.engine.interchange.document import (
    FORMAT_KEYS,
    TIEBREAK_KEYS,
    Document,
    Fault,
    Path,
    Person,
    inconsistencies,
)
from tournaments.engine.interchange.positions import position_of
from tournaments.engine.snapshot import (
    Bye,
    Entry,
    EntryStatus,
    Pairing,
    Points,
    Result,
    ResultKind,
    Snapshot,
)

VERSION = 1


def write_json(document: Document) -> str:
    """The text of a document: entries by seed, pairings by round and number, and a newline at the end."""
    stage = document.stage
    head = {
        "cantina": VERSION,
        "name": document.name,
        "ruleset": document.ruleset,
        "format": document.format,
        "options": {field.name: getattr(stage.options, field.name) for field in _options(document.format)},
        "tiebreaks": list(document.tiebreaks),
        "points": asdict(stage.points),
        "sets_to_win": stage.sets_to_win,
        "seed": stage.seed,
    }
    lines = [f" {_dump(key)}: {_dump(value)}" for key, value in head.items()]
    lines.append(_list("entries", (_entry_row(entry, document.people[entry.id]) for entry in stage.by_seed)))
    for name, pairings in (("pairings", stage.pairings), ("play_offs", stage.play_offs)):
        ordered = sorted(pairings, key=lambda pairing: (pairing.round, pairing.number))
        lines.append(_list(name, map(_pairing_row, ordered)))
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _dump(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _list(name: str, rows: Iterable[Mapping[str, Any]]) -> str:
    items = ",\n".join(f"  {_dump(row)}" for row in rows)
    return f" {_dump(name)}: [\n{items}\n ]" if items else f" {_dump(name)}: []"


def _entry_row(entry: Entry, person: Person) -> dict[str, Any]:
    row: dict[str, Any] = {"id": entry.id, "seed": entry.seed, "name": person.name}
    usual = Entry(0, 0)
    if person.rating is not None:
        row["rating"] = person.rating
    for name in ("status", "club", "since", "group"):
        if (value := getattr(entry, name)) != getattr(usual, name):
            row[name] = value
    if entry.asked:
        row["asked"] = [[number, bye] for number, bye in entry.asked]
    return row


def _pairing_row(pairing: Pairing) -> dict[str, Any]:
    row: dict[str, Any] = {"round": pairing.round, "number": pairing.number, "a": pairing.a, "b": pairing.b}
    if pairing.bye is not Bye.GIVEN:
        row["bye"] = pairing.bye
    if (result := pairing.result) is not None:
        row["result"] = {"kind": result.kind, "sets": list(result.sets), "winner": result.winner}
        if result.tied_sets:
            row["result"]["tied_sets"] = result.tied_sets
    return row


def read_json(text: str) -> Document | Fault:
    """The document a text stands for, or the first fault in it."""
    try:
        found = json.loads(text)
    except json.JSONDecodeError as error:
        return Fault.of(error.lineno, error.colno, "not_json", what=error.msg)
    except RecursionError:
        return Fault.of(1, 1, "too_deep")
    except ValueError as error:  # a number with thousands of digits
        return Fault.of(1, 1, "not_json", what=str(error))
    try:
        document = _document(_Reader(found, ()))
        for path, code, params in inconsistencies(document.stage):
            raise _WrongError(path, code, params)
    except _WrongError as wrong:
        line, column = position_of(text, wrong.path)
        return Fault.of(line, column, wrong.code, **wrong.params)
    return document


class _WrongError(Exception):
    """The first fault, by its path."""

    def __init__(self, path: Path, code: str, params: Mapping[str, Any]) -> None:
        super().__init__(code)
        self.path, self.code, self.params = path, code, params


class _Reader:
    """A value of the text, and where it is."""

    def __init__(self, value: Any, path: Path) -> None:
        self.value = value
        self.path = path

    def wrong(self, code: str, **params: Any) -> _WrongError:
        return _WrongError(self.path, code, params)

    def whole(self, least: int = 0) -> int:
        if isinstance(self.value, bool) or not isinstance(self.value, int):
            raise self.wrong("wrong_type", expected="int")
        if self.value < least:
            raise self.wrong("unknown_value", value=self.value)
        return self.value

    def text(self) -> str:
        if not isinstance(self.value, str):
            raise self.wrong("wrong_type", expected="str")
        return self.value

    def one_of(self, allowed: Iterable[Any]) -> Any:
        """A value that is allowed, of its very type: true is not 1."""
        for candidate in allowed:
            if self.value == candidate and isinstance(self.value, bool) is isinstance(candidate, bool):
                return candidate
        raise self.wrong("unknown_value", value=self.value)

    def items(self) -> list[_Reader]:
        if not isinstance(self.value, list):
            raise self.wrong("wrong_type", expected="list")
        return [_Reader(item, (*self.path, place)) for place, item in enumerate(self.value)]

    def fields(self, needed: Iterable[str], others: Iterable[str] = ()) -> dict[str, _Reader]:
        """The fields of an object: all needed ones, others if they are there, and no more."""
        if not isinstance(self.value, dict):
            raise self.wrong("wrong_type", expected="dict")
        for name in needed:
            if name not in self.value:
                raise self.wrong("missing_field", field=name)
        known = {*needed, *others}
        for name in self.value:
            if name not in known:
                raise _WrongError((*self.path, name), "unknown_field", {"field": name})
        return {name: _Reader(value, (*self.path, name)) for name, value in self.value.items()}


_HEAD = ("cantina", "name", "format", "options", "tiebreaks", "points", "sets_to_win", "seed", "entries", "pairings")


def _document(reader: _Reader) -> Document:
    found = reader.fields(_HEAD, ("ruleset", "play_offs"))
    if found["cantina"].whole() != VERSION:
        raise found["cantina"].wrong("unknown_version", value=found["cantina"].value)
    format_key = found["format"].one_of(sorted(FORMAT_KEYS))
    entries = [_entry(item) for item in found["entries"].items()]
    if not entries:
        raise found["entries"].wrong("no_entries")
    points = found["points"].fields([field.name for field in fields(Points)])
    play_offs = found["play_offs"].items() if "play_offs" in found else []
    stage = Snapshot(
        entries=tuple(entry for entry, _ in entries),
        pairings=tuple(_pairing(item) for item in found["pairings"].items()),
        options=_read_options(found["options"], format_key),
        points=Points(**{name: item.whole(-(10**6)) for name, item in points.items()}),
        sets_to_win=found["sets_to_win"].whole(1),
        seed=found["seed"].text(),
        play_offs=tuple(_pairing(item) for item in play_offs),
    )
    return Document(
        name=found["name"].text(),
        format=format_key,
        tiebreaks=tuple(item.one_of(sorted(TIEBREAK_KEYS)) for item in found["tiebreaks"].items()),
        stage=stage,
        people={entry.id: person for entry, person in entries},
        ruleset=found["ruleset"].text() if "ruleset" in found else "",
    )


def _options(format_key: str) -> tuple[Any, ...]:
    return fields(get_format(format_key).Options)


def _read_options(reader: _Reader, format_key: str) -> object:
    """Options are whole numbers, switches or choices; those left out have their usual value."""
    chosen = get_format(format_key).Options
    hints = get_type_hints(chosen)
    found = reader.fields((), hints)
    values: dict[str, Any] = {}
    for name, item in found.items():
        hint = hints[name]
        if hint is bool:
            values[name] = item.one_of((True, False))
        elif get_origin(hint) is Literal:
            values[name] = item.one_of(get_args(hint))
        elif item.value is not None or hint is int:
            values[name] = item.whole()
    return chosen(**values)


def _entry(reader: _Reader) -> tuple[Entry, Person]:
    found = reader.fields(("id", "seed", "name"), ("rating", "status", "club", "since", "asked", "group"))
    asked = found["asked"].items() if "asked" in found else []
    entry = Entry(
        id=found["id"].whole(1),
        seed=found["seed"].whole(1),
        status=_if_there(found, "status", lambda item: item.one_of(EntryStatus), EntryStatus.ACTIVE),
        club=_if_there(found, "club", _Reader.text, ""),
        since=_if_there(found, "since", lambda item: item.whole(1), 1),
        asked=tuple(_asked(item) for item in asked),
        group=_if_there(found, "group", _Reader.text, ""),
    )
    return entry, Person(found["name"].text(), _if_there(found, "rating", _Reader.whole, None))


def _if_there(found: Mapping[str, _Reader], name: str, read: Callable[[_Reader], Any], usual: Any) -> Any:
    return read(found[name]) if name in found else usual


def _asked(reader: _Reader) -> tuple[int, Bye]:
    parts = reader.items()
    if len(parts) != 2:
        raise reader.wrong("wrong_type", expected="list")
    return parts[0].whole(1), parts[1].one_of([bye for bye in Bye if bye is not Bye.GIVEN])


def _pairing(reader: _Reader) -> Pairing:
    found = reader.fields(("round", "number", "a", "b"), ("bye", "result"))
    b = None if found["b"].value is None else found["b"].whole(1)
    return Pairing(
        round=found["round"].whole(1),
        number=found["number"].whole(1),
        a=found["a"].whole(1),
        b=b,
        result=None if b is None else _if_there(found, "result", _result, None),
        bye=_if_there(found, "bye", lambda item: item.one_of(Bye), Bye.GIVEN) if b is None else Bye.GIVEN,
    )


def _result(reader: _Reader) -> Result:
    found = reader.fields(("kind", "sets", "winner"), ("tied_sets",))
    sets = [item.whole() for item in found["sets"].items()]
    result = Result(
        kind=found["kind"].one_of(ResultKind),
        sets=(sets[0], sets[1]) if len(sets) == 2 else (-1, -1),
        winner=None if found["winner"].value is None else found["winner"].one_of(("a", "b")),
        tied_sets=_if_there(found, "tied_sets", _Reader.whole, 0),
    )
    needs_winner = result.kind in (ResultKind.WALKOVER, ResultKind.FORFEIT)
    if result.sets == (-1, -1) or (needs_winner and result.winner is None):
        raise reader.wrong("impossible_result")
    if result.kind is ResultKind.DOUBLE_NO_SHOW and result.winner is not None:
        raise reader.wrong("impossible_result")
    return result
