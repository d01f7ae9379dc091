"""Who helps at an event without an account, and what scripts sign in with."""

from __future__ import annotations

from django.db import models

from players.engine.names import NAME_LENGTH
from players.models import Account
from tournaments.models.event import Event
from tournaments.models.tournament import Tournament


class StaffLink(models.Model):
    """A personal link for a helper: referee, entry desk or screen; or the invitation of a co-organiser.

    The link itself is not stored: it is an HMAC of (server key, kind, id, version), so staff can show it again, and
    raising `version` revokes it. `tables` are the tables a referee is bound to ([]: all), `here_from` and `here_until`
    the hours they are there (None: all the time). An invitation is good once: `accepted_by` is the account that became
    an organiser by it. `email` is where the link was sent, "" if nowhere.
    """

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="staff_links")
    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="staff_links", null=True)
    role = models.CharField(max_length=20)
    name = models.CharField(max_length=NAME_LENGTH)
    email = models.EmailField(max_length=254, blank=True)
    tables = models.JSONField(default=list)
    here_from = models.DateTimeField(null=True)
    here_until = models.DateTimeField(null=True)
    accepted_by = models.ForeignKey(Account, on_delete=models.SET_NULL, related_name="+", null=True)
    version = models.PositiveIntegerField(default=1)
    expires_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True)
    created_at = models.DateTimeField()

    def __str__(self) -> str:
        return self.name


class ApiToken(models.Model):
    """A token for scripts, acting as its account. Only its SHA-256 is kept; the token is shown once."""

    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="api_tokens")
    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="api_tokens", null=True)
    name = models.CharField(max_length=NAME_LENGTH)
    digest = models.CharField(max_length=64, unique=True)
    hint = models.CharField(max_length=8)  # its first characters, to tell tokens apart
    created_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"{self.name} ({self.hint}…)"
