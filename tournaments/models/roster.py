"""Who takes part in a tournament, and the lists they were imported from."""

from __future__ import annotations

from enum import StrEnum

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext as _

from players.engine.names import NAME_LENGTH
from players.models import Player
from tournaments.engine.snapshot import EntryStatus
from tournaments.models.tournament import Tournament

WAITING = "waiting"
"""The status of an entry that has no place yet; the engine never sees one."""

GONE = Q(status=EntryStatus.WITHDRAWN, seed__isnull=True)
"""Entries that left before the start: kept for their link and their address, and on no list."""

ON_ROSTER = ~Q(status=WAITING) & ~GONE
"""Entries that have a place, or had one when the tournament started."""


class Entry(models.Model):
    """A player in one tournament, under the name staff gave them there.

    `key` tells the same person from another: "mail:" and the case-folded address, or "name:" the folded name and its
    occurrence ("name:иван петров#2"). `mark` is what tells two same names apart on pages ("Казань", "#2"), "" for most.
    `hand_seed` is the organiser's wish before the start, `seed` the place in the seeding order since the start.
    `status` is one of the engine's, or `WAITING` since `waiting_since`, which orders them and is no two's. `asked` are
    rounds they asked not to play in, as [[round, kind of bye]]. `is_shown` is the consent to show the name to the
    public. The entry's own link is an HMAC of its id and `link_version`. `language` is what they want to be written to
    in, "" when unknown. `fixed_table` is where they have to sit, whatever the round says; None for most.
    """

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="entries")
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="entries")
    name = models.CharField(max_length=NAME_LENGTH)
    mark = models.CharField(max_length=NAME_LENGTH, blank=True)
    city = models.CharField(max_length=NAME_LENGTH, blank=True)
    club = models.CharField(max_length=NAME_LENGTH, blank=True)
    rating = models.PositiveIntegerField(null=True)
    key = models.CharField(max_length=300)
    hand_seed = models.PositiveIntegerField(null=True)
    seed = models.PositiveIntegerField(null=True)
    checked_in_at = models.DateTimeField(null=True)
    status = models.CharField(max_length=20, default=EntryStatus.ACTIVE)
    since = models.PositiveSmallIntegerField(default=1)
    asked = models.JSONField(default=list)
    waiting_since = models.DateTimeField(null=True)
    is_shown = models.BooleanField(default=True)
    language = models.CharField(max_length=10, blank=True)
    fixed_table = models.PositiveSmallIntegerField(null=True)
    link_version = models.PositiveIntegerField(default=1)
    created_at = models.DateTimeField()

    class Meta:
        verbose_name_plural = "entries"
        constraints = [
            models.UniqueConstraint(fields=["tournament", "key"], name="one_entry_per_key"),
            models.UniqueConstraint(fields=["tournament", "player"], name="one_entry_per_player"),
            models.UniqueConstraint(
                fields=["tournament", "seed"], condition=Q(seed__isnull=False), name="one_entry_per_seed"
            ),
            models.CheckConstraint(
                condition=Q(status=WAITING, waiting_since__isnull=False) | ~Q(status=WAITING),
                name="whoever_waits_waits_since",
            ),
        ]

    def __str__(self) -> str:
        return self.display_name

    @property
    def is_waiting(self) -> bool:
        return self.status == WAITING

    @property
    def is_gone(self) -> bool:
        """Whether they left before the start."""
        return self.status == EntryStatus.WITHDRAWN and self.seed is None

    @property
    def display_name(self) -> str:
        """The name as everybody may see it: without consent a number that tells this player from the others."""
        return self.staff_name if self.is_shown else _("Player %(number)s") % {"number": self.pk}

    @property
    def staff_name(self) -> str:
        """The name as those who run the tournament see it: told apart from the same name where there is one."""
        return f"{self.name} ({self.mark})" if self.mark else self.name


class ImportState(StrEnum):
    """How far an imported list has come."""

    PREVIEW = "preview"  # read and shown, nothing done yet
    WAITING = "waiting"  # confirmed, the worker has it
    DONE = "done"
    REFUSED = "refused"  # it could not be applied; the report says why


class RosterImport(models.Model):
    """One list as it was read: its rows and its problems. Applied once, all or nothing."""

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="imports")
    filename = models.CharField(max_length=200)
    state = models.CharField(max_length=10, default=ImportState.PREVIEW)
    source = models.JSONField(default=dict)  # encoding, separator, columns found
    rows = models.JSONField(default=list)  # [{line, name, email, city, club, rating}]
    problems = models.JSONField(default=list)  # [{line, code, params}]
    added = models.PositiveIntegerField(default=0)
    already_there = models.PositiveIntegerField(default=0)
    by_name = models.CharField(max_length=254)
    created_at = models.DateTimeField()
    done_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return self.filename
