"""Signing in and out, the house's first welcome, and RE-12: what was typed survives a session that ran out."""

from __future__ import annotations

import random
import re
from uuid import uuid4

import pytest
from django.core import signing
from django.test import Client
from django.urls import reverse

from matches.models import Match, Submission
from players.models import Account, Act
from tests.factories import PASSWORD, make_account, make_tournament
from tests.tournaments.play import pairings
from tests.tournaments.views.desk import Page, heading, page_text, running
from tournaments.models import Entry
from tournaments.permissions import first_organiser_token

pytestmark = pytest.mark.django_db


def sign_in(client: Client, account: Account, **fields: str) -> Page:
    sent = {"username": account.email, "password": PASSWORD, **fields}
    return client.post(reverse("sign_in"), sent)


def hidden(response: Page, name: str) -> str:
    """A hidden field of the page."""
    found = re.search(rf'<input type="hidden" name="{name}" value="([^"]*)"', response.content.decode())
    assert found is not None
    return found[1]


# --- signing in


def test_an_organiser_signs_in_with_the_address_in_any_letters_and_comes_to_the_desk() -> None:
    account = make_account(email="marta@example.org")
    client = Client()
    assert "Sign in" in page_text(client.get(reverse("sign_in")))
    answer = client.post(reverse("sign_in"), {"username": " MARTA@Example.org ", "password": PASSWORD})
    assert (answer.status_code, answer.headers["Location"]) == (302, reverse("desk"))
    assert client.session["_auth_user_id"] == str(account.pk)
    client.post(reverse("sign_out"))
    assert "_auth_user_id" not in client.session


def test_whoever_was_on_the_way_somewhere_gets_there() -> None:
    account = make_account()
    client = Client()
    asked = client.get(f"{reverse('event_new')}?a=1&b=2")
    page = client.get(asked.headers["Location"])
    assert hidden(page, "next") == f"{reverse('event_new')}?a=1&amp;b=2"
    answer = sign_in(client, account, next=f"{reverse('event_new')}?a=1&b=2")
    assert answer.headers["Location"] == f"{reverse('event_new')}?a=1&b=2"


def test_nobody_is_sent_to_another_site() -> None:
    answer = sign_in(Client(), make_account(), next="https://elsewhere.example/")
    assert answer.headers["Location"] == reverse("desk")


def test_a_wrong_password_says_what_to_check_and_many_say_when_to_come_back() -> None:
    account = make_account()
    client = Client()
    wrong = client.post(reverse("sign_in"), {"username": account.email, "password": "nineteen"})
    assert "No account has this address and password." in page_text(wrong)
    assert f'value="{account.email}"' in wrong.content.decode()
    for _attempt in range(9):
        wrong = client.post(reverse("sign_in"), {"username": account.email, "password": "nineteen"})
    assert (wrong.status_code, wrong.headers["Retry-After"], heading(wrong)) == (429, "900", "Too many wrong passwords")
    assert sign_in(client, account).status_code == 429


@pytest.mark.db
def test_an_address_that_grows_when_its_letters_are_made_small_is_one_that_nobody_has() -> None:
    wrong = Client().post(reverse("sign_in"), {"username": "ŉ" * 254, "password": "nineteen"})
    assert wrong.status_code == 200
    assert "No account has this address and password." in page_text(wrong)


# --- the first organiser


def test_the_first_organisers_name_is_cleaned_like_every_other() -> None:
    told = {"name": "\u202eMarta\u200b  Ray ", "email": "marta@example.org", "password": PASSWORD}
    Client().post(reverse("welcome", args=[first_organiser_token()]), told)
    assert Account.objects.get().name == "Marta Ray"


def test_the_first_link_makes_the_first_account_and_works_once() -> None:
    address = reverse("welcome", args=[first_organiser_token()])
    client = Client()
    assert heading(client.get(address)) == "Welcome to Cantina"
    weak = client.post(address, {"email": "marta@example.org", "password": "password"})
    assert (list(weak.context["form"].errors), Account.objects.count()) == (["password"], 0)
    answer = client.post(address, {"name": "Marta", "email": "Marta@example.org", "password": PASSWORD})
    account = Account.objects.get()
    assert (answer.headers["Location"], str(account), account.email) == (reverse("desk"), "Marta", "marta@example.org")
    assert client.session["_auth_user_id"] == str(account.pk)
    assert Client().get(address).status_code == 404


# --- RE-12


def test_re_12_a_result_sent_after_the_session_ended_is_kept_and_stored_once() -> None:
    tournament = running(2)
    (pairing,) = pairings(tournament)
    address = reverse("match_result", args=[tournament.pk, pairing.match_id])
    client = Client()
    form = {"result": "3-1", "key": str(uuid4()), "version": "0"}

    asked = client.post(address, form)
    assert (asked.status_code, Submission.objects.count()) == (401, 0)
    assert "What you typed is kept" in page_text(asked)
    held = hidden(asked, "held")

    wrong = client.post(reverse("sign_in"), {"username": tournament.event.owner.email, "password": "no", "held": held})
    assert hidden(wrong, "held") == held
    shown = sign_in(client, tournament.event.owner, held=held)
    assert heading(shown) == "This was not sent yet"
    assert f'<form method="post" action="{address}"' in shown.content.decode()
    assert "Field What you typed Result 3-1 Send it" in page_text(shown)
    again = {name: hidden(shown, name) for name in form}
    assert again == form

    assert client.post(address, again).status_code == 302
    assert client.post(address, again).status_code == 302
    match = Match.objects.get(pairing=pairing)
    assert (match.sets_a, match.sets_b, Submission.objects.count()) == (3, 1, 1)


def test_re_12_signed_in_again_in_another_tab_the_kept_form_is_shown_at_once() -> None:
    tournament = make_tournament()
    client = Client()
    address = reverse("entry_add", args=[tournament.pk])
    held = hidden(client.post(address, {"name": "Скиталец", "city": "Москва"}), "held")
    client.force_login(tournament.event.owner)
    shown = client.post(reverse("sign_in"), {"username": "", "password": "", "held": held})
    assert (heading(shown), "Скиталец" in shown.content.decode()) == ("This was not sent yet", True)
    client.post(address, {name: hidden(shown, name) for name in ("name", "city")})
    assert Entry.objects.get().city == "Москва"


def test_re_12_a_form_older_than_the_newest_sign_in_is_shown_again_and_not_a_bare_403() -> None:
    tournament = make_tournament()
    client = Client(enforce_csrf_checks=True)
    client.force_login(tournament.event.owner)
    address = reverse("entry_add", args=[tournament.pk])
    sent = {"name": "Скиталец", "csrfmiddlewaretoken": "x" * 64}

    shown = client.post(address, sent, headers={"Origin": "http://testserver"})
    assert (shown.status_code, heading(shown)) == (403, "This was not sent yet")
    assert (hidden(shown, "name"), Entry.objects.count()) == ("Скиталец", 0)
    token = hidden(shown, "csrfmiddlewaretoken")
    client.post(address, {"name": "Скиталец", "csrfmiddlewaretoken": token}, headers={"Origin": "http://testserver"})
    assert Entry.objects.get().name == "Скиталец"


def test_re_12_signed_out_meanwhile_the_form_waits_behind_the_sign_in_page() -> None:
    tournament = make_tournament()
    client = Client(enforce_csrf_checks=True)
    address = reverse("entry_add", args=[tournament.pk])
    asked = client.post(address, {"name": "Скиталец"}, headers={"Origin": "http://testserver"})
    assert (asked.status_code, heading(asked), hidden(asked, "held") != "") == (401, "Sign in", True)


@pytest.mark.parametrize("origin", ["", "null", "https://elsewhere.example", "http://testserver.elsewhere.example"])
def test_a_form_of_another_site_is_not_shown_to_be_sent_again(origin: str) -> None:
    tournament = make_tournament()
    client = Client(enforce_csrf_checks=True)
    client.force_login(tournament.event.owner)
    headers = {"Origin": origin} if origin else {}
    answer = client.post(reverse("entry_add", args=[tournament.pk]), {"name": "Evil"}, headers=headers)
    assert (answer.status_code, heading(answer)) == (403, "This form is too old")
    assert ("Evil" in answer.content.decode(), Entry.objects.count()) == (False, 0)


def test_a_password_is_never_kept() -> None:
    account = make_account()
    client = Client(enforce_csrf_checks=True)
    headers = {"Origin": "http://testserver"}
    sent = {"username": account.email, "password": PASSWORD}
    asked = client.post(reverse("sign_in"), sent, headers=headers)
    assert (hidden(asked, "held"), PASSWORD in asked.content.decode()) == ("", False)
    asked = client.post(reverse("welcome", args=[first_organiser_token()]), sent, headers=headers)
    assert (asked.status_code, PASSWORD in asked.content.decode()) == (403, False)
    client.force_login(account)
    asked = client.post(reverse("sign_in"), sent, headers=headers)
    assert PASSWORD not in asked.content.decode()


def test_a_forged_or_old_kept_form_is_nothing() -> None:
    account = make_account()
    path = reverse("tournament_remove", args=[1])
    forged = signing.dumps({"path": path, "fields": []}, salt="of somebody else")
    answer = sign_in(Client(), account, held=forged)
    assert answer.headers["Location"] == reverse("desk")
    assert Act.objects.filter(verb="remove_tournament").count() == 0


def test_a_form_too_long_to_keep_is_asked_for_again() -> None:
    tournament = make_tournament()
    name = random.Random(20).randbytes(150_000).hex()
    asked = Client().post(reverse("entry_add", args=[tournament.pk]), {"name": name})
    assert (asked.status_code, hidden(asked, "held")) == (401, "")
