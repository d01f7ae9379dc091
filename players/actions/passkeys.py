"""Passkeys: kept when a device has made one, taken when a device shows that it has one."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any

from django.db import IntegrityError, transaction

from players.actions.accounts import own_actor
from players.actions.log import record_act
from players.models import Account, Passkey
from players.permissions import Refused, mac

if TYPE_CHECKING:
    from fido2.server import Fido2Server

# With its cryptography `fido2` takes 8 MB for as long as a process runs, and most never see a passkey: so each function
# that needs it reads it by itself.

MOST = 20  # passkeys of one account

Options = dict[str, Any]
State = dict[str, Any]


def _server(*, host: str, origin: str = "") -> Fido2Server:
    from fido2.server import Fido2Server
    from fido2.webauthn import PublicKeyCredentialRpEntity

    site = PublicKeyCredentialRpEntity(name="Cantina", id=host)
    return Fido2Server(site, verify_origin=lambda said: said == origin)


def begin_passkey(*, account: Account, host: str) -> tuple[Options, State]:
    """What a browser needs to make a passkey for this site, and what to keep of it until it has."""
    from fido2.webauthn import (
        AttestedCredentialData,
        PublicKeyCredentialUserEntity,
        ResidentKeyRequirement,
        UserVerificationRequirement,
    )

    user = PublicKeyCredentialUserEntity(
        id=mac("passkey-user", account.pk, "").encode(), name=account.email, display_name=str(account)
    )
    options, state = _server(host=host).register_begin(
        user,
        credentials=[AttestedCredentialData(bytes(each.credential)) for each in account.passkeys.filter(host=host)],
        resident_key_requirement=ResidentKeyRequirement.REQUIRED,
        user_verification=UserVerificationRequirement.REQUIRED,
    )
    return dict(options)["publicKey"], state


def add_passkey(
    *, account_id: int, name: str, state: State, answer: Mapping[str, Any], host: str, origin: str, now: datetime
) -> Passkey | Refused:
    """Keep the passkey a browser has made. Refusals: passkey_wrong, passkey_known, too_many_passkeys (limit)."""
    try:
        made = _server(host=host, origin=origin).register_complete(state, answer).credential_data
    except Exception:  # whatever a stranger's bytes make a parser say
        made = None
    if made is None:
        return Refused("passkey_wrong", status=400)
    try:
        with transaction.atomic():
            account = Account.objects.select_for_update().get(pk=account_id)
            if account.passkeys.count() >= MOST:
                return Refused("too_many_passkeys", {"limit": MOST})
            passkey = Passkey.objects.create(
                account=account,
                name=name,
                key=_key(made.credential_id),
                credential=bytes(made),
                host=host,
                created_at=now,
            )
            record_act(
                verb="add_passkey",
                target=f"account/{account.pk}",
                by=own_actor(account),
                now=now,
                after={"passkey": passkey.pk, "name": name},
            )
            return passkey
    except IntegrityError:
        return Refused("passkey_known")


@transaction.atomic
def remove_passkey(*, account_id: int, passkey_id: int, now: datetime) -> Passkey | Refused:
    """Nobody gets in by this passkey any more. Refusals: passkey_unknown."""
    account = Account.objects.select_for_update().get(pk=account_id)
    passkey = account.passkeys.filter(pk=passkey_id).first()
    if passkey is None:
        return Refused("passkey_unknown", status=404)
    record_act(
        verb="remove_passkey",
        target=f"account/{account.pk}",
        by=own_actor(account),
        now=now,
        before={"passkey": passkey.pk, "name": passkey.name},
    )
    passkey.delete()
    return passkey


def begin_sign_in(*, host: str) -> tuple[Options, State]:
    """What a browser needs to show a passkey of this site, and what to keep of it until it has."""
    from fido2.webauthn import UserVerificationRequirement

    options, state = _server(host=host).authenticate_begin(user_verification=UserVerificationRequirement.REQUIRED)
    return dict(options)["publicKey"], state


def use_passkey(*, state: State, answer: Mapping[str, Any], host: str, origin: str, now: datetime) -> Account | Refused:
    """The account whose passkey a browser has shown. Refusals: passkey_wrong, account_closed.

    An authenticator that counts and has counted back was copied, and is refused.
    """
    from fido2.utils import websafe_decode
    from fido2.webauthn import AttestedCredentialData, AuthenticationResponse

    wrong = Refused("passkey_wrong", status=400)
    try:
        shown = AuthenticationResponse.from_dict(answer)
        key, uses = _key(websafe_decode(answer["rawId"])), shown.response.authenticator_data.counter
    except Exception:  # whatever a stranger's bytes make a parser say
        return wrong
    with transaction.atomic():
        passkey = Passkey.objects.select_for_update(of=("self",)).select_related("account").filter(key=key).first()
        if passkey is None:
            return wrong
        try:
            known = [AttestedCredentialData(bytes(passkey.credential))]
            _server(host=host, origin=origin).authenticate_complete(state, known, shown)
        except Exception:  # the same: a signature, an origin or a challenge that is not right
            return wrong
        if uses <= passkey.uses and (uses or passkey.uses):
            return wrong
        if not passkey.account.is_active:
            return Refused("account_closed", status=403)
        passkey.uses, passkey.used_at = uses, now
        passkey.save(update_fields=["uses", "used_at"])
        return passkey.account


def _key(credential_id: bytes) -> str:
    return hashlib.sha256(credential_id).hexdigest()
