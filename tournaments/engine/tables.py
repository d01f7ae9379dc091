"""Which table each match of a round gets: fixed seats, the table people look at, then from the lowest on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count


@dataclass(frozen=True, slots=True)
class Hall:
    """What a round finds: `first` is the lowest number to give, `busy` those somebody plays at.

    `tables` are those that stand and are in order, None where any number will do; `shown` those kept for what people
    look at.
    """

    first: int = 1
    busy: frozenset[int] = frozenset()
    tables: frozenset[int] | None = None
    shown: frozenset[int] = frozenset()

    def has(self, number: int) -> bool:
        """Whether a match can be put there now."""
        return number not in self.busy and (self.tables is None or number in self.tables)

    def in_order(self) -> Iterator[int]:
        """What can be given, lowest first; without end where any number will do."""
        numbers = count(self.first) if self.tables is None else sorted(n for n in self.tables if n >= self.first)
        return (number for number in numbers if number not in self.busy)


@dataclass(frozen=True, slots=True)
class Want:
    """A match that needs a table. `fixed` are the tables its players have to sit at, side a first."""

    fixed: tuple[int | None, int | None] = (None, None)
    leads: bool = False


def give_tables(wants: Sequence[Want | None], hall: Hall) -> list[int | None]:
    """A table for each want, None where there is none left; a bye is no want (None) and takes none.

    Fixed seats come first, in the order of the round. Where both players have one, or it is not free, side a's is
    tried before side b's and then any; who sits elsewhere than they have to is for people to see.
    """
    given: list[int | None] = [None] * len(wants)
    taken: set[int] = set()
    for place, want in enumerate(wants):
        wished = () if want is None else want.fixed
        number = next((n for n in wished if n is not None and n not in taken and hall.has(n)), None)
        if number is not None:
            given[place] = number
            taken.add(number)
    for place, want in enumerate(wants):
        if want is not None and want.leads and given[place] is None:
            shown = sorted(n for n in hall.shown if n >= hall.first and n not in taken and hall.has(n))
            given[place] = shown[0] if shown else None
            taken.update(shown[:1])
    rest = (number for number in hall.in_order() if number not in taken)
    for place, want in enumerate(wants):
        if want is not None and given[place] is None:
            given[place] = next(rest, None)
    return given
