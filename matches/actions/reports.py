"""Reports that need somebody else's word before they count: a player's own, or one by staff where two must agree."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from django.db import IntegrityError, transaction

from matches.actions.judging import FORFEIT, SCORE, SEATS, TIME, Outcome, Report, digest_of, judge
from matches.actions.results import again, facts_of, not_takeable, put_down, refused_as, set_result
from matches.models import Match, Submission
from matches.signals import report_changed, result_changed
from players.actions import record_act
from players.permissions import Actor, Refused, Role


def report_result(
    *, match_id: int, report: Report, seat: str, by: Actor, key: str, expected_version: int, now: datetime
) -> Submission | Refused:
    """Say how a match ended, where somebody else has to say the same before it counts.

    `seat` is the side a player speaks for, "" for one of staff. The report waits; a newer one of the same side takes
    its place. Where another person's waiting report means the same, the newest is confirmed at once. Reports that
    differ all wait: nothing counts until one of the reporters gives in or somebody else confirms one of them.
    A player tells a score, also one on time, or that they themselves gave up; nothing else is theirs to say.
    Keys and versions are as for `submit_result`. Refusals: match_unknown (404), key_reused, match_void, stale_version,
    already_decided, not_yours_to_say (400), and those of `check_score`.
    """
    digest = digest_of(match_id, report, seat)
    try:
        with transaction.atomic():
            match = Match.objects.select_for_update().filter(pk=match_id).first()
            if match is None:
                return Refused("match_unknown", {"match": match_id}, status=404)
            if earlier := Submission.objects.filter(key=key).first():
                return again(earlier, digest)
            if refused := not_takeable(match, expected_version):
                return refused
            if match.kind:
                return refused_as("already_decided", match)
            if not _may_say(seat, report):
                return Refused("not_yours_to_say", status=400)
            outcome = judge(match, report)
            if isinstance(outcome, Refused):
                return outcome
            return _take(match, outcome, report, digest, seat=seat, by=by, key=key, now=now)
    except IntegrityError:
        # The same key arrived at the same moment for another match: the unique key decided, and we say what it holds.
        if earlier := Submission.objects.filter(key=key).first():
            return again(earlier, digest)
        raise


def _may_say(seat: str, report: Report) -> bool:
    if not seat or report.kind in (SCORE, TIME):
        return True
    return report.kind == FORFEIT and report.winner == SEATS[1 - SEATS.index(seat)]


def _take(
    match: Match, outcome: Outcome, report: Report, digest: str, *, seat: str, by: Actor, key: str, now: datetime
) -> Submission:
    others = [each for each in _waiting(match) if not is_same_person(each, by=by, seat=seat)]
    agreeing = _agreeing(others, outcome, seat)
    match.submissions.filter(is_waiting=True, seat=seat).update(is_waiting=False)
    marks = {"seat": seat, "is_confirmed": agreeing is not None, "is_waiting": agreeing is None}
    submission = put_down(match, outcome, report, digest, by=by, key=key, now=now, **marks)
    if agreeing is not None:
        _settle(match, submission, "agree_result", by=by, now=now, reports=[agreeing.by_name, submission.by_name])
        return submission
    said = {"kind": outcome.kind, "sets": list(outcome.sets), "winner": outcome.winner, "seat": seat}
    disputed = any(outcome_of(each).meaning != outcome.meaning for each in others)
    after = said | {"disputed": True} if disputed else said
    record_act(verb="report_result", target=f"match/{match.pk}", by=by, now=now, after=after)
    report_changed.send(sender=Match, match=match, now=now)
    return submission


def _waiting(match: Match) -> list[Submission]:
    return list(match.submissions.filter(is_waiting=True).order_by("number"))


def outcome_of(submission: Submission) -> Outcome:
    """What counts of a submission."""
    return Outcome(submission.kind, (submission.sets_a, submission.sets_b), submission.winner)


def is_same_person(submission: Submission, *, by: Actor, seat: str) -> bool:
    """Whether whoever reported this is the one who acts now: nobody is their own second person.

    A player is their seat; staff are the account or the link they came by.
    """
    if submission.seat or seat:
        return submission.seat == seat
    same_account = by.account is not None and submission.by_account == by.account
    return same_account or (by.link is not None and submission.by_link == by.link)


def _agreeing(others: Iterable[Submission], outcome: Outcome, seat: str) -> Submission | None:
    """The report of another person that means the same; none while staff say otherwise than both players."""
    found = [each for each in others if outcome_of(each).meaning == outcome.meaning]
    contradicted = seat and any(not each.seat and outcome_of(each).meaning != outcome.meaning for each in others)
    return found[-1] if found and not contradicted else None


def _settle(match: Match, submission: Submission, verb: str, *, by: Actor, now: datetime, **more: Any) -> None:
    """Make a report that is confirmed now the result of its match, in one act and with one signal."""
    before = facts_of(match)
    set_result(match, outcome_of(submission), now)
    after = {**facts_of(match), **more}
    record_act(verb=verb, target=f"match/{match.pk}", by=by, now=now, before=before, after=after)
    result_changed.send(sender=Match, match=match)


@transaction.atomic
def confirm_report(*, submission_id: int, by: Actor, seat: str = "", now: datetime) -> Submission | Refused:
    """Say that a waiting report is right: it becomes the result, and no other report waits any longer.

    `seat` is the side of the player who says so, "" for staff and for the system when nobody answered in time.
    Confirming what is confirmed changes nothing. Refusals: report_unknown (404), match_void, already_decided,
    report_gone (it was replaced or taken back), same_person.
    """
    held = _hold(submission_id)
    if isinstance(held, Refused):
        return held
    match, submission = held
    if submission.is_confirmed:
        return submission
    if match.is_void:
        return Refused("match_void", {"match": match.pk})
    if match.kind:
        return refused_as("already_decided", match)
    if not submission.is_waiting:
        return Refused("report_gone")
    if is_same_person(submission, by=by, seat=seat):
        return Refused("same_person")
    submission.is_waiting, submission.is_confirmed = False, True
    submission.save(update_fields=["is_waiting", "is_confirmed"])
    verb = "confirm_unanswered" if by.role is Role.SYSTEM else "confirm_report"
    _settle(match, submission, verb, by=by, now=now, reports=[submission.by_name])
    return submission


@transaction.atomic
def take_back_report(*, submission_id: int, by: Actor, seat: str = "", now: datetime) -> Submission | Refused:
    """Take one's own waiting report back. What waits no longer stays as it is.

    Refusals: report_unknown (404), not_your_report, already_decided.
    """
    held = _hold(submission_id)
    if isinstance(held, Refused):
        return held
    match, submission = held
    if not is_same_person(submission, by=by, seat=seat):
        return Refused("not_your_report")
    if submission.is_waiting:
        submission.is_waiting = False
        submission.save(update_fields=["is_waiting"])
        said = {"kind": submission.kind, "sets": [submission.sets_a, submission.sets_b], "winner": submission.winner}
        record_act(verb="take_back_report", target=f"match/{match.pk}", by=by, now=now, before=said)
        _agree_at_last(match, by=by, now=now)
        return submission
    return refused_as("already_decided", match) if match.kind else submission


def _agree_at_last(match: Match, *, by: Actor, now: datetime) -> None:
    """What was taken back may have been all that stood between two players who said the same."""
    left = _waiting(match)
    if len(left) > 1 and len({outcome_of(each).meaning for each in left}) == 1:
        newest = left[-1]
        newest.is_waiting, newest.is_confirmed = False, True
        newest.save(update_fields=["is_waiting", "is_confirmed"])
        _settle(match, newest, "agree_result", by=by, now=now, reports=[each.by_name for each in left])
    else:
        report_changed.send(sender=Match, match=match, now=now)


def _hold(submission_id: int) -> tuple[Match, Submission] | Refused:
    """Lock the match of a report, then read the report as it is now that nobody else changes it."""
    match_id = Submission.objects.filter(pk=submission_id).values_list("match_id", flat=True).first()
    if match_id is None:
        return Refused("report_unknown", status=404)
    match = Match.objects.select_for_update().get(pk=match_id)
    return match, Submission.objects.get(pk=submission_id)
