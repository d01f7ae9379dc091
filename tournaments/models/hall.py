"""The hall of an event: rooms and tables, who sits where, clocks of rounds, calls for a referee."""

from __future__ import annotations

from enum import StrEnum

from django.db import models
from django.db.models import Q

from players.engine.names import NAME_LENGTH
from tournaments.engine.clocks import Clock
from tournaments.models.event import Event
from tournaments.models.roster import Entry
from tournaments.models.stage import Pairing, Round


class Purpose(StrEnum):
    """What a table is kept for besides being a table."""

    PLAIN = ""
    FEATURE = "feature"
    STREAM = "stream"


class Room(models.Model):
    """A part of the hall."""

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="rooms")
    name = models.CharField(max_length=NAME_LENGTH)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["event", "name"], name="rooms_have_names")]

    def __str__(self) -> str:
        return self.name


class Table(models.Model):
    """A table that stands in the hall. Numbers may have gaps; `out_since` is since when it is out of order.

    An event without tables counts on any number: as many as a round needs.
    """

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="tables")
    room = models.ForeignKey(Room, on_delete=models.SET_NULL, related_name="tables", null=True)
    number = models.PositiveSmallIntegerField()
    name = models.CharField(max_length=NAME_LENGTH, blank=True)
    purpose = models.CharField(max_length=10, blank=True)
    out_since = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["event", "number"], name="tables_are_numbered"),
            models.CheckConstraint(condition=Q(purpose__in=list(Purpose)), name="purpose_is_known"),
        ]

    def __str__(self) -> str:
        return f"table {self.number}"


class TableUse(models.Model):
    """That a match has a table now, from its call or its round's publication to its result: one match a table.

    `Pairing.table` says where a match is or was; this row, that the table is not free.
    """

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="table_uses")
    number = models.PositiveSmallIntegerField()
    pairing = models.OneToOneField(Pairing, on_delete=models.CASCADE, related_name="table_use")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["event", "number"], name="one_match_at_a_table")]

    def __str__(self) -> str:
        return f"table {self.number} for pairing {self.pairing_id}"


class RoundClock(models.Model):
    """The clock of a round, by the server: `seconds` long, running since `started_at`.

    Paused since `paused_at`; `paused_ms` are the milliseconds it stood before. `version` counts every change.
    """

    round = models.OneToOneField(Round, on_delete=models.CASCADE, related_name="clock")
    seconds = models.PositiveIntegerField()
    started_at = models.DateTimeField()
    paused_at = models.DateTimeField(null=True)
    paused_ms = models.PositiveIntegerField(default=0)
    version = models.PositiveIntegerField(default=0)

    def __str__(self) -> str:
        return f"clock of round {self.round_id}"

    @property
    def as_clock(self) -> Clock:
        """The clock as the engine counts it."""
        return Clock(self.seconds, self.started_at, self.paused_at, self.paused_ms)


class RefereeCall(models.Model):
    """Somebody at a table asks for a referee: where, since when, who goes (`taken_*`), and when it was over.

    `entry` is the player who called, None where the table's own code was used. `taken_key` tells whoever goes from
    somebody else of the same name.
    """

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="referee_calls")
    pairing = models.ForeignKey(Pairing, on_delete=models.CASCADE, related_name="referee_calls", null=True)
    table = models.PositiveSmallIntegerField(null=True)
    entry = models.ForeignKey(Entry, on_delete=models.SET_NULL, related_name="referee_calls", null=True)
    called_at = models.DateTimeField()
    taken_by = models.CharField(max_length=254, blank=True)
    taken_key = models.CharField(max_length=30, blank=True)
    taken_at = models.DateTimeField(null=True)
    over_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["event", "table"], condition=Q(over_at__isnull=True), name="one_open_call_a_table"
            ),
            models.CheckConstraint(condition=Q(taken_at__isnull=True) | ~Q(taken_by=""), name="who_goes_has_a_name"),
        ]

    def __str__(self) -> str:
        return f"call from table {self.table}"

    @property
    def place(self) -> int | None:
        """The table to go to: where the match is now, which may have been moved, or the table that called."""
        return self.table if self.pairing is None else self.pairing.table
