"""Players who come after the start: let in where there is a place, and taken out again while they have no result."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime
from typing import Any

from django.db import transaction

from matches.actions import void_matches
from matches.models import Match
from players.actions import record_act
from players.permissions import Actor, Refused
from tournaments.actions.notices import tell_pairings
from tournaments.actions.roster.entries import drop_if_unused, new_entry
from tournaments.actions.roster.facts import check_facts
from tournaments.actions.roster.holding import hold, hold_entry, set_marks
from tournaments.actions.rounds import lock_stage, pair_drafts_again
from tournaments.actions.standings import open_tables
from tournaments.actions.tables import free_tables, hold_hall, settle_tables, uncall
from tournaments.engine import snapshot as engine
from tournaments.engine.formats import get_format
from tournaments.engine.formats.base import Seating
from tournaments.engine.snapshot import EntryStatus
from tournaments.engine.tables import Hall
from tournaments.models import Entry, Pairing, Round, Stage, Tournament
from tournaments.models.tournament import State
from tournaments.queries.desk import current_stage
from tournaments.queries.hall import find_tables, hall_of
from tournaments.queries.round_times import expected_times
from tournaments.queries.seats import came_late
from tournaments.queries.snapshots import take_snapshot
from tournaments.signals import stage_changed

_NEWCOMER = 0  # stands for an entry that is not stored yet


@transaction.atomic
def late_entry(
    *,
    tournament_id: int,
    name: str,
    email: str = "",
    city: str = "",
    club: str = "",
    rating: str | int | None = None,
    name_again: bool = False,
    by: Actor,
    now: datetime,
    why: str = "",
) -> Entry | Refused:
    """Let somebody new in who comes after the start, as the last seed.

    In a Swiss from the next round that can be made; in a round robin or a group against whoever is free in each round;
    in a bracket in the place of a bye that nobody has played from. A draft is paired again.
    Refusals: those of `check_facts` and of `new_entry`, tournament_unknown, not_running, no_place_for_late,
    no_round_left, changed_meanwhile.
    """
    facts, wrong = check_facts(name=name, email=email, city=city, club=club, rating=rating)
    if wrong:
        return wrong[0]
    tournament = hold(tournament_id=tournament_id, frozen_too=True)
    if isinstance(tournament, Refused):
        return tournament
    place = _find_place(tournament)
    if isinstance(place, Refused):
        return place
    entry = new_entry(tournament=tournament, facts=facts, name_again=name_again, here_at=now, now=now)
    if isinstance(entry, Refused):
        return entry
    stage, seating = place
    _seat(entry, stage, seating, by=by, now=now, why=why, was=None)
    set_marks(tournament=tournament)
    entry.refresh_from_db(fields=["mark"])
    return entry


@transaction.atomic
def let_in(*, entry_id: int, by: Actor, now: datetime, why: str = "") -> Entry | Refused:
    """Let somebody in who is on the roster and does not play: left out at the start, or still waiting for a place.

    As `late_entry` does. Refusals: entry_unknown, not_running, already_playing, no_place_for_late, no_round_left,
    changed_meanwhile.
    """
    held = hold_entry(entry_id=entry_id, frozen_too=True)
    if isinstance(held, Refused):
        return held
    tournament, entry = held
    if entry.seed is not None:
        return Refused("already_playing")
    place = _find_place(tournament)
    if isinstance(place, Refused):
        return place
    stage, seating = place
    _seat(entry, stage, seating, by=by, now=now, why=why, was=entry.status)
    return entry


def _find_place(tournament: Tournament) -> tuple[Stage, Seating] | Refused:
    """Where a newcomer is seated, with the matches this takes away locked, and then the stage."""
    if tournament.state != State.RUNNING:
        return Refused("not_running")
    stage = current_stage(tournament=tournament)
    chosen = get_format(stage.format)
    locked = _lock_matches(stage, _place_in(stage))
    stage = lock_stage(stage.pk)
    seating = _place_in(stage)
    if seating is None:
        return Refused("no_place_for_late" if chosen.has_bracket or chosen.is_fixed else "no_round_left")
    return (stage, seating) if _matches_of(stage, seating) <= locked else Refused("changed_meanwhile")


def _place_in(stage: Stage) -> Seating | None:
    snapshot = take_snapshot(stage=stage)
    newcomer = engine.Entry(id=_NEWCOMER, seed=len(snapshot.entries) + 1)
    return get_format(stage.format).let_in(snapshot, newcomer)


def _lock_matches(stage: Stage, seating: Seating | None) -> set[int]:
    """Lock the matches a seating takes away, in order of id; the stage is locked after them, never before."""
    ids = set() if seating is None else _matches_of(stage, seating)
    list(Match.objects.select_for_update().filter(pk__in=ids).order_by("pk"))
    return ids


def _matches_of(stage: Stage, seating: Seating) -> set[int]:
    """The matches a seating takes away: of pairings that go, and of those that are put another way."""
    rows = _rows(stage, (*seating.gone, *seating.put))
    return {row.match_id for row in rows.values() if row.match_id is not None}


def _rows(stage: Stage, pairings: Iterable[engine.Pairing]) -> dict[tuple[int, int], Pairing]:
    """The stored rows at the places of these pairings, as far as there are any."""
    places = {(pairing.round, pairing.number) for pairing in pairings}
    found = Pairing.objects.filter(round__stage=stage, round__published_at__isnull=False).select_related("round")
    return {place: row for row in found if (place := (row.round.number, row.number)) in places}


def _seat(entry: Entry, stage: Stage, seating: Seating, *, by: Actor, now: datetime, why: str, was: str | None) -> None:
    """Give an entry the last seed and its place. `was` is the status it had on the roster, None for somebody new."""
    entry.seed = 1 + stage.tournament.entries.filter(seed__isnull=False).count()
    entry.since, entry.status = seating.since, EntryStatus.ACTIVE
    entry.checked_in_at = entry.checked_in_at or now
    entry.save(update_fields=["seed", "since", "status", "checked_in_at"])
    put = tuple(
        replace(
            pairing,
            a=entry.pk if pairing.a == _NEWCOMER else pairing.a,
            b=entry.pk if pairing.b == _NEWCOMER else pairing.b,
        )
        for pairing in seating.put
    )
    _change_rounds(stage, replace(seating, put=put), now)
    after = {"name": entry.name, "since": seating.since, "was": was}
    _finish("late_entry", entry, stage, by=by, now=now, why=why, after=after)


def _change_rounds(stage: Stage, seating: Seating, now: datetime) -> None:
    """Bring the published rounds to what the seating says. The caller holds the stage and the matches it takes away."""
    rows = _rows(stage, (*seating.gone, *seating.put))
    void_matches(match_ids=[row.match_id for row in rows.values() if row.match_id is not None])
    Pairing.objects.filter(pk__in=[rows[p.round, p.number].pk for p in seating.gone]).delete()
    free_tables(pairings=rows.values())
    rounds = {round_.number: round_ for round_ in stage.rounds.filter(published_at__isnull=False)}
    hold_hall(event_id=stage.tournament.event_id)
    changed = []
    for pairing in seating.put:
        row = rows.get((pairing.round, pairing.number)) or Pairing(round=rounds[pairing.round], number=pairing.number)
        row.a_id, row.b_id, row.bye, row.match, row.why = pairing.a, pairing.b, pairing.bye, None, None
        uncall(row)
        row.began_at = None
        row.due_at = expected_times(round_=rounds[pairing.round], numbers=[row.number], after=now)[row.number]
        row.table = None
        find_tables(pairings=[row], hall=_hall(stage, rounds[pairing.round]))
        row.save()
        changed.append(row)
    open_tables(stage=stage, pairings=changed)
    settle_tables(stage=stage)
    tell_pairings(stage=stage, pairings=changed, now=now)


def _hall(stage: Stage, round_: Round) -> Hall:
    """The hall as a pairing of a round finds it that comes late. Where any number will do, it is one nobody had."""
    hall = hall_of(tournament=stage.tournament, published=round_)
    if hall.tables is not None:
        return hall
    had = round_.pairings.values_list("table", flat=True)
    return replace(hall, busy=hall.busy | {table for table in had if table is not None})


@transaction.atomic
def remove_late_entry(*, entry_id: int, by: Actor, now: datetime, why: str = "") -> Refused | None:
    """Take somebody out again who came late and has no result, as if they had never been let in.

    Whoever was on the roster before is left out again, everybody else is forgotten. Seeds behind them move up.
    Refusals: entry_unknown, not_running, not_late, entry_has_played, entry_is_paired, changed_meanwhile.
    """
    held = hold_entry(entry_id=entry_id, frozen_too=True)
    if isinstance(held, Refused):
        return held
    tournament, entry = held
    if tournament.state != State.RUNNING:
        return Refused("not_running")
    came = came_late(entry=entry)
    if came is None:
        return Refused("not_late")
    stage = current_stage(tournament=tournament)
    locked = _lock_matches(stage, _rest(stage, entry))
    stage = lock_stage(stage.pk)
    if any(pairing.result for pairing in take_snapshot(stage=stage).games[entry.pk]):
        return Refused("entry_has_played")
    seating = _rest(stage, entry)
    if seating is None:
        return Refused("entry_is_paired")
    if not _matches_of(stage, seating) <= locked:
        return Refused("changed_meanwhile")
    _change_rounds(stage, seating, now)
    was = came.after["was"]
    _close_up(entry, status=was or entry.status)
    _finish("remove_late_entry", entry, stage, by=by, now=now, why=why, before={"name": entry.name, "was": was})
    if was is None:
        entry.delete()
        drop_if_unused(entry.player)
        set_marks(tournament=tournament)
    return None


def _rest(stage: Stage, entry: Entry) -> Seating | None:
    """What is left of the published rounds without an entry; None where it cannot be taken out of them."""
    snapshot = take_snapshot(stage=stage)
    return get_format(stage.format).let_out(snapshot, entry.pk) if entry.pk in snapshot.by_id else None


def _close_up(entry: Entry, *, status: str) -> None:
    """Take the seed from an entry; those behind it move up, one after the other, so that no two ever share one."""
    gone, entry.seed, entry.since, entry.status = entry.seed, None, 1, status
    entry.save(update_fields=["seed", "since", "status"])
    for behind in Entry.objects.filter(tournament=entry.tournament_id, seed__gt=gone).order_by("seed"):
        behind.seed = (behind.seed or 0) - 1
        behind.save(update_fields=["seed"])


def _finish(
    verb: str,
    entry: Entry,
    stage: Stage,
    *,
    by: Actor,
    now: datetime,
    why: str,
    before: dict[str, Any] | None = None,
    after: dict[str, Any] | None = None,
) -> None:
    """What every change of who plays ends with: drafts of those who do, a word to the counting, a line in the log."""
    pair_drafts_again(stage, now)
    stage_changed.send(sender=Stage, stage=stage.pk, what=verb)
    record_act(
        verb=verb,
        target=f"entry/{entry.pk}",
        by=by,
        now=now,
        event=stage.tournament.event_id,
        tournament=stage.tournament_id,
        before=before,
        after=after,
        why=why,
    )
