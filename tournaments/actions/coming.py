"""Calls to a table: players answer that they come, referees answer for them, call again and ask after the silent."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db import transaction

from players.actions import record_act
from players.permissions import Actor, Refused
from tournaments.actions.notices import tell_called, tell_reminders
from tournaments.actions.presence import hold_open
from tournaments.actions.slots import hold_match
from tournaments.live import announce, topic_of
from tournaments.models import Pairing, Slot, Stage
from tournaments.queries.coming import newly_silent, to_remind
from tournaments.signals import stage_changed

_MOMENT = timedelta(seconds=15)  # a few sweeps: one that is late still finds what came due


@transaction.atomic
def say_coming(*, entry_id: int, match_id: int, coming: bool = True, by: Actor, now: datetime) -> Pairing | Refused:
    """A player comes to the table their match is called to, or (with `coming` False) does not after all.

    A referee may say it for them. Again, it changes nothing: the first time stays.
    Refusals: no_open_match, not_running, not_called, has_begun.
    """
    held = _hold_called(match_id)
    if isinstance(held, Refused):
        return held
    if entry_id not in (held.a_id, held.b_id):
        return Refused("no_open_match")
    side = "coming_a_at" if held.a_id == entry_id else "coming_b_at"
    if coming is (getattr(held, side) is not None):
        return held
    setattr(held, side, now if coming else None)
    held.save(update_fields=[side])
    _finish("say_coming" if coming else "unsay_coming", held, f"entry/{entry_id}", by, now)
    return held


@transaction.atomic
def call_again(*, match_id: int, called_at: datetime | None = None, by: Actor, now: datetime) -> Pairing | Refused:
    """Call those who have not answered once more: their time to answer begins anew, and they are told again.

    `called_at` is the call the reader saw: pressed twice it calls once.
    Refusals: no_open_match, not_running, not_called, has_begun.
    """
    held = _hold_called(match_id)
    if isinstance(held, Refused):
        return held
    if called_at is not None and held.called_at != called_at:
        return held
    held.called_at = held.due_at = now
    held.save(update_fields=["called_at", "due_at"])
    tell_called(stage=held.round.stage, pairings=[held], now=now)
    _finish("call_again", held, f"match/{match_id}", by, now)
    return held


@transaction.atomic
def put_back(*, match_id: int, by: Actor, now: datetime) -> Slot | Refused:
    """A called match gives its table back and is not called until somebody releases it. Its players are told.

    Refusals: no_open_match, not_running, not_called, has_begun, not_planned_yet, and those of `hold_match`.
    """
    held = _hold_called(match_id)
    if isinstance(held, Refused):
        return held
    place = {"stage": held.round.stage_id, "round": held.round.number, "number": held.number}
    slot = Slot.objects.filter(**place, dropped_at=None).first()
    if slot is None:
        return Refused("not_planned_yet")
    return hold_match(slot_id=slot.pk, by=by, now=now)


def announce_silent(*, now: datetime) -> None:
    """Tell open pages where the time to answer a call ended a moment ago. Safe to run often and twice."""
    for tournament_id in newly_silent(now=now, within=_MOMENT):
        announce(topic_of(tournament_id), f"silent-{now:%H%M%S}")


@transaction.atomic
def remind(*, now: datetime) -> None:
    """Remind both players of each match that is soon to begin, once for the time it has. Safe to run often and twice.

    What is no longer so when the mail is to go out is not sent: `tournaments.queries.notices` asks again.
    """
    tell_reminders(due=to_remind(now=now), now=now)


def _hold_called(match_id: int) -> Pairing | Refused:
    """Lock a match that is called to its table and is not played yet."""
    held = hold_open(match_id)
    if isinstance(held, Refused):
        return held
    if held.called_at is None or held.table is None:
        return Refused("not_called")
    return Refused("has_begun") if held.began_at is not None else held


def _finish(verb: str, pairing: Pairing, target: str, by: Actor, now: datetime) -> None:
    tournament = pairing.round.stage.tournament
    record_act(verb=verb, target=target, by=by, now=now, event=tournament.event_id, tournament=tournament.pk)
    stage_changed.send(sender=Stage, stage=pairing.round.stage_id, what="coming")
