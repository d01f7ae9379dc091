"""The final table once more, from the rehearsal's own notes alone: what the server should have come to.

Nothing here is shared with the server's engine; both follow the same written rules. Points are 3, 1, 0 and 3 for a bye.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from tournaments.management.rehearsal.fates import Result

WIN, TIE, BYE = 3, 1, 3


@dataclass(frozen=True, slots=True)
class Meeting:
    """What was played in a round: two players and how it ended; `b` and `result` None is a bye."""

    round: int
    a: int
    b: int | None
    result: Result | None


@dataclass(frozen=True, slots=True)
class Line:
    """A row of the final table."""

    rank: int
    points: int
    wins: int
    losses: int
    byes: int
    sets_won: int
    sets_lost: int
    values: tuple[int, ...]  # tie-breaks in the order of the format's chain; none in a bracket


class Table:
    """The notes of one tournament, and the ranking they come to."""

    def __init__(self, *, players: Iterable[int], meetings: Iterable[Meeting]) -> None:
        self.players = list(players)
        self.meetings = list(meetings)

    # --- Numbers of one player.

    def mine(self, player: int) -> list[tuple[int | None, Result | None, str]]:
        """Every round of a player: opponent, result, and the player's own side."""
        found: list[tuple[int | None, Result | None, str]] = []
        for meeting in self.meetings:
            if meeting.a == player:
                found.append((meeting.b, meeting.result, "a"))
            elif meeting.b == player:
                found.append((meeting.a, meeting.result, "b"))
        return found

    def points(self, player: int) -> int:
        return sum(_earned(result, side) for _, result, side in self.mine(player))

    def record(self, player: int) -> tuple[int, int, int, int, int]:
        """Wins, losses, byes, sets won and sets lost. Nobody ties in a rehearsal."""
        wins = losses = byes = won = lost = 0
        for _, result, side in self.mine(player):
            if result is None:
                byes += 1
                continue
            wins += result.winner == side
            losses += result.winner != side
            won += result.sets["ab".index(side)]
            lost += result.sets["ba".index(side)]
        return wins, losses, byes, won, lost

    # --- Rankings.

    def swiss(self) -> dict[int, Line]:
        """By points, Buchholz cut 1, Buchholz, head-to-head and set difference."""
        cut = {player: self.buchholz(player, cut=1) for player in self.players}
        whole = {player: self.buchholz(player) for player in self.players}
        return self._ranked(cut, whole, everybody_met=False)

    def round_robin(self) -> dict[int, Line]:
        """By points, head-to-head, set difference and Sonneborn-Berger."""
        return self._ranked(everybody_met=True)

    def elimination(self) -> dict[int, Line]:
        """By the round of exit: who went out in the same one shares a place."""
        depth = (len(self.players) - 1).bit_length()
        out: dict[int, int] = dict.fromkeys(self.players, 1)
        for meeting in self.meetings:
            if meeting.result is not None and meeting.b is not None:
                for player, side in ((meeting.a, "a"), (meeting.b, "b")):
                    if meeting.result.winner != side:
                        out[player] = (1 << (depth - meeting.round)) + 1
        return {player: self._line(player, out[player], ()) for player in self.players}

    def _ranked(self, *first: dict[int, int], everybody_met: bool) -> dict[int, Line]:
        """Groups of the level, split by one criterion after the other."""
        points = {player: self.points(player) for player in self.players}
        groups = _split([self.players], points)
        for values in first:
            groups = _split(groups, values)
        heads: dict[int, int] = {}
        for group in groups:
            heads |= self._head_to_head(group, everybody_met=everybody_met)
        groups = _split(groups, heads)
        last = [{player: self._difference(player) for player in self.players}]
        if everybody_met:
            last.append({player: self.sonneborn_berger(player) for player in self.players})
        for values in last:
            groups = _split(groups, values)
        lines: dict[int, Line] = {}
        for group in groups:
            rank = len(lines) + 1
            for player in group:
                lines[player] = self._line(player, rank, tuple(values[player] for values in (*first, heads, *last)))
        return lines

    def _line(self, player: int, rank: int, values: tuple[int, ...]) -> Line:
        return Line(rank, self.points(player), *self.record(player), values)

    # --- Tie-breaks.

    def _difference(self, player: int) -> int:
        *_, won, lost = self.record(player)
        return won - lost

    def buchholz(self, player: int, *, cut: int = 0) -> int:
        """The points of all opponents, the `cut` least left out; rounds not played count as FIDE C.07.16 has it.

        A bye counts an opponent with one's own points, but no more than ties in all rounds would bring; a walkover and
        a no-show one with as many points as the lower of the two has. What one stayed away from oneself is cut first.
        """
        own = self.points(player)
        rounds = len({meeting.round for meeting in self.meetings})
        worth: list[tuple[bool, int]] = []  # whether it was not one's own doing, and what it counts
        for opponent, result, side in self.mine(player):
            if opponent is None or result is None:
                worth.append((True, min(own, TIE * rounds)))
            elif result.kind in ("walkover", "double_no_show"):
                worth.append((result.winner == side, min(own, self.points(opponent))))
            else:
                worth.append((True, self.points(opponent)))
        return sum(value for _, value in sorted(worth)[cut:])

    def sonneborn_berger(self, player: int) -> int:
        """What was earned against each opponent times that opponent's points; in a round robin all is played."""
        return sum(
            _earned(result, side) * self.points(opponent)
            for opponent, result, side in self.mine(player)
            if opponent is not None
        )

    def _head_to_head(self, group: list[int], *, everybody_met: bool) -> dict[int, int]:
        """How many of a group each is ahead of by the matches among them."""
        ordered = self._by_meetings(group, everybody_met)
        return {
            player: sum(len(part) for part in ordered[place + 1 :]) for place, g in enumerate(ordered) for player in g
        }

    def _by_meetings(self, group: list[int], everybody_met: bool) -> list[list[int]]:
        """A group best first: a league of its own where all have met, else only who is first whatever is missing."""
        league = {player: self._league(player, group, everybody_met) for player in group}
        missing = {player: len(group) - 1 - met for player, (_, _, met) in league.items()}
        if not any(missing.values()):
            results = {player: (points, difference) for player, (points, difference, _) in league.items()}
            parts = [[p for p in group if results[p] == each] for each in sorted(set(results.values()), reverse=True)]
            if len(parts) < 2:
                return parts
            return [each for part in parts for each in self._by_meetings(part, everybody_met)]
        for player in group:
            if all(league[player][0] > league[other][0] + WIN * missing[other] for other in group if other != player):
                rest = [other for other in group if other != player]
                return [[player], *self._by_meetings(rest, everybody_met)]
        return [group]

    def _league(self, player: int, group: list[int], everybody_met: bool) -> tuple[int, int, int]:
        """Points, set difference and opponents met within a group; without the rounds that were not played."""
        points = difference = 0
        met = set()
        for opponent, result, side in self.mine(player):
            if opponent not in group or result is None:
                continue
            if everybody_met or result.kind in ("score", "forfeit"):
                met.add(opponent)
                points += _earned(result, side)
                difference += result.sets["ab".index(side)] - result.sets["ba".index(side)]
        return points, difference, len(met)


def _earned(result: Result | None, side: str) -> int:
    if result is None:
        return BYE
    return WIN if result.winner == side else 0


def _split(groups: list[list[int]], values: dict[int, int]) -> list[list[int]]:
    return [
        [player for player in group if values[player] == each]
        for group in groups
        for each in sorted({values[player] for player in group}, reverse=True)
    ]
