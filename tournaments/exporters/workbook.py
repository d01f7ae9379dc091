"""XLSX workbooks: one sheet with a bold header that stays in view, its text never a formula."""

from __future__ import annotations

import io
import re
from fractions import Fraction

from tournaments.exporters.base import Cell, Exporter, Sheet

_WIDEST = 60  # letters
_AS_TEXT = "@"  # a cell of this format takes what is typed into it as text too
# Workbooks spell characters out as "_x0041_". Text that looks like that by itself has its underscore spelled out.
_SPELLED = re.compile("_(?=x[0-9A-Fa-f]{4}_)")


class Workbook(Exporter):
    """A workbook of one sheet. Fractions, which workbooks would round, are text on the side of the numbers."""

    key = "xlsx"
    media_type = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"

    def write(self, sheet: Sheet) -> bytes:
        # 15 MB for as long as a process runs, and most never write a workbook.
        import openpyxl
        from openpyxl.cell import Cell as Place
        from openpyxl.cell import WriteOnlyCell
        from openpyxl.styles import Alignment, Font
        from openpyxl.utils import get_column_letter

        book = openpyxl.Workbook()
        book.properties.creator = "Cantina"
        page = book.worksheets[0]
        page.title = sheet.title
        page.freeze_panes = "A2"
        bold, right = Font(bold=True), Alignment(horizontal="right")

        def placed(cell: Cell) -> Place:
            place = WriteOnlyCell(page)
            if isinstance(cell, Fraction):
                cell = cell.numerator if cell.denominator == 1 else str(cell)
                place.alignment = right
            place.value = _SPELLED.sub("_x005F_", cell) if isinstance(cell, str) else cell
            if isinstance(cell, str):
                place.data_type = "s"  # whatever was made of it
                place.number_format = _AS_TEXT
            return place

        for row in (sheet.columns, *sheet.rows):
            page.append([placed(cell) for cell in row])
        for column, cells in enumerate(zip(sheet.columns, *sheet.rows, strict=True), start=1):
            page.cell(1, column).font = bold
            page.column_dimensions[get_column_letter(column)].width = 2 + min(_WIDEST, max(map(_width, cells)))
        file = io.BytesIO()
        book.save(file)
        return file.getvalue()


def _width(cell: Cell) -> int:
    return 0 if cell is None else len(str(cell))
