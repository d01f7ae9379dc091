"""The roster by hand: who is put on it, who turns out to be there already, and how same names are told apart."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import pytest
from django.db import connection

from players.models import Act, Player
from players.permissions import Refused, Role
from tests.factories import NOW, make_account, make_entry, make_event, make_field, make_tournament, organiser
from tournaments.actions import roster
from tournaments.actions.rounds import start_tournament
from tournaments.models import Entry, Membership, StageChange, Tournament

pytestmark = [pytest.mark.django_db, pytest.mark.db]


def add(tournament: Tournament, name: str, **facts: Any) -> Entry | Refused:
    return roster.add_entry(tournament_id=tournament.pk, name=name, by=organiser(of=tournament), now=NOW, **facts)


def edit(entry: Entry, **facts: Any) -> Entry | Refused:
    said = {
        "name": entry.name,
        "email": entry.player.email,
        "city": entry.city,
        "club": entry.club,
        "rating": entry.rating,
    }
    by = organiser(of=entry.tournament)
    return roster.edit_entry(entry_id=entry.pk, by=by, now=NOW, **(said | facts))


def shown(tournament: Tournament) -> list[str]:
    return [entry.display_name for entry in tournament.entries.order_by("pk")]


def started(tournament: Tournament) -> Tournament:
    make_field(size=4, tournament=tournament)
    result = start_tournament(tournament_id=tournament.pk, by=organiser(of=tournament), now=NOW)
    assert not isinstance(result, Refused), result
    return result


# --- somebody comes to the desk


def test_a_walk_in_is_on_the_roster_and_a_new_player() -> None:
    tournament = make_tournament()
    entry = add(
        tournament, "  Ske\u200btal ", email="Ann@Example.ORG", city=" Riga ", club="Taris", rating="1500", here=True
    )
    assert isinstance(entry, Entry)
    assert (entry.name, entry.city, entry.club, entry.rating) == ("Sketal", "Riga", "Taris", 1500)
    assert (entry.key, entry.mark, entry.checked_in_at) == ("mail:ann@example.org", "", NOW)
    assert (entry.player.name, entry.player.email, entry.player.owner) == (
        "Sketal",
        "ann@example.org",
        tournament.event.owner,
    )
    act = Act.objects.get(verb="add_entry")
    assert (act.target, act.tournament, act.event) == (f"entry/{entry.pk}", tournament.pk, tournament.event_id)
    assert act.after == {"name": "Sketal", "city": "Riga", "club": "Taris", "rating": 1500}
    assert list(StageChange.objects.values_list("what", flat=True)) == ["roster"]


@pytest.mark.parametrize(
    ("facts", "refusal"),
    [
        ({"name": "\u200b"}, Refused("name_missing", status=400)),
        ({"name": "x" * 121}, Refused("name_too_long", {"length": 121, "limit": 120}, status=400)),
        ({"name": "A", "email": "nobody"}, Refused("email_invalid", {"value": "nobody"}, status=400)),
        ({"name": "A", "city": "x" * 121}, Refused("city_too_long", {"length": 121, "limit": 120}, status=400)),
        ({"name": "A", "rating": 10_000}, Refused("rating_invalid", {"value": "10000", "limit": 9999}, status=400)),
        ({"name": "A", "rating": -1}, Refused("rating_invalid", {"value": "-1", "limit": 9999}, status=400)),
    ],
)
def test_what_cannot_be_is_refused_and_nothing_is_written(facts: dict[str, Any], refusal: Refused) -> None:
    tournament = make_tournament()
    assert add(tournament, **facts) == refusal
    assert (Entry.objects.count(), Player.objects.count(), StageChange.objects.count()) == (0, 0, 0)


def test_the_longest_name_and_the_longest_folded_name_have_room() -> None:
    tournament = make_tournament()
    entry = add(tournament, "\ufdfa" * 120)  # each sign folds to eighteen letters
    assert isinstance(entry, Entry)
    assert len(entry.key) <= 300
    assert add(tournament, "\ufdfa" * 120) == Refused("same_name", {"name": "\ufdfa" * 120, "entries": [entry.pk]})


# --- the same person twice


def test_the_same_address_in_other_letters_is_the_same_person() -> None:
    tournament = make_tournament()
    entry = make_entry(tournament=tournament, name="Скиталец", email="Wander@Example.org")
    assert add(tournament, "Wanderer", email="WANDER@example.org") == Refused(
        "already_entered", {"entry": entry.pk, "name": "Скиталец"}
    )
    assert (Entry.objects.count(), Player.objects.count()) == (1, 1)


def test_a_second_press_asks_whether_it_is_another_person() -> None:
    tournament = make_tournament()
    entry = make_entry(tournament=tournament, name="Étienne")
    assert add(tournament, "E\u0301TIENNE") == Refused("same_name", {"name": "ÉTIENNE", "entries": [entry.pk]})
    another = add(tournament, "E\u0301TIENNE", name_again=True)
    assert isinstance(another, Entry)
    assert (entry.key, another.key) == ("name:étienne#1", "name:étienne#2")
    assert another.player_id != entry.player_id


def test_one_address_does_not_tell_two_names_apart() -> None:
    tournament = make_tournament()
    entry = make_entry(tournament=tournament, name="Anna")
    assert add(tournament, "Anna", email="anna@example.org") == Refused(
        "same_name", {"name": "Anna", "entries": [entry.pk]}
    )


@pytest.mark.django_db(transaction=True)
def test_two_desks_adding_one_address_at_once_make_one_entry() -> None:
    tournament = make_tournament()
    both = Barrier(2)

    def desk(email: str) -> Entry | Refused:
        both.wait()
        try:
            return add(tournament, "Anna", email=email)
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as pool:
        results = list(pool.map(desk, ["anna@example.org", "ANNA@example.org"]))
    (entry,) = [result for result in results if isinstance(result, Entry)]
    (refused,) = [result for result in results if isinstance(result, Refused)]
    assert refused == Refused("already_entered", {"entry": entry.pk, "name": "Anna"})
    assert (Entry.objects.count(), Player.objects.count()) == (1, 1)


@pytest.mark.django_db(transaction=True)
def test_two_tournaments_adding_one_new_address_at_once_make_one_player() -> None:
    event = make_event()
    tournaments = [make_tournament(event=event, name="Main"), make_tournament(event=event, name="Side")]
    both = Barrier(2)

    def desk(tournament: Tournament) -> Entry | Refused:
        both.wait()
        try:
            return add(tournament, "Anna", email="anna@example.org")
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as pool:
        entries = list(pool.map(desk, tournaments))
    assert Player.objects.count() == 1
    assert [entry.tournament_id for entry in entries if isinstance(entry, Entry)] == [t.pk for t in tournaments]


# --- the same person in another tournament


def test_an_address_the_organisers_know_is_that_player_under_the_newest_name() -> None:
    owner = make_account()
    first = make_entry(
        tournament=make_tournament(event=make_event(owner=owner)), name="Sergei K.", email="s@example.org"
    )
    again = make_entry(
        tournament=make_tournament(event=make_event(owner=owner)), name="Sergei Kh.", email="S@example.org"
    )
    assert again.player_id == first.player_id
    first.refresh_from_db()
    assert (first.name, again.name, first.player.name) == ("Sergei K.", "Sergei Kh.", "Sergei Kh.")


def test_an_address_a_fellow_organiser_knows_is_their_player() -> None:
    known = make_entry(tournament=make_tournament(), name="Anna", email="a@example.org")
    event = make_event()
    Membership.objects.create(event=event, account=known.player.owner, role=Role.ORGANISER)
    assert (
        make_entry(tournament=make_tournament(event=event), name="Anna", email="a@example.org").player_id
        == known.player_id
    )


def test_an_address_only_strangers_know_is_a_new_player() -> None:
    known = make_entry(tournament=make_tournament(), name="Anna", email="a@example.org")
    other = make_entry(tournament=make_tournament(), name="Anna", email="a@example.org")
    assert other.player_id != known.player_id


def test_no_address_is_a_new_player_each_time() -> None:
    event = make_event()
    first = make_entry(tournament=make_tournament(event=event), name="Anna")
    again = make_entry(tournament=make_tournament(event=event), name="Anna")
    assert first.player_id != again.player_id


# --- same names on one roster


def test_same_names_are_told_apart_by_city_else_club_else_number() -> None:
    tournament = make_tournament()
    petrov = make_entry(tournament=tournament, name="Иван Петров", email="1@example.org", city="Казань", club="Taris")
    assert shown(tournament) == ["Иван Петров"]
    second = make_entry(tournament=tournament, name="ИВАН ПЕТРОВ", email="2@example.org", city="Riga", club="Onderon")
    assert second.display_name == "ИВАН ПЕТРОВ (Riga)"
    assert shown(tournament) == ["Иван Петров (Казань)", "ИВАН ПЕТРОВ (Riga)"]
    edit(second, city="КАЗАНЬ")
    assert shown(tournament) == ["Иван Петров (Taris)", "ИВАН ПЕТРОВ (Onderon)"]
    edit(second, city="КАЗАНЬ", club="")
    assert shown(tournament) == ["Иван Петров (#1)", "ИВАН ПЕТРОВ (#2)"]
    roster.remove_entry(entry_id=petrov.pk, by=organiser(of=tournament), now=NOW)
    assert shown(tournament) == ["ИВАН ПЕТРОВ"]


def test_composed_and_decomposed_names_are_the_same_name() -> None:
    tournament = make_tournament()
    make_entry(tournament=tournament, name="Йода")
    make_entry(tournament=tournament, name="И\u0306ода", name_again=True)
    assert shown(tournament) == ["Йода (#1)", "Йода (#2)"]


# --- corrections


def test_a_corrected_name_is_the_players_newest_and_keeps_the_key() -> None:
    entry = make_entry(tournament=make_tournament(), name="Sergey")
    edited = edit(entry, name="Sergei K.", rating="1620")
    assert isinstance(edited, Entry)
    assert (edited.name, edited.rating, edited.key) == ("Sergei K.", 1620, "name:sergey#1")
    assert edited.player.name == "Sergei K."
    act = Act.objects.get(verb="edit_entry")
    assert act.before == {"name": "Sergey", "city": "", "club": "", "rating": None}
    assert act.after == {"name": "Sergei K.", "city": "", "club": "", "rating": 1620}


def test_a_correction_here_leaves_the_name_they_chose_elsewhere() -> None:
    event = make_event()
    entry = make_entry(tournament=make_tournament(event=event), name="Sergei K.", email="s@example.org")
    make_entry(tournament=make_tournament(event=event), name="xX_dark_Xx", email="s@example.org")
    entry.refresh_from_db()
    edited = edit(entry, name="Sergei Kh.")
    assert isinstance(edited, Entry)
    assert (edited.name, edited.player.name) == ("Sergei Kh.", "xX_dark_Xx")


def test_an_address_learnt_later_becomes_the_key() -> None:
    tournament = make_tournament()
    entry = make_entry(tournament=tournament, name="Anna")
    edited = edit(entry, email="Anna@example.org")
    assert isinstance(edited, Entry)
    assert (edited.key, edited.player.email) == ("mail:anna@example.org", "anna@example.org")
    assert add(tournament, "Anna", email="anna@example.org") == Refused(
        "already_entered", {"entry": entry.pk, "name": "Anna"}
    )
    forgotten = edit(edited, email="")
    assert isinstance(forgotten, Entry)
    assert (forgotten.key, forgotten.player.email) == ("name:anna#1", "")


def test_the_address_of_a_known_player_makes_the_entry_theirs() -> None:
    event = make_event()
    known = make_entry(tournament=make_tournament(event=event), name="Anna", email="anna@example.org")
    entry = make_entry(tournament=make_tournament(event=event), name="Anna")
    edited = edit(entry, email="anna@example.org")
    assert isinstance(edited, Entry)
    assert (edited.player_id, edited.key) == (known.player_id, "mail:anna@example.org")
    assert list(Player.objects.values_list("pk", flat=True)) == [known.player_id]


def test_the_address_of_somebody_on_this_roster_is_theirs() -> None:
    tournament = make_tournament()
    anna = make_entry(tournament=tournament, name="Anna", email="anna@example.org")
    entry = make_entry(tournament=tournament, name="Bob", email="bob@example.org")
    assert edit(entry, email="anna@example.org") == Refused("already_entered", {"entry": anna.pk, "name": "Anna"})


def test_an_address_their_keeper_has_for_another_player_is_taken() -> None:
    fellow = make_account()
    make_entry(tournament=make_tournament(event=make_event(owner=fellow)), name="Bob", email="bob@example.org")
    theirs = make_entry(
        tournament=make_tournament(event=make_event(owner=fellow)), name="Anna", email="anna@example.org"
    )
    event = make_event()
    membership = Membership.objects.create(event=event, account=fellow, role=Role.ORGANISER)
    entry = make_entry(tournament=make_tournament(event=event), name="Anna", email="anna@example.org")
    assert entry.player_id == theirs.player_id
    membership.delete()  # the fellow has left: their other players are not looked among any more
    assert edit(entry, email="bob@example.org") == Refused("address_taken", {"value": "bob@example.org"})


# --- leaving, and the start


def test_whoever_is_taken_off_is_forgotten_unless_known_from_elsewhere() -> None:
    event = make_event()
    by = organiser(of=event)
    elsewhere = make_entry(tournament=make_tournament(event=event), name="Anna", email="anna@example.org")
    tournament = make_tournament(event=event)
    for entry in (
        make_entry(tournament=tournament, name="Anna", email="anna@example.org"),
        make_entry(tournament=tournament, name="Bob"),
    ):
        assert roster.remove_entry(entry_id=entry.pk, by=by, now=NOW) is None
    assert list(Player.objects.values_list("pk", flat=True)) == [elsewhere.player_id]
    assert [act.before["name"] for act in Act.objects.filter(verb="remove_entry").order_by("pk")] == ["Anna", "Bob"]
    assert roster.remove_entry(entry_id=entry.pk, by=by, now=NOW) == Refused(
        "entry_unknown", {"entry": entry.pk}, status=404
    )


def test_the_start_freezes_the_roster_but_not_the_spelling() -> None:
    tournament = make_tournament()
    frozen = Refused("roster_is_frozen", {"state": "running"})
    by = organiser(of=started(tournament))
    entry = tournament.entries.order_by("pk")[0]
    assert add(tournament, "Late") == frozen
    assert roster.remove_entry(entry_id=entry.pk, by=by, now=NOW) == frozen
    assert roster.set_hand_seeds(tournament_id=tournament.pk, order=[entry.pk], by=by, now=NOW) == frozen
    assert edit(entry, rating=1) == frozen
    assert edit(entry, email="new@example.org") == frozen
    edited = edit(entry, name="Sergei K.", city="Riga", club="Taris")
    assert isinstance(edited, Entry)
    assert (edited.name, edited.city, edited.club) == ("Sergei K.", "Riga", "Taris")


def test_an_unknown_tournament_is_said_to_be_unknown() -> None:
    tournament = make_tournament()
    by = organiser(of=tournament)
    assert roster.add_entry(tournament_id=0, name="A", by=by, now=NOW) == Refused(
        "tournament_unknown", {"tournament": 0}, status=404
    )


# --- order by hand


def test_places_by_hand_are_given_and_taken_away() -> None:
    tournament = make_tournament()
    a, b, c = (entry.pk for entry in make_field(size=3, tournament=tournament))
    by = organiser(of=tournament)

    def places(order: list[int]) -> list[int | None]:
        result = roster.set_hand_seeds(tournament_id=tournament.pk, order=order, by=by, now=NOW)
        assert not isinstance(result, Refused), result
        assert [entry.pk for entry in result] == order
        return list(tournament.entries.order_by("pk").values_list("hand_seed", flat=True))

    assert places([c, a, b]) == [2, 3, 1]
    assert places([b]) == [None, 1, None]
    assert roster.set_hand_seeds(tournament_id=tournament.pk, order=[a, a], by=by, now=NOW) == Refused(
        "entry_twice", {"entry": a}, status=400
    )
    assert roster.set_hand_seeds(tournament_id=tournament.pk, order=[a, 0], by=by, now=NOW) == Refused(
        "entry_unknown", {"entry": 0}, status=404
    )
    assert list(tournament.entries.order_by("pk").values_list("hand_seed", flat=True)) == [None, 1, None]
