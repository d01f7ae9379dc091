"""How to use the API from a script: a program to start from, shown as it is run by the tests."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

_CLIENT = settings.BASE_DIR / "docs" / "client.py"


def show(request: HttpRequest) -> HttpResponse:
    """The program, and how to start it."""
    context = {"program": _CLIENT.read_text(), "server": settings.PUBLIC_URL}
    return render(request, "tournaments/api_script.html", context)


def program(request: HttpRequest) -> HttpResponse:
    """The program as a file."""
    return HttpResponse(_CLIENT.read_bytes(), content_type="text/x-python; charset=utf-8")
