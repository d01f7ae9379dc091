"""When the hall is open, and the plan of an event: who plays where and when, as it looks now."""

from __future__ import annotations

from django.db import models
from django.db.models import F, Q

from players.engine.names import NAME_LENGTH
from tournaments.models.event import Event
from tournaments.models.roster import Entry
from tournaments.models.stage import Stage
from tournaments.models.tournament import Tournament


class Opening(models.Model):
    """From when to when the hall is open, also beyond midnight. An event without any is open all the time."""

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="openings")
    opens_at = models.DateTimeField()
    closes_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(closes_at__gt=F("opens_at")), name="hall_closes_after_it_opens"),
            models.UniqueConstraint(fields=["event", "opens_at"], name="hall_opens_once_at_a_time"),
        ]

    def __str__(self) -> str:
        return f"opening {self.opens_at:%Y-%m-%d %H:%M} of {self.event_id}"


class Break(models.Model):
    """Nobody plays then: no match reaches into it. `tournament` has it alone; None: all of the event."""

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="breaks")
    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="breaks", null=True)
    name = models.CharField(max_length=NAME_LENGTH, blank=True)
    starts_at = models.DateTimeField()
    ends_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(ends_at__gt=F("starts_at")), name="break_ends_after_it_starts")
        ]

    def __str__(self) -> str:
        return self.name or f"break {self.starts_at:%Y-%m-%d %H:%M}"


class RoundTime(models.Model):
    """When a round is to begin, whether it is paired already or not: none of its matches begins before."""

    stage = models.ForeignKey(Stage, on_delete=models.CASCADE, related_name="round_times")
    number = models.PositiveSmallIntegerField()
    starts_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["stage", "number"], name="one_time_a_round")]

    def __str__(self) -> str:
        return f"round {self.number} of stage {self.stage_id}"


class HallPlan(models.Model):
    """The plan of an event as a whole, worked out anew from facts whenever they or the time change.

    `asked` counts what changed for it, `made` is the count it was made from: it is behind while they differ. `ends_at`
    is when the last match is expected to end, `bound_at` before when no plan can end, `bound_kind` why. `without` is
    the number of matches that have no place.
    """

    event = models.OneToOneField(Event, on_delete=models.CASCADE, related_name="plan")
    asked = models.PositiveIntegerField(default=1)
    made = models.PositiveIntegerField(default=0)
    made_at = models.DateTimeField(null=True)
    ends_at = models.DateTimeField(null=True)
    bound_at = models.DateTimeField(null=True)
    bound_kind = models.CharField(max_length=20, blank=True)
    without = models.PositiveIntegerField(default=0)

    def __str__(self) -> str:
        return f"plan of {self.event_id}"


class Slot(models.Model):
    """Where and when one match is played, or will be as it looks now; it is there before the match itself is.

    `round` and `number` are the round of the stage and the place in it. `a` and `b` are the players as far as they are
    known, `from_a` and `from_b` the places ([round, number, "winner" or "loser"]) they come from. `state` is the
    planner's, `note` one of NOTES. `starts_at` None: it has no place; `why` is the planner's code, `other` what stands
    in its way.
    `has_place` and `has_time`: readers may count on its table, on its time; else both are only what it looks like now.
    `sequence` counts the changes readers were shown, the last at `changed_at`; `dropped_at`: it will not be played.

    What people decided: `held_since` (it is not to be called), `fixed_at` and `fixed_table` (when and where it is to
    begin). `wanted_at` is when it should begin in the better plan that was found.
    """

    stage = models.ForeignKey(Stage, on_delete=models.CASCADE, related_name="slots")
    round = models.PositiveSmallIntegerField()
    number = models.PositiveSmallIntegerField()
    a = models.ForeignKey(Entry, on_delete=models.SET_NULL, related_name="slots_a", null=True)
    b = models.ForeignKey(Entry, on_delete=models.SET_NULL, related_name="slots_b", null=True)
    from_a = models.JSONField(null=True)
    from_b = models.JSONField(null=True)
    state = models.CharField(max_length=10, default="waiting")
    table = models.PositiveSmallIntegerField(null=True)
    starts_at = models.DateTimeField(null=True)
    ends_at = models.DateTimeField(null=True)
    has_place = models.BooleanField(default=False)
    has_time = models.BooleanField(default=False)
    note = models.CharField(max_length=10, blank=True)
    why = models.CharField(max_length=20, blank=True)
    other = models.CharField(max_length=40, blank=True)
    held_since = models.DateTimeField(null=True)
    fixed_at = models.DateTimeField(null=True)
    fixed_table = models.PositiveSmallIntegerField(null=True)
    wanted_at = models.DateTimeField(null=True)
    sequence = models.PositiveIntegerField(default=0)
    changed_at = models.DateTimeField()
    dropped_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["stage", "round", "number"], name="slots_are_numbered")]

    def __str__(self) -> str:
        return f"slot {self.number} of round {self.round} of stage {self.stage_id}"


class PlanSearch(models.Model):
    """A search for a better plan by the solver, `seconds` long: from when to when, how far it is, what it found.

    `before_at` and `found_at` are the ends of the two plans, `bound_at` before when none can end; `without_before` and
    `without_found` how many matches have no place in each. `outcome` is "" until it is over, then better, same, late
    (the hall had changed meanwhile), stopped or failed. `is_best`: no plan is better.
    """

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="plan_searches")
    seconds = models.PositiveSmallIntegerField()
    by = models.CharField(max_length=254, blank=True)
    asked_at = models.DateTimeField()
    begun_at = models.DateTimeField(null=True)
    seen_at = models.DateTimeField(null=True)
    over_at = models.DateTimeField(null=True)
    stop_at = models.DateTimeField(null=True)
    before_at = models.DateTimeField(null=True)
    found_at = models.DateTimeField(null=True)
    bound_at = models.DateTimeField(null=True)
    without_before = models.PositiveIntegerField(default=0)
    without_found = models.PositiveIntegerField(default=0)
    is_best = models.BooleanField(default=False)
    outcome = models.CharField(max_length=10, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["event"], condition=Q(over_at__isnull=True), name="one_search_at_a_time")
        ]

    def __str__(self) -> str:
        return f"search {self.pk} of {self.event_id}"
