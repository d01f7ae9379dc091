"""One run of a format: its rounds, pairings and standings, and the outbox of what is not yet counted."""

from __future__ import annotations

from django.db import models
from django.db.models import F, Q

from matches.models import Match
from tournaments.engine.snapshot import Bye
from tournaments.models.roster import Entry
from tournaments.models.tournament import Tournament


class Stage(models.Model):
    """One run of a format in a tournament.

    `version` rises each time its standings and pairings are worked out anew; pages carry it as their ETag.
    `seed` is the text lots are drawn from; "" where it is that of the tournament with the number of the stage.
    `counted_round` and `counted_open` label the standings: the last round they include and how many of its matches
    were still open.
    """

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="stages")
    number = models.PositiveSmallIntegerField(default=1)
    format = models.CharField(max_length=40)
    options = models.JSONField(default=dict)
    tiebreaks = models.JSONField(default=list)
    points = models.JSONField(default=dict)  # win, tie, loss, bye
    seed = models.CharField(max_length=200, blank=True)
    version = models.PositiveIntegerField(default=0)
    counted_round = models.PositiveSmallIntegerField(default=0)
    counted_open = models.PositiveIntegerField(default=0)
    refreshed_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["tournament", "number"], name="stages_are_numbered")]

    def __str__(self) -> str:
        return f"stage {self.number} of {self.tournament_id}"


class Round(models.Model):
    """A round of a stage: a draft only organisers see until `published_at`.

    A play-off is an extra round after all others: its matches decide between entries that are level in everything else
    and count for nothing more.
    """

    stage = models.ForeignKey(Stage, on_delete=models.CASCADE, related_name="rounds")
    number = models.PositiveSmallIntegerField()
    made_at = models.DateTimeField()
    made_from = models.PositiveIntegerField(default=0)  # the standings version it was paired from
    published_at = models.DateTimeField(null=True)
    is_play_off = models.BooleanField(default=False)
    notes = models.JSONField(default=list)  # what the format had to say: [[code, {params}]]

    class Meta:
        constraints = [models.UniqueConstraint(fields=["stage", "number"], name="rounds_are_numbered")]

    def __str__(self) -> str:
        return f"round {self.number} of stage {self.stage_id}"

    @property
    def is_draft(self) -> bool:
        return self.published_at is None


class Pairing(models.Model):
    """Who meets whom in a round; `b` empty is a bye. The match is made when the round is published.

    `number` is the bracket position or the order within the round, `table` where it is played. `bye` says what kind a
    pairing without `b` is. `due_at` is when the two should sit there (None: since the round was published),
    `called_at` when the match was called to the table it has from the queue, `coming_a_at` and `coming_b_at` when each
    said that they come, `here_a_at` and `here_b_at` that they sit there, `began_at` when a referee said that they play.
    `extra_seconds` is what this table has beyond the clock of the round.
    `way` is how this match is played, "" where it is the tournament's.
    """

    round = models.ForeignKey(Round, on_delete=models.CASCADE, related_name="pairings")
    number = models.PositiveSmallIntegerField()
    a = models.ForeignKey(Entry, on_delete=models.PROTECT, related_name="pairings_a")
    b = models.ForeignKey(Entry, on_delete=models.PROTECT, related_name="pairings_b", null=True)
    bye = models.CharField(max_length=10, default=Bye.GIVEN)
    table = models.PositiveSmallIntegerField(null=True)
    due_at = models.DateTimeField(null=True)
    called_at = models.DateTimeField(null=True)
    coming_a_at = models.DateTimeField(null=True)
    coming_b_at = models.DateTimeField(null=True)
    here_a_at = models.DateTimeField(null=True)
    here_b_at = models.DateTimeField(null=True)
    began_at = models.DateTimeField(null=True)
    extra_seconds = models.PositiveIntegerField(default=0)
    match = models.OneToOneField(Match, on_delete=models.PROTECT, related_name="pairing", null=True)
    by_hand = models.BooleanField(default=False)
    way = models.CharField(max_length=10, blank=True)
    why = models.JSONField(null=True)  # [code, {params}]

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["round", "number"], name="pairings_are_numbered"),
            models.UniqueConstraint(fields=["round", "a"], name="once_a_round_as_a"),
            models.UniqueConstraint(fields=["round", "b"], name="once_a_round_as_b"),
            models.CheckConstraint(condition=Q(b__isnull=True) | ~Q(a=F("b")), name="nobody_is_paired_with_themselves"),
        ]

    def __str__(self) -> str:
        return f"pairing {self.number} of round {self.round_id}"


class Standing(models.Model):
    """One row of the ranking as it was last worked out; replaced as a whole, never adjusted.

    `group` is the group played in, from 1, and `place` the place there; None where there are no groups or no place.
    `prospect` is what is known of playing on, an `engine.stages.Outlook`; "" where nothing is said of it.
    """

    stage = models.ForeignKey(Stage, on_delete=models.CASCADE, related_name="standings")
    entry = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="standings")
    rank = models.PositiveIntegerField()
    order = models.PositiveIntegerField()
    points = models.IntegerField()
    wins = models.PositiveSmallIntegerField()
    ties = models.PositiveSmallIntegerField()
    losses = models.PositiveSmallIntegerField()
    byes = models.PositiveSmallIntegerField()
    sets_won = models.PositiveSmallIntegerField()
    sets_lost = models.PositiveSmallIntegerField()
    group = models.PositiveSmallIntegerField(null=True)
    place = models.PositiveSmallIntegerField(null=True)
    prospect = models.CharField(max_length=10, blank=True)
    values = models.JSONField(default=list)  # [[tie-break key, "n" or "n/d"]] in the order of the chain
    reason = models.JSONField()  # [code, {params}]

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["stage", "entry"], name="one_standing_per_entry"),
            models.UniqueConstraint(fields=["stage", "order"], name="standings_are_ordered"),
        ]

    def __str__(self) -> str:
        return f"{self.rank}. {self.entry_id}"


class StageChange(models.Model):
    """Something happened to a stage that its standings do not show yet: the outbox. Unread rows make it stale."""

    stage = models.ForeignKey(Stage, on_delete=models.CASCADE, related_name="changes")
    what = models.CharField(max_length=40)
    at = models.DateTimeField()
    read_at = models.DateTimeField(null=True)

    class Meta:
        indexes = [models.Index(fields=["stage"], condition=Q(read_at__isnull=True), name="unread_changes")]

    def __str__(self) -> str:
        return f"{self.what} in stage {self.stage_id}"
