"""The headers on every answer, and the calm answer while the database is away."""

import json
import time
from pathlib import Path
from typing import Any

import pytest
from django.db import DatabaseError
from django.db.utils import ConnectionHandler
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.test import Client, RequestFactory
from django.urls import reverse

from bin.embedded import free_port
from config.middleware import client_address, content_security_policy, database_away, is_away, server_now, unavailable
from tests.factories import PASSWORD, make_account

STRICT = (
    "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data:; object-src 'none';"
    " base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)


def headers_of(response: HttpResponse) -> HttpResponseBase:
    def view(_: HttpRequest) -> HttpResponse:
        return response

    return content_security_policy(view)(RequestFactory().get("/"))


def test_a_page_takes_everything_from_its_own_server_and_stands_in_nobodys_frame() -> None:
    response = headers_of(HttpResponse())
    assert response["Content-Security-Policy"] == STRICT
    assert response["Cross-Origin-Opener-Policy"] == "same-origin"
    assert response["Permissions-Policy"] == "camera=(), geolocation=(), microphone=(), payment=(), usb=()"


def test_every_answer_says_what_time_it_is_here() -> None:
    before = time.time() * 1000
    response = server_now(lambda _: HttpResponse(status=304))(RequestFactory().get("/"))
    assert before - 1 <= int(response["Server-Now"]) <= time.time() * 1000


def test_a_view_may_loosen_single_directives_of_its_own_page() -> None:
    response = HttpResponse()
    setattr(response, "csp", {"style-src": "'self' 'unsafe-inline'"})  # noqa: B010  what a view writes as response.csp
    assert headers_of(response)["Content-Security-Policy"] == STRICT.replace(
        "style-src 'self'", "style-src 'self' 'unsafe-inline'"
    )


def test_the_policy_stands_on_real_pages_too(client: Client) -> None:
    assert client.get("/design/")["Content-Security-Policy"] == STRICT


def error_of(sql: str, **database: object) -> DatabaseError:
    """What Django raises for a statement on a database of its own."""
    connection = ConnectionHandler({"default": database})["default"]
    with pytest.raises(DatabaseError) as caught, connection.cursor() as cursor:
        cursor.execute(sql)
    connection.close()
    return caught.value


SQLITE = "django.db.backends.sqlite3"
POSTGRES = "django.db.backends.postgresql"


@pytest.mark.parametrize(
    ("address", "above"),
    [
        ("/desk/events/1/staff/links/new/", "/desk/events/1/staff/"),
        ("/desk/t/4/entries/7/check-in/", "/desk/t/4/entries/7/"),
        ("/desk/t/4/check-in/open/", "/desk/t/4/"),
        ("/p/7-0/reports/3/agree/?language=ru", "/p/7-0/"),
        ("/s/7-0/reports/3/confirm/", "/s/7-0/"),
        ("/sign-out/", "/"),
    ],
)
def test_whoever_opens_a_page_that_is_only_sent_to_is_led_to_the_one_above_it(address: str, above: str) -> None:
    """As after a change of language, or when a closed tab is opened again."""
    answer = Client().get(address, headers={"Accept": "text/html,*/*;q=0.8"})
    assert (answer.status_code, answer.headers.get("Location")) == (302, above)


def test_a_program_that_reads_what_is_only_sent_to_is_told_so() -> None:
    assert Client().get("/desk/events/1/staff/links/new/").status_code == 405
    browser = Client(headers={"Accept": "text/html"})
    assert browser.get("/api/own/check-in/").status_code == 405
    assert browser.head("/desk/events/1/staff/links/new/").status_code == 405


@pytest.mark.django_db
def test_a_database_that_cannot_be_reached_is_away(tmp_path: Path) -> None:
    assert is_away(error_of("SELECT 1", ENGINE=SQLITE, NAME=tmp_path / "no" / "folder.sqlite3"))
    assert is_away(error_of("SELECT 1", ENGINE=POSTGRES, NAME="x", HOST="127.0.0.1", PORT=free_port()))


@pytest.mark.django_db
def test_a_mistake_in_a_query_is_no_absence(tmp_path: Path) -> None:
    assert not is_away(error_of("SELECT * FROM nowhere", ENGINE=SQLITE, NAME=tmp_path / "here.sqlite3"))
    assert not is_away(error_of("SELECT FROM WHERE", ENGINE=SQLITE, NAME=tmp_path / "here.sqlite3"))
    assert not is_away(ValueError())


@pytest.mark.django_db
def test_a_reader_is_asked_to_come_again(tmp_path: Path) -> None:
    error = error_of("SELECT 1", ENGINE=SQLITE, NAME=tmp_path / "no" / "folder.sqlite3")
    page = unavailable(RequestFactory().get("/", headers={"accept": "text/html"}), error)
    assert page is not None
    assert (page.status_code, page["Retry-After"], page["Cache-Control"]) == (503, "5", "no-store")
    assert "<h1>We will be back in a moment</h1>" in page.content.decode()

    problem = unavailable(RequestFactory().get("/api/results/"), error)
    assert problem is not None
    assert (problem.status_code, problem["Content-Type"]) == (503, "application/problem+json")
    assert json.loads(problem.content) == {
        "type": "urn:cantina:problem:database_away",
        "title": "The database is away",
        "status": 503,
        "detail": "The server cannot reach its records just now. Send the same again in a few seconds.",
        "code": "database_away",
        "params": {},
    }


def test_other_errors_are_left_to_django() -> None:
    def view(_: HttpRequest) -> HttpResponse:
        return HttpResponse("as ever")

    assert unavailable(RequestFactory().get("/"), ValueError()) is None
    assert getattr(database_away(view), "process_exception") is unavailable  # noqa: B009  set for Django to find
    assert database_away(view)(RequestFactory().get("/")).status_code == 200


# --- who asks


@pytest.mark.parametrize(
    ("forwarded", "behind_proxy", "address"),
    [
        ("203.0.113.7", True, "203.0.113.7"),
        ("198.51.100.1, 203.0.113.7", True, "203.0.113.7"),
        ("2001:db8::7", True, "2001:db8::7"),
        ("somebody", True, "127.0.0.1"),
        ("", True, "127.0.0.1"),
        ("203.0.113.7", False, "127.0.0.1"),
    ],
)
def test_an_address_is_what_our_proxy_has_seen_and_never_what_a_client_says(
    settings: Any, forwarded: str, behind_proxy: bool, address: str
) -> None:
    settings.BEHIND_PROXY = behind_proxy
    assert client_address(RequestFactory().get("/", headers={"X-Forwarded-For": forwarded})) == address


@pytest.mark.django_db
def test_behind_a_proxy_nobody_locks_an_organiser_out_from_elsewhere(settings: Any) -> None:
    settings.BEHIND_PROXY = True
    account = make_account()

    def sign_in(password: str, *, at: str) -> int:
        fields = {"username": account.email, "password": password}
        return Client(headers={"X-Forwarded-For": at}).post(reverse("sign_in"), fields).status_code

    assert [sign_in("wrong", at="203.0.113.7") for _ in range(10)][-1] == 429
    assert sign_in(PASSWORD, at="203.0.113.7") == 429
    assert sign_in(PASSWORD, at="198.51.100.1") == 302
