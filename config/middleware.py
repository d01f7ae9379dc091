"""What every answer gets: the headers that keep a page to itself, and a calm 503 while the database is away."""

import ipaddress
import logging
import sqlite3
import sys
import time
from collections.abc import Callable
from contextlib import suppress

from django.conf import settings
from django.db import InterfaceError, OperationalError
from django.db.models import BigIntegerField
from django.http import (
    Http404,
    HttpRequest,
    HttpResponse,
    HttpResponseBase,
    HttpResponseNotAllowed,
    HttpResponseRedirect,
    JsonResponse,
)
from django.template import loader
from django.urls import is_valid_path
from django.utils.translation import gettext as _
from django.views.defaults import server_error

GetResponse = Callable[[HttpRequest], HttpResponseBase]

RETRY_SECONDS = 5
PAGE_METHODS = ("GET", "HEAD", "POST", "OPTIONS")

CSP = {
    "default-src": "'self'",
    "script-src": "'self'",
    "style-src": "'self'",
    "img-src": "'self' data:",
    "object-src": "'none'",
    "base-uri": "'none'",
    "form-action": "'self'",
    "frame-ancestors": "'none'",
}
HEADERS = {
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}

log = logging.getLogger(__name__)

# SQLite's primary result codes that say "not now" rather than "wrong": busy, locked, read-only, input or output failed,
# full, cannot open.
SQLITE_AWAY = {5, 6, 8, 10, 13, 14}
# PostgreSQL's classes: connection, resources, operator intervention. Without a code the server was never reached.
POSTGRES_AWAY = {"08", "53", "57"}


def content_security_policy(get_response: GetResponse) -> GetResponse:
    """Scripts, styles and everything else from here alone, in nobody's frame.

    A view may loosen single directives for its own page: `response.csp = {"style-src": "'self' 'unsafe-inline'"}`.
    """

    def middleware(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        directives = CSP | getattr(response, "csp", {})
        response["Content-Security-Policy"] = "; ".join(f"{name} {value}" for name, value in directives.items())
        for name, value in HEADERS.items():
            response.setdefault(name, value)
        return response

    return middleware


def server_now(get_response: GetResponse) -> GetResponse:
    """Every answer says what time it is here, in milliseconds: clocks on pages run by it."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        response["Server-Now"] = str(time.time_ns() // 1_000_000)
        return response

    return middleware


def numbers_in_range(get_response: GetResponse) -> GetResponse:
    """An address with a number that no row can have leads nowhere, before any view asks the database for it."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        return get_response(request)

    # Django calls this attribute with the view it has found; the API answers for its own addresses in its own form.
    middleware.process_view = no_row_has_it  # type: ignore[attr-defined]
    return middleware


def no_row_has_it(request: HttpRequest, view: object, args: list[object], kwargs: dict[str, object]) -> None:
    """Raise Http404 where a whole number of the address is beyond every id."""
    is_api = request.path.startswith("/api/")
    if not is_api and any(isinstance(value, int) and value > BigIntegerField.MAX_BIGINT for value in kwargs.values()):
        raise Http404


def read_or_sent(get_response: GetResponse) -> GetResponse:
    """A page is read (GET) or sent to (POST); any other way of asking belongs to the API and gets 405.

    A browser that opens what is only sent to, as after a change of language there, is led to the page above it.
    """

    def middleware(request: HttpRequest) -> HttpResponseBase:
        if request.method not in PAGE_METHODS and not request.path.startswith("/api/"):
            return HttpResponseNotAllowed(PAGE_METHODS)
        response = get_response(request)
        is_refused = request.method == "GET" and isinstance(response, HttpResponseNotAllowed)
        if is_refused and "text/html" in request.headers.get("Accept", ""):
            return HttpResponseRedirect(page_above(request.path))
        return response

    return middleware


def page_above(path: str) -> str:
    """The nearest address above this one that leads anywhere."""
    above = path
    while above != "/":
        above = above.rstrip("/").rpartition("/")[0] + "/"
        if is_valid_path(above):
            break
    return above


def database_away(get_response: GetResponse) -> GetResponse:
    """Answer 503 with Retry-After where a view could not reach the database; mistakes in a query stay errors."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        return get_response(request)

    # Django offers a view's exception to this attribute; it never reaches the function above.
    middleware.process_exception = unavailable  # type: ignore[attr-defined]
    return middleware


def unavailable(request: HttpRequest, exception: Exception) -> HttpResponse | None:
    """The 503 for an exception that means the database is away; None for every other exception."""
    if not is_away(exception):
        return None
    log.error("the database is away: %s (%s)", exception, getattr(exception.__cause__, "sqlite_errorname", ""))
    kinds = ["text/html", "application/json"]
    if request.path.startswith("/api/"):
        kinds.reverse()
    response: HttpResponse
    if str(request.get_preferred_type(kinds)) == "application/json":
        problem = {
            "type": "urn:cantina:problem:database_away",
            "title": _("The database is away"),
            "status": 503,
            "detail": _("The server cannot reach its records just now. Send the same again in a few seconds."),
            "code": "database_away",
            "params": {},
        }
        response = JsonResponse(problem, status=503, content_type="application/problem+json")
    else:
        # Without the request: its context processors would ask the database who is signed in.
        response = HttpResponse(loader.render_to_string("503.html"), status=503)
    response["Retry-After"] = str(RETRY_SECONDS)
    response["Cache-Control"] = "no-store"
    return response


def went_wrong(request: HttpRequest) -> HttpResponseBase:
    """Django's `handler500`: what goes wrong outside of views, in a session's end or a page that says 404, comes here.

    While the database is away that is the calm 503 too.
    """
    exception = sys.exception()
    answer = unavailable(request, exception) if isinstance(exception, Exception) else None
    return answer or server_error(request)


def is_away(exception: Exception) -> bool:
    """Whether the database could not be reached or could not work, as against refusing what it was asked."""
    if not isinstance(exception, OperationalError | InterfaceError):
        return False
    cause = exception.__cause__
    if isinstance(cause, sqlite3.Error):
        return getattr(cause, "sqlite_errorcode", 0) & 0xFF in SQLITE_AWAY
    state: str | None = getattr(cause, "sqlstate", None)
    return state is None or state[:2] in POSTGRES_AWAY


def client_address(request: HttpRequest) -> str:
    """Where a request comes from: behind a proxy of ours what that one has seen, else the other end of the connection.

    The last address of the header is the proxy's own word; what stands before it a client may have made up.
    """
    if settings.BEHIND_PROXY:
        with suppress(ValueError):
            return str(ipaddress.ip_address(request.headers.get("X-Forwarded-For", "").rpartition(",")[2].strip()))
    return str(request.META.get("REMOTE_ADDR", ""))
