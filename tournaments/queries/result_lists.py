"""Which match each row of a list of results is of: by its number, its table or its players, and never by a guess."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from players.engine.names import fold_name
from tournaments.models import Entry, Pairing, Tournament
from tournaments.queries.stages import round_names
from tournaments.words.reasons import round_name

_NUMBER = re.compile(r"\d{1,18}")


@dataclass(frozen=True, slots=True)
class ResultRow:
    """One result of a list as it is written there; "" for what the row does not say. `line` is where it begins."""

    line: int
    match: str = ""
    round: str = ""
    table: str = ""
    first: str = ""
    second: str = ""
    score: str = ""


@dataclass(frozen=True, slots=True)
class RowOfMatch:
    """A row and its match. `turned` where the row names the match's second side first, so that its score is turned."""

    row: ResultRow
    pairing: Pairing
    turned: bool


@dataclass(frozen=True, slots=True)
class RowProblem:
    """Why a row cannot be taken: no_match_said, no_match_of_number (value), no_such_meeting,
    ambiguous_match (count), result_twice (first).
    """

    line: int
    code: str
    params: dict[str, Any] = field(default_factory=dict)


def matches_of(
    *, tournament: Tournament, rows: Sequence[ResultRow], round_id: int | None = None
) -> tuple[list[RowOfMatch], list[RowProblem]]:
    """The match of each row among those that are published, in one round where one is named.

    A match number decides; a table and names narrow down. Where more than one match is left the row is a problem,
    also when only one of them is open: it may be the other's result once more.
    """
    pairings = _published(tournament, round_id)
    names = _names_of_rounds(pairings)
    found: list[RowOfMatch] = []
    problems: list[RowProblem] = []
    seen: dict[int, int] = {}
    for row in rows:
        one = _match_of(row, pairings, names)
        if isinstance(one, RowProblem):
            problems.append(one)
            continue
        first = seen.setdefault(one.pairing.pk, row.line)
        if first != row.line:
            problems.append(RowProblem(row.line, "result_twice", {"first": first}))
        else:
            found.append(one)
    return found, problems


def _published(tournament: Tournament, round_id: int | None) -> list[Pairing]:
    found = Pairing.objects.filter(
        round__stage__tournament=tournament,
        round__published_at__isnull=False,
        match__isnull=False,
        match__is_void=False,
    ).select_related("a", "b", "match", "round__stage__tournament")
    if round_id is not None:
        found = found.filter(round=round_id)
    return list(found.order_by("round__stage__number", "round__number", "number"))


def _names_of_rounds(pairings: Sequence[Pairing]) -> Mapping[int, set[str]]:
    """What each round may be called, by id: its name in the reader's language, or its number."""
    called: dict[int, set[str]] = {}
    for stage in {pairing.round.stage for pairing in pairings}:
        rounds = {pairing.round for pairing in pairings if pairing.round.stage_id == stage.pk}
        names = round_names(stage=stage, numbers=[each.number for each in rounds])
        called |= {each.pk: {fold_name(round_name(names[each.number])), str(each.number)} for each in rounds}
    return called


def _match_of(row: ResultRow, pairings: Sequence[Pairing], names: Mapping[int, set[str]]) -> RowOfMatch | RowProblem:
    if not (row.match or row.table or (row.first and row.second)):
        return RowProblem(row.line, "no_match_said")
    left = list(pairings)
    if row.match:
        left = [pairing for pairing in left if _is_number(row.match, pairing.match_id)]
        if not left:
            return RowProblem(row.line, "no_match_of_number", {"value": row.match[:60]})
    if row.round:
        left = [pairing for pairing in left if fold_name(row.round) in names[pairing.round_id]]
    if row.table:
        left = [pairing for pairing in left if _is_number(row.table, pairing.table)]
    fitting = [(pairing, turned) for pairing in left for turned in (False, True) if _fits(row, pairing, turned=turned)]
    if not row.first and not row.second:
        fitting = [(pairing, turned) for pairing, turned in fitting if not turned]
    if not fitting:
        return RowProblem(row.line, "no_such_meeting")
    if len(fitting) > 1:
        return RowProblem(row.line, "ambiguous_match", {"count": len({pairing.pk for pairing, _ in fitting})})
    pairing, turned = fitting[0]
    return RowOfMatch(row, pairing, turned)


def _is_number(said: str, number: int | None) -> bool:
    return _NUMBER.fullmatch(said.strip()) is not None and int(said) == number


def _fits(row: ResultRow, pairing: Pairing, *, turned: bool) -> bool:
    """Whether the sides may be those the row names, in its order or the other way round."""
    first, second = (pairing.b, pairing.a) if turned else (pairing.a, pairing.b)
    return _is_called(row.first, first) and _is_called(row.second, second)


def _is_called(said: str, entry: Entry | None) -> bool:
    if not said or entry is None:
        return not said
    return fold_name(said) in {fold_name(name) for name in (entry.name, entry.staff_name, entry.display_name)}
