"""The roster on the desk: nobody twice, a mis-tap is taken back, the list keeps its order, and the start asks first."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from tests.factories import NOW, make_entry, make_field, make_tournament, organiser
from tests.tournaments.play import meetings, seeded
from tests.tournaments.views.desk import Page, desk_of, heading, page_text, running, said
from tournaments.actions import roster
from tournaments.models import Entry, Tournament
from tournaments.permissions import entry_token

pytestmark = pytest.mark.django_db


def at_check_in(*names: str) -> tuple[Tournament, dict[str, Entry]]:
    """A tournament whose check-in is open, and its players by name."""
    tournament = make_tournament()
    entries = {name: make_entry(tournament=tournament, name=name) for name in names}
    roster.open_check_in(tournament_id=tournament.pk, by=organiser(of=tournament), now=NOW)
    tournament.refresh_from_db()
    return tournament, entries


def names_in(response: Page) -> list[str]:
    """The names of the list in their order."""
    rows = re.findall(r'<tr role="row" id="entry-\d+">.*?</tr>', response.content.decode(), re.DOTALL)
    return [re.findall(r'<bdi class="name"[^>]*>(.*?)</bdi>', row)[0] for row in rows]


def list_of(tournament: Tournament, query: str = "") -> Page:
    return desk_of(tournament).get(reverse("roster", args=[tournament.pk]) + query)


def tap(tournament: Tournament, act: str, entry: Entry, **fields: str) -> Page:
    return desk_of(tournament).post(reverse(act, args=[tournament.pk, entry.pk]), fields)


# --- check-in


def test_a_tap_checks_in_and_leads_back_to_the_same_player_of_the_same_list() -> None:
    tournament, entries = at_check_in("Anna", "Bo")
    answer = tap(tournament, "entry_check_in", entries["Bo"], as_of="2027-05-22T10:00:00+00:00", q="b")
    entries["Bo"].refresh_from_db()
    assert entries["Bo"].checked_in_at is not None
    query = "?as_of=2027-05-22T10%3A00%3A00%2B00%3A00&q=b"
    assert answer.headers["Location"] == f"{reverse('roster', args=[tournament.pk])}{query}#entry-{entries['Bo'].pk}"

    tap(tournament, "entry_undo_check_in", entries["Bo"])
    entries["Bo"].refresh_from_db()
    assert entries["Bo"].checked_in_at is None


def test_the_missing_come_first_and_the_order_stays_while_people_are_checked_in() -> None:
    tournament, entries = at_check_in("Anna", "Bo", "Cid")
    tap(tournament, "entry_check_in", entries["Anna"])
    assert names_in(list_of(tournament)) == ["Bo", "Cid", "Anna"]

    began = (timezone.now() + timedelta(seconds=0)).isoformat()
    tap(tournament, "entry_check_in", entries["Bo"])
    kept = f"?as_of={began.replace('+', '%2B')}"
    assert names_in(list_of(tournament, kept)) == ["Bo", "Cid", "Anna"]
    assert names_in(list_of(tournament)) == ["Cid", "Anna", "Bo"]
    assert names_in(list_of(tournament, "?as_of=nonsense")) == ["Cid", "Anna", "Bo"]


def test_a_player_is_found_by_a_part_of_the_name_in_any_letter_case() -> None:
    tournament, _entries = at_check_in("Тень Дантуина", "Ёж с Татуина", "Kaija 🃏", "JUHANI")
    assert names_in(list_of(tournament, "?q=дан")) == ["Тень Дантуина"]
    assert names_in(list_of(tournament, "?q=ТАТУИ")) == ["Ёж с Татуина"]
    assert names_in(list_of(tournament, "?q=juh")) == ["JUHANI"]
    nobody = list_of(tournament, "?q=<b>")
    assert names_in(nobody) == []
    assert "Nobody called “&lt;b&gt;” is on the roster" in nobody.content.decode()


def test_a_long_list_shows_its_beginning_and_the_rest_when_asked_for() -> None:
    tournament = make_tournament()
    make_field(size=203, tournament=tournament, here=False)
    page = list_of(tournament)
    assert (len(names_in(page)), "3 more players" in page_text(page)) == (200, True)
    assert names_in(list_of(tournament, "?q=player 203")) == ["Player 203"]
    whole = list_of(tournament, "?all=1")
    assert (len(names_in(whole)), "more players" in page_text(whole)) == (203, False)
    last = tournament.entries.latest("pk")
    assert tap(tournament, "entry_undo_check_in", last, all="1").headers["Location"].endswith(f"?all=1#entry-{last.pk}")


def test_opening_closing_and_checking_all_in() -> None:
    tournament = make_tournament()
    make_field(size=3, tournament=tournament, here=False)
    client = desk_of(tournament)
    page = list_of(tournament)
    assert heading(page) == "Taking entries"
    assert "Open check-in for 3 players" in page_text(page)

    client.post(reverse("check_in_open", args=[tournament.pk]))
    assert heading(list_of(tournament)) == "Check-in is open"
    answer = client.post(reverse("check_in_all", args=[tournament.pk]))
    assert said(answer) == ["3 players were checked in."]
    client.post(reverse("check_in_close", args=[tournament.pk]))
    assert heading(list_of(tournament)) == "Taking entries"


def closing() -> tuple[Tournament, list[Entry]]:
    """Check-in is open and one of three is here."""
    tournament = make_tournament()
    entries = make_field(size=3, tournament=tournament, here=False)
    desk_of(tournament).post(reverse("check_in_open", args=[tournament.pk]))
    tap(tournament, "entry_check_in", entries[0])
    return tournament, entries


@pytest.mark.parametrize(
    ("by_themselves", "told"),
    [
        (True, "Players say that they are here: on their own page, or at the desk."),
        (False, "Players say at the desk that they are here."),
    ],
)
def test_the_desk_is_told_where_players_say_that_they_are_here(by_themselves: bool, told: str) -> None:
    tournament = make_tournament(self_check_in=by_themselves)
    roster.open_check_in(tournament_id=tournament.pk, by=organiser(of=tournament), now=NOW)
    page = desk_of(tournament).get(reverse("roster", args=[tournament.pk])).content.decode()
    assert re.findall(r"Players say [^<]+", page) == [told]


def test_closing_check_in_names_who_is_missing_and_one_press_lets_them_go() -> None:
    tournament, entries = closing()
    client, address = desk_of(tournament), reverse("check_in_close", args=[tournament.pk])
    page = client.get(address)
    assert heading(page) == "2 players are not here"
    assert "Player 02" in page_text(page)
    named = f"{entries[1].pk},{entries[2].pk}"
    assert f'name="named" value="{named}"' in page.content.decode()
    late = make_entry(tournament=tournament, name="On the list since")
    answer = client.post(address, {"missing": "drop", "named": named})
    assert said(answer) == ["Check-in is closed. 2 players were let go."]
    assert list(tournament.entries.order_by("pk").values_list("status", flat=True)) == [
        "active",
        "withdrawn",
        "withdrawn",
        "active",
    ]
    page = list_of(tournament)
    assert "2 players left before the start" in page_text(page)
    tap(tournament, "entry_check_in_after_all", entries[2])
    entries[2].refresh_from_db()
    assert (entries[2].status, entries[2].checked_in_at is not None) == ("active", True)
    assert late.status == "active"


def test_closing_check_in_keeps_them_where_the_organiser_says_so() -> None:
    tournament, entries = closing()
    client, address = desk_of(tournament), reverse("check_in_close", args=[tournament.pk])
    named = f"{entries[1].pk},{entries[2].pk}"
    assert said(client.post(address, {"missing": "keep", "named": named})) == ["Check-in is closed."]
    assert tournament.entries.filter(status="active").count() == 3
    assert heading(list_of(tournament)) == "Taking entries"


def test_everybody_is_here_so_nobody_is_asked_about_and_the_next_step_is_the_start() -> None:
    tournament, entries = closing()
    for entry in entries[1:]:
        tap(tournament, "entry_check_in", entry)
    client, address = desk_of(tournament), reverse("check_in_close", args=[tournament.pk])
    assert heading(client.get(address)) == "Everybody is here"
    client.post(address, {"missing": "keep"})
    assert "Start with 3 players and pair the first round" in page_text(list_of(tournament))


@pytest.mark.parametrize("wrong", [{"missing": "burn"}, {"missing": "drop", "named": "1,x"}, {"named": "9" * 30}])
def test_a_closing_that_cannot_be_read_changes_nothing(wrong: dict[str, str]) -> None:
    tournament, _entries = closing()
    assert desk_of(tournament).post(reverse("check_in_close", args=[tournament.pk]), wrong).status_code == 404
    assert heading(list_of(tournament)) == "Check-in is open"


def test_a_scanned_link_checks_in_and_a_code_of_nobody_stays_in_the_field() -> None:
    tournament, entries = closing()
    client, address = desk_of(tournament), reverse("roster_scan", args=[tournament.pk])
    token = entry_token(Entry.objects.get(pk=entries[1].pk))
    answer = client.post(address, {"code": f"https://cantina.test/p/{token}/"})
    assert (answer.headers["Location"], said(answer)) == (
        reverse("roster", args=[tournament.pk]) + "?scan=1#scan",
        ["Player 02 is here."],
    )
    wrong = client.post(address, {"code": "4006381333931"})
    assert wrong.status_code == 400
    assert 'value="4006381333931"' in wrong.content.decode()
    assert "This is nobody’s link in this tournament: 4006381333931" in page_text(wrong)


def test_after_the_start_nobody_checks_in_and_the_page_says_why() -> None:
    tournament = running(4)
    entry = tournament.entries.order_by("pk")[0]
    told = ["The tournament has started, so its roster stays as it is."]
    for act in ("entry_check_in", "entry_undo_check_in", "entry_remove"):
        answer = tap(tournament, act, entry)
        assert (answer.status_code, said(answer)) == (409, told)
    for act in ("check_in_open", "check_in_close", "check_in_all"):
        answer = desk_of(tournament).post(reverse(act, args=[tournament.pk]))
        assert (answer.status_code, said(answer)) == (409, told)
    assert heading(list_of(tournament)) == "Round 1 of 2 is being played"


# --- by hand


def add(tournament: Tournament, **typed: str) -> Page:
    return desk_of(tournament).post(reverse("entry_add", args=[tournament.pk]), typed)


def test_a_walk_in_is_put_on_the_roster_and_checked_in_at_once() -> None:
    tournament, _entries = at_check_in()
    answer = add(tournament, name="  Juhani ", city="Helsinki", rating="1620", here="on")
    entry = Entry.objects.get()
    assert (entry.name, entry.city, entry.rating, entry.checked_in_at is not None) == ("Juhani", "Helsinki", 1620, True)
    assert said(answer) == ["Juhani is on the roster."]
    assert answer.headers["Location"].endswith("#add")


@pytest.mark.parametrize(
    ("typed", "field", "told"),
    [
        ({"name": ""}, "name", "The name is missing."),
        ({"name": " \u200b\u202e "}, "name", "The name is missing."),
        ({"name": "x" * 121}, "name", "The name has 121 characters; 120 is the most."),
        ({"name": "Anna", "email": "anna"}, "email", "This is no address: anna"),
        ({"name": "Anna", "rating": "15OO"}, "rating", "The rating is no whole number from 0 to 9999: 15OO"),
        ({"name": "Anna", "city": "x" * 121}, "city", "The city has 121 characters; 120 is the most."),
    ],
)
def test_what_cannot_be_is_said_beside_its_field_and_stays_typed(typed: dict[str, str], field: str, told: str) -> None:
    tournament, _entries = at_check_in()
    answer = add(tournament, club="Кантина", **typed)
    assert (answer.status_code, Entry.objects.count()) == (400, 0)
    assert answer.context["walk_in"].errors == {field: [told]}
    assert 'value="Кантина"' in answer.content.decode()


def test_rc_04_the_same_address_in_other_letters_is_the_same_player() -> None:
    tournament, _entries = at_check_in()
    add(tournament, name="Anna", email="anna@example.org")
    answer = add(tournament, name="Anna K.", email="ANNA@Example.org")
    told = ["Whoever has this address is on the roster already: \u2068Anna\u2069."]
    assert (answer.status_code, answer.context["walk_in"].errors) == (409, {"email": told})
    assert Entry.objects.count() == 1


def test_rc_04_a_double_tap_on_the_same_name_is_asked_about() -> None:
    tournament, _entries = at_check_in()
    add(tournament, name="Скиталец", city="Москва")
    answer = add(tournament, name="скиталец", city="Казань")
    assert (answer.status_code, Entry.objects.count()) == (409, 1)
    page = answer.content.decode()
    assert "is on the roster already. If this is another person, say so below." in page
    assert 'name="name_again"' in page
    assert 'name="name_again"' not in list_of(tournament).content.decode()

    add(tournament, name="Скиталец", city="Казань", name_again="on")
    assert [str(entry) for entry in Entry.objects.order_by("pk")] == ["Скиталец (Москва)", "Скиталец (Казань)"]


def test_what_is_known_of_a_player_can_be_said_anew_and_a_mistake_taken_off() -> None:
    tournament, entries = at_check_in("Ana", "Bo")
    client, address = desk_of(tournament), reverse("entry_edit", args=[tournament.pk, entries["Ana"].pk])
    assert client.get(address).context["form"]["name"].value() == "Ana"
    answer = client.post(address, {"name": "Anna", "email": "anna@example.org", "rating": "1500"})
    entry = Entry.objects.select_related("player").get(pk=entries["Ana"].pk)
    assert (entry.name, entry.player.email, entry.rating) == ("Anna", "anna@example.org", 1500)
    assert answer.headers["Location"] == f"{reverse('roster', args=[tournament.pk])}#entry-{entry.pk}"

    wrong = client.post(address, {"name": "Anna", "rating": "many"})
    assert (wrong.status_code, list(wrong.context["form"].errors)) == (400, ["rating"])
    other = reverse("entry_edit", args=[tournament.pk, entries["Bo"].pk])
    taken = client.post(other, {"name": "Bo", "email": "anna@example.org"})
    assert (taken.status_code, list(taken.context["form"].errors)) == (409, ["email"])

    answer = tap(tournament, "entry_remove", entries["Bo"])
    assert said(answer) == ["Bo is off the roster."]
    assert names_in(list_of(tournament)) == ["Anna"]


def test_after_the_start_a_name_can_be_set_right_and_a_rating_stays() -> None:
    tournament = running(2)
    entry = tournament.entries.order_by("pk")[0]
    address = reverse("entry_edit", args=[tournament.pk, entry.pk])
    sent = {"name": "Player One", "rating": "1", "email": "other@example.org"}
    assert desk_of(tournament).post(address, sent).status_code == 302
    entry = Entry.objects.select_related("player").get(pk=entry.pk)
    assert (entry.name, entry.rating, entry.player.email) == ("Player One", 2000, "")


# --- the start


def start(tournament: Tournament, **fields: str) -> Page:
    return desk_of(tournament).post(reverse("start", args=[tournament.pk]), fields)


def test_rc_06_the_start_names_whom_it_leaves_out_and_closes_the_gaps_in_the_seeds() -> None:
    tournament = make_tournament(format="single_elimination", seeding="hand")
    entries = [make_entry(tournament=tournament, name=f"Seed {n}") for n in range(1, 9)]
    by = organiser(of=tournament)
    order = [entry.pk for entry in entries]
    roster.set_hand_seeds(tournament_id=tournament.pk, order=order, by=by, now=NOW)
    roster.open_check_in(tournament_id=tournament.pk, by=by, now=NOW)
    for entry in entries:
        if entry.name not in ("Seed 3", "Seed 5"):
            roster.check_in(entry_id=entry.pk, by=by, now=NOW)

    page = list_of(tournament)
    text = page_text(page)
    assert "Start with 6 players and pair the first round" in text
    assert "2 players are not here yet. Seed 3 and Seed 5" in text
    missing = f"{entries[2].pk},{entries[4].pk}"
    assert f'name="leaving_out" value="{missing}"' in page.content.decode()

    start(tournament, leaving_out=missing)
    assert seeded(tournament) == ["Seed 1", "Seed 2", "Seed 4", "Seed 6", "Seed 7", "Seed 8"]
    assert meetings(tournament, 1) == [
        ("Seed 1", None),
        ("Seed 6", "Seed 7"),
        ("Seed 2", None),
        ("Seed 4", "Seed 8"),
    ]
    assert [entry.hand_seed for entry in tournament.entries.order_by("pk")] == [1, 2, 3, 4, 5, 6, 7, 8]


def test_whoever_came_or_left_meanwhile_is_told_of_before_anything_starts() -> None:
    tournament, entries = at_check_in("Anna", "Bo", "Cid", "Dee")
    for name in ("Anna", "Bo"):
        tap(tournament, "entry_check_in", entries[name])
    answer = start(tournament, leaving_out=str(entries["Dee"].pk))
    tournament.refresh_from_db()
    assert (answer.status_code, tournament.state) == (409, "check_in")
    left_out = "\u2068Cid\u2069, \u2068Dee\u2069"
    told = f"The roster has changed while you were looking. Left out would be: {left_out}. Look again, then start."
    assert said(answer) == [told]
    start(tournament, leaving_out=f"{entries['Dee'].pk},{entries['Cid'].pk}")
    tournament.refresh_from_db()
    assert tournament.state == "running"


def test_a_start_that_was_not_told_whom_it_leaves_out_leaves_nobody_out() -> None:
    tournament, entries = at_check_in("Anna", "Bo", "Cid")
    for name in ("Anna", "Bo"):
        tap(tournament, "entry_check_in", entries[name])
    for sent in ("", "x", str(entries["Anna"].pk)):
        assert start(tournament, leaving_out=sent).status_code == 409
    tournament.refresh_from_db()
    assert tournament.state == "check_in"


def test_too_few_are_told_before_the_button_and_after_it() -> None:
    tournament, entries = at_check_in("Anna", "Bo")
    tap(tournament, "entry_check_in", entries["Anna"])
    assert "At least 2 players must be here, and 1 are." in page_text(list_of(tournament))
    answer = start(tournament, leaving_out=str(entries["Bo"].pk))
    assert said(answer) == ["At least 2 players must be checked in, and 1 are."]


# --- leaving and coming back


def test_a_player_leaves_and_comes_back_by_one_tap_each() -> None:
    tournament = running(4)
    entry = tournament.entries.order_by("pk")[0]
    answer = tap(tournament, "withdraw", entry)
    entry.refresh_from_db()
    assert (entry.status, answer.status_code) == ("withdrawn", 302)
    assert said(answer)[0].startswith("Player 01 has left and is not paired any more.")
    assert "Is back" in page_text(list_of(tournament))

    twice = tap(tournament, "withdraw", entry)
    assert (twice.status_code, said(twice)) == (409, ["This player has left already."])
    answer = tap(tournament, "return_entry", entry)
    entry.refresh_from_db()
    assert (entry.status, said(answer)) == ("active", ["Player 01 is paired again from the next round on."])


# --- seeds by hand


def test_the_order_by_hand_is_told_by_places_and_gaps_do_not_matter() -> None:
    tournament = make_tournament(seeding="hand")
    first, second, third = make_field(size=3, tournament=tournament, here=False)
    client, address = desk_of(tournament), reverse("seeds", args=[tournament.pk])
    assert [entry.pk for entry, _field in client.get(address).context["form"].rows()] == [first.pk, second.pk, third.pk]
    client.post(address, {f"place-{third.pk}": "1", f"place-{first.pk}": "7"})
    assert list(tournament.entries.order_by("pk").values_list("hand_seed", flat=True)) == [2, None, 1]

    wrong = client.post(address, {f"place-{third.pk}": "1", f"place-{first.pk}": "1"})
    assert (wrong.status_code, "This place is given twice." in page_text(wrong)) == (400, True)
    assert list(tournament.entries.order_by("pk").values_list("hand_seed", flat=True)) == [2, None, 1]


def test_a_part_of_the_roster_keeps_its_filter_and_is_spared_while_nothing_changes() -> None:
    tournament, _entries = at_check_in("Anna", "Bo")
    first = list_of(tournament, "?part=roster&q=an")
    assert (names_in(first), "<html" in first.content.decode()) == (["Anna"], False)
    again = desk_of(tournament).get(
        reverse("roster", args=[tournament.pk]) + "?part=roster&q=an",
        headers={"If-None-Match": first.headers["ETag"]},
    )
    assert (again.status_code, again.content) == (304, b"")
