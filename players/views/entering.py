"""Letting an account in: whatever proved it, by one door, with the second step where the account asks for it."""

from __future__ import annotations

from datetime import datetime, timedelta
from urllib.parse import urlencode

from django.conf import settings
from django.contrib.auth import login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, resolve_url
from django.urls import reverse
from django.utils import timezone
from django.utils.http import url_has_allowed_host_and_scheme

from players.models import Account
from players.views.held import read_held, show_held

_BACKEND = "django.contrib.auth.backends.ModelBackend"
_STEP_AGE = timedelta(minutes=10)
_FRESH = timedelta(minutes=15)

_STEP, _PROVED, _HELD = "second_step", "proved_at", "held_form"  # in the session


def enter(
    request: HttpRequest, account: Account, *, next_path: str = "", held: str = "", is_proved_twice: bool = False
) -> HttpResponse:
    """Sign the account in and go where it was going; with a second step, ask for that first.

    `is_proved_twice`: by a passkey, which is a thing and a finger or PIN at once.
    """
    if held:
        request.session[_HELD] = held
    if account.totp_salt and not is_proved_twice:
        request.session[_STEP] = {
            "account": account.pk,
            "hash": account.get_session_auth_hash(),
            "at": timezone.now().isoformat(),
            "next": next_path,
        }
        return redirect("sign_in_code")
    kept = read_held(request.session.pop(_HELD, ""))
    request.session.pop(_STEP, None)
    login(request, account, backend=_BACKEND)
    request.session[_PROVED] = timezone.now().isoformat()
    if kept is not None:
        return show_held(request, kept)
    return redirect(safe_path(request, next_path) or resolve_url(settings.LOGIN_REDIRECT_URL))


def keep_for_later(request: HttpRequest, held: str) -> None:
    """Keep a typed form in this browser until its reader is in, by whatever way."""
    if held:
        request.session[_HELD] = held


def waiting_for_step(request: HttpRequest) -> tuple[Account, str] | None:
    """The account that has shown its first proof in this browser a moment ago, and where it was going."""
    waiting = request.session.get(_STEP)
    if waiting is None or datetime.fromisoformat(waiting["at"]) < timezone.now() - _STEP_AGE:
        return None
    account = Account.objects.filter(pk=waiting["account"], is_active=True).first()
    if account is None or account.get_session_auth_hash() != waiting["hash"]:
        return None
    return account, waiting["next"]


def is_fresh(request: HttpRequest) -> bool:
    """Whether the reader has shown who they are in the last quarter of an hour."""
    proved = request.session.get(_PROVED)
    return proved is not None and datetime.fromisoformat(proved) > timezone.now() - _FRESH


def safe_path(request: HttpRequest, path: str) -> str:
    """The path, if it leads into this house; "" otherwise."""
    here = url_has_allowed_host_and_scheme(path, {request.get_host()}, require_https=request.is_secure())
    return path if here else ""


def sign_in_path(next_path: str) -> str:
    """The sign-in page, on the way to somewhere."""
    return f"{reverse('sign_in')}?{urlencode({'next': next_path})}"
