"""What a stage has to play and which match waits for which: from a format and its snapshot to matches of a plan."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import pairwise

from tournaments.engine.formats.base import BracketMatch, Format
from tournaments.engine.scheduling.facts import Match, State
from tournaments.engine.snapshot import EntryStatus, Pairing, Snapshot

Place = tuple[int, int]


def key_of(stage: str, number: int, place: int) -> str:
    """The key in a plan of the match at a place of a round, there before the match itself is."""
    return f"{stage}/{number}/{place}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Fixtures:
    """How the matches of a stage are told to the planner.

    `stage` begins their keys. `person` gives the key of the player an entry is, the same in all tournaments, or None
    where nobody knows yet who it will be. `after` are keys of matches before the first of this stage, such as all of a
    group stage. `by_rounds`: a round begins when the one before it is over, also where all pairings are known.
    """

    stage: str
    length: int
    tournament: str = ""
    person: Callable[[int], str | None] = str
    after: tuple[str, ...] = ()
    by_rounds: bool = False

    def of(self, chosen: Format, snapshot: Snapshot) -> tuple[Match, ...]:
        """Every match of the stage, over or to come, by round and number. Byes and sides that stay empty are none.

        A bracket's matches name those that feed them. Rounds that cannot be paired yet have their number of matches,
        without players. Who is called, where and when are for the caller to add (`dataclasses.replace`).
        """
        if chosen.has_bracket:
            found = self._bracket(chosen, snapshot)
            return (*found, *self._listed(snapshot.play_offs, {}))
        planned = [Pairing(r.number, p.number, p.a, p.b, bye=p.bye) for r in chosen.pair(snapshot) for p in r.pairings]
        rounds: dict[int, list[Pairing]] = {}
        for pairing in (*snapshot.pairings, *planned):
            rounds.setdefault(pairing.round, []).append(pairing)
        before = self._before(rounds) if self.by_rounds else {}
        found = self._listed([pairing for number in sorted(rounds) for pairing in rounds[number]], before)
        last = max(rounds, default=0)
        feeds = tuple(match.key for match in found if match.order[0] == last) or self.after
        for number in range(last + 1, chosen.rounds_planned(snapshot) + 1):
            made = self._unknown(snapshot, number, feeds)
            feeds = tuple(match.key for match in made) or feeds
            found += made
        return (*found, *self._listed(snapshot.play_offs, {}))

    def _match(self, place: Place, entries: Iterable[int], feeds: Iterable[str], *, is_over: bool) -> Match:
        people = (self.person(entry) for entry in entries)
        return Match(
            key=key_of(self.stage, *place),
            length=self.length,
            players=tuple(person for person in people if person is not None),
            feeds=tuple(feeds),
            state=State.OVER if is_over else State.WAITING,
            tournament=self.tournament,
            order=place,
        )

    def _listed(self, pairings: Iterable[Pairing], before: dict[int, tuple[str, ...]]) -> list[Match]:
        """Pairings with two sides, each after the matches its round waits for."""
        return [
            self._match((p.round, p.number), (p.a, p.b), before.get(p.round, self.after), is_over=p.result is not None)
            for p in sorted(pairings, key=lambda p: (p.round, p.number))
            if p.b is not None
        ]

    def _before(self, rounds: dict[int, list[Pairing]]) -> dict[int, tuple[str, ...]]:
        """The matches of the round before, for each round but the first."""
        numbers = sorted(rounds)
        return {
            number: tuple(key_of(self.stage, p.round, p.number) for p in rounds[earlier] if p.b is not None)
            for earlier, number in pairwise(numbers)
        }

    def _unknown(self, snapshot: Snapshot, number: int, feeds: tuple[str, ...]) -> list[Match]:
        """A round nobody can pair yet."""
        playing = sum(entry.status is EntryStatus.ACTIVE and entry.since <= number for entry in snapshot.entries)
        return [self._match((number, place), (), feeds, is_over=False) for place in range(1, playing // 2 + 1)]

    def _bracket(self, chosen: Format, snapshot: Snapshot) -> list[Match]:
        places = {(m.round, m.number): m for column in chosen.bracket(snapshot) for m in column.matches}
        played = {place for place, match in places.items() if not (match.a.void or match.b.void)}

        def feeding(match: BracketMatch) -> set[Place]:
            """The matches that fill the sides; one that is not played is passed through."""
            found: set[Place] = set()
            for feed in (match.from_a, match.from_b):
                if feed is not None and feed.place in places:
                    found |= {feed.place} if feed.place in played else feeding(places[feed.place])
            return found

        return [
            self._match(
                place,
                [slot.entry for slot in (places[place].a, places[place].b) if slot.entry is not None],
                [key_of(self.stage, *each) for each in sorted(feeding(places[place]))] or self.after,
                is_over=_is_over(places[place]),
            )
            for place in sorted(played)
        ]


def _is_over(match: BracketMatch) -> bool:
    return match.winner is not None or (match.pairing is not None and match.pairing.result is not None)
