"""One competition of an event."""

from __future__ import annotations

from enum import StrEnum

from django.db import models
from django.urls import reverse

from matches.models import OnTimeout, Way
from players.engine.names import NAME_LENGTH
from tournaments.models.event import Event


class State(StrEnum):
    """The named state a tournament is always in."""

    ROSTER = "roster"  # players are being collected
    CHECK_IN = "check_in"  # players say that they are here
    RUNNING = "running"  # the roster is frozen and rounds are played
    FINISHED = "finished"


OPEN_ROSTER = frozenset({State.ROSTER, State.CHECK_IN})
"""As long as players can still be added, removed and checked in."""


class Seeding(StrEnum):
    """Where the seeding order comes from when the tournament starts."""

    RANDOM = "random"
    RATING = "rating"
    HAND = "hand"


class Unanswered(StrEnum):
    """What becomes of a player's report the other player does not answer in time."""

    REFEREE = "referee"  # the referee decides
    CONFIRM = "confirm"  # it counts


class AtTime(StrEnum):
    """What happens at a table when the time of the round is over."""

    FINISH_SET = "finish_set"
    SUDDEN_DEATH = "sudden_death"  # whoever wins the next set wins
    TIE = "tie"  # sets as they stand; level is a tie, where the tournament has ties


class Seating(StrEnum):
    """How matches come to tables."""

    ROUNDS = "rounds"  # a round gets its tables together
    QUEUE = "queue"  # the next match that can be played is called to the next free table


class DecksOpen(StrEnum):
    """When side decks and hands may be seen by everybody."""

    MATCH = "match"  # when the match they were brought to is over
    EVENT = "event"  # when the tournament is over


class Tournament(models.Model):
    """One competition in an event: a roster, then stages. `seed` is the text every lot is drawn from.

    Registration is public between its two instants (each may be open-ended) while `registration` is on; beyond
    `capacity` people wait. `promotes_late` lets them move up after it closed, until the start. `players_report` lets
    players report their own results; `report_minutes` is how long the other one has to answer. `second_confirms` asks
    for a second person before any result counts. `no_show_minutes` is how long an absent player is waited for before
    the referee is asked; None: nobody is asked. `cut` is how many of the best are to play on, of each group where there
    are groups; None: nothing is said of it.

    `starts_at` is when the first match may begin at the earliest (None: whenever people begin), `seating` how matches
    come to tables, `match_minutes` how long a match is thought to take before the day tells. Who is called to a table
    has `call_minutes` to say that they come; after that the referee is told. None: nobody is asked.

    `round_minutes` is how long a round's clock runs (None: no clock) and `at_time` what happens then.

    `way` is how matches are played unless one has its own; `turn_seconds`, `match_seconds` and `on_timeout` are the
    clocks of matches played here (`matches.models.Game`). Side decks can be changed until `decks_due_at` (None: until
    the match); `lends_decks` gives a player without one the club's.
    """

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="tournaments")
    name = models.CharField(max_length=NAME_LENGTH)
    ruleset = models.CharField(max_length=40)
    allows_tie = models.BooleanField(default=False)
    seeding = models.CharField(max_length=10, default=Seeding.RANDOM)
    seed = models.CharField(max_length=64)
    first_table = models.PositiveSmallIntegerField(default=1)
    state = models.CharField(max_length=10, default=State.ROSTER)
    registration = models.BooleanField(default=False)
    registration_opens_at = models.DateTimeField(null=True)
    registration_closes_at = models.DateTimeField(null=True)
    capacity = models.PositiveIntegerField(null=True)
    promotes_late = models.BooleanField(default=False)
    self_check_in = models.BooleanField(default=True)
    players_report = models.BooleanField(default=False)
    report_minutes = models.PositiveSmallIntegerField(default=10)
    unanswered = models.CharField(max_length=10, default=Unanswered.REFEREE)
    second_confirms = models.BooleanField(default=False)
    no_show_minutes = models.PositiveSmallIntegerField(null=True)
    cut = models.PositiveSmallIntegerField(null=True)
    way = models.CharField(max_length=10, default=Way.PAPER)
    turn_seconds = models.PositiveIntegerField(null=True)
    match_seconds = models.PositiveIntegerField(null=True)
    on_timeout = models.CharField(max_length=10, default=OnTimeout.STAND)
    decks_due_at = models.DateTimeField(null=True)
    decks_open = models.CharField(max_length=10, default=DecksOpen.MATCH)
    lends_decks = models.BooleanField(default=True)
    starts_at = models.DateTimeField(null=True)
    seating = models.CharField(max_length=10, default=Seating.ROUNDS)
    match_minutes = models.PositiveSmallIntegerField(default=20)
    call_minutes = models.PositiveSmallIntegerField(default=3, null=True)
    round_minutes = models.PositiveSmallIntegerField(null=True)
    at_time = models.CharField(max_length=12, default=AtTime.FINISH_SET)
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
        return self.state in OPEN_ROSTER
