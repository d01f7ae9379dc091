"""What a referee sees at their tables: a match that is theirs to enter, and what they entered and may take back."""

from __future__ import annotations

from collections.abc import Iterable
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
            match__pk=match_id, round__stage__tournament__event=event, round__published_at__isnull=False
        )
        .select_related("a", "b", "match", "round__clock", "round__stage__tournament__event")
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
    """A result the actor entered. It can be undone while the tournament runs and no round was paired from it since."""

    submission: Submission
    pairing: Pairing
    can_undo: bool


def entered(*, actor: Actor, event: Event) -> list[Entered]:
    """The newest results the actor entered and that still stand, the newest first. Two queries."""
    found = entered_by(actor=actor, event=event)
    published = _published({submission.match.pairing.round.stage_id for submission in found})
    return [
        Entered(submission, submission.match.pairing, _can_undo(submission.match.pairing, published))
        for submission in found
    ]


def _published(stages: set[int]) -> dict[int, list[Round]]:
    """Stage id to its published rounds."""
    found: dict[int, list[Round]] = {}
    for round_ in Round.objects.filter(stage__in=stages, published_at__isnull=False):
        found.setdefault(round_.stage_id, []).append(round_)
    return found


def _can_undo(pairing: Pairing, published: dict[int, list[Round]]) -> bool:
    own = pairing.round
    is_running = own.stage.tournament.state == State.RUNNING
    return is_running and round_after(own, published.get(own.stage_id, [])) is None


def round_after(own: Round, published: Iterable[Round]) -> int | None:
    """The number of a published round that was drafted with the results of `own` in hand; None where there is none."""
    waits = get_format(own.stage.format).needs_draft
    rounds = [round_ for round_ in published if round_.number > own.number and not round_.is_play_off]
    later = [round_.number for round_ in rounds if waits(round_.number) and _making(round_) != _making(own)]
    return min(later, default=None)


def _making(round_: Round) -> tuple[datetime, int]:
    """When and from what a round was paired: the rounds of a round robin are paired at once, from nothing."""
    return round_.made_at, round_.made_from
