"""A Swiss of chess: points and tie-breaks by the FIDE rules, half points, colours.

`games` of a player has for each round [result or null, opponent or "BYE" or null, flag]: the flag is w or b for the
colour, f for a forfeit or a bye, - for an absence. Numbers here are doubled, so that half points are whole.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import pairwise
from typing import Any, Final

from tournaments.engine.formats.swiss import SwissOptions
from tournaments.engine.regulations import FideEdition
from tournaments.engine.snapshot import Bye, Entry, Pairing, Points, Result, ResultKind, Snapshot
from tournaments.engine.tiebreaks import get_tiebreak
from tournaments.management.corpora.numbers import last_digit
from tournaments.management.corpora.rounds import better_rounds

_TIEBREAKS: Final[Mapping[str, tuple[str, int]]] = {
    "BH": ("buchholz", 2),
    "BH-C1": ("buchholz_cut_1", 2),
    "BH-C2": ("buchholz_cut_2", 2),
    "BH-M": ("buchholz_median", 2),
    "SB": ("sonneborn_berger", 4),
    "PS": ("progressive", 2),
    "KS": ("koya", 2),
    "WIN": ("wins", 1),
    "BWG": ("wins_as_second", 1),
}
"""Column to tie-break, and by how much its numbers are larger here."""

_BYES: Final = {Fraction(0): Bye.ZERO, Fraction(1, 2): Bye.HALF, Fraction(1): Bye.GIVEN}


def differences(event: Mapping[str, Any]) -> Iterator[str]:
    """Points and tie-breaks of every player, the order, meetings, and colours."""
    snapshot = snapshot_of(event)
    yield from _unlike_sides(event)
    met: set[frozenset[int | None]] = set()
    for pairing in snapshot.pairings:
        if pairing.b is not None and pairing.was_played:
            if frozenset((pairing.a, pairing.b)) in met:
                yield f"round {pairing.round}: {pairing.a} and {pairing.b} meet again"
            met.add(frozenset((pairing.a, pairing.b)))
    yield from better_rounds(snapshot, event["rounds"])
    everybody = list(snapshot.by_id)
    columns: dict[str, dict[int, Fraction]] = {
        "Pts": {entry: Fraction(record.points, 2) for entry, record in snapshot.records.items()}
    }
    for name in event["tie_break_order"]:
        if name in _TIEBREAKS:
            key, scale = _TIEBREAKS[name]
            found = get_tiebreak(key).values(snapshot, everybody)
            columns[name] = {entry: Fraction(value) / scale for entry, value in found.items()}
        elif name not in columns:
            yield f"no tie-break called {name}"
    standings = sorted(event["standings"], key=lambda row: row["rank"])
    rounded = {name: last_digit(row[name] for row in standings if name in row) / 2 for name in columns}
    for row in standings:
        for name, values in columns.items():
            if name in row and abs(Fraction(row[name]) - values[row["id"]]) > rounded[name]:
                yield f"{name} of {row['id']}: {row[name]} published, {values[row['id']]} here"
    order = [name for name in event["tie_break_order"] if name in columns]
    for above, below in pairwise(standings):
        mine, theirs = ([columns[name][row["id"]] for name in order] for row in (above, below))
        if mine < theirs:
            yield f"order: {above['id']} is published above {below['id']}"


def snapshot_of(event: Mapping[str, Any]) -> Snapshot:
    """The event as the engine sees it; White has the first turn."""
    games = {player["id"]: player["games"] for player in event["players"]}
    pairings = []
    for number in range(1, event["rounds"] + 1):
        place = 0
        for player, rounds in games.items():
            result, opponent, flag = rounds[number - 1] if number <= len(rounds) else (None, None, "-")
            if opponent is None or (opponent != "BYE" and not _is_first(games, number, player, opponent)):
                continue
            place += 1
            if opponent == "BYE":
                pairings.append(Pairing(number, place, player, None, bye=_BYES[Fraction(result or 0)]))
            else:
                other = games[opponent][number - 1]
                forfeit = "f" in (flag, other[2])
                pairings.append(Pairing(number, place, player, opponent, _result(result, other[0], forfeit)))
    edition: FideEdition = "2026" if "2026" in event["rule_version"] else "2023"
    return Snapshot(
        entries=tuple(Entry(player, seed) for seed, player in enumerate(sorted(games), start=1)),
        pairings=tuple(pairings),
        options=SwissOptions(rounds=event["rounds"], unplayed=edition),
        points=Points(win=2, tie=1, loss=0, bye=2),
        sets_to_win=1,
    )


def _is_first(games: Mapping[int, Any], number: int, player: int, opponent: int) -> bool:
    """Whether the game is told from this side: that of White, or of the lower number where there is no colour."""
    flags = (games[player][number - 1][2], games[opponent][number - 1][2])
    return flags[0] == "w" or ("w" not in flags and player < opponent)


def _result(mine: Any, theirs: Any, forfeit: bool) -> Result | None:
    if mine is None or theirs is None:
        return None
    one, other = Fraction(mine), Fraction(theirs)
    winner = "a" if one > other else "b" if other > one else None
    if winner is None and not one:
        return Result(ResultKind.DOUBLE_NO_SHOW, (0, 0), None)
    sets = (int(winner == "a"), int(winner == "b"))
    return Result(ResultKind.WALKOVER if forfeit and winner else ResultKind.SCORE, sets, winner)


def _unlike_sides(event: Mapping[str, Any]) -> Iterator[str]:
    """Games that the two players tell differently: another opponent, or the same colour."""
    games = {player["id"]: player["games"] for player in event["players"]}
    for player, rounds in games.items():
        for number, (_, opponent, flag) in enumerate(rounds, start=1):
            if opponent is None or opponent == "BYE":
                continue
            _, back, other_flag = games[opponent][number - 1]
            if back != player:
                yield f"round {number}: {player} met {opponent}, who met {back}"
            elif flag in ("w", "b") and flag == other_flag:
                yield f"round {number}: {player} and {opponent} both have {flag}"
