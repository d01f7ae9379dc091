"""What people show to be let in, made in the test itself: codes of an app, and a passkey with its private half."""

from __future__ import annotations

import hashlib
import json
from datetime import datetime, timedelta
from typing import Any

import pyotp
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from fido2 import cbor
from fido2.cose import ES256
from fido2.utils import websafe_encode
from fido2.webauthn import AttestedCredentialData, AuthenticatorData

from players.actions import passkeys, two_step
from players.models import Account, Passkey
from players.permissions import Refused
from tests.factories import NOW

HOST = "localhost"
ORIGIN = "http://localhost"
Flags = AuthenticatorData.FLAG
THERE = Flags.UP | Flags.UV  # somebody touched it, and showed that it is they


def code_at(account: Account, at: datetime) -> str:
    """The six digits the account's app shows then."""
    return pyotp.TOTP(two_step.totp_secret(account_id=account.pk, salt=account.totp_salt)).at(at)


def enable(account: Account, *, now: datetime = NOW, ago: timedelta = timedelta(minutes=5)) -> list[str]:
    """Turn the second step on a while before `now`; the recovery codes."""
    salt, then = two_step.new_salt(), now - ago
    code = pyotp.TOTP(two_step.totp_secret(account_id=account.pk, salt=salt)).at(then)
    codes = two_step.enable_two_step(account_id=account.pk, salt=salt, code=code, now=then)
    assert not isinstance(codes, Refused), codes
    account.refresh_from_db()
    return codes


class SoftKey:
    """An authenticator of software. `count` is its counter, which it raises at each use unless it keeps none."""

    def __init__(self, *, name: bytes = b"soft key", counts: bool = True) -> None:
        self.private = ec.generate_private_key(ec.SECP256R1())
        self.id = hashlib.sha256(name).digest()
        self.count = 0
        self.counts = counts

    def _data(self, host: str, flags: int, credential: bytes = b"") -> bytes:
        self.count += self.counts
        return hashlib.sha256(host.encode()).digest() + bytes([flags]) + self.count.to_bytes(4) + credential

    def _said(self, kind: str, challenge: str, origin: str) -> bytes:
        return json.dumps({"type": kind, "challenge": challenge, "origin": origin}).encode()

    def _answer(self, **response: bytes) -> dict[str, Any]:
        name = websafe_encode(self.id)
        return {
            "id": name,
            "rawId": name,
            "type": "public-key",
            "response": {key: websafe_encode(value) for key, value in response.items()},
            "clientExtensionResults": {},
        }

    def make(
        self, options: dict[str, Any], *, host: str = HOST, origin: str = ORIGIN, flags: int = THERE
    ) -> dict[str, Any]:
        """What a browser answers when it was asked to make a passkey."""
        public = ES256.from_cryptography_key(self.private.public_key())  # type: ignore[no-untyped-call]
        credential = AttestedCredentialData.create(bytes(16), self.id, public)
        data = self._data(host, flags | Flags.AT, credential)
        attestation = cbor.encode({"fmt": "none", "attStmt": {}, "authData": data})
        said = self._said("webauthn.create", options["challenge"], origin)
        return self._answer(clientDataJSON=said, attestationObject=attestation)

    def show(
        self, options: dict[str, Any], *, host: str = HOST, origin: str = ORIGIN, flags: int = THERE
    ) -> dict[str, Any]:
        """What a browser answers when it was asked for a passkey."""
        data = self._data(host, flags)
        said = self._said("webauthn.get", options["challenge"], origin)
        signed = self.private.sign(data + hashlib.sha256(said).digest(), ec.ECDSA(hashes.SHA256()))
        return self._answer(clientDataJSON=said, authenticatorData=data, signature=signed)


def add_key(account: Account, key: SoftKey, *, name: str = "phone") -> Passkey | Refused:
    """Have the account keep this key."""
    options, state = passkeys.begin_passkey(account=account, host=HOST)
    return passkeys.add_passkey(
        account_id=account.pk, name=name, state=state, answer=key.make(options), host=HOST, origin=ORIGIN, now=NOW
    )
