"""My events: by a proved address and never by name; NA-05: an account that is joined changes no name."""

from __future__ import annotations

from functools import partial

import pytest
from django.test import Client
from django.urls import reverse

from players.models import Account, Act
from players.permissions import Refused
from tests.factories import NOW, make_account, make_entry, make_event, make_tournament, organiser
from tests.tournaments.at_once import one_behind_the_other
from tests.tournaments.play import count_up, play_open, start
from tests.tournaments.views.desk import Page, desk_of, heading, page_text, said, signed_in
from tournaments.actions import roster, rounds
from tournaments.models import Entry, Tournament
from tournaments.permissions import actor_of_entry, entry_token

pytestmark = pytest.mark.django_db


def proved(**facts: str) -> Account:
    """An account whose address was proved."""
    account = make_account(**facts)
    Account.objects.filter(pk=account.pk).update(verified_at=NOW)
    account.refresh_from_db()
    return account


def claim(entry: Entry, email: str) -> Entry | Refused:
    return roster.claim_entry(entry_id=entry.pk, email=email, by=actor_of_entry(entry), now=NOW)


def own(entry: Entry, name: str = "own_claim") -> str:
    return reverse(name, args=[entry_token(entry)])


def running(*names: str) -> Tournament:
    """A tournament whose first round is being played."""
    tournament = make_tournament()
    for name in names:
        make_entry(tournament=tournament, name=name, here=True)
    start(tournament)
    return tournament


def listed(account: Account) -> list[int]:
    page = signed_in(account).get(reverse("my_events"))
    return [row["entry"].pk for row in page.context["rows"]]


# --- the list


def test_my_events_are_those_under_my_proved_address_in_every_event_and_none_by_name() -> None:
    account = proved(email="anna@example.org", name="Anna")
    old = make_entry(tournament=make_tournament(), name="Anna K.", email="anna@example.org")
    new = make_entry(tournament=make_tournament(name="Cup"), name="A. K.", email="Anna@Example.org")
    make_entry(tournament=make_tournament(), name="Anna", email="other@example.org")
    make_entry(tournament=make_tournament(), name="Anna")
    client = signed_in(account)
    page = client.get(reverse("my_events"))
    assert [row["entry"].pk for row in page.context["rows"]] == [new.pk, old.pk]
    assert (heading(page), page.headers["Cache-Control"]) == ("My events", "private, no-store")
    assert [own(entry, "own_page") in page.content.decode() for entry in (old, new)] == [True, True]
    assert "as A. K. Taking entries" in page_text(page)


def test_nothing_is_shown_before_the_address_is_proved() -> None:
    account = make_account(email="anna@example.org")
    entry = make_entry(tournament=make_tournament(), name="Anna", email="anna@example.org")
    page = signed_in(account).get(reverse("my_events"))
    assert ("Mail me a link" in page_text(page), own(entry, "own_page") in page.content.decode()) == (True, False)
    assert listed(account) == []
    assert Client().get(reverse("my_events")).headers["Location"] == f"{reverse('sign_in')}?next=%2Fme%2F"


def test_a_finished_tournament_tells_my_place() -> None:
    tournament = make_tournament()
    for name in ("Anna", "Ben"):
        make_entry(tournament=tournament, name=name, email=f"{name}@example.org", here=True)
    start(tournament)
    play_open(tournament)
    rounds.finish_tournament(tournament_id=tournament.pk, early=True, by=organiser(of=tournament), now=NOW)
    count_up(tournament)
    pages = [
        page_text(signed_in(proved(email=f"{name}@example.org")).get(reverse("my_events"))) for name in ("anna", "ben")
    ]
    assert sorted(place for text in pages for place in ("Place 1", "Place 2") if place in text) == [
        "Place 1",
        "Place 2",
    ]


# --- joined


def exports(tournament: Tournament) -> list[bytes]:
    sheets = [
        Client().get(reverse("export", args=[tournament.pk, sheet, "csv"])) for sheet in ("pairings", "standings")
    ]
    return [b"".join(sheet) if sheet.streaming else sheet.content for sheet in sheets]


def public(tournament: Tournament) -> list[str]:
    return [page_text(Client().get(reverse(name, args=[tournament.pk]))) for name in ("pairings", "standings")]


def test_na_05_an_account_that_joins_an_entry_changes_no_name_anywhere() -> None:
    tournament = running("Sergei K.", "Ben")
    entry = tournament.entries.get(name="Sergei K.")
    account = proved(email="sergei@example.org", name="xX_dark_Xx")
    client = signed_in(account)
    before, shown = exports(tournament), public(tournament)

    assert "Your name there stays as it is." in page_text(client.get(own(entry)))
    assert said(client.post(own(entry))) == ["It is among your events now."]
    client.post(reverse("account_name"), {"name": "Darth"})

    entry.refresh_from_db()
    assert (entry.name, entry.player.name, entry.player.email) == ("Sergei K.", "Sergei K.", "sergei@example.org")
    assert (exports(tournament), public(tournament), listed(account)) == (before, shown, [entry.pk])
    assert (b"Sergei K." in before[0], "Sergei K." in shown[0]) == (True, True)
    desk = page_text(desk_of(tournament).get(reverse("entry_edit", args=[tournament.pk, entry.pk])))
    assert "Among the events of the account Darth" in desk
    assert Act.objects.get(verb="claim_entry").role == "player"


def test_until_the_start_an_entry_joins_the_player_the_organisers_know_by_the_address() -> None:
    event = make_event()
    known = make_entry(tournament=make_tournament(event=event), name="Anna", email="anna@example.org").player
    tournament = make_tournament(event=event)
    entry = make_entry(tournament=tournament, name="Ana")
    assert claim(entry, "anna@example.org") == entry
    entry.refresh_from_db()
    assert (entry.player, entry.name, entry.key) == (known, "Ana", "mail:anna@example.org")


def test_after_the_start_the_address_of_another_player_is_refused_and_lots_stay() -> None:
    tournament = running("Anna", "Ben")
    entry = tournament.entries.get(name="Anna")
    make_entry(tournament=make_tournament(event=tournament.event), name="Ann", email="anna@example.org")
    assert claim(entry, "anna@example.org") == Refused("address_taken", {"value": "anna@example.org"})
    assert claim(entry, "a.k@example.org") == entry
    entry.refresh_from_db()
    assert (entry.key, entry.player.email) == ("name:anna#1", "a.k@example.org")


@pytest.mark.parametrize("is_running", [False, True])
def test_nobody_is_in_a_tournament_twice_under_one_address(is_running: bool) -> None:
    tournament = make_tournament()
    there = make_entry(tournament=tournament, name="Anna", email="anna@example.org", here=True)
    entry = make_entry(tournament=tournament, name="Ana", here=True)
    if is_running:
        start(tournament)
    assert claim(entry, "anna@example.org") == Refused("already_entered", {"entry": there.pk, "name": "Anna"})


def test_an_entry_with_an_address_joins_no_other_account_and_its_own_twice_is_once() -> None:
    entry = make_entry(tournament=make_tournament(), name="Anna")
    assert claim(entry, "anna@example.org") == entry
    assert claim(entry, "anna@example.org") == entry
    assert claim(entry, "eve@example.org") == Refused("entry_has_address")
    assert Act.objects.filter(verb="claim_entry").count() == 1


def post(client: Client, entry: Entry) -> Page:
    return client.post(own(entry))


def test_joining_needs_an_account_and_a_proved_address() -> None:
    entry = make_entry(tournament=make_tournament(), name="Anna")
    assert post(Client(), entry).status_code == 401
    unproved = signed_in(make_account())
    assert "Your address is not proved yet." in page_text(post(unproved, entry))
    entry.player.refresh_from_db()
    assert entry.player.email == ""
    assert Client().get(reverse("own_claim", args=["1-forged"])).status_code == 404


def test_the_page_tells_who_sees_the_entry_without_telling_the_address() -> None:
    entry = make_entry(tournament=make_tournament(), name="Anna", email="anna@example.org")
    for client in (Client(), signed_in(proved())):
        page = client.get(own(entry))
        assert ("This entry has an address." in page_text(page), "anna@example.org" in page.content.decode()) == (
            True,
            False,
        )
    assert post(signed_in(proved()), entry).status_code == 409
    mine = signed_in(proved(email="anna@example.org"))
    assert "This entry is among your events already." in page_text(mine.get(own(entry)))


@pytest.mark.db
@pytest.mark.django_db(transaction=True)
def test_an_entry_joined_by_two_accounts_at_once_is_the_first_ones() -> None:
    entry = make_entry(tournament=make_tournament(), name="Anna")
    outcome = one_behind_the_other(partial(claim, entry, "anna@example.org"), partial(claim, entry, "eve@example.org"))
    assert outcome == (entry, Refused("entry_has_address"))
