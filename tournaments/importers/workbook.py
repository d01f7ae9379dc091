"""XLSX workbooks: the cells of their sheets as text, within bounds that a hostile file cannot leave."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterator
from datetime import date, datetime
from itertools import islice
from typing import Protocol, cast

from tournaments.importers.base import COLUMNS_LIMIT, ROWS_LIMIT, Table, UnreadableError

_UNPACKED_LIMIT = 30_000_000  # bytes; 10,000 rows of names take about three million
_CELL_LIMIT = 10_000  # code points of a cell that are looked at
_PARTS_LIMIT = 500
_SHEETS_LIMIT = 20
_GAPS_LIMIT = 50_000  # rows looked at, empty ones too
# Workbooks spell characters out as "_x0041_", and the underscore of text that looks like that. The reader leaves it
# spelled out in cells that hold their text themselves.
_SPELLED = re.compile("_x005F_(?=x[0-9A-Fa-f]{4}_)")
ZIP = b"PK\x03\x04"
OLD_OFFICE = b"\xd0\xcf\x11\xe0"  # the container of .xls, and of workbooks with a password


class _Sheet(Protocol):
    """What we use of a sheet opened for reading only."""

    title: str

    def reset_dimensions(self) -> None: ...

    def iter_rows(self, *, max_col: int, values_only: bool) -> Iterator[tuple[object, ...]]: ...


def read_workbook(*, data: bytes) -> list[Table]:
    """The sheets that have any text, in order. Formulas come as the values the workbook holds for them.

    Raises UnreadableError: empty, workbook_broken, too_large (megabytes), too_many_rows (limit).
    """
    _check_size(data)
    import openpyxl  # 15 MB for as long as a process runs, and most never read a workbook

    try:
        workbook = openpyxl.load_workbook(io.BytesIO(data), read_only=True, data_only=True, keep_links=False)
        try:
            tables = [_table(cast("_Sheet", sheet)) for sheet in islice(workbook.worksheets, _SHEETS_LIMIT)]
        finally:
            workbook.close()
    except UnreadableError:
        raise
    except Exception:
        # The reader has no error of its own: a damaged file breaks it anywhere, in the archive, the XML or the cells.
        raise UnreadableError("workbook_broken") from None
    if not (tables := [table for table in tables if table.rows]):
        raise UnreadableError("empty")
    return tables


def _check_size(data: bytes) -> None:
    """Refuse an archive that says it unpacks to too much. It is held to what it says: reading stops there."""
    try:
        parts = zipfile.ZipFile(io.BytesIO(data)).infolist()
    except (zipfile.BadZipFile, ValueError, NotImplementedError):
        raise UnreadableError("workbook_broken") from None
    if len(parts) > _PARTS_LIMIT or sum(part.file_size for part in parts) > _UNPACKED_LIMIT:
        raise UnreadableError("too_large", megabytes=_UNPACKED_LIMIT // 1_000_000)


def _table(sheet: _Sheet) -> Table:
    rows: list[tuple[int, tuple[str, ...]]] = []
    for line, cells in _lines(sheet):
        if any(cell.strip() for cell in cells):
            rows.append((line, cells))
        if len(rows) > ROWS_LIMIT + 1 or line > _GAPS_LIMIT:
            raise UnreadableError("too_many_rows", limit=ROWS_LIMIT)
    return Table(rows=tuple(rows), sheet=sheet.title)


def _lines(sheet: _Sheet) -> Iterator[tuple[int, tuple[str, ...]]]:
    sheet.reset_dimensions()  # the size a sheet says it has may be anything; rows are as long as their cells
    for line, values in enumerate(sheet.iter_rows(max_col=COLUMNS_LIMIT, values_only=True), start=1):
        cells = [_text(value) for value in values]
        while cells and not cells[-1]:
            cells.pop()
        yield line, tuple(cells)


def _text(value: object) -> str:
    """A cell as one would have typed it."""
    match value:
        case None:
            return ""
        case float() if value.is_integer():
            return str(int(value))
        case datetime() if (value.hour, value.minute, value.second) == (0, 0, 0):
            return value.date().isoformat()
        case date():
            return value.isoformat()
        case _:
            return _SPELLED.sub("_", str(value)[:_CELL_LIMIT])
