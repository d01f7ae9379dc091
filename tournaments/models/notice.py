"""What somebody is told: on their page, and by mail where there is an address."""

from __future__ import annotations

from django.db import models

from tournaments.models.roster import Entry
from tournaments.models.staff import StaffLink


class Notice(models.Model):
    """One thing told once to a player or to an invited helper: exactly one of `entry` and `link` is set.

    `key` says what it is about ("pairing/55", "promoted/12"): the same is never told twice. `params` are plain facts;
    words are put to them when they are read, in the reader's language. A mail is written when it is sent, and not at
    all when what it says is no longer so: then `dropped_at` is set. `tries` counts how often it was taken in hand, and
    until `try_at` nobody takes it again: a worker that has it, or the pause after a failure.
    """

    entry = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="notices", null=True)
    link = models.ForeignKey(StaffLink, on_delete=models.CASCADE, related_name="notices", null=True)
    kind = models.CharField(max_length=40)
    key = models.CharField(max_length=120)
    params = models.JSONField(default=dict)
    created_at = models.DateTimeField()
    wants_mail = models.BooleanField(default=False)
    mailed_at = models.DateTimeField(null=True)
    dropped_at = models.DateTimeField(null=True)
    tries = models.PositiveSmallIntegerField(default=0)
    try_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["entry", "key"], condition=models.Q(entry__isnull=False), name="told_once"),
            models.UniqueConstraint(
                fields=["link", "key"], condition=models.Q(link__isnull=False), name="helper_told_once"
            ),
            models.CheckConstraint(
                condition=models.Q(entry__isnull=False, link__isnull=True)
                | models.Q(entry__isnull=True, link__isnull=False),
                name="notice_has_one_reader",
            ),
        ]
        indexes = [
            models.Index(
                fields=["id"],
                condition=models.Q(wants_mail=True, mailed_at__isnull=True, dropped_at__isnull=True),
                name="mails_to_send",
            )
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.key}"
