"""Places that are shared once everything is played, and the extra matches called to settle them."""

from __future__ import annotations

from dataclasses import dataclass

from tournaments.engine.formats import get_format
from tournaments.engine.standings import shared_places
from tournaments.models import Entry, Pairing, Stage
from tournaments.models.tournament import State
from tournaments.queries.snapshots import take_snapshot


@dataclass(frozen=True, slots=True)
class SharedPlace:
    """A place and everybody who shares it, best seeds first."""

    place: int
    entries: tuple[Entry, ...]


def places_to_settle(*, stage: Stage) -> list[SharedPlace]:
    """Places an extra match can settle, the best first; [] until everything is played, and once it is finished."""
    if stage.tournament.state != State.RUNNING or stage.rounds.filter(published_at__isnull=True).exists():
        return []
    snapshot = take_snapshot(stage=stage)
    if not snapshot.pairings or not get_format(stage.format).is_over(snapshot):
        return []
    entries = {entry.pk: entry for entry in Entry.objects.filter(tournament=stage.tournament_id)}
    found = shared_places(snapshot, stage.format, tuple(stage.tiebreaks))
    return [SharedPlace(place, tuple(entries[each] for each in tied)) for place, tied in found]


def play_offs(*, stage: Stage) -> list[Pairing]:
    """The extra matches of a stage in the order they were called."""
    found = Pairing.objects.filter(round__stage=stage, round__is_play_off=True).select_related(
        "a", "b", "match", "round"
    )
    return list(found.order_by("round__number", "number"))
