"""Every address and every form, sent what no browser would send: each answers, none breaks, and whoever sends too much
is told so on a page of ours.
"""

from __future__ import annotations

import random
import re
from html.parser import HTMLParser
from typing import Any
from urllib.parse import urlencode, urljoin, urlsplit

import pytest
import redis
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test.client import BOUNDARY, MULTIPART_CONTENT, encode_multipart

from tests.factories import make_entry, make_tournament
from tests.tournaments.api.test_permissions import running
from tests.tournaments.views.hall import ROUTES, Hall

pytestmark = [pytest.mark.django_db, pytest.mark.db]

FORM = "application/x-www-form-urlencoded"
JUNK = [
    "\x00",
    "a\x00b",
    "\ud800",
    "\ufffe\uffff",
    "\u202e\u2066",
    "-1",
    "0",
    "9" * 30,
    "1e400",
    "NaN",
    "٣",
    "[]",
    "{}",
    '{"id": "\\ud800", "rawId": "\\u0000", "type": [], "response": {}}',
    "[" * 3000,
    "x" * 100_000,
    "0001-01-01",
    "9999-12-31",
    "9999-12-31T23:59",
    "../../etc/passwd",
    "' OR 1=1 --",
    "3-9",
    "on",
    "012 \x01\n001    1",
]
UNREADABLE: list[tuple[str, bytes]] = [
    # what it says it is, and what it is
    (FORM, b"name=%00&email=%ED%A0%80&why=%FF%FE&q=%"),
    (FORM, b"\x00\xff&\xfe=\xed\xa0\x80;=&&=="),
    (f"{FORM}; charset=utf-7", b"name=+2AA-"),
    (f"{FORM}; charset=hex", b"name=00"),
    (f"{FORM}; charset=nonsense", b"name=Ann"),
    ("multipart/form-data", b"--x\r\n"),
    ("multipart/form-data; boundary=", b"----\r\n"),
    ("multipart/form-data; boundary=" + "x" * 300, b"--" + b"x" * 300),
    ("multipart/form-data; boundary=\xff", b"--\xff\r\n"),
    (
        "multipart/form-data; boundary=x; charset=utf-7",
        b'--x\r\nContent-Disposition: form-data; name="name"\r\n\r\n+2AA-\r\n--x--',
    ),
    ("multipart/form-data; boundary=x", b'--x\r\nContent-Disposition: form-data; name="name"\r\n\r\nAnn'),
    (
        "multipart/form-data; boundary=x",
        b'--x\r\nContent-Disposition: form-data; name="f"; filename="a"\r\nContent-Transfer-Encoding: base64\r\n\r\n!',
    ),
    ("application/json", b'{"name": "\\ud800"}'),
    ("text/plain", b"name=Ann"),
    ("", b"name=Ann"),
    ("\x00", b"\x00"),
    ("image/png; charset=rot13", b"\x89PNG"),
]
QUERY = ["before", "by", "next", "part", "q", "round", "show", "tournament", "view"]
TOO_MUCH: list[tuple[str, bytes]] = [
    (FORM, b"name=" + b"x" * 5_000_000),
    (FORM, b"name=a&" * 6000),
    (MULTIPART_CONTENT, encode_multipart(BOUNDARY, {"name": "x" * 5_000_000})),
    (MULTIPART_CONTENT, encode_multipart(BOUNDARY, {f"name{each}": "a" for each in range(6000)})),
    (MULTIPART_CONTENT, encode_multipart(BOUNDARY, {"file": [SimpleUploadedFile("a.csv", b"a")] * 101})),
]


def answered(answer: Any) -> None:
    """It is an answer, and whatever is refused is refused on a page of ours or in a form for programs."""
    assert answer.status_code < 500
    if answer.status_code >= 400:
        body = answer.content.decode()
        assert '<main id="main"' in body or answer["Content-Type"].endswith("json") or answer.status_code == 405, body[
            :300
        ]


def hall() -> Hall:
    """One tournament that runs and one that collects its players."""
    running_ = running()
    collecting = make_tournament(event=running_.event, name="Open", registration=True)
    make_entry(tournament=collecting)
    return Hall(running_, collecting)


class Forms(HTMLParser):
    """The forms of a page: where each goes, and what a browser would send when nothing is changed."""

    def __init__(self, page: str, address: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str]]] = []
        self._address, self._open = address, False
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        said = {name: value or "" for name, value in attrs}
        if tag == "form":
            self._open = said.get("method", "").lower() == "post"
            if self._open:
                self.found.append((urljoin(self._address, said.get("action", "")), {}))
        elif self._open and said.get("name"):
            fields = self.found[-1][1]
            if tag in ("select", "textarea"):
                fields.setdefault(said["name"], "")
            elif tag in ("input", "button") and (said.get("type") != "radio" or "checked" in said):
                fields.setdefault(said["name"], said.get("value", ""))

    def handle_endtag(self, tag: str) -> None:
        self._open = self._open and tag != "form"


def kind_of(address: str, fields: dict[str, str]) -> tuple[str, frozenset[str]]:
    """What makes a form the same as another: where it goes, whoever it is about, and its fields."""
    return re.sub(r"/(\d+|[\w-]*\d-[\w.-]+)(?=/)", "/…", urlsplit(address).path), frozenset(fields)


def bad_bytes(fields: dict[str, str]) -> dict[str, Any]:
    """The fields as one form: text a database cannot hold goes as the bytes it would be."""
    return {"data": urlencode(fields, errors="surrogatepass").encode(), "content_type": FORM}


def with_files(fields: dict[str, str], chance: random.Random) -> dict[str, Any]:
    """The fields as a form with files, each of them also a file that is none."""
    files = {
        name: SimpleUploadedFile(chance.choice(["a.csv", "a.xlsx", "\x00.json", "../a.trf"]), chance.randbytes(300))
        for name in fields
    }
    text = {name: value.encode(errors="surrogatepass") for name, value in fields.items()}
    parts = encode_multipart(BOUNDARY, files if chance.random() < 0.5 else {**text, "file": [*files.values()][:1]})
    return {"data": parts, "content_type": MULTIPART_CONTENT}


def test_every_address_takes_whatever_it_is_sent(empty_redis: redis.Redis, pytestconfig: pytest.Config) -> None:
    house, chance, is_long = hall(), random.Random(20), pytestconfig.getoption("long")
    for route in ROUTES:
        found = house.addresses(route, chance.choice(house.tournaments))
        for address in found if is_long else [chance.choice(found)]:
            bodies = UNREADABLE + TOO_MUCH if is_long else [chance.choice(UNREADABLE), chance.choice(TOO_MUCH)]
            for content_type, body in bodies:
                answered(house.send(address, data=body, content_type=content_type))
            query = urlencode({name: chance.choice(JUNK[:14]) for name in QUERY}, errors="surrogatepass")
            answered(house.send(address, method="GET", QUERY_STRING=query))
        empty_redis.flushall()


def test_every_form_takes_whatever_is_typed(empty_redis: redis.Redis, pytestconfig: pytest.Config) -> None:
    house, chance = hall(), random.Random(20)
    seen: set[tuple[str, frozenset[str]]] = set()
    times = 20 if pytestconfig.getoption("long") else 1
    for of in house.tournaments:
        for address in [each for route in ROUTES for each in house.addresses(route, of)]:
            page = house.send(address, method="GET")
            answered(page)
            if page.status_code != 200 or not page.get("Content-Type", "").startswith("text/html"):
                continue
            for action, fields in Forms(page.content.decode(), address).found:
                if kind_of(action, fields) in seen:
                    continue
                seen.add(kind_of(action, fields))
                for _ in range(times):
                    for name in fields:
                        answered(house.send(action, **bad_bytes({**fields, name: chance.choice(JUNK)})))
                    answered(house.send(action, **bad_bytes({name: chance.choice(JUNK) for name in fields})))
                    answered(house.send(action, **with_files(fields, chance)))
        empty_redis.flushall()
    assert len(seen) > 40
