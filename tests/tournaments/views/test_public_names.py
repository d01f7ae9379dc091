"""NA-07: a name is text and nothing else, on every page and in every region, whatever it looks like."""

from __future__ import annotations

import csv
from datetime import timedelta
from html import escape
from html.parser import HTMLParser
from pathlib import Path
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from players.permissions import Role
from tests.factories import NOW, make_entry, make_tournament, organiser
from tests.tournaments.play import count_up, pairings, play_open, report, start
from tournaments.actions import rounds, staff
from tournaments.models import Tournament
from tournaments.permissions import link_token

pytestmark = pytest.mark.django_db

ROSTER = Path(__file__).resolve().parents[2] / "cases" / "rosters" / "sharp_names.csv"
SHARP = [row["nickname"] for row in csv.DictReader(ROSTER.read_text().splitlines())]
OWN_TAGS = {
    *("html", "head", "meta", "title", "link", "script", "body", "a", "header", "div", "svg", "rect", "path", "nav"),
    *(
        "main",
        "section",
        "article",
        "aside",
        "footer",
        "span",
        "button",
        "form",
        "input",
        "label",
        "p",
        "h1",
        "h2",
        "h3",
    ),
    *(
        "ul",
        "ol",
        "li",
        "table",
        "thead",
        "tbody",
        "tr",
        "th",
        "td",
        "b",
        "strong",
        "br",
        "bdi",
        "time",
        "dl",
        "dt",
        "dd",
    ),
    *("details", "summary", "fieldset", "legend", "template"),
}


class Reader(HTMLParser):
    """What a browser would make of a page: its elements, its attributes, its names."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.handlers: set[str] = set()
        self.names: list[str] = []
        self._in_name = False
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.handlers |= {name for name, _value in attrs if name.startswith("on")}
        self._in_name = tag == "bdi"

    def handle_data(self, data: str) -> None:
        if self._in_name:
            self.names.append(data)
            self._in_name = False


def sharp(form: str) -> Tournament:
    tournament = make_tournament(format=form, seeding="rating")
    for place, name in enumerate(SHARP):
        make_entry(tournament=tournament, name=name, rating=2000 - place, here=True)
    return tournament


def check(client: Client, address: str, *, names: bool = True) -> None:
    answer = client.get(address)
    assert answer.status_code == 200
    read = Reader(answer.content.decode())
    assert read.tags - OWN_TAGS == set()
    assert read.handlers == set()
    if names:
        assert set(read.names) - {"Marta"} <= set(SHARP)
        assert read.names


@pytest.mark.parametrize("form", ["swiss", "single_elimination", "round_robin"])
def test_na_07_a_name_is_text_on_every_public_page(form: str) -> None:
    tournament = sharp(form)
    pages = ["tournament", "standings", "pairings", "hall", *(["bracket"] if form == "single_elimination" else [])]
    check(Client(), reverse("tournament", args=[tournament.pk]))
    start(tournament)
    for play in (False, True):
        if play:
            play_open(tournament)
        for name in pages:
            check(Client(), reverse(name, args=[tournament.pk]))
    check(Client(), f"{reverse('pairings', args=[tournament.pk])}?by=name&round=1")
    for name in SHARP:
        check(Client(), f"{reverse('tournament', args=[tournament.pk])}?q={name[:3]}")


def test_na_07_a_name_is_text_in_every_region_and_on_the_podium() -> None:
    tournament = sharp("round_robin")
    start(tournament)
    for region in ("state", "now", "standings", "rounds"):
        check(Client(), f"{reverse('tournament', args=[tournament.pk])}?part={region}", names=region != "state")
    play_open(tournament)
    rounds.finish_tournament(tournament_id=tournament.pk, by=organiser(of=tournament), now=NOW)
    count_up(tournament)
    for region in ("state", "now"):
        check(Client(), f"{reverse('tournament', args=[tournament.pk])}?part={region}")
    check(Client(), f"{reverse('event', args=[tournament.event_id])}?part=tournaments")


def test_na_07_a_name_is_text_on_the_referees_page_and_in_what_it_says() -> None:
    tournament = sharp("swiss")
    start(tournament)
    link = staff.create_link(
        event_id=tournament.event_id,
        tournament_id=tournament.pk,
        role=Role.REFEREE,
        name="Marta",
        expires_at=timezone.now() + timedelta(hours=8),
        by=organiser(of=tournament),
        now=NOW,
    )
    client, home = Client(), reverse("staff_link", args=[link_token(link)])
    check(client, home)
    one, other = pairings(tournament, 1)[:2]
    address = reverse("staff_result", args=[link_token(link), one.match_id])
    said = {"result": "3-1", "key": str(uuid4()), "version": "0"}
    client.post(address, said)
    check(client, home)  # with the message that it was taken
    report(other, (3, 0))
    refused = client.post(
        reverse("staff_result", args=[link_token(link), other.match_id]), said | {"key": str(uuid4())}
    )
    assert refused.status_code == 409
    read = Reader(refused.content.decode())
    assert (read.tags - OWN_TAGS, read.handlers) == (set(), set())
    assert escape(other.a.name) in refused.content.decode()
