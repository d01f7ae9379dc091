"""Published rounds as pages show them: plain rows, for one page may have thousands of pairings."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import NamedTuple

from django.db.models import Max

from tournaments.engine.clocks import Clock
from tournaments.models import Entry, Pairing, Stage
from tournaments.words.reasons import StoredNote


class MatchRow(NamedTuple):
    """The match of a pairing, as `matches.models.Match` has it."""

    pk: int
    kind: str
    sets_a: int
    sets_b: int
    winner: str
    is_void: bool

    @property
    def is_open(self) -> bool:
        return not self.kind and not self.is_void


class PairingRow(NamedTuple):
    """Who meets whom, as `Pairing` has it."""

    pk: int
    number: int
    table: int | None
    why: StoredNote | None
    a_id: int
    b_id: int | None
    a: Entry
    b: Entry | None
    match: MatchRow | None
    extra_seconds: int

    @property
    def match_id(self) -> int | None:
        return None if self.match is None else self.match.pk


class RoundRow(NamedTuple):
    """A published round with its pairings by number. `told_at` is when its last result came in, None before any.

    `clock` is None until it is started.
    """

    number: int
    published_at: datetime
    is_play_off: bool
    told_at: datetime | None
    pairings: tuple[PairingRow, ...]
    clock: Clock | None


_CLOCK = ("clock__seconds", "clock__started_at", "clock__paused_at", "clock__paused_ms")


def _clock(
    seconds: int | None, started_at: datetime | None, paused_at: datetime | None, paused_ms: int | None
) -> Clock | None:
    """The clock of a round as one statement brings it, all of it empty where there is none."""
    if seconds is None or started_at is None:
        return None
    return Clock(seconds, started_at, paused_at, paused_ms or 0)


def published_rounds(*, stage: Stage, known: Mapping[int, Entry]) -> list[RoundRow]:
    """The rounds everybody may see, in order. Two queries whatever the size, and one where nothing is published.

    Their entries are those of `known`; one more query if somebody is paired who is not among them.
    """
    rounds = list(
        stage.rounds.filter(published_at__isnull=False)
        .annotate(told_at=Max("pairings__match__decided_at"))
        .order_by("number")
        .values_list("pk", "number", "published_at", "is_play_off", "told_at", *_CLOCK)
    )
    if not rounds:
        return []
    stored = list(
        Pairing.objects.filter(round__in=[pk for pk, *_facts in rounds])
        .order_by("number")
        .values_list(
            *("round_id", "a_id", "b_id", "pk", "number", "table", "why", "extra_seconds"),
            *(f"match__{name}" for name in MatchRow._fields),
        )
    )
    if not {side for _round, *sides in (row[:3] for row in stored) for side in sides if side} <= known.keys():
        known = {entry.pk: entry for entry in Entry.objects.filter(tournament_id=stage.tournament_id)} | {**known}
    pairings: dict[int, list[PairingRow]] = {pk: [] for pk, *_facts in rounds}
    for round_id, a, b, pk, number, table, why, extra, *match in stored:
        met = MatchRow._make(match) if match[0] is not None else None
        sides = known[a], known[b] if b else None
        pairings[round_id].append(PairingRow(pk, number, table, why, a, b, *sides, met, extra))
    return [
        RoundRow(number, published_at, is_play_off, told_at, tuple(pairings[pk]), _clock(*clock))
        for pk, number, published_at, is_play_off, told_at, *clock in rounds
        if published_at is not None
    ]
