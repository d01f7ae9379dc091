"""What was answered is kept: a result that is told while worker and Redis are gone is counted once they are back."""

from __future__ import annotations

import json
import os
import re
import signal
from http import HTTPStatus
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlencode, urlsplit

import pytest

from tests.journeys.launched import Launched, launched, until

pytestmark = pytest.mark.journey

FORM = re.compile(
    r'<form[^>]*action="(?P<action>[^"]*/matches/\d+/result/)".*?'
    r'name="key" value="(?P<key>[^"]+)".*?name="version" value="(?P<version>\d+)"',
    re.DOTALL,
)


def send(copy: Launched, path: str, **fields: str) -> int:
    """The status of a form that is sent as by a page without scripts."""
    connection = HTTPConnection("127.0.0.1", copy.port, timeout=20)
    try:
        connection.request("POST", path, urlencode(fields), {"Content-Type": "application/x-www-form-urlencoded"})
        return connection.getresponse().status
    finally:
        connection.close()


def version(copy: Launched, cup: int) -> str:
    """Where the cup of the demo stands, as everybody is told: "2.1" has one change that is not counted yet."""
    status, text = copy.get(f"/api/tournaments/{cup}/")
    return str(json.loads(text)["version"]) if status == HTTPStatus.OK else ""


def test_bj_02_a_result_told_while_worker_and_redis_are_gone_is_counted_when_they_are_back(tmp_path: Path) -> None:
    with launched(tmp_path / "data") as copy:
        form = FORM.search(copy.get(urlsplit(copy.demo["referee"]["url"]).path)[1])
        assert form is not None
        (cup,) = [
            each["id"] for each in json.loads(copy.get("/api/events/1/")[1])["tournaments"] if each["name"] == "Cup"
        ]
        counted = int(version(copy, cup).removesuffix(".0"))
        for words in ("celery", "valkey-server"):
            os.kill(copy.child(words), signal.SIGKILL)
        assert send(copy, form["action"], key=form["key"], version=form["version"], result="3-1") == HTTPStatus.FOUND
        assert version(copy, cup).endswith(".1")
        until(lambda: version(copy, cup).endswith(".0"), saying="the result in the standings")
        assert int(version(copy, cup).removesuffix(".0")) > counted
