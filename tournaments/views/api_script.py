"""How to use the API from a script: a program to start from, shown as it is run by the tests."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

_CLIENT = settings.BASE_DIR / "docs" / "client.py"


@require_safe
def show(request: HttpRequest) -> HttpResponse:
    """The program, and how to start it."""
    context = {"program": _CLIENT.read_text(), "server": settings.PUBLIC_URL}
    return render(request, "tournaments/api_script.html", context)


@require_safe
def program(request: HttpRequest) -> HttpResponse:
    """The program as a file."""
    return HttpResponse(_CLIENT.read_bytes(), content_type="text/x-python; charset=utf-8")
