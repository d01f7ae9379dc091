"""What is wrong with places, whoever made them: the check of a move by hand, and of the planner itself."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from tournaments.engine.scheduling.facts import Assignment, Hall, Match, State, Table, in_order
from tournaments.engine.scheduling.hours import fits, hours_of, suits

CLASHES = (
    "table_twice",  # other: the match that has the table, or leaves it too late; who: the table
    "player_twice",  # other, who: a player who is in both at once
    "player_unrested",  # other, who: a player with too little rest between the two
    "referee_twice",  # other, who
    "before_feed",  # other: the match that must be over before
    "feed_unrested",  # other: whoever comes of it has too little rest
    "too_early",  # earlier than it may begin
    "too_short",  # it has less time than it takes
    "hall_closed",  # outside the opening hours
    "in_break",  # who: the break
    "table_closed",  # who: the table
    "table_unfit",  # who: a table without what the match asks for, or kept for others
    "table_out",  # who: a table out of use
    "player_away",  # who: outside a player's hours
    "referee_away",  # who: outside a referee's hours, or not at this table
)
"""Every code of `Clash.code`."""


@dataclass(frozen=True, slots=True, order=True)
class Clash:
    """Something wrong with the place of a match; `other` is the match it clashes with, `who` a player, table, …"""

    match: str
    code: str
    other: str = ""
    who: str = ""


def clashes(
    *, matches: Iterable[Match], hall: Hall, places: Iterable[Assignment], moved: str | None = None
) -> tuple[Clash, ...]:
    """All that is wrong with these places, in order of matches; () where nothing is.

    Of two that clash the later one is named `match`. What is called, being played or over is a fact: it is never
    wrong by itself, but what waits can clash with it. `moved` asks only for what has to do with one match.
    """
    told = {match.key: match for match in in_order(matches)}
    known = sorted((each for each in places if each.match in told), key=lambda a: (a.start, a.end, a.match))
    found: set[Clash] = set()
    for place in known:
        if place.state is State.WAITING:
            found.update(_alone(told[place.match], place, hall))
    found.update(_of_feeds(told, known, hall))
    found.update(_together(told, known, hall))
    return tuple(sorted(clash for clash in found if moved is None or moved in (clash.match, clash.other)))


def _alone(match: Match, place: Assignment, hall: Hall) -> Iterator[Clash]:
    """A match against hours, breaks and what its table is."""
    start, end = place.start, place.end
    if match.earliest is not None and start < match.earliest:
        yield Clash(match.key, "too_early")
    if end - start < match.length:
        yield Clash(match.key, "too_short")
    if not fits(hours_of(hall.hours), start, end):
        yield Clash(match.key, "hall_closed")
    for each in hall.breaks:
        if (not each.tournaments or match.tournament in each.tournaments) and start < each.end and each.start < end:
            yield Clash(match.key, "in_break", who=each.key)
    for table in hall.tables:
        if table.key == place.table:
            yield from _at_table(match, place, table)
    for person in hall.people:
        if person.key in match.players and not fits(hours_of(person.hours), start, end):
            yield Clash(match.key, "player_away", who=person.key)
    for referee in hall.referees:
        is_there = not referee.tables or place.table in referee.tables
        if referee.key == place.referee and not (is_there and fits(hours_of(referee.hours), start, end)):
            yield Clash(match.key, "referee_away", who=referee.key)


def _at_table(match: Match, place: Assignment, table: Table) -> Iterator[Clash]:
    """A match against its table. A promised one need not have what the match asks for: somebody chose it."""
    if table.out_of_use:
        yield Clash(match.key, "table_out", who=table.key)
    if not fits(hours_of(table.hours), place.start, place.end):
        yield Clash(match.key, "table_closed", who=table.key)
    if match.table != table.key and not suits(match, table):
        yield Clash(match.key, "table_unfit", who=table.key)


def _of_feeds(told: dict[str, Match], places: list[Assignment], hall: Hall) -> Iterator[Clash]:
    """A match against those that must be over before it."""
    at = {place.match: place for place in places}
    rests = {person.key: person.rest for person in hall.people if person.rest is not None}

    def due(players: tuple[str, ...]) -> int:
        known = [rests.get(player, hall.rest) for player in players]
        return max(known) if len(known) > 1 else hall.rest

    for place in places:
        match = told[place.match]
        if place.state is not State.WAITING:
            continue
        for feed in (at[key] for key in match.feeds if key in at):
            if place.start < feed.end:
                yield Clash(match.key, "before_feed", feed.match)
            elif (
                feed.end > feed.start
                and len(match.players) < 2
                and place.start < feed.end + due(told[feed.match].players)
            ):
                yield Clash(match.key, "feed_unrested", feed.match)


def _together(told: dict[str, Match], places: list[Assignment], hall: Hall) -> Iterator[Clash]:
    """Whoever and whatever is in two places."""
    rests = {person.key: person.rest for person in hall.people if person.rest is not None}
    of: dict[tuple[str, str], list[Assignment]] = defaultdict(list)
    for place in places:
        for player in told[place.match].players:
            of["player", player].append(place)
        if place.table is not None:
            of["table", place.table].append(place)
        if place.referee is not None:
            of["player", place.referee].append(place)
    for (kind, key), taken in of.items():
        pause = hall.turnover if kind == "table" else rests.get(key, hall.rest)
        for a, b in _close(taken, pause):
            plays = all(key in told[place.match].players for place in (a, b))
            if kind == "table":
                yield Clash(b.match, "table_twice", a.match, key)
            elif b.start < a.end:
                yield Clash(b.match, "player_twice" if plays else "referee_twice", a.match, key)
            elif plays:
                yield Clash(b.match, "player_unrested", a.match, key)


def _close(places: list[Assignment], pause: int) -> Iterator[tuple[Assignment, Assignment]]:
    """Two with less than a pause between them, the earlier one first; what did not take place takes no time."""
    taking = [place for place in places if place.end > place.start]
    for at, a in enumerate(taking):
        for b in taking[at + 1 :]:
            if b.start < a.end + pause and State.WAITING in (a.state, b.state):
                yield a, b
