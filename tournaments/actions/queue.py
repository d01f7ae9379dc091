"""Calling matches to tables: the next that can be played to the next table that is free, as the planner says."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime

from django.db import transaction

from matches.models import Match
from players.actions import record_act
from players.permissions import SYSTEM
from tournaments.actions.notices import tell_called
from tournaments.actions.tables import hold_hall
from tournaments.engine import scheduling
from tournaments.models import Pairing, Stage, TableUse
from tournaments.queries.hall import open_in, waiting_halls
from tournaments.queries.plan_facts import plan_facts
from tournaments.signals import stage_changed


def call_matches(*, event_id: int, now: datetime) -> list[int]:
    """Call to every free table of the hall the match that is next there; the ids of the matches that were called.

    Called are matches that wait for a table: all of a tournament with a queue, and those of a round for which there was
    no table. What to call is worked out before anything is locked and once more after it: a match is called if it is
    next both times. So two at once call nothing twice, and whoever sees nothing to do locks nothing.
    """
    wanted = _next(event_id, now)
    if not wanted:
        return []
    with transaction.atomic():
        list(Match.objects.select_for_update(of=("self",)).filter(pairing__in=list(wanted)).order_by("pk"))
        stages = Pairing.objects.filter(pk__in=list(wanted)).values_list("round__stage", flat=True)
        list(Stage.objects.select_for_update(no_key=True).filter(pk__in=sorted(set(stages))).order_by("pk"))
        hold_hall(event_id=event_id)
        found = _next(event_id, now)
        rows = open_in(event_id=event_id).select_related("round__stage__tournament", "match")
        called = list(rows.filter(pk__in=[pk for pk in found if pk in wanted]).order_by("pk"))
        _call(called, found, event_id, now)
    return [pairing.match_id for pairing in called if pairing.match_id is not None]


def _next(event_id: int, now: datetime) -> dict[int, int]:
    """The pairings to be called now, and the table of each."""
    if event_id not in waiting_halls():
        return {}
    facts = plan_facts(event_id=event_id, now=now)
    found = scheduling.calls(matches=facts.for_calls(), hall=facts.hall, now=facts.now)
    called = {facts.pairings[call.match]: int(call.table) for call in found}
    without = Pairing.objects.filter(pk__in=list(called), table=None).values_list("pk", flat=True)
    return {pk: called[pk] for pk in without}


def _call(pairings: Iterable[Pairing], tables: dict[int, int], event_id: int, now: datetime) -> None:
    by_stage: defaultdict[int, list[Pairing]] = defaultdict(list)
    for pairing in pairings:
        pairing.table, pairing.called_at, pairing.due_at = tables[pairing.pk], now, now
        pairing.coming_a_at = pairing.coming_b_at = None
        by_stage[pairing.round.stage_id].append(pairing)
    rows = [pairing for each in by_stage.values() for pairing in each]
    Pairing.objects.bulk_update(rows, ["table", "called_at", "due_at", "coming_a_at", "coming_b_at"])
    TableUse.objects.bulk_create(
        TableUse(event_id=event_id, number=tables[pairing.pk], pairing=pairing) for pairing in rows
    )
    for stage, called in by_stage.items():
        tournament = called[0].round.stage.tournament
        tell_called(stage=called[0].round.stage, pairings=called, now=now)
        stage_changed.send(sender=Stage, stage=stage, what="called")
        for pairing in called:
            record_act(
                verb="call_match",
                target=f"match/{pairing.match_id}",
                by=replace(SYSTEM, event=event_id, tournament=tournament.pk),
                now=now,
                event=event_id,
                tournament=tournament.pk,
                after={"table": pairing.table},
            )
