"""A table as the API tells it: built from what the engine shows its reader, and from nothing else."""

from __future__ import annotations

from typing import Any

from matches.engine import Draw, End, Move, Onlooker, OpenSet, Phase, Play, Ruling, Stand, View
from matches.engine.notation import word_of
from matches.engine.state import LETTERS
from matches.live import game_topic
from matches.models import Way
from matches.queries.games import GameView, OpenRecord
from matches.queries.replays import Replay
from matches.words import total_after

NEXT, AGAIN = "next", "again"
"""What a player says to have the next set dealt; and in practice after too many ties, where no referee is."""
SEATS = "ab"


def unopened() -> dict[str, Any]:
    """A table nobody has sat down to."""
    return {
        "state": "unopened",
        "viewer": str(Onlooker.SPECTATOR),
        "topic": None,
        "position": None,
        "ready": [False, False],
        "is_paused": False,
        "is_called": False,
        "turn": None,
        "opener": None,
        "next_opener": None,
        "high_cards": [],
        "sides": [],
        "moves": [],
        "sets": [],
        "outcome": None,
        "deal": None,
        "clock": None,
        "step": None,
    }


def table_row(seen: GameView) -> dict[str, Any]:
    """A game as its viewer may know it now."""
    game, deal = seen.game, seen.deal
    return {
        **_view_row(seen.table),
        "state": _state(seen),
        "topic": game_topic(game.pk),
        "position": seen.position,
        "ready": list(seen.is_ready),
        "is_paused": game.paused_at is not None,
        "is_called": game.called_at is not None,
        "high_cards": seen.high_cards,
        "moves": _moves(seen),
        "deal": None if deal is None else {"commitment": deal.commitment, "words": deal.words, "seed": deal.seed},
        "clock": {
            "turn_seconds": game.turn_seconds,
            "match_seconds": game.match_seconds,
            "on_timeout": game.on_timeout,
            "spent": [game.spent_a, game.spent_b],
            "runs_out_at": seen.runs_out_at,
        },
        "step": None,
    }


def step_row(seen: GameView, opened: OpenRecord, *, at: int) -> dict[str, Any]:
    """The table of a game that is over, so many moves after its beginning, as everybody may see it."""
    replay = Replay(opened, at=at)
    made = None if replay.step is None else _written(replay.step.move)
    view = replay.table
    state = {Phase.OVER: "over", Phase.BETWEEN: "between" if replay.at else "ready"}.get(view.phase, "open")
    return {
        **table_row(seen),
        **_view_row(view),
        "state": state,
        "moves": [],
        "step": {"at": replay.at, "last": replay.last, "made": made},
    }


def record_row(opened: OpenRecord, text: str, *, is_over: bool) -> dict[str, Any]:
    """A record as everybody may have it."""
    moves = len(opened.record.moves)
    return {"text": text, "moves": moves, "is_over": is_over, "is_whole": opened.is_whole}


def _state(seen: GameView) -> str:
    if not seen.has_begun:
        return "ready"
    if seen.is_over:
        return "over"
    if seen.table.ruling_due:
        return "ruling"
    return "between" if seen.is_between else "open"


def _view_row(view: View) -> dict[str, Any]:
    return {
        "viewer": SEATS[view.viewer] if isinstance(view.viewer, int) else str(view.viewer),
        "turn": _seat(view.turn),
        "opener": _seat(view.opener),
        "next_opener": _seat(view.next_opener),
        "sides": [_side(view, seat) for seat in (0, 1)],
        "sets": [{"winner": _seat(each.winner), "reason": each.reason, "totals": each.totals} for each in view.results],
        "outcome": None
        if view.outcome is None
        else {"winner": SEATS[view.outcome.winner], "ending": view.outcome.ending},
    }


def _seat(seat: int | None) -> str | None:
    return None if seat is None else SEATS[seat]


def _side(view: View, seat: int) -> dict[str, Any]:
    side = view.sides[seat]
    return {
        "seat": SEATS[seat],
        "total": side.total,
        "stood": side.stood,
        "sets": view.sets[seat],
        "board": [{"card": placed.token, "counts": placed.value} for placed in side.board],
        "cards": side.cards,
        "spent": side.spent,
        "hand": side.hand,
        "side_deck": side.side_deck,
    }


def _moves(seen: GameView) -> list[dict[str, Any]]:
    """What the viewer may do now, in the words they send. At a real table the referee enters everything."""
    if seen.is_stopped or seen.is_over or seen.viewer is Onlooker.SPECTATOR:
        return []
    if seen.viewer is Onlooker.REFEREE:
        return [{"move": _written(move), "makes": _makes(seen.table, move)} for move in seen.table.moves]
    if seen.game.way != Way.HERE:
        return []
    if seen.is_between:
        return [{"move": NEXT, "makes": None}]
    if seen.table.ruling_due and seen.game.policy:
        return [{"move": AGAIN, "makes": None}]
    return [{"move": word_of(move), "makes": _makes(seen.table, move)} for move in seen.table.moves]


def _written(move: Move) -> str:
    """A move as the record writes it, with the side that makes it."""
    is_of_nobody = isinstance(move, OpenSet | Ruling)
    return word_of(move) if is_of_nobody else f"{LETTERS[move.seat]} {word_of(move)}"  # type: ignore[union-attr]


def _makes(view: View, move: Move) -> int | None:
    if isinstance(move, Play):
        return total_after(view, move)
    if isinstance(move, Draw):
        return view.sides[move.seat].total + move.value
    return view.sides[move.seat].total if isinstance(move, End | Stand) else None
