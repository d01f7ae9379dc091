"""What the columns of a list are: found by their titles, in whatever file the list comes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from players.engine.names import clean_name, fold_name
from tournaments.importers.base import BYTES_LIMIT, SHOWN, ImportProblem, Source, Table, UnreadableError
from tournaments.importers.table import read_table
from tournaments.importers.workbook import OLD_OFFICE, ZIP, read_workbook

Headers = Mapping[str, tuple[str, ...]]
"""What people call each column. Of two columns for the same thing the word that comes first here wins."""


def tables_of(filename: str, data: bytes, *, encoding: str, headers: Headers) -> list[Table]:
    """The tables in a text file with separators or an XLSX workbook, whatever its name says.

    Raises UnreadableError: those of `read_table` and `read_workbook`, too_large (megabytes), old_workbook, not_a_table.
    """
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
    return [read_table(data=data, encoding=encoding, known_headers=lambda cells: len(columns_of(cells, headers)))]


def columns_of(header: Sequence[str], headers: Headers) -> dict[str, int]:
    """What the header names, and where."""
    meaning = {fold_name(word): (what, place) for what, words in headers.items() for place, word in enumerate(words)}
    best: dict[str, tuple[int, int]] = {}
    for index, cell in enumerate(header):
        what, place = meaning.get(fold_name(cell).strip(" :*"), ("", 0))
        if what and (what not in best or place < best[what][0]):
            best[what] = (place, index)
    return {what: index for what, (_, index) in best.items()}


def titles_of(table: Table) -> list[str]:
    """The titles of a table's columns, as they are said back."""
    return [clean_name(cell)[:SHOWN] for cell in table.rows[0][1]]


def source_of(table: Table, columns: Mapping[str, int]) -> Source:
    """What the file turned out to be."""
    titles = titles_of(table)
    return Source(
        encoding=table.encoding,
        separator=table.separator,
        sheet=table.sheet,
        columns={what: titles[index] for what, index in columns.items()},
        ignored=tuple(title for index, title in enumerate(titles) if title and index not in columns.values()),
    )


def said_in(cells: Sequence[str], columns: Mapping[str, int]) -> dict[str, str]:
    """The cells of a row by what they hold; "" where the row is shorter than the header."""
    return {what: cells[index] if index < len(cells) else "" for what, index in columns.items()}


def surplus(line: int, cells: Sequence[str], width: int) -> Iterator[ImportProblem]:
    """More cells than the header has: a separator stands unquoted in one of them, and everything after it has moved."""
    if any(cell.strip() for cell in cells[width:]):
        yield ImportProblem(line, "too_many_cells", {"cells": len(cells), "columns": width})
