"""A list of results: which column is what, and which rows say a result at all."""

from __future__ import annotations

from dataclasses import dataclass, field

from players.engine.names import clean_name
from tournaments.importers.base import ImportProblem, Source, Table, UnreadableError
from tournaments.importers.columns import columns_of, said_in, source_of, surplus, tables_of, titles_of
from tournaments.queries.result_lists import ResultRow

HEADERS: dict[str, tuple[str, ...]] = {
    "match": ("match id", "match", "match number", "id", "номер партии", "№ партии", "партия"),
    "round": ("round", "тур", "раунд"),
    "table": ("table", "table number", "стол", "номер стола"),
    "first": ("first player", "player 1", "player a", "side a", "первый игрок", "игрок 1", "игрок а"),
    "second": ("second player", "player 2", "player b", "side b", "второй игрок", "игрок 2", "игрок б"),
    "score": ("result", "score", "результат", "счёт"),
}
"""What people call the columns, in English and Russian: those of the exported pairings are among them."""


@dataclass(frozen=True, slots=True)
class ResultReading:
    """A list of results as it was read. `unplayed` rows say no result, or are a bye."""

    rows: tuple[ResultRow, ...] = ()
    problems: tuple[ImportProblem, ...] = ()
    unplayed: int = 0
    source: Source = field(default_factory=Source)


def read_results(filename: str, data: bytes, *, encoding: str = "") -> ResultReading:
    """Read a list of results from a text file with separators or an XLSX workbook.

    Problems of the whole file have line 0 and leave no rows: those of `read_roster`, no_score_column (columns),
    no_match_columns (columns). Problems of a row: too_many_cells (cells, columns).
    """
    try:
        tables = tables_of(filename, data, encoding=encoding, headers=HEADERS)
        table = next((each for each in tables if "score" in columns_of(each.rows[0][1], HEADERS)), tables[0])
        return _read(table)
    except UnreadableError as refused:
        return ResultReading(problems=(refused.problem,))


def _read(table: Table) -> ResultReading:
    columns, titles = columns_of(table.rows[0][1], HEADERS), titles_of(table)
    source = source_of(table, columns)
    if "score" not in columns:
        return _nothing("no_score_column", titles, source)
    if not ({"match", "table"} & columns.keys() or {"first", "second"} <= columns.keys()):
        return _nothing("no_match_columns", titles, source)
    rows: list[ResultRow] = []
    problems: list[ImportProblem] = []
    unplayed = 0
    for line, cells in table.rows[1:]:
        row = ResultRow(line, **{what: clean_name(said) for what, said in said_in(cells, columns).items()})
        wrong = list(surplus(line, cells, len(titles)))
        problems += wrong
        if _is_unplayed(row, columns):
            unplayed += 1
        elif not wrong:
            rows.append(row)
    return ResultReading(tuple(rows), tuple(problems), unplayed, source)


def _nothing(code: str, titles: list[str], source: Source) -> ResultReading:
    return ResultReading(problems=(ImportProblem(0, code, {"columns": ", ".join(titles[:20])}),), source=source)


def _is_unplayed(row: ResultRow, columns: dict[str, int]) -> bool:
    """No result yet, or somebody alone: in the exported pairings that is a bye."""
    return not row.score or ("second" in columns and not (row.second or row.table or row.match))
