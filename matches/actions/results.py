"""The confirmed result of a match: set, corrected, cleared; and matches made and closed."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import F

from matches.actions.judging import Outcome, Report, digest_of, judge
from matches.models import Game, Match, Submission
from matches.signals import result_changed
from players.actions import record_act
from players.models import Player
from players.permissions import Actor, Refused


def facts_of(match: Match) -> dict[str, Any]:
    """The result of a match as the log and refusals tell it."""
    return {"kind": match.kind, "sets": [match.sets_a, match.sets_b], "winner": match.winner, "version": match.version}


def refused_as(code: str, match: Match) -> Refused:
    """A refusal that names the result there is and who entered it."""
    confirmed = match.submissions.filter(is_confirmed=True).first()
    return Refused(code, {**facts_of(match), "by": confirmed.by_name if confirmed else ""})


def not_takeable(match: Match, expected_version: int) -> Refused | None:
    """Why no result is taken for this match from somebody who saw this version of it; None where one is."""
    if match.is_void:
        return Refused("match_void", {"match": match.pk})
    return refused_as("stale_version", match) if match.version != expected_version else None


def again(earlier: Submission, digest: str) -> Submission | Refused:
    """The first answer once more, for the same key; refused where it says something else now."""
    return earlier if earlier.digest == digest else Refused("key_reused")


def put_down(
    match: Match, outcome: Outcome, report: Report, digest: str, *, by: Actor, key: str, now: datetime, **marks: Any
) -> Submission:
    """Append what somebody said of a match. `marks` are seat, is_waiting and is_confirmed."""
    return Submission.objects.create(
        match=match,
        number=match.submissions.count() + 1,
        key=key,
        digest=digest,
        kind=outcome.kind,
        sets_a=outcome.sets[0],
        sets_b=outcome.sets[1],
        winner=outcome.winner,
        totals=report.told_by_set(),
        by_role=by.role,
        by_name=by.name,
        by_account=by.account,
        by_link=by.link,
        at=now,
        **marks,
    )


def set_result(match: Match, outcome: Outcome | None, now: datetime) -> None:
    """Make `outcome` the result of a match that is held; no report waits any longer."""
    match.submissions.filter(is_waiting=True).update(is_waiting=False)
    match.kind = outcome.kind if outcome else ""
    match.sets_a, match.sets_b = outcome.sets if outcome else (0, 0)
    match.winner = outcome.winner if outcome else ""
    match.decided_at = now if outcome else None
    match.version += 1
    match.save(update_fields=["kind", "sets_a", "sets_b", "winner", "decided_at", "version"])


def create_matches(*, seats: Iterable[tuple[Player, Player]], ruleset: str, allows_tie: bool) -> list[Match]:
    """A match for each pair of players, in the same order. The caller's act is what the log tells of."""
    rows = [Match(seat_a=a, seat_b=b, ruleset=ruleset, allows_tie=allows_tie) for a, b in seats]
    return Match.objects.bulk_create(rows)


def submit_result(
    *,
    match_id: int,
    report: Report,
    by: Actor,
    key: str,
    expected_version: int,
    now: datetime,
    correct: bool = False,
    why: str = "",
) -> Submission | Refused:
    """Report the result of a match and confirm it.

    The same `key` with the same report is one submission, however often it comes; the first answer is given again.
    `expected_version` is the version of the match the reporter saw: another one is refused with what changed. With
    `correct` a confirmed result is replaced, the old submission stays in the record. Reports that waited for somebody's
    word wait no longer: they stay in the record too.
    Refusals: match_unknown (404), key_reused, match_void, stale_version, already_decided, and those of `check_score`.
    """
    digest = digest_of(match_id, report)
    try:
        with transaction.atomic():
            match = Match.objects.select_for_update().filter(pk=match_id).first()
            if match is None:
                return Refused("match_unknown", {"match": match_id}, status=404)
            if earlier := Submission.objects.filter(key=key).first():
                return again(earlier, digest)
            if refused := not_takeable(match, expected_version):
                return refused
            if match.kind and not correct:
                return refused_as("already_decided", match)
            return _confirm(match, report, digest, by=by, key=key, now=now, why=why)
    except IntegrityError:
        # The same key arrived at the same moment for another match: the unique key decided, and we say what it holds.
        if earlier := Submission.objects.filter(key=key).first():
            return again(earlier, digest)
        raise


def _confirm(
    match: Match, report: Report, digest: str, *, by: Actor, key: str, now: datetime, why: str
) -> Submission | Refused:
    outcome = judge(match, report)
    if isinstance(outcome, Refused):
        return outcome
    before = facts_of(match)
    match.submissions.filter(is_confirmed=True).update(is_confirmed=False)
    submission = put_down(match, outcome, report, digest, by=by, key=key, now=now, is_confirmed=True)
    set_result(match, outcome, now)
    verb = "correct_result" if before["kind"] else "enter_result"
    record_act(verb=verb, target=f"match/{match.pk}", by=by, now=now, before=before, after=facts_of(match), why=why)
    result_changed.send(sender=Match, match=match)
    return submission


@transaction.atomic
def clear_result(*, match_id: int, by: Actor, expected_version: int, now: datetime, why: str = "") -> Match | Refused:
    """Take a confirmed result back: the match is open again and its submissions stay in the record."""
    match = Match.objects.select_for_update().filter(pk=match_id).first()
    if match is None:
        return Refused("match_unknown", {"match": match_id}, status=404)
    if refused := not_takeable(match, expected_version):
        return refused
    if not match.kind:
        return Refused("nothing_to_clear")
    before = facts_of(match)
    match.submissions.filter(is_confirmed=True).update(is_confirmed=False)
    set_result(match, None, now)
    # A game that was going on meanwhile goes on: whoever is to act has a whole turn.
    Game.objects.filter(match=match, turn_at__isnull=False).update(turn_at=now, version=F("version") + 1)
    record_act(
        verb="clear_result", target=f"match/{match.pk}", by=by, now=now, before=before, after=facts_of(match), why=why
    )
    result_changed.send(sender=Match, match=match)
    return match


@transaction.atomic
def void_matches(*, match_ids: Iterable[int]) -> None:
    """Close matches whose pairing was taken back, so that a late result finds a closed door. None may have a result."""
    for match in Match.objects.select_for_update().filter(pk__in=list(match_ids)).order_by("pk"):
        match.is_void = True
        match.version += 1
        match.save(update_fields=["is_void", "version"])
        match.submissions.filter(is_waiting=True).update(is_waiting=False)


def change_seat(*, match_id: int, seat: str, player: Player) -> None:
    """Let somebody else sit in seat "a" or "b" of an open match with no report and no card yet. The caller holds it.

    A game that was opened for the one who sat there before is opened anew.
    """
    match = Match.objects.get(pk=match_id)
    Game.objects.filter(match=match).delete()
    setattr(match, f"seat_{seat}", player)
    match.version += 1
    match.save(update_fields=[f"seat_{seat}", "version"])
