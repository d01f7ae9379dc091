"""The second step of signing in: codes that change with the clock, and recovery codes in case the phone is lost."""

from __future__ import annotations

import hmac
import secrets
from base64 import b32encode
from datetime import datetime

import pyotp
from django.db import transaction

from players.actions.accounts import own_actor
from players.actions.attempts import attempt, forget_attempts
from players.actions.log import record_act
from players.models import Account, RecoveryCode
from players.permissions import Refused, mac

CODES = 10
_TRIES = 5
_STEP = 30  # seconds
_LETTERS = "23456789abcdefghjkmnpqrstuvwxyz"  # none that is taken for another
_LENGTH = 12


def new_salt() -> str:
    """What a new secret is made from, until it is confirmed."""
    return secrets.token_hex(16)


def totp_secret(*, account_id: int, salt: str) -> str:
    """The secret an authenticator app keeps, in base 32. It hangs on the server key and stands in no table."""
    return b32encode(bytes.fromhex(mac("totp", account_id, salt))).decode().rstrip("=")


def totp_address(*, account: Account, salt: str) -> str:
    """What the QR code for an authenticator app says."""
    secret = totp_secret(account_id=account.pk, salt=salt)
    return pyotp.TOTP(secret).provisioning_uri(name=account.email, issuer_name="Cantina")


def enable_two_step(*, account_id: int, salt: str, code: str, now: datetime) -> list[str] | Refused:
    """Ask for a code at every sign-in by password or mail from now on; the recovery codes, shown this once.

    Refusals: too_many_codes (minutes), two_step_is_on, code_wrong.
    """
    if refusal := _count(account_id, now):
        return refusal
    with transaction.atomic():
        account = Account.objects.select_for_update().get(pk=account_id)
        if account.totp_salt:
            return Refused("two_step_is_on")
        step = _step_of(totp_secret(account_id=account.pk, salt=salt), code, now, after=0)
        if step is None:
            return Refused("code_wrong", status=400)
        account.totp_salt, account.totp_step = salt, step
        account.save(update_fields=["totp_salt", "totp_step"])
        codes = _new_codes(account)
        record_act(verb="enable_two_step", target=f"account/{account.pk}", by=own_actor(account), now=now)
    forget_attempts(kind="code", who=str(account_id))
    return codes


def check_code(*, account_id: int, code: str, now: datetime) -> Account | Refused:
    """Take a code of the app, or a recovery code, which is gone by it; no code is taken twice.

    Refusals: too_many_codes (minutes), code_wrong.
    """
    if refusal := _count(account_id, now):
        return refusal
    with transaction.atomic():
        account = Account.objects.select_for_update().get(pk=account_id)
        if not _takes(account, code, now):
            return Refused("code_wrong", status=400)
    forget_attempts(kind="code", who=str(account_id))
    return account


def disable_two_step(*, account_id: int, code: str, now: datetime) -> Account | Refused:
    """Sign in without a code again, against a last one. Off already is off. Refusals: as `check_code`."""
    if refusal := _count(account_id, now):
        return refusal
    with transaction.atomic():
        account = Account.objects.select_for_update().get(pk=account_id)
        if account.totp_salt:
            if not _takes(account, code, now):
                return Refused("code_wrong", status=400)
            account.totp_salt = ""
            account.save(update_fields=["totp_salt"])
            account.recovery_codes.all().delete()
            record_act(verb="disable_two_step", target=f"account/{account.pk}", by=own_actor(account), now=now)
    forget_attempts(kind="code", who=str(account_id))
    return account


def renew_recovery_codes(*, account_id: int, code: str, now: datetime) -> list[str] | Refused:
    """New recovery codes in place of the old ones, against a code. Refusals: two_step_is_off, and as `check_code`."""
    if refusal := _count(account_id, now):
        return refusal
    with transaction.atomic():
        account = Account.objects.select_for_update().get(pk=account_id)
        if not account.totp_salt:
            return Refused("two_step_is_off")
        if not _takes(account, code, now):
            return Refused("code_wrong", status=400)
        codes = _new_codes(account)
        record_act(verb="renew_recovery_codes", target=f"account/{account.pk}", by=own_actor(account), now=now)
    forget_attempts(kind="code", who=str(account_id))
    return codes


def _count(account_id: int, now: datetime) -> Refused | None:
    """Counted before the code is looked at, so that many at once are not more guesses."""
    if attempt(kind="code", who=str(account_id), limit=_TRIES, now=now):
        return None
    return Refused("too_many_codes", {"minutes": 15}, status=429)


def _takes(account: Account, code: str, now: datetime) -> bool:
    """Whether the code opens this account, whose row is locked; then it is used up."""
    if not account.totp_salt:
        return False
    secret = totp_secret(account_id=account.pk, salt=account.totp_salt)
    step = _step_of(secret, code, now, after=account.totp_step)
    if step is None:
        return account.recovery_codes.filter(digest=_digest(account.pk, code)).delete()[0] > 0
    account.totp_step = step
    account.save(update_fields=["totp_step"])
    return True


def _step_of(secret: str, code: str, now: datetime, *, after: int) -> int | None:
    """The time step a code belongs to: this one or one beside it, for clocks that differ, and none before `after`."""
    typed = "".join(code.split())
    present = int(now.timestamp()) // _STEP
    for step in (present, present - 1, present + 1):
        if step > after and hmac.compare_digest(pyotp.TOTP(secret).generate_otp(step).encode(), typed.encode()):
            return step
    return None


def _new_codes(account: Account) -> list[str]:
    codes = ["".join(secrets.choice(_LETTERS) for _ in range(_LENGTH)) for _ in range(CODES)]
    account.recovery_codes.all().delete()
    RecoveryCode.objects.bulk_create(RecoveryCode(account=account, digest=_digest(account.pk, code)) for code in codes)
    return ["-".join(code[at : at + 4] for at in range(0, _LENGTH, 4)) for code in codes]


def _digest(account_id: int, code: str) -> str:
    """What is kept of a recovery code, however it is written."""
    return mac("recovery", account_id, "".join(code.casefold().replace("-", "").split()))
