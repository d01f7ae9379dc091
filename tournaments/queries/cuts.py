"""Who plays on after a stage, by its stored standings."""

from __future__ import annotations

from dataclasses import dataclass

from tournaments.engine.notes import Note
from tournaments.engine.snapshot import EntryStatus, Record
from tournaments.engine.stages import passage
from tournaments.engine.standings import Row
from tournaments.models import Entry, Stage, Standing


@dataclass(frozen=True, slots=True)
class PlaysOn:
    """One who plays on: the seed they get, and the row of the standings it rests on."""

    seed: int
    row: Standing

    @property
    def entry(self) -> Entry:
        return self.row.entry


@dataclass(frozen=True, slots=True)
class Qualified:
    """Who plays on in the order of their seeds, and all who share a place at the line, on both sides of it.

    `most` is how many could be asked for: of a group where there are groups.
    """

    seeded: tuple[PlaysOn, ...]
    level: tuple[Standing, ...]
    most: int


def qualified(*, stage: Stage, best: int) -> Qualified:
    """The `best` of a stage, of each group where there are groups; whoever has left is passed over. One query.

    The order is that of the standings as everybody saw them; group-mates get seeds that keep them apart.
    """
    stored = stage.standings.filter(entry__status=EntryStatus.ACTIVE).select_related("entry__player").order_by("order")
    rows = {row.entry_id: row for row in stored}
    found = passage([_engine_row(row) for row in rows.values()], best)
    sizes: dict[int | None, int] = {}
    for row in rows.values():
        sizes[row.group] = sizes.get(row.group, 0) + 1
    if found.groups:
        sizes.pop(None, None)  # in no group: nobody of them plays on
    return Qualified(
        seeded=tuple(PlaysOn(seed, rows[entry]) for seed, entry in enumerate(found.seeding, start=1)),
        level=tuple(rows[entry] for entry in found.level),
        most=max(sizes.values(), default=0),
    )


def _engine_row(row: Standing) -> Row:
    reason = Note.of(row.reason[0])
    return Row(row.entry_id, row.rank, row.order, Record(), (), reason, group=row.group or 0, place=row.place or 0)
