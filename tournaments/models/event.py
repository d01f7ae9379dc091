"""A gathering and the accounts that run it."""

from __future__ import annotations

from datetime import tzinfo
from zoneinfo import ZoneInfo

from django.db import models
from django.urls import reverse

from players.engine.names import NAME_LENGTH
from players.models import Account


class Event(models.Model):
    """A gathering at a place, with its own zone, over one or more days. `owner` answers for its players' data.

    `rest_minutes` is the pause a player has between two matches at least, as the plan and the calls keep it.
    """

    name = models.CharField(max_length=NAME_LENGTH)
    place = models.CharField(max_length=NAME_LENGTH, blank=True)
    zone = models.CharField(max_length=64, default="UTC")
    starts_on = models.DateField()
    ends_on = models.DateField()
    rest_minutes = models.PositiveSmallIntegerField(default=5)
    owner = models.ForeignKey(Account, on_delete=models.PROTECT, related_name="events")
    is_demo = models.BooleanField(default=False)
    created_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=models.Q(ends_on__gte=models.F("starts_on")), name="event_ends_after_it_starts"
            ),
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("event", args=[self.pk])

    @property
    def tzinfo(self) -> tzinfo:
        return ZoneInfo(self.zone)


class Membership(models.Model):
    """An account's role in an event. The owner is an organiser like the others."""

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="memberships")
    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="memberships")
    role = models.CharField(max_length=20)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["event", "account"], name="one_role_per_account_and_event")]

    def __str__(self) -> str:
        return f"{self.account_id} {self.role} of {self.event_id}"
