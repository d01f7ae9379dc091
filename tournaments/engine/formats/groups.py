"""Groups: round robins side by side, as even as can be."""

from __future__ import annotations

from dataclasses import dataclass

from tournaments.engine.formats.base import Format, Note, PlannedPairing, PlannedRound, Seating
from tournaments.engine.formats.round_robin import (
    Withdrawn,
    clear_from_tables,
    seat_in_tables,
    tables,
    without_the_gone,
)
from tournaments.engine.snapshot import Entry, Pairing, Snapshot


@dataclass(frozen=True, slots=True)
class GroupsOptions:
    """`groups` is how many there are; fewer if that would leave anybody alone. The others are as in a round robin."""

    groups: int = 2
    twice: bool = False
    withdrawn: Withdrawn = "half"


class Groups(Format):
    """Entries are dealt to the groups by seed in a snake: 1 2 3, 6 5 4, 7 8 9 …, so that sizes differ by one at most.

    Each group plays its own round robin. The standings have all winners of groups first, then all seconds, and so on;
    among those by points and sets a match. Whoever comes late joins the next group in the snake, if it has an odd size:
    there somebody is free in each round.
    """

    key = "groups"
    Options = GroupsOptions
    default_tiebreaks = ("head_to_head", "set_difference", "sonneborn_berger")
    is_fixed = True

    def groups(self, snapshot: Snapshot) -> tuple[tuple[int, ...], ...]:
        starters = snapshot.starters
        count = _count(len(starters), _options(snapshot))
        dealt: list[list[int]] = [[] for _ in range(count)]
        for place, entry in enumerate(starters):
            turn, step = divmod(place, count)
            dealt[step if turn % 2 == 0 else count - 1 - step].append(entry.id)
        return tuple(tuple(group) for group in dealt)

    def rounds_planned(self, snapshot: Snapshot) -> int:
        return max(len(tables(len(group), _options(snapshot).twice)) for group in self.groups(snapshot))

    def pair(self, snapshot: Snapshot) -> tuple[PlannedRound, ...]:
        rounds: dict[int, list[PlannedPairing]] = {}
        for name, group in enumerate(self.groups(snapshot), start=1):
            for number, pairs in enumerate(tables(len(group), _options(snapshot).twice), start=1):
                made = rounds.setdefault(number, [])
                for first, second in pairs:
                    why = Note.of("in_group", group=name)
                    made.append(PlannedPairing(len(made) + 1, group[first - 1], group[second - 1], why))
        return tuple(
            PlannedRound(number, tuple(pairings))
            for number, pairings in rounds.items()
            if number not in snapshot.rounds
        )

    def needs_draft(self, number: int) -> bool:
        return True

    def round_name(self, snapshot: Snapshot, number: int) -> Note:
        return Note.of("round", n=number)

    def let_in(self, snapshot: Snapshot, newcomer: Entry) -> Seating | None:
        return None if self.is_over(snapshot) else seat_in_tables(self, snapshot, newcomer)

    def let_out(self, snapshot: Snapshot, entry: int) -> Seating | None:
        return clear_from_tables(self, snapshot, entry)

    def is_over(self, snapshot: Snapshot) -> bool:
        waiting = any(self.counted(snapshot).open_pairings())
        return snapshot.last_round >= self.rounds_planned(snapshot) and not waiting

    def counted(self, snapshot: Snapshot) -> Snapshot:
        return without_the_gone(snapshot, _options(snapshot).withdrawn)

    def dependents(self, snapshot: Snapshot, pairing: Pairing) -> tuple[Pairing, ...]:
        return ()

    def advice(self, entries: int, options: object) -> tuple[Note, ...]:
        """`fewer_groups` (groups): there are too few for as many as are wanted."""
        wanted = options if isinstance(options, GroupsOptions) else GroupsOptions()
        count = _count(entries, wanted)
        return (Note.of("fewer_groups", groups=count),) if count < wanted.groups else ()


def _options(snapshot: Snapshot) -> GroupsOptions:
    return snapshot.options if isinstance(snapshot.options, GroupsOptions) else GroupsOptions()


def _count(entries: int, options: GroupsOptions) -> int:
    """As many groups as are wanted, with at least two entries in each."""
    return max(1, min(options.groups, entries // 2))
