"""Players' own reports in a tournament: taken where it allows them, answered, and settled when nobody answers."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import Count, Q

from matches import actions as match_actions
from matches.actions import SCORE, TIME, Report
from matches.models import Match, Submission, Way
from players.permissions import SYSTEM, Actor, Refused
from tournaments.actions.notices import tell_player
from tournaments.actions.results import time_refused
from tournaments.models import Entry, Notice, Pairing, Stage, Tournament
from tournaments.models.tournament import State
from tournaments.queries.games import way_of
from tournaments.queries.reports import counts_unanswered, due_at, is_own_closed_match, own_pairing, seat_of
from tournaments.signals import stage_changed


def report_own(
    *, entry_id: int, match_id: int, report: Report, by: Actor, key: str, expected_version: int, now: datetime
) -> Submission | Refused:
    """A player says how their own match ended. It counts once the other one, or staff, say the same.

    Refusals: those of `matches.actions.report_result` and of `time_refused`, match_unknown (404), not_running,
    reports_closed.
    """
    with transaction.atomic():
        own = _own(entry_id, match_id)
        if isinstance(own, Refused):
            return own
        entry, pairing, tournament = own
        if not tournament.players_report or way_of(pairing) == Way.HERE:
            return Refused("reports_closed")
        if not Submission.objects.filter(key=key).exists():
            refused = time_refused(pairing=pairing, report=report, now=now)
            if refused is not None:
                return refused
        outcome = match_actions.report_result(
            match_id=match_id,
            report=report,
            seat=seat_of(entry=entry, pairing=pairing),
            by=by,
            key=key,
            expected_version=expected_version,
            now=now,
        )
        if isinstance(outcome, Submission) and outcome.is_waiting:
            _ask_the_other(pairing, outcome, now)
        return outcome


def agree_own(*, entry_id: int, submission_id: int, by: Actor, now: datetime) -> Submission | Refused:
    """A player agrees with what was reported of their own match.

    Refusals: those of `matches.actions.confirm_report`, not_running, reports_closed.
    """
    with transaction.atomic():
        own = _own_report(entry_id, submission_id)
        if isinstance(own, Refused):
            return own
        entry, pairing, tournament = own
        if not (tournament.players_report or tournament.second_confirms):
            return Refused("reports_closed")
        seat = seat_of(entry=entry, pairing=pairing)
        return match_actions.confirm_report(submission_id=submission_id, by=by, seat=seat, now=now)


def take_back_own(*, entry_id: int, submission_id: int, by: Actor, now: datetime) -> Submission | Refused:
    """A player takes their own waiting report back. Refusals: those of `matches.actions.take_back_report`."""
    with transaction.atomic():
        own = _own_report(entry_id, submission_id)
        if isinstance(own, Refused):
            return own
        entry, pairing, _tournament = own
        seat = seat_of(entry=entry, pairing=pairing)
        return match_actions.take_back_report(submission_id=submission_id, by=by, seat=seat, now=now)


def _own(entry_id: int, match_id: int) -> tuple[Entry, Pairing, Tournament] | Refused:
    """The player, their pairing and its tournament; the match is theirs and is being played."""
    entry = Entry.objects.filter(pk=entry_id).first()
    pairing = own_pairing(entry=entry, match_id=match_id) if entry is not None else None
    if entry is not None and pairing is None and is_own_closed_match(entry=entry, match_id=match_id):
        return Refused("match_void", {"match": match_id})
    if entry is None or pairing is None:
        return Refused("match_unknown", {"match": match_id}, status=404)
    tournament = pairing.round.stage.tournament
    return (entry, pairing, tournament) if tournament.state == State.RUNNING else Refused("not_running")


def _own_report(entry_id: int, submission_id: int) -> tuple[Entry, Pairing, Tournament] | Refused:
    match_id = Submission.objects.filter(pk=submission_id).values_list("match_id", flat=True).first()
    return Refused("report_unknown", status=404) if match_id is None else _own(entry_id, match_id)


def _ask_the_other(pairing: Pairing, submission: Submission, now: datetime) -> None:
    """Tell the opponent what was said; where they said something else, that the referee decides."""
    mine, other = (pairing.a_id, pairing.b_id) if submission.seat == "a" else (pairing.b_id, pairing.a_id)
    if other is None:
        return
    waits_too = Submission.objects.filter(match=submission.match_id, is_waiting=True, seat__in="ab")
    told: dict[str, Any] = {"match": submission.match_id, "opponent": mine}
    key = f"report/{submission.pk}"
    if waits_too.exclude(pk=submission.pk).exists():
        tell_player(entry_id=other, kind="report_disputed", key=key, now=now, **told)
        return
    if submission.kind in (SCORE, TIME):
        sets = [submission.sets_a, submission.sets_b]
        told["sets"] = sets if submission.seat == "b" else sets[::-1]
        if submission.kind == TIME:
            told["ended"] = TIME
    until = due_at(submission, pairing.round.stage.tournament).isoformat()
    tell_player(entry_id=other, kind="report_waiting", key=key, now=now, until=until, **told)


# --- Nobody answered.


def unanswered(*, now: datetime) -> list[int]:
    """Players' reports whose time to be answered is over and of which nothing came yet."""
    waiting = (
        Submission.objects.filter(
            is_waiting=True,
            seat__in="ab",
            match__kind="",
            match__is_void=False,
            match__pairing__round__stage__tournament__state=State.RUNNING,
        )
        .annotate(beside=Count("match__submissions", filter=Q(match__submissions__is_waiting=True)))
        .select_related("match__pairing__round__stage__tournament")
    )
    alone = [each for each in waiting if each.beside == 1]
    due = [each for each in alone if due_at(each, each.match.pairing.round.stage.tournament) <= now]
    told = set(Notice.objects.filter(key__in=[_key(each.pk) for each in due]).values_list("key", flat=True))
    return sorted(each.pk for each in due if _key(each.pk) not in told)


def _key(submission_id: int) -> str:
    return f"report/{submission_id}/unanswered"


def settle_unanswered(*, submission_id: int, now: datetime) -> None:
    """Let a report that nobody answered in time count, or put it before the referee, as the tournament has it.

    Never by time alone where a second person has to confirm, or where reports differ. Reads everything again under the
    lock of the match; safe to run twice, late, or side by side.
    """
    match_id = Submission.objects.filter(pk=submission_id).values_list("match_id", flat=True).first()
    if match_id is None:
        return
    with transaction.atomic():
        Match.objects.select_for_update().filter(pk=match_id).first()
        submission = Submission.objects.filter(pk=submission_id, is_waiting=True, seat__in="ab").first()
        pairing = Pairing.objects.select_related("round__stage__tournament").filter(match=match_id).first()
        if submission is None or pairing is None:
            return
        tournament = pairing.round.stage.tournament
        if tournament.state != State.RUNNING or due_at(submission, tournament) > now:
            return
        if Submission.objects.filter(match=match_id, is_waiting=True).count() > 1:
            return
        if counts_unanswered(tournament):
            system = replace(SYSTEM, event=tournament.event_id, tournament=tournament.pk)
            match_actions.confirm_report(submission_id=submission_id, by=system, now=now)
        else:
            _ask_the_referee(pairing, submission, now)


def _ask_the_referee(pairing: Pairing, submission: Submission, now: datetime) -> None:
    """Both players are told once that it is the referee's now, and pages of staff show it."""
    key = _key(submission.pk)
    if Notice.objects.filter(key=key).exists():
        return
    for entry, opponent in ((pairing.a_id, pairing.b_id), (pairing.b_id, pairing.a_id)):
        if entry is not None:
            told = {"match": submission.match_id, "opponent": opponent}
            tell_player(entry_id=entry, kind="report_unanswered", key=key, now=now, **told)
    stage_changed.send(sender=Stage, stage=pairing.round.stage_id, what="report")
