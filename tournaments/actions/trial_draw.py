"""The first round tried out: what the start would draw now, looked at and thrown away."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction

from players.permissions import Actor, Refused
from tournaments.actions.rounds import start_tournament
from tournaments.models import Stage, Tournament
from tournaments.queries.drafts import DraftRound, draft_rounds


def try_draw(*, tournament_id: int, by: Actor, now: datetime) -> list[DraftRound] | Refused:
    """The drafts a start would leave behind now. Nothing is kept: no seed, no round, no line in the log.

    The same roster draws the same again, here and at the start. Refusals: those of a start, roster_is_frozen.
    """
    with transaction.atomic():
        if not Tournament.objects.filter(pk=tournament_id).exists():
            return Refused("tournament_unknown", {"tournament": tournament_id}, status=404)
        stage = Stage.objects.filter(tournament=tournament_id).order_by("number")[0]
        if stage.rounds.exists():
            return Refused("roster_is_frozen")
        started = start_tournament(tournament_id=tournament_id, by=by, now=now)
        drawn = started if isinstance(started, Refused) else draft_rounds(stage=stage)
        transaction.set_rollback(True)
    return drawn
