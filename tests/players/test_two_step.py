"""The second step: turned on with an app, asked for after the first proof, opened by recovery codes, turned off."""

from __future__ import annotations

import re
from datetime import timedelta
from functools import partial

import pyotp
import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from players.actions import mailed, two_step
from players.models import Account, Attempt, MailedLink, RecoveryCode
from players.permissions import Refused, mailed_token
from tests.factories import NOW, PASSWORD, make_account, make_tournament
from tests.players.proofs import code_at, enable
from tests.tournaments.at_once import one_behind_the_other
from tests.tournaments.views.desk import Page, heading, page_text

pytestmark = pytest.mark.django_db

WRONG = Refused("code_wrong", status=400)


def sign_in(account: Account, client: Client | None = None, **fields: str) -> tuple[Client, Page]:
    """The first step, by password."""
    client = client or Client()
    return client, client.post(reverse("sign_in"), {"username": account.email, "password": PASSWORD, **fields})


def send_code(client: Client, code: str) -> Page:
    return client.post(reverse("sign_in_code"), {"step_code": code})


def is_in(client: Client) -> bool:
    return "_auth_user_id" in client.session


def guarded() -> tuple[Account, list[str]]:
    """An account with a second step, and its recovery codes."""
    account = make_account()
    return account, enable(account, now=timezone.now())


def now_code(account: Account) -> str:
    return code_at(account, timezone.now())


# --- turned on


def test_it_is_turned_on_with_the_code_of_the_app_and_shows_recovery_codes_once() -> None:
    account = make_account()
    client, _answer = sign_in(account)
    page = client.get(reverse("two_step"))
    secret = re.search(r"<code>([A-Z2-7 ]+)</code>", page.content.decode())
    assert secret is not None
    app = pyotp.TOTP(secret[1].replace(" ", ""))
    assert 'class="segno"' in page.content.decode()
    assert client.get(reverse("two_step")).content.decode().count(secret[1]) == 1  # the same until it is confirmed

    wrong = client.post(reverse("two_step"), {"step_code": "000000"})
    assert (wrong.status_code, list(wrong.context["form"].errors)) == (400, ["step_code"])
    assert wrong.context["form"]["step_code"].help_text == "The six digits the app shows now."
    shown = client.post(reverse("two_step"), {"step_code": app.at(timezone.now())})
    codes = re.findall(r"<code>([\w-]+)</code>", shown.content.decode())
    assert (heading(shown), len(set(codes)), shown.headers["Cache-Control"]) == (
        "Keep these recovery codes",
        10,
        "private, no-store",
    )
    account.refresh_from_db()
    assert (account.totp_salt != "", account.recovery_codes.count()) == (True, 10)
    assert client.get(reverse("two_step")).headers["Location"] == reverse("account")
    page = client.get(reverse("account"))
    assert ("10 recovery codes are left." in page_text(page), codes[0] in page.content.decode()) == (True, False)
    assert two_step.enable_two_step(account_id=account.pk, salt="00", code="1", now=timezone.now()) == Refused(
        "two_step_is_on"
    )


def test_neither_the_secret_nor_a_recovery_code_stands_in_a_table() -> None:
    account, codes = guarded()
    secret = two_step.totp_secret(account_id=account.pk, salt=account.totp_salt)
    row = str(Account.objects.filter(pk=account.pk).values().get()) + str(list(RecoveryCode.objects.values()))
    assert [text for text in (secret, *codes, *(code.replace("-", "") for code in codes)) if text in row] == []


# --- asked for


def test_a_password_alone_opens_nothing_any_more() -> None:
    account, _codes = guarded()
    client, answer = sign_in(account, next=reverse("event_new"))
    assert (answer.headers["Location"], is_in(client)) == (reverse("sign_in_code"), False)
    assert client.get(reverse("desk")).status_code == 302
    wrong = send_code(client, "000000")
    assert (wrong.status_code, is_in(client)) == (400, False)
    assert "This is not the code of this moment" in page_text(wrong)
    answer = send_code(client, now_code(account))
    assert (answer.headers["Location"], is_in(client)) == (reverse("event_new"), True)


def test_a_mailed_link_alone_opens_nothing_either() -> None:
    account, _codes = guarded()
    link = mailed.ask_for_link(email=account.email, next_path="", language="en", place="", now=timezone.now())
    assert isinstance(link, MailedLink)
    client = Client()
    answer = client.post(reverse("mailed_link", args=[mailed_token(link)]))
    assert (answer.headers["Location"], is_in(client)) == (reverse("sign_in_code"), False)
    assert (send_code(client, now_code(account)).status_code, is_in(client)) == (302, True)


def test_the_code_is_asked_for_only_after_the_first_step_and_not_for_long() -> None:
    account, _codes = guarded()
    assert send_code(Client(), now_code(account)).headers["Location"] == reverse("sign_in")
    client, _answer = sign_in(account)
    session = client.session
    session["second_step"] = {
        **session["second_step"],
        "at": (timezone.now() - timedelta(minutes=10, seconds=1)).isoformat(),
    }
    session.save()
    assert (send_code(client, now_code(account)).headers["Location"], is_in(client)) == (reverse("sign_in"), False)


def test_a_first_step_by_a_password_that_was_changed_since_is_none() -> None:
    account, _codes = guarded()
    client, _answer = sign_in(account)
    account.set_password("another-one-than-before")
    account.save()
    assert (send_code(client, now_code(account)).headers["Location"], is_in(client)) == (reverse("sign_in"), False)


def test_a_form_that_waits_is_shown_after_both_steps() -> None:
    tournament = make_tournament()
    account = tournament.event.owner
    enable(account, now=timezone.now())
    client = Client()
    asked = client.post(reverse("entry_add", args=[tournament.pk]), {"name": "Скиталец"})
    found = re.search(r'name="held" value="([^"]+)"', asked.content.decode())
    assert found is not None
    sign_in(account, client, held=found[1])
    shown = send_code(client, now_code(account))
    assert (heading(shown), "Скиталец" in shown.content.decode()) == ("This was not sent yet", True)


# --- codes


@pytest.mark.parametrize(("seconds", "is_taken"), [(-90, False), (-30, True), (0, True), (30, True), (90, False)])
def test_clocks_may_differ_by_one_step(seconds: int, is_taken: bool) -> None:
    account = make_account()
    enable(account, ago=timedelta(minutes=10))
    code = code_at(account, NOW + timedelta(seconds=seconds))
    outcome = two_step.check_code(account_id=account.pk, code=f" {code[:3]} {code[3:]} ", now=NOW)
    assert (outcome == account) is is_taken


def test_no_code_is_taken_twice_and_none_from_before_the_last() -> None:
    account = make_account()
    enable(account)
    check = partial(two_step.check_code, account_id=account.pk, now=NOW)
    assert check(code=code_at(account, NOW)) == account
    assert check(code=code_at(account, NOW)) == WRONG
    assert check(code=code_at(account, NOW - timedelta(seconds=30))) == WRONG


def test_a_recovery_code_is_good_once_however_it_is_written() -> None:
    account = make_account()
    codes = enable(account)
    check = partial(two_step.check_code, account_id=account.pk, now=NOW)
    assert check(code=codes[0].upper().replace("-", " ")) == account
    assert check(code=codes[0]) == WRONG
    assert account.recovery_codes.count() == 9
    other = make_account()
    enable(other)
    assert two_step.check_code(account_id=other.pk, code=codes[1], now=NOW) == WRONG


def test_five_wrong_codes_close_the_door_for_a_quarter_of_an_hour_even_for_the_right_one() -> None:
    account = make_account()
    enable(account)
    check = partial(two_step.check_code, account_id=account.pk)
    assert [check(code="000000", now=NOW) for _ in range(5)] == [WRONG] * 5
    shut = Refused("too_many_codes", {"minutes": 15}, status=429)
    assert check(code=code_at(account, NOW), now=NOW) == shut
    later = NOW + timedelta(minutes=15)
    assert check(code=code_at(account, later), now=later) == account
    assert Attempt.objects.filter(kind="code").count() == 0


@pytest.mark.db
@pytest.mark.django_db(transaction=True)
def test_a_code_shown_by_two_at_once_lets_one_in() -> None:
    account = make_account()
    codes = enable(account)
    for code in (code_at(account, NOW), codes[0]):
        check = partial(two_step.check_code, account_id=account.pk, code=code, now=NOW)
        assert one_behind_the_other(check, check) == (account, WRONG)


# --- turned off


def test_it_is_turned_off_against_a_last_code() -> None:
    account, codes = guarded()
    client, _answer = sign_in(account)
    send_code(client, now_code(account))
    refused = client.post(reverse("two_step_off"), {"step_code": "000000"})
    assert (refused.status_code, list(refused.context["off_form"].errors)) == (400, ["step_code"])
    assert client.post(reverse("two_step_off"), {"step_code": codes[0]}).status_code == 302
    account.refresh_from_db()
    assert (account.totp_salt, account.recovery_codes.count()) == ("", 0)
    client, answer = sign_in(account)
    assert (answer.headers["Location"], is_in(client)) == (reverse("desk"), True)


def test_new_recovery_codes_take_the_place_of_the_old_ones() -> None:
    account, codes = guarded()
    client, _answer = sign_in(account)
    send_code(client, now_code(account))
    shown = client.post(reverse("recovery_codes"), {"step_code": codes[0]})
    fresh = re.findall(r"<code>([\w-]+)</code>", shown.content.decode())
    assert (len(fresh), set(fresh) & set(codes), account.recovery_codes.count()) == (10, set(), 10)
    assert two_step.check_code(account_id=account.pk, code=codes[1], now=timezone.now()) == WRONG
    assert two_step.check_code(account_id=account.pk, code=fresh[1], now=timezone.now()) == account
