"""Files to take away: who gets which, under what name, and who may keep them."""

from __future__ import annotations

import io

import openpyxl
import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from tests.factories import make_account, make_entry, make_field, make_tournament
from tests.tournaments.play import draft, play_open, start
from tournaments.models import Tournament

pytestmark = pytest.mark.django_db

XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


def ask(tournament: Tournament, file: str, client: Client | None = None) -> HttpResponse:
    sheet, _dot, kind = file.partition(".")
    answer = (client or Client()).get(reverse("export", args=[tournament.pk, sheet, kind]))
    assert isinstance(answer, HttpResponse)
    return answer


def ask_roster(tournament: Tournament, kind: str, client: Client) -> HttpResponse:
    answer = client.get(reverse("export_roster", args=[tournament.pk, kind]))
    assert isinstance(answer, HttpResponse)
    return answer


def signed_in(tournament: Tournament, *, owner: bool = True) -> Client:
    client = Client()
    client.force_login(tournament.event.owner if owner else make_account())
    return client


def lines(answer: HttpResponse) -> list[str]:
    return answer.content.decode("utf-8-sig").splitlines()


def test_everybody_may_have_the_standings_and_the_pairings() -> None:
    tournament = make_tournament(name="Main", format="single_elimination", seeding="rating")
    make_field(size=2, tournament=tournament)
    start(tournament)
    play_open(tournament)
    answer = ask(tournament, "standings.csv")
    assert (answer.status_code, answer["Content-Type"]) == (200, "text/csv; charset=utf-8")
    assert lines(answer) == [
        "Rank;Player;Won;Tied;Lost;Byes;Sets won;Sets lost;Why this place",
        "1;Player 01;1;0;0;0;3;1;Won the final against Player 02, 3–1.",
        "2;Player 02;0;0;1;0;1;3;Lost the final to Player 01, 1–3.",
    ]
    answer = ask(tournament, "pairings.xlsx")
    assert (answer.status_code, answer["Content-Type"]) == (200, XLSX)
    (page,) = openpyxl.load_workbook(io.BytesIO(answer.content)).worksheets
    assert list(page.values) == [
        ("Round", "Table", "First player", "Second player", "Result"),
        ("Final", 1, "Player 01", "Player 02", "3–1"),
    ]


def test_an_organiser_gets_no_draft_in_a_public_file_either() -> None:
    tournament = make_tournament()
    make_field(size=4, tournament=tournament)
    start(tournament)
    play_open(tournament)
    draft(tournament)
    for client in (Client(), signed_in(tournament)):
        assert {line.split(";")[0] for line in lines(ask(tournament, "pairings.csv", client))[1:]} == {"Round 1"}


@pytest.mark.parametrize("file", ["standings.pdf", "roster.csv", "pairings.CSV", "drafts.csv", "standings.x.csv"])
def test_there_are_no_other_files(file: str) -> None:
    tournament = make_tournament()
    assert ask(tournament, file).status_code == 404


def test_a_tournament_nobody_made_has_no_files() -> None:
    tournament = make_tournament()
    assert Client().get(reverse("export", args=[tournament.pk + 1, "standings", "csv"])).status_code == 404


def test_public_files_are_asked_about_each_time_and_those_of_somebody_signed_in_kept_by_nobody() -> None:
    tournament = make_tournament()
    answer = ask(tournament, "standings.csv")
    assert answer["Cache-Control"] == "public, max-age=0, must-revalidate"
    assert {each.strip() for each in answer["Vary"].split(",")} == {"Cookie", "Accept-Language"}
    assert ask(tournament, "standings.csv", signed_in(tournament))["Cache-Control"] == "private, no-store"


@pytest.mark.parametrize(
    ("name", "plain", "own"),
    [
        ("Main Cup", "main-cup", "main-cup"),
        ("Кубок «Чёрного Ястреба»", "tournament-{pk}", "%D0%BA%D1%83%D0%B1%D0%BE%D0%BA-"),
        ('../../etc/"x"; filename=y', "etcx-filenamey", "etcx-filenamey"),
        ("🃏🃏", "tournament-{pk}", "tournament-{pk}"),
        ("ы" * 120, "tournament-{pk}", "%D1%8B" * 60),
    ],
)
def test_a_file_has_the_name_of_its_tournament_in_its_own_letters_and_in_plain_ones(
    name: str, plain: str, own: str
) -> None:
    tournament = make_tournament(name=name)
    said, starred = ask(tournament, "standings.csv")["Content-Disposition"].split("; filename*=UTF-8''")
    assert said == f'attachment; filename="{plain.format(pk=tournament.pk)}-standings.csv"'
    assert starred.startswith(own.format(pk=tournament.pk))
    assert starred.endswith("-standings.csv")


@pytest.mark.parametrize("kind", ["csv", "xlsx"])
def test_the_roster_is_for_its_organisers(kind: str) -> None:
    tournament = make_tournament(name="Main")
    make_entry(tournament=tournament, name="Ann", email="ann@example.org")
    answer = ask_roster(tournament, kind, signed_in(tournament))
    assert (answer.status_code, answer["Cache-Control"]) == (200, "private, no-store")
    assert answer["Content-Disposition"] == (
        f"attachment; filename=\"main-roster.{kind}\"; filename*=UTF-8''main-roster.{kind}"
    )
    assert ask_roster(tournament, kind, signed_in(tournament, owner=False)).status_code == 404
    asked = ask_roster(tournament, kind, Client())
    assert (asked.status_code, asked["Location"].split("?")[0]) == (302, reverse("sign_in"))


def test_the_roster_has_the_addresses_and_comes_in_known_kinds_alone() -> None:
    tournament = make_tournament()
    make_entry(tournament=tournament, name="=Ann", email="ann@example.org")
    organiser = signed_in(tournament)
    assert lines(ask_roster(tournament, "csv", organiser)) == [
        "Name;City;Club;Rating;E-mail;Checked in",
        "'=Ann;;;;ann@example.org;",
    ]
    assert ask_roster(tournament, "pdf", organiser).status_code == 404
