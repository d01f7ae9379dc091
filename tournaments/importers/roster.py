"""A list of players: which column is what, and what is wrong with which row."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from players.engine.names import clean_name, fold_name
from tournaments.actions.roster import check_facts
from tournaments.importers.base import (
    BYTES_LIMIT,
    SHOWN,
    ImportedRow,
    ImportProblem,
    Reading,
    Source,
    Table,
    UnreadableError,
)
from tournaments.importers.table import read_table
from tournaments.importers.workbook import OLD_OFFICE, ZIP, read_workbook

# What people call the columns, in English and Russian. Of two columns for the same thing the word that comes first here
# wins: a nickname goes before a name.
HEADERS: dict[str, tuple[str, ...]] = {
    "name": (
        *("nickname", "nick", "handle", "ник", "никнейм", "псевдоним", "прозвище"),
        *("name", "full name", "player", "player name", "participant", "имя", "фио", "игрок", "имя игрока", "участник"),
    ),
    "email": (
        *("email", "e-mail", "mail", "email address", "e-mail address"),
        *("почта", "эл. почта", "электронная почта", "адрес электронной почты", "имейл", "емейл"),
    ),
    "city": ("city", "town", "город", "населённый пункт"),
    "club": ("club", "team", "клуб", "команда"),
    "rating": ("rating", "elo", "рейтинг"),
}
_MEANING = {fold_name(word): (what, place) for what, words in HEADERS.items() for place, word in enumerate(words)}


def read_roster(filename: str, data: bytes, *, encoding: str = "") -> Reading:
    """Read a list of players from a text file with separators or an XLSX workbook, whatever its name says.

    `encoding`, one of ENCODINGS, settles a text file whose encoding is unclear. Problems of the whole file have line 0
    and leave no rows: too_large (megabytes), empty, encoding_unclear, not_a_table, old_workbook, workbook_broken,
    quotes_broken (at its line), too_many_rows, too_many_columns (limit), no_name_column (columns), no_rows. Problems of
    a row: those of `check_facts`, address_twice (value, first) and too_many_cells (cells, columns).
    """
    try:
        table = _choose(_tables(filename, data, encoding))
        return _read(table)
    except UnreadableError as refused:
        return Reading(problems=(refused.problem,))


def read_rows(rows: Iterable[Mapping[str, str]]) -> Reading:
    """Read players told one by one, each by name, email, city, club and rating ("" when unknown).

    The place in the list, from 1, is the line. Problems: those of a row in `read_roster`, and no_rows.
    """
    cells = [(line, tuple(row[what] for what in HEADERS)) for line, row in enumerate(rows, start=1)]
    return _read(Table(rows=((0, tuple(HEADERS)), *cells)))


def _tables(filename: str, data: bytes, encoding: str) -> list[Table]:
    if len(data) > BYTES_LIMIT:
        raise UnreadableError("too_large", megabytes=BYTES_LIMIT // 1_000_000)
    if data.startswith(ZIP):
        return read_workbook(data=data)
    if data.startswith(OLD_OFFICE):
        raise UnreadableError("old_workbook")
    if data.startswith(b"%PDF"):
        raise UnreadableError("not_a_table")
    if data and filename.lower().endswith(".xlsx"):
        raise UnreadableError("workbook_broken")
    return [read_table(data=data, encoding=encoding, known_headers=lambda cells: len(_columns(cells)))]


def _choose(tables: Sequence[Table]) -> Table:
    """The sheet with a list on it, else the first, whose header is then complained about."""
    return next((table for table in tables if "name" in _columns(table.rows[0][1])), tables[0])


def _columns(header: Sequence[str]) -> dict[str, int]:
    """What the header names, and where."""
    best: dict[str, tuple[int, int]] = {}
    for index, cell in enumerate(header):
        what, place = _MEANING.get(fold_name(cell).strip(" :*"), ("", 0))
        if what and (what not in best or place < best[what][0]):
            best[what] = (place, index)
    return {what: index for what, (_, index) in best.items()}


def _read(table: Table) -> Reading:
    header = [clean_name(cell)[:SHOWN] for cell in table.rows[0][1]]
    columns = _columns(table.rows[0][1])
    source = Source(
        encoding=table.encoding,
        separator=table.separator,
        sheet=table.sheet,
        columns={what: header[index] for what, index in columns.items()},
        ignored=tuple(cell for index, cell in enumerate(header) if cell and index not in columns.values()),
    )
    if "name" not in columns:
        return Reading(problems=(ImportProblem(0, "no_name_column", {"columns": header[:20]}),), source=source)
    if len(table.rows) == 1:
        return Reading(problems=(ImportProblem(0, "no_rows"),), source=source)
    rows: list[ImportedRow] = []
    problems: list[ImportProblem] = []
    first_at: dict[str, int] = {}
    for line, cells in table.rows[1:]:
        row, wrong = _row(line, cells, columns, len(header))
        if row.email and not any(problem.code == "email_invalid" for problem in wrong):
            first = first_at.setdefault(row.email, line)
            if first != line:
                wrong.append(ImportProblem(line, "address_twice", {"value": row.email[:SHOWN], "first": first}))
        problems += wrong
        if not wrong:
            rows.append(row)
    return Reading(tuple(rows), tuple(problems), source)


def _row(
    line: int, cells: Sequence[str], columns: dict[str, int], width: int
) -> tuple[ImportedRow, list[ImportProblem]]:
    said = {what: cells[index] if index < len(cells) else "" for what, index in columns.items()}
    facts, refusals = check_facts(**said)
    wrong = list(_surplus(line, cells, width))
    wrong += [ImportProblem(line, refusal.code, refusal.params) for refusal in refusals]
    return ImportedRow(line, facts.name, facts.email, facts.city, facts.club, facts.rating), wrong


def _surplus(line: int, cells: Sequence[str], width: int) -> Iterator[ImportProblem]:
    """More cells than the header has: a separator stands unquoted in one of them, and everything after it has moved."""
    if any(cell.strip() for cell in cells[width:]):
        yield ImportProblem(line, "too_many_cells", {"cells": len(cells), "columns": width})
