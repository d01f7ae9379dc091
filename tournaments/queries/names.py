"""Players under the names those who run a tournament see; everybody else sees `display_name` of the entry itself."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from tournaments.models import Entry


@dataclass(frozen=True, slots=True)
class StaffName:
    """An entry as sentences and answers for staff name it."""

    id: int
    display_name: str


def for_staff(entry: Entry) -> StaffName:
    """The entry under the name staff see."""
    return StaffName(entry.pk, entry.staff_name)


def staff_names(entries: Iterable[Entry]) -> dict[int, StaffName]:
    """Entries by id, under the names staff see: whoever a sentence for staff may speak of."""
    return {entry.pk: for_staff(entry) for entry in entries}
