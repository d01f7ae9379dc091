"""Matches between two players, and every result ever reported for them."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from players.models import Player


class Match(models.Model):
    """A meeting of two players at a table. Made only once both sides are known.

    `version` counts what was confirmed or taken back; whoever writes must name the version they saw. `sets_*`, `kind`
    and `winner` repeat the confirmed submission for readers. A void match is one whose pairing was taken back.
    """

    seat_a = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="matches_a")
    seat_b = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="matches_b")
    ruleset = models.CharField(max_length=40)  # versioned key, never edited once published
    allows_tie = models.BooleanField(default=False)
    version = models.PositiveIntegerField(default=0)
    kind = models.CharField(max_length=20, blank=True)  # "" while open, else a result kind
    sets_a = models.PositiveSmallIntegerField(default=0)
    sets_b = models.PositiveSmallIntegerField(default=0)
    winner = models.CharField(max_length=1, blank=True)  # "a", "b" or ""
    is_void = models.BooleanField(default=False)
    decided_at = models.DateTimeField(null=True)

    class Meta:
        verbose_name_plural = "matches"
        constraints = [
            models.CheckConstraint(condition=~Q(seat_a=models.F("seat_b")), name="nobody_meets_themselves"),
            models.CheckConstraint(condition=Q(winner__in=["", "a", "b"]), name="winner_is_a_seat"),
            models.CheckConstraint(
                condition=~Q(kind="") | Q(winner="", sets_a=0, sets_b=0), name="open_match_has_no_score"
            ),
        ]

    def __str__(self) -> str:
        return f"match {self.pk}"

    @property
    def is_open(self) -> bool:
        return not self.kind and not self.is_void


class Submission(models.Model):
    """One reported result, kept for ever. At most one per match is confirmed; a correction is a new one.

    A report that needs somebody else's word is `is_waiting` until it is confirmed, contradicted or taken back: one per
    side, where `seat` is "a" or "b" for a player's own report and "" for one by staff.
    """

    match = models.ForeignKey(Match, on_delete=models.PROTECT, related_name="submissions")
    number = models.PositiveIntegerField()
    key = models.CharField(max_length=80, unique=True)  # the idempotency key it came with
    digest = models.CharField(max_length=64)  # of what it said: the same key must say the same
    kind = models.CharField(max_length=20)
    sets_a = models.PositiveSmallIntegerField(default=0)
    sets_b = models.PositiveSmallIntegerField(default=0)
    winner = models.CharField(max_length=1, blank=True)
    totals = models.JSONField(default=list)  # [[20, 18], [9, 12, "timeout", "a"], ...]; [] where only sets were told
    is_confirmed = models.BooleanField(default=False)
    is_waiting = models.BooleanField(default=False)
    seat = models.CharField(max_length=1, blank=True)
    by_role = models.CharField(max_length=20)
    by_name = models.CharField(max_length=254)
    by_account = models.BigIntegerField(null=True)
    by_link = models.BigIntegerField(null=True)
    at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["match", "number"], name="submissions_are_numbered"),
            models.UniqueConstraint(fields=["match"], condition=Q(is_confirmed=True), name="one_confirmed_per_match"),
            models.UniqueConstraint(
                fields=["match", "seat"], condition=Q(is_waiting=True), name="one_waiting_report_per_side"
            ),
            models.CheckConstraint(condition=~Q(is_waiting=True, is_confirmed=True), name="confirmed_does_not_wait"),
            models.CheckConstraint(condition=Q(seat__in=["", "a", "b"]), name="report_of_a_seat"),
        ]

    def __str__(self) -> str:
        return f"submission {self.number} of match {self.match_id}"
