"""Links by mail that sign in whoever reads the mailbox: asked for, sent, used once."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings
from django.core.mail import send_mail
from django.db import IntegrityError, transaction
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext as _

from players.actions.accounts import create_account, own_actor
from players.actions.attempts import attempt
from players.actions.log import record_act
from players.models import Account, MailedLink
from players.permissions import Actor, Refused, Role, mailed_token
from players.signals import link_asked_for

LINK_AGE = timedelta(minutes=15)
_KEPT = timedelta(days=1)
_PER_ADDRESS = 3  # mails in a quarter of an hour
_PER_PLACE = 60  # a whole hall may ask from one

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Proved:
    """Whose address a mailed link has proved. `is_new`: made by it; `had_password`: one nobody had proved is gone."""

    account: Account
    is_new: bool
    had_password: bool


def ask_for_link(*, email: str, next_path: str, language: str, place: str, now: datetime) -> MailedLink | Refused:
    """Have a link mailed to an address, known or not: whoever opens it there has an account, and is signed in to it.

    `place` is where it is asked from. Refusals: too_many_mails (minutes).
    """
    email = email.strip().casefold()
    for kind, who, limit in (("mail-place", place, _PER_PLACE), ("mail", email, _PER_ADDRESS)):
        if not attempt(kind=kind, who=who, limit=limit, now=now):
            return Refused("too_many_mails", {"minutes": 15}, status=429)
    with transaction.atomic():
        MailedLink.objects.filter(created_at__lte=now - _KEPT).delete()
        link = MailedLink.objects.create(email=email, next=next_path[:500], language=language, created_at=now)
        link_asked_for.send(sender=MailedLink, link=link.pk)
    return link


def waiting_links(*, now: datetime) -> list[int]:
    """Links nobody has sent yet that are still good for something, the oldest first."""
    fresh = MailedLink.objects.filter(mailed_at__isnull=True, used_at__isnull=True, created_at__gt=now - LINK_AGE)
    return list(fresh.order_by("pk").values_list("pk", flat=True))


def mail_link(*, link_id: int, now: datetime) -> None:
    """Send a link to its address, once; a mail server that is away is told in the log, and the sweep tries again."""
    waiting = MailedLink.objects.filter(pk=link_id, mailed_at__isnull=True, created_at__gt=now - LINK_AGE)
    if not waiting.update(mailed_at=now):
        return
    link = MailedLink.objects.get(pk=link_id)
    try:
        with translation.override(link.language):
            send_mail(_("Sign in to Cantina"), _text(link), None, [link.email])
    except OSError as error:  # SMTP's errors and the network's are both
        MailedLink.objects.filter(pk=link_id).update(mailed_at=None)
        log.warning("the link to sign in was not sent: %s", error)


def _text(link: MailedLink) -> str:
    address = settings.PUBLIC_URL + reverse("mailed_link", args=[mailed_token(link)])
    text = _(
        "Open this link to sign in as %(email)s:\n\n%(address)s\n\n"
        "It works once, for %(minutes)s minutes. If you did not ask for it, do nothing: without it nobody gets in."
    )
    return text % {"email": link.email, "address": address, "minutes": int(LINK_AGE.total_seconds() // 60)}


@transaction.atomic
def use_link(*, link_id: int, now: datetime) -> Proved | Refused:
    """Take a link, once: its address is proved, and has an account from now on.

    An account that was made under this address before anybody proved it may be somebody else's work: its password and
    its passkeys go. The first account is the house's own and keeps them.
    Refusals: link_used, account_closed.
    """
    if not MailedLink.objects.filter(pk=link_id, used_at__isnull=True, created_at__gt=now - LINK_AGE).update(
        used_at=now
    ):
        return Refused("link_used", status=404)
    email = MailedLink.objects.get(pk=link_id).email
    account, is_new = _account_of(email, now)
    if not account.is_active:
        return Refused("account_closed", status=403)
    had_password = False
    if account.verified_at is None:
        account.verified_at = now
        if not account.is_first:
            had_password = account.has_usable_password()
            account.set_unusable_password()
            account.passkeys.all().delete()
        account.save(update_fields=["verified_at", "password"])
        record_act(verb="prove_address", target=f"account/{account.pk}", by=own_actor(account), now=now)
    return Proved(account, is_new, had_password)


def _account_of(email: str, now: datetime) -> tuple[Account, bool]:
    known = Account.objects.select_for_update().filter(email=email)
    if account := known.first():
        return account, False
    try:
        with transaction.atomic():
            by = Actor(role=Role.PLAYER, name=email)
            return create_account(email=email, password=None, by=by, now=now, is_host=False), True
    except IntegrityError:  # another link to the same address was a moment faster
        return known.get(), False
