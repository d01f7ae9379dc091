"""Helpers on the desk: a link and its code, shown again whenever asked for, closed at once; a token shown once."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
import segno
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import Settings

from tests.factories import make_event, make_tournament
from tests.tournaments.views.desk import Page, desk_of, heading, page_text, said
from tournaments.actions.staff import token_digest
from tournaments.models import ApiToken, Event, StaffLink
from tournaments.permissions import link_token
from tournaments.words.hall import numbers_text

pytestmark = pytest.mark.django_db


def coming_event() -> Event:
    """An event of next week: its helpers' links still work."""
    event = make_event()
    day = timezone.localdate() + timedelta(days=7)
    Event.objects.filter(pk=event.pk).update(starts_on=day, ends_on=day)
    return Event.objects.select_related("owner").get(pk=event.pk)


def new_link(event: Event, **said_of_it: Any) -> Page:
    sent = {"name": "Marta", "role": "referee", "expires_on": "2099-05-24", **said_of_it}
    return desk_of(event).post(reverse("link_new", args=[event.pk]), sent)


def show(event: Event, link: StaffLink) -> Page:
    return desk_of(event).get(reverse("link_show", args=[event.pk, link.pk]))


def test_a_link_is_made_and_shown_with_a_code_for_the_camera(settings: Settings) -> None:
    settings.PUBLIC_URL = "https://desk.example"
    event = make_event()
    tournament = make_tournament(event=event)
    answer = new_link(event, tournament=str(tournament.pk), tables="1-3, 8 12")
    link = StaffLink.objects.get()
    assert answer.headers["Location"] == reverse("link_show", args=[event.pk, link.pk])
    assert (link.name, link.role, link.tournament, link.tables) == ("Marta", "referee", tournament, [1, 2, 3, 8, 12])
    assert link.expires_at == datetime(2099, 5, 24, 20, 59, tzinfo=UTC)  # 23:59 in Riga

    page = show(event, link)
    address = f"https://desk.example/s/{link_token(link)}/"
    body = page.content.decode()
    assert (heading(page), f'<a href="{address}">' in body) == ("Marta", True)
    assert segno.make(address, error="m").svg_inline(omitsize=True, border=2) in body
    assert "tables 1–3, 8, 12" in page_text(page)
    assert "Only on this computer" not in body


def test_the_drawn_code_has_no_style_of_its_own_and_a_local_address_is_warned_of(settings: Settings) -> None:
    settings.PUBLIC_URL = "http://127.0.0.1:8000"
    event = make_event()
    new_link(event)
    body = show(event, StaffLink.objects.get()).content.decode()
    svg = re.search(r"<svg[^>]*class=\"segno\".*?</svg>", body, re.DOTALL)
    assert svg is not None
    assert "style" not in svg[0]
    assert "Only on this computer" in body


def test_a_link_ends_the_day_after_the_event_unless_somebody_says_otherwise() -> None:
    event = make_event()
    form = desk_of(event).get(reverse("event_staff", args=[event.pk])).context["link_form"]
    assert form["expires_on"].value() == date(2027, 5, 24)


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"name": ""}, "name"),
        ({"role": "dealer"}, "role"),
        ({"role": "god"}, "role"),
        ({"email": "marta"}, "email"),
        ({"tables": "one"}, "tables"),
        ({"tables": "0"}, "tables"),
        ({"tables": "9-3"}, "tables"),
        ({"tables": "1-9999"}, "tables"),
        ({"expires_on": ""}, "expires_on"),
        ({"expires_on": "9999-12-31"}, "expires_on"),
        ({"tournament": "999999"}, "tournament"),
    ],
)
def test_a_link_that_cannot_be_is_said_beside_its_field(wrong: dict[str, str], field: str) -> None:
    answer = new_link(make_event(), **wrong)
    assert (answer.status_code, list(answer.context["link_form"].errors)) == (400, [field])
    assert StaffLink.objects.count() == 0


def test_a_link_to_another_events_tournament_cannot_be_made() -> None:
    answer = new_link(make_event(), tournament=str(make_tournament().pk))
    assert (answer.status_code, list(answer.context["link_form"].errors)) == (400, ["tournament"])


def test_the_entry_desk_has_no_tables() -> None:
    new_link(make_event(), role="desk", tables="1-4")
    assert (StaffLink.objects.get().role, StaffLink.objects.get().tables) == ("desk", [])


def test_a_closed_link_opens_nothing_and_a_new_one_in_its_place_does() -> None:
    event = coming_event()
    make_tournament(event=event)
    new_link(event)
    link = StaffLink.objects.get()
    first = reverse("staff_link", args=[link_token(link)])
    assert Client().get(first).status_code == 200

    answer = desk_of(event).post(reverse("link_revoke", args=[event.pk, link.pk]))
    link.refresh_from_db()
    assert said(answer) == ["The link of Marta works no more."]
    assert Client().get(first).status_code == 404
    page = show(event, link)
    assert ("This link is closed." in page_text(page), "<svg xmlns" in page.content.decode()) == (True, False)
    assert "Closed" in page_text(desk_of(event).get(reverse("event_staff", args=[event.pk])))

    answer = desk_of(event).post(reverse("link_renew", args=[event.pk, link.pk]))
    link.refresh_from_db()
    assert said(answer) == ["Marta has a new link; the old one works no more."]
    assert (
        Client().get(first).status_code,
        Client().get(reverse("staff_link", args=[link_token(link)])).status_code,
    ) == (
        404,
        200,
    )


def test_a_link_whose_time_is_over_says_so_and_can_be_renewed_for_a_day() -> None:
    event = make_event()
    Event.objects.filter(pk=event.pk).update(starts_on=date(2020, 1, 1), ends_on=date(2020, 1, 1))
    new_link(event, expires_on="2020-01-02")
    link = StaffLink.objects.get()
    assert "This link’s time is over." in page_text(show(event, link))
    desk_of(event).post(reverse("link_renew", args=[event.pk, link.pk]))
    link.refresh_from_db()
    assert timedelta(hours=23) < link.expires_at - timezone.now() <= timedelta(hours=24)


def test_a_token_is_shown_once_and_only_its_digest_is_kept() -> None:
    event = make_event()
    client = desk_of(event)
    answer = client.post(reverse("token_new", args=[event.pk]), {"name": "score board"})
    token = ApiToken.objects.get()
    secret = re.search(r"cantina_[\w-]+", answer.content.decode())
    assert secret is not None
    assert (token.digest, token.account, token.event) == (token_digest(secret[0]), event.owner, event)
    assert answer.headers["Cache-Control"] == "private, no-store"
    listed = client.get(reverse("event_staff", args=[event.pk])).content.decode()
    assert (secret[0] in listed, f"{token.hint}…" in listed) == (False, True)

    answer = client.post(reverse("token_revoke", args=[event.pk, token.pk]))
    token.refresh_from_db()
    assert (said(answer), token.revoked_at is not None) == (["The token score board works no more."], True)
    assert client.post(reverse("token_new", args=[event.pk]), {"name": " "}).status_code == 400


@pytest.mark.parametrize(
    ("tables", "told"), [([], ""), ([5], "5"), ([1, 2], "1–2"), ([1, 2, 3, 8, 12, 13], "1–3, 8, 12–13")]
)
def test_tables_are_told_in_runs(tables: list[int], told: str) -> None:
    assert numbers_text(tables) == told
