"""Lists brought in: looked at, confirmed, applied once and whole; the same file again changes nothing."""

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.db import IntegrityError

from players.models import Act, Player
from players.permissions import Refused
from tests.factories import NOW, make_entry, make_event, make_field, make_tournament, organiser
from tournaments.actions import roster
from tournaments.actions.rounds import start_tournament
from tournaments.importers import read_roster
from tournaments.models import Entry, RosterImport, StageChange, Tournament
from tournaments.queries.imports import import_progress
from tournaments.signals import import_confirmed

pytestmark = [pytest.mark.django_db, pytest.mark.db]

ROSTERS = Path(__file__).parents[3] / "cases" / "rosters"
LATER = NOW + timedelta(minutes=1)


def prepare(tournament: Tournament, filename: str, data: bytes | None = None) -> RosterImport:
    """The preview of one of the prepared files, or of these bytes."""
    reading = read_roster(filename, (ROSTERS / filename).read_bytes() if data is None else data)
    kept = roster.prepare_import(
        tournament_id=tournament.pk, filename=filename, by=organiser(of=tournament), now=NOW, **reading.facts()
    )
    assert isinstance(kept, RosterImport)
    return kept


def confirm(kept: RosterImport) -> RosterImport:
    done = roster.confirm_import(import_id=kept.pk, by=organiser(of=kept.tournament), now=NOW)
    assert isinstance(done, RosterImport)
    return done


def bring(tournament: Tournament, filename: str, data: bytes | None = None) -> tuple[str, int, int]:
    done = confirm(prepare(tournament, filename, data))
    return done.state, done.added, done.already_there


def everything() -> list[tuple[Any, ...]]:
    """All rows that an import could have touched, as they are now."""
    entries, players = Entry.objects.order_by("pk"), Player.objects.order_by("pk")
    return [*entries.values_list(), *players.values_list()]


# --- the prepared files


@pytest.mark.parametrize(
    ("filename", "size"),
    [
        ("starcon.csv", 37),
        ("starcon.xlsx", 37),
        ("starcon_cp1251.csv", 22),
        ("unicode_text.txt", 30),
        ("comma_quotes.csv", 8),
        ("sharp_names.csv", 8),
    ],
)
def test_each_file_comes_in_whole_and_again_changes_nothing(filename: str, size: int) -> None:
    tournament = make_tournament()
    assert bring(tournament, filename) == ("done", size, 0)
    rows = read_roster(filename, (ROSTERS / filename).read_bytes()).rows
    entries = tournament.entries.select_related("player").order_by("pk")
    assert [(e.name, e.player.name, e.player.email, e.city, e.club, e.rating) for e in entries] == [
        (row.name, row.name, row.email, row.city, row.club, row.rating) for row in rows
    ]
    before = everything()
    assert bring(tournament, filename) == ("done", 0, size)
    assert everything() == before


def test_starcon_has_two_of_one_name_and_tells_them_apart() -> None:
    tournament = make_tournament()
    kept = prepare(tournament, "starcon.csv")
    assert (kept.state, kept.added, kept.already_there, kept.source["same_names"]) == ("preview", 37, 0, [2, 16])
    assert Entry.objects.count() == 0
    confirm(kept)
    marked = tournament.entries.exclude(mark="").order_by("pk")
    assert [entry.display_name for entry in marked] == ["Скиталец (Москва)", "Скиталец (Казань)"]
    assert len(set(tournament.entries.values_list("player", flat=True))) == 37


def test_twins_of_composed_and_decomposed_letters_are_numbered() -> None:
    tournament = make_tournament()
    bring(tournament, "comma_quotes.csv")
    marked = tournament.entries.exclude(mark="").order_by("pk")
    assert [entry.display_name for entry in marked] == ["Ångström (#1)", "Ångström (#2)"]


@pytest.mark.parametrize("filename", ["bad_rows.csv", "empty.csv", "header_only.csv", "not_a_table.csv"])
def test_a_list_with_problems_brings_nothing(filename: str) -> None:
    tournament = make_tournament()
    kept = prepare(tournament, filename)
    refused = roster.confirm_import(import_id=kept.pk, by=organiser(of=tournament), now=NOW)
    assert refused == Refused("import_has_problems", {"count": len(kept.problems)})
    assert (Entry.objects.count(), Player.objects.count()) == (0, 0)


def test_a_list_that_is_put_right_comes_in_once() -> None:
    tournament = make_tournament()
    bad = (ROSTERS / "bad_rows.csv").read_bytes()
    assert [problem["line"] for problem in prepare(tournament, "bad_rows.csv", bad).problems] == [5, 7, 9, 11, 13]
    good = (
        bad.replace(b"\r\n;;g4", b"\r\nGood 4;;g4")
        .replace(b"not-an-address", b"g6@example.org")
        .replace(b"Twin mail;;g1@", b"Twin mail;;g8@")
        .replace(b"15OO", b"1500")
        .replace(b"L" * 400, b"Good 12")
    )
    assert bring(tournament, "bad_rows.csv", good) == ("done", 13, 0)
    assert bring(tournament, "bad_rows.csv", good) == ("done", 0, 13)


def test_ie_02_forty_rows_with_three_problems_come_in_whole_or_not_at_all() -> None:
    tournament = make_tournament()
    rows = [f"Player {row};p{row}@example.org" for row in range(1, 41)]
    bad = [*rows]
    bad[6], bad[19], bad[32] = ";p7@example.org", rows[2], f"{'L' * 400};p33@example.org"
    first = prepare(tournament, "forty.csv", "\n".join(["name;email", *bad]).encode())
    assert [(problem["line"], problem["code"]) for problem in first.problems] == [
        (8, "name_missing"),
        (21, "address_twice"),
        (34, "name_too_long"),
    ]
    refused = roster.confirm_import(import_id=first.pk, by=organiser(of=tournament), now=NOW)
    assert refused == Refused("import_has_problems", {"count": 3})
    assert (Entry.objects.count(), Player.objects.count()) == (0, 0)
    good = "\n".join(["name;email", *rows]).encode()
    assert bring(tournament, "forty.csv", good) == ("done", 40, 0)
    assert bring(tournament, "forty.csv", good) == ("done", 0, 40)
    assert (Entry.objects.count(), Player.objects.count()) == (40, 40)


# --- a long list


def test_a_thousand_rows_are_the_workers(django_assert_max_num_queries: Any) -> None:
    tournament = make_tournament()
    told: list[int] = []

    def tell(roster_import: int, **_: object) -> None:
        told.append(roster_import)

    import_confirmed.connect(tell)
    try:
        kept = confirm(prepare(tournament, "thousand.csv"))
        confirm(kept)
    finally:
        import_confirmed.disconnect(tell)
    assert (kept.state, told, roster.waiting_imports()) == ("waiting", [kept.pk], [kept.pk])
    assert (Entry.objects.count(), import_progress(import_id=kept.pk)) == (0, None)

    with django_assert_max_num_queries(100):  # in bulk: not a query a row
        done = roster.apply_import(import_id=kept.pk, now=LATER)
    assert isinstance(done, RosterImport)
    assert (done.state, done.added, done.already_there, done.done_at) == ("done", 1000, 0, LATER)
    assert (import_progress(import_id=kept.pk), roster.waiting_imports()) == ((1000, 1000), [])

    before = everything()
    changes = StageChange.objects.count()
    roster.apply_import(import_id=kept.pk, now=LATER)  # delivered again
    assert (everything() == before, StageChange.objects.count()) == (True, changes)
    again = confirm(prepare(tournament, "thousand.csv"))
    roster.apply_import(import_id=again.pk, now=LATER)
    again.refresh_from_db()
    assert (again.state, again.added, again.already_there) == ("done", 0, 1000)
    assert everything() == before
    verbs = Act.objects.filter(target=f"import/{kept.pk}").order_by("pk").values_list("verb", "role")
    assert list(verbs) == [
        ("prepare_import", "organiser"),
        ("confirm_import", "organiser"),
        ("import_roster", "system"),
    ]


def test_a_list_that_fails_half_way_leaves_nothing_behind() -> None:
    tournament = make_tournament()
    kept = confirm(prepare(tournament, "thousand.csv"))
    kept.rows[700]["rating"] = -1  # the database refuses it, with six hundred rows in already
    kept.save()
    with pytest.raises(IntegrityError):
        roster.apply_import(import_id=kept.pk, now=NOW)
    assert (Entry.objects.count(), Player.objects.count(), roster.waiting_imports()) == (0, 0, [kept.pk])


def test_a_roster_frozen_meanwhile_refuses_the_list_and_says_why() -> None:
    tournament = make_tournament()
    kept = confirm(prepare(tournament, "thousand.csv"))
    make_field(size=4, tournament=tournament)
    assert isinstance(start_tournament(tournament_id=tournament.pk, by=organiser(of=tournament), now=NOW), Tournament)
    refused = roster.apply_import(import_id=kept.pk, now=LATER)
    assert isinstance(refused, RosterImport)
    assert (refused.state, refused.added, refused.done_at) == ("refused", 0, LATER)
    assert refused.problems == [{"line": 0, "code": "roster_is_frozen", "params": {"state": "running"}}]
    assert (tournament.entries.count(), roster.waiting_imports()) == (4, [])


def test_a_roster_frozen_before_the_list_is_confirmed_refuses_it() -> None:
    tournament = make_tournament()
    make_field(size=4, tournament=tournament)
    kept = prepare(tournament, "starcon.csv")
    by = organiser(of=tournament)
    assert isinstance(start_tournament(tournament_id=tournament.pk, by=by, now=NOW), Tournament)
    frozen = Refused("roster_is_frozen", {"state": "running"})
    assert roster.confirm_import(import_id=kept.pk, by=by, now=NOW) == frozen
    reading = read_roster("starcon.csv", (ROSTERS / "starcon.csv").read_bytes())
    assert roster.prepare_import(tournament_id=tournament.pk, filename="x", by=by, now=NOW, **reading.facts()) == frozen


# --- who is there already


def test_confirming_twice_brings_it_once() -> None:
    tournament = make_tournament()
    kept = prepare(tournament, "starcon.csv")
    assert (confirm(kept).added, confirm(kept).added) == (37, 37)
    assert tournament.entries.count() == 37
    assert Act.objects.filter(verb="import_roster").count() == 1


def test_names_without_addresses_are_counted_within_the_file() -> None:
    tournament = make_tournament()
    data = b"name\nAnna\nBob\nANNA\n"
    assert bring(tournament, "list.csv", data) == ("done", 3, 0)
    assert bring(tournament, "list.csv", data) == ("done", 0, 3)
    assert bring(tournament, "list.csv", data + b"anna\n") == ("done", 1, 3)
    assert list(tournament.entries.order_by("pk").values_list("key", flat=True)) == [
        "name:anna#1",
        "name:bob#1",
        "name:anna#2",
        "name:anna#3",
    ]


def test_whoever_came_by_hand_is_found_again_by_the_same_key() -> None:
    tournament = make_tournament()
    make_entry(tournament=tournament, name="Anna")
    make_entry(tournament=tournament, name="Bob", email="bob@example.org")
    kept = prepare(tournament, "list.csv", b"name,email\nanna,\nRobert,BOB@example.org\nAnna,anna@example.org\n")
    assert (kept.added, kept.already_there, kept.source["same_names"]) == (1, 2, [4])


def test_whoever_is_there_already_without_a_place_is_named_by_line() -> None:
    tournament = make_tournament(capacity=2)
    plays, waits, left = (make_entry(tournament=tournament, name=name) for name in ("Anna", "Bob", "Cem"))
    Entry.objects.filter(pk=waits.pk).update(status="waiting", waiting_since=NOW)
    Entry.objects.filter(pk=left.pk).update(status="withdrawn")
    kept = prepare(tournament, "list.csv", b"name\nCem\nAnna\nBob\nDan\n")
    assert (kept.added, kept.already_there) == (1, 3)
    assert kept.source["placeless"] == [
        {"line": 2, "entry": left.pk, "status": "withdrawn"},
        {"line": 4, "entry": waits.pk, "status": "waiting"},
    ]
    confirm(kept)
    assert list(tournament.entries.filter(status="active").values_list("name", flat=True)) == ["Anna", "Dan"]
    assert plays.status == "active"


def test_a_corrected_spelling_does_not_bring_the_old_one_back() -> None:
    tournament = make_tournament()
    data = b"name\nSergey\n"
    bring(tournament, "list.csv", data)
    entry = tournament.entries.get()
    roster.edit_entry(entry_id=entry.pk, name="Sergei K.", by=organiser(of=tournament), now=NOW)
    assert bring(tournament, "list.csv", data) == ("done", 0, 1)


def test_known_addresses_are_known_players_and_a_player_is_on_a_roster_once() -> None:
    event = make_event()
    main, side = make_tournament(event=event, name="Main"), make_tournament(event=event, name="Side")
    anna = make_entry(tournament=main, name="Anna", email="anna@example.org")
    data = b"name,email\nAnne,anna@example.org\nBob,\n"
    assert bring(side, "list.csv", data) == ("done", 2, 0)
    assert side.entries.get(name="Anne").player_id == anna.player_id
    assert Player.objects.get(pk=anna.player_id).name == "Anne"
    # Their address is corrected in one tournament; the other still finds them under the new one.
    roster.edit_entry(entry_id=anna.pk, name="Anna", email="a@example.org", by=organiser(of=main), now=NOW)
    assert bring(side, "list.csv", b"name,email\nAnna,a@example.org\n") == ("done", 0, 1)


def test_an_import_nobody_made_is_unknown() -> None:
    by = organiser(of=make_event())
    unknown = Refused("import_unknown", {"import": 0}, status=404)
    assert roster.confirm_import(import_id=0, by=by, now=NOW) == unknown
    assert roster.apply_import(import_id=0, now=NOW) == unknown
