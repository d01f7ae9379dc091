"""Who runs an event, on the desk and behind an invitation; what a hall screen's link shows."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from players.models import Account
from players.permissions import Role
from tests.factories import PASSWORD, make_account, make_event, make_tournament
from tests.tournaments.organising import invite, second_organiser
from tests.tournaments.views.desk import Page, desk_of, heading, page_text, said, signed_in, stranger
from tournaments.models import Event, StaffLink
from tournaments.permissions import link_token

pytestmark = pytest.mark.django_db


def invitation(event: Event, **facts: Any) -> StaffLink:
    return invite(event, now=timezone.now(), **facts)


def at(link: StaffLink, name: str = "staff_link") -> str:
    return reverse(name, args=[link_token(link)])


def staff_page(client: Client, event: Event) -> Page:
    return client.get(reverse("event_staff", args=[event.pk]))


# --- the invitation


def test_an_invitation_is_made_on_the_desk_and_accepted_with_a_new_account() -> None:
    event = make_event()
    client = desk_of(event)
    sent = {"name": "Marta", "role": "organiser", "email": "marta@example.org", "expires_on": "2099-05-24"}
    client.post(reverse("link_new", args=[event.pk]), sent)
    link = event.staff_links.get()
    assert (link.role, link.email) == ("organiser", "marta@example.org")

    guest = Client()
    page = guest.get(at(link))
    assert (heading(page), page.headers["Cache-Control"]) == ("Help to organise StarCon 2027", "private, no-store")
    weak = guest.post(at(link, "invitation_account"), {"email": "marta@example.org", "password": "password"})
    assert (weak.status_code, list(weak.context["form"].errors)) == (400, ["password"])
    made = guest.post(
        at(link, "invitation_account"), {"name": "Marta", "email": "Marta@example.org", "password": PASSWORD}
    )
    assert made.headers["Location"] == at(link)
    account = Account.objects.get(email="marta@example.org")
    assert (account.is_host, account.verified_at, event.memberships.count()) == (False, None, 1)
    assert "You are signed in as Marta." in page_text(guest.get(at(link)))
    assert guest.post(at(link, "invitation_accept")).headers["Location"] == reverse("event_desk", args=[event.pk])
    assert guest.get(reverse("event_desk", args=[event.pk])).status_code == 200
    assert guest.get(at(link)).headers["Location"] == reverse("event_desk", args=[event.pk])

    late = stranger()
    assert "Somebody has accepted this invitation already." in page_text(late.get(at(link)))
    assert late.post(at(link, "invitation_accept")).status_code == 409
    assert Client().post(at(link, "invitation_account"), {"email": "x@example.org"}).status_code == 400
    assert "Accepted by Marta" in page_text(staff_page(client, event))
    page = client.get(reverse("link_show", args=[event.pk, link.pk]))
    assert ("Marta has accepted this invitation." in page_text(page), at(link) in page.content.decode()) == (
        True,
        False,
    )


def test_an_address_that_has_an_account_is_asked_to_sign_in_with_it() -> None:
    link = invitation(make_event())
    known = make_account()
    guest = Client()
    answer = guest.post(at(link, "invitation_account"), {"email": known.email, "password": "not-theirs-at-all"})
    assert (answer.status_code, list(answer.context["form"].errors)) == (409, ["email"])
    assert "_auth_user_id" not in guest.session
    signed = guest.post(
        reverse("sign_in"), {"username": known.email, "password": PASSWORD, "next": answer.context["sign_in"]}
    )
    assert signed.status_code == 302


def test_accepting_after_the_session_ended_is_kept_behind_the_sign_in_page() -> None:
    event = make_event()
    asked = Client().post(at(invitation(event), "invitation_accept"))
    assert (asked.status_code, event.memberships.count()) == (401, 1)


def test_an_organiser_who_opens_an_invitation_comes_to_the_desk() -> None:
    event = make_event()
    link = invitation(event)
    assert desk_of(event).get(at(link)).headers["Location"] == reverse("event_desk", args=[event.pk])
    assert desk_of(event).post(at(link, "invitation_accept")).status_code == 409


@pytest.mark.parametrize("role", [Role.REFEREE, Role.DESK, Role.SCREEN])
def test_no_other_link_makes_organisers(role: Role) -> None:
    link = invitation(make_event(), role=role)
    for name in ("invitation_accept", "invitation_account"):
        assert stranger().post(at(link, name)).status_code == 404


@pytest.mark.parametrize("role", [Role.ORGANISER, Role.SCREEN])
def test_an_invitation_and_a_screen_open_no_desk_and_no_table(role: Role) -> None:
    tournament = make_tournament()
    link = invitation(tournament.event, role=role)
    token = link_token(link)
    assert Client().get(reverse("staff_roster", args=[token, tournament.pk])).status_code == 404
    added = Client().post(f"{reverse('staff_walk_in', args=[token])}?tournament={tournament.pk}", {"name": "Eve"})
    assert (added.status_code, tournament.entries.count()) == (404, 0)


# --- on the desk


def test_the_owner_sees_who_organises_and_what_may_be_done_about_it() -> None:
    event = make_event()
    other = second_organiser(event)
    text = page_text(staff_page(desk_of(event), event))
    assert f"Organisers {event.owner} you Owner: answers for what is known of the players {other} Hand over" in text
    theirs = staff_page(signed_in(other), event).content.decode()
    assert (reverse("leave_event", args=[event.pk]) in theirs, "hand-over" in theirs) == (True, False)


def test_an_organiser_is_taken_out_on_the_desk() -> None:
    event = make_event()
    other = second_organiser(event)
    client, gone = desk_of(event), signed_in(other)
    answer = client.post(reverse("organiser_remove", args=[event.pk, other.pk]))
    assert said(answer) == [f"{other} organises this event no more."]
    assert gone.get(reverse("event_desk", args=[event.pk])).status_code == 404
    assert client.post(reverse("organiser_remove", args=[event.pk, other.pk])).status_code == 404
    stays = client.post(reverse("organiser_remove", args=[event.pk, event.owner_id]))
    assert (stays.status_code, event.memberships.count()) == (409, 1)


def test_an_organiser_leaves_and_the_owner_must_hand_over_first() -> None:
    event = make_event(name="MoonCon")
    other = second_organiser(event)
    client = signed_in(other)
    answer = client.post(reverse("leave_event", args=[event.pk]))
    assert (answer.headers["Location"], said(answer)) == (reverse("desk"), ["You do not organise MoonCon any more."])
    refused = desk_of(event).post(reverse("leave_event", args=[event.pk]))
    assert (refused.status_code, said(refused)) == (409, ["The event is theirs: it must be handed over first."])


def test_the_owner_hands_the_event_over_on_the_desk() -> None:
    event = make_event()
    other = second_organiser(event)
    address = reverse("hand_over", args=[event.pk, other.pk])
    assert signed_in(other).post(address).status_code == 403
    answer = desk_of(event).post(address)
    assert said(answer) == [f"The event is {other}’s now."]
    event.refresh_from_db()
    assert event.owner == other
    text = page_text(signed_in(other).get(reverse("event_log", args=[event.pk])))
    assert f"Handed the event over to {other}." in text


@pytest.mark.parametrize("name", ["organiser_remove", "hand_over"])
def test_somebody_of_another_event_is_nobody_here(name: str) -> None:
    event, other = make_event(), make_event()
    foreign = second_organiser(other)
    assert desk_of(event).post(reverse(name, args=[event.pk, foreign.pk])).status_code == 404
    assert desk_of(event).post(reverse(name, args=[other.pk, foreign.pk])).status_code == 404
    assert other.memberships.filter(account=foreign).count() == 1


# --- a screen


def test_a_screens_link_leads_to_its_tournament_or_to_a_choice() -> None:
    tournament = make_tournament()
    event = tournament.event
    bound = invitation(event, role=Role.SCREEN, tournament_id=tournament.pk)
    free = invitation(event, role=Role.SCREEN)
    hall = reverse("hall", args=[tournament.pk])
    assert [Client().get(at(link)).headers["Location"] for link in (bound, free)] == [hall, hall]
    cup = make_tournament(event=event, name="Cup")
    page = Client().get(at(free))
    assert (heading(page), reverse("hall", args=[cup.pk]) in page.content.decode()) == ("What this screen shows", True)
    StaffLink.objects.filter(pk=free.pk).update(expires_at=timezone.now() - timedelta(seconds=1))
    assert Client().get(at(free)).status_code == 404


# --- who may make events


def test_an_account_somebody_made_for_themselves_makes_no_events() -> None:
    account = make_account()
    Account.objects.filter(pk=account.pk).update(is_host=False)
    client = signed_in(account)
    assert "You organise nothing here" in page_text(client.get(reverse("desk")))
    answer = client.post(reverse("event_new"), {"name": "Mine"})
    assert (answer.headers["Location"], Event.objects.count()) == (reverse("desk"), 0)
    assert said(answer) == ["This account may not make events. Whoever organises one here can invite it."]
    sent = {"name": "Mine", "place": "", "zone": "UTC", "starts_on": "2027-05-22", "ends_on": "2027-05-22"}
    told = client.post("/api/events/", sent, content_type="application/json")
    assert (told.status_code, told.json()["code"], Event.objects.count()) == (403, "not_a_host", 0)
