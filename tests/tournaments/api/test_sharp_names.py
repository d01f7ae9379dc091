"""Names with letters that addresses and files are fond of: they arrive as they were sent, and are found again."""

from __future__ import annotations

from urllib.parse import urlencode

import pytest
from django.test import Client
from django.urls import reverse

from tests.factories import make_event, make_tournament, organiser
from tests.tournaments.api.asking import Api, by_token
from tests.tournaments.play import start
from tests.tournaments.views.desk import desk_of
from tournaments.actions import roster
from tournaments.models import Entry

pytestmark = pytest.mark.django_db

NAMES = ["A+B", "R&D", "100% Ivan", "a#b", "x=y", "a/b?c", "“q”;'", "<i>", "%2B", "Ёлкин 🐙", "ابن", "=SUM(A1)"]


def test_ie_07_names_arrive_as_they_were_sent_and_travel_on_unchanged() -> None:
    tournament = make_tournament(seeding="rating")
    api, path = by_token(tournament), f"tournaments/{tournament.pk}/entries/"
    sent = [api.post(path, {"name": name, "here": True}).json()["name"] for name in NAMES]
    assert sent == NAMES
    assert api.post(path, {"name": " spaced "}).json()["name"] == "spaced"
    assert list(Entry.objects.order_by("pk").values_list("name", flat=True)) == [*NAMES, "spaced"]
    assert sorted(row["name"] for row in api.rows(path)) == sorted([*NAMES, "spaced"])

    roster.check_in_all(tournament_id=tournament.pk, by=organiser(of=tournament), now=tournament.created_at)
    start(tournament)
    text = Api().get(f"tournaments/{tournament.pk}/exports/tournament/json/").content.decode()
    event = make_event()
    made = by_token(event).post(f"events/{event.pk}/tournaments/import/", {"text": text}).json()["id"]
    arrived = Entry.objects.filter(tournament=made).values_list("name", flat=True)
    assert sorted(arrived) == sorted([*NAMES, "spaced"])


def test_ie_07_each_is_found_by_the_address_of_its_search() -> None:
    tournament = make_tournament()
    for name in NAMES:
        by_token(tournament).post(f"tournaments/{tournament.pk}/entries/", {"name": name})
    client = desk_of(tournament)
    for name in NAMES:
        page = client.get(f"{reverse('roster', args=[tournament.pk])}?{urlencode({'q': name})}")
        found = [row.entry.name for row in page.context["roster"].rows]
        assert (name, name in found) == (name, True)
    assert Client().get(reverse("tournament", args=[tournament.pk]), {"q": "A+B"}).status_code == 200
