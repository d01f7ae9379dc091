"""Results as a tournament sees them: entered by staff, corrected while nothing rests on them."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.db import transaction

from matches import actions as match_actions
from matches.actions import SCORE, TIME, Report
from matches.actions.judging import judge
from matches.models import Match, Submission
from players.permissions import Actor, Refused, Role
from tournaments.actions.tables import take_table_again
from tournaments.engine.formats import get_format
from tournaments.engine.snapshot import Snapshot
from tournaments.models import Pairing, Stage
from tournaments.models.tournament import State
from tournaments.queries.games import game_of
from tournaments.queries.snapshots import engine_pairing, take_snapshot
from tournaments.queries.tables import round_after
from tournaments.queries.time_over import cards_here, is_time_over, may_tie_at_time, sets_at_time


def enter_result(
    *, match_id: int, report: Report, by: Actor, key: str, expected_version: int, now: datetime, why: str = ""
) -> Submission | Refused:
    """A result by staff. It counts at once; where the tournament asks for a second person, it waits for one.

    There an organiser's counts alone as well if it says `why`. Whatever players reported gives way to what counts.
    Refusals: those of `matches.actions.submit_result` and of `time_refused`.
    """
    pairing = _pairing_of(match_id)
    if pairing is not None and not _is_sent_again(key):
        refused = time_refused(pairing=pairing, report=report, now=now)
        if refused is not None:
            return refused
    told: dict[str, Any] = {"match_id": match_id, "report": report, "by": by, "key": key, "now": now}
    if pairing is None or not pairing.round.stage.tournament.second_confirms or _counts_alone(by, why):
        return match_actions.submit_result(**told, expected_version=expected_version, why=why)
    return match_actions.report_result(**told, expected_version=expected_version, seat="")


def time_refused(*, pairing: Pairing, report: Report, now: datetime) -> Refused | None:
    """Why a match cannot have ended as told by the clock of its round; None where it can, or says nothing of time.

    A match ends on time once the clock has run out at its table, and level only if the tournament's rule for that
    moment leaves it so. A tie is cut short by time as well, where a clock was started. One whose cards lie here ends
    with the sets that were played. What no rules allow is for `submit_result` to refuse.
    Refusals: no_round_time, time_not_over, level_at_time, set_open, stands_otherwise (a, b).
    """
    match = pairing.match
    if match is None or report.kind not in (SCORE, TIME):
        return None
    outcome = judge(match, report)
    if isinstance(outcome, Refused) or (outcome.kind == SCORE and outcome.winner):
        return None
    is_over = is_time_over(pairing, now=now)
    if is_over is None and outcome.kind == SCORE:
        return None
    # That its time was over is no question any more where the match ended so already.
    if not is_over and match.kind != TIME:
        has_no_clock = is_over is None and pairing.round.stage.tournament.round_minutes is None
        return Refused("no_round_time" if has_no_clock else "time_not_over")
    if not outcome.winner and not may_tie_at_time(pairing):
        return Refused("level_at_time", status=400)
    game = None if match.kind else cards_here(game_of(match_id=match.pk))
    if game is None:
        return None
    stands = sets_at_time(game, pairing)
    if stands is None:
        return Refused("set_open")
    return None if stands == outcome.sets else Refused("stands_otherwise", {"a": stands[0], "b": stands[1]})


def _is_sent_again(key: str) -> bool:
    """Whether this was told already: then it gets its first answer, whatever the clock says by now."""
    return Submission.objects.filter(key=key).exists()


def _counts_alone(by: Actor, why: str) -> bool:
    return by.role is Role.ORGANISER and bool(why.strip())


def correct_result(
    *, match_id: int, report: Report, by: Actor, key: str, expected_version: int, now: datetime, why: str = ""
) -> Submission | Refused:
    """Replace the confirmed result of a match by another one.

    Where the winner changes, matches of a bracket that rest on it and have no result yet are taken back and made anew;
    where one has a result, nothing happens. A Swiss round that is out stays as it is: only the standings change.
    Where the tournament asks for a second person, one who corrects alone says `why`.
    Refusals: those of `matches.actions.submit_result` and of `time_refused`, match_unknown, not_running,
    later_result (matches), why_missing (400).
    """
    with transaction.atomic():
        held = _hold(match_id)
        if isinstance(held, Refused):
            return held
        pairing, stage, dependents = held
        if stage.tournament.second_confirms and not _counts_alone(by, why):
            return Refused("why_missing", status=400)
        is_again = _is_sent_again(key)
        refused = None if is_again else time_refused(pairing=pairing, report=report, now=now)
        if refused is not None:
            return refused
        outcome = match_actions.submit_result(
            match_id=match_id,
            report=report,
            by=by,
            key=key,
            expected_version=expected_version,
            now=now,
            correct=True,
            why=why,
        )
        if isinstance(outcome, Refused) or is_again:
            return outcome
        same_winner = pairing.match is not None and (pairing.match.winner, pairing.match.kind) == (
            outcome.winner,
            outcome.kind,
        )
        refusal = None if same_winner else _let_go(dependents)
        if refusal is not None:
            transaction.set_rollback(True)
            return refusal
        _drop_drafts(stage)
        return outcome


def clear_result(*, match_id: int, by: Actor, expected_version: int, now: datetime, why: str = "") -> Match | Refused:
    """Take a result back so that the match is open again, under the same conditions as a correction.

    Once a later round was drafted from it and is out, it can only be corrected. Where somebody else sits at its table
    by now the match has none until it is given one.
    Refusals: those of `matches.actions.clear_result` and of a correction, later_round_published (round).
    """
    with transaction.atomic():
        held = _hold(match_id)
        if isinstance(held, Refused):
            return held
        pairing, stage, dependents = held
        later = round_after(pairing.round, stage.rounds.filter(published_at__isnull=False))
        if later is not None:
            return Refused("later_round_published", {"round": later})
        was_played = pairing.match is not None and pairing.match.kind in (SCORE, TIME)
        outcome = match_actions.clear_result(
            match_id=match_id, by=by, expected_version=expected_version, now=now, why=why
        )
        if isinstance(outcome, Refused):
            return outcome
        refusal = _let_go(dependents)
        if refusal is not None:
            transaction.set_rollback(True)
            return refusal
        _drop_drafts(stage)
        take_table_again(pairing=pairing, was_played=was_played, now=now)
        return outcome


def _hold(match_id: int) -> tuple[Pairing, Stage, list[Pairing]] | Refused:
    """Lock the match and all that rest on it in order of id, then the stage (never the other way round)."""
    pairing = _pairing_of(match_id)
    if pairing is None:
        return Refused("match_unknown", {"match": match_id}, status=404)
    ids = sorted({match_id, *(d.match_id for d in _dependents(pairing) if d.match_id is not None)})
    list(Match.objects.select_for_update().filter(pk__in=ids).order_by("pk"))
    # Without its tournament, which is read now that nobody else changes it.
    stage = Stage.objects.select_for_update(no_key=True).get(pk=pairing.round.stage_id)
    if stage.tournament.state != State.RUNNING:
        return Refused("not_running")
    pairing = _pairing_of(match_id)
    if pairing is None:
        return Refused("match_unknown", {"match": match_id}, status=404)
    dependents = _dependents(pairing)
    if any(d.match_id is not None and d.match_id not in ids for d in dependents):
        # The next match came into being while we waited for the locks: the caller looks again.
        return Refused("stale_version", {"by": ""})
    return pairing, stage, dependents


def _pairing_of(match_id: int) -> Pairing | None:
    return (
        Pairing.objects.select_related("round__clock", "round__stage__tournament", "match")
        .filter(match=match_id)
        .first()
    )


def _dependents(pairing: Pairing) -> list[Pairing]:
    stage = pairing.round.stage
    snapshot: Snapshot = take_snapshot(stage=stage)
    found = get_format(stage.format).dependents(snapshot, engine_pairing(pairing))
    places = {(p.round, p.number) for p in found}
    rows = Pairing.objects.filter(round__stage=stage, round__published_at__isnull=False).select_related(
        "round", "match"
    )
    return [row for row in rows if (row.round.number, row.number) in places]


def _let_go(dependents: list[Pairing]) -> Refused | None:
    """Take back pairings that rested on a result; refused when they cannot be."""
    played = [p.match_id for p in dependents if p.match is not None and p.match.kind]
    if played:
        return Refused("later_result", {"matches": played})
    match_actions.void_matches(match_ids=[p.match_id for p in dependents if p.match_id is not None])
    Pairing.objects.filter(pk__in=[p.pk for p in dependents]).delete()
    return None


def _drop_drafts(stage: Stage) -> None:
    """A draft made from results that are no longer true is no draft: it is paired again when asked for."""
    stage.rounds.filter(published_at__isnull=True).delete()
