"""What a referee sees at their tables: a match that is theirs to enter, and what they entered and may take back."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Q

from matches.models import Match, Submission
from players.permissions import Actor
from tournaments.engine.formats import get_format
from tournaments.models import Event, Pairing, Round
from tournaments.models.tournament import State
from tournaments.permissions import may
from tournaments.queries.desk import entered_by


def pairing_at(*, actor: Actor, event: Event, match_id: int, act: str) -> Pairing | None:
    """The pairing of a match at which the actor may do `act`; None for any other, in this event or elsewhere."""
    found = (
        Pairing.objects.filter(
            match_id=match_id, round__stage__tournament__event=event, round__published_at__isnull=False
        )
        .select_related("a", "b", "match", "round__stage__tournament__event")
        .first()
    )
    if found is None:
        return None
    tournament = found.round.stage.tournament_id
    return found if may(actor, act, event=event.pk, tournament=tournament, table=found.table) else None


def is_closed_match(*, actor: Actor, event: Event, match_id: int) -> bool:
    """Whether a match is one of this event whose round was taken back: it has no pairing and no table any more."""
    players = Q(seat_a__entries__tournament__event=event, seat_b__entries__tournament__event=event)
    if actor.tournament is not None:
        here = actor.tournament
        players &= Q(seat_a__entries__tournament=here, seat_b__entries__tournament=here)
    return Match.objects.filter(players, pk=match_id, is_void=True).exists()


@dataclass(frozen=True, slots=True)
class Entered:
    """A result the actor entered. It can be undone while the tournament runs and nothing was paired from it since."""

    submission: Submission
    pairing: Pairing
    can_undo: bool


def entered(*, actor: Actor, event: Event) -> list[Entered]:
    """The newest results the actor entered and that still stand, the newest first. Two queries."""
    found = entered_by(actor=actor, event=event)
    stages = {submission.match.pairing.round.stage_id for submission in found}
    later = _published(stages)
    return [
        Entered(submission, submission.match.pairing, _can_undo(submission, later.get(_stage(submission), [])))
        for submission in found
    ]


def _stage(submission: Submission) -> int:
    return submission.match.pairing.round.stage_id


def _published(stages: set[int]) -> dict[int, list[tuple[int, datetime]]]:
    """Stage id to its published rounds: number and when."""
    found: dict[int, list[tuple[int, datetime]]] = {}
    rounds = Round.objects.filter(stage__in=stages, published_at__isnull=False)
    for stage, number, at in rounds.values_list("stage_id", "number", "published_at"):
        if at is not None:
            found.setdefault(stage, []).append((number, at))
    return found


def _can_undo(submission: Submission, published: list[tuple[int, datetime]]) -> bool:
    stage = submission.match.pairing.round.stage
    if stage.tournament.state != State.RUNNING:
        return False
    waits = get_format(stage.format).needs_draft
    return not any(at > submission.at and waits(number) for number, at in published)
