"""What is in the files of a tournament, and that its roster comes back from them as it was."""

from __future__ import annotations

import csv
import io
from fractions import Fraction
from pathlib import Path

import openpyxl
import pytest
from django.conf import settings
from django.utils.translation import override
from hypothesis import HealthCheck, given
from hypothesis import settings as examples
from hypothesis import strategies as st

from players.engine.names import clean_name, name_problem
from players.permissions import Refused
from tests.factories import NOW, make_entry, make_event, make_field, make_tournament, organiser
from tests.tournaments.play import count_up, draft, play_open, publish, start
from tournaments.actions import roster
from tournaments.actions.standings import note_change
from tournaments.engine.snapshot import EntryStatus
from tournaments.exporters import EXPORTERS, get_exporter
from tournaments.exporters.base import Exporter, Sheet
from tournaments.exporters.sheets import PUBLIC_SHEETS, pairings_sheet, roster_sheet, standings_sheet
from tournaments.importers import Reading, read_roster
from tournaments.models import Entry, Pairing, Tournament
from tournaments.queries.public import public_stage
from tournaments.words.labels import label_of

pytestmark = pytest.mark.django_db

CASES = Path(__file__).parents[2] / "cases" / "rosters"
each_exporter = pytest.mark.parametrize("exporter", EXPORTERS, ids=lambda exporter: exporter.key)


def standings(tournament: Tournament) -> Sheet:
    return standings_sheet(public_stage(tournament=tournament))


def meetings(tournament: Tournament) -> Sheet:
    return pairings_sheet(public_stage(tournament=tournament))


def opened(exporter: Exporter, data: bytes) -> list[list[str]]:
    """The cells of a file as a spreadsheet opens it."""
    if exporter.key == "xlsx":
        (page,) = openpyxl.load_workbook(io.BytesIO(data)).worksheets
        return [["" if value is None else str(value) for value in row] for row in page.iter_rows(values_only=True)]
    return list(csv.reader(io.StringIO(data.decode("utf-8-sig"), newline=""), delimiter=";"))


def imported(filename: str) -> Tournament:
    """A tournament with this list on its roster."""
    tournament = make_tournament()
    bring(tournament, read_roster(filename, (CASES / filename).read_bytes()))
    return tournament


def bring(tournament: Tournament, reading: Reading) -> tuple[int, int]:
    """Import a list: how many were added, how many were there already."""
    assert reading.problems == ()
    by = organiser(of=tournament)
    kept = roster.prepare_import(tournament_id=tournament.pk, filename="list", **reading.facts(), by=by, now=NOW)
    assert not isinstance(kept, Refused), kept
    done = roster.confirm_import(import_id=kept.pk, by=by, now=NOW)
    assert not isinstance(done, Refused), done
    return done.added, done.already_there


# --- Laws of every exporter.


@each_exporter
def test_every_exporter_opens_an_empty_tournament(exporter: Exporter) -> None:
    tournament = make_tournament()
    public = public_stage(tournament=tournament)
    for sheet in [*(make(public) for make in PUBLIC_SHEETS.values()), roster_sheet(tournament)]:
        assert opened(exporter, exporter.write(sheet)) == [list(sheet.columns)]


@each_exporter
def test_every_exporter_has_a_key_of_its_own_and_words(exporter: Exporter) -> None:
    assert get_exporter(exporter.key) is exporter
    assert str(label_of("exporter", exporter.key)) != ""


@each_exporter
@pytest.mark.parametrize("filename", ["sharp_names.csv", "starcon.csv", "comma_quotes.csv"])
def test_a_roster_comes_back_as_it_was(exporter: Exporter, filename: str) -> None:
    """IE-04, IE-05: the same names, cities, clubs, ratings and addresses; imported here again it changes nothing."""
    tournament = imported(filename)
    original = read_roster(filename, (CASES / filename).read_bytes())
    reading = read_roster(f"roster.{exporter.key}", exporter.write(roster_sheet(tournament)))

    def facts(of: Reading) -> list[tuple[object, ...]]:
        return [(row.name, row.email, row.city, row.club, row.rating) for row in of.rows]

    assert facts(reading) == facts(original)
    assert bring(tournament, reading) == (0, len(original.rows))
    assert bring(make_tournament(), reading) == (len(original.rows), 0)


@each_exporter
@examples(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    names=st.lists(
        st.builds(str.__add__, st.sampled_from(["", "=", "'=", "''+", "-", "＝", "_x0041_", '"', ";"]), st.text())
        .map(lambda text: clean_name(text[:100]))
        .filter(lambda name: name_problem(name) is None),
        min_size=1,
        max_size=5,
    )
)
def test_any_name_comes_back_as_it_was(exporter: Exporter, names: list[str]) -> None:
    sheet = Sheet(title="Roster", columns=("Name", "City"), rows=tuple((name, name) for name in names))
    reading = read_roster(f"roster.{exporter.key}", exporter.write(sheet))
    assert reading.problems == ()
    assert [(row.name, row.city) for row in reading.rows] == [(name, name) for name in names]


@each_exporter
@pytest.mark.parametrize("language", [code for code, _name in settings.LANGUAGES])
def test_the_header_of_a_roster_is_understood_in_every_language(exporter: Exporter, language: str) -> None:
    tournament = make_tournament()
    make_entry(tournament=tournament)
    with override(language):
        data = exporter.write(roster_sheet(tournament))
    assert set(read_roster("roster", data).source.columns) == {"name", "city", "club", "rating", "email"}


# --- The roster.


def test_the_roster_tells_who_is_here_by_the_clocks_of_the_venue() -> None:
    tournament = make_tournament(event=make_event(zone="Europe/Riga"))
    make_entry(
        tournament=tournament, name="Ann", city="Riga", club="Taris", rating=1500, email="ann@example.org", here=True
    )
    make_entry(tournament=tournament, name="Ben")
    assert roster_sheet(tournament) == Sheet(
        title="Roster",
        columns=("Name", "City", "Club", "Rating", "E-mail", "Checked in"),
        rows=(
            ("Ann", "Riga", "Taris", 1500, "ann@example.org", "2027-05-22 13:00"),
            ("Ben", "", "", None, "", ""),
        ),
    )


def test_same_names_without_an_address_are_the_same_people_when_they_come_back() -> None:
    tournament = make_tournament()
    for _each in range(2):
        make_entry(tournament=tournament, name="Ann", name_again=True)
    assert [entry.display_name for entry in tournament.entries.order_by("pk")] == ["Ann (#1)", "Ann (#2)"]
    reading = read_roster("roster.csv", get_exporter("csv").write(roster_sheet(tournament)))
    assert [row.name for row in reading.rows] == ["Ann", "Ann"]
    assert bring(tournament, reading) == (0, 2)


# --- The standings.


def test_standings_hold_every_number_they_rest_on() -> None:
    tournament = make_tournament(
        seeding="rating", format="round_robin", tiebreaks=("head_to_head", "set_difference", "set_ratio")
    )
    make_field(size=3, tournament=tournament)
    start(tournament)
    lost_by_loser = {frozenset("12"): 0, frozenset("13"): 1, frozenset("23"): 2}

    def score(pairing: Pairing) -> tuple[int, int]:
        assert pairing.b is not None
        one, two = pairing.a.name[-1], pairing.b.name[-1]
        loser = lost_by_loser[frozenset((one, two))]
        return (3, loser) if one < two else (loser, 3)

    play_open(tournament, score)
    sheet = standings(tournament)
    assert sheet == Sheet(
        title="Standings",
        columns=(
            *("Rank", "Player", "Points", "Won", "Tied", "Lost", "Byes", "Sets won", "Sets lost"),
            *("Head-to-head", "Sets", "Share of sets", "Why this place"),
        ),
        rows=(
            (1, "Player 01", 6, 2, 0, 0, 0, 6, 1, 0, 5, Fraction(6, 7), "Alone on 6 points."),
            (2, "Player 02", 3, 1, 0, 1, 0, 3, 5, 0, -2, Fraction(3, 8), "Alone on 3 points."),
            (3, "Player 03", 0, 0, 0, 2, 0, 3, 6, 0, -3, Fraction(1, 3), "Alone on 0 points."),
        ),
    )
    last = b"3;Player 03;0;0;0;2;0;3;6;0;-3;1/3;Alone on 0 points.\r\n"
    assert get_exporter("csv").write(sheet).endswith(last)


def test_a_reason_names_people_as_they_are() -> None:
    """And where the bracket decides the places, there are no points and no tie-breaks."""
    tournament = make_tournament(format="single_elimination", seeding="rating")
    make_entry(tournament=tournament, name="<b>Bold</b> & Co", rating=1600, here=True)
    make_entry(tournament=tournament, name='=1 "Аня" &lt;', rating=1500, here=True)
    start(tournament)
    play_open(tournament)
    sheet = standings(tournament)
    assert sheet.columns == (
        *("Rank", "Player", "Won", "Tied", "Lost", "Byes", "Sets won", "Sets lost", "Why this place"),
    )
    assert sheet.rows == (
        (1, "<b>Bold</b> & Co", 1, 0, 0, 0, 3, 1, 'Won the final against =1 "Аня" &lt;, 3–1.'),
        (2, '=1 "Аня" &lt;', 0, 0, 1, 0, 1, 3, "Lost the final to <b>Bold</b> & Co, 1–3."),
    )


def test_somebody_disqualified_has_no_tie_breaks() -> None:
    tournament = make_tournament(tiebreaks=("buchholz",))
    *_others, last = make_field(size=4, tournament=tournament)
    stage = start(tournament)
    Entry.objects.filter(pk=last.pk).update(status=EntryStatus.DISQUALIFIED)
    note_change(stage_id=stage.pk, what="roster", now=NOW)
    count_up(tournament)
    assert standings(tournament).rows[-1] == (4, "Player 04", 0, 0, 0, 0, 0, 0, 0, None, "Disqualified.")


def test_same_names_are_told_apart_in_what_everybody_may_have() -> None:
    tournament = make_tournament(format="round_robin")
    for city in ("Riga", "Tartu"):
        make_entry(tournament=tournament, name="Ann", city=city, name_again=True, here=True)
    start(tournament)
    assert {row[1] for row in standings(tournament).rows} == {"Ann (Riga)", "Ann (Tartu)"}
    assert [set(row[2:4]) for row in meetings(tournament).rows] == [{"Ann (Riga)", "Ann (Tartu)"}]


# --- The pairings.


def test_pairings_are_all_published_rounds_and_never_a_draft() -> None:
    tournament = make_tournament(seeding="rating", options={"first_round": "slide"})
    make_field(size=5, tournament=tournament)
    start(tournament)
    play_open(tournament)
    draft(tournament)
    first = (
        ("Round 1", 1, "Player 03", "Player 01", "1–3"),
        ("Round 1", 2, "Player 04", "Player 02", "1–3"),
        ("Round 1", None, "Player 05", "", "Bye"),
    )
    assert meetings(tournament) == Sheet(
        title="Pairings",
        columns=("Round", "Table", "First player", "Second player", "Result"),
        rows=first,
    )
    publish(tournament)
    rows = meetings(tournament).rows
    assert rows[:3] == first
    assert [(row[0], row[1], row[4]) for row in rows[3:]] == [
        ("Round 2", 1, ""),
        ("Round 2", 2, ""),
        ("Round 2", None, "Bye"),
    ]


def test_rounds_of_a_bracket_have_the_names_they_have_on_its_page() -> None:
    """SE-08."""
    tournament = make_tournament(format="single_elimination", seeding="rating", options={"third_place": False})
    make_field(size=4, tournament=tournament)
    start(tournament)
    play_open(tournament)
    assert [row[0] for row in meetings(tournament).rows] == ["Semi-finals", "Semi-finals", "Final"]
