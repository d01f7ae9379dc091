"""A plan that ends earlier, looked for by a solver within a time limit. It is an extra: see docs/adr/0004-solver.md."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from importlib import import_module
from importlib.util import find_spec
from math import gcd
from typing import Any

from tournaments.engine.scheduling.board import Board, note_of
from tournaments.engine.scheduling.facts import Assignment, Bound, Hall, Match, Plan, State, in_order
from tournaments.engine.scheduling.hours import FAR, Hours, both, hours_of
from tournaments.engine.scheduling.planner import by_time, plan_of

PACKAGE = "ortools"
"""What `requirements/improve.lock` brings."""

LEAST_SECONDS, MOST_SECONDS = 5, 60
"""How long a search may take, where people ask for it."""

NEVER = frozenset({"held", "in_circle", "no_table", "tables_out", "no_referee", "too_long"})
"""Why a match has no place in any plan."""


def has_solver() -> bool:
    """Whether the package of the solver is installed. It is not read by asking."""
    return find_spec(PACKAGE) is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """How far the search is: the ends of the best plan so far and of the best order, and before when none can end."""

    end: int
    followed: int
    bound: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Improved:
    """Both plans. `plan` is `before` itself where nothing better was found.

    `plan` may leave a table free for a while although somebody could play there. `followed` never does: it is what
    `plan` makes in the best order that was found, `Match.wanted`, so a day can go by it whatever happens.

    Better is: more matches have a place, or as many and the last ends earlier. `is_best`: it is proved that no plan is
    better. `plan.bound` is the best bound known, `kind` is `search` where it is the solver's.
    """

    before: Plan
    plan: Plan
    followed: Plan
    is_best: bool

    @property
    def is_better(self) -> bool:
        return _worth(self.plan) < _worth(self.before)


def improve(
    *,
    matches: Iterable[Match],
    hall: Hall,
    now: int,
    seconds: float,
    seed: int = 0,
    progress: Callable[[Progress], bool] | None = None,
    ready: Callable[[Callable[[], None]], None] | None = None,
) -> Improved:
    """Look for a plan that is better than `plan` makes for the same facts, for `seconds` at most.

    One thread, and the same seed finds the same as long as the time is enough. `progress` is called whenever something
    is found and ends the search by returning False; `ready` is handed what ends it from another thread. What was found
    by then counts. What `plan` keeps is kept here too; `Hall.spread` is left out of both plans. ModuleNotFoundError
    without the solver: ask `has_solver` first.
    """
    told = tuple(in_order(matches))
    hall = replace(hall, spread=0)
    board = Board(told, hall, now)
    board.fill()
    before = plan_of(board)
    never = {misfit.match for misfit in before.misfits if misfit.code in NEVER}
    for misfit in before.misfits:
        if misfit.code == "waits_for" and misfit.other in never:
            never.add(misfit.match)
    if before.end <= before.bound.end and not {misfit.match for misfit in before.misfits} - never:
        return Improved(before=before, plan=before, followed=before, is_best=True)
    search = _Search(told, hall, now, before, never)
    starts = search.run(seconds=seconds, seed=seed, progress=progress, ready=ready)
    bound = before.bound
    if search.bound > bound.end:
        bound = Bound(end=search.bound, kind="search")
    before = replace(before, bound=bound)
    followed = min(before, replace(search.followed(), bound=bound), key=_worth)
    exact = () if starts is None else (replace(search.as_found(starts), bound=bound),)
    found = min((followed, *exact), key=_worth)
    return Improved(before=before, plan=found, followed=followed, is_best=search.is_done or found.end <= bound.end)


def _worth(plan: Plan) -> tuple[int, int]:
    return len(plan.misfits), plan.end


class _Search:
    """The plan as constraints over whole units of time from `now` on."""

    def __init__(self, matches: tuple[Match, ...], hall: Hall, now: int, before: Plan, never: set[str]) -> None:
        self.hall, self.now, self.before = hall, now, before
        self.told = matches
        self.board = Board(matches, hall, now)
        self.board.begin()
        self.matches = self.board.matches
        self.rest = [
            i for i, match in enumerate(self.matches) if match.state is State.WAITING and match.key not in never
        ]
        self.missing = {misfit.match for misfit in before.misfits}
        self.bound, self.is_done = before.bound.end, False
        self.wanted: dict[str, int] = {}
        self.worth = _worth(before)
        self.cp: Any = import_module("ortools.sat.python.cp_model")
        self.model = self.cp.CpModel()
        self.unit = self._unit()
        self.horizon = self._horizon()
        self.starts: dict[int, Any] = {}
        self.there: dict[int, Any] = {}
        self.at: dict[int, dict[int, Any]] = {}
        self.who: dict[int, dict[str, Any]] = {}
        self.groups = self._groups()
        for i in self.rest:
            self._place(i)
        self._tables()
        self._people()
        self._order()
        self._aim()

    # Time.

    def _unit(self) -> int:
        """The longest second that divides all times there are."""
        times = [self.hall.rest, self.hall.turnover, *self.board.rests.values(), self.before.end - self.now]
        for i in self.rest:
            match = self.matches[i]
            times += [
                match.length,
                *(t - self.now for t in (match.start, self.board.ready[i]) if t is not None and t > -FAR // 2),
            ]
            for k in self.board.allowed(i):
                times += self._edges(self.board.hours(match.tournament, k))
        for hours in (*self.board.person_hours.values(), *(hours_of(r.hours) for r in self.hall.referees)):
            times += self._edges(hours)
        times += [c.free - self.now for c in (*self.board.people.values(), *self.board.seats) if c.free > self.now]
        times += [place.start - self.now for place in self.before.assignments if self._is_promise(place)]
        return gcd(*times) or 1

    def _edges(self, hours: Hours) -> list[int]:
        return [t - self.now for w in hours or () for t in (w.start, w.end) if abs(t) < FAR // 2]

    def _horizon(self) -> int:
        """Units in which all is over: a plan of as many matches must end before the one there is."""
        if not self.missing:
            return (self.before.end - self.now) // self.unit - 1
        busy = max((place.end for place in self.before.assignments), default=self.now)
        ends = [w.end for hours in self._every_hours() for w in hours or () if w.end < FAR // 2]
        more = sum(self.matches[i].length + self.board.due[i] + self.hall.turnover for i in self.rest)
        return (max([busy + more, *ends]) - self.now) // self.unit

    def _every_hours(self) -> list[Hours]:
        return [self.board.hours(self.matches[i].tournament, k) for i in self.rest for k in self.board.allowed(i)]

    def _units(self, time: int) -> int:
        return time // self.unit

    def _domain(self, hours: Hours, length: int) -> Any:
        """The starts at which so many units fit."""
        if hours is None:
            return self.cp.Domain(0, max(0, self.horizon))
        spans = [
            [
                max(0, (max(w.start, self.now) - self.now) // self.unit),
                min(self.horizon, (w.end - self.now) // self.unit) - length,
            ]
            for w in hours
            if w.end > self.now
        ]
        return self.cp.Domain.from_intervals([span for span in spans if span[0] <= span[1]])

    # Constraints.

    def _is_promise(self, place: Assignment) -> bool:
        match = self.matches[self.board.index[place.match]]
        return place.state is State.WAITING and match.start == place.start

    def _groups(self) -> list[list[int]]:
        """Tables that are the same for all matches. One that is promised to somebody later is like no other."""
        kept = {place.table for place in self.before.assignments if self._is_promise(place)}
        found: dict[tuple[object, ...], list[int]] = defaultdict(list)
        tournaments = sorted({self.matches[i].tournament for i in self.rest})
        for k, table in enumerate(self.board.tables):
            used_by = tuple(i for i in self.rest if k in self.board.allowed(i))
            referees = tuple(r.key for r in self.hall.referees if not r.tables or table.key in r.tables)
            hours = tuple(self.board.hours(tournament, k) for tournament in tournaments)
            found[used_by, referees, hours, table.key if table.key in kept else ""].append(k)
        return [tables for alike, tables in found.items() if alike[0]]

    def _length(self, i: int) -> int:
        return self._units(self.matches[i].length)

    def _place(self, i: int) -> None:
        """A match begins once, within hours, at one group of tables that fit, with one referee if it needs one."""
        match, model, length = self.matches[i], self.model, self._length(i)
        place = self.before.get(match.key)
        earliest = max(
            self.now,
            self.board.ready[i],
            match.start or self.now,
            *(self.board.people[p].free for p in match.players),
            self.now,
        )
        own: Hours = None
        for player in match.players:
            own = both(own, self.board.person_hours.get(player))
        start = model.new_int_var(0, max(0, self.horizon - length), f"start {i}")
        self.starts[i] = start
        present = model.new_bool_var(f"there {i}") if place is None else model.new_constant(1)
        self.there[i] = present
        model.add(start >= -(-(earliest - self.now) // self.unit)).only_enforce_if(present)
        tables = set(self.board.allowed(i))
        promised = place.table if place is not None and self._is_promise(place) else None
        if place is not None and self._is_promise(place):
            model.add(start == self._units(place.start - self.now))
        self.at[i] = {}
        for group, members in enumerate(self.groups):
            if not tables & set(members) or (promised and promised not in {self.board.tables[k].key for k in members}):
                continue
            here = model.new_bool_var(f"at {i} {group}")
            self.at[i][group] = here
            hours = both(self.board.hours(match.tournament, members[0]), own)
            model.add_linear_expression_in_domain(start, self._domain(hours, length)).only_enforce_if(here)
        model.add(sum(self.at[i].values()) == present)
        self._referee(i, present)
        if place is not None:
            model.add_hint(start, self._units(place.start - self.now))

    def _referee(self, i: int, present: Any) -> None:
        match, model = self.matches[i], self.model
        self.who[i] = {}
        if not (match.needs_referee or match.referee):
            return
        for referee in self.hall.referees:
            groups = [
                group
                for group in self.at[i]
                if referee in self.board.can_referee(match, self.board.tables[self.groups[group][0]])
            ]
            if not groups:
                continue
            goes = model.new_bool_var(f"referee {i} {referee.key}")
            self.who[i][referee.key] = goes
            for group, here in self.at[i].items():
                if group not in groups:
                    model.add_bool_or([goes.negated(), here.negated()])
            domain = self._domain(hours_of(referee.hours), self._length(i))
            model.add_linear_expression_in_domain(self.starts[i], domain).only_enforce_if(goes)
        model.add(sum(self.who[i].values()) == present)

    def _busy(self, free: int) -> Any:
        """From now until somebody or something is free."""
        return self.model.new_fixed_size_interval_var(0, self._units(free - self.now), "busy")

    def _span(self, i: int, pause: int, there: Any) -> Any:
        return self.model.new_optional_fixed_size_interval_var(
            self.starts[i], self._length(i) + self._units(pause), there, f"span {i}"
        )

    def _tables(self) -> None:
        """No group has more matches at once than tables."""
        for group, members in enumerate(self.groups):
            spans = [self._span(i, self.hall.turnover, self.at[i][group]) for i in self.rest if group in self.at[i]]
            spans += [self._busy(self.board.seats[k].free) for k in members if self.board.seats[k].free > self.now]
            self.model.add_cumulative(spans, [1] * len(spans), len(members))

    def _people(self) -> None:
        """Nobody plays or referees twice at once, and players have their rest."""
        spans: dict[str, list[Any]] = defaultdict(list)
        for i in self.rest:
            for player in self.matches[i].players:
                spans[player].append(self._span(i, self.board.rest_of(player), self.there[i]))
            for referee, goes in self.who[i].items():
                spans[referee].append(self._span(i, 0, goes))
        for person in self.hall.referees:
            free = self.board.people[person.key].free
            if free > self.now:
                spans[person.key].append(self._busy(free))
        for taken in spans.values():
            self.model.add_no_overlap(taken)

    def _order(self) -> None:
        """A match begins after those that feed it, and after the rest of whoever comes of them."""
        for i in self.rest:
            for feed in self.board.sources(i):
                if feed in self.starts:
                    gap = self._length(feed) + self._units(self.board.gap(feed, i))
                    self.model.add(self.starts[i] >= self.starts[feed] + gap).only_enforce_if(self.there[i])
                    self.model.add_implication(self.there[i], self.there[feed])

    def _aim(self) -> None:
        """As many matches as can be, then the earliest end."""
        least = 0 if self.missing else -(-(self.before.bound.end - self.now) // self.unit)
        self.end = self.model.new_int_var(min(least, max(0, self.horizon)), max(0, self.horizon), "end")
        for i in self.rest:
            self.model.add(self.end >= self.starts[i] + self._length(i)).only_enforce_if(self.there[i])
        left_out = [1 - there for i, there in self.there.items() if self.matches[i].key in self.missing]
        self.price = self.horizon + 1
        self.model.minimize(self.end + self.price * sum(left_out) if left_out else self.end)

    # The search.

    def run(
        self,
        *,
        seconds: float,
        seed: int,
        progress: Callable[[Progress], bool] | None,
        ready: Callable[[Callable[[], None]], None] | None,
    ) -> dict[int, int] | None:
        """Starts of the best plan found; None where none is better."""
        if not self.missing and self.horizon < (self.before.bound.end - self.now) // self.unit:
            self.is_done = True
            return None
        solver = self.cp.CpSolver()
        solver.parameters.max_time_in_seconds = seconds
        solver.parameters.max_deterministic_time = seconds
        solver.parameters.num_workers = 1
        solver.parameters.random_seed = seed
        best = [self.before.end]
        if ready is not None:
            ready(solver.stop_search)

        def tell(end: int, bound: float) -> None:
            best[0] = min(best[0], end)
            told = Progress(end=best[0], followed=self.worth[1], bound=max(self.bound, self._time(bound)))
            if progress is not None and not progress(told):
                solver.stop_search()

        solver.best_bound_callback = lambda bound: tell(best[0], bound)
        base = self.cp.CpSolverSolutionCallback

        class Found(base):  # type: ignore[misc, valid-type]
            def on_solution_callback(watcher) -> None:  # noqa: N805  `self` is the search around it
                self._try_order({i: watcher.value(s) for i, s in self.starts.items() if watcher.value(self.there[i])})
                tell(self.now + watcher.value(self.end) * self.unit, watcher.best_objective_bound)

        status = solver.solve(self.model, Found())
        self.is_done = status in (self.cp.OPTIMAL, self.cp.INFEASIBLE)
        if status == self.cp.INFEASIBLE:
            self.bound = self.before.end
        elif status != self.cp.MODEL_INVALID and not self.missing:
            self.bound = max(self.bound, self._time(solver.best_objective_bound))
        if status not in (self.cp.OPTIMAL, self.cp.FEASIBLE):
            return None
        found = {i: solver.value(start) for i, start in self.starts.items() if solver.value(self.there[i])}
        self.chosen = {i: next(g for g, here in self.at[i].items() if solver.value(here)) for i in found}
        self.referees = {i: next((r for r, goes in self.who[i].items() if solver.value(goes)), None) for i in found}
        return found

    def _time(self, units: float) -> int:
        """The instant of a bound in units; a little less than a whole number is that number."""
        return self.now + int(units + 0.999999) * self.unit if not self.missing else self.before.bound.end

    def _try_order(self, starts: dict[int, int]) -> None:
        """Keep the order of a solution if the list scheduler, which leaves no table free, makes more of it."""
        wanted = {self.matches[i].key: self.now + start * self.unit for i, start in starts.items()}
        board = self._in_order(wanted)
        left = sum(i not in board.found for i, match in enumerate(board.matches) if match.state is State.WAITING)
        worth = left, max((place.end for place in board.found.values()), default=self.now)
        if worth < self.worth:
            self.worth, self.wanted = worth, wanted

    def _in_order(self, wanted: dict[str, int]) -> Board:
        board = Board(self.told, self.hall, self.now, wanted=wanted)
        board.fill()
        return board

    def followed(self) -> Plan:
        """The best plan of the list scheduler in an order that was found; the one before where none is better."""
        return plan_of(self._in_order(self.wanted))

    def as_found(self, starts: dict[int, int]) -> Plan:
        """The starts as they are, each at the first table of its group that is free."""
        free = [max(self.now, calendar.free) for calendar in self.board.seats]
        facts = [place for place in self.before.assignments if place.state is not State.WAITING]
        for i in sorted(starts, key=lambda i: (starts[i], i)):
            match = self.matches[i]
            start = self.now + starts[i] * self.unit
            table = next(k for k in self.groups[self.chosen[i]] if free[k] <= start)
            free[table] = start + match.length + self.hall.turnover
            facts.append(
                Assignment(
                    match=match.key,
                    table=self.board.tables[table].key,
                    start=start,
                    end=start + match.length,
                    referee=self.referees[i],
                    players=match.players,
                    note=note_of(match, start, self.board.tables[table].key),
                )
            )
        left = tuple(misfit for misfit in self.before.misfits if self.board.index[misfit.match] not in starts)
        end = max((place.end for place in facts), default=self.now)
        return Plan(assignments=by_time(facts, self.hall), misfits=left, end=end, bound=self.before.bound)
