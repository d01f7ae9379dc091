"""The account page: a name, a password, and a fresh proof before anything about signing in changes."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from players.models import Account
from tests.factories import PASSWORD, make_account
from tests.tournaments.views.desk import page_text, said, signed_in

pytestmark = pytest.mark.django_db

NEW = "another-one-than-before"


def fresh(account: Account) -> Client:
    client = Client()
    client.post(reverse("sign_in"), {"username": account.email, "password": PASSWORD})
    return client


def test_a_name_is_cleaned_and_may_be_empty() -> None:
    account = make_account()
    client = fresh(account)
    for typed, kept in (("  Marta\u200b  Ray ", "Marta Ray"), ("", "")):
        assert said(client.post(reverse("account_name"), {"name": typed}))[-1] == "Saved."
        account.refresh_from_db()
        assert account.name == kept
    assert client.post(reverse("account_name"), {"name": "x" * 121}).status_code == 400


def test_a_new_password_signs_other_browsers_out_and_not_this_one() -> None:
    account = make_account()
    client, other = fresh(account), fresh(account)
    weak = client.post(reverse("account_password"), {"password": "password"})
    assert (weak.status_code, list(weak.context["password_form"].errors)) == (400, ["password"])
    assert "password" not in weak.context["password_form"].as_p().partition("value=")[2]
    assert said(client.post(reverse("account_password"), {"password": NEW})) == [
        "The new password is set. Other browsers are signed out."
    ]
    account.refresh_from_db()
    assert account.check_password(NEW)
    assert (client.get(reverse("account")).status_code, other.get(reverse("account")).status_code) == (200, 302)


@pytest.mark.parametrize(
    "name",
    ["account_password", "passkey_begin", "passkey_add", "two_step", "two_step_off", "recovery_codes"],
)
def test_a_session_of_yesterday_changes_nothing_about_signing_in(name: str) -> None:
    account = make_account()
    old, borrowed = fresh(account), signed_in(account)  # the second never showed a proof in this browser
    session = old.session
    session["proved_at"] = (timezone.now() - timedelta(minutes=15)).isoformat()
    session.save()
    for client in (old, borrowed):
        answer = client.post(reverse(name), {"password": NEW, "name": "phone", "step_code": "123456"})
        assert (answer.status_code, "Sign in again to change how you sign in" in page_text(answer)) == (403, True)
    account.refresh_from_db()
    assert (account.check_password(PASSWORD), account.totp_salt) == (True, "")


def test_signing_in_again_leads_back_to_the_account_page() -> None:
    client = signed_in(make_account())
    assert "Sign in again" in page_text(client.get(reverse("account")))
    away = client.post(reverse("sign_out"), {"next": f"{reverse('sign_in')}?next={reverse('account')}"})
    assert away.headers["Location"] == f"{reverse('sign_in')}?next={reverse('account')}"


def test_the_account_page_is_kept_by_nobody_and_asks_who_is_there() -> None:
    assert fresh(make_account()).get(reverse("account")).headers["Cache-Control"] == "private, no-store"
    assert Client().get(reverse("account")).headers["Location"] == f"{reverse('sign_in')}?next=%2Faccount%2F"
    assert Client().post(reverse("account_password"), {"password": NEW}).status_code == 401
