"""The one door: what goes to the hub, what goes to Django, and what is too much or never arrives."""

import pytest

from config import asgi
from tests.config.asgi_client import Visitor, in_a_loop

FORM = [(b"content-type", b"application/x-www-form-urlencoded")]


def visited(visitor: Visitor) -> Visitor:
    in_a_loop(visitor.visit(asgi.application))
    return visitor


def test_streams_go_to_the_hub() -> None:
    visitor = visited(Visitor(path="/live/"))
    assert (visitor.status, visitor.text) == (400, "Name 1 to 50 topics: /live/?topic=tournament/7\n")


def test_a_form_sent_in_pieces_reaches_django_whole() -> None:
    pieces = [b"langu", b"age=", b"ru&next=", b"/"]
    headers = [*FORM, (b"content-length", str(sum(map(len, pieces))).encode())]
    visitor = visited(Visitor(method="POST", path="/language/", headers=headers, body=pieces))
    assert (visitor.status, visitor.sent_headers["location"]) == (302, "/")
    assert visitor.sent_headers["set-cookie"].startswith("django_language=ru;")


def test_more_than_any_of_our_forms_holds_is_refused() -> None:
    piece = b"x" * 1_000_000
    visitor = visited(Visitor(method="POST", path="/language/", headers=FORM, body=[piece] * 11))
    assert (visitor.status, visitor.text) == (413, "Too large.\n")


def test_a_phone_that_goes_while_sending_gets_no_answer() -> None:
    visitor = visited(Visitor(method="POST", path="/language/", headers=FORM, body=[b"lang"], leaves_early=True))
    assert (visitor.status, visitor.text) == (0, "")


def test_a_phone_that_sends_too_slowly_is_told_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asgi, "BODY_SECONDS", 0.05)
    visitor = Visitor(method="POST", path="/language/", headers=FORM, body=[])
    visited(visitor)
    assert (visitor.status, visitor.text) == (408, "Too slow.\n")
