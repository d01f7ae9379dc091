"""The ranking of a stage: rank, numbers, and for each rank the reason why."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from tournaments.engine.formats import get_format
from tournaments.engine.notes import Note
from tournaments.engine.snapshot import Entry, EntryStatus, Record, Snapshot
from tournaments.engine.tiebreaks import get_tiebreak
from tournaments.engine.tiebreaks.base import Compared, Tiebreak, Value
from tournaments.engine.tiebreaks.last_resorts import Lot, PlayOff

__all__ = ["REASONS", "Record", "Row", "rank", "shared_places"]

REASONS = (
    "alone_on_points",  # points
    "ahead_by",  # entry just below, level up to `key`; mine, theirs: values as text, "27" or "5/7"
    "behind_by",  # entry just above, else as ahead_by
    "head_to_head_won",  # entry just below, sets of the one meeting, own first: "3:2"
    "head_to_head_lost",  # entry just above, sets, own first
    "mini_league_ahead",  # entry just below: ahead by the results of all who were tied
    "mini_league_behind",  # entry just above
    "play_off_won",  # entry just below: beaten in an extra match
    "play_off_lost",  # entry just above
    "lot_ahead",  # entry just below
    "lot_behind",  # entry just above
    "shared",  # entries: up to three of the others by order; count: of all others
    "level_nothing_played",  # shares a place because none of them has a result yet
    "place_final_won",  # entry: the other finalist; sets, own first
    "place_final_lost",  # entry, sets
    "place_third_won",  # entry, sets
    "place_third_lost",  # entry, sets
    "place_losers_final_won",  # entry, sets: second, where the losers' bracket ends with its own final
    "place_losers_final_lost",  # entry, sets
    "place_unopposed",  # round: code of a last match's name; nobody was left to meet
    "place_out_in",  # round: code of its name; n if that has one
    "still_in",  # best: the best place still possible
    "not_in_bracket",  # came after the bracket was drawn
    "in_group",  # group, from 1; place in it; why: the reason there, a note
    "in_no_group",  # came after the groups were drawn
    "annulled",  # left before half of the matches were played: after everybody else
    "disqualified",  # after everybody else
)
"""Every code `Row.reason` can have, with its parameters. Each needs words in the languages of the pages."""

_SHARERS_NAMED = 3


@dataclass(frozen=True, slots=True)
class Row:
    """One row of the standings. Equal `rank` is a shared place (1-1-1-4). `order` is unique, from 1.

    `values` are (tie-break key, exact value) in the order of the chain; where a format decides the places there are
    none. `reason` is one of REASONS: why this rank and not the neighbour's. `group` is the group it played in, from 1,
    and `place` its place there, 0 where there is none.
    """

    entry: int
    rank: int
    order: int
    record: Record
    values: tuple[tuple[str, Value], ...]
    reason: Note
    group: int = 0
    place: int = 0


def rank(snapshot: Snapshot, format_key: str, tiebreaks: tuple[str, ...]) -> tuple[Row, ...]:
    """All entries of the stage, best first.

    Points come first, then each of `tiebreaks` among those still level, then extra matches they played for it (before
    the lot, if that is the last of the chain); or the places of the format, where it decides them: then those still in
    come first, with the best place they can reach. Extra matches also settle places a format lets be shared. Within a
    shared place rows are in order of seeds. Those whom a policy annuls and those disqualified share the place after
    everybody else. Raises KeyError for keys nobody has.
    """
    stage_format = get_format(format_key)
    counted = stage_format.counted(snapshot)
    ranked = [entry for entry in counted.by_seed if entry.status is not EntryStatus.DISQUALIFIED]
    chain = [get_tiebreak(key) for key in tiebreaks]
    places = stage_format.places(counted)
    groups = stage_format.groups(snapshot)
    if places is not None:
        rows = _played_off(counted, _by_place(counted, ranked, places, stage_format.place_reasons(counted)))
    elif groups:
        rows = _played_off(counted, _by_groups(counted, ranked, groups, chain))
    else:
        rows = _by_tiebreaks(counted, ranked, chain)
    last = max([len(ranked), *(row.rank for row in rows)]) + 1
    listed = {row.entry for row in rows}
    group_of = {entry: number for number, members in enumerate(groups, start=1) for entry in members}
    for entry in snapshot.by_seed:
        if entry.id not in listed:
            code = "disqualified" if entry.status is EntryStatus.DISQUALIFIED else "annulled"
            record, group = snapshot.records[entry.id], group_of.get(entry.id, 0)
            rows.append(Row(entry.id, last, len(rows) + 1, record, (), Note.of(code), group))
    return tuple(rows)


def shared_places(
    snapshot: Snapshot, format_key: str, tiebreaks: tuple[str, ...]
) -> tuple[tuple[int, tuple[int, ...]], ...]:
    """Places shared as long as no lot is drawn, the best first, each with its entries: extra matches can settle them.

    Only those who are still there; whoever has no place at all shares none.
    """
    found: dict[int, list[int]] = {}
    for row in rank(snapshot, format_key, tuple(key for key in tiebreaks if key != Lot.key)):
        is_there = snapshot.by_id[row.entry].status is EntryStatus.ACTIVE
        if is_there and row.reason.code not in _PLACELESS:
            found.setdefault(row.rank, []).append(row.entry)
    return tuple((place, tuple(entries)) for place, entries in found.items() if len(entries) > 1)


_PLACELESS = ("still_in", "not_in_bracket", "in_no_group", "annulled", "disqualified")


def _played_off(snapshot: Snapshot, rows: list[Row]) -> list[Row]:
    """The rows with shared places parted by extra matches, where there were any."""
    found: list[Row] = []
    for group in _shared_rows(rows):
        tied = [row.entry for row in group]
        values = PlayOff().values(snapshot, tied) if group[0].reason.code not in _PLACELESS else dict.fromkeys(tied, 0)
        parts = _split([tied], values)
        by_entry = {row.entry: row for row in group}
        first = group[0].rank
        for place, part in enumerate(parts):
            for entry in part:
                row = by_entry[entry]
                if len(part) == 1 and len(parts) > 1:
                    neighbour = parts[place - 1][-1] if place else parts[1][0]
                    compared = Compared(entry, neighbour, place > 0, len(group), values)
                    row = replace(row, reason=PlayOff().reason(snapshot, compared))
                mates = sum(by_entry[other].group == row.group for earlier in parts[:place] for other in earlier)
                found.append(replace(row, rank=first, order=len(found) + 1, place=row.place and row.place + mates))
            first += len(part)
    return found


def _shared_rows(rows: Iterable[Row]) -> list[list[Row]]:
    """Rows of one rank together; they come in order of ranks."""
    found: dict[int, list[Row]] = {}
    for row in rows:
        found.setdefault(row.rank, []).append(row)
    return list(found.values())


def _by_groups(
    snapshot: Snapshot, ranked: Sequence[Entry], groups: Sequence[Sequence[int]], chain: Sequence[Tiebreak]
) -> list[Row]:
    """All winners of groups, then all seconds …; among those by points a match, then by the share of sets won."""
    found: list[tuple[tuple[int, Value, Value], Row]] = []
    for name, members in enumerate(groups, start=1):
        group = replace(
            snapshot,
            entries=tuple(entry for entry in snapshot.entries if entry.id in members),
            pairings=tuple(pairing for pairing in snapshot.pairings if pairing.a in members),
        )
        for row in _by_tiebreaks(group, [entry for entry in ranked if entry.id in members], chain):
            record = row.record
            matches = record.wins + record.ties + record.losses
            sets = Fraction(record.sets_won, max(1, record.sets_won + record.sets_lost))
            reason = Note.of("in_group", group=name, place=row.rank, why=row.reason)
            key = (row.rank, -Fraction(record.points, max(1, matches)), -sets)
            found.append((key, replace(row, reason=reason, group=name, place=row.rank)))
    found.sort(key=lambda each: each[0])  # stable: those level stay in order of groups
    keys = [key for key, _ in found]
    rows = [replace(row, rank=1 + keys.index(key), order=order) for order, (key, row) in enumerate(found, start=1)]
    late = [entry for entry in ranked if not any(entry.id in members for members in groups)]
    for entry in late:
        record = snapshot.records[entry.id]
        values = tuple((tiebreak.key, 0) for tiebreak in chain)
        rows.append(Row(entry.id, len(found) + 1, len(rows) + 1, record, values, Note.of("in_no_group")))
    return rows


def _by_place(
    snapshot: Snapshot, ranked: Sequence[Entry], places: Mapping[int, int], reasons: Mapping[int, Note]
) -> list[Row]:
    found: list[tuple[int, bool, int, Note]] = []
    for entry in ranked:
        reason = reasons.get(entry.id, Note.of("not_in_bracket"))
        place = places.get(entry.id)
        best = dict(reason.params)["best"] if reason.code == "still_in" else len(reasons) + 1
        found.append((best if place is None else place, place is not None, entry.id, reason))
    found.sort(key=lambda row: row[:2])  # stable: those level stay in order of seeds
    return [
        Row(entry, place, order, snapshot.records[entry], (), reason)
        for order, (place, _, entry, reason) in enumerate(found, start=1)
    ]


@dataclass(frozen=True, slots=True)
class _Column:
    """A tie-break's values, and for each entry how many were still level with it before, itself included."""

    tiebreak: Tiebreak
    values: Mapping[int, Value]
    tied: Mapping[int, int]


def _by_tiebreaks(snapshot: Snapshot, ranked: Sequence[Entry], chain: Sequence[Tiebreak]) -> list[Row]:
    everybody = [entry.id for entry in ranked]
    points = {entry: snapshot.records[entry].points for entry in everybody}
    groups = _split([everybody], points)
    columns: list[_Column] = []
    for tiebreak in _with_play_offs(snapshot, chain):
        if tiebreak.among_tied:
            found = {entry: value for group in groups for entry, value in tiebreak.values(snapshot, group).items()}
        else:
            found = tiebreak.values(snapshot, everybody)
        columns.append(_Column(tiebreak, found, {entry: len(group) for group in groups for entry in group}))
        groups = _split(groups, found)
    rows: list[Row] = []
    for place, group in enumerate(groups):
        above = groups[place - 1][-1] if place else None
        below = groups[place + 1][0] if place + 1 < len(groups) else None
        first = len(rows) + 1
        for entry in group:
            if len(group) > 1:
                reason = _shared(snapshot, group, entry)
            else:
                reason = _alone(snapshot, columns, entry, above, below)
            values = tuple((c.tiebreak.key, c.values[entry]) for c in columns if c.tiebreak in chain)
            rows.append(Row(entry, first, len(rows) + 1, snapshot.records[entry], values, reason))
    return rows


def _with_play_offs(snapshot: Snapshot, chain: Sequence[Tiebreak]) -> list[Tiebreak]:
    if not snapshot.play_offs:
        return list(chain)
    place = next((place for place, tiebreak in enumerate(chain) if tiebreak.key == Lot.key), len(chain))
    return [*chain[:place], PlayOff(), *chain[place:]]


def _split(groups: Iterable[list[int]], values: Mapping[int, Value]) -> list[list[int]]:
    """Each group in groups of equal value, highest first; within one, the order is kept."""
    found: list[list[int]] = []
    for group in groups:
        by_value: dict[Value, list[int]] = {}
        for entry in group:
            by_value.setdefault(values[entry], []).append(entry)
        found += (by_value[value] for value in sorted(by_value, reverse=True))
    return found


def _shared(snapshot: Snapshot, group: Sequence[int], entry: int) -> Note:
    if all(pairing.is_open for member in group for pairing in snapshot.games[member]):
        return Note.of("level_nothing_played")
    others = [member for member in group if member != entry]
    return Note.of("shared", entries=tuple(others[:_SHARERS_NAMED]), count=len(others))


def _alone(
    snapshot: Snapshot,
    columns: Sequence[_Column],
    entry: int,
    above: int | None,
    below: int | None,
) -> Note:
    """Why somebody who shares with nobody is where they are: against the one above if level on points, else below."""
    points = snapshot.records[entry].points
    for neighbour, behind in ((above, True), (below, False)):
        if neighbour is None or snapshot.records[neighbour].points != points:
            continue
        column = next(c for c in columns if c.values[entry] != c.values[neighbour])
        compared = Compared(entry, neighbour, behind, column.tied[entry], column.values)
        return column.tiebreak.reason(snapshot, compared)
    return Note.of("alone_on_points", points=points)
