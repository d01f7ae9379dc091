"""A double elimination: every meeting of both brackets, the second final, and the places.

A match is [winner, loser, score of the winner, score of the loser, round, …]; rounds of the losers' bracket are
negative. Players are numbered by seed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from tournaments.engine.formats import get_format
from tournaments.engine.snapshot import Entry, Pairing, Result, ResultKind, Snapshot

_FORMAT = get_format("double_elimination")


def differences(event: Mapping[str, Any]) -> Iterator[str]:
    """Play the bracket with the published winners: whoever meets here must have met there, in the same bracket."""
    left = sorted(event["matches"], key=lambda match: abs(match[4]))
    entries = tuple(Entry(seed, seed) for seed in range(1, event["entrants"] + 1))
    stage = Snapshot(entries, options=_FORMAT.Options())
    while planned := _FORMAT.pair(stage):
        made: list[Pairing] = []
        for round_ in planned:
            name = _FORMAT.round_name(stage, round_.number).code
            for p in round_.pairings:
                pairing = Pairing(round_.number, p.number, p.a, p.b)
                if p.b is not None:
                    match = next((m for m in left if {m[0], m[1]} == {p.a, p.b} and _is_of(name, m)), None)
                    if match is None:
                        yield f"{name}: {p.a} and {p.b} meet here"
                        return
                    left.remove(match)
                    winner = "a" if match[0] == p.a else "b"
                    pairing = replace(pairing, result=Result(ResultKind.SCORE, _clean(winner), winner))
                made.append(pairing)
        stage = replace(stage, pairings=(*stage.pairings, *made))
    yield from (f"{match[5]}: {match[0]} and {match[1]} do not meet here" for match in left)
    places = _FORMAT.places(stage) or {}
    for place, player in event["placements"]:
        if places.get(player) != place:
            yield f"place of {player}: {place} published, {places.get(player)} here"


def _is_of(round_name: str, match: Sequence[Any]) -> bool:
    """Whether a published match is in the part of the bracket that a round here is in."""
    part = "losers" if match[4] < 0 else "grand" if match[5].startswith("Grand") else "winners"
    return round_name.startswith(part)


def _clean(winner: str) -> tuple[int, int]:
    return (3, 0) if winner == "a" else (0, 3)
