"""Who is at the table: players say so, referees say that a match has begun, and confirm that somebody did not come."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db import transaction

from matches.actions import WALKOVER, Report
from matches.models import Match, Submission
from players.actions import record_act
from players.permissions import Actor, Refused
from tournaments.actions.results import enter_result
from tournaments.live import announce, topic_of
from tournaments.models import Pairing, Stage
from tournaments.models.tournament import State
from tournaments.queries.presence import is_reported, newly_missing, no_shows
from tournaments.signals import stage_changed

_MOMENT = timedelta(seconds=15)  # a few sweeps: one that is late still finds what came due


@transaction.atomic
def say_here(*, entry_id: int, match_id: int, here: bool = True, by: Actor, now: datetime) -> Pairing | Refused:
    """A player says that they sit at the table of their match, or (with `here` False) that they do not after all.

    Whoever sits there has answered the call. Again, it changes nothing: the first time stays. Refusals: no_open_match,
    not_running.
    """
    held = hold_open(match_id)
    if isinstance(held, Refused):
        return held
    if entry_id not in (held.a_id, held.b_id):
        return Refused("no_open_match")
    side = "here_a_at" if held.a_id == entry_id else "here_b_at"
    if here is (getattr(held, side) is not None):
        return held
    setattr(held, side, now if here else None)
    answer = side.replace("here", "coming")
    if here and held.called_at is not None and getattr(held, answer) is None:
        setattr(held, answer, now)
    held.save(update_fields=[side, answer])
    _finish("say_here" if here else "unsay_here", held, f"entry/{entry_id}", by, now)
    return held


@transaction.atomic
def say_begun(*, match_id: int, begun: bool = True, by: Actor, now: datetime) -> Pairing | Refused:
    """A referee says that the two play, or (with `begun` False) that they do not yet.

    Again, it changes nothing: the first time stays. Refusals: no_open_match, not_running.
    """
    held = hold_open(match_id)
    if isinstance(held, Refused) or begun is (held.began_at is not None):
        return held
    held.began_at = now if begun else None
    held.save(update_fields=["began_at"])
    _finish("say_begun" if begun else "unsay_begun", held, f"match/{match_id}", by, now)
    return held


@transaction.atomic
def confirm_no_show(*, match_id: int, expected_version: int, by: Actor, now: datetime) -> Submission | Refused:
    """A referee says that whoever is proposed as missing did not come: the other one wins by a walkover.

    What is proposed is worked out again under the lock of the match: nothing happens where the match was moved, has
    begun, was reported, or the missing player has come. Twice is once, and the result is taken back like any other.
    Refusals: no_open_match, not_running, no_show_gone, and those of `enter_result`.
    """
    key = f"no-show:{match_id}:{expected_version}"
    if earlier := Submission.objects.filter(key=key, match=match_id).first():
        return earlier
    held = hold_open(match_id)
    if isinstance(held, Refused):
        return Submission.objects.filter(key=key, match=match_id).first() or held  # pressed twice at once
    reported = {match_id} if is_reported(match_id=match_id) else set()
    proposal = no_shows(pairings=[held], reported=reported, now=now).get(match_id)
    if proposal is None:
        return Refused("no_show_gone")
    report = Report(kind=WALKOVER, winner=proposal.seat)
    return enter_result(match_id=match_id, report=report, by=by, key=key, expected_version=expected_version, now=now)


def announce_missing(*, now: datetime) -> None:
    """Tell open pages where the time to wait for a player ended a moment ago. Safe to run often and twice."""
    for tournament_id in newly_missing(now=now, within=_MOMENT):
        announce(topic_of(tournament_id), f"missing-{now:%H%M%S}")


def hold_open(match_id: int) -> Pairing | Refused:
    """Lock a match that waits to be played and read its pairing after that. Refusals: no_open_match, not_running."""
    match = Match.objects.select_for_update().filter(pk=match_id).first()
    pairing = (
        Pairing.objects.select_related("a", "b", "match", "round__stage__tournament").filter(match=match_id).first()
    )
    if match is None or pairing is None or not match.is_open:
        return Refused("no_open_match")
    if pairing.round.stage.tournament.state != State.RUNNING:
        return Refused("not_running")
    return pairing


def _finish(verb: str, pairing: Pairing, target: str, by: Actor, now: datetime) -> None:
    tournament = pairing.round.stage.tournament
    record_act(verb=verb, target=target, by=by, now=now, event=tournament.event_id, tournament=tournament.pk)
    stage_changed.send(sender=Stage, stage=pairing.round.stage_id, what="presence")
