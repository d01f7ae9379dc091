"""A link by mail signs in whoever reads the mailbox: once, for a quarter of an hour, the same for every address."""

from __future__ import annotations

import base64
import json
import re
from datetime import timedelta
from functools import partial
from threading import Barrier, Thread

import pytest
import redis
from django.core import mail
from django.db import connections
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import DjangoCaptureOnCommitCallbacks, Settings

from players.actions import mailed
from players.actions.attempts import attempt
from players.actions.mailed import Proved
from players.models import Account, Act, Attempt, MailedLink
from players.permissions import Refused, mailed_token
from players.tasks import mail_waiting_links
from tests.factories import NOW, PASSWORD, make_account, make_tournament
from tests.players.proofs import SoftKey, add_key
from tests.tournaments.at_once import one_behind_the_other
from tests.tournaments.views.desk import Page, heading, page_text, said

pytestmark = pytest.mark.django_db

EMAIL = "marta@example.org"


def ask(client: Client, email: str = EMAIL, **fields: str) -> Page:
    return client.post(reverse("sign_in_mail"), {"email": email, **fields})


def make_link(email: str = EMAIL, *, next_path: str = "", ago: timedelta = timedelta()) -> MailedLink:
    """A link that was asked for a while ago."""
    link = mailed.ask_for_link(
        email=email, next_path=next_path, language="en", place="192.0.2.1", now=timezone.now() - ago
    )
    assert isinstance(link, MailedLink)
    return link


def address(link: MailedLink) -> str:
    return reverse("mailed_link", args=[mailed_token(link)])


def who(client: Client) -> str:
    """The address of whoever is signed in; "" for nobody."""
    account = Account.objects.filter(pk=client.session.get("_auth_user_id", 0)).first()
    return account.email if account else ""


# --- asked for


@pytest.mark.parametrize("is_known", [True, False])
def test_the_answer_is_the_same_whether_an_address_is_known(is_known: bool) -> None:
    if is_known:
        make_account(email=EMAIL)
    client = Client()
    answer = ask(client, " Marta@Example.org ")
    assert (answer.status_code, answer.headers["Location"]) == (302, reverse("mail_sent"))
    page = client.get(reverse("mail_sent"))
    assert heading(page) == "Look into your mailbox"
    assert "A link is on its way to marta@example.org. It works once, for 15 minutes." in page_text(page)
    assert list(MailedLink.objects.values_list("email", "language", "mailed_at")) == [(EMAIL, "en", None)]


def test_a_fourth_mail_in_a_quarter_of_an_hour_is_refused_and_the_address_is_still_there() -> None:
    client = Client()
    assert [ask(client).status_code for _ in range(3)] == [302] * 3
    refused = ask(client)
    assert (refused.status_code, MailedLink.objects.count()) == (429, 3)
    assert "Several links went to this address already." in page_text(refused)
    assert f'value="{EMAIL}"' in refused.content.decode()
    Attempt.objects.update(at=timezone.now() - timedelta(minutes=15))
    assert ask(client).status_code == 302


def test_one_place_asks_for_sixty_mails_at_most() -> None:
    asked = [
        mailed.ask_for_link(email=f"p{number}@example.org", next_path="", language="en", place="192.0.2.1", now=NOW)
        for number in range(61)
    ]
    assert asked[60] == Refused("too_many_mails", {"minutes": 15}, status=429)
    assert MailedLink.objects.count() == 60


@pytest.mark.db
@pytest.mark.django_db(transaction=True)
def test_many_attempts_at_once_are_no_more_than_allowed() -> None:
    taken: list[bool] = []
    start = Barrier(8)

    def knock() -> None:
        start.wait()
        taken.append(attempt(kind="mail", who=EMAIL, limit=3, now=NOW))
        connections.close_all()

    threads = [Thread(target=knock) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (len(taken), sum(taken) <= 3, Attempt.objects.count() == sum(taken)) == (8, True, True)


@pytest.mark.parametrize("email", ["", "marta", "a@b\nc.example", "m" * 250 + "@example.org"])
def test_what_is_no_address_is_said_beside_it(email: str) -> None:
    answer = ask(Client(), email)
    assert (answer.status_code, list(answer.context["mail_form"].errors)) == (400, ["email"])
    assert MailedLink.objects.count() == 0


# --- sent


def test_the_mail_is_sent_after_the_commit_in_the_language_of_the_page(
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks, settings: Settings
) -> None:
    settings.PUBLIC_URL = "https://desk.example"
    with django_capture_on_commit_callbacks() as callbacks:
        ask(Client(headers={"Accept-Language": "en"}))
    link = MailedLink.objects.get()
    assert (len(callbacks), mailed.waiting_links(now=timezone.now())) == (1, [link.pk])
    for _twice in range(2):
        mailed.mail_link(link_id=link.pk, now=timezone.now())
    (sent,) = mail.outbox
    assert (sent.to, sent.subject) == ([EMAIL], "Sign in to Cantina")
    assert f"https://desk.example{address(link)}" in sent.body
    assert mailed.waiting_links(now=timezone.now()) == []


def test_the_worker_is_told_of_the_link(
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks, empty_redis: redis.Redis
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        ask(Client())
    (message,) = map(json.loads, empty_redis.lrange("celery", 0, -1))
    assert message["headers"]["task"] == "players.tasks.mail_link"
    assert json.loads(base64.b64decode(message["body"]))[0] == [MailedLink.objects.get().pk]


def test_the_sweep_sends_what_the_worker_was_not_told_of() -> None:
    link = make_link()
    mail_waiting_links()
    link.refresh_from_db()
    assert (len(mail.outbox), link.mailed_at is not None) == (1, True)


def test_a_mail_server_that_is_away_gets_it_again_until_the_link_is_too_old(settings: Settings) -> None:
    link = make_link()
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT, settings.EMAIL_TIMEOUT = "127.0.0.1", 1, 1
    mailed.mail_link(link_id=link.pk, now=timezone.now())
    assert mailed.waiting_links(now=timezone.now()) == [link.pk]
    assert mailed.waiting_links(now=timezone.now() + timedelta(minutes=15)) == []


# --- opened


def test_looking_at_the_link_uses_nothing_up_and_its_button_signs_in_once() -> None:
    link = make_link()
    for _scanner in range(2):
        page = Client().get(address(link))
        assert (heading(page), page.headers["Cache-Control"]) == ("Sign in", "private, no-store")
    assert Account.objects.count() == 0
    client = Client()
    answer = client.post(address(link))
    assert (answer.headers["Location"], who(client)) == (reverse("my_events"), EMAIL)
    account = Account.objects.get()
    assert (account.is_host, account.has_usable_password(), account.verified_at is not None) == (False, False, True)
    assert list(Act.objects.values_list("verb", flat=True)) == ["create_account", "prove_address"]

    again = client.post(address(link))
    assert again.headers["Location"] == reverse("desk")
    other = Client()
    over = other.post(address(link))
    assert (over.status_code, heading(over), who(other)) == (404, "This link works no more", "")


def test_a_link_leads_where_its_reader_was_going_and_never_to_another_site() -> None:
    ask(Client(), next=reverse("account"))
    ask(Client(), next="https://elsewhere.example/")
    first, second = MailedLink.objects.order_by("pk")
    assert Client().post(address(first)).headers["Location"] == reverse("account")
    assert Client().post(address(second)).headers["Location"] == reverse("desk")


@pytest.mark.parametrize("minutes", [15, 16])
def test_an_old_link_opens_nothing(minutes: int) -> None:
    link = make_link(ago=timedelta(minutes=minutes))
    assert Client().get(address(link)).status_code == 404
    assert mailed.use_link(link_id=link.pk, now=timezone.now()) == Refused("link_used", status=404)


@pytest.mark.parametrize("token", ["1", "1-", "x-1", "99999999999999999999-ab", "1-ж"])
def test_a_forged_link_opens_nothing(token: str) -> None:
    make_link()
    assert Client().get(reverse("mailed_link", args=[token])).status_code == 404


def test_a_link_of_a_closed_account_says_so() -> None:
    account = make_account(email=EMAIL)
    Account.objects.filter(pk=account.pk).update(is_active=False)
    client = Client()
    answer = client.post(address(make_link()))
    assert (answer.status_code, "This account is closed." in page_text(answer), who(client)) == (403, True, "")


def test_a_password_from_before_the_address_was_proved_is_gone_with_its_passkeys_and_sessions() -> None:
    account = make_account(email=EMAIL)
    add_key(account, SoftKey())
    squatter = Client()
    squatter.force_login(account)
    answer = Client().post(address(make_link()))
    assert said(answer)[0].startswith("Your address is proved now. The password and the passkeys from before are gone")
    account.refresh_from_db()
    assert (account.has_usable_password(), account.passkeys.count()) == (False, 0)
    assert squatter.get(reverse("account")).status_code == 302


def test_a_proved_account_and_the_first_one_keep_their_passwords() -> None:
    proved, first = make_account(email=EMAIL), make_account(email="first@example.org")
    Account.objects.filter(pk=proved.pk).update(verified_at=NOW)
    Account.objects.filter(pk=first.pk).update(is_first=True)
    for account in (proved, first):
        assert Client().post(address(make_link(account.email))).headers["Location"] == reverse("desk")
        account.refresh_from_db()
        assert (account.check_password(PASSWORD), account.verified_at is not None) == (True, True)


def test_a_form_that_waits_is_shown_after_signing_in_by_mail_in_the_same_browser() -> None:
    tournament = make_tournament()
    account, client = tournament.event.owner, Client()
    asked = client.post(reverse("entry_add", args=[tournament.pk]), {"name": "Скиталец", "city": "Москва"})
    found = re.search(r'name="held" value="([^"]+)"', asked.content.decode())
    assert found is not None
    ask(client, account.email, held=found[1])
    shown = client.post(address(MailedLink.objects.get()))
    assert (heading(shown), "Скиталец" in shown.content.decode()) == ("This was not sent yet", True)


@pytest.mark.db
@pytest.mark.django_db(transaction=True)
def test_a_link_used_by_two_at_once_is_used_once() -> None:
    link = make_link()
    use = partial(mailed.use_link, link_id=link.pk, now=timezone.now())
    first, second = one_behind_the_other(use, use)
    assert isinstance(first, Proved)
    assert (second, Account.objects.count()) == (Refused("link_used", status=404), 1)


@pytest.mark.db
@pytest.mark.django_db(transaction=True)
def test_two_links_to_a_new_address_used_at_once_make_one_account() -> None:
    one, two = make_link(), make_link()
    now = timezone.now()
    first, second = one_behind_the_other(
        partial(mailed.use_link, link_id=one.pk, now=now), partial(mailed.use_link, link_id=two.pk, now=now)
    )
    assert isinstance(first, Proved)
    assert isinstance(second, Proved)
    assert (first.account, first.is_new, second.is_new) == (second.account, True, False)
    assert Act.objects.filter(verb="prove_address", target=f"account/{first.account.pk}").count() == 1
