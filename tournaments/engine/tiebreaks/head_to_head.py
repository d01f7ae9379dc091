"""Head-to-head: the league of those still tied, by the results among themselves, as in FIDE C.07, article 6.

When all of them have met, they are ordered by their points and then the set difference of these meetings; those who
are level in both are compared again by their own meetings alone, for as long as that separates anybody.

When some have not met (6.3), whoever would be first however the missing meetings ended is first, the others are
compared again without that one, and the rest stay tied: set difference says nothing between unequal numbers of matches.

Only meetings at the table count (6.1.1), except in a round robin, where a walkover is a result like any other (15.2).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from tournaments.engine.notes import Note
from tournaments.engine.snapshot import Pairing, Snapshot
from tournaments.engine.tiebreaks.base import Compared, Tiebreak, Value


class HeadToHead(Tiebreak):
    """An order within the tied: the value is how many of them are placed below."""

    key = "head_to_head"
    among_tied = True

    def values(self, snapshot: Snapshot, tied: Sequence[int]) -> dict[int, Value]:
        found: dict[int, Value] = {}
        below = len(tied)
        for group in _ordered(snapshot, tied):
            below -= len(group)
            found |= dict.fromkeys(group, below)
        return found

    def reason(self, snapshot: Snapshot, compared: Compared) -> Note:
        """By the one match of two who were tied, or by the league of all who were."""
        met = _meetings(snapshot, compared.entry, compared.neighbour)
        if compared.tied == 2 and len(met) == 1:
            code = "head_to_head_lost" if compared.behind else "head_to_head_won"
            return Note.of(code, entry=compared.neighbour, sets="{}:{}".format(*met[0].sets_of(compared.entry)))
        return Note.of("mini_league_behind" if compared.behind else "mini_league_ahead", entry=compared.neighbour)


def _meetings(snapshot: Snapshot, one: int, other: int) -> tuple[Pairing, ...]:
    """The meetings of two entries that count here, by round."""
    return tuple(p for p in snapshot.games[one] if p.opponent(one) == other and _counts(snapshot, p))


def _counts(snapshot: Snapshot, pairing: Pairing) -> bool:
    return pairing.was_played or (snapshot.all_play_all and not pairing.is_open)


@dataclass(frozen=True, slots=True)
class _Line:
    """An entry in the league of a group: what it has, and how many meetings it has yet to play there."""

    entry: int
    points: int
    difference: int
    missing: int


def _ordered(snapshot: Snapshot, tied: Sequence[int]) -> list[list[int]]:
    """The tied in groups, best first."""
    found: list[list[int]] = []
    rest = list(tied)
    while len(rest) > 1:
        league = _league(snapshot, rest)
        if not any(line.missing for line in league):
            return found + _split(snapshot, league)
        first = _certain_first(snapshot, league)
        if first is None:
            break
        found.append([first])
        rest.remove(first)
    return [*found, rest]


def _split(snapshot: Snapshot, league: list[_Line]) -> list[list[int]]:
    def result(line: _Line) -> tuple[int, int]:
        return (line.points, line.difference)

    groups = [
        [line.entry for line in lines] for _, lines in groupby(sorted(league, key=result, reverse=True), key=result)
    ]
    if len(groups) == 1:
        return groups
    return [part for group in groups for part in _ordered(snapshot, group)]


def _certain_first(snapshot: Snapshot, league: list[_Line]) -> int | None:
    """The entry that has more than any other can reach, if it earns no more than losses from what is missing."""
    ceiling = {line.entry: line.points + line.missing * snapshot.points.win for line in league}
    one, two = sorted(ceiling.values(), reverse=True)[:2]
    for line in league:
        others = two if ceiling[line.entry] == one else one
        if line.points + line.missing * snapshot.points.loss > others:
            return line.entry
    return None


def _league(snapshot: Snapshot, group: Sequence[int]) -> list[_Line]:
    members = frozenset(group)
    return [_line(snapshot, members, entry) for entry in group]


def _line(snapshot: Snapshot, members: frozenset[int], entry: int) -> _Line:
    points = difference = 0
    met: set[int] = set()
    still_open: Counter[int] = Counter()
    for pairing in snapshot.games[entry]:
        opponent = pairing.opponent(entry)
        if opponent is None or opponent not in members:
            continue
        if pairing.is_open:
            still_open[opponent] += 1
        elif _counts(snapshot, pairing):
            met.add(opponent)
            points += snapshot.points.earned(pairing, entry)
            won, lost = pairing.sets_of(entry)
            difference += won - lost
    unmet = members - met - still_open.keys() - {entry}
    return _Line(entry, points, difference, missing=len(unmet) + still_open.total())
