"""Workbooks: cells as one would have typed them, and files that try to be more than a list."""

import io
import zipfile
from collections.abc import Sequence
from datetime import date, datetime

import openpyxl
import pytest

from tournaments.importers.base import ROWS_LIMIT, UnreadableError
from tournaments.importers.workbook import read_workbook


def workbook(*sheets: Sequence[Sequence[object]]) -> bytes:
    """A workbook with these sheets, as a spreadsheet would save it."""
    book = openpyxl.Workbook()
    book.remove(book.worksheets[0])
    for number, rows in enumerate(sheets, start=1):
        sheet = book.create_sheet(f"Sheet {number}")
        for row in rows:
            sheet.append(row)
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


def repacked(data: bytes, part: str, content: bytes) -> bytes:
    """The same archive with one part replaced."""
    file = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            new.writestr(name, content if name == part else old.read(name))
    return file.getvalue()


def refusal(data: bytes) -> str:
    with pytest.raises(UnreadableError) as caught:
        read_workbook(data=data)
    return caught.value.problem.code


def test_cells_come_as_one_would_have_typed_them() -> None:
    rows: list[list[object]] = [
        ["name", "rating"],
        ["Anna", 1500],
        [],
        [1337, 1500.0],
        ["Eve", 1500.5],
        [date(2027, 2, 1), None],
        [datetime(2027, 2, 1, 9, 30), True],  # noqa: DTZ001  workbooks know no zones
    ]
    assert [table.rows for table in read_workbook(data=workbook(rows))] == [
        (
            (1, ("name", "rating")),
            (2, ("Anna", "1500")),
            (4, ("1337", "1500")),
            (5, ("Eve", "1500.5")),
            (6, ("2027-02-01",)),
            (7, ("2027-02-01T09:30:00", "True")),
        )
    ]


def test_a_formula_is_what_it_came_to_and_text_that_looks_like_one_is_text() -> None:
    data = workbook([["name"], ["x"], ["y"]])
    sheet = (
        b'<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>'
        b'<row r="1"><c r="A1" t="inlineStr"><is><t>name</t></is></c></row>'
        b'<row r="2"><c r="A2" t="str"><f>"An"&amp;"na"</f><v>Anna</v></c></row>'
        b'<row r="3"><c r="A3" t="inlineStr"><is><t>=2+3</t></is></c></row>'
        b"</sheetData></worksheet>"
    )
    (table,) = read_workbook(data=repacked(data, "xl/worksheets/sheet1.xml", sheet))
    assert table.rows == ((1, ("name",)), (2, ("Anna",)), (3, ("=2+3",)))


def test_sheets_without_text_are_left_out() -> None:
    tables = read_workbook(data=workbook([[None, " "]], [["How to fill this in"]], [["name"]]))
    assert [table.sheet for table in tables] == ["Sheet 2", "Sheet 3"]
    assert refusal(workbook([[None]])) == "empty"


def test_a_sheet_that_claims_to_be_endless_is_read_to_its_last_cell() -> None:
    data = workbook([["name"], ["Anna"]])
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        sheet = archive.read("xl/worksheets/sheet1.xml")
    endless = sheet.replace(b'ref="A1:A2"', b'ref="A1:XFD1048576"')
    assert endless != sheet
    (table,) = read_workbook(data=repacked(data, "xl/worksheets/sheet1.xml", endless))
    assert table.rows == ((1, ("name",)), (2, ("Anna",)))


def test_a_row_at_the_end_of_the_world_is_too_far() -> None:
    data = workbook([["name"], ["Anna"]])
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        sheet = archive.read("xl/worksheets/sheet1.xml")
    far = sheet.replace(b'<row r="2">', b'<row r="1048576">').replace(b'r="A2"', b'r="A1048576"')
    assert far != sheet
    assert refusal(repacked(data, "xl/worksheets/sheet1.xml", far)) == "too_many_rows"


def test_a_sheet_has_its_limit() -> None:
    assert refusal(workbook([["name"], *[["x"]] * (ROWS_LIMIT + 1)])) == "too_many_rows"


def test_an_archive_that_unpacks_to_far_too_much_is_not_unpacked() -> None:
    assert refusal(repacked(workbook([["name"]]), "xl/worksheets/sheet1.xml", b" " * 40_000_000)) == "too_large"


def test_an_archive_that_is_no_workbook_is_broken() -> None:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("readme.txt", "nothing")
    assert refusal(file.getvalue()) == "workbook_broken"
    assert refusal(workbook([["name"]])[:-30]) == "workbook_broken"
    assert (
        refusal(repacked(workbook([["name"]]), "xl/worksheets/sheet1.xml", b"<worksheet><sheetData>"))
        == "workbook_broken"
    )
