"""Lists on the desk: looked at first, brought in as a whole or not at all, and the same list twice is once."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from tests.factories import NOW, make_entry, make_tournament, organiser
from tests.tournaments.views.desk import Page, desk_of, heading, page_text, running, said
from tournaments.actions import roster
from tournaments.models import Entry, RosterImport, Tournament

pytestmark = pytest.mark.django_db

ROSTERS = Path(__file__).resolve().parents[2] / "cases" / "rosters"


def send(tournament: Tournament, file: str, **fields: str) -> Page:
    upload = SimpleUploadedFile(file, (ROSTERS / file).read_bytes())
    return desk_of(tournament).post(reverse("import_new", args=[tournament.pk]), {"file": upload, **fields})


def look(tournament: Tournament, file: str) -> Page:
    """The page a file that can be read leads to."""
    sent = send(tournament, file)
    assert sent.status_code == 302
    return desk_of(tournament).get(sent.headers["Location"])


def confirm(tournament: Tournament) -> Page:
    kept = RosterImport.objects.latest("pk")
    return desk_of(tournament).post(reverse("import_confirm", args=[tournament.pk, kept.pk]))


@pytest.mark.parametrize(
    ("file", "players", "encoding", "separator"),
    [
        ("starcon.csv", 37, "UTF-8", "semicolons"),
        ("starcon_cp1251.csv", 22, "Windows-1251", "semicolons"),
        ("unicode_text.txt", 30, "UTF-16", "tabs"),
        ("comma_quotes.csv", 8, "UTF-8", "commas"),
        ("sharp_names.csv", 8, "UTF-8", "commas"),
    ],
)
def test_a_list_is_shown_as_it_was_read_and_then_brought_in(
    file: str, players: int, encoding: str, separator: str
) -> None:
    tournament = make_tournament()
    page = look(tournament, file)
    assert (heading(page), Entry.objects.count()) == (f"{players} players would be added", 0)
    text = page_text(page)
    assert f"Encoding {encoding} Separated by {separator}" in text

    done = confirm(tournament)
    assert Entry.objects.count() == players
    assert heading(desk_of(tournament).get(done.headers["Location"])) == f"{players} players were added"


def test_the_preview_has_the_first_rows_the_columns_and_whoever_shares_a_name() -> None:
    tournament = make_tournament()
    page = look(tournament, "starcon.csv")
    text = page_text(page)
    assert "Player column “ник”" in text
    assert "2 rows have a name that somebody else has too." in text
    assert "and 17 more rows" in text
    assert [row["name"] for row in page.context["rows"]][:2] == ["Скиталец", "Тень Дантуина"]
    assert [row["name"] for row in page.context["rows"] if row["same_name"]] == ["Скиталец", "Скиталец"]


def test_whoever_waits_or_left_is_told_with_what_to_do_until_they_have_a_place() -> None:
    tournament = make_tournament(capacity=1)
    waits, left = (make_entry(tournament=tournament, name=name) for name in ("Тень", "Скиталец"))
    Entry.objects.filter(pk=waits.pk).update(status="waiting", waiting_since=NOW)
    Entry.objects.filter(pk=left.pk).update(status="withdrawn")
    upload = SimpleUploadedFile("list.csv", "ник\nСкиталец\nТень\nHK\n".encode())
    sent = desk_of(tournament).post(reverse("import_new", args=[tournament.pk]), {"file": upload})
    page = desk_of(tournament).get(sent.headers["Location"])
    text = page_text(page)
    assert "Line 2 Скиталец has left, or was dropped. The list does not bring them back: check them in" in text
    assert "Line 3 Тень is on the waiting list. The list gives them no place: give them one" in text
    assert f"{reverse('roster', args=[tournament.pk])}#waiting" in page.content.decode()
    Entry.objects.filter(pk=waits.pk).update(status="active", waiting_since=None)
    roster.check_in_after_all(entry_id=left.pk, by=organiser(of=tournament), now=NOW)
    kept = RosterImport.objects.latest("pk")
    again = desk_of(tournament).get(reverse("import_show", args=[tournament.pk, kept.pk]))
    assert "without a place" not in page_text(again)


def test_a_workbook_is_a_list_too() -> None:
    page = look(make_tournament(), "starcon.xlsx")
    assert heading(page) == "37 players would be added"
    assert page.context["list"].source["encoding"] == ""


def test_the_same_list_twice_changes_nothing() -> None:
    tournament = make_tournament()
    look(tournament, "starcon.csv")
    confirm(tournament)
    again = look(tournament, "starcon.csv")
    assert heading(again) == "All of them are there already"
    assert "37 are on the roster already" in page_text(again)
    confirm(tournament)
    confirm(tournament)
    assert Entry.objects.count() == 37


def test_every_bad_row_is_named_with_its_line_and_reason_and_nothing_comes_in() -> None:
    tournament = make_tournament()
    page = look(tournament, "bad_rows.csv")
    assert heading(page) == "5 things to repair"
    assert [(problem["line"], problem["text"]) for problem in page.context["problems"]] == [
        (5, "The name is missing."),
        (7, "This is no address: not-an-address"),
        (9, "Line 2 has this address already: g1@example.org"),
        (11, "The rating is no whole number from 0 to 9999: 15OO"),
        (13, "The name has 400 characters; 120 is the most."),
    ]
    answer = confirm(tournament)
    told = ["Nothing was imported: the list still has rows that cannot be read."]
    assert (answer.status_code, said(answer), Entry.objects.count()) == (409, told, 0)


@pytest.mark.parametrize(
    ("file", "told"),
    [
        ("empty.csv", "The file is empty."),
        ("header_only.csv", "The file has a first row with titles and nobody below it."),
        ("not_a_table.csv", "This is no table. Save the list as CSV or as an Excel workbook (.xlsx)."),
    ],
)
def test_a_file_that_is_no_list_is_refused_with_the_reason(file: str, told: str) -> None:
    answer = send(make_tournament(), file)
    assert (answer.status_code, RosterImport.objects.count()) == (400, 0)
    assert answer.context["form"].errors == {"file": [told]}


def test_a_wrong_encoding_can_be_set_right_by_hand() -> None:
    tournament = make_tournament()
    sent = send(tournament, "starcon_cp1251.csv", encoding="Windows-1251")
    page = desk_of(tournament).get(sent.headers["Location"])
    assert page.context["rows"][0]["name"] == "Скиталец"
    wrong = send(tournament, "starcon_cp1251.csv", encoding="EBCDIC")
    assert (wrong.status_code, list(wrong.context["form"].errors)) == (400, ["encoding"])


def test_no_file_and_a_giant_one_are_told_apart() -> None:
    tournament = make_tournament()
    client, address = desk_of(tournament), reverse("import_new", args=[tournament.pk])
    assert list(client.post(address).context["form"].errors) == ["file"]
    giant = SimpleUploadedFile("giant.csv", b"name\n" + b"x" * 5_000_001)
    told = ["The file is larger than 5 MB. A list of players is not: is it the right one?"]
    assert client.post(address, {"file": giant}).context["form"].errors == {"file": told}


def test_a_long_list_is_worked_on_while_its_page_is_left_and_opened_again() -> None:
    tournament = make_tournament()
    look(tournament, "thousand.csv")
    sent = confirm(tournament)
    page = desk_of(tournament).get(sent.headers["Location"])
    assert heading(page) == "The list is being brought in"
    assert '<meta http-equiv="refresh" content="2">' in page.content.decode()
    assert "0 of 1000 rows" in page_text(page)

    roster.apply_import(import_id=RosterImport.objects.get().pk, now=NOW)
    page = desk_of(tournament).get(sent.headers["Location"])
    assert (heading(page), Entry.objects.count()) == ("1000 players were added", 1000)
    assert "http-equiv" not in page.content.decode()


def test_a_list_that_comes_after_the_start_is_refused() -> None:
    tournament = running(2)
    answer = send(tournament, "starcon.csv")
    told = ["The tournament has started, so its roster stays as it is."]
    assert (answer.status_code, said(answer), tournament.entries.count()) == (409, told, 2)
