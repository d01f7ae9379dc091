"""Players register themselves: places counted under a lock, those beyond them wait in order and move up."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from itertools import count
from typing import Any

import pytest
from django.db import connections

from players.models import Act, Player
from players.permissions import Refused
from tests.factories import NOW, make_entry, make_event, make_tournament, organiser
from tests.tournaments.at_once import one_behind_the_other
from tournaments.actions import events, registration, roster
from tournaments.actions.events import TournamentFacts
from tournaments.actions.registration import LinkMailed
from tournaments.actions.rounds import start_tournament
from tournaments.models import Entry, Notice, Tournament
from tournaments.permissions import actor_of_entry
from tournaments.queries.registration import places_left, waiting_list, waiting_place

pytestmark = [pytest.mark.django_db, pytest.mark.db]

MINUTE = timedelta(minutes=1)
_keys = count(1)


def opened(**facts: Any) -> Tournament:
    """A tournament that takes registrations."""
    return make_tournament(**({"registration": True} | facts))


def sign_up(tournament: Tournament, name: str, *, now: datetime = NOW, **facts: Any) -> Any:
    said: dict[str, Any] = {"is_shown": True, "language": "en", "key": f"one-time-key-{next(_keys)}"}
    return registration.register(tournament_id=tournament.pk, name=name, now=now, **(said | facts))


def entered(tournament: Tournament, name: str, **facts: Any) -> Entry:
    entry = sign_up(tournament, name, **facts)
    assert isinstance(entry, Entry), entry
    return entry


def by_self(act: Any, entry: Entry, *, now: datetime = NOW, **facts: Any) -> Any:
    return act(entry_id=entry.pk, by=actor_of_entry(entry), now=now, **facts)


def leave(entry: Entry, *, now: datetime = NOW) -> Any:
    return by_self(registration.withdraw_own, entry, now=now)


def come_back(entry: Entry, *, now: datetime = NOW) -> Any:
    return by_self(registration.register_again, entry, now=now)


def change(entry: Entry, *, now: datetime = NOW, **facts: Any) -> Any:
    said: dict[str, Any] = {"name": entry.name, "email": entry.player.email, "city": entry.city, "club": entry.club}
    said |= {"is_shown": entry.is_shown, "language": entry.language}
    return by_self(registration.change_own, entry, now=now, **(said | facts))


def playing(tournament: Tournament) -> list[str]:
    return list(tournament.entries.filter(status="active").order_by("pk").values_list("name", flat=True))


def waiting(tournament: Tournament) -> list[str]:
    return [entry.name for entry in waiting_list(tournament=tournament)]


def told(entry: Entry) -> list[str]:
    return list(Notice.objects.filter(entry=entry).order_by("pk").values_list("kind", flat=True))


def started(tournament: Tournament) -> None:
    by = organiser(of=tournament)
    roster.check_in_all(tournament_id=tournament.pk, by=by, now=NOW)
    outcome = start_tournament(tournament_id=tournament.pk, by=by, now=NOW)
    assert isinstance(outcome, Tournament), outcome


# --- somebody registers


def test_a_nickname_suffices() -> None:
    tournament = opened()
    entry = entered(tournament, "  Ske\u200btal ", language="ru")
    assert (entry.name, entry.status, entry.is_shown, entry.language) == ("Sketal", "active", True, "ru")
    assert (entry.player.name, entry.player.email, entry.player.owner) == ("Sketal", "", tournament.event.owner)
    assert told(entry) == ["registered"]
    act = Act.objects.latest("pk")
    assert (act.verb, act.role, act.who, act.target) == ("register", "player", "Sketal", f"entry/{entry.pk}")


def test_an_address_is_kept_in_small_letters_and_out_of_the_log() -> None:
    entry = entered(opened(), "Ann", email=" Ann@Example.ORG ", city="Riga", club="Taris")
    assert (entry.player.email, entry.key, entry.city, entry.club) == (
        "ann@example.org",
        "mail:ann@example.org",
        "Riga",
        "Taris",
    )
    assert "ann@example.org" not in repr(list(Act.objects.values()))


@pytest.mark.parametrize(
    ("facts", "refusal"),
    [
        ({"name": "\u200b"}, Refused("name_missing", status=400)),
        ({"name": "   "}, Refused("name_missing", status=400)),
        ({"name": "Ann", "email": "ann"}, Refused("email_invalid", {"value": "ann"}, status=400)),
        ({"name": "x" * 121}, Refused("name_too_long", {"length": 121, "limit": 120}, status=400)),
    ],
    ids=["nothing visible", "spaces", "no address", "too long"],
)
def test_na_02_what_cannot_be_a_name_or_an_address_is_refused(facts: dict[str, Any], refusal: Refused) -> None:
    tournament = opened()
    assert sign_up(tournament, **facts) == refusal
    assert tournament.entries.count() == 0


@pytest.mark.parametrize(
    ("first", "again"),
    [("\u00c9tienne", "E\u0301tienne"), ("Йода", "Й\u043eда".replace("Й", "И\u0306")), ("Anna", "An\u200bna")],
    ids=["composed", "cyrillic", "zero width"],
)
def test_na_02_the_same_name_in_another_form_asks_whether_it_is_you(first: str, again: str) -> None:
    tournament = opened()
    entered(tournament, first)
    assert sign_up(tournament, again) == Refused("name_registered", {"name": first})
    assert isinstance(sign_up(tournament, again, name_again=True), Entry)
    assert [entry.staff_name for entry in tournament.entries.order_by("pk")] == [f"{first} (#1)", f"{first} (#2)"]


def test_a_hidden_name_is_not_given_away_by_asking_about_it() -> None:
    tournament = opened()
    hidden = entered(tournament, "Revan", is_shown=False)
    assert isinstance(sign_up(tournament, "Revan"), Entry)
    assert (hidden.display_name, hidden.staff_name) == (f"Player {hidden.pk}", "Revan")


# --- when


@pytest.mark.parametrize(
    ("facts", "code"),
    [
        ({"registration": False}, "registration_off"),
        ({"registration_opens_at": NOW + MINUTE}, "registration_not_yet"),
        ({"registration_closes_at": NOW}, "registration_closed"),
    ],
)
def test_outside_of_its_window_nobody_registers(facts: dict[str, Any], code: str) -> None:
    tournament = opened(**facts)
    assert sign_up(tournament, "Ann") == Refused(code)
    assert tournament.entries.count() == 0


def test_from_the_first_instant_to_the_last_everybody_does() -> None:
    tournament = opened(registration_opens_at=NOW, registration_closes_at=NOW + MINUTE)
    entered(tournament, "First", now=NOW)
    entered(tournament, "Last", now=NOW + MINUTE - timedelta(microseconds=1))
    assert playing(tournament) == ["First", "Last"]


def test_after_the_start_nobody_registers() -> None:
    tournament = opened()
    entered(tournament, "Ann")
    entered(tournament, "Ben")
    started(tournament)
    assert sign_up(tournament, "Cem") == Refused("registration_closed")


def test_an_unknown_tournament() -> None:
    assert registration.register(
        tournament_id=404, name="Ann", is_shown=True, language="en", key="a-key-of-its-own", now=NOW
    ) == Refused("tournament_unknown", {"tournament": 404}, status=404)


# --- the same person twice


def test_rc_04_the_same_form_sent_twice_is_one_entry() -> None:
    tournament = opened()
    first = sign_up(tournament, "Ann", key="pressed-twice")
    assert sign_up(tournament, "Ann", key="pressed-twice") == first
    assert (tournament.entries.count(), told(first)) == (1, ["registered"])


def test_the_same_form_for_somebody_else_is_somebody_else() -> None:
    tournament = opened()
    first = sign_up(tournament, "Ann", key="pressed-twice")
    second = sign_up(tournament, "Ben", key="pressed-twice")
    assert (second.name, second.pk == first.pk) == ("Ben", False)


def test_rc_04_the_same_address_in_other_letters_is_mailed_its_link_and_shown_none() -> None:
    tournament = opened()
    by_staff = make_entry(tournament=tournament, name="Ann", email="ann@example.org")
    assert sign_up(tournament, "Somebody", email="ANN@example.org") == LinkMailed()
    assert sign_up(tournament, "Somebody", email="Ann@Example.org") == LinkMailed()
    assert (tournament.entries.count(), Player.objects.count()) == (1, 1)
    assert told(by_staff) == ["link"]  # once an hour, however often somebody asks
    assert sign_up(tournament, "Ann", email="ann@example.org", now=NOW + 60 * MINUTE) == LinkMailed()
    assert told(by_staff) == ["link", "link"]


def test_a_player_the_organisers_know_by_address_is_that_player_under_the_name_they_are_known_by() -> None:
    event = make_event()
    before = make_entry(tournament=make_tournament(event=event), name="Ann", email="ann@example.org")
    entry = entered(opened(event=event), "Annie", email="Ann@example.org")
    assert (entry.player, entry.player.name, entry.name) == (before.player, "Ann", "Annie")


# --- places


def test_beyond_the_places_people_wait_in_order() -> None:
    tournament = opened(capacity=2)
    everybody = [entered(tournament, name) for name in ("Ann", "Ben", "Cem", "Dia")]
    assert (playing(tournament), waiting(tournament)) == (["Ann", "Ben"], ["Cem", "Dia"])
    assert [waiting_place(entry=entry) for entry in everybody] == [0, 0, 1, 2]
    assert [told(entry) for entry in everybody] == [["registered"], ["registered"], ["waiting"], ["waiting"]]


def test_the_list_is_in_the_order_of_the_commits_whatever_the_clocks_said() -> None:
    tournament = opened(capacity=1)
    entered(tournament, "Ann")
    entered(tournament, "Ben", now=NOW + MINUTE)
    entered(tournament, "Cem", now=NOW)
    assert waiting(tournament) == ["Ben", "Cem"]


def test_a_free_place_is_the_first_ones_who_waits() -> None:
    tournament = opened(capacity=2)
    ann, _ben, cem, dia = (entered(tournament, name) for name in ("Ann", "Ben", "Cem", "Dia"))
    left = leave(ann)
    assert (left.status, left.is_gone) == ("withdrawn", True)
    assert (playing(tournament), waiting(tournament)) == (["Ben", "Cem"], ["Dia"])
    assert (told(cem), told(dia)) == (["waiting", "promoted"], ["waiting"])
    verbs = list(Act.objects.order_by("-pk").values_list("verb", "role", "target")[:2])
    assert verbs == [
        ("withdraw_entry", "player", f"entry/{ann.pk}"),
        ("promote_entry", "system", f"entry/{cem.pk}"),
    ]


def test_whoever_stops_waiting_frees_no_place() -> None:
    tournament = opened(capacity=1)
    _ann, ben, _cem = (entered(tournament, name) for name in ("Ann", "Ben", "Cem"))
    leave(ben)
    assert (playing(tournament), waiting(tournament)) == (["Ann"], ["Cem"])


def test_a_player_taken_off_the_roster_frees_a_place() -> None:
    tournament = opened(capacity=1)
    ann, _ben = entered(tournament, "Ann"), entered(tournament, "Ben")
    roster.remove_entry(entry_id=ann.pk, by=organiser(of=tournament), now=NOW)
    assert (playing(tournament), waiting(tournament)) == (["Ben"], [])


@pytest.mark.parametrize(("capacity", "moved"), [(3, ["Ann", "Ben", "Cem"]), (None, ["Ann", "Ben", "Cem", "Dia"])])
def test_more_places_are_given_to_those_who_wait(capacity: int | None, moved: list[str]) -> None:
    tournament = opened(capacity=1)
    for name in ("Ann", "Ben", "Cem", "Dia"):
        entered(tournament, name)
    facts = TournamentFacts(name="Main", registration=True, capacity=capacity)
    events.edit_tournament(tournament_id=tournament.pk, facts=facts, by=organiser(of=tournament), now=NOW)
    assert playing(tournament) == moved


def test_fewer_places_take_nobodys_away() -> None:
    tournament = opened(capacity=3)
    for name in ("Ann", "Ben", "Cem"):
        entered(tournament, name)
    facts = TournamentFacts(name="Main", registration=True, capacity=1)
    changed = events.edit_tournament(tournament_id=tournament.pk, facts=facts, by=organiser(of=tournament), now=NOW)
    assert isinstance(changed, Tournament)
    assert (playing(tournament), places_left(tournament=changed)) == (["Ann", "Ben", "Cem"], 0)
    entered(tournament, "Dia")
    leave(tournament.entries.get(name="Ann"))
    assert (playing(tournament), waiting(tournament)) == (["Ben", "Cem"], ["Dia"])


def test_rc_03_after_closing_nobody_moves_up_by_itself_unless_set_and_after_the_start_never() -> None:
    closed = {"capacity": 2, "registration_closes_at": NOW + MINUTE}
    later = NOW + 2 * MINUTE
    tournament = opened(**closed)
    ann, ben, cem = (entered(tournament, name) for name in ("Ann", "Ben", "Cem"))
    leave(ann, now=later)
    assert (playing(tournament), waiting(tournament), told(cem)) == (["Ben"], ["Cem"], ["waiting"])

    set_so = opened(**closed, promotes_late=True)
    dia, _eve, fay, _gil = (entered(set_so, name) for name in ("Dia", "Eve", "Fay", "Gil"))
    leave(dia, now=later)
    assert (playing(set_so), waiting(set_so), told(fay)) == (["Eve", "Fay"], ["Gil"], ["waiting", "promoted"])

    started(set_so)
    leave(fay, now=later)
    assert (playing(set_so), waiting(set_so)) == (["Eve"], ["Gil"])
    assert roster.give_place(entry_id=cem.pk, by=organiser(of=tournament), now=later) == Entry.objects.get(pk=cem.pk)
    assert (playing(tournament), told(cem), ben.status) == (["Ben", "Cem"], ["waiting", "promoted"], "active")


def test_the_organiser_gives_a_place_to_whom_they_want_however_many_there_are() -> None:
    tournament = opened(capacity=1)
    _ann, _ben, cem = (entered(tournament, name) for name in ("Ann", "Ben", "Cem"))
    by = organiser(of=tournament)
    for _twice in range(2):
        given = roster.give_place(entry_id=cem.pk, by=by, now=NOW)
        assert isinstance(given, Entry)
    assert (playing(tournament), waiting(tournament), told(cem)) == (["Ann", "Cem"], ["Ben"], ["waiting", "promoted"])
    leave(cem)
    assert roster.give_place(entry_id=cem.pk, by=by, now=NOW) == Refused("already_withdrawn")
    assert roster.give_place(entry_id=404, by=by, now=NOW) == Refused("entry_unknown", {"entry": 404}, status=404)


def test_after_the_start_no_place_is_given() -> None:
    tournament = opened(capacity=2)
    *_, cem = (entered(tournament, name) for name in ("Ann", "Ben", "Cem"))
    started(tournament)
    given = roster.give_place(entry_id=cem.pk, by=organiser(of=tournament), now=NOW)
    assert given == Refused("roster_is_frozen", {"state": "running"})
    assert [entry.name for entry in tournament.entries.filter(seed__isnull=False).order_by("pk")] == ["Ann", "Ben"]


def test_staff_may_add_more_than_there_are_places() -> None:
    tournament = opened(capacity=1)
    entered(tournament, "Ann")
    make_entry(tournament=tournament, name="Ben")
    assert playing(tournament) == ["Ann", "Ben"]
    entered(tournament, "Cem")
    assert waiting(tournament) == ["Cem"]


def test_staff_who_add_somebody_who_waits_or_left_give_them_a_place() -> None:
    tournament = opened(capacity=1)
    ann = entered(tournament, "Ann")
    cem = entered(tournament, "Cem", email="cem@example.org")
    added = make_entry(tournament=tournament, name="Cem K.", email="CEM@example.org", here=True)
    assert (added.pk, added.status, added.name, added.checked_in_at) == (cem.pk, "active", "Cem K.", NOW)
    assert told(cem) == ["waiting", "promoted"]
    leave(added)
    again = make_entry(tournament=tournament, name="Cem", email="cem@example.org")
    assert (again.pk, again.status, playing(tournament)) == (cem.pk, "active", ["Ann", "Cem"])
    assert ann.status == "active"


def test_whoever_waits_or_left_is_on_no_list_of_those_who_come() -> None:
    tournament = opened(capacity=2)
    by = organiser(of=tournament)
    _ann, ben, cem = (entered(tournament, name) for name in ("Ann", "Ben", "Cem"))
    leave(ben, now=NOW)  # and Cem moves up
    dia = entered(tournament, "Dia")
    roster.open_check_in(tournament_id=tournament.pk, by=by, now=NOW)
    assert roster.check_in(entry_id=dia.pk, by=by, now=NOW) == Refused("no_place_yet")
    assert roster.check_in(entry_id=ben.pk, by=by, now=NOW) == Refused("already_withdrawn")
    assert roster.check_in_all(tournament_id=tournament.pk, by=by, now=NOW) == 2
    assert isinstance(start_tournament(tournament_id=tournament.pk, by=by, now=NOW, leaving_out=[]), Tournament)
    assert sorted(tournament.entries.filter(seed__isnull=False).values_list("name", flat=True)) == ["Ann", "Cem"]
    assert Entry.objects.get(pk=cem.pk).checked_in_at == NOW


def test_a_list_that_has_more_players_than_places_says_how_many_more() -> None:
    tournament = opened(capacity=2)
    entered(tournament, "Ann")
    known = {"email": "", "city": "", "club": "", "rating": None}
    rows = [{"line": n, "name": f"Imported {n}", **known} for n in (2, 3, 4)]
    kept = roster.prepare_import(
        tournament_id=tournament.pk,
        filename="list.csv",
        rows=rows,
        problems=[],
        source={},
        by=organiser(of=tournament),
        now=NOW,
    )
    assert not isinstance(kept, Refused)
    assert (kept.added, kept.source["over"]) == (3, 2)


# --- leaving and coming back


def test_leaving_twice_leaves_once() -> None:
    entry = entered(opened(), "Ann")
    leave(entry)
    acts = Act.objects.count()
    assert (leave(entry).status, Act.objects.count()) == ("withdrawn", acts)


def test_whoever_comes_back_is_behind_everybody_who_waits() -> None:
    tournament = opened(capacity=1)
    ann, _ben, _cem = (entered(tournament, name) for name in ("Ann", "Ben", "Cem"))
    leave(ann)
    back = come_back(ann)
    assert (back.status, waiting_place(entry=back)) == ("waiting", 2)
    assert (playing(tournament), waiting(tournament)) == (["Ben"], ["Cem", "Ann"])
    assert come_back(ann) == back
    assert told(ann) == ["registered", "waiting"]


def test_whoever_comes_back_has_a_place_where_one_is_free() -> None:
    tournament = opened(capacity=1)
    ann = entered(tournament, "Ann")
    leave(ann)
    assert come_back(ann).status == "active"


def test_nobody_comes_back_once_registration_is_closed() -> None:
    ann = entered(opened(registration_closes_at=NOW + MINUTE), "Ann")
    leave(ann)
    assert come_back(ann, now=NOW + MINUTE) == Refused("registration_closed")


def test_after_the_start_leaving_is_not_being_paired_any_more() -> None:
    tournament = opened()
    entries = [entered(tournament, name) for name in ("Ann", "Ben", "Cem", "Dia")]
    started(tournament)
    left = leave(entries[0])
    assert (left.status, left.is_gone) == ("withdrawn", False)
    assert Act.objects.latest("pk").who == "Ann"
    assert leave(entries[0]).status == "withdrawn"


def test_whoever_was_left_out_at_the_start_can_still_say_that_they_are_gone() -> None:
    tournament = opened(capacity=2)
    *_, cem = (entered(tournament, name) for name in ("Ann", "Ben", "Cem"))
    started(tournament)
    assert leave(cem).is_gone is True


def test_nobody_leaves_a_tournament_that_is_over() -> None:
    tournament = opened()
    entry = entered(tournament, "Ann")
    Tournament.objects.filter(pk=tournament.pk).update(state="finished")
    assert leave(entry) == Refused("finished")


# --- changing


def test_a_player_says_anew_who_they_are() -> None:
    entry = entered(opened(), "Ann", email="ann@example.org")
    changed = change(entry, name="Revan", email="Revan@Example.org", city="Taris", is_shown=False, language="ru")
    assert (changed.name, changed.city, changed.is_shown, changed.language) == ("Revan", "Taris", False, "ru")
    player = Player.objects.get()
    assert (player.name, player.email, changed.key) == ("Revan", "revan@example.org", "mail:revan@example.org")


def test_na_05_after_the_start_a_name_is_staffs_and_consent_the_players() -> None:
    tournament = opened()
    entry = entered(tournament, "Ann")
    entered(tournament, "Ben")
    started(tournament)
    entry.refresh_from_db()
    changed = change(entry, name="xX_dark_Xx", email="dark@example.org", city="Korriban", is_shown=False)
    assert (changed.name, changed.city, changed.is_shown) == ("Ann", "", False)
    assert Player.objects.get(entries=entry).email == ""


def test_a_name_of_somebody_else_is_asked_about() -> None:
    tournament = opened()
    entered(tournament, "Ann")
    ben = entered(tournament, "Ben")
    assert change(ben, name="ann") == Refused("name_registered", {"name": "ann"})
    assert change(ben, name="ann", name_again=True).staff_name == "ann (#2)"


def test_the_address_of_somebody_else_is_not_taken_and_not_explained() -> None:
    tournament = opened()
    entered(tournament, "Ann", email="ann@example.org")
    ben = entered(tournament, "Ben", city="Riga")
    assert change(ben, email="ANN@example.org", city="Taris") == Refused("address_elsewhere")
    ben.refresh_from_db()
    assert (ben.city, ben.player.email) == ("Riga", "")


def test_a_new_link_closes_the_old_one() -> None:
    tournament = opened()
    entry = entered(tournament, "Ann")
    renewed = registration.renew_entry_link(entry_id=entry.pk, by=organiser(of=tournament), now=NOW)
    assert isinstance(renewed, Entry)
    assert renewed.link_version == 2
    missing = registration.renew_entry_link(entry_id=404, by=organiser(of=tournament), now=NOW)
    assert missing == Refused("entry_unknown", {"entry": 404}, status=404)


# --- many at once


def all_at_once(tournament: Tournament, names: list[str], *, workers: int) -> list[Entry]:
    def one(name: str) -> Entry:
        try:
            return entered(tournament, name)
        finally:
            connections.close_all()

    with ThreadPoolExecutor(workers) as pool:
        return list(pool.map(one, names))


@pytest.mark.django_db(transaction=True)
def test_rc_01_twenty_for_one_place_that_is_left_leave_one_more_and_nineteen_in_order() -> None:
    tournament = opened(capacity=16)
    for number in range(15):
        make_entry(tournament=tournament, name=f"Early {number}")
    everybody = all_at_once(tournament, [f"Late {number}" for number in range(20)], workers=20)
    assert tournament.entries.filter(status="active").count() == 16
    assert sorted(waiting_place(entry=entry) for entry in everybody) == list(range(20))
    assert sorted(kind for entry in everybody for kind in told(entry)) == ["registered"] + ["waiting"] * 19


@pytest.mark.django_db(transaction=True)
def test_rc_01_two_hundred_at_once_for_forty_places_leave_forty_and_an_ordered_list() -> None:
    tournament = opened(capacity=40)
    everybody = all_at_once(tournament, [f"Player {number}" for number in range(200)], workers=16)
    assert tournament.entries.filter(status="active").count() == 40
    waits = waiting_list(tournament=tournament)
    assert [waiting_place(entry=entry) for entry in waits] == list(range(1, 161))
    assert [entry.pk for entry in waits] == sorted(entry.pk for entry in everybody)[40:]
    assert {tuple(told(entry)) for entry in waits} == {("waiting",)}


@pytest.mark.django_db(transaction=True)
def test_rc_04_a_double_click_is_one_entry() -> None:
    tournament = opened()
    said: dict[str, Any] = {"tournament": tournament, "name": "Ann", "email": "ann@example.org", "key": "pressed-twice"}
    first, second = one_behind_the_other(lambda: sign_up(**said), lambda: sign_up(**said))
    assert (first, tournament.entries.count()) == (second, 1)


@pytest.mark.django_db(transaction=True)
def test_rc_04_organiser_and_player_at_once_make_one_entry() -> None:
    tournament = opened()
    _, second = one_behind_the_other(
        lambda: make_entry(tournament=tournament, name="Ann", email="ann@example.org"),
        lambda: sign_up(tournament, "Ann", email="ANN@example.org"),
    )
    assert (second, tournament.entries.count()) == (LinkMailed(), 1)


@pytest.mark.django_db(transaction=True)
def test_a_place_that_is_left_while_somebody_registers_is_the_first_ones_who_waits() -> None:
    tournament = opened(capacity=1)
    ann, _ben = entered(tournament, "Ann"), entered(tournament, "Ben")
    one_behind_the_other(lambda: leave(ann), lambda: entered(tournament, "Cem"))
    assert (playing(tournament), waiting(tournament)) == (["Ben"], ["Cem"])
