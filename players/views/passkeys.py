"""Passkeys in the browser: what it needs to make or show one, and what it has made or shown."""

from __future__ import annotations

import ipaddress
import json
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import urlsplit

from django.contrib import messages
from django.http import HttpRequest, HttpResponseBase, JsonResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.views.decorators.http import require_POST

from players.actions import passkeys
from players.permissions import Refused
from players.views.entering import enter, safe_path, sign_in_path
from players.views.said import refusal_words

_BEGUN = "passkey"  # in the session
_AGE = timedelta(minutes=10)


@dataclass(frozen=True, slots=True)
class Site:
    """The site a passkey is for: its name, its origin, and why there can be none here, "" when there can.

    `why_not` is "address" where the house is reached by a number and "plain" where nothing is encrypted.
    """

    host: str
    origin: str
    why_not: str


def site_of(request: HttpRequest) -> Site:
    """The site as this reader's browser knows it."""
    scheme = "https" if request.is_secure() else "http"
    host = urlsplit(f"//{request.get_host()}").hostname or ""
    return Site(host, f"{scheme}://{request.get_host()}", _why_not(host, is_secure=request.is_secure()))


def _why_not(host: str, *, is_secure: bool) -> str:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return "" if is_secure or host == "localhost" or host.endswith(".localhost") else "plain"
    return "address"


def begun(request: HttpRequest, options: passkeys.Options, state: passkeys.State) -> JsonResponse:
    """What a browser needs; the other half waits in the session."""
    request.session[_BEGUN] = {"state": state, "at": timezone.now().isoformat()}
    response = JsonResponse(options)
    response["Cache-Control"] = "private, no-store"
    return response


def finished(request: HttpRequest) -> tuple[passkeys.State, dict[str, Any]] | None:
    """What this browser began, once, and what the browser says to it; None when either is not there."""
    waiting = request.session.pop(_BEGUN, None)
    try:
        answer = json.loads(request.POST.get("credential", ""))
    except ValueError:
        return None
    if waiting is None or not isinstance(answer, dict):
        return None
    if datetime.fromisoformat(waiting["at"]) < timezone.now() - _AGE:
        return None
    return waiting["state"], answer


@require_POST
def begin(request: HttpRequest) -> HttpResponseBase:
    """What a browser needs to show a passkey."""
    return begun(request, *passkeys.begin_sign_in(host=site_of(request).host))


@require_POST
def use(request: HttpRequest) -> HttpResponseBase:
    """Somebody has shown a passkey: they are in."""
    said, site = finished(request), site_of(request)
    next_path = safe_path(request, request.POST.get("next", ""))
    outcome = (
        Refused("passkey_wrong", status=400)
        if said is None
        else passkeys.use_passkey(state=said[0], answer=said[1], host=site.host, origin=site.origin, now=timezone.now())
    )
    if isinstance(outcome, Refused):
        messages.error(request, refusal_words(outcome))
        return redirect(sign_in_path(next_path))
    return enter(request, outcome, next_path=next_path, held=request.POST.get("held", ""), is_proved_twice=True)
