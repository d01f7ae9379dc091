"""Rounds a player asked not to play in."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from django.db import transaction

from players.actions import record_act
from players.permissions import Actor, Refused
from tournaments.actions.roster.holding import hold_entry
from tournaments.actions.rounds import lock_stage, pair_drafts_again
from tournaments.engine.formats import get_format
from tournaments.engine.snapshot import Bye
from tournaments.models import Entry, Stage
from tournaments.models.tournament import State
from tournaments.queries.desk import current_stage
from tournaments.queries.snapshots import take_snapshot
from tournaments.signals import stage_changed

KINDS = (Bye.FULL, Bye.HALF, Bye.ZERO)
"""What somebody can ask for, by what the round is then worth: a win, a tie, a loss."""

_MOST_ROUNDS = 99  # until the start, when nobody knows how many there will be


@transaction.atomic
def set_asked_byes(
    *, entry_id: int, asked: Iterable[tuple[int, str]], by: Actor, now: datetime, why: str = ""
) -> Entry | Refused:
    """Say anew in which rounds a player does not want to play, and what each is worth: (round, kind of bye).

    What was asked for rounds that are published stays. A draft is paired again where it concerns one. Said with another
    list, it is undone. Refusals: entry_unknown, finished, no_asked_byes, bye_kind_unknown, bye_twice (round),
    bye_round (round, first, last).
    """
    held = hold_entry(entry_id=entry_id, frozen_too=True)
    if isinstance(held, Refused):
        return held
    tournament, entry = held
    if tournament.state == State.FINISHED:
        return Refused("finished")
    stage = lock_stage(current_stage(tournament=tournament).pk)
    chosen = get_format(stage.format)
    if not chosen.gives_asked_byes:
        return Refused("no_asked_byes")
    first, last = _rounds_to_come(stage)
    past = [(number, kind) for number, kind in entry.asked if number < first]
    wanted = sorted((number, str(kind)) for number, kind in asked)
    coming = [each for each in wanted if each not in past]
    for number, kind in coming:
        if kind not in KINDS:
            return Refused("bye_kind_unknown", status=400)
        if not first <= number <= last:
            return Refused("bye_round", {"round": number, "first": first, "last": last}, status=400)
    numbers = [number for number, _ in coming]
    if len(set(numbers)) < len(numbers):
        return Refused("bye_twice", {"round": max(numbers, key=numbers.count)}, status=400)
    before, entry.asked = entry.asked, [list(each) for each in (*past, *coming)]
    if before == entry.asked:
        return entry
    entry.save(update_fields=["asked"])
    pair_drafts_again(stage, now)
    stage_changed.send(sender=Stage, stage=stage.pk, what="set_asked_byes")
    record_act(
        verb="set_asked_byes",
        target=f"entry/{entry.pk}",
        by=by,
        now=now,
        event=tournament.event_id,
        tournament=tournament.pk,
        before={"asked": before},
        after={"asked": entry.asked},
        why=why,
    )
    return entry


def _rounds_to_come(stage: Stage) -> tuple[int, int]:
    """The first and the last round a bye can still be asked for; the first is the higher one when there is none."""
    if stage.tournament.is_open_roster:
        return 1, _MOST_ROUNDS
    snapshot = take_snapshot(stage=stage)
    return snapshot.last_round + 1, get_format(stage.format).rounds_at_most(snapshot)
