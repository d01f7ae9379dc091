"""Rounds that only organisers see yet: who would meet whom, on how many points, and what there is to know of it."""

from __future__ import annotations

from dataclasses import dataclass

from tournaments.engine import pairing as engine_pairing
from tournaments.engine.formats import get_format
from tournaments.engine.notes import Note
from tournaments.engine.snapshot import Snapshot
from tournaments.engine.tables import Hall
from tournaments.models import Pairing, Round, Stage
from tournaments.queries.hall import find_tables, hall_of
from tournaments.queries.snapshots import engine_pairing as as_engine
from tournaments.queries.snapshots import take_snapshot


@dataclass(frozen=True, slots=True)
class DraftRow:
    """One pairing of a draft. `points` are those of both sides before the round; `against` what speaks against it."""

    pairing: Pairing
    points: tuple[int, int]
    against: tuple[Note, ...]


@dataclass(frozen=True, slots=True)
class DraftRound:
    """A round that is a draft. `by_seed`: seeds say more about it than points, for whoever loses is out."""

    round: Round
    name: Note
    rows: tuple[DraftRow, ...]
    by_seed: bool

    @property
    def tables(self) -> int:
        return sum(1 for row in self.rows if row.pairing.b_id is not None)

    @property
    def byes(self) -> int:
        return len(self.rows) - self.tables

    @property
    def by_hand(self) -> int:
        return sum(1 for row in self.rows if row.pairing.by_hand)


def draft_rounds(*, stage: Stage) -> list[DraftRound]:
    """The drafts of a stage in order, with the points everybody has now."""
    chosen, snapshot = get_format(stage.format), take_snapshot(stage=stage)
    hall = hall_of(tournament=stage.tournament)
    return [
        DraftRound(
            round_, chosen.round_name(snapshot, round_.number), _rows(round_, snapshot, hall), chosen.has_bracket
        )
        for round_ in stage.rounds.filter(published_at__isnull=True).order_by("number")
    ]


def _rows(round_: Round, snapshot: Snapshot, hall: Hall) -> tuple[DraftRow, ...]:
    """The pairings of a draft at the tables they would get if it were published now."""
    stored = list(round_.pairings.select_related("round", "a", "b", "match").order_by("number"))
    find_tables(pairings=stored, hall=hall)
    sides = tuple(as_engine(pairing) for pairing in stored)
    news = get_format(round_.stage.format).judge(snapshot, round_.number, sides)
    judged = tuple(note for note in engine_pairing.judge(snapshot, sides) if note in news or note.code == "rematch")
    return tuple(DraftRow(pairing, _points(pairing, snapshot), _against(pairing, judged)) for pairing in stored)


def _points(pairing: Pairing, snapshot: Snapshot) -> tuple[int, int]:
    second = 0 if pairing.b_id is None else snapshot.records[pairing.b_id].points
    return snapshot.records[pairing.a_id].points, second


def _against(pairing: Pairing, judged: tuple[Note, ...]) -> tuple[Note, ...]:
    sides = {pairing.a_id, pairing.b_id}
    return tuple(note for note in judged if _is_about(dict(note.params), sides))


def _is_about(params: dict[str, int], sides: set[int | None]) -> bool:
    if "a" in params:
        return {params["a"], params["b"]} == sides
    return params.get("entry") in sides
