"""The one door: what goes to the hub, what goes to Django, and what is too much or never arrives."""

import json

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


def test_whoever_names_an_encoding_that_is_none_is_answered_all_the_same() -> None:
    headers = [(b"content-type", b"text/plain; charset=hex")]
    visitor = visited(Visitor(path="/language/", query="next=/", headers=headers))
    assert (visitor.status, visitor.sent_headers["location"]) == (302, "/")


def test_more_than_any_of_our_forms_holds_is_refused() -> None:
    piece = b"x" * 1_000_000
    visitor = visited(Visitor(method="POST", path="/language/", headers=FORM, body=[piece] * 11))
    assert visitor.status == 413
    assert "<h1>This is too much to take at once</h1>" in visitor.text
    assert visitor.sent_headers["content-security-policy"].startswith("default-src 'self'")
    in_russian = [*FORM, (b"cookie", b"django_language=ru")]
    russian = visited(Visitor(method="POST", path="/language/", headers=in_russian, body=[piece] * 11))
    assert '<html lang="ru">' in russian.text


def test_a_program_that_sends_too_much_gets_a_problem() -> None:
    visitor = visited(Visitor(method="POST", path="/api/events/", body=[b"x" * 1_000_000] * 11))
    assert (visitor.status, visitor.sent_headers["content-type"]) == (413, "application/problem+json")
    assert json.loads(visitor.text)["code"] == "too_large"


def test_a_phone_that_goes_while_sending_gets_no_answer() -> None:
    visitor = visited(Visitor(method="POST", path="/language/", headers=FORM, body=[b"lang"], leaves_early=True))
    assert (visitor.status, visitor.text) == (0, "")


def test_a_phone_that_sends_too_slowly_is_told_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asgi, "BODY_SECONDS", 0.05)
    visitor = Visitor(method="POST", path="/language/", headers=FORM, body=[])
    visited(visitor)
    assert (visitor.status, visitor.text) == (408, "Too slow.\n")
