"""Text with separators, in the form spreadsheets of any country open without asking."""

from __future__ import annotations

import csv
import io
import re

from tournaments.exporters.base import Cell, Exporter, Sheet

# What a spreadsheet may take for a formula, in plain and in full-width signs. Text that has an apostrophe before such a
# sign gets another one, so that whoever reads the file can always take exactly one away.
_FORMULA = re.compile(r"'*[=+\-@\t\r\n＝＋－＠]")


class Csv(Exporter):
    """UTF-8 with its mark, without which Excel shows other letters, and semicolons; no `sep=` line, which undoes it."""

    key = "csv"
    media_type = "text/csv; charset=utf-8"

    def write(self, sheet: Sheet) -> bytes:
        file = io.StringIO(newline="")
        writer = csv.writer(file, delimiter=";")
        writer.writerow(_text(title) for title in sheet.columns)
        writer.writerows([_text(cell) for cell in row] for row in sheet.rows)
        return file.getvalue().encode("utf-8-sig")


def _text(cell: Cell) -> str:
    if cell is None:
        return ""
    if isinstance(cell, str) and _FORMULA.match(cell):
        return f"'{cell}"
    return str(cell)
