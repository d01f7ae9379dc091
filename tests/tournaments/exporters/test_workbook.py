"""Workbooks: what a spreadsheet finds in their cells."""

import io
from fractions import Fraction

import openpyxl
from openpyxl.worksheet.worksheet import Worksheet

from tournaments.exporters.base import Cell, Sheet
from tournaments.exporters.workbook import Workbook
from tournaments.importers.workbook import read_workbook


def written(*rows: tuple[Cell, ...], columns: tuple[str, ...] = ("Player", "Sets")) -> bytes:
    return Workbook().write(Sheet(title="Standings", columns=columns, rows=rows))


def opened(data: bytes) -> Worksheet:
    (page,) = openpyxl.load_workbook(io.BytesIO(data)).worksheets
    return page


def test_text_is_text_whatever_it_looks_like() -> None:
    """IE-04. The cells are of text also for whoever edits them."""
    sharp = ("=HYPERLINK(1)", "+7 900", "-2+3", "@SUM(A1)", "\t=1", "＝1+1", "#N/A", "007", "1/2", "TRUE", "'=1")
    page = opened(written(*((name, 1) for name in sharp)))
    cells = [cell for (cell,) in page.iter_rows(min_row=2, max_col=1)]
    assert [(cell.value, cell.data_type, cell.number_format) for cell in cells] == [(name, "s", "@") for name in sharp]


def test_numbers_are_numbers_and_fractions_exact() -> None:
    page = opened(written((-3, Fraction(-3), Fraction(7, 12), None, ""), columns=("a", "b", "c", "d", "e")))
    found = [(cell.value, cell.data_type, cell.alignment.horizontal) for cell in page[2][:4]]
    assert found == [(-3, "n", None), (-3, "n", "right"), ("7/12", "s", "right"), (None, "n", None)]
    assert page[2][4].value is None


def test_the_header_is_bold_and_stays_in_view() -> None:
    page = opened(written(("Anna-Marie", 1)))
    assert [[cell.font.b for cell in row] for row in page.iter_rows()] == [[True, True], [False, False]]
    assert (page.freeze_panes, page.title) == ("A2", "Standings")


def test_columns_are_as_wide_as_their_text_within_reason() -> None:
    page = opened(written(("Anna-Marie", 1), ("x" * 120, None)))
    assert [page.column_dimensions[letter].width for letter in "AB"] == [62, 6]


def test_text_that_spells_a_character_is_not_read_as_one() -> None:
    """Workbooks hold odd characters as "_x0041_", which Excel would show as "A"."""
    names = ("_x0041_", "xX_xFACE_Xx", "_x005F_x0041_", "_x00_", "a_x0041")
    data = written(*((name, 1) for name in names))
    assert opened(data)["A2"].value == "_x005F_x0041_"
    (table,) = read_workbook(data=data)
    assert [cells[0] for _line, cells in table.rows[1:]] == list(names)
