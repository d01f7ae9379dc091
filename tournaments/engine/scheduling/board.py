"""The list scheduler: from event to event of the day, every free table gets the match that needs it most."""

from __future__ import annotations

from bisect import insort
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from heapq import heapify, heappop, heappush

from tournaments.engine.scheduling.facts import Assignment, Hall, Match, Referee, State, Table, in_order
from tournaments.engine.scheduling.hours import FAR, Hours, fits, hours_of, suits, table_hours

OVERRUN = 60
"""Seconds a match is expected to go on for when it should have ended already and nobody says more."""

WAITS_FOR_A_SECOND = 2
"""Seconds of waiting that count as one second of way to the end. More is fairer and ends later: with 1 a double
elimination of 64 takes a round longer than it must."""

NEAR, FARTHER_COUNTS = 3600, 8
"""Where tournaments share a hall, of a way beyond an hour the rest counts an eighth: a short one has its turn too."""

LAST_OF = (0, 0, 72, 122, 161, 194, 223, 249, 273, 296, 316, 336, 355, 373, 390, 407)
"""How many hundredths of a standard deviation the last of many normal values is expected to be above their mean: for
none, 1, 2 to 3, 4 to 7, 8 to 15 and so on, each for the middle of them."""

Span = tuple[int, int]
Key = tuple[bool, int, int, int, int]


@dataclass(slots=True)
class Calendar:
    """When a player, referee or table is taken: `free` is when the last of what began ends, `taken` are later spans."""

    free: int = -FAR
    taken: list[Span] = field(default_factory=list)

    def allows(self, start: int, end: int, pause: int) -> bool:
        """Whether `start` up to `end` is free, with a pause on both sides; that before is in `free` already."""
        return self.free <= start and not any(s < end + pause and start < e + pause for s, e in self.taken)


def note_of(match: Match, start: int, table: str) -> str:
    """What is to be said of a place: one of NOTES or ""."""
    if match.table is not None and table != match.table:
        return "moved"
    return "late" if match.start is not None and start > match.start else ""


class Board:
    """The hall as it fills.

    `live` is for calls: a match is over when it is over, and only `now` counts. `wanted` are starts somebody thought
    out: who should begin first is then first.
    """

    def __init__(
        self,
        matches: Iterable[Match],
        hall: Hall,
        now: int,
        *,
        live: bool = False,
        wanted: Mapping[str, int] | None = None,
    ) -> None:
        self.hall, self.now, self.live = hall, now, live
        self.matches = tuple(in_order(matches))
        self.wanted = {m.key: m.wanted for m in self.matches if m.wanted is not None} | dict(wanted or {})
        self.is_shared = len({match.tournament for match in self.matches}) > 1
        self.index = {match.key: i for i, match in enumerate(self.matches)}
        self.rests = {person.key: person.rest for person in hall.people if person.rest is not None}
        self.person_hours = {person.key: hours_of(person.hours) for person in hall.people if person.hours}
        self.referee_hours = {referee.key: hours_of(referee.hours) for referee in hall.referees}
        self.tables = sorted(hall.tables, key=lambda table: (len(table.tags), table.order, table.key))
        self.referees = sorted(hall.referees, key=lambda r: (not r.tables, len(r.tables), r.key))
        self._link()
        self._measure()
        self.people: defaultdict[str, Calendar] = defaultdict(Calendar)
        self.seats = [Calendar() for _ in self.tables]
        self.found: dict[int, Assignment] = {}
        self.kept: dict[int, tuple[int, int, str | None]] = {}  # promises whose feeds have no place yet
        self.open_feeds = [len(feeds) for feeds in self.feeds]
        self.ready = [m.earliest if m.earliest is not None else -FAR for m in self.matches]
        self.ready += [-FAR] * (len(self.feeds) - len(self.matches))
        self.fed_at = [-FAR] * len(self.feeds)  # as `ready`, by what feeds it alone
        self.has_begun = False
        self._open: dict[int, int] = {}
        self._hours: dict[tuple[str, int], Hours] = {}
        self._allowed: dict[tuple[frozenset[str], str, str | None], tuple[int, ...]] = {}
        self.events: list[int] = []
        self.later: list[tuple[int, int, int, str]] = []  # promises that are kept: start, match, table, referee
        self.waiting: list[tuple[int, int]] = []
        self.pool: list[tuple[Key, int]] = []

    # What follows from the matches alone.

    def rest_of(self, person: str) -> int:
        """The rest a player has a right to."""
        return self.rests.get(person, self.hall.rest)

    def _link(self) -> None:
        """Who feeds whom, and an order in which each comes after those that feed it; `circle` are those without.

        Where a whole round feeds a whole round there is a gate between the two, numbered after the matches, so that
        there are not as many lines as pairs of matches.
        """
        count = len(self.matches)
        waiting = [match for match in self.matches if match.state is not State.OVER and len(match.feeds) > 1]
        alike = Counter((match.feeds, len(match.players) > 1) for match in waiting)
        gates: dict[tuple[tuple[str, ...], bool], int] = {}
        self.feeds: list[list[int]] = []
        for match in self.matches:
            asked = (match.feeds, len(match.players) > 1)
            if match.state is State.OVER:
                self.feeds.append([])
            elif alike[asked] > 1:
                self.feeds.append([gates.setdefault(asked, count + len(gates))])
            else:
                self.feeds.append(self._numbers(match.feeds))
        self.feeds += [self._numbers(keys) for keys, _ in gates]
        self.knows = [len(match.players) > 1 for match in self.matches] + [knows for _, knows in gates]
        self.length = [match.length for match in self.matches] + [0] * len(gates)
        self.fed: list[list[int]] = [[] for _ in self.feeds]
        for i, feeds in enumerate(self.feeds):
            for feed in feeds:
                self.fed[feed].append(i)
        missing = [len(feeds) for feeds in self.feeds]
        self.flow = [i for i, left in enumerate(missing) if not left]
        for i in self.flow:
            for j in self.fed[i]:
                missing[j] -= 1
                if not missing[j]:
                    self.flow.append(j)
        self.order = [i for i in self.flow if i < count]
        self.circle = frozenset(i for i, left in enumerate(missing) if left and i < count)

    def _numbers(self, keys: Iterable[str]) -> list[int]:
        return sorted({self.index[key] for key in keys if key in self.index})

    def is_gate(self, i: int) -> bool:
        """Whether a number is no match's."""
        return i >= len(self.matches)

    def sources(self, match: int) -> list[int]:
        """The matches that feed one."""
        feeds = self.feeds[match]
        return self.feeds[feeds[0]] if feeds and self.is_gate(feeds[0]) else feeds

    def _measure(self) -> None:
        """Rest due after a match, whoever comes of it; and how long it takes from its start to the end of all."""
        matches = self.matches
        self.due = [self.hall.rest] * len(self.feeds)
        for i in self.flow:
            known = [] if self.is_gate(i) else [self.rest_of(player) for player in matches[i].players]
            if len(known) < 2:
                known += [self.hall.rest, *(self.due[feed] for feed in self.feeds[i])]
            self.due[i] = max(known)
        self.tail = list(self.length)
        for i in reversed(self.flow):
            self.tail[i] += max((self.gap(i, j) + self.tail[j] for j in self.fed[i]), default=0)
        self.load: defaultdict[str, int] = defaultdict(int)
        for match in matches:
            if match.state is State.WAITING:
                for player in match.players:
                    self.load[player] += match.length + self.rest_of(player)

    def gap(self, feed: int, match: int) -> int:
        """Rest between a match and one it feeds. Where both players are known their own rests are enough."""
        return 0 if self.knows[match] or self.is_gate(feed) else self.due[feed]

    def later_than_each(self, match: int) -> int:
        """By how much the last of those that feed a match is expected to end later than each of them is."""
        if not self.hall.spread:
            return 0
        sources = self.sources(match)
        if id(sources) not in self._open:  # as many matches may have the same as there are in a round
            self._open[id(sources)] = sum(self.matches[feed].state is not State.OVER for feed in sources)
        open_feeds = self._open[id(sources)]
        return self.hall.spread * LAST_OF[min(open_feeds, len(self.tables)).bit_length()] // 100

    # Tables and referees.

    def allowed(self, i: int) -> tuple[int, ...]:
        """The tables a match can be put to, the plainest first; the promised one alone if it is in use."""
        match = self.matches[i]
        asked = (match.tags, match.tournament, match.table)
        if asked not in self._allowed:
            fitting = [k for k, table in enumerate(self.tables) if suits(match, table) and not table.out_of_use]
            promised = [k for k, table in enumerate(self.tables) if table.key == match.table and not table.out_of_use]
            self._allowed[asked] = tuple(promised or fitting)
        return self._allowed[asked]

    def hours(self, tournament: str, table: int) -> Hours:
        """When a tournament can be played at a table."""
        if (tournament, table) not in self._hours:
            self._hours[tournament, table] = table_hours(self.hall, tournament, self.tables[table])
        return self._hours[tournament, table]

    def can_referee(self, match: Match, table: Table) -> list[Referee]:
        """Those who could go to a table for a match, hours and other duties aside."""
        return [
            referee
            for referee in self.referees
            if match.referee in (None, referee.key)
            and (not referee.tables or table.key in referee.tables)
            and referee.key not in match.players
        ]

    def _referee(self, match: Match, table: Table, start: int, end: int) -> str | None:
        for referee in self.can_referee(match, table):
            if fits(self.referee_hours[referee.key], start, end) and self.people[referee.key].allows(start, end, 0):
                return referee.key
        return None

    # Places.

    def players_free(self, i: int, start: int, end: int) -> bool:
        """Whether the known players are there and rested."""
        return all(
            self.people[player].allows(start, end, self.rest_of(player))
            and fits(self.person_hours.get(player), start, end)
            for player in self.matches[i].players
        )

    def seat(self, i: int, start: int, tables: Iterable[int]) -> tuple[int, str | None] | None:
        """The first of `tables` at which a match can begin at `start`, and its referee."""
        match = self.matches[i]
        end = start + match.length
        if not self.players_free(i, start, end):
            return None
        for k in tables:
            if not fits(self.hours(match.tournament, k), start, end):
                continue
            if not self.seats[k].allows(start, end, self.hall.turnover):
                continue
            if not (match.needs_referee or match.referee):
                return k, None
            referee = self._referee(match, self.tables[k], start, end)
            if referee is not None:
                return k, referee
        return None

    def put(self, i: int, start: int, table: int, referee: str | None, *, now: bool) -> None:
        """Give a match its place; `now` where nothing begins before it any more."""
        match = self.matches[i]
        end = start + match.length
        self.found[i] = Assignment(
            match=match.key,
            table=self.tables[table].key,
            start=start,
            end=end,
            referee=referee,
            players=match.players,
            note=note_of(match, start, self.tables[table].key),
        )
        self._take(i, start, end, table, referee, now=now)
        if now:
            self._lighten(i)
        else:
            heappush(self.later, (start, i, table, referee or ""))
            heappush(self.events, start)
        self._feed(i, end)

    def _lighten(self, i: int) -> None:
        """Its players have less to play."""
        for player in self.matches[i].players:
            self.load[player] -= self.matches[i].length + self.rest_of(player)

    def _take(self, i: int, start: int, end: int, table: int | None, referee: str | None, *, now: bool) -> None:
        """Table and people are taken; when they are free again is an event."""
        taken = [(self.people[player], self.rest_of(player)) for player in self.matches[i].players]
        if table is not None:
            taken.append((self.seats[table], self.hall.turnover))
        if referee is not None:
            taken.append((self.people[referee], 0))
        for calendar, pause in taken:
            if now:
                calendar.free = max(calendar.free, end + pause)
            else:
                calendar.taken.append((start, end))
            heappush(self.events, end + pause)

    def _give_back(self, i: int, start: int, table: int, referee: str | None) -> None:
        """A promise that cannot be kept takes nothing any more."""
        span = (start, start + self.matches[i].length)
        calendars = [self.people[player] for player in self.matches[i].players] + [self.seats[table]]
        for calendar in calendars + ([self.people[referee]] if referee is not None else []):
            calendar.taken.remove(span)

    def _feed(self, i: int, end: int, *, was_played: bool = True) -> None:
        """Those a match feeds know when they can begin, as far as it is up to this one; facts are there before all."""
        for j in self.fed[i]:
            at = end + (self.gap(i, j) if was_played else 0)
            self.ready[j], self.fed_at[j] = max(self.ready[j], at), max(self.fed_at[j], at)
            self.open_feeds[j] -= 1
            if self.open_feeds[j]:
                continue
            if self.is_gate(j):
                self._feed(j, self.ready[j])
            elif self.has_begun:
                self._release(j)

    def _release(self, j: int) -> None:
        """All that feeds a match has a place: a promise is kept, or the match waits for its turn."""
        match = self.matches[j]
        if match.state is not State.WAITING or match.held or (self.live and len(match.players) < 2):
            return
        if j in self.kept:
            start, table, referee = self.kept.pop(j)
            self._give_back(j, start, table, referee)
            if self.ready[j] <= start:
                self.put(j, start, table, referee, now=False)
                return
        at = max(self.ready[j], self.fed_at[j] + self.later_than_each(j))
        if match.start is not None:
            at = max(at, match.start)
        heappush(self.waiting, (at, j))
        heappush(self.events, at)

    # The day.

    def fill(self, tables: frozenset[str] | None = None) -> None:
        """Give every match that can have one its place; `tables` are those to be given away, None for all."""
        in_use = {table.key for table in self.tables if not table.out_of_use}
        given = [
            k for k, table in enumerate(self.tables) if table.key in (in_use if tables is None else in_use & tables)
        ]
        self.begin()
        self.has_begun = True
        fed = [i for i in self.order if not self.open_feeds[i]]
        promised = [i for i, match in enumerate(self.matches) if self._is_promised(match)]
        for i in sorted(promised, key=lambda i: (self.matches[i].table not in in_use, self.matches[i].start, i)):
            self._promise(i)
        for i in fed:
            if i not in self.found:
                self._release(i)
        self.events += [self.now, *self._openings()]
        heapify(self.events)
        last = None
        while self.events:
            time = heappop(self.events)
            if time == last or time < self.now:
                continue
            if self.live and time > self.now:
                return
            last = time
            self._turn(time, given)

    def begin(self) -> None:
        """What was played, is being played or called: facts, and when those will end."""
        places = {table.key: k for k, table in enumerate(self.tables)}
        began = [m.start for m in self.matches if m.start is not None and m.state is not State.WAITING]
        self.dawn = min([self.now, *began])
        for i, match in enumerate(self.matches):
            if match.state is State.WAITING:
                continue
            start, end = self._facts(match)
            if start is not None and end is not None:
                self.found[i] = Assignment(
                    match=match.key,
                    table=match.table,
                    start=start,
                    end=end,
                    state=match.state,
                    referee=match.referee,
                    players=match.players,
                )
                if end > start:
                    table = places.get(match.table) if match.table is not None else None
                    self._take(i, start, end, table, match.referee, now=True)
            if match.state is State.OVER or not self.live:
                self._feed(i, -FAR if end is None else end, was_played=start != end)

    def _facts(self, match: Match) -> tuple[int | None, int | None]:
        """When a match began and when it ended or is expected to."""
        if match.state is State.OVER:
            return match.start, match.end
        start = self.now if match.start is None else match.start
        end = match.end
        if end is None:
            end = (start if match.state is State.PLAYING else max(start, self.now)) + match.length
        return start, end if end > self.now else self.now + OVERRUN

    def _is_promised(self, match: Match) -> bool:
        return match.state is State.WAITING and not match.held and match.start is not None and match.start >= self.now

    def _promise(self, i: int) -> None:
        """Keep a place free for a match that was promised its start, if it can begin then."""
        start = self.matches[i].start
        if start is None or self.ready[i] > start:
            return
        seat = self.seat(i, start, self.allowed(i))
        if seat is None:
            return
        if not self.open_feeds[i]:
            self.put(i, start, *seat, now=False)
        elif i not in self.circle:
            self.kept[i] = (start, *seat)
            self._take(i, start, start + self.matches[i].length, *seat, now=False)

    def _openings(self) -> list[int]:
        """When hours begin, of the hall, of tables and of people."""
        tournaments = {match.tournament for match in self.matches if match.state is State.WAITING}
        hours = [self.hours(tournament, k) for tournament in tournaments for k in range(len(self.tables))]
        hours += self.person_hours.values()
        hours += self.referee_hours.values()
        return sorted({window.start for windows in hours for window in windows or () if window.start > self.now})

    def _turn(self, time: int, given: list[int]) -> None:
        """Every table that is free at a time gets a match, as far as there is one for it."""
        while self.waiting and self.waiting[0][0] <= time:
            at, i = heappop(self.waiting)
            self._join(i, at, time)
        playing = self._begin_promised(time)
        free = {k for k in given if self.seats[k].free <= time}
        if not (free or playing):
            return
        left: list[tuple[Key, int]] = []
        for entry in self.pool:
            i = entry[1]
            players = self.matches[i].players
            seat = None
            if free and playing.isdisjoint(players):
                seat = self.seat(i, time, (k for k in self.allowed(i) if k in free))
            if seat is None:
                left.append(entry)
                continue
            self.put(i, time, *seat, now=True)
            free.remove(seat[0])
            playing.update(players)
        # Whoever plays now comes again later, with less to play: the matches of such players join anew.
        self.pool = []
        for entry in left:
            i = entry[1]
            players = self.matches[i].players
            if playing.isdisjoint(players):
                self.pool.append(entry)
            else:
                heappush(self.waiting, (max(self.people[player].free for player in players), i))

    def _begin_promised(self, time: int) -> set[str]:
        """What was promised for this time is from now on like everything else that is played; its players."""
        playing: set[str] = set()
        while self.later and self.later[0][0] <= time:
            start, i, table, referee = heappop(self.later)
            self._give_back(i, start, table, referee or None)
            self._take(i, start, start + self.matches[i].length, table, referee or None, now=True)
            self._lighten(i)
            playing.update(self.matches[i].players)
        return playing

    def _join(self, i: int, at: int, time: int) -> None:
        """A match can be played as far as it is up to those that feed it: it joins the queue once its players are free.

        The first is the one with the longest way to the end of all, by what it feeds or by what its players have still
        to play, and each second of waiting counts as a second of way: so nothing waits for ever. Promises are first.
        """
        match = self.matches[i]
        people = [self.people[player] for player in match.players]
        for calendar in people:
            at = max(at, calendar.free)
        if at > time:
            heappush(self.waiting, (at, i))
            return
        since = max(at, self.dawn) if match.ready_since is None else match.ready_since
        loads = [self.load[player] - self.rest_of(player) for player in match.players]
        way = max(self.tail[i], *loads, 0)
        if self.is_shared and way > NEAR:
            way = NEAR + (way - NEAR) // FARTHER_COUNTS
        need = self.wanted.get(match.key, since - WAITS_FOR_A_SECOND * way)
        insort(self.pool, ((match.start is None, need, -sum(loads), len(self.allowed(i)), i), i))
