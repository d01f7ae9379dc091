"""What the log says of requests, and what it keeps to itself."""

from __future__ import annotations

import logging
import sys
from typing import Any

import pytest
from django.conf import settings

from config.logs import LineFormatter


def line(message: str, *args: object, exc_info: object = None) -> str:
    record = logging.LogRecord("django.request", logging.WARNING, "", 0, message, args, exc_info)  # type: ignore[arg-type]
    return LineFormatter("%(levelname)s %(name)s: %(message)s").format(record)


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("/s/12-de696e3f2d2705025f2a87abd196b338/", "/s/12-…/"),
        ("/s/12-de696e3f2d2705025f2a87abd196b338/matches/7/result/", "/s/12-…/matches/7/result/"),
        ("/s/12-de696e3f2d2705025f2a87abd196b338", "/s/12-…"),
        ("/p/12-de696e3f2d2705025f2a87abd196b338/withdraw/", "/p/12-…/withdraw/"),
        ("/sign-in/link/7-de696e3f2d2705025f2a87abd196b338/", "/sign-in/link/7-…/"),
        ("/practice/3-de696e3f2d2705025f2a87abd196b338/move/", "/practice/3-…/move/"),
        ("/welcome/be56d3778c161fac08f3e475e3733a60/", "/welcome/…/"),
        ("/e/1/tables/7/b60f859540fb/", "/e/1/tables/7/…/"),
        ("/desk/events/1/staff/", "/desk/events/1/staff/"),
        ("/t/1/standings/", "/t/1/standings/"),
    ],
)
def test_a_private_link_is_not_in_the_log(path: str, said: str) -> None:
    assert line("%s: %s", "Not Found", path) == f"WARNING django.request: Not Found: {said}"


def test_a_traceback_does_not_tell_of_it_either() -> None:
    try:
        raise ValueError("/s/12-de696e3f2d2705025f2a87abd196b338/")
    except ValueError:
        told = line("Internal Server Error", exc_info=sys.exc_info())
    assert told.splitlines()[-1] == "ValueError: /s/12-…/"


def test_every_line_of_ours_is_written_like_that() -> None:
    configured: dict[str, Any] = settings.LOGGING
    formatters = [configured["formatters"][handler["formatter"]]["()"] for handler in configured["handlers"].values()]
    assert formatters == ["config.logs.LineFormatter"]
