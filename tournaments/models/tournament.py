"""One competition of an event."""

from __future__ import annotations

from enum import StrEnum

from django.db import models
from django.urls import reverse

from players.engine.names import NAME_LENGTH
from tournaments.models.event import Event


class State(StrEnum):
    """The named state a tournament is always in."""

    ROSTER = "roster"  # players are being collected
    CHECK_IN = "check_in"  # players say that they are here
    RUNNING = "running"  # the roster is frozen and rounds are played
    FINISHED = "finished"


class Seeding(StrEnum):
    """Where the seeding order comes from when the tournament starts."""

    RANDOM = "random"
    RATING = "rating"
    HAND = "hand"


class Tournament(models.Model):
    """One competition in an event: a roster, then stages. `seed` is the text every lot is drawn from."""

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="tournaments")
    name = models.CharField(max_length=NAME_LENGTH)
    ruleset = models.CharField(max_length=40)
    allows_tie = models.BooleanField(default=False)
    seeding = models.CharField(max_length=10, default=Seeding.RANDOM)
    seed = models.CharField(max_length=64)
    first_table = models.PositiveSmallIntegerField(default=1)
    state = models.CharField(max_length=10, default=State.ROSTER)
    started_at = models.DateTimeField(null=True)
    finished_at = models.DateTimeField(null=True)
    created_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.CheckConstraint(condition=models.Q(state__in=list(State)), name="tournament_state_is_known")
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("tournament", args=[self.pk])

    @property
    def is_open_roster(self) -> bool:
        """Whether players can still be added, removed and checked in."""
        return self.state in (State.ROSTER, State.CHECK_IN)
