"""The examples of the documentation, asked of a real server, and the program people are given to start from."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.test import Client
from pytest_django.live_server_helper import LiveServer

from tests.factories import make_account, make_event
from tests.tournaments.api.asking import by_token
from tests.tournaments.play import count_up
from tournaments.models import Tournament

ROOT = Path(__file__).resolve().parents[3]
EXAMPLE = re.compile(r"```http\n(?P<asked>.*?)```\s+```json\n(?P<status>\d+)\n(?P<told>.*?)```", re.DOTALL)
PLACE = re.compile(r"\{(\w+)\}")


def examples() -> list[tuple[str, int, Any]]:
    text = (ROOT / "docs/api.md").read_text()
    return [(found["asked"], int(found["status"]), json.loads(found["told"])) for found in EXAMPLE.finditer(text)]


def filled(text: str, known: dict[str, Any]) -> str:
    """The text with what is known by a name in its place."""
    return PLACE.sub(lambda found: str(known[found[1]]) if found[1] in known else found[0], text)


def ask(server: str, asked: str, known: dict[str, Any]) -> tuple[int, Any]:
    """Send a request as it is written in the documentation."""
    head, _, body = asked.partition("\n\n")
    first, *rest = head.strip().splitlines()
    method, path = first.split(" ")
    headers = {"Content-Type": "application/json"}
    headers |= {name: filled(value, known) for name, value in (line.split(": ", 1) for line in rest)}
    connection = HTTPConnection(urlsplit(server).netloc, timeout=30)
    connection.request(method, filled(path, known), filled(body.strip(), known).encode() or None, headers)
    answer = connection.getresponse()
    told = json.loads(answer.read())
    connection.close()
    return answer.status, told


def compare(said: Any, told: Any, known: dict[str, Any], where: str = "") -> None:
    """Everything the documentation says of an answer is so; a name that is new gets what stands in its place."""
    if said == "…":
        return
    if isinstance(said, str) and (place := PLACE.fullmatch(said)):
        assert told == known.setdefault(place[1], told), where
    elif isinstance(said, dict):
        assert isinstance(told, dict), where
        for name, value in said.items():
            assert name in told, f"{where}/{name}"
            compare(value, told[name], known, f"{where}/{name}")
    elif isinstance(said, list):
        assert isinstance(told, list), where
        assert len(told) == len(said), where
        for place_, (one, other) in enumerate(zip(said, told, strict=True)):
            compare(one, other, known, f"{where}/{place_}")
    else:
        assert told == said, where


def token_of(*, bound: bool, name: str = "Ann") -> str:
    """The token of an organiser called Ann, for one event or for all of hers."""
    api = by_token(make_event(owner=make_account(name=name)), bound=bound)
    return api.headers["Authorization"].removeprefix("Bearer ")


@pytest.mark.django_db(transaction=True)
def test_the_examples_of_the_documentation_answer_as_it_says(live_server: LiveServer) -> None:
    known: dict[str, Any] = {"token": token_of(bound=False), "other": token_of(bound=False, name="Olli")}
    found = examples()
    assert len(found) > 15
    for asked, status, said in found:
        got, told = ask(live_server.url, asked, known)
        assert (got, told) == (status, told), asked
        compare(said, told, known, asked.splitlines()[0])


@pytest.mark.django_db(transaction=True)
def test_the_program_to_start_from_plays_a_round(live_server: LiveServer) -> None:
    names = ["Juhani", "Mission", "Carth", "Bastila"]
    done = subprocess.run(
        [sys.executable, "-W", "error", ROOT / "docs/client.py", live_server.url, token_of(bound=True), *names],
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    tournament = Tournament.objects.get(name="Script")
    assert done.stdout == f"http://127.0.0.1:8000/t/{tournament.pk}/\n"
    assert sorted(tournament.entries.values_list("name", flat=True)) == sorted(names)
    count_up(tournament)
    table = live_server.url + f"/api/tournaments/{tournament.pk}/standings/"
    connection = HTTPConnection(urlsplit(table).netloc, timeout=30)
    connection.request("GET", urlsplit(table).path)
    rows = json.loads(connection.getresponse().read())["results"]
    connection.close()
    assert [row["points"] for row in rows] == [3, 3, 0, 0]


@pytest.mark.django_db
def test_the_page_shows_the_very_program(client: Client) -> None:
    page = client.get("/api/script/")
    assert page.status_code == 200
    program = (ROOT / "docs/client.py").read_bytes()
    assert client.get("/api/script/client.py").content == program
    escaped = program.decode().replace("&", "&amp;").replace('"', "&quot;").replace("'", "&#x27;")
    assert escaped in page.content.decode()
    assert len(program.splitlines()) < 40
    assert '"/api/script/"' in client.get("/api/docs/").content.decode()
