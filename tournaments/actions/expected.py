"""When the players of a published round are expected at their tables, kept to when it, or their match, is to begin."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from tournaments.actions.notices import tell_pairings
from tournaments.models import Pairing, Stage
from tournaments.models.tournament import Seating, State
from tournaments.queries.hours import begun_places
from tournaments.queries.round_times import expected_times
from tournaments.signals import stage_changed


def expect_players(*, stage: Stage, now: datetime) -> None:
    """The times of its rounds or matches have changed: whoever has not begun is expected then, and told.

    Who is called by itself keeps the time of the call; where a match has a time of its own, that counts. The caller
    holds the stage.
    """
    tournament = stage.tournament
    if tournament.state != State.RUNNING:
        return
    begun = begun_places(event_id=tournament.event_id)
    moved: list[Pairing] = []
    for round_ in stage.rounds.select_related("stage__tournament").filter(published_at__isnull=False):
        rows = list(round_.pairings.select_related("match").filter(match__isnull=False).order_by("number"))
        due = expected_times(round_=round_, numbers=[row.number for row in rows], after=round_.published_at or now)
        for pairing in rows:
            is_called = tournament.seating == Seating.QUEUE and due[pairing.number] is None
            has_begun = (stage.pk, round_.number, pairing.number) in begun
            if not is_called and not has_begun and pairing.due_at != due[pairing.number]:
                pairing.round, pairing.due_at = round_, due[pairing.number]
                moved.append(pairing)
    _tell(stage, moved, now)


def expect_match(*, pairing: Pairing, stage: Stage, was: datetime | None, now: datetime) -> None:
    """A published match has another time of its own than `was`: its two are expected then, and told.

    One that is left to the plan again has the time of its round. The caller holds the match and its stage.
    """
    round_ = pairing.round
    place = (stage.pk, round_.number, pairing.number)
    if place in begun_places(event_id=stage.tournament.event_id):
        return
    due = expected_times(round_=round_, numbers=[pairing.number], after=round_.published_at or now)[pairing.number]
    if pairing.due_at != due and (due is not None or pairing.due_at == was):
        pairing.due_at = due
        _tell(stage, [pairing], now)


def _tell(stage: Stage, moved: Sequence[Pairing], now: datetime) -> None:
    if moved:
        Pairing.objects.bulk_update(moved, ["due_at"])
        tell_pairings(stage=stage, pairings=moved, now=now)
        stage_changed.send(sender=Stage, stage=stage.pk, what="round_times")
