"""A Swiss of a card game: three points a win, and the percentages of opponents and games; and the cut after it.

A match is [player, opponent or null for a bye, "won-lost-tied games" of the first].
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any, Final

from tournaments.engine.formats.single_elimination import SingleElimination
from tournaments.engine.formats.swiss import SwissOptions
from tournaments.engine.snapshot import Bye, Entry, Pairing, Result, ResultKind, Snapshot
from tournaments.engine.tiebreaks import get_tiebreak
from tournaments.management.corpora.numbers import last_digit
from tournaments.management.corpora.rounds import better_rounds

_COLUMNS: Final = {"omw": "opponents_match_wins", "gw": "set_wins", "ogw": "opponents_set_wins"}
_GAMES_TO_WIN: Final = 2
_THIRD: Final = Fraction(1, 3)


def differences(event: Mapping[str, Any]) -> Iterator[str]:
    """Points and percentages of every player, the order, and in the Swiss rounds: who meets again, who has two byes."""
    snapshot = snapshot_of(event)
    yield from _twice(snapshot, event["swiss_rounds"])
    yield from better_rounds(snapshot, event["swiss_rounds"])
    everybody = list(snapshot.by_id)
    values = {
        name: {entry: Fraction(value) for entry, value in get_tiebreak(key).values(snapshot, everybody).items()}
        for name, key in _COLUMNS.items()
    }
    points = {entry: record.points for entry, record in snapshot.records.items()}
    rows = sorted(event["standings"], key=lambda row: row["rank"])
    digit = {name: last_digit(row[name] for row in rows) for name in values}
    if _with_floor(rows, values["gw"], digit["gw"]):
        values["gw"] = {entry: max(_THIRD, value) for entry, value in values["gw"].items()}
    for row in rows:
        player = row["player"]
        if row["points"] != points[player]:
            yield f"points of {player}: {row['points']} published, {points[player]} here"
        for name, column in values.items():
            if abs(Fraction(row[name]) - column[player]) >= digit[name]:  # some round the last one, some cut it off
                yield f"{name} of {player}: {row[name]} published, {column[player]} here"
    yield from _disorder(
        rows, "player", lambda row: [points[row["player"]], *(values[n][row["player"]] for n in values)]
    )


def cut_differences(event: Mapping[str, Any]) -> Iterator[str]:
    """The order by points and percentages, and the matches of the best after it: players are numbered by rank."""
    rows = sorted(event["standings"], key=lambda row: row["rank"])
    yield from _disorder(rows, "rank", lambda row: [row["points"], *(Fraction(row[name]) for name in _COLUMNS)])
    rounds = [match for round_ in event["rounds"] for match in round_["matches"]]
    size = 2 * len(event["rounds"][0]["matches"])
    bracket = SingleElimination()
    stage = Snapshot(tuple(Entry(place, place) for place in range(1, size + 1)), sets_to_win=_GAMES_TO_WIN)
    left = {frozenset(match[:2]): match for match in rounds}
    while planned := bracket.pair(stage):
        for made in planned:
            for p in made.pairings:
                match = left.pop(frozenset((p.a, p.b)), None)
                if match is None:
                    yield f"{bracket.round_name(stage, made.number).code}: {p.a} meets {p.b} here"
                    return
                result = _result(match[2])
                done = Pairing(made.number, p.number, match[0], match[1], result)
                stage = Snapshot(stage.entries, (*stage.pairings, done), sets_to_win=_GAMES_TO_WIN)
    yield from (f"{' and '.join(map(str, sorted(pair)))} do not meet here" for pair in left)


def snapshot_of(event: Mapping[str, Any]) -> Snapshot:
    """The event as the engine sees it."""
    pairings = [
        Pairing(number, place, a, b, _result(games)) if b is not None else _bye(number, place, a, games)
        for number, round_ in enumerate(event["rounds"], start=1)
        for place, (a, b, games) in enumerate(round_["matches"], start=1)
    ]
    players = {row["player"] for row in event["standings"]}
    players |= {side for pairing in pairings for side in (pairing.a, pairing.b) if side is not None}
    return Snapshot(
        entries=tuple(Entry(player, seed) for seed, player in enumerate(sorted(players), start=1)),
        pairings=tuple(pairings),
        options=SwissOptions(rounds=len(event["rounds"])),
        sets_to_win=_GAMES_TO_WIN,
    )


def _result(games: str) -> Result:
    won, lost, tied = map(int, games.split("-"))
    winner = "a" if won > lost else "b" if lost > won else None
    return Result(ResultKind.SCORE, (won, lost), winner, tied)


def _bye(number: int, place: int, player: int, games: str) -> Pairing:
    """A bye; a round somebody is down for but lost without an opponent is an absence."""
    won, lost, _ = map(int, games.split("-"))
    return Pairing(number, place, player, None, bye=Bye.GIVEN if won > lost else Bye.ZERO)


def _with_floor(rows: Sequence[Mapping[str, Any]], shares: Mapping[int, Fraction], digit: Fraction) -> bool:
    """Whether the file shows no share of games below the floor: older ones do not, newer ones do."""
    low = [row for row in rows if shares[row["player"]] < _THIRD]
    return any(abs(Fraction(row["gw"]) - _THIRD) < digit for row in low)


def _twice(snapshot: Snapshot, rounds: int) -> Iterator[str]:
    met: set[frozenset[int | None]] = set()
    for pairing in snapshot.pairings:
        if pairing.round <= rounds:
            sides = frozenset((pairing.a, pairing.b))
            if sides in met:
                yield f"round {pairing.round}: {pairing.a} " + ("meets again" if pairing.b else "has a second bye")
            met.add(sides)


def _disorder(
    rows: Sequence[Mapping[str, Any]], name: str, worth: Callable[[Mapping[str, Any]], list[Fraction | int]]
) -> Iterator[str]:
    for above, below in pairwise(rows):
        if worth(above) < worth(below):
            yield f"order: {above[name]} is published above {below[name]}"
