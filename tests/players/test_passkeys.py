"""Passkeys: made, shown, removed; and everything a stranger may send in their place."""

from __future__ import annotations

import json
from functools import partial
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from players.actions import passkeys
from players.models import Account, Passkey
from players.permissions import Refused
from tests.factories import NOW, PASSWORD, make_account
from tests.players.proofs import HOST, ORIGIN, Flags, SoftKey, add_key, enable
from tests.tournaments.views.desk import page_text, said

pytestmark = pytest.mark.django_db

WRONG = Refused("passkey_wrong", status=400)


def use(key: SoftKey, **differently: Any) -> Account | Refused:
    """Sign in with a key; `differently`: what the browser or the site says otherwise."""
    options, state = passkeys.begin_sign_in(host=HOST)
    site = {"host": HOST, "origin": ORIGIN} | {
        name: differently.pop(f"site_{name}") for name in ("host", "origin") if f"site_{name}" in differently
    }
    return passkeys.use_passkey(state=state, answer=key.show(options, **differently), now=NOW, **site)


def test_a_passkey_opens_its_account_and_no_other() -> None:
    account, other = make_account(), make_account()
    one, two = SoftKey(name=b"one"), SoftKey(name=b"two")
    assert isinstance(add_key(account, one), Passkey)
    assert isinstance(add_key(other, two), Passkey)
    assert (use(one), use(two)) == (account, other)
    assert use(SoftKey(name=b"one")) == WRONG  # the same id, another private half
    assert use(SoftKey(name=b"nobody's")) == WRONG
    passkey = account.passkeys.get()
    assert (passkey.name, passkey.host, passkey.uses, passkey.used_at) == ("phone", HOST, 2, NOW)


@pytest.mark.parametrize(
    "differently",
    [
        {"origin": "http://elsewhere.example"},
        {"origin": "https://localhost"},
        {"host": "elsewhere.example"},
        {"flags": Flags.UP},
        {"flags": Flags.UV},
        {"site_origin": "http://localhost:8001"},
        {"site_host": "cantina.example"},
    ],
)
def test_a_passkey_shown_to_another_site_or_without_its_owner_opens_nothing(differently: dict[str, Any]) -> None:
    key = SoftKey()
    add_key(make_account(), key)
    assert use(key, **differently) == WRONG


def test_an_answer_is_good_for_one_challenge() -> None:
    key, account = SoftKey(), make_account()
    add_key(account, key)
    options, state = passkeys.begin_sign_in(host=HOST)
    answer = key.show(options)
    _other, other_state = passkeys.begin_sign_in(host=HOST)
    again = partial(passkeys.use_passkey, answer=answer, host=HOST, origin=ORIGIN, now=NOW)
    assert (again(state=other_state), again(state=state)) == (WRONG, account)


def test_a_key_that_counts_back_was_copied_and_one_that_counts_nothing_is_well() -> None:
    account = make_account()
    counting, still = SoftKey(name=b"counting"), SoftKey(name=b"still", counts=False)
    add_key(account, counting)
    add_key(account, still)
    assert [use(counting), use(still), use(still)] == [account] * 3
    counting.count = 0
    assert use(counting) == WRONG


def test_the_key_of_a_closed_account_says_so() -> None:
    account, key = make_account(), SoftKey()
    add_key(account, key)
    Account.objects.filter(pk=account.pk).update(is_active=False)
    assert use(key) == Refused("account_closed", status=403)


@pytest.mark.parametrize(
    "answer",
    [{}, {"rawId": 7}, {"rawId": "!", "id": "!"}, {"id": "AA", "rawId": "AA", "type": "public-key", "response": {}}],
)
def test_what_is_no_answer_of_a_browser_opens_nothing(answer: dict[str, Any]) -> None:
    _options, state = passkeys.begin_sign_in(host=HOST)
    assert passkeys.use_passkey(state=state, answer=answer, host=HOST, origin=ORIGIN, now=NOW) == WRONG
    account = make_account()
    _options, state = passkeys.begin_passkey(account=account, host=HOST)
    added = passkeys.add_passkey(
        account_id=account.pk, name="phone", state=state, answer=answer, host=HOST, origin=ORIGIN, now=NOW
    )
    assert (added, Passkey.objects.count()) == (WRONG, 0)


def test_a_key_is_kept_once_and_an_account_has_twenty_at_most() -> None:
    account, key = make_account(), SoftKey()
    add_key(account, key)
    assert add_key(make_account(), key) == Refused("passkey_known")
    for number in range(19):
        assert isinstance(add_key(account, SoftKey(name=b"%d" % number)), Passkey)
    assert add_key(account, SoftKey(name=b"20")) == Refused("too_many_passkeys", {"limit": 20})


# --- in the browser


def begun(client: Client, name: str) -> dict[str, Any]:
    options: dict[str, Any] = client.post(reverse(name), headers={"Host": HOST}).json()
    return options


def by_password(account: Account) -> Client:
    client = Client(headers={"Host": HOST})
    client.post(reverse("sign_in"), {"username": account.email, "password": PASSWORD})
    return client


def test_a_passkey_is_added_on_the_account_page_signs_in_and_is_removed() -> None:
    account, key = make_account(), SoftKey()
    enable(account, now=timezone.now())
    Account.objects.filter(pk=account.pk).update(totp_salt="")
    client = by_password(account)
    made = key.make(begun(client, "passkey_begin"))
    answer = client.post(reverse("passkey_add"), {"name": " my phone ", "credential": json.dumps(made)})
    assert said(answer) == ["The passkey is added: it signs you in from now on."]
    assert "my phone localhost · added" in page_text(client.get(reverse("account")))

    # A passkey is two proofs at once: the second step is not asked for.
    enable(account, now=timezone.now())
    fresh = Client(headers={"Host": HOST})
    shown = key.show(begun(fresh, "passkey_begin_use"))
    sent = {"credential": json.dumps(shown), "next": reverse("account")}
    answer = fresh.post(reverse("passkey_use"), sent)
    assert (answer.headers["Location"], fresh.session["_auth_user_id"]) == (reverse("account"), str(account.pk))
    again = Client(headers={"Host": HOST})
    assert again.post(reverse("passkey_use"), sent).headers["Location"].startswith(reverse("sign_in"))

    passkey = account.passkeys.get()
    address = reverse("passkey_remove", args=[passkey.pk])
    assert by_password(make_account()).post(address).status_code == 404
    assert said(fresh.post(address)) == ["The passkey my phone signs nobody in any more."]
    assert (fresh.post(address).status_code, Passkey.objects.count()) == (404, 0)


@pytest.mark.parametrize("credential", ["", "{", "[]", "{}", "null"])
def test_a_form_without_a_passkey_says_to_try_another_way(credential: str) -> None:
    client = Client(headers={"Host": HOST})
    begun(client, "passkey_begin_use")
    answer = client.post(reverse("passkey_use"), {"credential": credential, "next": "/desk/"})
    assert answer.headers["Location"] == f"{reverse('sign_in')}?next=%2Fdesk%2F"
    assert said(answer) == ["This passkey does not open an account here. Try another way to sign in."]


@pytest.mark.parametrize(
    ("host", "is_secure", "words"),
    [
        ("localhost", False, ""),
        ("127.0.0.1", False, "Passkeys need a name"),
        ("[::1]", True, "Passkeys need a name"),
        ("testserver", False, "Passkeys need an encrypted connection"),
        ("testserver", True, ""),
    ],
)
def test_passkeys_are_offered_where_browsers_have_them_and_else_the_page_says_why(
    host: str, is_secure: bool, words: str
) -> None:
    page = Client(headers={"Host": host}).get(reverse("sign_in"), secure=is_secure)
    assert ("data-passkey" in page.content.decode()) is (words == "")
    assert words in page_text(page)


def test_nobody_makes_passkeys_who_is_not_signed_in() -> None:
    for name in ("passkey_begin", "passkey_add"):
        assert Client().post(reverse(name)).status_code == 401
