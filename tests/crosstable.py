"""A tiny language for results, so that a test of standings reads like a sheet of paper.

    sheet(
        "ABCDE",
        "A-B 3:0   C-D 3:1   E bye",
        "A-E +:-   B-C 2:3f  D bye",
        "A-C       B-D -:-   E bye",
    )

One text is a round. `3:0` is a score (`2:2` a tie), `+:-` a walkover, `2:3f` a match the first side gave up when it
had won two sets, `2:1t` one that time ended, `-:-` a double no-show; without a result the match is open. `bye` is one
the pairing gave, `full`, `half` and `zero` are asked for. Players are seeded in the order they are named in, and their
entry ids are not their seeds.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from tournaments.engine.snapshot import Bye, Entry, EntryStatus, Pairing, Points, Result, ResultKind, Snapshot

_ITEM = re.compile(r"(?P<a>\w)(?:-(?P<b>\w)(?: +(?P<result>[0-9+-]:[0-9+-][ft]?))?| (?P<bye>bye|full|half|zero))")
_FIRST_ID = 101
_KINDS = {"f": ResultKind.FORFEIT, "t": ResultKind.TIME}


@dataclass(frozen=True)
class Sheet:
    """A stage written down: its snapshot, and the names of its entries."""

    names: str
    snapshot: Snapshot

    def id(self, name: str) -> int:
        return _FIRST_ID + self.names.index(name)

    def name(self, entry: int) -> str:
        return self.names[entry - _FIRST_ID]

    def spell(self, entries: Iterable[int]) -> str:
        return "".join(self.name(entry) for entry in entries)

    def values(self, by_entry: dict[int, object]) -> dict[str, object]:
        return {self.name(entry): value for entry, value in by_entry.items()}

    def with_round(self, text: str) -> Sheet:
        """The sheet with one more round."""
        played = _round(self.names, text, self.snapshot.last_round + 1, self.snapshot.sets_to_win)
        return Sheet(self.names, replace(self.snapshot, pairings=(*self.snapshot.pairings, *played)))

    def without(self, names: str, status: EntryStatus = EntryStatus.WITHDRAWN) -> Sheet:
        """The sheet with some players gone from the event."""
        gone = {self.id(name) for name in names}
        entries = (replace(e, status=status) if e.id in gone else e for e in self.snapshot.entries)
        return Sheet(self.names, replace(self.snapshot, entries=tuple(entries)))


def sheet(
    names: str,
    *rounds: str,
    options: object = None,
    points: Points | None = None,
    seed: str = "sheet",
    late: dict[str, int] | None = None,
) -> Sheet:
    """A stage of `names` with these rounds. `late` gives the first round of those who come later."""
    entries = tuple(
        Entry(_FIRST_ID + place, place + 1, since=(late or {}).get(name, 1)) for place, name in enumerate(names)
    )
    snapshot = Snapshot(entries, options=options, points=points or Points(), seed=seed)
    found = Sheet(names, snapshot)
    for text in rounds:
        found = found.with_round(text)
    return found


def _round(names: str, text: str, number: int, sets_to_win: int) -> tuple[Pairing, ...]:
    if leftover := _ITEM.sub("", text).strip():
        raise ValueError(leftover)
    pairings = []
    for place, item in enumerate(_ITEM.finditer(text), start=1):
        a = _FIRST_ID + names.index(item["a"])
        b = None if item["bye"] else _FIRST_ID + names.index(item["b"])
        result = _result(item["result"], sets_to_win) if item["result"] else None
        bye = Bye.GIVEN if item["bye"] in (None, "bye") else Bye(item["bye"])
        pairings.append(Pairing(number, place, a, b, result, bye))
    return tuple(pairings)


def _result(text: str, sets_to_win: int) -> Result:
    if text == "-:-":
        return Result(ResultKind.DOUBLE_NO_SHOW, (0, 0), None)
    if "+" in text:
        first = text.startswith("+")
        sets = (sets_to_win, 0) if first else (0, sets_to_win)
        return Result(ResultKind.WALKOVER, sets, "a" if first else "b")
    one, two = (int(sets) for sets in text.rstrip("ft").split(":"))
    winner = None if one == two else "a" if one > two else "b"
    return Result(_KINDS.get(text[-1], ResultKind.SCORE), (one, two), winner)
