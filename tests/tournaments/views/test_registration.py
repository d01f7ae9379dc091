"""Players register themselves on the public page, and what they and the staff do with their own links."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from players.permissions import Role
from tests.factories import NOW, make_entry, make_event, make_tournament, organiser
from tests.tournaments.views.desk import Page, desk_of, heading, page_text, said, signed_in, text_of
from tournaments.actions import registration, roster, staff
from tournaments.actions.rounds import start_tournament
from tournaments.actions.throttle import seconds_to_wait
from tournaments.models import Entry, StaffLink, Tournament
from tournaments.permissions import actor_of_entry, entry_token, link_token

pytestmark = pytest.mark.django_db

HOUR, MINUTE = timedelta(hours=1), timedelta(minutes=1)


def opened(**facts: Any) -> Tournament:
    return make_tournament(**({"registration": True} | facts))


def page_of(tournament: Tournament, *, client: Client | None = None) -> Page:
    return (client or Client()).get(reverse("register", args=[tournament.pk]))


def key_in(page: Page) -> str:
    found = re.search(r'name="key" value="([^"]+)"', page.content.decode())
    assert found is not None
    return found[1]


def send(tournament: Tournament, name: str = "Ann", **fields: str) -> Page:
    """The form as its page would send it, with `fields` typed in."""
    sent = {"key": key_in(page_of(tournament)), "name": name, "is_shown": "yes", "language": "en", "website": ""}
    return Client().post(reverse("register", args=[tournament.pk]), sent | fields)


def entered(tournament: Tournament, name: str = "Ann", **fields: str) -> Entry:
    answer = send(tournament, name, **fields)
    assert answer.status_code == 302, page_text(answer)
    return tournament.entries.select_related("player", "tournament__event").latest("pk")


def own(name: str, entry: Entry) -> str:
    return reverse(name, args=[entry_token(entry)])


def started(tournament: Tournament) -> None:
    now = timezone.now()
    roster.check_in_all(tournament_id=tournament.pk, by=organiser(of=tournament), now=now)
    assert isinstance(start_tournament(tournament_id=tournament.pk, by=organiser(of=tournament), now=now), Tournament)


def helper(tournament: Tournament, role: Role = Role.DESK) -> StaffLink:
    return staff.create_link(
        event_id=tournament.event_id,
        tournament_id=tournament.pk,
        role=role,
        name="Olli",
        expires_at=timezone.now() + HOUR,
        by=organiser(of=tournament),
        now=timezone.now(),
    )


# --- the page, and when


def test_the_page_says_how_many_places_are_left() -> None:
    tournament = opened(capacity=3)
    assert heading(page_of(tournament)) == "Register"
    assert "3 places are left." in page_text(page_of(tournament))
    for name in ("Ann", "Ben"):
        entered(tournament, name)
    assert "1 place is left." in page_text(page_of(tournament))
    entered(tournament, "Cem")
    assert heading(page_of(tournament)) == "Join the waiting list"
    assert "Every place is taken. You would be the first to get one that is free." in page_text(page_of(tournament))
    entered(tournament, "Dia")
    assert "Every place is taken. 1 player waits for one." in page_text(page_of(tournament))


def test_without_a_limit_there_is_a_place_for_everybody() -> None:
    assert "There is a place for everybody." in page_text(page_of(opened()))


def test_what_is_closed_says_so_with_the_time_of_the_venue() -> None:
    late = timezone.now() + timedelta(days=400)
    opens = late.replace(year=2040, month=3, day=1, hour=16, minute=0)  # Riga is two hours ahead then
    not_yet = page_of(opened(registration_opens_at=opens))
    assert heading(not_yet) == "Registration is not open yet"
    assert "Registration opens 1 March, 18:00. Times are those of Riga." in page_text(not_yet)
    assert '<form method="post" class="stack">' not in not_yet.content.decode()

    over = page_of(opened(registration_closes_at=opens.replace(year=2020)))
    assert heading(over) == "Registration is closed"
    assert "Registration closed 1 March, 18:00." in page_text(over)

    closes = page_of(opened(registration_closes_at=opens))
    assert "Registration closes 1 March, 18:00." in page_text(closes)

    assert heading(page_of(make_tournament())) == "Nobody can register here"


def test_after_the_start_it_is_closed() -> None:
    tournament = opened()
    for name in ("Ann", "Ben"):
        entered(tournament, name)
    started(tournament)
    assert heading(page_of(tournament)) == "Registration is closed"
    assert "The tournament has started." in page_text(page_of(tournament))


def test_whoever_sends_too_late_keeps_what_they_typed() -> None:
    tournament = opened()
    key = key_in(page_of(tournament))
    Tournament.objects.filter(pk=tournament.pk).update(registration_closes_at=timezone.now() - HOUR)
    sent = {"key": key, "name": "Revan", "is_shown": "no", "language": "en", "city": "Taris"}
    answer = Client().post(reverse("register", args=[tournament.pk]), sent)
    assert (answer.status_code, tournament.entries.count()) == (409, 0)
    assert "Registration is closed. Ask at the desk whether there is still a place." in page_text(answer)
    assert 'value="Revan"' in answer.content.decode()
    assert 'value="Taris"' in answer.content.decode()


def test_an_unknown_tournament_has_no_page() -> None:
    assert Client().get(reverse("register", args=[404])).status_code == 404


def test_the_public_pages_lead_there_while_it_is_open() -> None:
    tournament = opened(capacity=1)
    address = reverse("register", args=[tournament.pk])
    for name, pk in (("tournament", tournament.pk), ("event", tournament.event_id)):
        shown = Client().get(reverse(name, args=[pk]))
        assert f'href="{address}"' in shown.content.decode()
        assert "1 place is left." in page_text(shown)
    Tournament.objects.filter(pk=tournament.pk).update(registration_closes_at=timezone.now() - HOUR)
    for name, pk in (("tournament", tournament.pk), ("event", tournament.event_id)):
        assert f'href="{address}"' not in Client().get(reverse(name, args=[pk])).content.decode()


def test_a_page_kept_by_a_browser_is_another_once_registration_has_closed() -> None:
    tournament = opened()
    for name, pk in (("tournament", tournament.pk), ("event", tournament.event_id)):
        Tournament.objects.filter(pk=tournament.pk).update(registration_closes_at=None)
        path = reverse(name, args=[pk])
        tag = Client().get(path)["ETag"]
        assert Client().get(path, headers={"If-None-Match": tag}).status_code == 304
        Tournament.objects.filter(pk=tournament.pk).update(registration_closes_at=timezone.now() - HOUR)
        assert Client().get(path, headers={"If-None-Match": tag}).status_code == 200


# --- somebody registers


def test_whoever_registers_gets_a_link_to_keep() -> None:
    tournament = opened()
    answer = send(tournament, "Ske\u200btal", email="Ann@Example.org", city="Riga")
    entry = tournament.entries.get()
    assert (entry.name, entry.city, entry.is_shown, entry.language) == ("Sketal", "Riga", True, "en")
    assert (entry.player.email, answer["Location"]) == ("ann@example.org", own("own_link", entry))
    shown = Client().get(answer["Location"])
    address = settings.PUBLIC_URL + own("own_page", entry)
    assert heading(shown) == "You are registered"
    assert f'<a href="{address}"><code>{address}</code></a>' in shown.content.decode()
    assert "Keep this link" in page_text(shown)
    assert "It is mailed to ann@example.org too." in page_text(shown)
    assert "<svg" in shown.content.decode()
    assert shown["Cache-Control"] == "private, no-store"


def test_whoever_waits_is_told_their_place() -> None:
    tournament = opened(capacity=1)
    for name in ("Ann", "Ben"):
        entered(tournament, name)
    waits = Client().get(own("own_link", entered(tournament, "Cem")))
    assert heading(waits) == "You are on the waiting list"
    assert "Your place on it: 2." in page_text(waits)


def test_the_form_is_nobody_elses() -> None:
    tournament = opened()
    first, second = page_of(tournament), page_of(tournament)
    assert first["Cache-Control"] == "private, no-store"
    assert key_in(first) != key_in(second)


def test_the_language_of_the_page_is_that_of_what_they_are_told_unless_they_choose_another() -> None:
    tournament = opened()
    page = Client().get(reverse("register", args=[tournament.pk]), headers={"Accept-Language": "ru"})
    assert '<option value="ru" selected>' in page.content.decode()
    assert entered(tournament, language="ru").language == "ru"


@pytest.mark.parametrize(
    ("typed", "wrong"),
    [
        ({"name": "\u200b"}, {"name": ["The name is missing."]}),
        ({"name": "x" * 121}, {"name": ["The name has 121 characters; 120 is the most."]}),
        ({"email": "ann"}, {"email": ["This is no address: ann"]}),
        ({"is_shown": ""}, {"is_shown": ["Choose one of the two."]}),
        ({"key": "short"}, {"key": ["Open this page again, and send the form from there."]}),
    ],
)
def test_what_is_wrong_is_said_beside_it_and_nothing_typed_is_lost(
    typed: dict[str, str], wrong: dict[str, list[str]]
) -> None:
    tournament = opened()
    answer = send(tournament, **({"name": "Ann", "city": "Taris"} | typed))
    assert (answer.status_code, dict(answer.context["form"].errors)) == (400, wrong)
    assert 'value="Taris"' in answer.content.decode()
    assert tournament.entries.count() == 0


def test_rc_04_a_double_click_leads_to_one_link() -> None:
    tournament = opened()
    key = key_in(page_of(tournament))
    sent = {"key": key, "name": "Ann", "is_shown": "yes", "language": "en"}
    answers = [Client().post(reverse("register", args=[tournament.pk]), sent) for _twice in range(2)]
    entry = tournament.entries.get()
    assert [(each.status_code, each["Location"]) for each in answers] == [(302, own("own_link", entry))] * 2


def test_na_02_the_same_name_is_asked_about_and_another_person_says_so() -> None:
    tournament = opened()
    assert "I am another person" not in page_text(page_of(tournament))
    entered(tournament, "Étienne")
    asked = send(tournament, "E\u0301tienne", city="Paris")
    assert (asked.status_code, tournament.entries.count()) == (409, 1)
    assert "is on the list already. If that is you, open your own link" in page_text(asked)
    assert "I am another person of the same name" in page_text(asked)
    assert 'value="Paris"' in asked.content.decode()
    entered(tournament, "Étienne", name_again="on")
    assert tournament.entries.count() == 2


def test_rc_04_the_same_address_is_mailed_its_link_and_shown_none() -> None:
    tournament = opened()
    entry = entered(tournament, "Ann", email="ann@example.org")
    again = send(tournament, "Somebody", email="ANN@Example.org")
    assert (again.status_code, heading(again)) == (200, "You are registered already")
    assert "We have mailed the private link there" in page_text(again)
    assert entry_token(entry) not in again.content.decode()
    assert tournament.entries.count() == 1


# --- robots


def test_a_field_nobody_sees_stops_whoever_fills_it_in() -> None:
    tournament = opened()
    shown = page_of(tournament).content.decode()
    assert re.search(r'<div class="vh" aria-hidden="true"><label [^>]+>Leave this empty</label><input [^>]+>', shown)
    answer = send(tournament, "Robot", website="https://example.org")
    assert (answer.status_code, tournament.entries.count()) == (400, 0)
    assert "A field nobody should fill in was filled in. Empty it and send again." in page_text(answer)
    assert 'value="Robot"' in answer.content.decode()


def test_sixty_in_ten_minutes_from_one_network_are_welcome() -> None:
    told = [seconds_to_wait(kind="register", address="192.0.2.1", now=NOW + MINUTE) for _each in range(61)]
    assert told == [0] * 60 + [540]
    assert seconds_to_wait(kind="register", address="192.0.2.2", now=NOW + MINUTE) == 0
    assert seconds_to_wait(kind="register", address="192.0.2.1", now=NOW + 10 * MINUTE) == 0


def test_one_more_is_told_when_to_come_back_and_keeps_what_they_typed() -> None:
    tournament = opened()
    for now in (timezone.now(), timezone.now() + 10 * MINUTE):  # this span of ten minutes may end just here
        for _each in range(60):
            seconds_to_wait(kind="register", address="127.0.0.1", now=now)
    answer = send(tournament, "One more")
    assert (answer.status_code, tournament.entries.count()) == (429, 0)
    assert 0 < int(answer["Retry-After"]) <= 600
    assert "Too many people have registered from this network just now." in page_text(answer)
    assert 'value="One more"' in answer.content.decode()
    sent = {"key": key_in(page_of(tournament)), "name": "Elsewhere", "is_shown": "yes", "language": "en"}
    other = Client(REMOTE_ADDR="192.0.2.7").post(reverse("register", args=[tournament.pk]), sent)
    assert other.status_code == 302


def test_without_the_cache_everybody_registers(settings: Any) -> None:
    settings.CACHES = {"default": {**settings.CACHES["default"], "LOCATION": "redis://127.0.0.1:1/1"}}
    assert send(opened()).status_code == 302


# --- behind the own link


def test_a_player_changes_what_is_said_of_them() -> None:
    entry = entered(opened(), "Ann")
    page = Client().get(own("own_change", entry))
    assert 'value="Ann"' in page.content.decode()
    sent = {"name": "Revan", "email": "revan@example.org", "city": "Taris", "club": "", "is_shown": "no"}
    answer = Client().post(own("own_change", entry), {**sent, "language": "ru"})
    assert (answer.status_code, answer["Location"]) == (302, own("own_page", entry))
    entry = Entry.objects.get(pk=entry.pk)
    assert (entry.name, entry.city, entry.is_shown, entry.language) == ("Revan", "Taris", False, "ru")


def test_what_cannot_be_is_said_and_changes_nothing() -> None:
    tournament = opened()
    entered(tournament, "Ben")
    entry = entered(tournament, "Ann")
    bad = Client().post(own("own_change", entry), {"name": " ", "is_shown": "yes", "city": "Taris"})
    assert (bad.status_code, 'value="Taris"' in bad.content.decode()) == (400, True)
    taken = Client().post(own("own_change", entry), {"name": "Ben", "is_shown": "yes", "language": "en"})
    assert (taken.status_code, "I am another person of the same name" in page_text(taken)) == (409, True)
    assert Entry.objects.get(pk=entry.pk).name == "Ann"


def test_na_05_after_the_start_the_name_stays() -> None:
    tournament = opened()
    entry = entered(tournament, "Ann")
    entered(tournament, "Ben")
    started(tournament)
    sent = {"name": "xX_dark_Xx", "is_shown": "no", "language": "en"}
    assert Client().post(own("own_change", entry), sent).status_code == 302
    entry = Entry.objects.get(pk=entry.pk)
    assert (entry.name, entry.is_shown) == ("Ann", False)


def test_leaving_is_asked_about_and_coming_back_is_behind_the_others() -> None:
    tournament = opened(capacity=1)
    ann, ben = entered(tournament, "Ann"), entered(tournament, "Ben")
    assert heading(Client().get(own("own_withdraw", ann))) == "Leave the tournament?"
    assert tournament.entries.filter(status="active").get() == ann
    left = Client().post(own("own_withdraw", ann))
    assert (left.status_code, left["Location"]) == (302, own("own_page", ann))
    assert tournament.entries.filter(status="active").get() == ben
    assert heading(Client().get(own("own_link", ann))) == "You have left the tournament"
    back = Client().post(own("own_again", ann))
    assert (back.status_code, back["Location"]) == (302, own("own_link", ann))
    assert tournament.entries.filter(status="waiting").get() == ann
    assert Client().get(own("own_again", ann)).status_code == 405


def test_nobody_comes_back_to_a_closed_list() -> None:
    tournament = opened()
    entry = entered(tournament)
    Client().post(own("own_withdraw", entry))
    Tournament.objects.filter(pk=tournament.pk).update(registration=False)
    answer = Client().post(own("own_again", entry))
    assert answer["Location"] == own("own_page", entry)
    assert said(answer) == ["Nobody can register here now: the organisers put players on the roster."]


def test_leaving_a_tournament_that_is_over_is_refused() -> None:
    tournament = opened()
    entry = entered(tournament)
    Tournament.objects.filter(pk=tournament.pk).update(state="finished")
    answer = Client().post(own("own_withdraw", entry))
    assert answer.status_code == 409
    assert "The tournament is over." in page_text(answer)


@pytest.mark.parametrize("name", ["own_link", "own_change", "own_withdraw", "own_again"])
def test_a_forged_or_replaced_link_opens_nothing(name: str) -> None:
    tournament = opened()
    entry = entered(tournament)
    token = entry_token(entry)
    registration.renew_entry_link(entry_id=entry.pk, by=organiser(of=tournament), now=timezone.now())
    for wrong in (token, f"{entry.pk}-{'0' * 32}", "x", f"{entry.pk + 1}{token[1:]}"):
        ask = Client().get if name == "own_link" else Client().post
        assert ask(reverse(name, args=[wrong])).status_code == 404
    assert Entry.objects.get(pk=entry.pk).status == "active"


# --- what staff do


def test_the_organiser_shows_a_link_again_and_replaces_it() -> None:
    tournament = opened()
    entry = entered(tournament)
    desk = desk_of(tournament)
    edit = desk.get(reverse("entry_edit", args=[tournament.pk, entry.pk]))
    path = reverse("entry_link", args=[tournament.pk, entry.pk])
    assert f'href="{path}"' in edit.content.decode()
    assert settings.PUBLIC_URL + own("own_page", entry) in desk.get(path).content.decode()
    answer = desk.post(reverse("entry_link_new", args=[tournament.pk, entry.pk]))
    assert (answer["Location"], said(answer)) == (path, ["Ann has a new link; the old one works no more."])
    assert Client().get(own("own_link", entry)).status_code == 404
    newer = Entry.objects.get(pk=entry.pk)
    assert settings.PUBLIC_URL + own("own_page", newer) in desk.get(path).content.decode()


def test_the_entry_desk_shows_a_link_and_other_helpers_and_desks_do_not() -> None:
    tournament = opened()
    entry = entered(tournament)
    link = helper(tournament)
    path = reverse("staff_entry_link", args=[link_token(link), entry.pk])
    shown = Client().get(path)
    assert settings.PUBLIC_URL + own("own_page", entry) in shown.content.decode()
    assert shown["Cache-Control"] == "private, no-store"
    listed = Client().get(reverse("staff_roster", args=[link_token(link), tournament.pk]))
    assert f'href="{path}"' in listed.content.decode()
    elsewhere = make_tournament(event=tournament.event, name="Other")
    for other in (helper(tournament, Role.REFEREE), helper(elsewhere), helper(opened())):
        assert Client().get(reverse("staff_entry_link", args=[link_token(other), entry.pk])).status_code == 404
        assert Client().post(reverse("staff_entry_place", args=[link_token(other), entry.pk])).status_code == 404


def test_rc_03_the_organiser_sees_who_waits_in_order_and_gives_a_place() -> None:
    tournament = opened(capacity=1)
    _ann, _ben, cem = (entered(tournament, name) for name in ("Ann", "Ben", "Cem"))
    desk, path = desk_of(tournament), reverse("roster", args=[tournament.pk])
    page = page_text(desk.get(path))
    assert "1 place. All are taken. 2 players wait for a place" in page
    assert re.findall(r"Give a place (\w+)", page) == ["Ben", "Cem"]
    answer = desk.post(reverse("entry_place", args=[tournament.pk, cem.pk]))
    assert (answer["Location"], said(answer)) == (f"{path}#waiting", ["Cem has a place now."])
    page = page_text(desk.get(path))
    assert "1 place. 1 player more than that is on the roster. 1 player waits for a place" in page
    assert "Roster: 2 players" in page


def test_na_02_a_look_alike_is_flagged_for_staff_and_kept_out_by_nobody() -> None:
    tournament = opened(capacity=2)
    entered(tournament, "Anna")
    entered(tournament, "Аnnа")  # with Cyrillic letters
    entered(tournament, "Реtеr")  # waits, and mixes both
    page = page_text(desk_of(tournament).get(reverse("roster", args=[tournament.pk])))
    assert page.count("Look at the letters: mixed, or like another name") == 3
    shown = page_text(Client().get(reverse("tournament", args=[tournament.pk])))
    assert "Look at the letters" not in shown


def test_the_entry_desk_gives_a_place_too() -> None:
    tournament = opened(capacity=1)
    _ann, ben = entered(tournament, "Ann"), entered(tournament, "Ben")
    token = link_token(helper(tournament))
    answer = Client().post(reverse("staff_entry_place", args=[token, ben.pk]))
    assert answer["Location"] == reverse("staff_roster", args=[token, tournament.pk]) + "#waiting"
    assert Entry.objects.get(pk=ben.pk).status == "active"


def test_a_place_that_came_too_late_is_refused_in_words() -> None:
    tournament = opened(capacity=2)
    *_, cem = (entered(tournament, name) for name in ("Ann", "Ben", "Cem"))
    started(tournament)
    answer = desk_of(tournament).post(reverse("entry_place", args=[tournament.pk, cem.pk]))
    assert answer.status_code == 409
    assert "The tournament has started, so its roster stays as it is." in page_text(answer)
    late = Client().post(reverse("staff_entry_place", args=[link_token(helper(tournament)), cem.pk]))
    assert said(late) == ["The tournament has started, so its roster stays as it is."]


def test_whoever_adds_one_more_than_there_are_places_is_told() -> None:
    tournament = opened(capacity=1)
    entered(tournament, "Ann")
    desk, path = desk_of(tournament), reverse("entry_add", args=[tournament.pk])
    assert said(desk.post(path, {"name": "Ben"})) == [
        "Ben is on the roster. That is 1 player more than there are places."
    ]
    assert said(desk.post(path, {"name": "Cem"}))[-1] == (
        "Cem is on the roster. That is 2 players more than there are places."
    )


def test_whoever_left_is_on_no_list_and_is_counted_by_nobody() -> None:
    tournament = opened()
    ann = entered(tournament, "Ann")
    entered(tournament, "Ben")
    now = timezone.now()
    registration.withdraw_own(entry_id=ann.pk, by=actor_of_entry(ann), now=now)
    desk = desk_of(tournament)
    assert "Roster: 1 player " in page_text(desk.get(reverse("roster", args=[tournament.pk])))
    for name, pk in (("tournament", tournament.pk), ("event", tournament.event_id)):
        page = page_text(Client().get(reverse(name, args=[pk])))
        assert ("1 player" in page, "2 players" in page, "Ann" in page) == (True, False, False)
    assert "1 tournament, 1 player" in page_text(Client().get(reverse("home")))
    sheet = desk.get(reverse("export_roster", args=[tournament.pk, "csv"])).content.decode()
    assert ("Ann" in sheet, "Ben" in sheet) == (False, True)


def test_an_own_link_of_somebody_staff_entered_says_what_it_is() -> None:
    tournament = make_tournament()
    entry = make_entry(tournament=tournament, name="Ann")
    shown = Client().get(own("own_link", entry))
    assert heading(shown) == "You are registered"
    assert "You gave no e-mail address" in page_text(shown)
    assert text_of(str(entry)) == "Ann"
    assert signed_in(make_event().owner).get(reverse("entry_link", args=[tournament.pk, entry.pk])).status_code == 404
