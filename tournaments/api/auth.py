"""Who a request comes from: a script's token, a helper's link or a player's own in the Authorization header."""

from __future__ import annotations

from django.contrib.auth.models import AnonymousUser
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from rest_framework.authentication import BaseAuthentication
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from players.models import Account
from tournaments.actions.staff import token_digest
from tournaments.models import ApiToken, Entry, StaffLink
from tournaments.permissions import read_entry, read_link

Caller = tuple[Account, ApiToken] | tuple[AnonymousUser, StaffLink] | tuple[AnonymousUser, Entry]


class TokenAuthentication(BaseAuthentication):
    """`Bearer cantina_…` acts as the token's account, `Link 12-…` as the helper the link was made for, `Own 7-…` as the
    player of this entry.

    A token or link that is unknown, revoked or expired is refused with 401, whatever was asked for: nobody should
    believe for a while that it still works. Other schemes are left to the next class.
    """

    def authenticate(self, request: Request) -> Caller | None:
        scheme, _space, secret = request.META.get("HTTP_AUTHORIZATION", "").partition(" ")
        if scheme.casefold() == "bearer":
            return _by_token(secret.strip())
        if scheme.casefold() == "link":
            return _by_link(secret.strip())
        if scheme.casefold() == "own":
            return _by_own(secret.strip())
        return None

    def authenticate_header(self, request: Request) -> str:
        return 'Bearer realm="Cantina"'


def _by_token(secret: str) -> tuple[Account, ApiToken]:
    live = ApiToken.objects.select_related("account").filter(revoked_at__isnull=True, account__is_active=True)
    token = live.filter(digest=token_digest(secret)).first()
    if token is None:
        raise AuthenticationFailed(_("This token is not known here, or was revoked."), code="token_refused")
    return token.account, token


def _by_link(secret: str) -> tuple[AnonymousUser, StaffLink]:
    link = read_link(secret, now=timezone.now())
    if link is None:
        raise AuthenticationFailed(_("This link was revoked, has run out, or was never one."), code="link_refused")
    return AnonymousUser(), link


def _by_own(secret: str) -> tuple[AnonymousUser, Entry]:
    entry = read_entry(secret)
    if entry is None:
        raise AuthenticationFailed(_("This link was replaced, or was never one."), code="link_refused")
    return AnonymousUser(), entry


def caller_of(request: Request) -> str:
    """Who asks, as one word: "token/5", "link/12", "entry/7", "account/3", "" for nobody in particular."""
    if request.auth is not None:
        kind = {ApiToken: "token", StaffLink: "link", Entry: "entry"}[type(request.auth)]
        return f"{kind}/{request.auth.pk}"
    return f"account/{request.user.pk}" if isinstance(request.user, Account) else ""
