"""The course of a tournament: start, draft, look and change, publish, take back, finish."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from datetime import datetime

from django.db import transaction
from django.db.models import F

from matches.actions import void_matches
from matches.models import Match
from players.actions import record_act
from players.permissions import Actor, Refused
from tournaments.actions.notices import tell_pairings
from tournaments.actions.roster.holding import hold
from tournaments.actions.standings import note_row, open_tables, store_pairings
from tournaments.actions.tables import ANSWERS, free_tables, hold_hall, settle_tables
from tournaments.engine import pairing as engine_pairing
from tournaments.engine import snapshot as engine
from tournaments.engine.formats import get_format
from tournaments.engine.snapshot import Bye, EntryStatus
from tournaments.models import Entry, Pairing, Round, RoundClock, Stage, Tournament
from tournaments.models.tournament import Seeding, State
from tournaments.queries.hall import find_tables, hall_of
from tournaments.queries.round_times import expected_times
from tournaments.queries.snapshots import take_snapshot
from tournaments.signals import stage_changed


def _lot(seed: str, key: str) -> str:
    """The lot an entry draws: the same for the same seed, whatever the order they come in."""
    return hashlib.sha256(f"{seed}|{key}".encode()).hexdigest()


def seeding_order(*, entries: Iterable[Entry], seeding: str, seed: str) -> list[Entry]:
    """Entries from the best seed down: by lot, by rating (unrated last) or by hand (unplaced last); lots break ties."""
    lots = {entry.pk: _lot(seed, entry.key) for entry in entries}
    if seeding == Seeding.RATING:
        return sorted(entries, key=lambda e: (e.rating is None, -(e.rating or 0), lots[e.pk]))
    if seeding == Seeding.HAND:
        return sorted(entries, key=lambda e: (e.hand_seed is None, e.hand_seed or 0, lots[e.pk]))
    return sorted(entries, key=lambda e: lots[e.pk])


@transaction.atomic
def start_tournament(
    *, tournament_id: int, by: Actor, now: datetime, leaving_out: Sequence[int] | None = None
) -> Tournament | Refused:
    """Freeze the roster, seed everybody who is checked in, and draft the first round: one locked step.

    `leaving_out` are the entries the organiser was told would be left out; when others are missing by now nothing
    happens and they are told again. Starting twice starts once.
    Refusals: tournament_unknown, too_few_players, roster_changed (entries), finished.
    """
    tournament = hold(tournament_id=tournament_id, frozen_too=True)
    if isinstance(tournament, Refused):
        return tournament
    if tournament.state == State.RUNNING:
        return tournament
    if tournament.state == State.FINISHED:
        return Refused("finished")
    entries = list(tournament.entries.filter(status=EntryStatus.ACTIVE))
    here = [entry for entry in entries if entry.checked_in_at is not None]
    missing = sorted(entry.pk for entry in entries if entry.checked_in_at is None)
    stage = tournament.stages.select_for_update(no_key=True).get(number=1)
    least = get_format(stage.format).least_entries
    if len(here) < least:
        return Refused("too_few_players", {"least": least, "here": len(here)})
    if leaving_out is not None and sorted(leaving_out) != missing:
        return Refused("roster_changed", {"entries": missing})
    order = seeding_order(entries=here, seeding=tournament.seeding, seed=tournament.seed)
    for place, entry in enumerate(order, start=1):
        entry.seed = place
    Entry.objects.bulk_update(order, ["seed"])
    tournament.state, tournament.started_at = State.RUNNING, now
    tournament.save(update_fields=["state", "started_at"])
    _draft(stage, now)
    stage_changed.send(sender=Stage, stage=stage.pk, what="started")
    record_act(
        verb="start_tournament",
        target=f"tournament/{tournament.pk}",
        by=by,
        now=now,
        event=tournament.event_id,
        tournament=tournament.pk,
        after={"entries": [entry.pk for entry in order], "left_out": missing},
    )
    return tournament


def lock_stage(stage_id: int) -> Stage:
    """The stage, held for the rest of the transaction."""
    # Its tournament is read when it is asked for, and not together with the lock: what was read before the lock was
    # ours may be what somebody else is just changing.
    return Stage.objects.select_for_update(no_key=True).get(pk=stage_id)


def drafts_of(stage: Stage) -> list[Round]:
    """The rounds of a stage that are drafts, in order."""
    return list(stage.rounds.filter(published_at__isnull=True).order_by("number"))


def _draft(stage: Stage, now: datetime) -> list[Round]:
    """Store as drafts what the format pairs next and a person publishes. The caller holds the stage."""
    chosen = get_format(stage.format)
    planned = [plan for plan in chosen.pair(take_snapshot(stage=stage)) if chosen.needs_draft(plan.number)]
    rounds = []
    for plan in planned:
        round_ = Round.objects.create(
            stage=stage,
            number=plan.number,
            made_at=now,
            made_from=stage.version,
            notes=[note_row(note) for note in plan.notes],
        )
        store_pairings(round_=round_, plan=plan, hall=hall_of(tournament=stage.tournament))
        rounds.append(round_)
    return rounds


def pair_drafts_again(stage: Stage, now: datetime) -> None:
    """Make the drafts anew, where there are any: who is to be paired has changed. The caller holds the stage."""
    if drafts_of(stage):
        stage.rounds.filter(published_at__isnull=True).delete()
        _draft(stage, now)


def _log(verb: str, stage: Stage, by: Actor, now: datetime, target: str = "", **facts: object) -> None:
    record_act(
        verb=verb,
        target=target or f"stage/{stage.pk}",
        by=by,
        now=now,
        event=stage.tournament.event_id,
        tournament=stage.tournament_id,
        after=facts,
    )


@transaction.atomic
def draft_rounds(*, stage_id: int, by: Actor, now: datetime) -> list[Round] | Refused:
    """Pair what can be paired next, as a draft. When there is a draft already, that one: pressing twice pairs once.

    Refusals: not_running, open_matches (matches), nothing_to_pair.
    """
    stage = lock_stage(stage_id)
    if stage.tournament.state != State.RUNNING:
        return Refused("not_running")
    if drafts := drafts_of(stage):
        return drafts
    open_ids = list(
        Pairing.objects.filter(round__stage=stage, match__kind="", match__is_void=False)
        .order_by(F("table").asc(nulls_last=True), "pk")
        .values_list("match", flat=True)
    )
    if open_ids:
        return Refused("open_matches", {"matches": open_ids})
    drafts = _draft(stage, now)
    if not drafts:
        return Refused("nothing_to_pair")
    _log("draft_rounds", stage, by, now, rounds=[round_.number for round_ in drafts])
    return drafts


@transaction.atomic
def drop_drafts(*, stage_id: int, by: Actor, now: datetime) -> list[int] | Refused:
    """Throw the drafts away and pair again. Refusals: nothing_to_drop, not_running."""
    stage = lock_stage(stage_id)
    if stage.tournament.state != State.RUNNING:
        return Refused("not_running")
    numbers = [round_.number for round_ in drafts_of(stage)]
    if not numbers:
        return Refused("nothing_to_drop")
    pair_drafts_again(stage, now)
    _log("pair_again", stage, by, now, rounds=numbers)
    return numbers


def _planned(pairing: Pairing) -> engine.Pairing:
    return engine.Pairing(round=pairing.round.number, number=pairing.number, a=pairing.a_id, b=pairing.b_id)


def drafted(*, round_: Round) -> tuple[engine.Pairing, ...]:
    """The pairings of a draft as the engine judges them."""
    return tuple(_planned(pairing) for pairing in round_.pairings.select_related("round").order_by("number"))


@transaction.atomic
def swap_in_draft(*, round_id: int, entry: int, with_entry: int, by: Actor, now: datetime) -> Round | Refused:
    """Let two players of a draft change places; one of them may have the bye. The pairings are then marked as by hand.

    Refusals: already_published, not_in_round (entry), same_pairing.
    """
    round_ = Round.objects.filter(pk=round_id).first()
    if round_ is None:
        return Refused("round_unknown", status=404)
    stage = lock_stage(round_.stage_id)
    round_ = Round.objects.filter(pk=round_id).first()  # as it is now that nobody else changes it
    if round_ is None:
        return Refused("round_unknown", status=404)
    if not round_.is_draft:
        return Refused("already_published", {"round": round_.number})
    rows = list(round_.pairings.select_related("a", "b").order_by("number"))
    sides = {side: row for row in rows for side in (row.a_id, row.b_id) if side is not None}
    for side in (entry, with_entry):
        if side not in sides:
            return Refused("not_in_round", {"entry": side}, status=400)
    if sides[entry].pk == sides[with_entry].pk:
        return Refused("same_pairing", status=400)
    other = {entry: with_entry, with_entry: entry}
    asked = {side.pk: dict(side.asked).get(round_.number, Bye.GIVEN) for row in rows for side in (row.a, row.b) if side}
    changed = {sides[entry].pk, sides[with_entry].pk}
    plan = [
        (
            row.number,
            other.get(row.a_id, row.a_id),
            None if row.b_id is None else other.get(row.b_id, row.b_id),
            asked[other.get(row.a_id, row.a_id)],
            row.table,
            row.by_hand or row.pk in changed,
            None if row.pk in changed else row.why,
        )
        for row in rows
    ]
    round_.pairings.all().delete()  # rewritten as a whole: no half-swapped round can break a constraint
    Pairing.objects.bulk_create(
        Pairing(
            round=round_,
            number=number,
            a_id=a,
            b_id=b,
            bye=Bye.GIVEN if b is not None else bye,
            table=table,
            by_hand=by_hand,
            why=why,
        )
        for number, a, b, bye, table, by_hand, why in plan
    )
    _log("change_draft", stage, by, now, target=f"round/{round_.pk}", swapped=[entry, with_entry])
    return round_


@transaction.atomic
def publish_rounds(*, stage_id: int, by: Actor, now: datetime, accept_warnings: bool = False) -> list[Round] | Refused:
    """Show the drafts to everybody and open their matches at the tables that are free now. Twice publishes once.

    Where it is said when a round or a match of it begins, and that is still to come, its players are expected then.
    Refusals: nothing_to_publish, draft_broken (notes), draft_has_warnings (notes) unless they are accepted.
    """
    stage = lock_stage(stage_id)
    if stage.tournament.state != State.RUNNING:
        return Refused("not_running")
    drafts = drafts_of(stage)
    if not drafts:
        return Refused("nothing_to_publish")
    chosen, snapshot = get_format(stage.format), take_snapshot(stage=stage)
    errors: list[object] = []
    warnings: list[object] = []
    for round_ in drafts:
        for note in chosen.judge(snapshot, round_.number, drafted(round_=round_)):
            (errors if engine_pairing.is_error(note) else warnings).append(note_row(note))
    if errors:
        return Refused("draft_broken", {"notes": errors})
    if warnings and not accept_warnings:
        return Refused("draft_has_warnings", {"notes": warnings})
    hold_hall(event_id=stage.tournament.event_id)
    hall = hall_of(tournament=stage.tournament)  # the same for all: rounds that come out at once take turns
    for round_ in drafts:
        round_.published_at = now
        round_.save(update_fields=["published_at"])
        pairings = list(round_.pairings.order_by("number"))
        find_tables(pairings=pairings, hall=hall)
        due = expected_times(round_=round_, numbers=[pairing.number for pairing in pairings], after=now)
        for pairing in pairings:
            pairing.due_at = due[pairing.number]
        Pairing.objects.bulk_update(pairings, ["table", "due_at"])
        open_tables(stage=stage, pairings=pairings)
        if round_ is drafts[0]:  # whoever gets all rounds at once is told of the first: the rest is on their page
            tell_pairings(stage=stage, pairings=pairings, now=now)
    settle_tables(stage=stage)
    stage_changed.send(sender=Stage, stage=stage.pk, what="published")
    _log("publish_rounds", stage, by, now, rounds=[round_.number for round_ in drafts], accepted=warnings)
    return drafts


def _last_published(stage_id: int) -> Round | None:
    played = Round.objects.filter(stage=stage_id, published_at__isnull=False, is_play_off=False)
    return played.order_by("-number").first()


def _matches_of(round_: Round | None) -> list[int]:
    if round_ is None:
        return []
    return list(Match.objects.filter(pairing__round=round_).order_by("pk").values_list("pk", flat=True))


@transaction.atomic
def take_back_round(*, stage_id: int, by: Actor, now: datetime, why: str = "") -> Round | Refused:
    """Make the last published round a draft again. Only while it has no result; its matches are closed for good.

    Refusals: nothing_published, round_has_results, not_running, follows_by_itself, changed_meanwhile.
    """
    # Matches before the stage, as when a result is corrected: no result comes in while we look whether there is one.
    held = _matches_of(_last_published(stage_id))
    list(Match.objects.select_for_update().filter(pk__in=held).order_by("pk"))
    stage = lock_stage(stage_id)
    if stage.tournament.state != State.RUNNING:
        return Refused("not_running")
    round_ = _last_published(stage_id)
    if round_ is None:
        return Refused("nothing_published")
    if not get_format(stage.format).needs_draft(round_.number):
        return Refused("follows_by_itself")
    if _matches_of(round_) != held:
        return Refused("changed_meanwhile")
    if Match.objects.filter(pk__in=held).exclude(kind="").exists():
        return Refused("round_has_results", {"round": round_.number})
    void_matches(match_ids=held)
    round_.published_at = None
    round_.save(update_fields=["published_at"])  # the round before its pairings, as whoever runs its clock does
    RoundClock.objects.filter(round=round_).delete()
    free_tables(pairings=round_.pairings.all())
    nothing = dict.fromkeys((*ANSWERS, "began_at", "due_at"))  # whoever plays anew is called anew
    round_.pairings.update(match=None, extra_seconds=0, **nothing)
    stage.rounds.filter(published_at__isnull=True).exclude(pk=round_.pk).delete()
    stage_changed.send(sender=Stage, stage=stage.pk, what="taken_back")
    record_act(
        verb="take_back_round",
        target=f"round/{round_.pk}",
        by=by,
        now=now,
        event=stage.tournament.event_id,
        tournament=stage.tournament_id,
        before={"round": round_.number},
        why=why,
    )
    return round_


@transaction.atomic
def withdraw_entry(*, entry_id: int, by: Actor, now: datetime, why: str = "") -> Entry | Refused:
    """A player leaves: not paired again, keeps results and place. An open match stays for the referee to decide.

    A draft that has them is paired anew. Refusals: entry_unknown, not_running, already_withdrawn.
    """
    held = _hold_player(entry_id)
    if isinstance(held, Refused):
        return held
    entry, stage = held
    if entry.status != EntryStatus.ACTIVE:
        return Refused("already_withdrawn")
    return _set_status(entry, stage, EntryStatus.WITHDRAWN, "withdraw_entry", by=by, now=now, why=why)


@transaction.atomic
def return_entry(*, entry_id: int, by: Actor, now: datetime, why: str = "") -> Entry | Refused:
    """A player who had left is paired again from the next round on.

    Refusals: entry_unknown, not_running, not_withdrawn.
    """
    held = _hold_player(entry_id)
    if isinstance(held, Refused):
        return held
    entry, stage = held
    if entry.status != EntryStatus.WITHDRAWN:
        return Refused("not_withdrawn")
    return _set_status(entry, stage, EntryStatus.ACTIVE, "return_entry", by=by, now=now, why=why)


@transaction.atomic
def disqualify_entry(*, entry_id: int, by: Actor, now: datetime, why: str = "") -> Entry | Refused:
    """A player is expelled: in no place and not paired again. What they played stands, for their opponents too.

    An open match stays for the referee to decide. A draft that has them is paired anew.
    Refusals: entry_unknown, not_running, already_disqualified.
    """
    held = _hold_player(entry_id)
    if isinstance(held, Refused):
        return held
    entry, stage = held
    if entry.status == EntryStatus.DISQUALIFIED:
        return Refused("already_disqualified")
    return _set_status(entry, stage, EntryStatus.DISQUALIFIED, "disqualify_entry", by=by, now=now, why=why)


@transaction.atomic
def reinstate_entry(*, entry_id: int, by: Actor, now: datetime, why: str = "") -> Entry | Refused:
    """A disqualification is taken back: the player has their place again and is paired from the next round on.

    Refusals: entry_unknown, not_running, not_disqualified.
    """
    held = _hold_player(entry_id)
    if isinstance(held, Refused):
        return held
    entry, stage = held
    if entry.status != EntryStatus.DISQUALIFIED:
        return Refused("not_disqualified")
    return _set_status(entry, stage, EntryStatus.ACTIVE, "reinstate_entry", by=by, now=now, why=why)


def _hold_player(entry_id: int) -> tuple[Entry, Stage] | Refused:
    """Lock the stage somebody plays in, then their entry."""
    found = Stage.objects.filter(tournament__entries=entry_id).order_by("-number").first()
    if found is None:
        return Refused("entry_unknown", {"entry": entry_id}, status=404)
    stage = lock_stage(found.pk)
    entry = Entry.objects.select_for_update().get(pk=entry_id)
    if stage.tournament.state != State.RUNNING or entry.seed is None:
        return Refused("not_running")
    return entry, stage


def _set_status(
    entry: Entry, stage: Stage, status: EntryStatus, verb: str, *, by: Actor, now: datetime, why: str
) -> Entry:
    before = entry.status
    entry.status = status
    entry.save(update_fields=["status"])
    pair_drafts_again(stage, now)
    stage_changed.send(sender=Stage, stage=stage.pk, what=verb)
    record_act(
        verb=verb,
        target=f"entry/{entry.pk}",
        by=by,
        now=now,
        event=stage.tournament.event_id,
        tournament=stage.tournament_id,
        before={"status": before},
        after={"status": status},
        why=why,
    )
    return entry


@transaction.atomic
def finish_tournament(*, tournament_id: int, by: Actor, now: datetime, early: bool = False) -> Tournament | Refused:
    """Close a tournament whose stage is over; the last standings are final. Finishing twice finishes once.

    With `early` an organiser ends it before all planned rounds are made, never with an open match or a draft.
    Refusals: tournament_unknown, not_running, open_matches (matches), rounds_left, drafts_left.
    """
    tournament = hold(tournament_id=tournament_id, frozen_too=True)
    if isinstance(tournament, Refused):
        return tournament
    if tournament.state == State.FINISHED:
        return tournament
    if tournament.state != State.RUNNING:
        return Refused("not_running")
    stage = tournament.stages.select_for_update(no_key=True).order_by("-number")[0]
    snapshot = take_snapshot(stage=stage)
    waiting = [*snapshot.open_pairings(), *(pairing for pairing in snapshot.play_offs if pairing.is_open)]
    if waiting:
        return Refused("open_matches", {"count": len(waiting)})
    if drafts_of(stage):
        return Refused("drafts_left")
    if not snapshot.pairings or not (early or get_format(stage.format).is_over(snapshot)):
        return Refused("rounds_left")
    tournament.state, tournament.finished_at = State.FINISHED, now
    tournament.save(update_fields=["state", "finished_at"])
    stage_changed.send(sender=Stage, stage=stage.pk, what="finished")
    _log("finish_tournament", stage, by, now, target=f"tournament/{tournament.pk}", early=early)
    return tournament


@transaction.atomic
def reopen_tournament(*, tournament_id: int, by: Actor, now: datetime, why: str = "") -> Tournament | Refused:
    """Take the finish back, to correct something. Refusals: tournament_unknown, not_finished."""
    tournament = hold(tournament_id=tournament_id, frozen_too=True)
    if isinstance(tournament, Refused):
        return tournament
    if tournament.state != State.FINISHED:
        return Refused("not_finished")
    tournament.state, tournament.finished_at = State.RUNNING, None
    tournament.save(update_fields=["state", "finished_at"])
    for stage in tournament.stages.all():
        stage_changed.send(sender=Stage, stage=stage.pk, what="reopened")
    record_act(
        verb="reopen_tournament",
        target=f"tournament/{tournament.pk}",
        by=by,
        now=now,
        event=tournament.event_id,
        tournament=tournament.pk,
        why=why,
    )
    return tournament
