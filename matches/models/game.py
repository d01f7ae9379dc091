"""Matches played through the engine, card by card, and the side decks brought to them."""

from __future__ import annotations

from enum import StrEnum

from django.db import models
from django.db.models import Q

from matches.models.match import Match
from players.models import Player


class Way(StrEnum):
    """How a match comes to its result."""

    PAPER = "paper"  # a score is typed in
    CONSOLE = "console"  # real cards on a table; a referee enters every draw and play
    HERE = "here"  # each player on a device of their own; the engine deals


class OnTimeout(StrEnum):
    """What becomes of a player whose time is over."""

    STAND = "stand"
    LOSE_SET = "lose_set"
    CALL = "call"  # the game pauses and the referee is called


class Game(models.Model):
    """How one match goes through the engine: its record up to now, its deal and its clocks.

    Without a match it is practice against `policy`. `record` is the text of `docs/notation.md` with everything in it,
    hands too: it leaves the server only through `matches.queries.games`, as its reader may know it. `moves` counts the
    moves in it and `undone` how often some were taken back: the two together are the position a move is made for.
    `version` counts every change. `seed` is the secret the deal follows from, "" where cards come from outside; it
    joins the record when the match is over.

    `turn_seconds` is the time for one turn, `match_seconds` what each player has for the whole match; None: no clock.
    `turn_at` is since when the one to act thinks, None while nobody does. `spent_*` are milliseconds of turns before.
    `called_at`: a referee was called.
    """

    match = models.OneToOneField(Match, on_delete=models.PROTECT, related_name="game", null=True)
    way = models.CharField(max_length=10)
    policy = models.CharField(max_length=40, blank=True)
    record = models.TextField()
    moves = models.PositiveIntegerField(default=0)
    undone = models.PositiveIntegerField(default=0)
    version = models.PositiveIntegerField(default=0)
    seed = models.CharField(max_length=64, blank=True)
    ready_a_at = models.DateTimeField(null=True)
    ready_b_at = models.DateTimeField(null=True)
    turn_seconds = models.PositiveIntegerField(null=True)
    match_seconds = models.PositiveIntegerField(null=True)
    on_timeout = models.CharField(max_length=10, default=OnTimeout.STAND)
    turn_at = models.DateTimeField(null=True)
    spent_a = models.PositiveIntegerField(default=0)
    spent_b = models.PositiveIntegerField(default=0)
    paused_at = models.DateTimeField(null=True)
    called_at = models.DateTimeField(null=True)
    created_at = models.DateTimeField()
    over_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(way__in=[Way.CONSOLE, Way.HERE]), name="game_way_is_known"),
            models.CheckConstraint(condition=Q(on_timeout__in=list(OnTimeout)), name="timeout_rule_is_known"),
            models.CheckConstraint(condition=Q(match__isnull=True) ^ Q(policy=""), name="practice_has_a_policy"),
        ]
        indexes = [models.Index(fields=["turn_at"], condition=Q(turn_at__isnull=False), name="running_clocks")]

    def __str__(self) -> str:
        return f"game {self.pk}"

    @property
    def position(self) -> str:
        """What a move names to say which position it was made for."""
        return f"{self.undone}.{self.moves}"


class SideDeck(models.Model):
    """The side deck a player chose for an occasion, by tokens; nobody else's to see before it is opened.

    `occasion` is where it is brought to, such as "tournament/7".
    """

    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="side_decks")
    occasion = models.CharField(max_length=40)
    cards = models.JSONField(default=list)
    saved_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["player", "occasion"], name="one_side_deck_an_occasion")]

    def __str__(self) -> str:
        return f"side deck of {self.player_id} for {self.occasion}"
