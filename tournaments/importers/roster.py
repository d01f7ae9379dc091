"""A list of players: which column is what, and what is wrong with which row."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from tournaments.actions.roster import check_facts
from tournaments.importers.base import SHOWN, ImportedRow, ImportProblem, Reading, Table, UnreadableError
from tournaments.importers.columns import columns_of, said_in, source_of, surplus, tables_of, titles_of

# What people call the columns, in English and Russian. A nickname goes before a name.
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


def read_roster(filename: str, data: bytes, *, encoding: str = "") -> Reading:
    """Read a list of players from a text file with separators or an XLSX workbook, whatever its name says.

    `encoding`, one of ENCODINGS, settles a text file whose encoding is unclear. Problems of the whole file have line 0
    and leave no rows: too_large (megabytes), empty, encoding_unclear, not_a_table, old_workbook, workbook_broken,
    quotes_broken (at its line), too_many_rows, too_many_columns (limit), no_name_column (columns), no_rows. Problems of
    a row: those of `check_facts`, address_twice (value, first) and too_many_cells (cells, columns).
    """
    try:
        table = _choose(tables_of(filename, data, encoding=encoding, headers=HEADERS))
        return _read(table)
    except UnreadableError as refused:
        return Reading(problems=(refused.problem,))


def read_rows(rows: Iterable[Mapping[str, str]]) -> Reading:
    """Read players told one by one, each by name, email, city, club and rating ("" when unknown).

    The place in the list, from 1, is the line. Problems: those of a row in `read_roster`, and no_rows.
    """
    cells = [(line, tuple(row[what] for what in HEADERS)) for line, row in enumerate(rows, start=1)]
    return _read(Table(rows=((0, tuple(HEADERS)), *cells)))


def _choose(tables: Sequence[Table]) -> Table:
    """The sheet with a list on it, else the first, whose header is then complained about."""
    return next((table for table in tables if "name" in columns_of(table.rows[0][1], HEADERS)), tables[0])


def _read(table: Table) -> Reading:
    header = titles_of(table)
    columns = columns_of(table.rows[0][1], HEADERS)
    source = source_of(table, columns)
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
    facts, refusals = check_facts(**said_in(cells, columns))
    wrong = list(surplus(line, cells, width))
    wrong += [ImportProblem(line, refusal.code, refusal.params) for refusal in refusals]
    return ImportedRow(line, facts.name, facts.email, facts.city, facts.club, facts.rating), wrong
