"""Lists of players: every prepared file reads as its README says, and every bad row is named with its reason."""

from pathlib import Path

import pytest

from tournaments.importers import ImportedRow, ImportProblem, Reading, Source, read_roster, read_rows

ROSTERS = Path(__file__).parents[2] / "cases" / "rosters"
ALL_COLUMNS = {"name": "nickname", "city": "city", "email": "email", "rating": "rating", "club": "club"}
ALL_RUSSIAN = {"name": "ник", "city": "город", "email": "почта", "rating": "рейтинг", "club": "клуб"}


def read(filename: str) -> Reading:
    return read_roster(filename, (ROSTERS / filename).read_bytes())


def names(reading: Reading) -> list[str]:
    return [row.name for row in reading.rows]


def test_starcon_reads_whole() -> None:
    reading = read("starcon.csv")
    assert (len(reading.rows), reading.problems) == (37, ())
    assert reading.source == Source(encoding="UTF-8", separator=";", columns=ALL_RUSSIAN)
    assert reading.rows[0] == ImportedRow(2, "Скиталец", "player01@example.org", "Москва", "Ондерон", 1620)
    assert reading.rows[12] == ImportedRow(14, "Последний падаван", "player13@example.org", "Тула", "", 1620)
    assert names(reading)[11] == "Капитан «Чёрного Ястреба»"
    assert names(reading)[36] == "Kaija 🃏"


@pytest.mark.parametrize(
    ("filename", "rows", "source"),
    [
        ("starcon.xlsx", 37, Source(sheet="Sheet", columns=ALL_RUSSIAN)),
        ("starcon_cp1251.csv", 22, Source(encoding="Windows-1251", separator=";", columns=ALL_RUSSIAN)),
        ("unicode_text.txt", 30, Source(encoding="UTF-16", separator="\t", columns=ALL_RUSSIAN)),
    ],
)
def test_the_same_list_saved_in_another_way_reads_the_same(filename: str, rows: int, source: Source) -> None:
    reading = read(filename)
    assert reading.rows == read("starcon.csv").rows[:rows]
    assert (reading.problems, reading.source) == ((), source)


def test_commas_quotes_and_composed_letters() -> None:
    reading = read("comma_quotes.csv")
    assert reading.source == Source(encoding="UTF-8", separator=",", columns=ALL_COLUMNS)
    assert reading.problems == ()
    assert [(row.line, row.name) for row in reading.rows] == [
        (2, 'Ace, the "Lucky" one'),
        (3, "Two Lines"),
        (5, "spaced out"),
        (6, "Ångström"),
        (7, "Ångström"),
        (8, "نور"),
        (9, "李雷"),
        (10, "ZeroWidth"),
    ]


def test_every_bad_row_is_named_with_its_reason() -> None:
    assert read("bad_rows.csv").problems == (
        ImportProblem(5, "name_missing"),
        ImportProblem(7, "email_invalid", {"value": "not-an-address"}),
        ImportProblem(9, "address_twice", {"value": "g1@example.org", "first": 2}),
        ImportProblem(11, "rating_invalid", {"value": "15OO", "limit": 9999}),
        ImportProblem(13, "name_too_long", {"length": 400, "limit": 120}),
    )


def test_names_that_look_like_something_else_are_names() -> None:
    reading = read("sharp_names.csv")
    assert reading.problems == ()
    assert names(reading) == [
        "=2+3",
        "+Plus Six",
        "-Minus",
        "@home",
        "<b>Bold</b>",
        '"><img src=x onerror=alert(1)>',
        "Robert'); DROP TABLE players;--",
        "{{ 7*7 }}",
    ]


def test_a_thousand_rows() -> None:
    reading = read("thousand.csv")
    assert (len(reading.rows), reading.problems) == (1000, ())
    assert (reading.rows[-1].line, reading.rows[-1].name) == (1001, "Player 1000")


@pytest.mark.parametrize(
    ("filename", "code"), [("empty.csv", "empty"), ("header_only.csv", "no_rows"), ("not_a_table.csv", "not_a_table")]
)
def test_what_is_no_list_is_refused_with_its_reason(filename: str, code: str) -> None:
    reading = read(filename)
    assert (reading.rows, reading.problems) == ((), (ImportProblem(0, code),))


def test_a_list_without_names_says_which_columns_it_has() -> None:
    reading = read_roster("list.csv", b"seat;points\n1;3\n")
    assert reading.problems == (ImportProblem(0, "no_name_column", {"columns": ["seat", "points"]}),)


def test_columns_that_mean_nothing_here_are_ignored_and_named() -> None:
    reading = read_roster("list.csv", "№;Имя;Ник *;E-Mail:;Оплата\n1;Пётр;Ёж;a@b.org;да\n".encode())
    assert reading.source.columns == {"name": "Ник *", "email": "E-Mail:"}
    assert reading.source.ignored == ("№", "Имя", "Оплата")
    assert reading.rows == (ImportedRow(2, "Ёж", "a@b.org"),)


def test_addresses_are_compared_without_letter_case() -> None:
    reading = read_roster("list.csv", b"name,email\nA,Ann@Example.ORG\nB,ann@example.org\nC,\nC,\n")
    assert [row.email for row in reading.rows] == ["ann@example.org", "", ""]
    assert reading.problems == (ImportProblem(3, "address_twice", {"value": "ann@example.org", "first": 2}),)


def test_a_row_is_told_everything_that_is_wrong_with_it() -> None:
    data = f"name,email,city,club,rating\n,nobody@,{'c' * 121},{'d' * 121},99999\n".encode()
    assert [(problem.line, problem.code) for problem in read_roster("list.csv", data).problems] == [
        (2, "name_missing"),
        (2, "email_invalid"),
        (2, "city_too_long"),
        (2, "club_too_long"),
        (2, "rating_invalid"),
    ]


@pytest.mark.parametrize("rating", ["-1", "10000", "1500.5", "1e3", "١٥٠٠", "½"])
def test_a_rating_is_a_whole_number_of_at_most_four_digits(rating: str) -> None:
    reading = read_roster("list.csv", f"name;rating\nAnna;{rating}\n".encode())
    assert reading.problems == (ImportProblem(2, "rating_invalid", {"value": rating, "limit": 9999}),)


def test_a_separator_inside_an_unquoted_name_does_not_move_the_columns_unnoticed() -> None:
    reading = read_roster("list.csv", b"name,city\nAce, the Lucky,Riga\nBob,Tula,\n")
    assert reading.problems == (ImportProblem(2, "too_many_cells", {"cells": 3, "columns": 2}),)
    assert names(reading) == ["Bob"]


def test_letters_lost_before_the_file_was_saved_are_never_stored() -> None:
    reading = read_roster("list.csv", "name,city\nСк\ufffdталец,Riga\nAnna,\ufffdульск\n".encode())
    assert [(problem.line, problem.code) for problem in reading.problems] == [(2, "name_damaged"), (3, "city_damaged")]


def test_the_content_decides_what_a_file_is_not_its_name() -> None:
    assert len(read_roster("list.csv", (ROSTERS / "starcon.xlsx").read_bytes()).rows) == 37
    assert read_roster("list.xlsx", b"name\nAnna\n").problems == (ImportProblem(0, "workbook_broken"),)
    assert read_roster("list.xls", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1").problems == (ImportProblem(0, "old_workbook"),)


def test_rows_told_one_by_one_are_judged_like_a_file() -> None:
    nobody = {"name": "", "email": "", "city": "", "club": "", "rating": ""}
    reading = read_rows([{**nobody, "name": " Anna ", "rating": "1500"}, nobody])
    assert reading.rows == (ImportedRow(1, "Anna", rating=1500),)
    assert reading.problems == (ImportProblem(2, "name_missing"),)
    assert read_rows([]).problems == (ImportProblem(0, "no_rows"),)


def test_a_file_has_its_limit() -> None:
    reading = read_roster("list.csv", b"name\n" + b"x" * 5_000_000)
    assert reading.problems == (ImportProblem(0, "too_large", {"megabytes": 5}),)


def test_an_unclear_encoding_is_settled_by_the_answer() -> None:
    data = "name;city\nZoë;Orléans\n".encode("windows-1252")
    assert read_roster("list.csv", data).problems == (ImportProblem(0, "encoding_unclear"),)
    assert read_roster("list.csv", data, encoding="Windows-1252").rows == (ImportedRow(2, "Zoë", city="Orléans"),)
