"""Accounts that sign in, players who play, and the append-only log of acts."""

from __future__ import annotations

from typing import Any, ClassVar

from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.db import models
from django.utils.translation import gettext_lazy as _

from players.engine.names import NAME_LENGTH


class AccountManager(BaseUserManager["Account"]):
    """Accounts by address, whatever its letter case."""

    def get_by_natural_key(self, username: str | None) -> Account:
        return self.get(email=(username or "").strip().casefold())

    def create_user(self, *, email: str, password: str | None = None, **fields: Any) -> Account:
        """An account that can sign in; without a password it cannot until one is set."""
        account = self.model(email=email.strip().casefold(), **fields)
        account.set_password(password)
        account.save(using=self._db)
        return account


class Account(AbstractBaseUser):
    """Somebody who signs in: an organiser, or a player who wants all their events. Known by a case-folded address.

    What an account may do is its membership in an event and nothing else. `is_first` marks the one account the first
    start was opened by; demo accounts go with the demo. `is_host`: may make events of its own; whoever made an account
    for themselves may not until an organiser invites them. `verified_at`: when the address was proved by a mailed link.

    `totp_salt` is set while the account asks for a second step: the secret itself is an HMAC over it and not stored.
    `totp_step` is the newest time step a code was taken of; none is taken twice.
    """

    email = models.EmailField(_("address"), unique=True, max_length=254)
    name = models.CharField(_("name"), max_length=NAME_LENGTH, blank=True)
    is_active = models.BooleanField(default=True)
    is_first = models.BooleanField(default=False)
    is_demo = models.BooleanField(default=False)
    is_host = models.BooleanField(default=True)
    verified_at = models.DateTimeField(null=True)
    totp_salt = models.CharField(max_length=32, blank=True)
    totp_step = models.BigIntegerField(default=0)
    created_at = models.DateTimeField(auto_now_add=True)

    objects: ClassVar[AccountManager] = AccountManager()

    USERNAME_FIELD = "email"
    EMAIL_FIELD = "email"

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["is_first"], condition=models.Q(is_first=True), name="one_first_account"),
        ]

    def __str__(self) -> str:
        return self.name or self.email


class MailedLink(models.Model):
    """A link by mail that signs one address in, once, until it is too old.

    The link itself is not stored: it is an HMAC of its id and time. `next` is where it leads. `mailed_at` is set while
    nobody needs to send it any more.
    """

    email = models.EmailField(max_length=254)  # case-folded
    next = models.CharField(max_length=500, blank=True)
    language = models.CharField(max_length=10)
    created_at = models.DateTimeField()
    mailed_at = models.DateTimeField(null=True)
    used_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"{self.email} {self.created_at:%Y-%m-%d %H:%M:%S}"


class Passkey(models.Model):
    """A key on somebody's device or in their password manager that signs them in. Only its public half is here.

    `key` is the SHA-256 of the credential's id, `credential` its attested data as WebAuthn writes it, `host` the name
    of the site it was made for, `uses` the authenticator's own counter (0 where it keeps none).
    """

    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="passkeys")
    name = models.CharField(max_length=NAME_LENGTH)
    key = models.CharField(max_length=64, unique=True)
    credential = models.BinaryField()
    host = models.CharField(max_length=253)
    uses = models.BigIntegerField(default=0)
    created_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return self.name


class RecoveryCode(models.Model):
    """A code that stands in once for the second step. Only its HMAC is kept; a used one is gone."""

    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="recovery_codes")
    digest = models.CharField(max_length=64)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["account", "digest"], name="one_recovery_code")]

    def __str__(self) -> str:
        return f"recovery code of {self.account_id}"


class Attempt(models.Model):
    """Somebody tried something that may be tried only so often: `kind` of thing, `who` by or for, and when."""

    kind = models.CharField(max_length=20)
    who = models.CharField(max_length=254)
    at = models.DateTimeField()

    class Meta:
        indexes = [models.Index(fields=["kind", "who", "at"])]

    def __str__(self) -> str:
        return f"{self.kind} {self.who} {self.at:%Y-%m-%d %H:%M:%S}"


class Player(models.Model):
    """A person who plays, across tournaments. `owner` is the account whose events know them; addresses stay private.

    The name here is the newest one; what a tournament shows is its Entry's own name.
    """

    owner = models.ForeignKey(Account, on_delete=models.PROTECT, related_name="players")
    name = models.CharField(max_length=NAME_LENGTH)
    email = models.EmailField(max_length=254, blank=True)  # case-folded
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["owner", "email"], condition=~models.Q(email=""), name="one_player_per_address"
            ),
        ]

    def __str__(self) -> str:
        return self.name


class Act(models.Model):
    """One line of the log: who did what to what, when, and why. Triggers refuse to change or remove it.

    No foreign keys: the log outlives what it speaks of. `target` reads like "match/12"; `event` and `tournament` are
    the ids it belongs to, for filtering. `before` and `after` are small facts, never secrets.
    """

    at = models.DateTimeField()
    verb = models.CharField(max_length=40)
    role = models.CharField(max_length=20)
    who = models.CharField(max_length=254)
    account = models.BigIntegerField(null=True)
    link = models.BigIntegerField(null=True)
    event = models.BigIntegerField(null=True)
    tournament = models.BigIntegerField(null=True)
    target = models.CharField(max_length=60)
    before = models.JSONField(default=dict)
    after = models.JSONField(default=dict)
    why = models.CharField(max_length=500, blank=True)

    class Meta:
        indexes = [
            models.Index(fields=["tournament", "id"]),
            models.Index(fields=["event", "id"]),
            models.Index(fields=["target", "id"]),
        ]

    def __str__(self) -> str:
        return f"{self.at:%Y-%m-%d %H:%M:%S} {self.who} {self.verb} {self.target}"
