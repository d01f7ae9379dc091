"""Text files for spreadsheets: letters, separators, numbers, and text that would be a formula."""

from fractions import Fraction

from tournaments.exporters.base import Cell, Sheet
from tournaments.exporters.csv import Csv


def written(*rows: tuple[Cell, ...], columns: tuple[str, ...] = ("Player", "Sets")) -> str:
    """The lines of a file below its mark and its header."""
    data = Csv().write(Sheet(title="Standings", columns=columns, rows=rows))
    mark, header = b"\xef\xbb\xbf", f"{';'.join(columns)}\r\n".encode()
    assert data.startswith(mark + header)
    return data.removeprefix(mark + header).decode()


def test_excel_of_any_country_sees_the_letters_and_the_columns() -> None:
    """IE-05: a mark of UTF-8, semicolons, no line that says so."""
    data = Csv().write(Sheet(title="Roster", columns=("Name",), rows=(("Ёлкин",), ("Łukasz",), ("李雷",))))
    assert data == b"\xef\xbb\xbf" + "Name\r\nЁлкин\r\nŁukasz\r\n李雷\r\n".encode()


def test_text_that_looks_like_a_formula_gets_an_apostrophe() -> None:
    """IE-04."""
    sharp = ["=HYPERLINK(1)", "+7 900", "-2+3", "@SUM(A1)", "\t=1", "\r=1", "＝1+1", "＋1", "－1", "＠x", "'=1"]
    lines = written(*((name, 0) for name in sharp)).removesuffix("\r\n").split(";0\r\n")
    assert [line.strip('"') for line in lines] == [*(f"'{name}" for name in sharp[:-1]), "''=1;0"]


def test_a_header_is_text_like_any_other() -> None:
    assert Csv().write(Sheet(title="x", columns=("=1",), rows=())) == b"\xef\xbb\xbf'=1\r\n"


def test_other_text_stays_as_it_is() -> None:
    assert written(("Anna-Marie", 1), ("'tis", 2), ("3–1", 3)) == "Anna-Marie;1\r\n'tis;2\r\n3–1;3\r\n"


def test_numbers_stay_numbers_and_fractions_exact() -> None:
    cells = (-3, Fraction(-3), Fraction(7, 12), None, "")
    assert written(cells, columns=("a", "b", "c", "d", "e")) == "-3;-3;7/12;;\r\n"


def test_separators_quotes_and_line_breaks_are_quoted() -> None:
    assert written(('Ace; the "Lucky"', 1), ("two\nlines", 2)) == '"Ace; the ""Lucky""";1\r\n"two\nlines";2\r\n'
