"""Judging a round somebody has changed by hand: what is wrong with it, and what is only unusual."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Protocol

from tournaments.engine.notes import Note
from tournaments.engine.pairing.contenders import asked_byes, present
from tournaments.engine.snapshot import EntryStatus, Snapshot

ERRORS = ("not_in_stage", "not_active", "self", "paired_twice")
"""Codes of notes with which a round cannot be published."""

WARNINGS = ("rematch", "bye_again", "extra_byes", "left_out")
"""Codes of notes an organiser should see and may overrule."""


class Sides(Protocol):
    """Anything that says who meets whom: a planned pairing or a published one. `b` None is a bye."""

    @property
    def a(self) -> int: ...

    @property
    def b(self) -> int | None: ...


def judge(snapshot: Snapshot, pairings: Iterable[Sides]) -> tuple[Note, ...]:
    """What is to be said about `pairings` as the round that follows the published ones; () if nothing is.

    `snapshot` holds the published rounds only. Errors come first, each kind in order of seeds:
    `not_in_stage`, `not_active`, `self`, `paired_twice` (entry each); then `rematch` (a, b, round they last met),
    `bye_again` (entry), `extra_byes` (count), `left_out` (entry).
    """
    pairings = tuple(pairings)
    named = Counter(entry for p in pairings for entry in dict.fromkeys((p.a, p.b)) if entry is not None)
    order = {entry.id: place for place, entry in enumerate(snapshot.by_seed)}
    everybody = sorted(named, key=lambda entry: (order.get(entry, len(order)), entry))
    notes = [Note.of("not_in_stage", entry=entry) for entry in everybody if entry not in order]
    notes += [
        Note.of("not_active", entry=entry)
        for entry in everybody
        if entry in order and snapshot.by_id[entry].status is not EntryStatus.ACTIVE
    ]
    notes += [Note.of("self", entry=p.a) for p in pairings if p.a == p.b]
    notes += [Note.of("paired_twice", entry=entry) for entry in everybody if named[entry] > 1]
    met = {frozenset((p.a, p.b)): p.round for p in sorted(snapshot.pairings, key=lambda p: p.round)}
    for p in pairings:
        if p.a != p.b and (round_met := met.get(frozenset((p.a, p.b)))) is not None and p.b is not None:
            notes.append(Note.of("rematch", a=p.a, b=p.b, round=round_met))
    asked = {entry.id for entry, _ in asked_byes(snapshot, snapshot.last_round + 1)}
    byes = [p.a for p in pairings if p.b is None and p.a not in asked]
    notes += [Note.of("bye_again", entry=e) for e in byes if e in order and snapshot.records[e].byes]
    if len(byes) > 1:
        notes.append(Note.of("extra_byes", count=len(byes)))
    due = present(snapshot, snapshot.last_round + 1)
    notes += [Note.of("left_out", entry=e.id) for e in due if e.id not in named]
    return tuple(notes)


def is_error(note: Note) -> bool:
    """Whether a round with this note cannot be published."""
    return note.code in ERRORS
