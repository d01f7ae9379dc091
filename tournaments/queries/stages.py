"""Where a stage stands: its version, its standings, its pairings, its bracket."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction
from typing import Any

from django.db.models import Count, Prefetch, Q, QuerySet

from tournaments.engine.formats import get_format
from tournaments.engine.formats.base import BracketSide as Part
from tournaments.engine.formats.base import Feed, Note, Slot
from tournaments.models import Entry, Pairing, Round, Stage, Standing
from tournaments.queries.rounds import PairingRow, RoundRow
from tournaments.queries.snapshots import take_snapshot
from tournaments.words.reasons import read_exact


def stage_version(stage: Stage) -> str:
    """What pages of this stage carry as their version: it changes whenever anything they show has changed.

    "7.0" is version 7 with nothing waiting; "7.2" has two changes that are not worked in yet.
    """
    return f"{stage.version}.{stage.changes.filter(read_at__isnull=True).count()}"


@dataclass(frozen=True, slots=True)
class StandingRow:
    """One row of the standings for people: values are (tie-break key, exact value), reason is [code, params].

    `group`, `place` and `prospect` are as the model has them.
    """

    rank: int
    shared: bool
    entry: Entry
    points: int
    wins: int
    ties: int
    losses: int
    byes: int
    sets_won: int
    sets_lost: int
    values: tuple[tuple[str, Fraction], ...]
    reason: tuple[str, dict[str, Any]]
    group: int | None = None
    place: int | None = None
    prospect: str = ""


@dataclass(frozen=True, slots=True)
class StandingsTable:
    """The stored ranking of a stage and what it includes."""

    rows: tuple[StandingRow, ...]
    tiebreaks: tuple[str, ...]
    counted_round: int
    counted_open: int
    behind: int  # changes that are not worked in yet
    refreshed_at: datetime | None
    names: dict[int, Entry]  # every entry a reason may speak of


def standings_table(*, stage: Stage) -> StandingsTable:
    """The standings as they were last worked out. Two queries, nothing computed.

    What they include is read in one moment and before the rows, which can then only be newer: rows that nothing is said
    to be missing from miss nothing.
    """
    unread = Count("changes", filter=Q(changes__read_at__isnull=True))
    counted = Stage.objects.annotate(unread=unread).get(pk=stage.pk)
    stored = list(Standing.objects.filter(stage=stage).select_related("entry").order_by("order"))
    ranks = Counter(row.rank for row in stored)
    return StandingsTable(
        rows=tuple(
            StandingRow(
                rank=row.rank,
                shared=ranks[row.rank] > 1,
                entry=row.entry,
                points=row.points,
                wins=row.wins,
                ties=row.ties,
                losses=row.losses,
                byes=row.byes,
                sets_won=row.sets_won,
                sets_lost=row.sets_lost,
                values=tuple((key, read_exact(value)) for key, value in row.values),
                reason=(row.reason[0], row.reason[1]),
                group=row.group,
                place=row.place,
                prospect=row.prospect,
            )
            for row in stored
        ),
        tiebreaks=tuple(stage.tiebreaks),
        counted_round=counted.counted_round,
        counted_open=counted.counted_open,
        behind=counted.unread,
        refreshed_at=counted.refreshed_at,
        names={row.entry_id: row.entry for row in stored},
    )


def rounds_of(*, stage: Stage, drafts: bool = False) -> list[Round]:
    """Published rounds in order, each with its clock, pairings, entries, matches; drafts only where they may be seen.

    An entry is one object in all its pairings: three queries, and half as much to build as a join would be.
    """
    rounds: QuerySet[Round] = stage.rounds.select_related("clock").order_by("number")
    if not drafts:
        rounds = rounds.filter(published_at__isnull=False)
    pairings = Pairing.objects.select_related("match").order_by("number")
    found = list(rounds.prefetch_related(Prefetch("pairings", queryset=pairings)))
    entries = {entry.pk: entry for entry in Entry.objects.filter(tournament_id=stage.tournament_id)} if found else {}
    side_a, side_b = Pairing.a.field, Pairing.b.field
    for round_ in found:
        for pairing in round_.pairings.all():
            side_a.set_cached_value(pairing, entries[pairing.a_id])
            side_b.set_cached_value(pairing, entries[pairing.b_id] if pairing.b_id else None)
    return found


def round_names(*, stage: Stage, numbers: Iterable[int]) -> dict[int, Note]:
    """The name of each round as a note, from the distance to the final where the format has one."""
    chosen, snapshot = get_format(stage.format), take_snapshot(stage=stage)
    return {number: chosen.name_of(snapshot, number) for number in numbers}


@dataclass(frozen=True, slots=True)
class SeatRow:
    """Where one player sits in a round. `table` None is a bye."""

    entry: Entry
    opponent: Entry | None
    table: int | None
    pairing: PairingRow


def seats_by_name(*, round_: RoundRow) -> list[SeatRow]:
    """Every player of a round with table and opponent, by name in any script."""
    rows = []
    for pairing in round_.pairings:
        rows.append(SeatRow(pairing.a, pairing.b, pairing.table, pairing))
        if pairing.b is not None:
            rows.append(SeatRow(pairing.b, pairing.a, pairing.table, pairing))
    return sorted(rows, key=lambda row: (row.entry.display_name.casefold(), row.entry.pk))


@dataclass(frozen=True, slots=True)
class BracketSide:
    """One side of a bracket match: a player, nobody for good (`void`), or not known yet.

    `bye`: the player came here past a match nobody was there for on the other side.
    """

    entry: Entry | None
    void: bool
    bye: bool
    sets: int | None
    won: bool


@dataclass(frozen=True, slots=True)
class BracketCell:
    """One match of the bracket for people. `pairing` is the stored row where there is one.

    `feeds` are the matches that fill side a and side b; None for a side filled by the seeding.
    """

    number: int
    a: BracketSide
    b: BracketSide
    pairing: Pairing | None
    feeds: tuple[Feed | None, Feed | None]


@dataclass(frozen=True, slots=True)
class BracketColumn:
    """A round of the bracket with its name as a note, and the part it belongs to where there are two trees."""

    number: int
    name: Note
    cells: tuple[BracketCell, ...]
    part: Part


def bracket_columns(*, stage: Stage) -> tuple[BracketColumn, ...]:
    """The bracket, decided or not; () where the format has none or nothing is published yet."""
    chosen, snapshot = get_format(stage.format), take_snapshot(stage=stage)
    if not chosen.has_bracket or not snapshot.pairings:
        return ()
    entries = {entry.pk: entry for entry in Entry.objects.filter(tournament_id=stage.tournament_id, seed__isnull=False)}
    stored = {
        (pairing.round.number, pairing.number): pairing
        for pairing in Pairing.objects.filter(round__stage=stage, round__published_at__isnull=False).select_related(
            "round", "match"
        )
    }

    columns = chosen.bracket(snapshot)
    without_match = {(m.round, m.number) for c in columns for m in c.matches if m.a.void or m.b.void}

    def side(slot: Slot, feed: Feed | None, winner: int | None, pairing: Pairing | None) -> BracketSide:
        entry = slot.entry
        bye = entry is not None and feed is not None and not feed.loser and feed.place in without_match
        sets = None
        if pairing is not None and pairing.match is not None and pairing.match.kind and entry is not None:
            sets = pairing.match.sets_a if entry == pairing.a_id else pairing.match.sets_b
        won = entry is not None and entry == winner
        return BracketSide(entries.get(entry) if entry else None, slot.void, bye, sets, won)

    return tuple(
        BracketColumn(
            number=column.number,
            name=column.name,
            cells=tuple(
                BracketCell(
                    number=match.number,
                    a=side(match.a, match.from_a, match.winner, stored.get((match.round, match.number))),
                    b=side(match.b, match.from_b, match.winner, stored.get((match.round, match.number))),
                    pairing=stored.get((match.round, match.number)),
                    feeds=(match.from_a, match.from_b),
                )
                for match in column.matches
            ),
            part=column.side,
        )
        for column in columns
    )
