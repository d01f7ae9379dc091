"""What cannot be read is refused on a page of ours, in the reader's language, and as a problem to programs."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse
from werkzeug.test import EnvironBuilder

from config.wsgi import application
from tests.factories import make_tournament
from tests.tournaments.views.desk import Page, desk_of, heading, page_text

FORM = "application/x-www-form-urlencoded"
TOO_LONG = b"name=" + b"x" * (4 * 2**20)


@pytest.mark.django_db
def test_a_form_over_4_mb_is_told_what_to_do() -> None:
    tournament = make_tournament()
    answer = desk_of(tournament).post(reverse("entry_add", args=[tournament.pk]), TOO_LONG, content_type=FORM)
    assert (answer.status_code, answer["Cache-Control"]) == (413, "private, no-store")
    assert heading(answer) == "This is too much to take at once"
    assert (
        "A form may hold 4 MB of text, and this one held more, so nothing of it was read or kept. Go back: most"
        " browsers still show what you typed."
    ) in page_text(answer)
    assert tournament.entries.count() == 0


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("content_type", "body", "status", "title"),
    [
        (FORM, TOO_LONG, 413, "This is too much to take at once"),
        (FORM, b"name=a&" * 5001, 413, "This is too much to take at once"),
        ("multipart/form-data", b"--x", 400, "This cannot be read"),
        (f"{FORM}; charset=utf-7", b"name=+2AA-", 400, "This cannot be read"),
        ("multipart/form-data; boundary=x; charset=utf-16", b"--x--", 400, "This cannot be read"),
    ],
)
def test_whoever_sends_it_a_form_that_cannot_be_read_is_refused_by_a_page(
    content_type: str, body: bytes, status: int, title: str
) -> None:
    # Django looks for its token in the form, so this is met before any view.
    browser = Client(enforce_csrf_checks=True)
    browser.get(reverse("sign_in"))
    answer = browser.post(reverse("sign_in"), body, content_type=content_type)
    assert (answer.status_code, heading(answer)) == (status, title)
    assert answer["Content-Security-Policy"].startswith("default-src 'self'")


@pytest.mark.django_db
def test_it_is_said_in_the_readers_language_and_as_a_problem_to_programs() -> None:
    def sent(**headers: str) -> Page:
        return Client().post("/sign-in/", b"--x", content_type="multipart/form-data", headers=headers)

    assert '<html lang="ru">' in sent(accept_language="ru").content.decode()
    program = sent(accept="application/json")
    assert (program.status_code, program["Content-Type"]) == (400, "application/problem+json")
    assert program.json() == {
        "type": "urn:cantina:problem:malformed",
        "title": "This cannot be read",
        "status": 400,
        "detail": (
            "What your browser sent is broken or incomplete, and nothing of it was kept. Go back, load the page again"
            " and send it from there."
        ),
        "code": "malformed",
        "params": {},
    }


@pytest.mark.parametrize("charset", ["hex", "rot13", "utf-7", "utf-16", "latin-1", "nonsense", "utf-8"])
def test_an_address_is_read_as_utf_8_whatever_it_says_it_is(charset: str) -> None:
    environ = EnvironBuilder(path="/", query_string="q=%D0%AF%2B2AA-", content_type=f"text/plain; charset={charset}")
    request = application.request_class(environ.get_environ())
    assert request.GET["q"] == "Я+2AA-"
