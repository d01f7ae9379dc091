"""Working standings out: always anew from the facts, never by adding to what was there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from fractions import Fraction

from django.db import transaction

from matches.actions import create_matches
from tournaments.actions.notices import tell_pairings, tell_places
from tournaments.actions.plans import ask_for_plan
from tournaments.actions.tables import hold_hall, settle_tables
from tournaments.engine.formats import get_format
from tournaments.engine.formats.base import Note, PlannedRound
from tournaments.engine.snapshot import Snapshot
from tournaments.engine.stages import outlooks
from tournaments.engine.standings import Row, rank
from tournaments.engine.tables import Hall
from tournaments.live import announce, topic_of
from tournaments.models import Entry, Pairing, Round, Stage, StageChange, Standing
from tournaments.models.tournament import State
from tournaments.queries.hall import find_tables, hall_of, open_in
from tournaments.queries.round_times import expected_times
from tournaments.queries.snapshots import take_snapshot
from tournaments.queries.stages import stage_version


def note_change(*, stage_id: int, what: str, now: datetime) -> None:
    """Put a change into the stage's outbox, in the transaction that made it. Nothing is locked."""
    StageChange.objects.create(stage_id=stage_id, what=what, at=now)


def stale_stages() -> list[int]:
    """Stages with something in their outbox."""
    return list(
        StageChange.objects.filter(read_at__isnull=True)
        .values_list("stage_id", flat=True)
        .distinct()
        .order_by("stage_id")
    )


def refresh(*, stage_id: int, now: datetime) -> None:
    """Rank the stage anew, fill what its format can now fill, and tell open pages.

    Locks the stage row. Marks exactly the changes it read: one that commits while this runs stays unread and brings
    the next run. Safe to run twice, late, or side by side.
    """
    with transaction.atomic():
        # no_key: rounds and standings that point here are not held up by this lock. The tournament is read after it,
        # now that nobody else changes it.
        stage = Stage.objects.select_for_update(no_key=True).filter(pk=stage_id).first()
        if stage is None:
            return
        unread = list(stage.changes.filter(read_at__isnull=True).values_list("pk", flat=True))
        if not unread and stage.refreshed_at is not None:
            return
        settle_tables(stage=stage)
        _fill(stage, now)
        _rank(stage)
        if stage.tournament.state == State.FINISHED:
            tell_places(stage=stage, now=now)
        stage.version += 1
        stage.refreshed_at = now
        stage.save(update_fields=["version", "refreshed_at", "counted_round", "counted_open"])
        StageChange.objects.filter(pk__in=unread).update(read_at=now)
        ask_for_plan(event_id=stage.tournament.event_id)
    announce(topic_of(stage.tournament_id), stage_version(stage))


def _fill(stage: Stage, now: datetime) -> None:
    """Publish what follows from results by itself: the next matches of a bracket."""
    if stage.tournament.state != State.RUNNING or stage.rounds.filter(published_at__isnull=True).exists():
        return
    if not stage.rounds.exists():
        return
    chosen = get_format(stage.format)
    while True:  # a bye can make the next pairing known at once
        planned = [r for r in chosen.pair(take_snapshot(stage=stage)) if not chosen.needs_draft(r.number)]
        if not planned:
            return
        for plan in planned:
            _publish_planned(stage, plan, now)


def _publish_planned(stage: Stage, plan: PlannedRound, now: datetime) -> None:
    round_, _ = Round.objects.get_or_create(
        stage=stage, number=plan.number, defaults={"made_at": now, "published_at": now, "made_from": stage.version}
    )
    hold_hall(event_id=stage.tournament.event_id)
    # Where others wait for a table, whoever comes now waits behind them: the next is called to the next that is free.
    is_queued = open_in(event_id=stage.tournament.event_id).filter(table=None).exists()
    hall = Hall(tables=frozenset()) if is_queued else hall_of(tournament=stage.tournament)
    rows = store_pairings(round_=round_, plan=plan, hall=hall)
    open_tables(stage=stage, pairings=rows)
    settle_tables(stage=stage)
    due = expected_times(round_=round_, numbers=[row.number for row in rows], after=now)
    for row in rows:
        row.due_at = due[row.number]
    if any(due.values()):
        Pairing.objects.bulk_update(rows, ["due_at"])
    tell_pairings(stage=stage, pairings=rows, now=now)


def note_row(note: Note | None) -> list[object] | None:
    """A note as it is stored: [code, {params}], exact fractions as text, nested notes likewise."""
    if note is None:
        return None
    return [note.code, {name: _plain(value) for name, value in note.params}]


def _plain(value: object) -> object:
    if isinstance(value, Note):
        return note_row(value)
    if isinstance(value, Fraction):
        return str(value)
    if isinstance(value, tuple | list):
        return [_plain(item) for item in value]
    return value


def store_pairings(*, round_: Round, plan: PlannedRound, hall: Hall) -> list[Pairing]:
    """The planned pairings as rows of the round, each at a table of the hall as far as there are any.

    Byes take no table. The caller holds the stage.
    """
    rows = [
        Pairing(
            round=round_,
            number=planned.number,
            a_id=planned.a,
            b_id=planned.b,
            bye=planned.bye,
            why=note_row(planned.why),
        )
        for planned in plan.pairings
    ]
    find_tables(pairings=rows, hall=hall)
    return Pairing.objects.bulk_create(rows)


def open_tables(*, stage: Stage, pairings: list[Pairing], ties: bool = True) -> None:
    """Make the match of each pairing that has two sides and none yet. The caller holds the stage.

    Without `ties` somebody has to win, whatever the tournament allows.
    """
    waiting = [pairing for pairing in pairings if pairing.b_id is not None and pairing.match_id is None]
    ids = {side for pairing in waiting for side in (pairing.a_id, pairing.b_id) if side is not None}
    players = {entry.pk: entry.player for entry in Entry.objects.filter(pk__in=ids).select_related("player")}
    chosen = get_format(stage.format)
    matches = create_matches(
        seats=[(players[pairing.a_id], players[pairing.b_id]) for pairing in waiting if pairing.b_id is not None],
        ruleset=stage.tournament.ruleset,
        allows_tie=ties and stage.tournament.allows_tie and chosen.allows_ties,
    )
    for pairing, match in zip(waiting, matches, strict=True):
        pairing.match = match
    Pairing.objects.bulk_update(waiting, ["match"])


def _rank(stage: Stage) -> None:
    snapshot = take_snapshot(stage=stage)
    rows = rank(snapshot, stage.format, tuple(stage.tiebreaks)) if snapshot.entries else ()
    outlook = _outlooks(stage, snapshot, rows)
    Standing.objects.filter(stage=stage).delete()
    Standing.objects.bulk_create(_standing(stage, row, outlook.get(row.entry, "")) for row in rows)
    stage.counted_round = max((p.round for p in snapshot.pairings if not p.is_open), default=0)
    stage.counted_open = sum(1 for p in snapshot.open_pairings() if p.round <= stage.counted_round)


def _outlooks(stage: Stage, snapshot: Snapshot, rows: Sequence[Row]) -> Mapping[int, str]:
    """Who plays on, where it is said how many do."""
    tournament = stage.tournament
    if tournament.cut is None or not rows:
        return {}
    ties = tournament.allows_tie and get_format(stage.format).allows_ties
    closed = tournament.state == State.FINISHED
    return outlooks(snapshot, stage.format, rows, tournament.cut, ties=ties, closed=closed)


def _standing(stage: Stage, row: Row, outlook: str) -> Standing:
    record = row.record
    return Standing(
        stage=stage,
        entry_id=row.entry,
        rank=row.rank,
        order=row.order,
        points=record.points,
        wins=record.wins,
        ties=record.ties,
        losses=record.losses,
        byes=record.byes,
        sets_won=record.sets_won,
        sets_lost=record.sets_lost,
        group=row.group or None,
        place=row.place or None,
        prospect=outlook,
        values=[[key, str(value)] for key, value in row.values],
        reason=note_row(row.reason),
    )
