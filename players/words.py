"""Names in sentences, and sentences for what accounts are refused."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from django.utils.html import conditional_escape
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

if TYPE_CHECKING:  # known to the type stubs alone
    from django.utils.functional import _StrPromise as Lazy

_CYRILLIC: Final = re.compile("[Ѐ-ӿ]")


def lang_of(name: object) -> str:
    """`ru` for a name with Cyrillic letters, so that a screen reader pronounces it; otherwise ""."""
    return "ru" if _CYRILLIC.search(str(name)) else ""


def person(name: object) -> SafeString:
    """A name inside a sentence: its direction kept to itself, and marked as Russian where it is."""
    lang, text = lang_of(name), conditional_escape(str(name))
    return SafeString(f'<bdi lang="{lang}">{text}</bdi>' if lang else f"<bdi>{text}</bdi>")


REFUSALS: Final[Mapping[str, Lazy]] = {
    "too_many_mails": _(
        "Several links went to this address already. Look into the mailbox, among unwanted mail too, or try again in"
        " %(minutes)s minutes."
    ),
    "link_used": _("This link has been used, or is too old."),
    "account_closed": _("This account is closed."),
    "address_has_account": _("There is an account with this address. Sign in with it."),
    "too_many_codes": _("Too many wrong codes. Try again in %(minutes)s minutes."),
    "code_wrong": _("This is not the code of this moment, nor a recovery code that is still good."),
    "two_step_is_on": _("The second step is on already."),
    "two_step_is_off": _("The second step is off."),
    "passkey_wrong": _("This passkey does not open an account here. Try another way to sign in."),
    "passkey_known": _("This passkey is here already."),
    "passkey_unknown": _("This passkey is not here any more."),
    "too_many_passkeys": _("An account has %(limit)s passkeys at most. Remove one first."),
}
