"""Forms of the desk that make something: a double click makes one, another name in the same form another one."""

from __future__ import annotations

import re
from functools import partial
from typing import Any

import pytest
from django.urls import reverse

from players.models import Account, Act
from tests.factories import make_account, make_event
from tests.tournaments.api.test_at_once import at_once
from tests.tournaments.views.desk import Page, page_text, signed_in
from tournaments.models import Event, FirstAnswer

pytestmark = [pytest.mark.django_db, pytest.mark.db]

FORMS: dict[str, tuple[str, dict[str, str]]] = {
    "event_new": ("event_new", {"starts_on": "2027-05-22", "zone": "riga"}),
    "tournament_new": ("tournament_new", {}),
    "link_new": ("event_staff", {"role": "referee", "expires_on": "2099-05-24"}),
    "token_new": ("event_staff", {}),
}
"""Where a form is sent, the page it stands on, and what is typed beside the name."""


def filled(form: str, owner: Account) -> tuple[str, dict[str, str]]:
    """Where the form is sent, and what the browser sends: the key that stands on the page and what is typed."""
    shown, typed = FORMS[form]
    ids = [] if form == "event_new" else [make_event(owner=owner).pk]
    page = signed_in(owner).get(reverse(shown, args=ids)).content.decode()
    key = re.search(r'<input type="hidden" name="key" value="([^"]+)"', page)
    assert key is not None
    return reverse(form, args=ids), {**typed, "key": key[1]}


def send(owner: Account, address: str, said: dict[str, Any], *, name: str = "StarCon 2027") -> Page:
    return signed_in(owner).post(address, {"name": name, **said})


def made(form: str) -> int:
    """How many it made, as the log tells. The event a form stands in was made without one."""
    verb = "create_" + form.removesuffix("_new")
    return Act.objects.filter(verb=verb).count()


@pytest.mark.parametrize("form", FORMS)
def test_the_same_form_twice_makes_one_and_leads_to_it_and_with_another_name_another_one(form: str) -> None:
    owner = make_account()
    address, said = filled(form, owner)
    first, again, other = (send(owner, address, said, name=name) for name in ("Main", "Main", "Side"))
    assert {answer.status_code for answer in (first, again, other)} == {200 if form == "token_new" else 302}
    assert made(form) == 2
    if form != "token_new":
        assert first.headers["Location"] == again.headers["Location"] != other.headers["Location"]


def test_a_token_is_shown_again_to_whoever_pressed_twice_and_stands_nowhere_else() -> None:
    owner = make_account()
    address, said = filled("token_new", owner)
    first, again = (send(owner, address, said) for _ in range(2))
    secret = re.search(r"cantina_[\w-]+", page_text(first))
    assert secret is not None
    assert secret[0] in page_text(again)
    assert secret[0].encode() not in bytes(FirstAnswer.objects.get().body)


def test_a_key_that_is_none_is_done_each_time_and_one_of_somebody_else_is_their_own() -> None:
    owner, other = make_account(), make_account()
    address, said = filled("event_new", owner)
    for key in ("", "x", "of this form"):
        send(owner, address, {**said, "key": key})
    assert made("event_new") == 3
    for account in (owner, other):
        send(account, address, said)
    assert list(Event.objects.order_by("pk").values_list("owner", flat=True)) == [owner.pk] * 4 + [other.pk]


def test_a_form_that_was_refused_keeps_its_key() -> None:
    owner = make_account()
    address, said = filled("event_new", owner)
    refused = send(owner, address, said, name="")
    assert (refused.status_code, refused.context["once"]) == (400, said["key"])


@pytest.mark.django_db(transaction=True)
def test_a_double_click_makes_one() -> None:
    owner = make_account()
    address, said = filled("event_new", owner)
    answers = at_once(*[partial(send, owner, address, said)] * 3)
    assert {(answer.status_code, answer.headers["Location"]) for answer in answers} == {
        (302, reverse("event_desk", args=[Event.objects.get().pk]))
    }
