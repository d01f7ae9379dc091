"""Results of matches: reported once, confirmed once, corrected by a newer one, never overwritten."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import IntegrityError, transaction

from matches.engine import Refusal, Score, SetScore, check_score, get_ruleset
from matches.models import Match, Submission
from matches.signals import result_changed
from players.actions import record_act
from players.models import Player
from players.permissions import Actor, Refused

SCORE = "score"
WALKOVER = "walkover"
FORFEIT = "forfeit"
DOUBLE_NO_SHOW = "double_no_show"
KINDS = (SCORE, WALKOVER, FORFEIT, DOUBLE_NO_SHOW)
SEATS = ("a", "b")


@dataclass(frozen=True, slots=True)
class Report:
    """A result as somebody tells it.

    `sets` are set points of seat a and seat b, as played; `totals` may tell the sets one by one (tied sets too) in
    place of them, or beside them and must then agree. `winner` ("a", "b") is told for a walkover and a forfeit; for a
    score it may be told and must then agree with the sets, and for a double no-show it is None.
    """

    kind: str
    sets: tuple[int, int] | None = None
    winner: str | None = None
    totals: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class _Outcome:
    kind: str
    sets: tuple[int, int]
    winner: str


def _judge(match: Match, report: Report) -> _Outcome | Refused:
    """What the report means by the rules of the match: the sets that count and who won."""
    ruleset = get_ruleset(match.ruleset)
    if report.kind == DOUBLE_NO_SHOW:
        return _Outcome(DOUBLE_NO_SHOW, (0, 0), "")
    if report.kind not in (SCORE, WALKOVER, FORFEIT):
        return Refused("kind_unknown", {"kind": report.kind}, status=400)
    if report.winner not in (None, "a", "b"):
        return Refused("winner_unknown", status=400)
    if report.kind == SCORE:
        score = Score(
            won=report.sets,
            by_set=tuple(SetScore(totals=pair) for pair in report.totals),
            winner=None if report.winner is None else SEATS.index(report.winner),
        )
        checked = check_score(ruleset, score, allow_tie=match.allows_tie)
        if isinstance(checked, Refusal):
            return Refused(checked.code, dict(checked.params), status=400)
        return _Outcome(SCORE, checked.won, "" if checked.winner is None else SEATS[checked.winner])
    if report.winner is None:
        return Refused("winner_missing", status=400)
    return _given_up(report, ruleset.sets_to_win)


def _given_up(report: Report, goal: int) -> _Outcome | Refused:
    """A walkover counts as a clean win; a forfeit leaves the loser what they had won."""
    seat = SEATS.index(report.winner or "")
    lost = report.sets[1 - seat] if report.kind == FORFEIT and report.sets else 0
    if not 0 <= lost < goal:
        return Refused("score_impossible", {"sets_to_win": goal}, status=400)
    return _Outcome(report.kind, (goal, lost) if seat == 0 else (lost, goal), SEATS[seat])


def _digest(match_id: int, report: Report) -> str:
    said = [match_id, report.kind, report.sets, report.winner, report.totals]
    return hashlib.sha256(json.dumps(said).encode()).hexdigest()


def _facts(match: Match) -> dict[str, Any]:
    return {"kind": match.kind, "sets": [match.sets_a, match.sets_b], "winner": match.winner, "version": match.version}


def _confirmed_by(match: Match) -> str:
    confirmed = match.submissions.filter(is_confirmed=True).first()
    return confirmed.by_name if confirmed else ""


def _set_result(match: Match, outcome: _Outcome | None, now: datetime) -> None:
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
    *, match_id: int, report: Report, by: Actor, key: str, expected_version: int, now: datetime, correct: bool = False
) -> Submission | Refused:
    """Report the result of a match and confirm it.

    The same `key` with the same report is one submission, however often it comes; the first answer is given again.
    `expected_version` is the version of the match the reporter saw: another one is refused with what changed. With
    `correct` a confirmed result is replaced, the old submission stays in the record.
    Refusals: match_unknown (404), key_reused, match_void, stale_version, already_decided, and those of `check_score`.
    """
    digest = _digest(match_id, report)
    try:
        with transaction.atomic():
            match = Match.objects.select_for_update().filter(pk=match_id).first()
            if match is None:
                return Refused("match_unknown", {"match": match_id}, status=404)
            if earlier := Submission.objects.filter(key=key).first():
                return _again(earlier, digest)
            return _confirm(
                match, report, digest, by=by, key=key, expected_version=expected_version, now=now, correct=correct
            )
    except IntegrityError:
        # The same key arrived at the same moment for another match: the unique key decided, and we say what it holds.
        if earlier := Submission.objects.filter(key=key).first():
            return _again(earlier, digest)
        raise


def _again(earlier: Submission, digest: str) -> Submission | Refused:
    return earlier if earlier.digest == digest else Refused("key_reused")


def _confirm(
    match: Match,
    report: Report,
    digest: str,
    *,
    by: Actor,
    key: str,
    expected_version: int,
    now: datetime,
    correct: bool,
) -> Submission | Refused:
    if match.is_void:
        return Refused("match_void", {"match": match.pk})
    if match.version != expected_version:
        return Refused("stale_version", {**_facts(match), "by": _confirmed_by(match)})
    if match.kind and not correct:
        return Refused("already_decided", {**_facts(match), "by": _confirmed_by(match)})
    outcome = _judge(match, report)
    if isinstance(outcome, Refused):
        return outcome
    before = _facts(match)
    match.submissions.filter(is_confirmed=True).update(is_confirmed=False)
    submission = Submission.objects.create(
        match=match,
        number=match.submissions.count() + 1,
        key=key,
        digest=digest,
        kind=outcome.kind,
        sets_a=outcome.sets[0],
        sets_b=outcome.sets[1],
        winner=outcome.winner,
        totals=[list(pair) for pair in report.totals],
        is_confirmed=True,
        by_role=by.role,
        by_name=by.name,
        by_account=by.account,
        by_link=by.link,
        at=now,
    )
    _set_result(match, outcome, now)
    verb = "correct_result" if before["kind"] else "enter_result"
    record_act(verb=verb, target=f"match/{match.pk}", by=by, now=now, before=before, after=_facts(match))
    result_changed.send(sender=Match, match=match)
    return submission


@transaction.atomic
def clear_result(*, match_id: int, by: Actor, expected_version: int, now: datetime, why: str = "") -> Match | Refused:
    """Take a confirmed result back: the match is open again and its submissions stay in the record."""
    match = Match.objects.select_for_update().filter(pk=match_id).first()
    if match is None:
        return Refused("match_unknown", {"match": match_id}, status=404)
    if match.is_void:
        return Refused("match_void", {"match": match.pk})
    if match.version != expected_version:
        return Refused("stale_version", {**_facts(match), "by": _confirmed_by(match)})
    if not match.kind:
        return Refused("nothing_to_clear")
    before = _facts(match)
    match.submissions.filter(is_confirmed=True).update(is_confirmed=False)
    _set_result(match, None, now)
    record_act(
        verb="clear_result", target=f"match/{match.pk}", by=by, now=now, before=before, after=_facts(match), why=why
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
