"""Text files: encodings, separators, quotes and line breaks of every spreadsheet."""

import csv
import io

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tournaments.importers.base import ROWS_LIMIT, Table, UnreadableError
from tournaments.importers.table import read_table


def known(cells: list[str]) -> int:
    return sum(cell in ("name", "city", "Имя", "Город") for cell in cells)


def read(data: bytes, encoding: str = "") -> Table:
    return read_table(data=data, encoding=encoding, known_headers=known)


def refusal(data: bytes, encoding: str = "") -> tuple[str, int]:
    with pytest.raises(UnreadableError) as caught:
        read(data, encoding)
    return caught.value.problem.code, caught.value.problem.line


PEOPLE = ["Ёлкин, Пётр", "Zoë", "李雷", "بلال", "🐙"]


@pytest.mark.parametrize(
    ("codec", "encoding"),
    [
        ("utf-8", "UTF-8"),
        ("utf-8-sig", "UTF-8"),
        ("utf-16", "UTF-16"),
        ("utf-16-le", "UTF-16"),
        ("utf-16-be", "UTF-16"),
    ],
)
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("separator", [";", "\t", ","])
def test_ie_01_names_of_the_whole_world_come_whole(codec: str, encoding: str, end: str, separator: str) -> None:
    lines = [f"Имя{separator}Город", "", *(f'"{name}"{separator}Riga' for name in PEOPLE), "", ""]
    table = read(end.join(lines).encode(codec))
    assert table == Table(
        rows=((1, ("Имя", "Город")), *((line, (name, "Riga")) for line, name in enumerate(PEOPLE, start=3))),
        encoding=encoding,
        separator=separator,
    )


def test_windows_1251_is_found_out() -> None:
    text = "Имя;Город\r\nЁлкин, Пётр;Тверь\r\nКапитан «Чёрного Ястреба»;Київ\r\nDROID № 3;Тула\r\n"
    table = read(text.encode("windows-1251"))
    assert table.encoding == "Windows-1251"
    assert [cells for _, cells in table.rows] == [tuple(line.split(";")) for line in text.split("\r\n") if line]


@pytest.mark.parametrize(
    ("text", "codec"),
    [
        ("name;city\nZoë;Orléans\n", "windows-1252"),
        ("Имя;Город\nСкиталец;Москва\n", "koi8-r"),
        ("имя;город\nскиталец;москва\n", "koi8-r"),
        ("Имя;Город\nСкиталец;Москва\n", "cp866"),
        ("Имя;Город\nСкиталец;Москва\n", "iso8859-5"),
        ("name;city\nŁukasz;Łódź\n", "iso8859-2"),
    ],
)
def test_ie_01_an_encoding_that_cannot_be_told_is_asked_for(text: str, codec: str) -> None:
    assert refusal(text.encode(codec)) == ("encoding_unclear", 0)


def test_the_answer_settles_it() -> None:
    table = read("name;city\nZoë;Orléans\n".encode("windows-1252"), encoding="Windows-1252")
    assert table.encoding == "Windows-1252"
    assert table.rows[1] == (2, ("Zoë", "Orléans"))
    assert refusal("имя\nЁж\n".encode("windows-1251"), encoding="UTF-8") == ("encoding_unclear", 0)
    assert read("name\nЁж\n".encode("utf-16-be"), encoding="UTF-16").rows[1] == (2, ("Ёж",))


def test_dashes_that_both_windows_encodings_share_need_no_answer() -> None:
    assert read("name;city\nObi – 2;«Riga»\n".encode("windows-1252")).rows[1] == (2, ("Obi – 2", "«Riga»"))


def test_a_row_is_named_by_the_line_it_begins_at() -> None:
    table = read(b'name,city\r\n"Two\r\nLines",Riga\r\n,\r\n \r\nNext,Tula\r\n')
    assert table.rows == ((1, ("name", "city")), (2, ("Two\r\nLines", "Riga")), (6, ("Next", "Tula")))


def test_one_column_needs_no_separator() -> None:
    table = read(b'name\nAce, the "Lucky" one\n"B; C"\n')
    assert (table.separator, [cells for _, cells in table.rows[1:]]) == ("", [('Ace, the "Lucky" one',), ("B; C",)])


def test_known_headers_say_more_about_the_separator_than_the_number_of_cells() -> None:
    assert read(b"name;city;a,b,c,d\nAnna;Riga;1\n").rows[1] == (2, ("Anna", "Riga", "1"))


def test_the_separator_may_be_said_in_the_first_line() -> None:
    table = read(b"sep=,\r\nname,city\r\nAnna,Riga\r\n")
    assert (table.separator, table.rows) == (",", ((2, ("name", "city")), (3, ("Anna", "Riga"))))


def test_the_guard_of_an_export_is_taken_off_again() -> None:
    rows = read("name\n'=2+3\n'+7 900\n'-Minus\n'@home\n'＝1\n'tis\n''=x\n".encode()).rows
    assert [cells[0] for _, cells in rows[1:]] == ["=2+3", "+7 900", "-Minus", "@home", "＝1", "'tis", "'=x"]


@pytest.mark.parametrize("data", [b"", b"\n\r\n", b"\xef\xbb\xbf", b"  \t "])
def test_nothing_is_no_list(data: bytes) -> None:
    assert refusal(data) == ("empty", 0)


@pytest.mark.parametrize(
    "data",
    [
        b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x02\x00\xd8\x00\xd8\x00",
        b"name\n" + bytes(range(1, 32)),
        b"name\x00\x00\x00\x00",
        b"name;city\n" * 30 + b"\x00",
    ],
)
def test_a_picture_is_no_list(data: bytes) -> None:
    assert refusal(data) == ("not_a_table", 0)


def test_a_quote_that_never_ends_is_named_by_its_line() -> None:
    assert refusal(b'name;city\nAnna;Riga\n"Bob;Tula\nEve;Riga\n') == ("quotes_broken", 3)


def test_a_list_has_its_limits() -> None:
    assert len(read(b"name\n" + b"x\n" * ROWS_LIMIT).rows) == ROWS_LIMIT + 1
    assert refusal(b"name\n" + b"x\n" * (ROWS_LIMIT + 1)) == ("too_many_rows", 0)
    assert refusal(b"name" + b";" * 100 + b"\n") == ("too_many_columns", 0)


cells = st.text(
    st.characters(codec="utf-8", exclude_categories=("Cc", "Cs"), exclude_characters="\ufeff")
) | st.sampled_from(["a\nb", "a\r\nb", "a\rb", 'say "so"', "x;y", "x,y", "x\ty", " ", ""])


@given(
    rows=st.lists(st.tuples(cells, cells), min_size=1, max_size=6),
    codec=st.sampled_from(["utf-8", "utf-8-sig", "utf-16"]),
    separator=st.sampled_from([";", ",", "\t"]),
    end=st.sampled_from(["\n", "\r\n", "\r"]),
)
@settings(max_examples=150)
def test_what_a_spreadsheet_writes_is_read_back(
    rows: list[tuple[str, str]], codec: str, separator: str, end: str
) -> None:
    file = io.StringIO(newline="")
    csv.writer(file, delimiter=separator, lineterminator=end, quoting=csv.QUOTE_ALL).writerows(
        [("name", "city"), *rows]
    )
    table = read(file.getvalue().encode(codec))
    told = [tuple(cell.removeprefix("'") if cell[1:2] in set("=+-@＝＋－＠") else cell for cell in row) for row in rows]
    assert [found for _, found in table.rows[1:]] == [row for row in told if any(cell.strip() for cell in row)]
    assert table.separator == separator
