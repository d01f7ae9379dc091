"""The demo: made once, complete, known by its file, and gone by one act."""

from __future__ import annotations

import json
import stat
from typing import Any

import pytest
from django.conf import settings
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from matches.models import Match
from players.actions import open_house
from players.models import Account, Act, Player
from players.permissions import Actor, Role
from tests.factories import NOW
from tournaments.actions.events import DEMO_LOGINS, EventFacts, create_event, remove_demo
from tournaments.models import Event, Tournament
from tournaments.permissions import first_organiser_token

pytestmark = pytest.mark.django_db


@pytest.fixture
def logins() -> dict[str, dict[str, str]]:
    path = DEMO_LOGINS
    path.unlink(missing_ok=True)
    call_command("demo")
    found: dict[str, dict[str, str]] = json.loads(path.read_text())
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    return found


def test_the_demo_has_a_finished_a_running_and_an_open_tournament(logins: dict[str, dict[str, str]]) -> None:
    assert list(Tournament.objects.order_by("pk").values_list("name", "state")) == [
        ("Swiss, main event", "finished"),
        ("Cup", "running"),
        ("Sunday open", "check_in"),
    ]
    assert Match.objects.filter(kind="", is_void=False).count() == 1


def test_its_logins_open_what_they_are_for(logins: dict[str, dict[str, str]]) -> None:
    organiser = logins["organiser"]
    fields = {"username": organiser["email"].upper(), "password": organiser["password"]}
    assert Client().post("/sign-in/", fields).status_code == 302
    for who in ("referee", "desk"):
        path = logins[who]["url"].removeprefix(settings.PUBLIC_URL)
        assert Client().get(path).status_code == 200


def test_the_demo_is_made_once(logins: dict[str, dict[str, str]]) -> None:
    call_command("demo")
    assert Event.objects.count() == 1
    assert json.loads(DEMO_LOGINS.read_text()) == logins


def test_every_page_of_the_demo_says_that_it_is_one(logins: dict[str, dict[str, str]]) -> None:
    event = Event.objects.get()
    paths = [event.get_absolute_url()]
    for tournament in event.tournaments.all():
        root = tournament.get_absolute_url()
        paths += [root, f"{root}standings/", f"{root}pairings/", f"{root}hall/"]
    paths += [logins[who]["url"].removeprefix(settings.PUBLIC_URL) for who in ("referee", "desk")]
    silent = [path for path in paths if b"Demo event" not in Client().get(path).content]
    assert silent == []


def test_one_act_removes_it_and_its_logins_and_the_log_remembers(
    logins: dict[str, dict[str, str]], django_capture_on_commit_callbacks: Any
) -> None:
    event, account = Event.objects.get(), Account.objects.get()
    by = Actor(role=Role.ORGANISER, name=str(account), account=account.pk, event=event.pk)
    with django_capture_on_commit_callbacks(execute=True):
        assert remove_demo(event_id=event.pk, by=by, now=NOW) is None
    assert not DEMO_LOGINS.exists()
    left = [model.objects.count() for model in (Event, Tournament, Match, Player)]
    assert left == [0, 0, 0, 0]
    account.refresh_from_db()
    assert account.is_active is False
    assert Act.objects.filter(verb="remove_demo", event=event.pk).count() == 1
    assert open_house(email="real@example.org", password="twenty-is-the-limit", name="", now=NOW) is not None


def test_whoever_removes_the_demo_is_led_to_an_account_of_their_own(logins: dict[str, dict[str, str]]) -> None:
    client = Client()
    organiser = logins["organiser"]
    client.post("/sign-in/", {"username": organiser["email"], "password": organiser["password"]})
    gone = client.post(reverse("remove_demo", args=[Event.objects.get().pk]))
    welcome = reverse("welcome", args=[first_organiser_token()])
    assert (gone.status_code, gone.headers["Location"]) == (302, welcome)
    assert client.get(welcome).status_code == 200
    made = client.post(welcome, {"name": "Bastila", "email": "bastila@example.org", "password": "twenty-is-the-limit"})
    assert (made.status_code, made.headers["Location"]) == (302, reverse("desk"))
    assert client.get(reverse("desk")).status_code == 200
    assert client.get(welcome).status_code == 404


def test_the_first_organisers_link_that_is_printed_opens_also_beside_the_demo(
    logins: dict[str, dict[str, str]], capsys: pytest.CaptureFixture[str]
) -> None:
    call_command("first_organiser")
    printed = capsys.readouterr().out.strip()
    assert printed == settings.PUBLIC_URL + reverse("welcome", args=[first_organiser_token()])
    assert Client().get(printed.removeprefix(settings.PUBLIC_URL)).status_code == 200


def test_a_demo_account_that_runs_something_real_keeps_its_login(logins: dict[str, dict[str, str]]) -> None:
    event, account = Event.objects.get(), Account.objects.get()
    by = Actor(role=Role.ORGANISER, name=str(account), account=account.pk, event=event.pk)
    facts = EventFacts(name="Real", place="", zone="UTC", starts_on=NOW.date(), ends_on=NOW.date())
    create_event(facts=facts, owner=account, by=by, now=NOW)
    remove_demo(event_id=event.pk, by=by, now=NOW)
    account.refresh_from_db()
    assert account.is_active is True
    assert list(Event.objects.values_list("name", flat=True)) == ["Real"]


def test_the_first_account_is_made_once() -> None:
    first = open_house(email="Real@Example.org", password="twenty-is-the-limit", name="", now=NOW)
    assert first is not None
    assert first.email == "real@example.org"
    assert open_house(email="second@example.org", password="twenty-is-the-limit", name="", now=NOW) is None
