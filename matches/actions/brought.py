"""Results of matches that were played elsewhere and are brought here with their tournament."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import uuid4

from matches.actions.judging import Report, digest_of
from matches.models import Match, Submission
from players.permissions import Actor


@dataclass(frozen=True, slots=True)
class Brought:
    """How a match ended; `winner` is "a", "b" or "" for nobody."""

    kind: str
    sets: tuple[int, int]
    winner: str


def bring_results(*, results: Sequence[tuple[Match, Brought]], by: Actor, now: datetime) -> None:
    """Give matches without a result the one they had, confirmed and as it stands: the rules are not asked again.

    Nobody else knows these matches yet, and nobody is told: the caller's act is what the log tells of.
    """
    submissions = []
    for match, found in results:
        match.kind, match.winner = found.kind, found.winner
        match.sets_a, match.sets_b = found.sets
        match.version, match.decided_at = match.version + 1, now
        report = Report(found.kind, found.sets, found.winner or None)
        submissions.append(
            Submission(
                match=match,
                number=1,
                key=f"brought-{uuid4()}",
                digest=digest_of(match.pk, report),
                kind=found.kind,
                sets_a=found.sets[0],
                sets_b=found.sets[1],
                winner=found.winner,
                is_confirmed=True,
                by_role=by.role,
                by_name=by.name,
                by_account=by.account,
                by_link=by.link,
                at=now,
            )
        )
    Match.objects.bulk_update(
        [match for match, _ in results], ["kind", "winner", "sets_a", "sets_b", "version", "decided_at"], batch_size=500
    )
    Submission.objects.bulk_create(submissions, batch_size=500)
