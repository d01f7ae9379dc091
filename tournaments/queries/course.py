"""The way of a tournament from its roster to its champion: which rounds there are, and which of them is now."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from tournaments.engine import snapshot as engine
from tournaments.engine.formats import get_format
from tournaments.engine.formats.base import Note
from tournaments.engine.snapshot import EntryStatus
from tournaments.models import Stage
from tournaments.models.tournament import State
from tournaments.queries.snapshots import take_snapshot


@dataclass(frozen=True, slots=True)
class Course:
    """`rounds` are the names of the planned rounds. `now` is the round that is a draft, is played or comes next.

    `now` is 0 before the start, and one more than there are rounds when all are decided. `play_offs` are the names of
    rounds of extra matches, by their number.
    """

    rounds: tuple[Note, ...]
    now: int
    play_offs: Mapping[int, Note] = field(default_factory=dict)

    def name_of(self, number: int) -> Note:
        """The name of a round by its number."""
        if number in self.play_offs:
            return self.play_offs[number]
        return self.rounds[number - 1] if 0 < number <= len(self.rounds) else Note.of("round", n=number)


def course_of(*, stage: Stage) -> Course:
    """The course of a stage; before the start, of the players who are on the roster by now."""
    chosen, snapshot = get_format(stage.format), take_snapshot(stage=stage)
    if stage.tournament.is_open_roster:
        active = stage.tournament.entries.filter(status=EntryStatus.ACTIVE).count()
        size = max(active, chosen.least_entries)
        snapshot = replace(snapshot, entries=tuple(engine.Entry(id=n, seed=n) for n in range(1, size + 1)))
    rounds = tuple(chosen.round_name(snapshot, number) for number in range(1, chosen.rounds_planned(snapshot) + 1))
    play_offs = {pairing.round: chosen.name_of(snapshot, pairing.round) for pairing in snapshot.play_offs}
    return Course(rounds, _now(stage, snapshot, len(rounds)), play_offs)


def _now(stage: Stage, snapshot: engine.Snapshot, planned: int) -> int:
    if stage.tournament.is_open_roster:
        return 0
    draft = stage.rounds.filter(published_at__isnull=True).order_by("number").values_list("number", flat=True).first()
    if draft is not None:
        return draft
    waiting = next(snapshot.open_pairings(), None)
    if waiting is not None:
        return waiting.round
    over = stage.tournament.state == State.FINISHED or get_format(stage.format).is_over(snapshot)
    return planned + 1 if over else min(snapshot.last_round + 1, planned)
