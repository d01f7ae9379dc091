"""Extra matches between players who are level in everything: they decide before the lot does."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction

from matches.actions import void_matches
from matches.models import Match
from players.actions import record_act
from players.permissions import Actor, Refused
from tournaments.actions.notices import tell_pairings
from tournaments.actions.rounds import drafts_of, lock_stage
from tournaments.actions.standings import open_tables
from tournaments.actions.tables import hold_hall, settle_tables
from tournaments.engine.formats import get_format
from tournaments.engine.standings import shared_places
from tournaments.models import Pairing, Round, Stage
from tournaments.models.tournament import State
from tournaments.queries.hall import find_tables, hall_of
from tournaments.queries.snapshots import take_snapshot
from tournaments.signals import stage_changed


@transaction.atomic
def start_play_off(*, stage_id: int, a: int, b: int, by: Actor, now: datetime, why: str = "") -> Pairing | Refused:
    """Let two entries that share a place meet once more. Asked for twice while it is open, it is the same match.

    The match is like any other, but somebody has to win it, and it counts for nothing but their order.
    Refusals: not_running, rounds_left, drafts_left, no_shared_place.
    """
    stage = lock_stage(stage_id)
    if stage.tournament.state != State.RUNNING:
        return Refused("not_running")
    chosen, snapshot = get_format(stage.format), take_snapshot(stage=stage)
    if drafts_of(stage):
        return Refused("drafts_left")
    if not snapshot.pairings or not chosen.is_over(snapshot):
        return Refused("rounds_left")
    extra = Pairing.objects.filter(round__stage=stage, round__is_play_off=True)
    there = next((p for p in extra.filter(match__kind="") if {p.a_id, p.b_id} == {a, b}), None)
    if there is not None:
        return there
    shared = shared_places(snapshot, stage.format, tuple(stage.tiebreaks))
    if a == b or not any({a, b} <= set(entries) for _, entries in shared):
        return Refused("no_shared_place")
    hold_hall(event_id=stage.tournament.event_id)
    hall = hall_of(tournament=stage.tournament)
    round_ = _round_for(stage, a, b, first=chosen.rounds_at_most(snapshot) + 1, now=now)
    pairing = Pairing(round=round_, number=round_.pairings.count() + 1, a_id=a, b_id=b)
    find_tables(pairings=[pairing], hall=hall)
    pairing.save()
    open_tables(stage=stage, pairings=[pairing], ties=False)
    settle_tables(stage=stage)
    tell_pairings(stage=stage, pairings=[pairing], now=now)
    _finish("start_play_off", stage, pairing, by=by, now=now, why=why)
    return pairing


def _round_for(stage: Stage, a: int, b: int, *, first: int, now: datetime) -> Round:
    """The last round of extra matches if neither of the two is in it, else a new one, behind all other rounds."""
    last = stage.rounds.order_by("-number").first()
    if last is not None and last.is_play_off:
        sides = {side for pair in last.pairings.values_list("a", "b") for side in pair}
        if not {a, b} & sides:
            return last
    number = max(first, 1 + (last.number if last is not None else 0))
    return Round.objects.create(stage=stage, number=number, made_at=now, published_at=now, is_play_off=True)


@transaction.atomic
def drop_play_off(*, match_id: int, by: Actor, now: datetime, why: str = "") -> Refused | None:
    """Take an extra match back that has no result: it is closed for good, and the place is shared as before.

    Refusals: match_unknown, not_running, not_a_play_off, play_off_played.
    """
    match = Match.objects.select_for_update().filter(pk=match_id).first()
    pairing = Pairing.objects.select_related("round").filter(match=match_id).first()
    if match is None or pairing is None:
        return Refused("match_unknown", {"match": match_id}, status=404)
    stage = lock_stage(pairing.round.stage_id)
    if stage.tournament.state != State.RUNNING:
        return Refused("not_running")
    if not pairing.round.is_play_off:
        return Refused("not_a_play_off")
    if match.kind:
        return Refused("play_off_played")
    void_matches(match_ids=[match.pk])
    _finish("drop_play_off", stage, pairing, by=by, now=now, why=why)
    pairing.delete()
    if not pairing.round.pairings.exists():
        pairing.round.delete()
    return None


def _finish(verb: str, stage: Stage, pairing: Pairing, *, by: Actor, now: datetime, why: str) -> None:
    stage_changed.send(sender=Stage, stage=stage.pk, what=verb)
    record_act(
        verb=verb,
        target=f"match/{pairing.match_id}",
        by=by,
        now=now,
        event=stage.tournament.event_id,
        tournament=stage.tournament_id,
        after={"a": pairing.a_id, "b": pairing.b_id},
        why=why,
    )
