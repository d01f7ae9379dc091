"""How good and how fast the plan of a hall is: seven tournaments against the bound and the floor, a simulated day.

Ends are in slots of a match, times in milliseconds, errors of the day in minutes. What the solver adds is measured
where it is installed, with ten seconds for each.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace

from bench import schedule_floor
from bench.schedule_day import LATE, MINUTE, Day
from bench.schedule_floor import Fixture
from tournaments.engine.formats import get_format
from tournaments.engine.scheduling import Break, Fixtures, Hall, Match, State, Table, Window, calls, plan
from tournaments.engine.scheduling.improve import has_solver, improve
from tournaments.engine.snapshot import Entry, Snapshot

SLOT = 1800
DAYS = 10
SECONDS = 10.0


def bracket(key: str, size: int) -> tuple[Match, ...]:
    """A bracket of so many; a double elimination with the final that may follow the final."""
    chosen = get_format(key)
    stage = Snapshot(tuple(Entry(seed, seed) for seed in range(1, size + 1)), options=chosen.Options())
    found = Fixtures(stage=key, length=SLOT).of(chosen, stage)
    if key == "double_elimination":
        last = found[-1]
        again = replace(last, key=f"{key}/again", feeds=(last.key,), order=(last.order[0] + 1, 1))
        return (*found, again)
    return found


def groups(count: int, size: int) -> tuple[Match, ...]:
    """Groups in which all meet all."""
    chosen = get_format("round_robin")
    stage = Snapshot(tuple(Entry(seed, seed) for seed in range(1, size + 1)), options=chosen.Options())
    return tuple(
        match
        for group in range(count)
        for match in Fixtures(
            stage=f"{group:02}", length=SLOT, tournament=f"{group:02}", person=f"{group}-{{}}".format
        ).of(chosen, stage)
    )


def swiss(size: int, rounds: int) -> tuple[Match, ...]:
    """A Swiss nobody has paired yet: every round waits for all of the one before."""
    chosen = get_format("swiss")
    stage = Snapshot(
        tuple(Entry(seed, seed) for seed in range(1, size + 1)), options=chosen.Options(rounds=rounds), seed="bench"
    )
    return Fixtures(stage="swiss", length=SLOT).of(chosen, stage)


CASES: dict[str, tuple[Callable[[], tuple[Match, ...]], int]] = {
    "double_64": (lambda: bracket("double_elimination", 64), 8),
    "double_256": (lambda: bracket("double_elimination", 256), 32),
    "single_128": (lambda: bracket("single_elimination", 128), 16),
    "groups_8x4": (lambda: groups(8, 4), 8),
    "groups_4x8": (lambda: groups(4, 8), 8),
    "groups_2x16": (lambda: groups(2, 16), 16),
    "all_32_on_8": (lambda: groups(1, 32), 8),
    "all_32_on_16": (lambda: groups(1, 32), 16),
}


def hall(tables: int, featured: int = 0) -> Hall:
    """Tables, the first of them with a camera; a slot of rest."""
    made = (Table(key=str(n), order=n, tags=frozenset({"camera"} if n < featured else ())) for n in range(tables))
    return Hall(tables=tuple(made), rest=SLOT)


def restricted(matches: tuple[Match, ...]) -> tuple[Match, ...]:
    """The last 15 % must be played before a camera."""
    first = len(matches) - max(1, len(matches) * 15 // 100)
    return tuple(replace(m, tags=frozenset({"camera"})) if at >= first else m for at, m in enumerate(matches))


def as_slots(matches: tuple[Match, ...]) -> list[Fixture]:
    """The same for the floor."""
    at = {match.key: number for number, match in enumerate(matches)}
    people: dict[str, int] = {}
    return [
        (tuple(at[f] for f in m.feeds), tuple(people.setdefault(p, len(people)) for p in m.players)) for m in matches
    ]


def timed(call: Callable[[], object], times: int = 5) -> float:
    """The shortest of several runs, in milliseconds."""
    found = []
    for _ in range(times):
        began = time.perf_counter()
        call()
        found.append(time.perf_counter() - began)
    return min(found) * 1000


def run() -> dict[str, float]:
    """Slots and times of the cases, times of plans as the day goes, what the solver adds, and the simulated day."""
    found: dict[str, float] = {}
    for name, (make, tables) in CASES.items():
        matches = make()
        fixtures = as_slots(matches)
        made = plan(matches=matches, hall=hall(tables), now=0)
        found[f"{name}_bound"] = made.bound.end / SLOT
        found[f"{name}_slots.ours"] = made.end / SLOT
        found[f"{name}_slots.theirs"] = schedule_floor.slots(fixtures, tables)
        found[f"{name}_ms.ours"] = timed(lambda m=matches, t=tables: plan(matches=m, hall=hall(t), now=0))  # type: ignore[misc]
        found[f"{name}_ms.theirs"] = timed(lambda f=fixtures, t=tables: schedule_floor.slots(f, t))  # type: ignore[misc]
    found |= replanned()
    if has_solver():
        found |= improved()
    return found | day()


def evening(size: int = 128) -> tuple[tuple[Match, ...], Hall]:
    """Two double eliminations and groups with some of the same players, lengths of their own, a lunch, a closing."""
    main = bracket("double_elimination", size)
    side = tuple(
        replace(match, key=f"side/{match.key}", feeds=tuple(f"side/{f}" for f in match.feeds), tournament="side",
                length=1_260)
        for match in bracket("double_elimination", size)
    )  # fmt: skip
    last = [
        replace(match, length=900 + 60 * (number % 7), tournament="groups") for number, match in enumerate(groups(1, 8))
    ]
    every = hall(16, 2)
    lunch = Break(key="lunch", start=4 * 3600, end=5 * 3600)
    return (*main, *side, *last), replace(every, breaks=(lunch,), hours=(Window(0, 86_400),), rest=600, turnover=120)


def replanned() -> dict[str, float]:
    """Milliseconds for a plan at the start and in the middle of the day, and for the next calls."""
    found: dict[str, float] = {}
    for name, (matches, where) in {
        "evening": evening(),
        "all_32": (groups(1, 32), hall(16)),
        "double_256": (bracket("double_elimination", 256), hall(32)),
        "swiss_128": (swiss(128, 7), hall(64)),
        "swiss_512": (swiss(512, 9), hall(256)),
    }.items():
        first = plan(matches=matches, hall=where, now=0)
        noon = sorted(place.start for place in first.assignments)[len(first.assignments) // 2]
        told = []
        for match in matches:
            place = first[match.key]
            if place.end <= noon:
                told.append(replace(match, state=State.OVER, table=place.table, start=place.start, end=place.end))
            elif place.start < noon:
                told.append(replace(match, state=State.PLAYING, table=place.table, start=place.start))
            else:
                told.append(match)
        found[f"replan_{name}_matches"] = len(matches)
        found[f"replan_{name}_first_ms"] = timed(lambda m=matches, h=where: plan(matches=m, hall=h, now=0))  # type: ignore[misc]
        found[f"replan_{name}_half_ms"] = timed(lambda m=told, h=where, t=noon: plan(matches=m, hall=h, now=t))  # type: ignore[misc]
        found[f"calls_{name}_ms"] = timed(lambda m=told, h=where, t=noon: calls(matches=m, hall=h, now=t))  # type: ignore[misc]
    return found


def improved() -> dict[str, float]:
    """Slots with a quarter of the tables before a camera: the list scheduler, the solver after it, the bound."""
    found = {}
    for name, (make, tables) in CASES.items():
        matches = restricted(make())
        began = time.perf_counter()
        made = improve(matches=matches, hall=hall(tables, tables // 4), now=0, seconds=SECONDS)
        found[f"restricted_{name}_bound"] = made.plan.bound.end / SLOT
        found[f"restricted_{name}_listed"] = made.before.end / SLOT
        found[f"restricted_{name}_improved"] = made.plan.end / SLOT
        found[f"restricted_{name}_seconds"] = time.perf_counter() - began
    return found


def share(values: list[int], percent: int) -> float:
    """The value that so many percent do not exceed, in minutes."""
    return sorted(values)[min(len(values) - 1, len(values) * percent // 100)] / MINUTE if values else 0.0


def day() -> dict[str, float]:
    """Simulated days: their length against perfect knowledge, and how wrong predicted starts were hour by hour.

    `theirs` are the same days planned with the length of the start instead of the one learned.
    """
    found: dict[str, float] = {}
    sides = {side: [Day(seed, learns=side == "ours") for seed in range(DAYS)] for side in ("ours", "theirs")}
    took = {side: [each.run() - LATE for each in days] for side, days in sides.items()}
    known = [each.known_before() for each in sides["ours"]]
    perfect = [each.end - LATE for each in known]
    found["day_minutes"] = sum(took["ours"]) / DAYS / MINUTE
    found["day_known_before_minutes"] = sum(perfect) / DAYS / MINUTE
    found["day_bound_minutes"] = sum(each.bound.end - LATE for each in known) / DAYS / MINUTE
    ratios = [real / best for real, best in zip(took["ours"], perfect, strict=True)]
    found["day_over_known_before_mean"] = sum(ratios) / DAYS
    found["day_over_known_before_worst"] = max(ratios)
    errors = {side: [error for each in days for error in each.errors()] for side, days in sides.items()}
    last = max(at for at, _, _ in errors["ours"]) // 3600
    for hour in range(last + 1):
        for name, percent in (("median", 50), ("p90", 90)):
            for side, every in errors.items():
                said = [wrong for at, _, wrong in every if at // 3600 == hour]
                found[f"day_hour_{hour}_{name}_minutes.{side}"] = share(said, percent) or 1 / MINUTE
    for low, high in ((0, 15), (15, 30), (30, 60), (60, 120), (120, 240)):
        said = [wrong for _, ahead, wrong in errors["ours"] if low * MINUTE < ahead <= high * MINUTE]
        found[f"day_ahead_{low}_{high}_median_minutes"] = share(said, 50)
        found[f"day_ahead_{low}_{high}_p90_minutes"] = share(said, 90)
    return found
