"""NA-07: a name is the same text wherever it goes: on every page there is, in every file, by the API, by mail."""

from __future__ import annotations

import csv
import io
import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from django.core import mail
from django.test import Client
from django.urls import reverse

from players.models import Player
from tests.factories import NOW, make_entry, make_event, make_tournament
from tests.tournaments.api.asking import by_token
from tests.tournaments.play import draft, pairings, play_open, start
from tests.tournaments.views.desk import desk_of
from tests.tournaments.views.hall import ROUTES, Hall
from tournaments.actions.notices import send_mails
from tournaments.actions.plans import replan
from tournaments.exporters import EXPORTERS
from tournaments.exporters.sheets import PUBLIC_SHEETS
from tournaments.models import Tournament

pytestmark = pytest.mark.django_db

ROSTER = Path(__file__).resolve().parents[2] / "cases" / "rosters" / "sharp_names.csv"
SHARP = [row["nickname"] for row in csv.DictReader(ROSTER.read_text().splitlines())]
BOLD = SHARP[4]
TOLD_APART = [*SHARP[:4], f"{BOLD} (#1)", f"{BOLD} (#2)", *SHARP[5:]]
EVENT, PLACE, TOURNAMENT, CLUB = "<i>Con</i> & {{ 6*8 }}", "<img src=x>", "=1+1 {% now 'Y' %} <u>", "</td><u onclick=x>"
UNSEEN = {"title", "option", "textarea", "vh"}
TWICE_ESCAPED = re.compile(r"&(amp|lt|gt|quot|#x?[0-9a-f]+);")


class Page(HTMLParser):
    """What a browser makes of a page: what runs, and each piece of text with the elements it stands in."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.runs: list[str] = []
        self.elements: set[str] = set()
        self.texts: list[tuple[str, tuple[str, ...]]] = []
        self.values: list[str] = []
        self._open: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        said = dict(attrs)
        self.elements.add(tag)
        self.runs += [name for name in said if name.startswith("on") or (name == "src" and said[name] == "x")]
        self.values += [value for value in said.values() if value]
        if tag not in {"meta", "link", "input", "br", "img", "hr", "path", "rect", "circle", "use"}:
            self._open.append("vh" if "vh" in (said.get("class") or "").split() else tag)

    def handle_endtag(self, tag: str) -> None:
        while self._open and self._open.pop() not in (tag, "vh"):
            pass

    def handle_data(self, data: str) -> None:
        if data.strip():
            self.texts.append((data, tuple(self._open)))


def sharp(form: str, **facts: Any) -> Tournament:
    """Everything has a sharp name, one of them twice, and every player an address."""
    event = facts.pop("event", None) or make_event(name=EVENT, place=PLACE)
    tournament = make_tournament(event=event, name=TOURNAMENT, format=form, seeding="rating", **facts)
    for place, name in enumerate([*SHARP, BOLD]):
        entry = make_entry(
            tournament=tournament, name=name, city=PLACE, club=CLUB, rating=2000 - place, here=True, name_again=True
        )
        Player.objects.filter(pk=entry.player_id).update(email=f"p{entry.pk}@example.org")
    return tournament


def is_isolated(name: str, text: str, within: tuple[str, ...]) -> bool:
    """Whether the direction of a name's letters stays its own, where anybody sees it."""
    return "bdi" in within or not UNSEEN.isdisjoint(within) or f"\u2068{name}" in text


def check(markup: str, address: str) -> set[str]:
    """Nothing of a name runs, nothing is escaped twice, no name stands open; the names that are there."""
    found = Page(markup)
    said = [*found.values, *(text for text, _within in found.texts)]
    named = {name: [each for each in found.texts if name in each[0]] for name in SHARP}
    wrong = {
        "runs": found.runs,
        "is an element": sorted({"u", "i"} & found.elements),
        "is bold": [text for text, within in found.texts if (text.strip(), within[-1:]) == ("Bold", ("b",))],
        "is escaped twice": [text for text in said if TWICE_ESCAPED.search(text)],
        # A time of day may end in these minutes; a name would not stand behind a colon.
        "was run as a template": [text for text, _within in found.texts if re.search(r"(?<!:)\b(48|49)\b", text)],
        "stands open": [each for name in named for each in named[name] if not is_isolated(name, *each)],
    }
    assert {what: where for what, where in wrong.items() if where} == {}, address
    return {name for name in named if named[name]}


def played(form: str) -> tuple[Tournament, Tournament]:
    """A tournament after a round, and one of the same event that collects its players."""
    tournament = sharp(form)
    collecting = sharp("swiss", event=tournament.event, registration=True)
    start(tournament)
    play_open(tournament)
    replan(event_id=tournament.event_id, now=NOW)
    return tournament, collecting


@pytest.mark.parametrize("form", ["swiss", "single_elimination"])
def test_na_07_on_every_page_there_is_and_in_every_part_of_one(form: str) -> None:
    hall = Hall(*played(form), name=CLUB)
    if form == "swiss":
        draft(hall.tournaments[0])
    shown: dict[str, set[str]] = {}
    for of in hall.tournaments:
        routes = [
            route for route in ROUTES if route != "design/" and (form == "swiss" or route.startswith(("t/", "p/")))
        ]
        for address in [each for route in routes for each in hall.addresses(route, of)]:
            page = hall.send(address, method="GET")
            if page.status_code != 200 or not page.get("Content-Type", "").startswith("text/html"):
                continue
            markup = page.content.decode()
            shown[address] = check(markup, address)
            for part in sorted(set(re.findall(r"[?;]part=([a-z_-]+)", markup))):
                region = hall.send(address, method="GET", QUERY_STRING=f"part={part}")
                shown[f"{address}?part={part}"] = check(region.content.decode(), f"{address}?part={part}")
    assert len([address for address, names in shown.items() if names == {*SHARP}]) > (25 if form == "swiss" else 10)


def cells_of(kind: str, content: bytes) -> list[str]:
    """Everything a file says, as whoever opens it sees it."""
    if kind == "csv":
        return [cell for row in csv.reader(io.StringIO(content.decode("utf-8-sig")), delimiter=";") for cell in row]
    (sheet,) = openpyxl.load_workbook(io.BytesIO(content)).worksheets
    cells = [cell for row in sheet.iter_rows() for cell in row if cell.value is not None]
    assert [cell.coordinate for cell in cells if cell.data_type not in ("s", "n")] == []  # "f" is a formula
    return [str(cell.value) for cell in cells]


@pytest.mark.parametrize("form", ["swiss", "single_elimination"])
@pytest.mark.parametrize("kind", [each.key for each in EXPORTERS])
def test_na_07_in_every_sheet(form: str, kind: str) -> None:
    tournament, _other = played(form)
    browser = desk_of(tournament)
    has_bye = {pairing.a.staff_name for pairing in pairings(tournament, 1) if pairing.b_id is None}
    for sheet in PUBLIC_SHEETS:
        cells = cells_of(kind, browser.get(reverse("export", args=[tournament.pk, sheet, kind])).content)
        not_there = has_bye if (sheet, form) == ("schedule", "swiss") else set()  # a bye takes no table and no time
        assert {*TOLD_APART} - {cell.removeprefix("'") for cell in cells} == not_there
        formulas = [cell for cell in cells if cell[:1] in {*"=+-@"} and not re.fullmatch(r"-\d+", cell)]
        assert kind != "csv" or formulas == []
    cells = cells_of(kind, browser.get(reverse("export_roster", args=[tournament.pk, kind])).content)
    assert {*SHARP, PLACE, CLUB} - {cell.removeprefix("'") for cell in cells} == set()


def test_na_07_in_the_files_of_a_whole_tournament() -> None:
    tournament, _other = played("swiss")
    by_json, by_trf = (
        Client().get(reverse("export", args=[tournament.pk, "tournament", kind])).content for kind in ("json", "trf")
    )
    read = json.loads(by_json)
    assert read["name"] == TOURNAMENT
    assert sorted(entry["name"] for entry in read["entries"]) == sorted(TOLD_APART)
    names = [line[14:47].strip() for line in by_trf.decode().splitlines() if line.startswith("001")]
    assert sorted(names) == sorted(TOLD_APART)


def test_na_07_by_the_api() -> None:
    tournament, _other = played("single_elimination")
    api = by_token(tournament)
    assert sorted(row["name"] for row in api.rows(f"tournaments/{tournament.pk}/entries/")) == sorted([*SHARP, BOLD])
    rows = api.get(f"tournaments/{tournament.pk}/standings/").json()["results"]
    assert sorted(row["entry"]["name"] for row in rows) == sorted(TOLD_APART)
    assert api.get(f"tournaments/{tournament.pk}/").json()["name"] == TOURNAMENT
    told = json.dumps(api.get(f"events/{tournament.event_id}/log/").json(), ensure_ascii=False)
    assert TWICE_ESCAPED.findall(told) == []


def test_na_07_by_mail() -> None:
    tournament = sharp("swiss")
    start(tournament)
    assert send_mails(now=NOW) == len(mail.outbox) == 9
    bodies = [str(message.body) for message in mail.outbox]
    assert [name for name in SHARP if not any(f"\u2068{name}" in body for body in bodies)] == []
    assert all(f"\u2068{TOURNAMENT}\u2069 at \u2068{EVENT}\u2069" in body for body in bodies)
    assert {str(message.subject) for message in mail.outbox} == {f"{TOURNAMENT}: Round 1"}
    assert [message for message in mail.outbox if getattr(message, "alternatives", [])] == []  # plain text alone
    assert [body for body in bodies if TWICE_ESCAPED.search(body)] == []
